package rdmap

// The layout of a ULPDU: which field tables describe its octets.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
)

var errTrailing = TrailingFields.Err("iwarp_rdma.trailing", field.ErrValue, "the ULPDU must end with its RDMAP header (RFC 5040, section 4.2)")

// The fields that DDP keeps for RDMAP, and this package explains.
var (
	taggedRsvdULP   = ddp.TaggedFields.Lookup("iwarp_ddp.rsvdulp")
	untaggedRsvdULP = ddp.UntaggedFields.Lookup("iwarp_ddp.rsvdulp")
)

// AppendLayout appends to dst the parts of a ULPDU of the given length in octets, as MPA states it. ulpdu holds what
// there is of it; parts of which not one octet is there are left out. They come in this order: DDP header, RDMAP
// control field, Invalidate STag or its reserved octets, and the header of the opcode. For a Terminate the headers that
// it encloses follow in the same way, and if [ReadingOf] finds it swapped or ambiguous its first 4 octets appear twice,
// as the RFC reads them and as meant. Octets that nothing explains are [TrailingFields]; ULP payload is not a part.
//
// With room for [MaxParts] in dst it does not allocate.
func AppendLayout(dst []field.Part, ulpdu []byte, length int) []field.Part {
	if len(ulpdu) > length {
		ulpdu = ulpdu[:max(length, 0)]
	}
	l := layout{ulpdu, length}
	return l.segment(dst)
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
	ulpdu  []byte
	length int
}

// add adds a part if it begins within the octets that are there.
func (l *layout) add(parts []field.Part, table *field.Table, off int, carried bool, omit *field.Field) []field.Part {
	if off >= len(l.ulpdu) {
		return parts
	}
	octets := l.ulpdu[off:]
	if n := table.Len(); n > 0 && n < len(octets) {
		octets = octets[:n]
	}
	parts, p := field.AppendPart(parts, table, octets, off)
	p.Omit, p.Carried = omit, carried
	return parts
}

func (l *layout) segment(parts []field.Part) []field.Part {
	var h Header
	parts = l.header(parts, &h, 0, false)
	if h.T || h.Untagged.MO != 0 || len(l.ulpdu) < ddp.UntaggedLen {
		return parts // payload, or what is left of a header that was wrongly cut into segments
	}
	const off = ddp.UntaggedLen
	d := h.Control.Opcode.Descriptor()
	if len(d.Forms) == 0 {
		return parts
	}
	if len(d.Tail) > 0 {
		return l.terminate(parts, off)
	}
	table := d.Header(l.ulpdu[off:])
	parts = l.add(parts, table, off, false, nil)
	return l.add(parts, TrailingFields, off+table.Len(), false, nil)
}

// header adds the parts of a DDP header with its RDMAP fields, and decodes it.
func (l *layout) header(parts []field.Part, h *Header, off int, carried bool) []field.Part {
	if off >= len(l.ulpdu) {
		return parts
	}
	h.Decode(l.ulpdu[off:])
	if h.T {
		parts = l.add(parts, ddp.TaggedFields, off, carried, taggedRsvdULP)
		parts = l.add(parts, ControlFields, off+ControlOff, carried, nil)
		return parts
	}
	parts = l.add(parts, ddp.UntaggedFields, off, carried, untaggedRsvdULP)
	parts = l.add(parts, ControlFields, off+ControlOff, carried, nil)
	return l.add(parts, h.Control.Opcode.stagFields(), off+InvalidateSTagOff, carried, nil)
}

// terminate adds the parts of a Terminate header.
func (l *layout) terminate(parts []field.Part, off int) []field.Part {
	b, n := l.ulpdu[off:], l.length-off
	if len(b) < TerminateLen {
		return l.add(parts, TerminateFields, off, false, nil)
	}
	word := order.Uint32(b)
	parts = l.add(parts, CodeOf(uint16(word>>16)).Fields(), off, false, nil)
	switch ReadingOf(b, n) {
	case ReadingSwapped:
		word = swap(word)
		parts = l.add(parts, CodeOf(uint16(word>>16)).MeantFields(), off, false, nil)
	case ReadingAmbiguous:
		parts = l.add(parts, CodeOf(uint16(swap(word)>>16)).MeantFields(), off, false, nil)
	}
	p := partsOf(word, b, n)
	if p.segmentLength != 0 {
		parts = l.add(parts, SegmentLengthFields, off+p.segmentLength, false, nil)
	}
	if p.header != 0 {
		var h Header
		parts = l.header(parts, &h, off+p.header, true)
	}
	if p.readRequest != 0 {
		parts = l.add(parts, ReadRequestFields, off+p.readRequest, true, nil)
	}
	return l.add(parts, TrailingFields, off+p.rest, false, nil)
}
