package adversary

// XDR (RFC 4506) with parts that may travel in chunks.

// A part is some octets of an XDR stream. Those of an eligible one may be reduced: they are the elements of an opaque or a
// string, without its length and its roundup octets.
type part struct {
	octets   []byte
	eligible bool
}

// An xdr is an XDR stream.
type xdr []part

// add appends values that are no more than themselves, as octets does.
func (x *xdr) add(values ...any) *xdr {
	*x = append(*x, part{octets: octets(values...)})
	return x
}

// opaque appends the length, the elements and the roundup octets of an opaque.
func (x *xdr) opaque(b []byte) *xdr { return x.add(uint32(len(b)), b, roundup(b)) }

// data is opaque for what may be reduced.
func (x *xdr) data(b []byte) *xdr {
	x.add(uint32(len(b)))
	*x = append(*x, part{octets: b, eligible: true})
	return x
}

// roundup is what makes b a multiple of 4 octets.
func roundup(b []byte) []byte { return make([]byte, -len(b)&3) }

// A place where a reduced part belongs.
type reduced struct {
	position uint32 // in the stream that nothing was taken from
	octets   []byte
}

// reduce returns the stream without the parts that are to be reduced, their roundup octets included, and these parts.
func (x xdr) reduce(which func(i int, b []byte) bool) (stream []byte, parts []reduced) {
	position, n := uint32(0), 0
	for _, p := range x {
		pad := []byte(nil)
		if p.eligible {
			pad = roundup(p.octets)
		}
		if p.eligible && which(n, p.octets) {
			parts = append(parts, reduced{position, p.octets})
		} else {
			stream = octets(stream, p.octets, pad)
		}
		if p.eligible {
			n++
		}
		position += uint32(len(p.octets) + len(pad))
	}
	return stream, parts
}
