package ddp

import "slices"

// MaxSpans is how many separate spans Octets keep of a message.
const MaxSpans = 32

// A Span is the octets of an untagged message from one MO to before another.
type Span struct{ From, To uint32 }

// Octets are those of an untagged message that came, in any order: a sender should keep to that of the MOs, and a sink may
// place segments in any (RFC 5041, section 5.3).
type Octets struct {
	spans []Span // ascending, with holes between them
	last  bool   // L came, not necessarily with the highest MO
}

// Begin begins a message of which n octets came in order.
func (o *Octets) Begin(n uint32) {
	o.spans, o.last = o.spans[:0], false
	if n > 0 {
		o.spans = append(o.spans, Span{0, n})
	}
}

// Add adds a segment, and whether it has L. over is what came before with some of the same octets, empty if nothing did.
// ok is false if it would be one span more than MaxSpans, which are not kept.
func (o *Octets) Add(n Span, last bool) (over Span, ok bool) {
	o.last = o.last || last
	if n.From == n.To {
		return Span{}, true
	}
	i := 0
	for i < len(o.spans) && o.spans[i].To < n.From {
		i++
	}
	j, whole := i, n
	for ; j < len(o.spans) && o.spans[j].From <= n.To; j++ {
		s := o.spans[j]
		if over == (Span{}) && s.From < n.To && n.From < s.To {
			over = s
		}
		whole = Span{min(whole.From, s.From), max(whole.To, s.To)}
	}
	if i == j && len(o.spans) == MaxSpans {
		return Span{}, false
	}
	o.spans = slices.Replace(o.spans, i, j, whole)
	return over, true
}

// Hole returns the first MO that is missing, which is the length of the message if it is whole.
func (o *Octets) Hole() uint32 {
	if len(o.spans) == 0 || o.spans[0].From > 0 {
		return 0
	}
	return o.spans[0].To
}

// Whole reports whether L came, and all octets before those that came.
func (o *Octets) Whole() bool { return o.last && len(o.spans) == 1 && o.spans[0].From == 0 }
