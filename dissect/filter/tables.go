package filter

// The field tables of all protocols: those of upper layers are in their Layers.

import (
	"strings"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// tables calls yield for every table once, with the group of headers that it belongs to.
func tables(yield func(group, *field.Table) bool) {
	seen := map[*field.Table]bool{}
	some := func(g group, tables []*field.Table) bool {
		for _, t := range tables {
			if !seen[t] && !yield(g, t) {
				return false
			}
			seen[t] = true
		}
		return true
	}
	for _, tables := range [][]*field.Table{mpa.Tables, sctp.Tables, ddp.Tables, rdmap.Tables, terminateTables()} {
		if !some(transport, tables) {
			return
		}
	}
	for _, l := range all.Layers() {
		in := inBody
		if l.Read != nil {
			in = inPayload
		}
		if !some(transport, l.PrivateTables) || !some(in, l.Tables) {
			return
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

// isShared reports whether a field says which exchange of an upper layer one is, and what it is about. All that belongs to
// an exchange has such fields.
func isShared(name string) bool {
	for _, l := range all.Layers() {
		for _, s := range l.Shared {
			if name == s || strings.HasSuffix(s, ".") && strings.HasPrefix(name, s) {
				return true
			}
		}
	}
	return false
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
