package rpc

// What is reported.

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// foundAll reports breaches of rules in what o is about. v is f.violations with what was appended to it.
func (f *follower) foundAll(o *record.Origin, v []rules.Violation) {
	if len(v) > 0 {
		f.foundEach(o, v)
	}
}

func (f *follower) foundEach(o *record.Origin, v []rules.Violation) {
	for i := range v {
		f.found(o, v[i])
	}
	clear(v)
	f.violations = v[:0]
}

func (f *follower) found(o *record.Origin, v rules.Violation) {
	f.finding = record.Finding{Origin: *o, Rule: v.Rule, Name: v.Name, Seen: v.Seen, Expected: v.Expected}
	f.reporter.Finding(&f.finding)
}

// join says that what is being looked at belongs to an RPC. body is the RPC message that was in chunks, if there was
// one and it is all there.
func (f *follower) join(c *call, body []byte) {
	f.reporter.Join(&c.Transaction, body)
}

// report reports a message. c is the Call that it is or answers; nil if that is not known.
func (f *follower) report(m *record.Message, h *rpcrdma.Message, c *call) {
	var rpc *name
	if c != nil {
		rpc = c.name
		f.join(c, f.replyBody)
	}
	u := &f.upper
	u.Origin, u.Name, u.ID, u.Len = m.Origin, f.layer.names.message(h, rpc), uint64(h.XID), uint64(h.Len)
	u.ULP, u.IDName, u.Body = Name, "xid", &f.packet
	if c != nil && c.x.Known {
		f.packet.fill(&c.x, f.replyBody)
	} else {
		f.packet.guess()
	}
	f.replyBody = nil
	f.reporter.Upper(u)
}
