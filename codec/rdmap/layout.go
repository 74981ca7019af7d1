package rdmap

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
)

// TrailingFields describes octets after a header that the protocol does not know.
var TrailingFields = field.NewTable("RDMAP trailing octets", proto, "not defined by any RFC",
	field.Field{Name: "iwarp_rdma.trailing", Label: "Trailing octets", Off: 0, Base: field.Octets},
)

var errTrailing = TrailingFields.Err("iwarp_rdma.trailing", field.ErrValue, "the ULPDU must end with its RDMAP header (RFC 5040, section 4.2)")

// MaxParts is the largest number of parts that a ULPDU has.
const MaxParts = 11

// The fields that DDP keeps for RDMAP, and this package explains.
var (
	taggedRsvdULP   = ddp.TaggedFields.Lookup("iwarp_ddp.rsvdulp")
	untaggedRsvdULP = ddp.UntaggedFields.Lookup("iwarp_ddp.rsvdulp")
)

// AppendLayout appends to dst the parts of a ULPDU of the given length in octets, as MPA states it. ulpdu holds what
// there is of it; parts of which not one octet is there are left out. They come in this order: DDP header, RDMAP
// control field, Invalidate STag or its reserved octets, and the header of the opcode. For a Terminate the headers
// that it encloses follow in the same way, and if [ReadingOf] finds it swapped or ambiguous its first 4 octets appear
// twice, as the RFC reads them and as meant. Octets that nothing explains are [TrailingFields]; ULP payload is not a
// part.
//
// With room for [MaxParts] in dst it does not allocate.
func AppendLayout(dst []field.Part, ulpdu []byte, length int) []field.Part {
	if len(ulpdu) > length {
		ulpdu = ulpdu[:max(length, 0)]
	}
	l := layout{parts: dst, ulpdu: ulpdu, length: length}
	l.segment()
	return l.parts
}

// Tables returns the tables that describe the headers of a message, in all their forms, but not what a Terminate carries
// back nor what its sender may have meant.
func (o Opcode) Tables() []*field.Table {
	d := o.Descriptor()
	tables := []*field.Table{ddp.UntaggedFields, ControlFields, o.stagFields()}
	if d.T {
		tables = []*field.Table{ddp.TaggedFields, ControlFields}
	}
	for _, f := range d.Forms {
		tables = append(tables, f.Table)
	}
	return append(tables, d.Tail...)
}

type layout struct {
	parts  []field.Part
	ulpdu  []byte
	length int
}

// add adds a part if it begins within the octets that are there.
func (l *layout) add(table *field.Table, off int, carried bool, omit *field.Field) {
	if off >= len(l.ulpdu) {
		return
	}
	l.parts = append(l.parts, field.Part{})
	p := &l.parts[len(l.parts)-1]
	p.Table, p.Off, p.Carried, p.Omit = table, off, carried, omit
	end := len(l.ulpdu)
	if n := table.Len(); n > 0 {
		end = min(end, off+n)
	}
	p.Octets = l.ulpdu[off:end]
}

func (l *layout) segment() {
	var h Header
	l.header(&h, 0, false)
	if h.T || h.Untagged.MO != 0 || len(l.ulpdu) < ddp.UntaggedLen {
		return // payload, or what is left of a header that was wrongly cut into segments
	}
	const off = ddp.UntaggedLen
	table := h.Control.Opcode.Descriptor().Header(l.ulpdu[off:])
	switch table {
	case nil:
		return
	case TerminateFields:
		l.terminate(off)
		return
	}
	l.add(table, off, false, nil)
	l.add(TrailingFields, off+table.Len(), false, nil)
}

// header adds the parts of a DDP header with its RDMAP fields, and decodes it.
func (l *layout) header(h *Header, off int, carried bool) {
	if off >= len(l.ulpdu) {
		return
	}
	h.Decode(l.ulpdu[off:])
	if h.T {
		l.add(ddp.TaggedFields, off, carried, taggedRsvdULP)
		l.add(ControlFields, off+ControlOff, carried, nil)
		return
	}
	l.add(ddp.UntaggedFields, off, carried, untaggedRsvdULP)
	l.add(ControlFields, off+ControlOff, carried, nil)
	l.add(h.Control.Opcode.stagFields(), off+InvalidateSTagOff, carried, nil)
}

// terminate adds the parts of a Terminate header.
func (l *layout) terminate(off int) {
	b, n := l.ulpdu[off:], l.length-off
	if len(b) < TerminateLen {
		l.add(TerminateFields, off, false, nil)
		return
	}
	word := order.Uint32(b)
	l.add(codeOf(word).Fields(), off, false, nil)
	switch CutReadingOf(b, n) {
	case ReadingSwapped:
		word = swap(word)
		l.add(codeOf(word).MeantFields(), off, false, nil)
	case ReadingAmbiguous:
		l.add(codeOf(swap(word)).MeantFields(), off, false, nil)
	}
	p := partsOf(word, b, n)
	if p.segmentLength != 0 {
		l.add(SegmentLengthFields, off+p.segmentLength, false, nil)
	}
	if p.header != 0 {
		var h Header
		l.header(&h, off+p.header, true)
	}
	if p.readRequest != 0 {
		l.add(ReadRequestFields, off+p.readRequest, true, nil)
	}
	l.add(TrailingFields, off+p.rest, false, nil)
}
