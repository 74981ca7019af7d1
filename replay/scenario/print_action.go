package scenario

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// action writes an action after the beginning of its line.
func (p *printer) action(begin string, a Action) {
	begin += verb(a)
	switch a := a.(type) {
	case *Frame:
		p.octets(begin+a.words(), a.PrivateData)
	case *Message:
		if a.To > 0 {
			begin += fmt.Sprintf(" to %d", a.To)
		}
		p.octets(begin+a.words(), a.Payload)
	case *Segment:
		p.octets(begin+a.words(), a.Payload)
	case *FPDU:
		p.octets(begin+a.framing()+a.Segment.words(), a.Payload)
	case *Octets:
		p.octets(begin+splits(a.Splits), a.Payload)
	case *Silence:
		p.line(begin + " " + a.For.String())
	case *Refusal:
		begin += " " + a.Situation.String()
		if a.To > 0 {
			begin += fmt.Sprintf(" to %d", a.To)
		}
		p.line(begin)
	case *OneOf:
		p.line(begin)
		for why, each := range Alternatives(a) {
			word := "or "
			if why != "" {
				word = `may "` + why + `" `
			}
			p.action(strings.Repeat(" ", p.numbers+3)+word, each)
		}
	default:
		p.line(begin)
	}
}

// words returns the fields of an MPA frame, each after a blank: Rev, IRD and ORD, and others that are not zero.
func (f *Frame) words() string {
	header, word := f.headers()
	words := f.flagWords(f.table(), header, "Rev")
	if f.PDLength != nil {
		words += fmt.Sprintf(" PD_Length=%d", *f.PDLength)
	}
	if word != nil {
		words += " enhanced" + f.flagWords(mpa.EnhancedFields, word, "IRD", "ORD")
	}
	return words
}

// flagWords returns the fields of a header that are not zero, wildcards, or always written.
func (f *Frame) flagWords(t *field.Table, header []byte, always ...string) (words string) {
	for i := range t.Fields {
		each := &t.Fields[i]
		v := each.Number(header)
		switch {
		case !canBeAny(each):
		case slices.Contains(f.Any, each.Name):
			words += " " + each.Label + "=" + anyValue
		case v != 0 || slices.Contains(always, each.Label):
			words += " " + assignment(each, Field{each.Label, constant(v)})
		}
	}
	return words
}

// assignment returns a field and its value: "STag=0x00000100", "$" and a variable, or for a flag its name alone.
func assignment(f *field.Field, a Field) string {
	if a.Value.Var != "" {
		return a.Name + "=" + a.Value.String()
	}
	if f.Base == field.Flag && a.Value.Number == 1 {
		return a.Name
	}
	if name, ok := valueName(f, a.Value.Number); ok {
		return a.Name + "=" + name
	}
	return a.Name + "=" + string(f.AppendNumber(nil, a.Value.Number))
}

// valueName returns the name for a value of a field, if it has one and that is one word.
func valueName(f *field.Field, v uint64) (name string, ok bool) {
	if f.Known == nil || f.Names == nil {
		return "", false
	}
	for known := range f.Known {
		if known == v {
			name = f.Names(v)
			return name, !strings.ContainsAny(name, " \t#")
		}
	}
	return "", false
}

// words returns the fields of a Message, each after a blank. The code of a Terminate is one word.
func (m *Message) words() (words string) {
	fields := m.Fields
	if c, ok := codeOf(m); ok {
		words, fields = " "+c.String(), fields[3:]
	}
	return words + fieldWords(fields, m.layout())
}

// codeOf returns the code of a Terminate, if it is complete and has no variables.
func codeOf(m *Message) (c rdmap.Code, ok bool) {
	if m.Opcode != rdmap.OpTerminate || len(m.Fields) < 3 {
		return c, false
	}
	for i, name := range []string{"Layer", "EType", "ErrorCode"} {
		if m.Fields[i].Name != name || m.Fields[i].Value.Var != "" {
			return c, false
		}
	}
	return rdmap.Code{
		Layer: rdmap.Layer(m.Fields[0].Value.Number), EType: uint8(m.Fields[1].Value.Number),
		ErrorCode: uint8(m.Fields[2].Value.Number),
	}, true
}

// fieldWords returns fields, each after a blank.
func fieldWords(fields Fields, l []slot) (words string) {
	for _, f := range fields {
		if i := find(l, f.Name); i >= 0 {
			words += " " + assignment(l[i].field, f)
		}
	}
	return words
}

// words returns the opcode and the fields of a Segment; nothing if it has no header.
func (s *Segment) words() string {
	if s.Raw {
		return ""
	}
	return " " + s.Opcode.String() + fieldWords(s.Fields, s.layout())
}

func (f *FPDU) framing() (words string) {
	if f.ULPDULength != nil {
		words += fmt.Sprintf(" ULPDU_Length=%d", *f.ULPDULength)
	}
	if f.PAD != nil {
		words += fmt.Sprintf(" PAD=%x", f.PAD)
	}
	if f.CRC != nil {
		words += fmt.Sprintf(" CRC=0x%08x", *f.CRC)
	}
	if f.BadCRC {
		words += " CRC=bad"
	}
	if f.Markers != RightMarkers {
		words += " Markers=" + f.Markers.String()
	}
	return words + splits(f.Splits)
}

// splits returns the offsets at which TCP segments end, if there are any.
func splits(all []int) string {
	if len(all) == 0 {
		return ""
	}
	words := make([]string, len(all))
	for i, at := range all {
		words[i] = strconv.Itoa(at)
	}
	return " split=" + strings.Join(words, ",")
}
