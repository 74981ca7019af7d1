package scenario

// The header fields by their names in the text form: the Labels of the field tables, without blanks.

import (
	"slices"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A slot is a header field and its place in a ULPDU.
type slot struct {
	name  string
	field *field.Field
	off   int  // octets before the header of the field
	own   bool // it is of the RDMAP header after the DDP header
	free  bool // the sender of a Message chooses it
}

// layouts are the slots of a segment by opcode and T bit.
var layouts = sync.OnceValue(func() *[16][2][]slot {
	all := new([16][2][]slot)
	for o := range all {
		for t := range all[o] {
			all[o][t] = newLayout(rdmap.Opcode(o), t == 1)
		}
	}
	return all
})

// newLayout returns the slots of a segment, for both forms of an Atomic Request.
func newLayout(o rdmap.Opcode, tagged bool) []slot {
	header, length := ddp.UntaggedFields, ddp.UntaggedLen
	if tagged {
		header, length = ddp.TaggedFields, ddp.TaggedLen
	}
	l := appendSlots(nil, header, 0, func(name string) bool { return name == "STag" || name == "TO" })
	l = slices.DeleteFunc(l, func(s slot) bool { return s.name == "RsvdULP" }) // the fields below are in it
	l = appendSlots(l, rdmap.ControlFields, rdmap.ControlOff, func(string) bool { return false })
	if !tagged {
		l = appendSlots(l, rdmap.InvalidateSTagFields, rdmap.InvalidateSTagOff, func(string) bool { return o.HasInvalidateSTag() })
	}
	own := len(l)
	for _, f := range o.Descriptor().Forms {
		l = appendSlots(l, f.Table, length, func(string) bool { return true })
	}
	for i := own; i < len(l); i++ {
		l[i].own = true
	}
	return l
}

// appendSlots appends the fields of a table, except those that have a slot already.
func appendSlots(l []slot, t *field.Table, off int, free func(name string) bool) []slot {
	for i := range t.Fields {
		f := &t.Fields[i]
		name := strings.ReplaceAll(f.Label, " ", "")
		if f.Base != field.Octets && find(l, name) < 0 {
			l = append(l, slot{name: name, field: f, off: off, free: free(name)})
		}
	}
	return l
}

// find returns the index of the named slot, case aside; -1 if there is none.
func find(l []slot, name string) int {
	return slices.IndexFunc(l, func(s slot) bool { return strings.EqualFold(s.name, name) })
}

// telling reports whether the field is shown even if it is zero.
func (s *slot) telling() bool { return s.field.Base != field.Flag && s.name != "Reserved" }

// isOf reports whether the field belongs to the form of o's RDMAP header that b begins with.
func (s *slot) isOf(o rdmap.Opcode, b []byte) bool {
	return o.Descriptor().Header(b).Lookup(s.field.Name) != nil
}

// layout returns the slots for the Fields of s.
func (s *Segment) layout() []slot { return layouts()[s.Opcode&15][bit(s.isTagged())] }

// layout returns the slots for the Fields of m.
func (m *Message) layout() []slot {
	return slices.DeleteFunc(slices.Clone(layouts()[m.Opcode&15][bit(m.Opcode.Tagged())]), func(s slot) bool { return !s.free })
}

// MessageFields returns the names of the fields that a Message of the given opcode can have, in wire order.
func MessageFields(o rdmap.Opcode) []string { return names((&Message{Opcode: o}).layout()) }

// SegmentFields returns the names of the fields that a Segment of the given opcode and T bit can have, in the order of
// the wire.
func SegmentFields(o rdmap.Opcode, tagged bool) []string { return names(layouts()[o&15][bit(tagged)]) }

// Refers says what the value of the field refers to, in a segment of the given opcode.
func (f *Field) Refers(o rdmap.Opcode) field.Reference {
	for _, l := range layouts()[o&15] {
		if i := find(l, f.Name); i >= 0 {
			return l[i].field.Refers
		}
	}
	return field.ToItself
}

func names(l []slot) []string {
	n := make([]string, len(l))
	for i := range l {
		n[i] = l[i].name
	}
	return n
}

// headerLen returns the octets of the headers in a ULPDU: those of DDP and, if own is set, of RDMAP.
func headerLen(o rdmap.Opcode, tagged, own bool) int {
	n := ddp.UntaggedLen
	if tagged {
		n = ddp.TaggedLen
	}
	if own {
		n += o.RDMAPHeaderLen()
	}
	return n
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}
