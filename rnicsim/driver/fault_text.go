package driver

// Faults as text.

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/spelling"
)

// ErrFault is wrapped by the errors of ParseFault.
var ErrFault = errors.New("driver: not a fault")

// A FaultText describes how to write an Action, and what it does.
type FaultText struct {
	Action Action
	Form   string // "delay=TIME"
	Text   string
	value  func(f *Fault, s string) error // reads the value after "="; nil if there is none
	print  func(f *Fault) string
	preset Fault // the default of the value
	needs  bool  // the value is required
}

// faultTexts describes every Action.
var faultTexts = [actions]FaultText{
	Drop:        {Form: "drop", Text: "does not send the FPDU"},
	WrongCRC:    {Form: "crc", Text: "sends the FPDU with a wrong CRC"},
	Set:         {Form: "set=FIELD/VALUE", Text: "sets a field in the headers, with a correct CRC", value: parseSet, print: printSet, needs: true},
	FlipHeader:  {Form: "flip-header", Text: "flips a bit of the headers, as bad memory on the path would: the CRC is wrong"},
	FlipPayload: {Form: "flip-payload", Text: "flips a bit of the payload, or of the headers if there is none; the CRC is wrong"},
	Duplicate:   {Form: "duplicate", Text: "sends the FPDU twice"},
	Delay:       {Form: "delay=TIME", Text: "waits before the FPDU is sent", value: parseTime, print: printTime, preset: Fault{Time: time.Second}},
	Truncate:    {Form: "truncate", Text: "omits the second half of the FPDU, and continues with the next"},
	Reset:       {Form: "reset", Text: "resets the connection in the middle of the FPDU"},
	FIN:         {Form: "fin", Text: "sends a FIN in the middle of the FPDU, and nothing after it"},
	Garbage:     {Form: "garbage=OCTETS", Text: "sends random octets before the FPDU", value: parseOctets, print: printOctets, preset: Fault{Octets: 64}},
	Silence:     {Form: "silence", Text: "sends neither the FPDU nor anything after it, and no FIN"},
	Slow:        {Form: "slow=OCTETS", Text: "sends the FPDU at so many octets per second", value: parseOctets, print: printOctets, preset: Fault{Octets: 1000}},
	Split:       {Form: "split=OCTETS", Text: "sends the FPDU in TCP segments of so many octets", value: parseOctets, print: printOctets, preset: Fault{Octets: 1}},
}

// FaultTexts returns every Action with how it is written and what it does.
func FaultTexts() []FaultText {
	all := faultTexts
	for i := range all {
		all[i].Action = Action(i)
	}
	return all[:]
}

// name returns the part before "=".
func (t *FaultText) name() string {
	name, _, _ := strings.Cut(t.Form, "=")
	return name
}

// String returns the Action as it is written.
func (a Action) String() string {
	if a < actions {
		return faultTexts[a].name()
	}
	return "Action" + strconv.Itoa(int(a))
}

// ParseFault reads
//
//	ACTION[=VALUE][:MESSAGE[:OCCASION]]
//
// such as "drop:Write:3" or "delay=50ms:ReadResponse:1%". FaultTexts has the actions. MESSAGE is "any", which stands
// for every FPDU and is the default, "MPARequest", "MPAReply", or a message as rdmap.ParseOpcode reads it. OCCASION is
// "3" for the third FPDU of these messages on each connection, "3+" for that and those after it, "5%" for a random
// share, or "5%/42" for the same with a seed; all of them by default. Errors wrap ErrFault.
func ParseFault(s string) (f Fault, err error) {
	parts := strings.SplitN(s, ":", 3)
	if f, err = parseAction(parts[0]); err == nil && len(parts) > 1 {
		f.Message, err = parseMessage(parts[1])
	}
	if err == nil && len(parts) > 2 {
		f.Occasion, err = parseOccasion(parts[2])
	}
	if err == nil {
		err = f.check()
	}
	if err != nil {
		return Fault{}, fmt.Errorf("%w: %q: %w", ErrFault, s, err)
	}
	return f, nil
}

// ParseFaults reads several, separated by commas.
func ParseFaults(s string) (all []Fault, err error) {
	for part := range strings.SplitSeq(s, ",") {
		f, err := ParseFault(part)
		if err != nil {
			return nil, err
		}
		all = append(all, f)
	}
	return all, nil
}

// check returns an error if the parts of a Fault are inconsistent.
func (f *Fault) check() error {
	if m := f.Message; (m == MPARequest || m == MPAReply) && (f.Action == WrongCRC || f.Action == Set) {
		return fmt.Errorf("%v does not apply to MPA frames", f.Action)
	}
	return nil
}

// String returns the text that ParseFault reads.
func (f Fault) String() string {
	s := f.Action.String()
	if f.Action < actions {
		if t := &faultTexts[f.Action]; t.print != nil {
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

func parseAction(s string) (Fault, error) {
	name, value, given := strings.Cut(s, "=")
	var names, forms []string
	for i := range faultTexts {
		t := &faultTexts[i]
		names, forms = append(names, t.name()), append(forms, t.Form)
		if t.name() != name {
			continue
		}
		f := t.preset
		f.Action = Action(i)
		switch {
		case given && t.value == nil:
			return f, fmt.Errorf("%s has no value", name)
		case given:
			return f, t.value(&f, value)
		case t.needs:
			return f, fmt.Errorf("%s needs a value: %s", name, t.Form)
		}
		return f, nil
	}
	return Fault{}, fmt.Errorf("unknown action; want one of %s%s", strings.Join(forms, ", "), near(name, names))
}

// near suggests a similar word.
func near(word string, words []string) string {
	for _, found := range spelling.Nearest(word, words, 1) {
		return "; did you mean " + found + "?"
	}
	return ""
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
	return 0, fmt.Errorf("unknown message; want one of %s%s", strings.Join(names, ", "), near(s, names))
}

func parseOccasion(s string) (o Occasion, err error) {
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
	digits, later := strings.CutSuffix(s, "+")
	o.Later = later
	if o.N, err = strconv.Atoi(digits); err != nil || o.N < 1 {
		return o, fmt.Errorf("%q is not an occasion: want 3, 3+, 5%% or 5%%/42", s)
	}
	return o, nil
}

// String returns the text that ParseFault reads; "" for all.
func (o Occasion) String() string {
	switch {
	case o.Share > 0 && o.Seed != 0:
		return fmt.Sprintf("%v%%/%d", o.Share*100, o.Seed)
	case o.Share > 0:
		return fmt.Sprintf("%v%%", o.Share*100)
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

func printTime(f *Fault) string { return f.Time.String() }

// maxFaultOctets limits what a Fault allocates.
const maxFaultOctets = 1 << 30

func parseOctets(f *Fault, s string) (err error) {
	if f.Octets, err = strconv.Atoi(s); err != nil || f.Octets < 1 || f.Octets > maxFaultOctets {
		return fmt.Errorf("%q is not a number of octets: want 1 to %d", s, maxFaultOctets)
	}
	return nil
}

func printOctets(f *Fault) string { return strconv.Itoa(f.Octets) }

func parseSet(f *Fault, s string) (err error) {
	name, value, ok := strings.Cut(s, "/")
	if !ok {
		return errors.New("want set=FIELD/VALUE")
	}
	if !knownField(name) {
		return fmt.Errorf("no header of DDP or RDMAP has a field %q", name)
	}
	f.Field = name
	if f.Value, err = strconv.ParseUint(value, 0, 64); err != nil {
		return fmt.Errorf("%q is not a value: want a number, decimal or with 0x", value)
	}
	return nil
}

func printSet(f *Fault) string { return f.Field + "/" + strconv.FormatUint(f.Value, 10) }
