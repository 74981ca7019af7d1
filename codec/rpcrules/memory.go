package rpcrules

// The rules of RPC-over-RDMA for callers who follow its RDMA Reads and Writes and know which Calls are open.

import (
	"bytes"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// Rules about the memory that chunks name.
var (
	Region = newPair("region", rules.Error,
		"An RDMA Read or Write of a Responder must stay within the segments that an open Call of the other "+
			"side offers for it.",
		"RPCRDMA1-3.4.3-1", "RPCRDMA2-4-1 RPCRDMA2-4.3.3-1", grave,
		in("iwarp_ddp.stag", "iwarp_ddp.tagged_offset", "iwarp_rdma.srcstag", "iwarp_rdma.srcto"))
	Late = newPair("late", rules.Error,
		"No RDMA Read or Write may use a chunk after the Reply was sent or its STag invalidated.",
		"RPCRDMA1-3.4.5.1-1 RPCRDMA1-3.5.2-2", "RPCRDMA2-4.3.5.1-1", grave,
		in("iwarp_ddp.stag", "iwarp_ddp.tagged_offset", "iwarp_rdma.srcstag", "iwarp_rdma.srcto"))
	Unwritten = newPair("unwritten", rules.Error,
		"The octets that a Reply reports in a chunk must have been written before it.", "RPCRDMA1-3.5.2-2", "RPCRDMA2-4.3.6-2", grave)
	Excess = newPair("excess", rules.Warning,
		"No roundup octets may be written into a chunk beyond what the Reply returns.",
		"RPCRDMA1-3.4.6.2-2", "RPCRDMA2-4.3.6.2-2",
		lighter("A Responder may also have written octets of an operation that it then gave up."))
	Unread = newPair("unread", rules.Warning,
		"A Call must not succeed before all of its Read chunks have been read completely.",
		"RPCRDMA1-3.4.5-4", "RPCRDMA2-4.3.5-4", grave,
		lighter("A Responder may fail a Call early, with a Reply that looks successful, or answer a repeated Call from a cache."))
)

// Rules about Calls and their answers.
var (
	ReplyXID = newPair("reply-xid", rules.Error,
		"A Reply must have the XID of an open Call of the other side.",
		"RPCBIDI-2.4-2 RPCRDMA1-3.3.1-7", "RPCRDMA2-3.1.3.4-2", grave, in("rpcordma.xid"))
	ErrorXID = newPair("error-xid", rules.Error,
		"An RDMA_ERROR must have the XID of an open Call of the other side.",
		"RPCRDMA1-4.5-4 RPCRDMA1-4.2.4-4", "RPCRDMA2-7-2 RPCRDMA2-4.2.1.2-2", grave, in("rpcordma.xid"))
	XIDReuse = newPair("xid-reuse", rules.Error,
		"The open Calls of one side must have different XIDs.", "RPCBIDI-2.4-1", "RPCRDMA2-3.1.3.4-1", grave, in("rpcordma.xid"))
	Repeat = newRule("rpc1-error-repeat", rules.Error,
		"A Call that was answered with RDMA_ERROR must not be repeated unchanged.", "RPCRDMA1-4.5-7")
	Reverse = ruleReverse
	Port    = newRule("rpc1-port", rules.Note,
		"NFS over RDMA should be served at port 20049.", "RPCRDMA1-5-3", elsewhere, lighter("An administrator may choose another port."))
)

var (
	rulePrivate = newRule("rpc-private-data", rules.Warning,
		"The Private Data of RPC-over-RDMA must have 8 octets and version 1.", "RPCPD-4-2",
		lighter("A later version of the format may have another length."), in("rpcordma.private.version"))
	rulePrivateReserved = newRule("rpc-private-reserved", rules.Error,
		"The reserved bits of the Private Data must be zero.", "RPCPD-4-3", in("rpcordma.private.reserved"))
)

// CheckPrivateData checks the RPC-over-RDMA part of one side's Private Data, if any, and appends its violations to v.
func CheckPrivateData(private []byte, v []rules.Violation) []rules.Violation {
	off := bytes.Index(private, []byte{0xf6, 0xab, 0x0e, 0x18})
	if off < 0 {
		return v
	}
	var p rpcprivate.Data
	switch _, err := p.Decode(private[off:]); {
	case err != nil:
		return append(v, rulePrivate.Breach(octets(len(private)-off), "8 octets"))
	case p.Version != rpcprivate.Version:
		return append(v, rulePrivate.Breach(fmt.Sprintf("version %d", p.Version), "version 1"))
	case p.Reserved != 0:
		return append(v, rulePrivateReserved.Breach(fmt.Sprintf("%#02x", p.Reserved), "0"))
	}
	return v
}
