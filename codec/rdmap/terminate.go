package rdmap

// The Terminate header, RFC 5040, section 4.8 (figures 7 and 8):
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------+-------+---------------+-+-+-+-------------------------+
//	| Layer | EType |  Error Code   |M|D|R|        Reserved         |
//	+-------+-------+---------------+-+-+-+-------------------------+
//	| DDP Segment Length (if any)   |                               |
//	+-------------------------------+                               +
//	|          Terminated DDP Header (if any), 14 or 18 octets      |
//	+---------------------------------------------------------------+
//	|          Terminated RDMA Header (if any), 28 octets           |
//	+---------------------------------------------------------------+
//
// M, D and R (HdrCt) say which of the optional parts are present. The RFC leaves some combinations open, and peers use
// others: a decoder must also look at the total length.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
)

const segmentLengthLen = 2

func newTerminateFields(etype, code naming) *field.Table {
	return field.NewTable("RDMAP Terminate header", proto, "RFC 5040, section 4.8",
		field.Field{Name: "iwarp_rdma.term_layer", Label: "Layer", Off: 0, Width: 4, Base: field.Hex,
			Names: layers.Name, Known: layers.Known()},
		field.Field{Name: "iwarp_rdma.term_etype", Label: "EType", Off: 4, Width: 4, Base: field.Hex,
			Names: etype.names, Known: etype.known},
		field.Field{Name: "iwarp_rdma.term_errcode", Label: "Error Code", Off: 8, Width: 8, Base: field.Hex,
			Names: code.names, Known: code.known},
		field.Field{Name: "iwarp_rdma.term_hdrct_m", Label: "M", Off: 16, Width: 1, Base: field.Flag},
		field.Field{Name: "iwarp_rdma.hdrct_d", Label: "D", Off: 17, Width: 1, Base: field.Flag},
		field.Field{Name: "iwarp_rdma.hdrct_r", Label: "R", Off: 18, Width: 1, Base: field.Flag},
		field.Field{Name: "iwarp_rdma.term_rsvd", Label: "Reserved", Off: 19, Width: 13, Base: field.Hex},
	).Asked("iwarp_rdma.terminate").LeftOut()
}

// Terminate is the header of a Terminate (RFC 5040, section 4.8). It reaches to the end of its ULPDU.
//
// M, D and R are the HdrCt bits; HasSegmentLength, HasHeader and HasReadRequest say what is present. They differ only in
// Terminates that are not well-formed, see [Terminate.Form].
type Terminate struct {
	Code     Code
	M        bool   // DDP Segment Length valid
	D        bool   // DDP Header Included
	R        bool   // RDMAP Header Included
	Reserved uint16 // 13 bits, zero on transmit, ignored on receive

	HasSegmentLength bool   // M or D; 2 octets
	SegmentLength    uint16 // octets of the culprit's ULPDU; some peers count its payload only; not valid without M

	HasHeader bool   // D; 14 or 18 octets
	Header    Header // Terminated DDP Header: the culprit's, with its RDMAP fields

	HasReadRequest bool        // R; 28 octets
	ReadRequest    ReadRequest // Terminated RDMA Header, which only a Read Request has

	Rest []byte // what follows, or the part of a truncated header that is there; aliases the input of Decode
}

// Form says how the HdrCt bits of a Terminate agree with its length.
type Form uint8

// The forms of a Terminate.
const (
	WellFormed     Form = iota // HdrCt announces what is present, and nothing else is
	NoReadRequest              // R is set, but there is no Read Request header
	ZeroFilled                 // after what HdrCt announces come zero octets only (RFC 5040, section 7.1, can be read so)
	TrailingOctets             // after what HdrCt announces come more octets
	HeaderCut                  // the Terminate ends within what HdrCt announces
)

var formNames = [...]string{"well-formed", "no Read Request", "zero-filled", "trailing octets", "header cut"}

// String describes the form: "trailing octets".
func (f Form) String() string { return field.NameIn(formNames[:], f, "Form") }

var (
	errTermReserved = TerminateFields.Err("iwarp_rdma.term_rsvd", field.ErrValue, "must be zero on transmit (RFC 5040, section 4.8)")
	errTermCode     = TerminateFields.Err("iwarp_rdma.term_errcode", field.ErrValue, "is not registered for this Layer and EType (RFC 6580, section 3)")
	errTermD        = TerminateFields.Err("iwarp_rdma.hdrct_d", field.ErrValue, "a Local Catastrophic Error carries no DDP header (RFC 5040, section 4.8)")
	errTermR        = TerminateFields.Err("iwarp_rdma.hdrct_r", field.ErrValue, "must not be set except for a Read Request, with D (RFC 5040, section 4.8)")
	errTermNoRR     = TerminateFields.Err("iwarp_rdma.hdrct_r", field.ErrValue, "is set, so the RDMA header must be present (RFC 5040, section 4.8)")
	errTermCut      = &field.Error{Header: TerminateFields.Name, Field: "HdrCt", Reason: field.ErrValue,
		Rule: "what M, D and R say must be present whole (RFC 5040, section 4.8)"}
	errTermTrailing = &field.Error{Header: TerminateFields.Name, Field: "HdrCt", Reason: field.ErrValue,
		Rule: "nothing may be present but what M, D and R say (RFC 5040, section 4.8)"}

	errTermLayerRange    = TerminateFields.Err("iwarp_rdma.term_layer", field.ErrRange, "")
	errTermETypeRange    = TerminateFields.Err("iwarp_rdma.term_etype", field.ErrRange, "")
	errTermReservedRange = TerminateFields.Err("iwarp_rdma.term_rsvd", field.ErrRange, "")
)

// The HdrCt bits, in the first 4 octets read as one number.
const (
	wordM        = 1 << 15
	wordD        = 1 << 14
	wordR        = 1 << 13
	wordReserved = 1<<13 - 1
)

// terminateParts are the offsets of the optional parts of a Terminate, in octets; 0 if a part is absent.
type terminateParts struct {
	segmentLength, header, readRequest int
	rest                               int // where the rest begins
	cut                                bool
}

// partsOf finds the parts of a Terminate of n octets, of which b begins with as many as there are, at least 4. word
// is its first 4 octets.
func partsOf(word uint32, b []byte, n int) (p terminateParts) {
	m, d, r := word&wordM != 0, word&wordD != 0, word&wordR != 0
	p.rest = TerminateLen
	take := func(length int) (at int) {
		if p.cut || n-p.rest < length {
			p.cut = true
			return 0
		}
		at = p.rest
		p.rest += length
		return at
	}
	// R without D is undefined: the total length shows whether DDP Segment Length is present.
	if packed := r && !d && n == TerminateLen+ReadRequestLen; (m || d) && !packed ||
		r && !d && n == TerminateLen+segmentLengthLen+ReadRequestLen {
		p.segmentLength = take(segmentLengthLen)
	}
	if d && !p.cut {
		length := ddp.TaggedLen
		if p.rest < len(b) {
			length = ddp.HeaderLen(b[p.rest:])
		}
		p.header = take(length)
	}
	if r && p.rest < n {
		p.readRequest = take(ReadRequestLen)
	}
	return p
}

// form is [Terminate.Form] for a Terminate of n octets that begins with b and has these parts.
func (p *terminateParts) form(word uint32, b []byte, n int) Form {
	return formOf(p.cut, word&wordR != 0 && p.readRequest == 0, b[min(p.rest, len(b)):], n-p.rest)
}

// CodeOf returns the code in the first two octets of a Terminate header (RFC 5040, section 4.8): 0x1205 is Layer 1, EType 2,
// Error Code 5.
func CodeOf(word uint16) Code {
	return Code{Layer: Layer(word >> 12), EType: uint8(word >> 8 & 15), ErrorCode: uint8(word)}
}

// Decode reads a Terminate header, which b must hold exactly, and returns len(b). It fails only if b is shorter than
// 4 octets, with an error that wraps field.ErrShort and names the first incomplete field: Code is valid
// whatever M, D and R say, and [Terminate.Form] tells whether they are right.
//
// The octets are read as the RFC says. Some peers write the first 4 in another order: see [ReadingOf].
func (t *Terminate) Decode(b []byte) (n int, err error) {
	if len(b) < TerminateLen {
		var whole [TerminateLen]byte
		copy(whole[:], b)
		t.decodeWord(order.Uint32(whole[:]))
		return len(b), TerminateFields.Short(len(b))
	}
	t.decode(order.Uint32(b), b)
	return len(b), nil
}

// decodeWord decodes the first 4 octets.
func (t *Terminate) decodeWord(word uint32) {
	*t = Terminate{
		Code:     CodeOf(uint16(word >> 16)),
		M:        word&wordM != 0,
		D:        word&wordD != 0,
		R:        word&wordR != 0,
		Reserved: uint16(word & wordReserved),
	}
}

func (t *Terminate) decode(word uint32, b []byte) {
	t.decodeWord(word)
	p := partsOf(word, b, len(b))
	if p.segmentLength != 0 {
		t.HasSegmentLength, t.SegmentLength = true, order.Uint16(b[p.segmentLength:])
	}
	if p.header != 0 {
		t.HasHeader = true
		t.Header.Decode(b[p.header:])
	}
	if p.readRequest != 0 {
		t.HasReadRequest = true
		t.ReadRequest.Decode(b[p.readRequest:])
	}
	if p.rest < len(b) {
		t.Rest = b[p.rest:]
	}
}

// word packs the first 4 octets.
func (t *Terminate) word() (uint32, error) {
	switch {
	case t.Code.Layer >= 1<<4:
		return 0, errTermLayerRange
	case t.Code.EType >= 1<<4:
		return 0, errTermETypeRange
	case t.Reserved >= 1<<13:
		return 0, errTermReservedRange
	}
	word := uint32(t.Code.Layer)<<28 | uint32(t.Code.EType)<<24 | uint32(t.Code.ErrorCode)<<16 | uint32(t.Reserved)
	if t.M {
		word |= wordM
	}
	if t.D {
		word |= wordD
	}
	if t.R {
		word |= wordR
	}
	return word, nil
}

// AppendBinary appends the header to b: M, D and R as they are, the parts that HasSegmentLength, HasHeader and
// HasReadRequest select, then Rest. It fails, with an error that wraps field.ErrRange, only if a value
// exceeds its field.
func (t *Terminate) AppendBinary(b []byte) ([]byte, error) {
	word, err := t.word()
	if err != nil {
		return b, err
	}
	return t.append(b, word)
}

func (t *Terminate) append(b []byte, word uint32) (out []byte, err error) {
	out = order.AppendUint32(b, word)
	if t.HasSegmentLength {
		out = order.AppendUint16(out, t.SegmentLength)
	}
	if t.HasHeader {
		if out, err = t.Header.AppendBinary(out); err != nil {
			return b, err
		}
	}
	if t.HasReadRequest {
		out, _ = t.ReadRequest.AppendBinary(out)
	}
	return append(out, t.Rest...), nil
}

// Len returns the number of octets that AppendBinary writes.
func (t *Terminate) Len() int {
	n := TerminateLen + len(t.Rest)
	if t.HasSegmentLength {
		n += segmentLengthLen
	}
	if t.HasHeader {
		n += t.Header.Len()
	}
	if t.HasReadRequest {
		n += ReadRequestLen
	}
	return n
}

// Enclose sets M, D and R and their parts as the RFC demands for the ULPDU of the culprit: its length, its headers, and
// its Read Request header if withRead is set and the ULPDU is a whole Read Request. If the ULPDU is shorter than its
// DDP header, only its length is enclosed.
func (t *Terminate) Enclose(culprit []byte, withRead bool) {
	*t = Terminate{Code: t.Code, M: true, HasSegmentLength: true, SegmentLength: uint16(len(culprit))}
	var s Segment
	if _, err := s.Decode(culprit); err != nil {
		return
	}
	t.D, t.HasHeader, t.Header = true, true, s.Header
	if withRead && !s.T && s.Control.Opcode == OpReadRequest && len(s.Body) >= ReadRequestLen {
		t.R, t.HasReadRequest = true, true
		t.ReadRequest.Decode(s.Body)
	}
}

// Form says how M, D and R agree with the parts that are present.
func (t *Terminate) Form() Form {
	noReadRequest := t.R && !t.HasReadRequest
	cut := t.D && !t.HasHeader || t.M && !t.HasSegmentLength && !t.HasReadRequest || noReadRequest && len(t.Rest) > 0
	return formOf(cut, noReadRequest, t.Rest, len(t.Rest))
}

// formOf judges the n octets after the parts that HdrCt announces, of which rest were captured.
func formOf(cut, noReadRequest bool, rest []byte, n int) Form {
	switch {
	case cut:
		return HeaderCut
	case noReadRequest:
		return NoReadRequest
	case n == 0:
		return WellFormed
	case len(rest) == 0 || !field.AllZero(rest):
		return TrailingOctets
	}
	return ZeroFilled
}

// Check reports what a sender must not send: reserved bits set, a code that is not registered, headers that HdrCt
// does not announce or announces wrongly, a DDP header with a Local Catastrophic Error of RDMAP, or an RDMA header
// of anything but a Read Request. The error wraps field.ErrValue and names the field.
func (t *Terminate) Check() error {
	switch {
	case t.Reserved != 0:
		return errTermReserved
	case !t.Code.Registered():
		return errTermCode
	}
	switch t.Form() {
	case HeaderCut:
		return errTermCut
	case NoReadRequest:
		return errTermNoRR
	case TrailingOctets, ZeroFilled:
		return errTermTrailing
	}
	if t.D && t.Code.Layer == LayerRDMAP && t.Code.EType == RDMAPLocalCatastrophic {
		return errTermD
	}
	if t.R && (!t.D || t.Header.T || t.Header.Control.Opcode != OpReadRequest) {
		return errTermR
	}
	return nil
}
