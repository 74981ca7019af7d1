// Package nfs names the operations and statuses of NFS versions 2 to 4 (RFC 1094, RFC 1813, RFC 8881), walks NFSv4
// COMPOUNDs, and finds the items that RPC-over-RDMA may move in chunks of their own, without allocating.
//
//	var args nfs.CompoundArgs
//	m, err := args.Decode(message[n:]) // after oncrpc.Call.Decode, which returned n
//	var ops nfs.Operations
//	for ops.Reset(message, n+m, &args); ops.Next(); {
//		fmt.Println(ops.Index, ops.Name(), "at", ops.Off) // 1 PUTFH at 192
//	}
//
// Package oncrpc decodes the RPC header of a message. [CompoundArgs], [CBCompoundArgs] and [CompoundRes] begin the
// arguments and results of NFSv4's only real procedures; [Operations] and [Results] walk what follows. [Items] walks the
// items of any NFS message. [AppendLayout] names the field tables that apply to a message, RPC header included.
//
// Decode returns what the wire carries, stated lengths included. AppendBinary writes what the struct says, right or
// wrong. All fields are big-endian, of 4 octets or padded to a multiple of them (XDR, RFC 4506).
package nfs

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/field"
)

// proto is the name of the protocol in display filters.
const proto = "nfs"

// order is the byte order of every field.
var order = binary.BigEndian

// The field tables of NFSv4 COMPOUNDs, and all of them.
var (
	// The parts of COMPOUND and CB_COMPOUND: a tag and the numbers that follow it; in results a status precedes the tag.
	TagFields = field.NewTable("NFSv4 tag", proto, compoundSource,
		field.Big("nfs.tag.length", "tag length", 0, 4, field.Dec),
		field.Opaque("nfs.tag", "tag", 4, 0),
	)
	CompoundFields = field.NewTable("NFSv4 COMPOUND arguments", proto, compoundSource,
		field.Big("nfs.minorversion", "minorversion", 0, 4, field.Dec),
		field.Big("nfs.ops.count", "number of operations", 4, 4, field.Dec),
	)
	CBCompoundFields = field.NewTable("NFSv4 CB_COMPOUND arguments", proto, compoundSource,
		field.Big("nfs.minorversion", "minorversion", 0, 4, field.Dec),
		field.Big("nfs.callback.ident", "callback_ident", 4, 4, field.Hex).To(field.ToRun),
		field.Big("nfs.ops.count", "number of operations", 8, 4, field.Dec),
	)
	CompoundResFields = field.NewTable("NFSv4 COMPOUND results", proto, compoundSource,
		field.Big("nfs.nfsstat4", "status", 0, 4, field.Dec).Of(stats4),
	)
	NumResFields = field.NewTable("NFSv4 results", proto, compoundSource,
		field.Big("nfs.ops.count", "number of results", 0, 4, field.Dec),
	)
	ResultFields   = newResultFields("NFSv4 result", "nfs.opcode", "nfs.results", ops)
	CBResultFields = newResultFields("NFSv4 callback result", "nfs.cb.operation", "nfs.cb.results", cbOps)

	// OperationFields describes one operation of a COMPOUND with its arguments, CBOperationFields one of a CB_COMPOUND.
	OperationFields   = newOperationFields("NFSv4 operation", "nfs.opcode", "nfs.arguments", ops)
	CBOperationFields = newOperationFields("NFSv4 callback operation", "nfs.cb.operation", "nfs.cb.arguments", cbOps)

	// Tables lists every field table of this package, for code that needs all names in advance.
	Tables = []*field.Table{
		TagFields, CompoundFields, CBCompoundFields, CompoundResFields, NumResFields, OperationFields, CBOperationFields,
		ResultFields, CBResultFields,
	}
)

func newOperationFields(name, opcode, arguments string, names *field.Enum) *field.Table {
	return field.NewTable(name, proto, compoundSource,
		field.Big(opcode, "argop", 0, 4, field.Dec).Of(names),
		field.Opaque(arguments, "arguments", 4, 0),
	)
}

func newResultFields(name, opcode, results string, names *field.Enum) *field.Table {
	return field.NewTable(name, proto, compoundSource,
		field.Big(opcode, "resop", 0, 4, field.Dec).Of(names),
		field.Big("nfs.nfsstat4", "status", 4, 4, field.Dec).Of(stats4),
		field.Opaque(results, "results", 8, 0),
	)
}
