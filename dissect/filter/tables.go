package filter

// The field tables of all protocols. Another protocol needs a line here, and one in the layout of its group.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// tables calls yield for every table once, with the group of headers that it belongs to.
func tables(yield func(group, *field.Table) bool) {
	seen := map[*field.Table]bool{}
	for _, some := range []struct {
		group  group
		tables []*field.Table
	}{
		{transport, mpa.Tables}, {transport, ddp.Tables}, {transport, rdmap.Tables}, {transport, terminateTables()},
		{transport, []*field.Table{rpcrdma.PrivateDataFields}},
		{upper, rpcrdma.Tables}, {upper, oncrpc.Tables}, {upper, callTables()},
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
	for c := range rdmap.Codes {
		some = append(some, c.Fields(), c.MeantFields())
	}
	return some
}

// callTables are those of a Call with the names that procedures have in one version of one program.
func callTables() (some []*field.Table) {
	for p := range oncrpc.Procedures {
		some = append(some, p.Fields())
	}
	return some
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
