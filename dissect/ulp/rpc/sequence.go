package rpc

// RPC messages that come in several Sends (draft 01 of version 2, section 6.2.2.2).

import (
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A payload is the part of an RPC message that its Sends carry.
type payload struct {
	flow.Span
	octets []byte // as far as they were captured and kept
	len    uint64
	parts  int
}

// half returns the Half that the payload is, of which h is the last header.
func (p *payload) half(h *rpcrdma.Message) Half {
	_, granted := h.Granted()
	return Half{Span: p.Span, Kind: h.KindName(), Credits: granted, Parts: p.parts, Inline: p.len}
}

// cut reports whether octets are missing.
func (p *payload) cut() bool { return uint64(len(p.octets)) < p.len }

// A sequence is an RPC message in progress.
type sequence struct {
	payload
	active bool
	call   *call // nil if it is a Reply
	again  bool  // it repeats call, which is whole
}

// drop abandons the message.
func (q *sequence) drop(bufs *buffers) {
	if q.active {
		bufs.give(q.octets)
		*q = sequence{}
	}
}

// miss says that the last part of the message was not seen, so that the chunks of a Call are not known.
func (q *sequence) miss() {
	if q.call != nil && !q.again {
		q.call.law.Lose()
		q.call.x.ChunksCut = true
	}
}

// add adds a part. It keeps up to limit octets of the message.
func (q *sequence) add(bufs *buffers, limit int, m *record.Message, h *rpcrdma.Message) {
	if !q.cut() {
		q.octets = bufs.put(q.octets, q.len, h.Payload, limit)
	}
	q.active = true
	q.len += uint64(h.Len - h.HeaderLen)
	q.parts++
	q.Include(m.Span)
}

// payload handles a message that carries an RPC message, or part of one.
func (f *follower) payload(m *record.Message, h *rpcrdma.Message, fate rpcrules.Fate) {
	q := &f.sides[m.Dir].sequence
	if fate.First {
		q.drop(&f.bufs)
		if fate.Use == rpcrules.Whole {
			f.deliver(m, h, &payload{m.Span, h.Payload, uint64(h.Len - h.HeaderLen), 1}, nil)
			return
		}
	}
	if !fate.First && !q.active { // it belongs to a Call that has ended
		f.invalidate(m, h, nil)
		f.report(m, h, nil)
		return
	}
	q.add(&f.bufs, f.opts.MaxMessage, m, h)
	if fate.First && h.Role == rpcrdma.Requester {
		if q.call, q.again = f.begin(m, h); !q.again {
			f.pool.keep(q.call, h, 1, nil) // an error may arrive before the last part
		}
	}
	if fate.Use == rpcrules.Part {
		if q.call != nil && !q.again {
			f.describe(q.call, m, h, &q.payload)
		}
		f.invalidate(m, h, nil)
		f.report(m, h, q.call)
		return
	}
	f.deliver(m, h, &q.payload, q)
	q.drop(&f.bufs)
}

// deliver handles an RPC message. q is its sequence, nil if it came in one Send.
func (f *follower) deliver(m *record.Message, h *rpcrdma.Message, p *payload, q *sequence) {
	if h.Role == rpcrdma.Responder {
		f.replied(m, h, p)
		return
	}
	var c *call
	again := false
	if q != nil {
		c, again = q.call, q.again
	}
	if c == nil {
		c, again = f.begin(m, h)
	}
	if again {
		c.x.Repeats++
		f.report(m, h, c)
		return
	}
	f.called(m, h, c, p)
}
