package quirk

// Quirks as text.

import (
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// Parse parses a quirk: the name of one of Named, or deviations of the following forms, separated by semicolons. It
// fails for an unknown name or form, and like Check.
//
//	suppress write-access                     a Situation or Rule that is not checked for
//	react write-stag 0/1/00                   another Terminate for a Situation, or "drop", or "reset"
//	rewrite Send iwarp_ddp.msn=7              a field of a message; "+1" adds to it, "^1" flips bits
//	rewrite FPDU iwarp_mpa.crc^0x1            a field around any message, or in all that have it
//	rewrite MPAReply iwarp_mpa.rev=9          a field of an MPARequest or MPAReply
//	rewrite MPARequest iwarp_mpa.key.req="MP" octets; hexadecimal digits need no quotation marks
func Parse(text string, known ...*rules.Peer) (Quirk, error) {
	text = strings.TrimSpace(text)
	named := Named(known...)
	if i := slices.IndexFunc(named, func(k Quirk) bool { return k.Name == text }); i >= 0 {
		return named[i], nil
	}
	k := Quirk{Name: text, Text: "deviates: " + text}
	for _, part := range split(text) {
		if err := k.parse(part, named); err != nil {
			return Quirk{}, err
		}
	}
	if err := k.Check(); err != nil {
		return Quirk{}, err
	}
	return k, nil
}

// split cuts text at semicolons outside of quotation marks.
func split(text string) (parts []string) {
	begin, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '\\' && quoted:
			i++
		case text[i] == '"':
			quoted = !quoted
		case text[i] == ';' && !quoted:
			parts = append(parts, text[begin:i])
			begin = i + 1
		}
	}
	return append(parts, text[begin:])
}

// parse adds one deviation.
func (k *Quirk) parse(part string, named []Quirk) error {
	text := strings.TrimSpace(part)
	kind, rest, _ := strings.Cut(text, " ")
	first, second, two := strings.Cut(strings.TrimSpace(rest), " ")
	second = strings.TrimSpace(second)
	var err error
	switch {
	case kind == "suppress" && first != "" && !two:
		s, err := lookupSuppression(first)
		k.Suppress = append(k.Suppress, s)
		return err
	case kind == "react" && two:
		s, unknown := lookupSituation(first)
		if unknown != nil {
			return unknown
		}
		err = k.parseReaction(s, second)
	case kind == "rewrite" && two:
		var w Rewrite
		w, err = readRewrite(first, second)
		k.Rewrite = append(k.Rewrite, w)
	default:
		var names []string
		for _, q := range named {
			names = append(names, q.Name)
		}
		err = fmt.Errorf("want a name, suppress NAME, react SITUATION HOW or rewrite MESSAGE FIELD=VALUE%s", spelling.Suggest(text, names, 3))
	}
	if err != nil {
		return fmt.Errorf("rnicsim: quirk %q: %w", part, err)
	}
	return nil
}

func (k *Quirk) parseReaction(s rules.Situation, how string) (err error) {
	var r Reaction
	switch how {
	case "drop":
		r.Drop = true
	case "reset":
		r.Reset = true
	default:
		if r.Code, err = rdmap.ParseCode(how); err != nil {
			return fmt.Errorf("want drop, reset or the code of a Terminate: %w", err)
		}
	}
	if k.React == nil {
		k.React = make(map[rules.Situation]Reaction)
	}
	k.React[s] = r
	return nil
}

// What a Rewrite changes, besides the names of messages.
const (
	wordFPDU    = "FPDU"
	wordRequest = "MPARequest"
	wordReply   = "MPAReply"
)

// changeSigns separate a field from a value.
var changeSigns = [...]string{SetTo: "=", AddTo: "+", Flip: "^"}

// ParseRewrite parses a Rewrite of a message, of an MPARequest or MPAReply, or of any FPDU: its second word is a field with "=", "+" or
// "^" and a value. It fails like Quirk.Check.
func ParseRewrite(message, change string) (w Rewrite, err error) {
	if w, err = readRewrite(message, change); err == nil {
		err = w.check()
	}
	return w, err
}

// ParseChange parses the change of a field of one header, for Rewrite.Apply. ok is false where ParseRewrite would fail.
func ParseChange(change string, of *field.Table) (w Rewrite, ok bool) {
	tables := []*field.Table{of}
	err := w.parseChange(change, tables)
	return w, err == nil && lookup(tables, w.Field) != nil && w.checkField(of.Name, tables) == nil
}

func readRewrite(message, change string) (w Rewrite, err error) {
	switch message {
	case wordFPDU:
		w.Message = AnyMessage
	case wordRequest:
		w.Frame = InRequest
	case wordReply:
		w.Frame = InReply
	default:
		if w.Message, err = rdmap.ParseOpcode(message); err != nil {
			return w, fmt.Errorf("want %s, %s, %s or a message: %w", wordRequest, wordReply, wordFPDU, err)
		}
	}
	return w, w.parseChange(change, w.tablesOf())
}

// parseChange parses a field of some tables, "=", "+" or "^", and a value.
func (w *Rewrite) parseChange(text string, tables []*field.Table) error {
	at := strings.IndexAny(text, strings.Join(changeSigns[:], ""))
	if at < 0 {
		return fmt.Errorf("want FIELD=VALUE, FIELD+VALUE or FIELD^VALUE")
	}
	name, value := text[:at], text[at:]
	if signed := strings.TrimPrefix(value, "="); strings.IndexAny(signed, "+^") == 0 { // "=+1" is "+1"
		value = signed
	}
	w.Field, w.Change = name, Change(slices.Index(changeSigns[:], value[:1]))
	return w.parseValue(value[1:], lookup(tables, name))
}

// parseValue parses a value: octets if the field has octets, else a number.
func (w *Rewrite) parseValue(text string, f *field.Field) (err error) {
	switch {
	case strings.HasPrefix(text, `"`):
		text, err = strconv.Unquote(text)
		w.Octets = []byte(text)
	case f != nil && f.Base == field.Octets:
		w.Octets, err = hex.DecodeString(text)
	default:
		if w.Value, err = strconv.ParseUint(text, 0, 64); err != nil {
			err = fmt.Errorf("want a number in %s: %w", w.Field, err)
		}
	}
	return err
}

// message returns the word for what a Rewrite changes.
func (w *Rewrite) message() string {
	switch {
	case w.Frame == InRequest:
		return wordRequest
	case w.Frame == InReply:
		return wordReply
	case w.Message == AnyMessage:
		return wordFPDU
	}
	return w.Message.String()
}

// String returns the text that Parse reads.
func (w *Rewrite) String() string {
	value := strconv.FormatUint(w.Value, 10)
	if w.Octets != nil {
		value = strconv.Quote(string(w.Octets))
	}
	sign := "?"
	if int(w.Change) < len(changeSigns) {
		sign = changeSigns[w.Change]
	}
	return "rewrite " + w.message() + " " + w.Field + sign + value
}

// String returns the text that Parse reads.
func (r Reaction) String() string {
	switch {
	case r.Drop:
		return "drop"
	case r.Reset:
		return "reset"
	}
	return r.Code.String()
}

// String returns the text that Parse reads.
func (k *Quirk) String() string {
	var parts []string
	for _, s := range k.Suppress {
		parts = append(parts, "suppress "+s.String())
	}
	byName := func(a, b rules.Situation) int { return strings.Compare(a.String(), b.String()) }
	for _, s := range slices.SortedFunc(maps.Keys(k.React), byName) {
		parts = append(parts, "react "+s.String()+" "+k.React[s].String())
	}
	for i := range k.Rewrite {
		parts = append(parts, k.Rewrite[i].String())
	}
	return strings.Join(parts, "; ")
}
