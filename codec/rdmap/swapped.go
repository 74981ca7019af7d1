package rdmap

// Terminates whose first 4 octets have another bit order.
//
// Some RNICs write on little-endian machines (compare RFC 5040, section 4.8)
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------+-------+---------------+---------+-+-+-+---------------+
//	| EType | Layer |  Error Code   |Reserved |R|D|M|   Reserved    |
//	+-------+-------+---------------+---------+-+-+-+---------------+
//
// and everything after it as the RFC says. Read by the RFC, most such Terminates have a code that is not registered, or
// announce no headers where some follow. A few without headers make sense in both orders.

import "github.com/iwarpkit/iwarp/codec/field"

func newMeantFields(etype, code naming) *field.Table {
	return field.NewTable("RDMAP Terminate header as meant", proto, "RFC 5040, section 4.8, in the swapped bit order",
		field.Field{Name: "iwarp_rdma.term_meant_etype", Label: "EType", Off: 0, Width: 4, Base: field.Hex,
			Names: etype.names, Known: etype.known},
		field.Field{Name: "iwarp_rdma.term_meant_layer", Label: "Layer", Off: 4, Width: 4, Base: field.Hex,
			Names: layers.Name, Known: layers.Known()},
		field.Field{Name: "iwarp_rdma.term_meant_errcode", Label: "Error Code", Off: 8, Width: 8, Base: field.Hex,
			Names: code.names, Known: code.known},
		field.Field{Name: "iwarp_rdma.term_meant_hdrct_r", Label: "R", Off: 21, Width: 1, Base: field.Flag},
		field.Field{Name: "iwarp_rdma.term_meant_hdrct_d", Label: "D", Off: 22, Width: 1, Base: field.Flag},
		field.Field{Name: "iwarp_rdma.term_meant_hdrct_m", Label: "M", Off: 23, Width: 1, Base: field.Flag},
	).LeftOut()
}

// Reading says in which order the first 4 octets of a Terminate make sense.
type Reading uint8

// The readings of a Terminate.
const (
	ReadingRFC       Reading = iota // the RFC's: the swapped reading makes no sense, or no better sense
	ReadingSwapped                  // swapped: the RFC's reading is not registered or contradicts the length
	ReadingAmbiguous                // both make sense, and differ; only earlier messages can tell
	ReadingIdentical                // both orders mean the same
)

var readingNames = [...]string{"rfc", "swapped", "ambiguous", "identical"}

// String returns "rfc", "swapped", "ambiguous" or "identical".
func (r Reading) String() string { return field.NameIn(readingNames[:], r, "Reading") }

// swap converts the first 4 octets of a Terminate between the two orders.
func swap(word uint32) uint32 {
	const code, reserved = 0x00ff0000, 0x000018ff
	return word>>4&0x0f000000 | word<<4&0xf0000000 | // Layer and EType
		word>>7&0x0100 | word<<7&wordM |
		word>>5&0x0200 | word<<5&wordD |
		word>>3&0x0400 | word<<3&wordR |
		word&(code|reserved)
}

// ReadingOf tells in which order a Terminate header of n octets makes sense; b is what was captured of it. A reading
// makes sense if its code is registered (or one of the two that RDMAC Verbs add) and its M, D and R agree with the
// length; the swapped one also needs zero reserved bits. If both do, the swapped one counts only if it also announces the
// headers that belong to its code. Fewer than 4 octets have the RFC's reading.
func ReadingOf(b []byte, n int) Reading {
	if len(b) < TerminateLen {
		return ReadingRFC
	}
	word := order.Uint32(b)
	swapped := swap(word)
	if word == swapped {
		return ReadingIdentical
	}
	code := CodeOf(uint16(word >> 16))
	_, verbs := verbsNames[code]
	rfcFits := (code.Registered() || verbs) && agrees(word, b, n)
	swappedFits := CodeOf(uint16(swapped>>16)).Registered() && swapped&wordReserved == 0 && agrees(swapped, b, n)
	switch {
	case !swappedFits:
		return ReadingRFC
	case !rfcFits:
		return ReadingSwapped
	case announces(swapped):
		return ReadingAmbiguous
	}
	return ReadingRFC
}

// agrees reports whether M, D and R in word can be those of a Terminate of n octets, small errors aside. If b ends before the DDP
// header in it, that may be of either kind.
func agrees(word uint32, b []byte, n int) bool {
	const header = TerminateLen + segmentLengthLen
	if fits(word, b, n) {
		return true
	}
	var untagged [header + 1]byte
	copy(untagged[:], b)
	return len(b) <= header && n > header && fits(word, untagged[:], n)
}

// fits is agrees where b has the beginning of the DDP header, or that is a tagged one.
func fits(word uint32, b []byte, n int) bool {
	p := partsOf(word, b, n)
	switch p.form(word, b, n) {
	case WellFormed, ZeroFilled:
		return true
	case NoReadRequest:
		return p.header != 0 // it is seen for a Send with Invalidate
	}
	return false
}

// announces reports whether the first word of a Terminate, given in the RFC's order, announces the headers that RFC 5040, section 4.8, has for its
// code; none where the header cannot be read, since its version or opcode is not known.
func announces(word uint32) bool {
	const headers = wordM | wordD
	want := uint32(headers)
	switch c := CodeOf(uint16(word >> 16)); c {
	case Code{LayerRDMAP, RDMAPRemoteOperation, 0x05}, Code{LayerRDMAP, RDMAPRemoteOperation, 0x06},
		Code{LayerDDP, DDPTaggedBuffer, 0x04}, Code{LayerDDP, DDPUntaggedBuffer, 0x06}:
		want = 0
	default:
		switch {
		case c.Layer == LayerLLP, c.Layer == LayerRDMAP && c.EType == RDMAPLocalCatastrophic:
			want = 0
		case c.Layer == LayerRDMAP && c.EType == RDMAPRemoteProtection:
			want = headers | wordR
		}
	}
	return word&0xffff == want
}

// DecodeSwapped is [Terminate.Decode] for the swapped order. Use it if [ReadingOf] finds the reading swapped or ambiguous.
func (t *Terminate) DecodeSwapped(b []byte) (n int, err error) {
	if len(b) < TerminateLen {
		return t.Decode(b)
	}
	t.decode(swap(order.Uint32(b)), b)
	return len(b), nil
}

// AppendSwapped is [Terminate.AppendBinary] in the swapped order.
func (t *Terminate) AppendSwapped(b []byte) ([]byte, error) {
	word, err := t.word()
	if err != nil {
		return b, err
	}
	return t.append(b, swap(word))
}

// Transposed returns c as a reader of the other bit order sees it: Layer and EType change places.
func (c Code) Transposed() Code {
	return Code{Layer: Layer(c.EType), EType: uint8(c.Layer), ErrorCode: c.ErrorCode}
}
