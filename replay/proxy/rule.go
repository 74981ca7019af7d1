package proxy

// Rules: which messages a Proxy alters, and how.

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// A Rule says what a Proxy does with messages and MPA frames that a filter selects. docs/proxy.md describes how Rules are written.
type Rule struct {
	on     *filter.Filter
	filter string
	kinds  []kind // that it can select
	do     []*action
}

// An effect is what an action does.
type effect uint8

const (
	faults effect = iota // one of package fault
	reorders
	injects
	stalls
	shrinks
	closes
)

// An action is what a Rule does with some of what its filter selects.
type action struct {
	text    string
	effect  effect
	raw     bool            // what follows stays as it is
	fault   fault.Fault     // of faults; its Occasion and Octets are those of the others, too
	changes []change        // of a Fault that sets a field, for each kind of message that has it
	side    *Side           // of injects: who appears to send; nil for the sender of what was selected
	message scenario.Action // of injects
}

// A change is a field of a header that is set.
type change struct {
	quirk.Rewrite
	upper []*field.Table // those that have the field, if it is of an upper layer; else nil
}

// ErrRule is wrapped by the errors of ParseRule and ReadRules.
var ErrRule = errors.New("proxy: not a rule")

// ParseRule reads a Rule: a filter, and actions such as "drop:2". It fails if the filter or an action is none, and for an action that can
// never apply to what the filter selects.
func ParseRule(on string, do ...string) (*Rule, error) {
	r, err := newRule(on)
	for _, text := range do {
		if err == nil {
			err = r.add(text)
		}
	}
	if err == nil {
		err = r.complete()
	}
	if err != nil {
		return nil, err
	}
	return r, nil
}

// newRule begins a Rule, which has no action yet.
func newRule(on string) (*Rule, error) {
	f, err := filter.Compile(on)
	if err != nil {
		return nil, err
	}
	r := &Rule{on: f, filter: on}
	if r.kinds = r.selected(); len(r.kinds) == 0 {
		return nil, fmt.Errorf("%w: %q selects no message and no MPA frame", ErrRule, on)
	}
	return r, nil
}

func (r *Rule) add(text string) error {
	a, err := parseAction(text, r.kinds)
	if err != nil {
		return fmt.Errorf("%w: %q: %w", ErrRule, text, err)
	}
	r.do = append(r.do, a)
	return nil
}

// complete fails if the Rule does nothing.
func (r *Rule) complete() error {
	if len(r.do) == 0 {
		return fmt.Errorf("%w: %q has no action", ErrRule, r.filter)
	}
	return nil
}

// MaxRules limits the Rules of a file.
const MaxRules = 1000

// MaxLine limits a line of a file of Rules, in octets.
const MaxLine = 1 << 20

// ReadRules reads Rules: lines "on FILTER", each with lines "do ACTION" after it. Empty lines and those that begin with # are passed over.
func ReadRules(in io.Reader) (rules []*Rule, err error) {
	begin, number := 0, 0 // lines: where the last Rule begins, and the one that is read
	lines := bufio.NewScanner(in)
	lines.Buffer(nil, MaxLine)
	for lines.Scan() {
		number++
		word, rest, _ := strings.Cut(strings.TrimSpace(lines.Text()), " ")
		rest = strings.TrimSpace(rest)
		switch {
		case word == "" || word[0] == '#':
			continue
		case word == "on" && len(rules) == MaxRules:
			err = fmt.Errorf("%w: there are more than %d", ErrRule, MaxRules)
		case word == "on":
			if err := finished(rules, begin); err != nil {
				return nil, err
			}
			var r *Rule
			r, err = newRule(rest)
			rules, begin = append(rules, r), number
		case word == "do" && len(rules) > 0:
			err = rules[len(rules)-1].add(rest)
		default:
			err = fmt.Errorf(`%w: want "on FILTER", then "do ACTION"`, ErrRule)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", number, err)
		}
	}
	switch err := lines.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("line %d: it is longer than %d octets", number+1, MaxLine)
	case err != nil:
		return nil, fmt.Errorf("line %d: %w", number+1, err)
	}
	return rules, finished(rules, begin)
}

// finished fails if the last of some Rules, which begins in that line, is not complete.
func finished(rules []*Rule, begin int) error {
	if len(rules) == 0 {
		return nil
	}
	if err := rules[len(rules)-1].complete(); err != nil {
		return fmt.Errorf("line %d: %w", begin, err)
	}
	return nil
}

// String returns the lines that ReadRules reads.
func (r *Rule) String() string {
	var b strings.Builder
	b.WriteString("on " + r.filter + "\n")
	for _, a := range r.do {
		b.WriteString("do " + a.text + "\n")
	}
	return b.String()
}

// A kind is a kind of message, or of MPA frame.
type kind = fault.Message

// numKinds is how many kinds there are.
var numKinds = int(fault.OfOpcode(flow.NumOpcodes))

// selected returns what the filter of a Rule can select.
func (r *Rule) selected() (kinds []kind) {
	for k := fault.MPARequest; int(k) < numKinds; k++ {
		for d := range flow.Direction(2) {
			if e := eventOf(k, d); e != nil && r.on.MayMatch(e) && !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
	}
	return kinds
}

// eventOf returns an event of which only kind and direction are known; nil if there is none.
func eventOf(k kind, d flow.Direction) *filter.Event {
	o := record.Origin{Conn: new(flow.Conn), Dir: d}
	op, isMessage := k.Opcode()
	switch {
	case isMessage:
		return &filter.Event{Message: &record.Message{Origin: o, Opcode: op}}
	case (k == fault.MPAReply) == (d == flow.S2C):
		return &filter.Event{StartupFrame: &record.Startup{Origin: o, MPA: mpa.Frame{Reply: k == fault.MPAReply}}}
	}
	return nil
}

// parseAction reads: [raw] WORD[=VALUE][:OCCASION] [MESSAGE].
func parseAction(text string, kinds []kind) (*action, error) {
	a := &action{text: text}
	rest := text
	if without, ok := strings.CutPrefix(rest, "raw "); ok {
		a.raw, rest = true, strings.TrimSpace(without)
	}
	word, message, _ := strings.Cut(rest, " ")
	word, occasion, sometimes := cutOccasion(word)
	if sometimes {
		o, err := fault.ParseOccasion(occasion)
		if err != nil {
			return nil, err
		}
		a.fault.Occasion = o
	}
	name, value, _ := strings.Cut(word, "=")
	if err := a.parse(name, value, word, message, kinds); err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(kinds, a.appliesTo) {
		return nil, fmt.Errorf("it can never apply to what the filter selects")
	}
	return a, nil
}

// cutOccasion cuts the occasion after the last colon that is not quoted.
func cutOccasion(word string) (before, occasion string, ok bool) {
	at := strings.LastIndexByte(word, ':')
	if at <= strings.LastIndexByte(word, '"') {
		return word, "", false
	}
	return word[:at], word[at+1:], true
}

// parse reads what an action does. word is its name and value.
func (a *action) parse(name, value, word, message string, kinds []kind) (err error) {
	if message != "" && name != "inject" {
		return fmt.Errorf("unexpected %q", message)
	}
	switch name {
	case "inject":
		if a.effect = injects; value != "" {
			break
		}
		return a.parseInjection(message)
	case "reorder":
		a.effect = reorders
	case "close":
		a.effect = closes
	case "stall":
		a.effect, a.fault.Time = stalls, forever
		if value != "" {
			if a.fault.Time, err = time.ParseDuration(value); err == nil && a.fault.Time < 0 {
				err = errors.New("want a time that is not negative")
			}
		}
		return err
	case "window":
		a.effect = shrinks
		if a.fault.Octets, err = strconv.Atoi(value); err != nil || a.fault.Octets < 1 || a.fault.Octets > maxWindow {
			return fmt.Errorf("want window=OCTETS, at most %d", maxWindow)
		}
		return nil
	case "set":
		a.fault.Action = fault.Set
		return a.parseChange(value, kinds)
	default:
		if all := Actions(); !slices.ContainsFunc(all, func(t fault.Text) bool { return t.Name() == name }) {
			return fault.Unknown(name, all)
		}
		return a.fault.ParseAction(word)
	}
	if value != "" {
		return fmt.Errorf("%s has no value", name)
	}
	return nil
}

// maxWindow is the largest window of TCP (RFC 7323, section 2.3).
const maxWindow = 1 << 30

// forever is how long a stall lasts that has no time.
const forever = 1 << 62

// parseChange reads the change of a field, which some of the kinds have.
func (a *action) parseChange(text string, kinds []kind) (failed error) {
	for _, k := range kinds {
		w, err := quirk.ParseRewrite(k.String(), text)
		if err != nil {
			failed = err
			continue
		}
		if !slices.ContainsFunc(a.changes, func(c change) bool { return c.Frame == w.Frame && c.Message == w.Message }) {
			a.changes = append(a.changes, change{Rewrite: w})
		}
	}
	if c, ok := upperChange(text); ok {
		a.changes = append(a.changes, c)
	}
	if len(a.changes) == 0 {
		return failed
	}
	return nil
}

// upperChange reads the change of a field of an upper layer.
func upperChange(text string) (c change, ok bool) {
	for _, l := range all.Layers() {
		for _, t := range l.Tables {
			if w, ok := quirk.ParseChange(text, t); ok {
				c.Rewrite, c.upper = w, append(c.upper, t)
			}
		}
	}
	return c, c.upper != nil
}

// parseInjection reads: [client|server] and an action as in a scenario, which sends something.
func (a *action) parseInjection(text string) error {
	for _, s := range []Side{Client, Server} {
		if rest, ok := strings.CutPrefix(text, s.String()+" "); ok {
			a.side, text = &s, rest
			break
		}
	}
	if strings.ContainsAny(text, "\r\n") {
		return errors.New("want one line")
	}
	s, err := scenario.Parse("inject", "scenario \"\"\nconnection c\n1 client "+text)
	var place *scenario.Error
	switch {
	case errors.As(err, &place):
		return errors.New(place.Problem)
	case err != nil:
		return err
	}
	step := s.Conns[0].Steps[0]
	if step.At != 0 || step.Frame != 0 || step.After != 0 {
		return errors.New("inject sends at once: want no time, frame or step before the message")
	}
	a.message = step.Do
	switch a.message.(type) {
	case *scenario.Message, *scenario.Segment, *scenario.FPDU, *scenario.Octets:
		return nil
	}
	return fmt.Errorf("%s is nothing that inject can send: want a message, Segment, FPDU or Octets, as in scenarios", a.message.Verb())
}

// appliesTo reports whether the action can do something with a kind of message or MPA frame.
func (a *action) appliesTo(k kind) bool {
	op, isMessage := k.Opcode()
	switch {
	case a.effect == reorders:
		return isMessage
	case a.effect == injects:
		_, octets := a.message.(*scenario.Octets)
		return octets || k != fault.MPARequest
	case a.effect != faults:
		return true
	case a.fault.Action == fault.Set:
		return slices.ContainsFunc(a.changes, func(c change) bool { return c.concerns(k) })
	case isMessage:
		return !(a.fault.Action == fault.Shorten) || op.HasPayload()
	}
	return !a.fault.Action.InFPDU() && a.fault.Action != fault.Duplicate
}

// concerns reports whether a kind of message or MPA frame can have the field.
func (c *change) concerns(k kind) bool {
	op, isMessage := k.Opcode()
	switch {
	case c.upper != nil:
		return isMessage && op.IsSend()
	case isMessage:
		return c.Frame == quirk.InFPDU && (c.Message == op || c.Message == quirk.AnyMessage)
	}
	return (k == fault.MPARequest) == (c.Frame == quirk.InRequest) && c.Frame != quirk.InFPDU
}

// Actions returns how actions are written, and what they do.
func Actions() (all []fault.Text) {
	for _, t := range fault.Texts() {
		all = append(all, fault.Text{Form: t.Form, Text: t.Text})
	}
	return append(all,
		fault.Text{Form: "reorder", Text: "sends the message after the next one of its side"},
		fault.Text{Form: "inject [SIDE] MESSAGE", Text: "sends a message, Segment, FPDU or Octets, written as in a scenario, after what was selected; SIDE, client or server, appears to send it"},
		fault.Text{Form: "stall=TIME", Text: "passes on nothing from either side for that long; without TIME for ever"},
		fault.Text{Form: "window=OCTETS", Text: "from then on, lets the side send only that many octets ahead"},
		fault.Text{Form: "close", Text: "sends a FIN to both sides after it"},
	)
}
