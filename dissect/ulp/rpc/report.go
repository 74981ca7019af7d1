package rpc

// What is reported.

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// reports tells a Reporter what was found.
type reports struct {
	ulp.Reporter
	scratch []rules.Violation // empty; memory for the violations of a check
	finding record.Finding
}

// foundAll reports violations at o. v is r.scratch with the violations appended.
func (r *reports) foundAll(o *record.Origin, v []rules.Violation) {
	if len(v) > 0 {
		r.foundEach(o, v)
	}
}

func (r *reports) foundEach(o *record.Origin, v []rules.Violation) {
	for i := range v {
		r.found(o, v[i])
	}
	clear(v)
	r.scratch = v[:0]
}

func (r *reports) found(o *record.Origin, v rules.Violation) { r.foundThen(o, v, [2]uint64{}) }

// foundThen reports a violation that was found when missedAt was said of the connection.
func (r *reports) foundThen(o *record.Origin, v rules.Violation, missedAt [2]uint64) {
	r.finding = record.Finding{
		Origin: *o, Rule: v.Rule, Name: v.Name, Seen: v.Seen, Expected: v.Expected, Doubt: v.Doubt, MissedAt: missedAt,
	}
	r.Finding(&r.finding)
}

// join says that the current segment or message belongs to an RPC.
func (r *reports) join(c *call) { r.Join(&c.Transaction, nil) }

// report reports a message. c is the Call that it is or answers; nil if not known.
func (f *follower) report(m *record.Message, h *rpcrdma.Message, c *call) {
	var rpc *name
	if c != nil {
		rpc = c.name
		f.out.join(c)
	}
	u := &f.upper
	u.Origin, u.Name, u.ID, u.Len = m.Origin, f.names.message(h, rpc), uint64(h.XID), uint64(h.Len)
	u.ULP, u.IDName, u.Body = Name, "xid", &f.packet
	if c != nil && c.x.Known {
		f.packet.fill(&c.x, f.replyBody)
	} else {
		f.packet.guess()
	}
	f.replyBody = nil
	f.out.Upper(u)
}
