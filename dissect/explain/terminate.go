package explain

// Terminate codes. Their names come from package rdmap, who sends which from package rules, what they mean for whoever
// reads a log from package judge.

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/peers/words"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/judge"
)

// codeEntries explains a code, and what it says in the other bit order if that makes sense too.
func codeEntries(c rdmap.Code) []Entry {
	found := []Entry{codeEntry(c)}
	if other := c.Transposed(); other != c && known(other) {
		found = append(found, asSwapped(codeEntry(other), c))
	}
	return found
}

// swapping yields the RNICs that write Terminates in the other bit order on little-endian machines.
func swapping(yield func(*words.Peer) bool) {
	for _, p := range words.Peers {
		if p.Terminate.Swapped && !yield(p) {
			return
		}
	}
}

// asSwapped makes the entry of a code one for the code that is written in its place in the other bit order.
func asSwapped(e Entry, written rdmap.Code) Entry {
	for p := range swapping {
		note := fmt.Sprintf("If %s, %s, sent it on a little-endian machine: %[1]s writes Layer and EType in each other's "+
			"place, so %[3]v on the wire means %[4]s there. iwarp decode tells which of the two fits the length of a Terminate.",
			p.Name, p.Title, written, e.Name)
		e.Text = append([]string{note}, e.Text...)
		e.Title += fmt.Sprintf(" (written as %v by %s)", written, p.Name)
		e.Sources = append(e.Sources, p.Seen)
	}
	return e
}

// known reports whether a code is registered, or sent by somebody nevertheless.
func known(c rdmap.Code) bool {
	if c.Registered() {
		return true
	}
	for s := range rules.NumSituations {
		if rules.Situations[s].RFC.Codes.Contains(c) {
			return true
		}
		for _, who := range answerers() {
			if who.answer(s).Codes.Contains(c) {
				return true
			}
		}
	}
	return false
}

// codeEntry explains one code in the bit order of the RFC.
func codeEntry(c rdmap.Code) Entry {
	e := Entry{Kind: KindTerminate, Name: c.String(), Title: "Terminate, " + c.Describe()}
	group, own := judge.MeaningOfType(c), judge.MeaningOf(c)
	if !c.Registered() {
		e.Text = []string{"The registry of RFC 6580 does not have this code: no RFC says what it means."}
		e.Sources = []string{"RFC 6580, section 3"}
		if group.Text != "" {
			e.Text = append(e.Text, group.Text)
		}
	} else {
		if own.Text != "" {
			e.Text = append(e.Text, own.Text)
		}
		e.Text = append(e.Text, group.Text)
		e.Sources = []string{c.Source(), "RFC 6580, section 3"}
	}
	e.LookFor = own.LookFor()
	if e.LookFor == "" {
		e.LookFor = "the last messages that the other side sent before it, and the log of the host that sent it."
	}
	e.Facts = codeFacts(c)
	e.addSituations(c)
	e.See = codeSee(c)
	return e
}

func codeFacts(c rdmap.Code) []Fact {
	swapped := c.Transposed()
	facts := []Fact{
		{"Layer", fmt.Sprintf("%X (%v)", uint8(c.Layer), c.Layer)},
		{"EType", fmt.Sprintf("%X (%s)", c.EType, c.ETypeName())},
		{"Error Code", fmt.Sprintf("0x%02X", c.ErrorCode)},
		{"On the wire", wire(c)},
	}
	if name := c.Name(); name != "" {
		facts[2].Value += " (" + name + ")"
	}
	for p := range swapping {
		if swapped == c {
			break
		}
		facts = append(facts, Fact{"From " + p.Name, wire(swapped) + " on the wire, on little-endian machines"})
	}
	if encloses := hdrCt(c); encloses != "" {
		facts = append(facts, Fact{"Encloses", encloses})
	}
	return facts
}

// wire is the two octets of a code.
func wire(c rdmap.Code) string { return fmt.Sprintf("%X%X %02X", uint8(c.Layer), c.EType, c.ErrorCode) }

// enclosed says in words what the HdrCt bits of rules.Situation announce.
var enclosed = [...]string{
	rules.Bare: "nothing",
	rules.MD:   "DDP Segment Length and DDP header of the segment in error (M and D)",
	rules.MDR:  "DDP Segment Length, DDP header and Read Request header of the message in error (M, D and R)",
}

// hdrCt says what a Terminate with code c encloses by the RFCs.
func hdrCt(c rdmap.Code) string {
	var forms []string
	for i := range rules.Situations {
		d := &rules.Situations[i]
		if d.RFC.Codes.Accepts(c) && !slices.Contains(forms, enclosed[d.HdrCt]) {
			forms = append(forms, enclosed[d.HdrCt])
		}
	}
	return strings.Join(forms, "; or ")
}

// addSituations adds the errors that c answers, and the peers that answer otherwise, or answer others with it.
func (e *Entry) addSituations(c rdmap.Code) {
	for s := range rules.NumSituations {
		d := &rules.Situations[s]
		answers, demanded := d.RFC.Codes.Accepts(c), s.Ground().Demanded()
		if answers || d.Also.Accepts(c) {
			e.Cases = append(e.Cases, Case{d.Name, s.Text(), answers && demanded, answers && !demanded})
		}
	}
	for _, who := range answerers() {
		if notes := who.notes(c); notes != nil {
			e.Peers = append(e.Peers, Peer{who.name, notes})
		}
	}
	slices.SortStableFunc(e.Cases, func(a, b Case) int { return cmp.Compare(a.rank(), b.rank()) })
}

// rank orders cases by how sure it is that the code is the answer.
func (c *Case) rank() int {
	switch {
	case c.Demanded:
		return 0
	case c.Decided:
		return 1
	}
	return 2
}

// notes say how somebody differs from the RFCs, as far as code c goes.
func (who *answerer) notes(c rdmap.Code) (notes []string) {
	for s := range rules.NumSituations {
		a := who.answer(s)
		if note := answerNote(s, &a, c); note != "" {
			notes = append(notes, note)
		}
	}
	return notes
}

// answerNote says how an answer differs from that of the RFCs in a situation, as far as code c goes; empty if it does
// not.
func answerNote(s rules.Situation, a *rules.Answer, c rdmap.Code) string {
	rfc := &rules.Situations[s].RFC
	demanded, sends := rfc.Codes.Accepts(c), a.Codes.Accepts(c)
	concerns := demanded || sends
	silent := a.Act == rules.Unknown
	same := a.Note == "" && slices.Equal(a.Codes, rfc.Codes)
	if !concerns || silent || same {
		return ""
	}
	verdict := "sends it"
	switch {
	case len(a.Codes) == 0:
		return s.Text() + ": " + a.Note
	case demanded && !sends:
		verdict = "sends " + a.Codes.String() + " instead"
	case len(a.Codes) > 1:
		verdict = "sends " + a.Codes.String()
	}
	switch {
	case demanded:
	case !s.Ground().Demanded():
		verdict += ", where iwarp expects " + cmp.Or(rfc.Codes.String(), "no Terminate")
	default:
		verdict += ", where the RFCs demand " + cmp.Or(rfc.Codes.String(), "no Terminate")
	}
	return s.Text() + ": " + verdict + inBrackets(a.Note)
}

func inBrackets(note string) string {
	if note == "" {
		return ""
	}
	return " (" + note + ")"
}

// codeSee names the codes of the other layers for the same error.
func codeSee(c rdmap.Code) (see []string) {
	name := c.Name()
	if c.Registered() && name != "" {
		for other := range rdmap.Codes() {
			if other != c && other.Name() == name {
				see = append(see, other.String())
			}
		}
	}
	if c.Source() != "" {
		see = append(see, fmt.Sprintf("%X/%X", uint8(c.Layer), c.EType))
	}
	return append(see, "Terminate")
}

// controlWordEntries explains the first four octets of a Terminate header; nil if they make sense in no bit order.
func controlWordEntries(word uint32) (found []Entry) {
	b := binary.BigEndian.AppendUint32(nil, word)
	var rfc, swapped rdmap.Terminate
	_, _ = rfc.Decode(b) // the headers that are announced are missing; the bits are all there
	swapped.M, swapped.D, swapped.R = word&0x100 != 0, word&0x200 != 0, word&0x400 != 0
	const rfcReserved, swappedReserved = 0x1fff, 0xf8ff
	c := rdmap.CodeOf(uint16(word >> 16))
	if known(c) && word&rfcReserved == 0 {
		found = append(found, codeEntry(c).withBits(&rfc))
	}
	if other := c.Transposed(); other != c && known(other) && word&swappedReserved == 0 {
		found = append(found, asSwapped(codeEntry(other), c).withBits(&swapped))
	}
	return found
}

// withBits replaces what a Terminate should enclose by what this one does.
func (e Entry) withBits(t *rdmap.Terminate) Entry {
	var parts []string
	for _, bit := range []struct {
		set  bool
		text string
	}{{t.M, "DDP Segment Length (M)"}, {t.D, "DDP header (D)"}, {t.R, "Read Request header (R)"}} {
		if bit.set {
			parts = append(parts, bit.text)
		}
	}
	if parts == nil {
		parts = []string{"nothing"}
	}
	for i := range e.Facts {
		if e.Facts[i].Name == "Encloses" {
			e.Facts[i].Name = "Should enclose"
		}
	}
	e.Facts = append(e.Facts, Fact{"HdrCt says", strings.Join(parts, ", ")})
	return e
}

// anyEType asks for all error types of a layer.
const anyEType = -1

// groupEntry lists the codes of a layer, or of one of its error types; nil if there are none.
func groupEntry(layer, etype int) []Entry {
	e := Entry{Kind: KindTerminate, Name: fmt.Sprintf("%X/%X", layer, etype), See: []string{"Terminate"}}
	for c := range rdmap.Codes() {
		if int(c.Layer) != layer || etype != anyEType && int(c.EType) != etype {
			continue
		}
		fact := Fact{c.String(), c.Name()}
		if c.Name() == "" {
			fact.Value = c.ETypeName()
		}
		if etype == anyEType {
			e.Name = fmt.Sprintf("Layer %d", layer)
			e.Title = "Terminates of " + c.Layer.String()
			fact.Value = strings.TrimPrefix(c.Describe(), c.Layer.String()+" ")
		} else {
			e.Title = "Terminates, " + c.Layer.String() + " " + c.ETypeName()
			e.Text = []string{judge.MeaningOfType(c).Text}
		}
		e.Facts = append(e.Facts, fact)
		if source := c.Source(); !slices.Contains(e.Sources, source) {
			e.Sources = append(e.Sources, source)
		}
	}
	if e.Facts == nil {
		return nil
	}
	return []Entry{e}
}

// codeNameTopics lets codes be found by the names of their errors.
func codeNameTopics() (topics []topic) {
	for c := range rdmap.Codes() {
		topics = append(topics, topic{
			kind: KindTerminate, name: c.String(), title: c.Describe(),
			keys:  []string{c.Name(), c.ETypeName() + c.Name(), c.Describe()},
			entry: func() Entry { return codeEntry(c) },
		})
	}
	return topics
}
