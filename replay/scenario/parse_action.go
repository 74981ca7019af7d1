package scenario

import (
	"encoding/hex"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// actions maps the words for what a step does, besides the names of messages, to what reads the rest.
var actions map[string]func(*parser) Action

// alternatives are those that can stand in a OneOf.
var alternatives map[string]func(*parser) Action

func init() { // these read each other
	alternatives = map[string]func(*parser) Action{
		"MPARequest": func(p *parser) Action { return p.frame(false) },
		"MPAReply":   func(p *parser) Action { return p.frame(true) },
		"Segment": func(p *parser) Action {
			s := new(Segment)
			p.segment(s)
			return s
		},
		"FIN":     func(*parser) Action { return FIN{} },
		"Reset":   func(*parser) Action { return Reset{} },
		"Silence": (*parser).silence,
		"Refusal": (*parser).refusal,
	}
	actions = map[string]func(*parser) Action{
		"FPDU":   (*parser).fpdu,
		"Octets": (*parser).rawOctets,
		"Probe":  func(*parser) Action { return Probe{} },
		"OneOf": func(p *parser) Action {
			p.oneOf = new(OneOf)
			return p.oneOf
		},
	}
	maps.Copy(actions, alternatives)
}

func (p *parser) action(known map[string]func(*parser) Action) Action {
	verb := p.take("what the step does")
	if read := known[verb.text]; read != nil {
		return read(p)
	}
	if o, ok := opcode(verb.text); ok && o.Known() {
		return p.message(o)
	}
	words := slices.AppendSeq(append(opcodeNames(), "after", "frame"), maps.Keys(known))
	slices.Sort(words)
	problem := strconv.Quote(clip(verb.text)) + " is nothing that a step does"
	if actions[verb.text] != nil {
		problem = verb.text + " cannot be an alternative"
	}
	p.fail(verb, "%s", suggest(problem, verb.text, words))
	return nil
}

func opcode(s string) (o rdmap.Opcode, ok bool) {
	o, err := rdmap.ParseOpcode(s)
	return o, err == nil && o.String() == s
}

func opcodeNames() (names []string) {
	for o := range rdmap.Opcode(16) {
		if o.Known() {
			names = append(names, o.String())
		}
	}
	return names
}

// silence reads: Silence DURATION.
func (p *parser) silence() Action {
	t := p.take("how long")
	d, err := time.ParseDuration(t.text)
	p.mustBe(err == nil, t, "a time, such as 2s or 250ms")
	return &Silence{d}
}

// refusal reads: Refusal SITUATION [to N].
func (p *parser) refusal() Action {
	t := p.take("the situation")
	r := &Refusal{Situation: rules.LookupSituation(t.text)}
	if r.Situation == rules.NoSituation {
		p.fail(t, "%s", suggest("unknown situation "+strconv.Quote(clip(t.text)), t.text, situations()))
	}
	if p.word("to") {
		r.To = p.count("the number of a step")
	}
	return r
}

func situations() (names []string) {
	for i := range rules.Situations {
		names = append(names, rules.Situations[i].Name)
	}
	return names[1:]
}

// message reads the fields and the Payload of a Message.
func (p *parser) message(o rdmap.Opcode) Action {
	m := &Message{Opcode: o}
	if p.word("to") {
		m.To = p.count("the number of a step")
	}
	if o == rdmap.OpTerminate {
		m.Fields = p.code()
	}
	m.Fields = append(m.Fields, p.fields(m.layout(), o.String())...)
	order(m.Fields, m.layout())
	p.octetsInto(&m.Payload)
	return m
}

// code reads the code of a Terminate, "0/1/00", if it is there.
func (p *parser) code() Fields {
	if !p.more || strings.Count(p.next.text, "/") != 2 || strings.Contains(p.next.text, `"`) {
		return nil
	}
	t := p.take("")
	c, err := rdmap.ParseCode(t.text)
	p.mustBe(err == nil, t, "a code of a Terminate, such as 0/1/00: Layer, EType and Error Code")
	return Fields{
		{"Layer", constant(uint64(c.Layer))}, {"EType", constant(uint64(c.EType))}, {"ErrorCode", constant(uint64(c.ErrorCode))},
	}
}

// segment reads a Segment: an opcode and fields, or octets alone.
func (p *parser) segment(s *Segment) {
	s.Raw = true
	if p.more {
		if o, ok := opcode(p.next.text); ok {
			p.advance()
			p.headed(s, o)
		} else if strings.IndexByte(`"$?`, p.next.text[0]) < 0 {
			p.octetsOr(p.next, opcodeNames())
		}
	}
	p.octetsInto(&s.Payload)
}

// headed reads the fields of a Segment with a header.
func (p *parser) headed(s *Segment, o rdmap.Opcode) {
	s.Opcode, s.Raw = o, false
	tagged := o.Tagged()
	if p.more && (p.next.text == "T" || strings.HasPrefix(p.next.text, "T=")) {
		tagged = p.next.text != "T=0"
	}
	l := layouts()[o][bit(tagged)]
	s.Fields = p.fields(l, o.String())
	order(s.Fields, l)
}

// octetsOr fails at a word that is neither octets nor one of names.
func (p *parser) octetsOr(t token, words []string) {
	digits, _, _ := strings.Cut(t.text, "*")
	if _, err := hex.DecodeString(digits); err != nil {
		p.fail(t, "%s", suggest(strconv.Quote(clip(t.text))+" is neither a message nor octets", t.text, words))
	}
}

// order sorts fields in wire order.
func order(f Fields, l []slot) {
	slices.SortStableFunc(f, func(a, b Field) int { return find(l, a.Name) - find(l, b.Name) })
}

// fields reads header fields, up to an unrestricted one.
func (p *parser) fields(l []slot, of string) (fields Fields) {
	for p.more {
		t := p.next
		name, value, assigned := strings.Cut(t.text, "=")
		if strings.Contains(name, `"`) {
			break
		}
		i := slices.IndexFunc(l, func(s slot) bool { return s.name == name })
		if i < 0 && assigned {
			p.fail(t, "%s", suggest(a(of)+" has no field "+clip(name), name, names(l)))
		}
		if i < 0 || !assigned && l[i].field.Base != field.Flag || value == anyValue {
			break
		}
		p.advance()
		if _, twice := fields.Lookup(name); twice {
			p.fail(t, "%s is repeated", name)
		}
		v := constant(1)
		if assigned {
			v = p.value(token{value, t.at + len(name) + 1}, l[i].field)
		}
		fields = append(fields, Field{name, v})
	}
	return fields
}

// value reads the value of a field: a number, one of the field's names for values, or a variable.
func (p *parser) value(t token, f *field.Field) Value {
	if strings.HasPrefix(t.text, "$") {
		return p.reference(t)
	}
	if f.Known != nil {
		for v := range f.Known {
			if name, ok := valueName(f, v); ok && name == t.text {
				return constant(v)
			}
		}
	}
	return constant(p.number64(t, f.Width))
}

// reference reads $name, $name+number or $name-number.
func (p *parser) reference(t token) Value {
	at := strings.IndexAny(t.text, "+-")
	if at < 0 {
		return Value{Var: p.known(t)}
	}
	v := Value{Var: p.known(token{t.text[:at], t.at})}
	v.Number = p.number64(token{t.text[at+1:], t.at + at + 1}, 64)
	if t.text[at] == '-' {
		v.Number = -v.Number
	}
	return v
}

// fpdu reads: FPDU [ULPDU_Length=N] [PAD=OCTETS] [CRC=bad] [Markers=FAULT] [split=N,N] and a Segment.
func (p *parser) fpdu() Action {
	f := new(FPDU)
	for p.more {
		t := p.next
		name, value, _ := strings.Cut(t.text, "=")
		v := token{value, t.at + len(name) + 1}
		switch name {
		case "ULPDU_Length":
			f.ULPDULength = new(uint16(p.number64(v, 16)))
		case "PAD":
			f.PAD = p.pad(v)
		case "CRC":
			if f.BadCRC = value == "bad"; !f.BadCRC {
				f.CRC = new(uint32(p.number64(v, 32)))
			}
		case "Markers":
			f.Markers = p.markers(v)
		case "split":
			f.Splits = p.splits(v)
		default:
			if strings.Contains(t.text, "=") && !strings.Contains(name, `"`) {
				p.fail(t, "%s", suggest("an FPDU has no "+clip(name), name, []string{"ULPDU_Length", "PAD", "CRC", "Markers", "split"}))
			}
			p.segment(&f.Segment)
			return f
		}
		p.advance()
	}
	f.Raw = true
	p.payload = &f.Payload
	return f
}

func (p *parser) markers(t token) Markers {
	for m := BadMarkers; m < numMarkers; m++ {
		if m.String() == t.text {
			return m
		}
	}
	wrong := markersNames[BadMarkers:]
	p.fail(t, "%s", suggest("Markers are "+strings.Join(wrong, ", ")+", or correct", t.text, wrong))
	return RightMarkers
}

// pad reads octets of PAD, which may be none.
func (p *parser) pad(t token) []byte {
	b, err := hex.DecodeString(t.text)
	p.mustBe(err == nil, t, "hexadecimal octets")
	return b
}

// splits reads offsets separated by commas.
func (p *parser) splits(t token) (all []int) {
	for word := range strings.SplitSeq(t.text, ",") {
		n, err := strconv.ParseUint(word, 10, 31)
		p.mustBe(err == nil, t, "a list of offsets such as 4,18")
		all = append(all, int(n))
	}
	return all
}

// rawOctets reads: Octets [split=N,N] and octets.
func (p *parser) rawOctets() Action {
	o := new(Octets)
	if value, ok := strings.CutPrefix(p.next.text, "split="); ok && p.more {
		o.Splits = p.splits(token{value, p.next.at + len("split=")})
		p.advance()
	}
	p.octetsInto(&o.Payload)
	return o
}
