package rpc

// What is reported.

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
)

// foundAll reports breaches of rules in what o is about. v is f.violations with what was appended to it.
func (f *follower) foundAll(o *dissect.Origin, v []rules.Violation) {
	for _, one := range v {
		f.found(o, one)
	}
	clear(v)
	f.violations = v[:0]
}

func (f *follower) found(o *dissect.Origin, v rules.Violation) {
	f.finding = analysis.Finding{Origin: *o, Name: v.Name, Seen: v.Seen, Expected: v.Expected}
	f.reporter.Finding(&f.finding)
}

// join says that what is being looked at belongs to an RPC. body is the RPC message that was in chunks, if there was
// one and it is all there.
func (f *follower) join(c *call, body []byte) {
	if f.joiner != nil {
		f.joiner.Join(&c.Transaction, body)
	}
}

// report reports a message. c is the Call that it is or answers; nil if that is not known.
func (f *follower) report(m *dissect.Message, h *rpcrdma.Message, c *call) {
	var rpc *name
	if c != nil {
		rpc = c.name
		f.join(c, f.replyBody)
	}
	f.upper = analysis.UpperMessage{
		Origin: m.Origin, ULP: f.ulp.Name(), Name: f.ulp.names.message(h, rpc),
		ID: uint64(h.XID), Len: uint64(h.Len), Body: &f.header,
	}
	if c != nil && c.x.Known {
		f.context.fill(&c.x, f.replyBody)
		f.upper.Context = &f.context
	}
	f.replyBody = nil
	f.reporter.Upper(&f.upper)
}
