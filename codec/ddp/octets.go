package ddp

import "slices"

// MaxSpans is how many separate spans Octets keep of a message.
const MaxSpans = 32

// A Span is the octets of a message from one MO, or TO, to before another.
type Span struct{ From, To uint64 }

// Len returns the number of octets.
func (s Span) Len() uint64 { return s.To - s.From }

// Holds reports whether all octets of n are in s.
func (s Span) Holds(n Span) bool { return s.From <= n.From && n.From <= n.To && n.To <= s.To }

// Octets are those of a message that came, in any order: a sender should keep to that of the MOs or TOs, and a sink may place
// segments in any (RFC 5041, section 5.3).
type Octets struct {
	spans []Span // ascending, with holes between them
	last  bool   // L came, not necessarily with the highest MO or TO
}

// Begin begins a message of which some octets came in order.
func (o *Octets) Begin(n Span) {
	o.spans, o.last = o.spans[:0], false
	if n.Len() > 0 {
		o.spans = append(o.spans, n)
	}
}

// Add adds a segment, and whether it has L. An empty one counts, too: the octets before its MO or TO have to come. over is what
// came before with some of the same octets, empty if nothing did. ok is false if it would be one span more than MaxSpans, which
// are not kept.
func (o *Octets) Add(n Span, last bool) (over Span, ok bool) {
	o.last = o.last || last
	i, j, whole := o.meets(n)
	over = o.clash(n)
	if i == j && len(o.spans) == MaxSpans {
		return Span{}, false
	}
	o.spans = slices.Replace(o.spans, i, j, whole)
	return over, true
}

// meets returns which spans n overlaps or touches, from i to before j, and what it makes of them.
func (o *Octets) meets(n Span) (i, j int, whole Span) {
	for i < len(o.spans) && o.spans[i].To < n.From {
		i++
	}
	j, whole = i, n
	for ; j < len(o.spans) && o.spans[j].From <= n.To; j++ {
		whole = Span{min(whole.From, o.spans[j].From), max(whole.To, o.spans[j].To)}
	}
	return i, j, whole
}

// clash returns the first span that has octets of n; empty if none has.
func (o *Octets) clash(n Span) Span {
	for _, s := range o.spans {
		if max(s.From, n.From) < min(s.To, n.To) {
			return s
		}
	}
	return Span{}
}

// Clash reports whether some octets of n came already.
func (o *Octets) Clash(n Span) bool { return o.clash(n) != Span{} }

// Ended reports whether L came.
func (o *Octets) Ended() bool { return o.last }

// Extent returns from where to where octets came, and how many between are missing.
func (o *Octets) Extent() (all Span, missing uint64) {
	for i, s := range o.spans {
		if i == 0 {
			all.From = s.From
		} else {
			missing += s.From - all.To
		}
		all.To = s.To
	}
	return all, missing
}

// Hole returns the first MO that is missing, which is the length of an untagged message if it is whole.
func (o *Octets) Hole() uint32 {
	if len(o.spans) == 0 || o.spans[0].From > 0 {
		return 0
	}
	return uint32(o.spans[0].To)
}

// Whole reports whether L came, and all octets of an untagged message before those that came.
func (o *Octets) Whole() bool { return o.last && len(o.spans) == 1 && o.spans[0].From == 0 }
