package scenario

// The text form: MPA frames.

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// anyValue is the wildcard for a field.
const anyValue = "?"

// frame reads an MPA Request or Reply.
func (p *parser) frame(reply bool) Action {
	f := &Frame{Reply: reply}
	header, _ := (&mpa.Frame{Reply: reply}).AppendBinary(nil)
	p.flags(f.table(), header, f)
	var wire mpa.Frame
	wire.Decode(header)
	f.M, f.C, f.R, f.S, f.Res, f.Rev = wire.M, wire.C, wire.R, wire.S, wire.Res, wire.Rev
	if p.word("enhanced") {
		word := make([]byte, mpa.EnhancedLen)
		p.flags(mpa.EnhancedFields, word, f)
		f.Enhanced = new(mpa.Enhanced)
		f.Enhanced.Decode(word)
	}
	p.octetsInto(&f.PrivateData)
	return f
}

// flags reads the fields of a table, which have no variables, into a header or, for wildcards, into f.
func (p *parser) flags(table *field.Table, header []byte, f *Frame) {
	l := appendSlots(nil, table, 0, func(string) bool { return true })
	var given, anything []string
	once := func(t token, name string) {
		if slices.Contains(given, name) {
			p.fail(t, "%s is repeated", name)
		}
		given = append(given, name)
	}
	for {
		at := p.next
		for _, each := range p.fields(l, table.Name) {
			once(at, each.Name)
			p.flag(at, each, l[find(l, each.Name)].field, header, f)
		}
		name, _ := strings.CutSuffix(p.next.text, "="+anyValue)
		i := find(l, name)
		if !p.more || i < 0 || name == p.next.text {
			break
		}
		each := l[i].field
		if !canBeAny(each) {
			p.fail(p.next, "%s is always compared", name)
		}
		once(p.next, name)
		anything = append(anything, each.Name)
		p.advance()
	}
	for i := range l {
		if name := l[i].field.Name; slices.Contains(anything, name) {
			f.Any = append(f.Any, name)
		}
	}
}

// flag puts a field that was read at t into a header, or PD_Length into f.
func (p *parser) flag(t token, given Field, of *field.Field, header []byte, f *Frame) {
	switch {
	case given.Value.Var != "":
		p.fail(t, "an MPA frame has variables only in its Private Data")
	case given.Name == "PD_Length":
		f.PDLength = new(uint16(given.Value.Number))
	default:
		of.Set(header, given.Value.Number) // cannot fail: the number has this width
	}
}
