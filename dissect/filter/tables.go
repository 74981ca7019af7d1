package filter

// The field tables of all protocols. Another protocol needs a line here, and one in the layout of its group.

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
)

// tables calls yield for every table once, with the group of headers that it belongs to.
func tables(yield func(group, *field.Table) bool) {
	seen := map[*field.Table]bool{}
	for _, some := range []struct {
		group  group
		tables []*field.Table
	}{
		{transport, mpa.Tables}, {transport, sctp.Tables}, {transport, ddp.Tables}, {transport, rdmap.Tables},
		{transport, terminateTables()},
		{transport, []*field.Table{rpcrdma.PrivateDataFields}}, {transport, nvme.PrivateDataTables},
		{inPayload, rpcrdma.Tables}, {inPayload, oncrpc.Tables}, {inPayload, callTables()},
		{inBody, nvme.Tables}, {inBody, iser.Tables}, {inBody, smbdirect.Tables},
	} {
		for _, t := range some.tables {
			if !seen[t] && !yield(some.group, t) {
				return
			}
			seen[t] = true
		}
	}
}

// terminateTables are those of a Terminate with the names that its fields have for one error type.
func terminateTables() (some []*field.Table) {
	for c := range rdmap.Codes() {
		some = append(some, c.Fields(), c.MeantFields())
	}
	return some
}

// callTables are those of a Call with the names that procedures have in one version of one program.
func callTables() (some []*field.Table) {
	for p := range oncrpc.Procedures() {
		some = append(some, p.Fields())
	}
	return some
}

// sharedFields are the fields that say which exchange of an upper layer one is, and what it is about. All that belongs
// to an exchange has them. Those that end with a dot stand for all that begin so.
var sharedFields = []string{
	"rpcordma.xid", "rpc.xid", "rpc.program", "rpc.programversion", "rpc.procedure", "nfs.opcode", "nfs.cb.operation",
	"nvme.cmd.", "nvme.fabrics.cmd.",
	"iscsi.initiatortasktag", "iscsi.scsicommand.",
	"smb2.cmd", "smb2.msg_id", "smb2.file_offset",
}

// isShared tells whether a field is among sharedFields.
func isShared(name string) bool {
	return slices.ContainsFunc(sharedFields, func(s string) bool {
		return name == s || strings.HasSuffix(s, ".") && strings.HasPrefix(name, s)
	})
}

// wiresharkHeaders are headers that Wireshark has a name for.
var wiresharkHeaders = []struct {
	name  string
	table *field.Table
}{
	{"iwarp_mpa.req", mpa.RequestFields},
	{"iwarp_mpa.rep", mpa.ReplyFields},
	{"iwarp_mpa.fpdu", mpa.FPDUFields},
	{"iwarp_ddp.tagged", ddp.TaggedFields},
	{"iwarp_ddp.untagged", ddp.UntaggedFields},
	{"iwarp_rdma.rr", rdmap.ReadRequestFields},
	{"iwarp_rdma.terminate", rdmap.TerminateFields},
}
