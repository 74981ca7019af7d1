package tree_test

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/tree"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

func TestFindings(t *testing.T) {
	var b strings.Builder
	p := tree.New(&b, tree.Options{})
	o := record.Origin{Conn: conn, Dir: flow.S2C, Span: flow.Span{Frame: 7, LastFrame: 7}}
	give := recordtest.To(p)
	give.Finding(&record.Finding{Origin: o, Severity: rules.Error, ID: "DDP-5.3-4", Seen: "MSN 7", Expected: "MSN 5"})
	give.Late(o)
	give.Finding(&record.Finding{Origin: o, Severity: rules.Warning, ID: "OBS-STALL", Text: "The client waits."})
	give.Message(&record.Message{Origin: o, Opcode: rdmap.OpWrite, Segments: 1, Complete: true})
	o.LastFrame = 9
	give.Upper(&record.Upper{Origin: o, ULP: "RPC-over-RDMA", Name: "RDMA_MSG Call\x1b", ID: 0x5a000001, IDName: "xid", Len: 152})
	give.Late(o)
	if err := p.Flush(); err != nil {
		t.Fatal(err)
	}
	want := "Finding: error DDP-5.3-4: MSN 7, expected MSN 5, frame 7, connection 0 s2c\n\n" +
		"Message: Write, 0 octets in 1 segment, frame 7, connection 0 s2c, complete\n  ! warning OBS-STALL: The client waits\n\n" +
		"Upper layer: RPC-over-RDMA RDMA_MSG Call\\x1b xid=0x5a000001, 152 octets, frames\n             7-9, connection 0 s2c\n\n"
	if got := b.String(); got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}
