package check_test

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
)

const start int64 = 1_800_000_000e9

// connection is one with a number that began that many seconds after start and lasted 1.5 s.
func connection(id int) *flow.Conn {
	begin := start + int64(id)*1e9
	return &flow.Conn{
		ID: id, Client: netip.MustParseAddrPort("10.0.0.1:44600"), Server: netip.MustParseAddrPort("10.0.0.2:7509"),
		Span: span(uint64(100*id+1), uint64(100*id+99)), Earliest: begin, Latest: begin + 15e8, End: flow.EndFIN,
	}
}

func span(first, last uint64) flow.Span {
	return flow.Span{Frame: first, LastFrame: last, Time: start, LastTime: start}
}

// wrongMSN is a breach of a rule that the client of c has committed in a frame.
func wrongMSN(c *flow.Conn, frame uint64) *record.Finding {
	return &record.Finding{
		Origin:   record.Origin{Conn: c, Dir: flow.C2S, Span: span(frame, frame)},
		Severity: rules.Error, ID: "DDP-5.3-4", Also: []string{"DDP-5.3-5"}, Name: "send-msn",
		Seen: "MSN 7", Expected: "MSN 5",
		Text: "The Send from the client: MSN 7, expected MSN 5. The MSN of a Send is one more than that of the Send before it. " +
			"The receiver answers with a Terminate, 1/2/03 DDP Untagged Buffer Error: Invalid MSN - MSN range is not valid.",
	}
}

// Two observations.
var (
	ended = &judge.Observation{ID: "OBS-TERMINATE", Name: "terminate", Severity: rules.Warning, Text: "Somebody ended it."}
	quiet = &judge.Observation{ID: "OBS-QUIET", Name: "quiet", Severity: rules.Note, Text: "Nobody said anything."}
)

// observation is one about the server of c.
func observation(c *flow.Conn, frame uint64, o *judge.Observation) *record.Finding {
	return &record.Finding{
		Origin:   record.Origin{Conn: c, Dir: flow.S2C, Span: span(frame, frame)},
		Severity: o.Severity, ID: o.ID, Name: o.Name, Text: o.Text,
	}
}

// terminated is the verdict on c, whose server has sent a Terminate in the order of siw.
func terminated(c *flow.Conn) *record.Verdict {
	c.End = flow.EndTerminate
	return &record.Verdict{
		Conn: c, By: flow.Server, At: span(c.Frame+50, c.Frame+50),
		Outstanding: [2]record.Outstanding{{Reads: 1}, {}},
		Errors:      2, Warnings: 1, Withheld: 1,
		MaxOutstanding: [2]int{1, 0}, Limit: [2]int{4, -1},
		ULP: "RPC-over-RDMA",
		Terminations: []*record.Termination{{
			Terminate: record.Origin{Conn: c, Dir: flow.S2C, Span: span(c.Frame+50, c.Frame+50)},
			Code:      rdmap.Code{Layer: rdmap.LayerRDMAP, EType: 1}, Swapped: true,
			Blame: record.BlameByRequest, Opcode: rdmap.OpReadRequest, Message: "ReadRequest in frame 7",
			Culprit:    record.Origin{Conn: c, Dir: flow.C2S, Span: span(7, 7)},
			Situations: []rules.Situation{rules.ReadSTag}, Grade: rules.Exact,
		}},
		Text: "The server ended it with a Terminate in frame 51: 0/1/00 RDMAP Remote Protection Error: Invalid STag. One Read of the client was never answered.",
	}
}

// closed is the verdict on c, which went well.
func closed(c *flow.Conn) *record.Verdict {
	return &record.Verdict{
		Conn: c, By: flow.Client, At: span(c.LastFrame, c.LastFrame), Limit: [2]int{-1, -1},
		Text: "The client closed it. Nothing was outstanding.",
	}
}
