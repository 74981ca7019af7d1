package fault

// Faults as text.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/spelling"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// ErrFault is wrapped by the errors of Parse.
var ErrFault = errors.New("fault: not a fault")

// A Text describes how to write an Action, and what it does.
type Text struct {
	Action Action
	Form   string // "delay=TIME"
	Text   string
	value  func(f *Fault, s string) error // reads the value after "="; nil if there is none
	print  func(f *Fault) string
	preset Fault // the default of the value
	needs  bool  // the value is required
}

// texts describes every Action.
var texts = [actions]Text{
	Drop:        {Form: "drop", Text: "sends nothing"},
	WrongCRC:    {Form: "crc", Text: "sends a wrong CRC"},
	Set:         {Form: "set=FIELD=VALUE", Text: "sets a field in the headers; + in place of the second = adds to it, ^ flips bits of it", value: parseSet, print: printSet, needs: true},
	FlipHeader:  {Form: "flip-header", Text: "flips a bit of the headers, as bad memory on the path would: the CRC is wrong"},
	FlipPayload: {Form: "flip-payload", Text: "flips a bit of the payload, or of the headers if there is none; the CRC is wrong"},
	Corrupt:     {Form: "corrupt", Text: "flips a bit of the payload, or of the headers if there is none, with a correct CRC"},
	Shorten:     {Form: "shorten=OCTETS", Text: "sends only that many octets of the payload, with correct lengths", value: parseOctets, print: printOctets, needs: true},
	Duplicate:   {Form: "duplicate", Text: "sends two copies"},
	Delay:       {Form: "delay=TIME", Text: "waits before sending", value: parseTime, print: func(f *Fault) string { return f.Time.String() }, preset: Fault{Time: time.Second}},
	Truncate:    {Form: "truncate", Text: "omits the second half, and continues with the next FPDU"},
	Reset:       {Form: "reset", Text: "resets the connection in the middle of the message"},
	FIN:         {Form: "fin", Text: "sends a FIN in the middle of the message, and nothing after that"},
	Garbage:     {Form: "garbage=OCTETS", Text: "sends random octets before it", value: parseOctets, print: printOctets, preset: Fault{Octets: 64}},
	Silence:     {Form: "silence", Text: "sends nothing from here on, and no FIN"},
	Slow:        {Form: "slow=OCTETS", Text: "sends at that many octets per second", value: parseOctets, print: printOctets, preset: Fault{Octets: 1000}},
	Split:       {Form: "split=OCTETS", Text: "sends TCP segments of that many octets", value: parseOctets, print: printOctets, preset: Fault{Octets: 1}},
}

// Texts returns every Action with how it is written and what it does.
func Texts() []Text {
	all := texts
	for i := range all {
		all[i].Action = Action(i)
	}
	return all[:]
}

// Name returns the word with which the Action begins: "delay".
func (t *Text) Name() string {
	return t.Form[:strings.IndexAny(t.Form+"=", "= ")]
}

// Unknown returns the error about a word with which none of all begins. It lists them, and suggests a similar one.
func Unknown(word string, all []Text) error {
	var names, forms []string
	for i := range all {
		names, forms = append(names, all[i].Name()), append(forms, all[i].Form)
	}
	return fmt.Errorf("unknown action; want one of %s%s", strings.Join(forms, ", "), spelling.Suggest(word, names, 1))
}

// String returns the Action as it is written.
func (a Action) String() string {
	if a < actions {
		return texts[a].Name()
	}
	return "Action" + strconv.Itoa(int(a))
}

// Parse reads
//
//	ACTION[=VALUE][:MESSAGE[:OCCASION]]
//
// such as "drop:Write:3" or "delay=50ms:ReadResponse:1%". Texts has the actions. MESSAGE is "any", which stands
// for every FPDU and is the default, "MPARequest", "MPAReply", or a message as rdmap.ParseOpcode reads it. OCCASION is
// "3" for the third FPDU of these messages on each connection, "once" for the first, "3+" for the third and those after it, "/3" for
// every third, "5%" for a random share, or "5%/42" for the same with a seed; all of them by default. Errors wrap ErrFault.
func Parse(s string) (f Fault, err error) {
	parts := strings.SplitN(s, ":", 3)
	if len(parts) > 1 {
		f.Message, err = parseMessage(parts[1])
	}
	if err == nil {
		err = f.ParseAction(parts[0])
	}
	if err == nil && len(parts) > 2 {
		f.Occasion, err = ParseOccasion(parts[2])
	}
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return Fault{}, fmt.Errorf("%w: %q: %w", ErrFault, s, err)
	}
	return f, nil
}

// check returns an error if the parts of a Fault are inconsistent.
func (f *Fault) check() error {
	if m := f.Message; (m == MPARequest || m == MPAReply) && f.Action.InFPDU() {
		return fmt.Errorf("%v does not apply to MPA frames", f.Action)
	}
	return nil
}

// InFPDU reports whether an Action is about what FPDUs have, and MPA frames do not.
func (a Action) InFPDU() bool { return a == WrongCRC || a == Corrupt || a == Shorten }

// String returns the text that Parse reads.
func (f Fault) String() string {
	s := f.Action.String()
	if f.Action < actions {
		if t := &texts[f.Action]; t.print != nil {
			s += "=" + t.print(&f)
		}
	}
	o := f.Occasion.String()
	if f.Message != AnyFPDU || o != "" {
		s += ":" + f.Message.String()
	}
	if o != "" {
		s += ":" + o
	}
	return s
}

// ParseAction reads an Action and its value, as Parse does before the first colon, for the Message that the Fault has.
func (f *Fault) ParseAction(s string) error {
	name, value, given := strings.Cut(s, "=")
	for i := range texts {
		t := &texts[i]
		if t.Name() != name {
			continue
		}
		f.Action, f.Time, f.Octets = Action(i), t.preset.Time, t.preset.Octets
		switch {
		case given && t.value == nil:
			return fmt.Errorf("%s has no value", name)
		case given:
			return t.value(f, value)
		case t.needs:
			return fmt.Errorf("%s needs a value: %s", name, t.Form)
		}
		return nil
	}
	return Unknown(name, texts[:])
}

func parseMessage(s string) (Message, error) {
	if o, err := rdmap.ParseOpcode(s); err == nil {
		return OfOpcode(o), nil
	}
	var names []string
	for m := AnyFPDU; m < firstOpcode || rdmap.Opcode(m-firstOpcode).Known(); m++ {
		if s == m.String() {
			return m, nil
		}
		names = append(names, m.String())
	}
	return 0, fmt.Errorf("unknown message; want one of %s%s", strings.Join(names, ", "), spelling.Suggest(s, names, 1))
}

// ParseOccasion reads an Occasion: "3", "once", "3+", "/3", "5%" or "5%/42".
func ParseOccasion(s string) (o Occasion, err error) {
	if s == "once" {
		return Occasion{N: 1}, nil
	}
	if share, ok := strings.CutSuffix(s, "%"); ok || strings.Contains(s, "%/") {
		seed := ""
		if !ok {
			share, seed, _ = strings.Cut(s, "%/")
			if o.Seed, err = strconv.ParseUint(seed, 0, 64); err != nil {
				return o, fmt.Errorf("%q is not a seed", seed)
			}
		}
		percent, err := strconv.ParseFloat(share, 64)
		if err != nil || !(percent > 0 && percent <= 100) {
			return o, fmt.Errorf("%q is not a share: want more than 0%%, at most 100%%", share)
		}
		o.Share = percent / 100
		return o, nil
	}
	digits, every := strings.CutPrefix(s, "/")
	o.Every = every
	if !every {
		digits, o.Later = strings.CutSuffix(s, "+")
	}
	if o.N, err = strconv.Atoi(digits); err != nil || o.N < 1 {
		return o, fmt.Errorf("%q is not an occasion: want 3, 3+, /3, 5%% or 5%%/42", s)
	}
	return o, nil
}

// String returns the text that Parse reads; "" for all.
func (o Occasion) String() string {
	switch {
	case o.Share > 0 && o.Seed != 0:
		return fmt.Sprintf("%v%%/%d", o.Share*100, o.Seed)
	case o.Share > 0:
		return fmt.Sprintf("%v%%", o.Share*100)
	case o.N > 0 && o.Every:
		return fmt.Sprintf("/%d", o.N)
	case o.N > 0 && o.Later:
		return fmt.Sprintf("%d+", o.N)
	case o.N > 0:
		return strconv.Itoa(o.N)
	}
	return ""
}

func parseTime(f *Fault, s string) (err error) {
	if f.Time, err = time.ParseDuration(s); err != nil || f.Time < 0 {
		return fmt.Errorf("%q is not a time: want one like 50ms", s)
	}
	return nil
}

// maxFaultOctets limits what a Fault allocates.
const maxFaultOctets = 1 << 30

func parseOctets(f *Fault, s string) (err error) {
	if f.Octets, err = strconv.Atoi(s); err != nil || f.Octets < 1 || f.Octets > maxFaultOctets {
		return fmt.Errorf("%q is not a number of octets: want 1 to %d", s, maxFaultOctets)
	}
	return nil
}

func printOctets(f *Fault) string { return strconv.Itoa(f.Octets) }

// parseSet reads a change of a field of the Fault's Message.
func parseSet(f *Fault, s string) (err error) {
	message := f.Message.String()
	if f.Message == AnyFPDU {
		message = "FPDU"
	}
	f.Change, err = quirk.ParseRewrite(message, s)
	return err
}

func printSet(f *Fault) string {
	_, change, _ := strings.Cut(strings.TrimPrefix(f.Change.String(), "rewrite "), " ")
	return change
}
