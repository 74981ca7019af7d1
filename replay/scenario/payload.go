package scenario

import (
	"bytes"
	"slices"
	"strconv"
)

// A Payload is octets, in parts. In its normal form no Part is empty, and no two adjacent Parts are Octets without
// repetition; [Payload.Append] keeps it so.
type Payload []Part

// A Part is some octets of a Payload: Octets, a reference to a variable, or a wildcard.
type Part struct {
	Octets []byte // as they are
	Times  int    // how often they are repeated, if more than once; else 0

	Ref      Value    // has a Var: the value, written as Encoding says
	Encoding Encoding // of Ref

	Any int // length of a wildcard; Rest, which only the last Part can have, for any length
}

// Limits of a text and its Payloads, and what stands for an open end.
const (
	MaxLine    = 4 << 20  // octets of a line
	MaxPayload = 64 << 20 // the most octets that a Payload can have
	MaxSpread  = 64 << 20 // the most octets that all Payloads of a text can have beyond the length of the text, by repetition
	Rest       = -1       // the Any of a Part that stands for all octets that follow, if there are any
)

// An Encoding is how a number is written within a Payload.
type Encoding struct {
	Octets       int // 1 to 8
	LittleEndian bool
}

// Len returns the length of the Part in octets, without a rest.
func (p *Part) Len() int {
	switch {
	case p.Ref.Var != "":
		return p.Encoding.Octets
	case p.Any > 0:
		return p.Any
	case p.Any == Rest:
		return 0
	}
	return len(p.Octets) * max(1, p.Times)
}

// literal reports whether p is octets without repetition.
func (p *Part) literal() bool { return p.Any == 0 && p.Ref.Var == "" && p.Times == 0 }

// Len returns the length of the Payload in octets, without the rest that it may end with.
func (p Payload) Len() (n int) {
	for i := range p {
		n += p[i].Len()
	}
	return n
}

// Fixed reports whether the Payload has only octets, the same in each run.
func (p Payload) Fixed() bool {
	return !slices.ContainsFunc(p, func(part Part) bool { return part.Any != 0 || part.Ref.Var != "" })
}

// Append adds a Part in the normal form.
func (p Payload) Append(part Part) Payload {
	if part.Any != Rest && part.Len() == 0 {
		return p
	}
	if part.Times == 1 {
		part.Times = 0
	}
	if n := len(p) - 1; n >= 0 && p[n].literal() && part.literal() {
		p[n].Octets = append(p[n].Octets, part.Octets...)
		return p
	}
	part.Octets = part.Octets[:len(part.Octets):len(part.Octets)] // append must not overwrite the octets after them
	return append(p, part)
}

// Slice returns the octets of p from one offset up to another. A partial reference becomes a wildcard.
func (p Payload) Slice(from, to int) (s Payload) {
	at := 0
	for i := range p {
		part := &p[i]
		n := part.Len()
		lo, hi := max(from-at, 0), min(to-at, n)
		at += n
		if lo >= hi {
			continue
		}
		switch {
		case hi-lo == n:
			s = s.Append(*part)
		case part.Any > 0 || part.Ref.Var != "":
			s = s.Append(Part{Any: hi - lo})
		case part.Times == 0:
			s = s.Append(Part{Octets: part.Octets[lo:hi]})
		default:
			s = part.appendRun(s, lo, hi)
		}
	}
	return s
}

// appendRun appends the octets of a repeated Part from one offset up to another.
func (p *Part) appendRun(dst Payload, lo, hi int) Payload {
	unit := len(p.Octets)
	if lead := min((unit-lo%unit)%unit, hi-lo); lead > 0 {
		dst = dst.Append(Part{Octets: p.Octets[lo%unit : lo%unit+lead]})
		lo += lead
	}
	if times := (hi - lo) / unit; times > 0 {
		dst = dst.Append(Part{Octets: p.Octets, Times: times})
		lo += times * unit
	}
	return dst.Append(Part{Octets: p.Octets[:hi-lo]})
}

// AppendOctets appends the octets of p to dst, with zeros for wildcards. It fails with an *[Unknown] if a variable is
// not known.
func (p Payload) AppendOctets(dst []byte, values Values) ([]byte, error) {
	dst = slices.Grow(dst, p.Len())
	for i := range p {
		part := &p[i]
		switch {
		case part.Ref.Var != "":
			n, ok := part.Ref.Resolve(values)
			if !ok {
				return dst, &Unknown{part.Ref.Var}
			}
			dst = part.Encoding.append(dst, n)
		case part.Any > 0:
			dst = append(dst, make([]byte, part.Any)...)
		case part.Any == 0:
			dst = appendTimes(dst, part.Octets, max(1, part.Times))
		}
	}
	return dst, nil
}

// appendTimes appends octets repeatedly, in growing pieces.
func appendTimes(dst, octets []byte, times int) []byte {
	begin, length := len(dst), len(octets)*times
	dst = append(dst, octets...)
	for n := len(dst) - begin; n < length; n = len(dst) - begin {
		dst = append(dst, dst[begin:begin+min(n, length-n)]...)
	}
	return dst
}

// Match compares p with octets. It stores learned variables in values. If they differ, at is the offset of the first
// difference.
func (p Payload) Match(octets []byte, values Values) (at int, ok bool) {
	for i := range p {
		part := &p[i]
		if part.Any == Rest {
			return len(octets), true
		}
		n, same := part.match(octets[at:], values)
		if at += n; !same {
			return at, false
		}
	}
	return at, at == len(octets)
}

// match compares p with the first octets and returns how many are equal.
func (p *Part) match(octets []byte, values Values) (n int, ok bool) {
	length := p.Len()
	switch {
	case p.Any > 0:
		return min(length, len(octets)), length <= len(octets)
	case p.Ref.Var != "":
		if length > len(octets) {
			return 0, false
		}
		if !p.Ref.Match(p.Encoding.number(octets[:length]), 8*length, values) {
			return 0, false
		}
		return length, true
	}
	for range max(1, p.Times) {
		if same := common(p.Octets, octets[n:]); same < len(p.Octets) {
			return n + same, false
		}
		n += len(p.Octets)
	}
	return n, true
}

// common returns the length of the longest common prefix of a and b.
func common(a, b []byte) int {
	if len(b) >= len(a) && bytes.Equal(a, b[:len(a)]) {
		return len(a)
	}
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}

func (e Encoding) append(dst []byte, n uint64) []byte {
	for i := range e.Octets {
		shift := 8 * (e.Octets - 1 - i)
		if e.LittleEndian {
			shift = 8 * i
		}
		dst = append(dst, byte(n>>shift))
	}
	return dst
}

func (e Encoding) number(b []byte) (n uint64) {
	for i := range b {
		o := b[i]
		if e.LittleEndian {
			o = b[len(b)-1-i]
		}
		n = n<<8 | uint64(o)
	}
	return n
}

// String returns the Encoding in the text form: "be32", "le64".
func (e Encoding) String() string {
	order := "be"
	if e.LittleEndian {
		order = "le"
	}
	return order + strconv.Itoa(8*e.Octets)
}
