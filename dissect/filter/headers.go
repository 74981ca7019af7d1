package filter

// Laying out the headers of an event: which field tables apply to which octets.

import (
	"cmp"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
)

// A group is a set of headers that are laid out together.
type group uint8

const (
	wire  group = iota // MPA or the adaptation layer of SCTP, DDP and RDMAP
	upper              // upper layers
	groups
)

// layout returns the headers of a group, laid out when first needed.
func (e *Event) layout(g group) []field.Part {
	if e.laid[g] {
		return e.headers[g]
	}
	e.laid[g] = true
	if g == upper && e.isTransaction() {
		e.headers[g] = nil
		if e.Request != nil {
			e.headers[g] = e.Request.headers
		}
		return e.headers[g]
	}
	v := &e.views[g]
	if g == wire {
		v.Lay(e.wire())
	} else {
		e.body = e.upper()
		v.Lay(e.body)
	}
	e.headers[g] = v.Parts
	return v.Parts
}

// wire returns the headers of MPA, DDP and RDMAP; nil if there are none.
func (e *Event) wire() record.Body {
	switch {
	case e.StartupFrame != nil:
		return e.StartupFrame
	case e.Segment != nil:
		return e.Segment
	case e.Message != nil:
		return e.Message
	case e.Transaction != nil:
		return e.Transaction
	}
	return nil
}

// upper returns the message of an upper layer; nil if there is none.
func (e *Event) upper() record.Body {
	if u := cmp.Or(e.Upper, e.carried); u != nil && u.Body != nil {
		return u.Body
	}
	payload, length := e.payload()
	if e.Body != nil || len(payload) == 0 {
		return e.Body
	}
	if e.layers == nil {
		e.layers = all.Layers()
	}
	for _, l := range e.layers {
		if l.Read == nil {
			continue
		}
		if b := l.Read(payload, length); b != nil {
			return b
		}
	}
	return nil
}

// speaks reports whether the event belongs to a protocol of an upper layer, even without header fields of it.
func (e *Event) speaks(proto string) bool {
	var x any
	if e.isTransaction() {
		x = e.Transaction.Upper
	} else if e.layout(upper); e.body != nil {
		x = e.body
	}
	s, ok := x.(ulp.Speaker)
	return ok && s.Speaks(proto)
}
