package rules_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// A receiverCase is the traffic of one end of a stream, line by line:
//
//	in [+N] HEX [-> REQUEST [last]] [! RULE...]   a received ULPDU, of which N more octets were not captured, the
//	                                              request that it answers, and its violations;
//	                                              "? RULE" is one that missed messages may have changed
//	out [+N] HEX                                  a sent ULPDU
//	gap, out-gap                                  octets are missing
type receiverCase struct {
	name       string
	conditions rules.Conditions
	script     string
}

// agreed are the Conditions of an ordinary stream.
var agreed = rules.Conditions{Version: 1, IRD: -1}

// receiverCases holds those of all files, by subject.
var receiverCases = map[string][]receiverCase{
	"header": headerCases, "untagged": untaggedCases, "tagged": taggedCases, "control": controlCases,
	"request": requestCases, "response": responseCases, "terminate": terminateCases, "gap": gapCases,
}

func TestReceiver(t *testing.T) {
	for subject, cases := range receiverCases {
		for _, tc := range cases {
			t.Run(subject+"/"+tc.name, func(t *testing.T) { tc.run(t) })
		}
	}
}

func (tc *receiverCase) run(t *testing.T) {
	var r rules.Receiver
	r.Reset(tc.conditions)
	for line := range strings.Lines(tc.script) {
		lost := false
		words, want, certain := strings.Cut(strings.TrimSpace(line), "!")
		if !certain {
			words, want, lost = strings.Cut(words, "?")
		}
		words, match, matched := strings.Cut(words, "->")
		verb, octets, _ := strings.Cut(strings.TrimSpace(words), " ")
		switch verb {
		case "":
		case "gap":
			r.Gap()
		case "out-gap":
			r.SentGap()
		case "out":
			s, n := segment(t, octets)
			r.Sent(s, n)
		case "in":
			s, n := segment(t, octets)
			v := r.Segment(s, n, nil)
			if lost && slices.ContainsFunc(v, func(v rules.Violation) bool { return v.Doubt != rules.Lost }) {
				t.Errorf("%s\nis certain", line)
			}
			got := names(v)
			if !slices.Equal(got, strings.Fields(want)) {
				t.Errorf("%s\ngot  %q\nwant %q", line, got, strings.Fields(want))
			}
			if got := matchText(&r); matched && got != strings.TrimSpace(match) {
				t.Errorf("%s\nanswers %q, want %q", line, got, match)
			}
		default:
			t.Fatalf("line %q", line)
		}
	}
}

func matchText(r *rules.Receiver) string {
	m := r.Match()
	text := "none"
	if m.Known {
		text = strconv.FormatUint(m.Request, 10)
	}
	if m.Last && m.Known {
		text += " last"
	}
	return text
}

// segment reads octets in hex, after "+N" for octets not captured, and returns the length of the ULPDU.
func segment(t testing.TB, words string) (*rdmap.Segment, int) {
	missing := 0
	if rest, ok := strings.CutPrefix(strings.TrimSpace(words), "+"); ok {
		number, octets, _ := strings.Cut(rest, " ")
		n, err := strconv.Atoi(number)
		if err != nil {
			t.Fatal(err)
		}
		missing, words = n, octets
	}
	b := octetsOf(t, words)
	s := new(rdmap.Segment)
	if _, err := s.Decode(b); err != nil && missing > 0 {
		t.Fatal(err)
	}
	return s, len(b) + missing
}

var octetsOf = codectest.Octets

func names(v []rules.Violation) (all []string) {
	for i := range v {
		all = append(all, v[i].Name)
	}
	return all
}

// wanted returns the rules that a script names after "!".
func wanted(script string) (all []string) {
	for line := range strings.Lines(script) {
		if _, want, ok := strings.Cut(line, "!"); ok {
			all = append(all, strings.Fields(want)...)
		}
	}
	return all
}

// TestEveryRuleIsTried checks that some case breaks each Rule of MPA, SCTP, DDP and RDMAP.
func TestEveryRuleIsTried(t *testing.T) {
	tried := map[string]bool{}
	for _, cases := range receiverCases {
		for _, tc := range cases {
			for _, name := range wanted(tc.script) {
				tried[name] = true
			}
		}
	}
	for _, lists := range [][]string{startupWanted(), fpduWanted(), culpritWanted(), sessionWanted()} {
		for _, name := range lists {
			tried[name] = true
		}
	}
	for r := range rules.Rules() {
		if !tried[r.Name] {
			t.Errorf("no case breaks %s: add one with \"! %[1]s\" to the test of its file, such as control_test.go", r.Name)
		}
	}
}

func TestOutstanding(t *testing.T) {
	var r rules.Receiver
	r.Reset(agreed)
	in := func(words string) {
		s, n := segment(t, words)
		if v := r.Segment(s, n, nil); len(v) != 0 {
			t.Errorf("%s: %q", words, names(v))
		}
	}
	out := func(words string) { s, n := segment(t, words); r.Sent(s, n) }
	check := func(now, most int) {
		t.Helper()
		if r.Outstanding() != now || r.MaxOutstanding() != most {
			t.Errorf("%d outstanding, at most %d; want %d, %d", r.Outstanding(), r.MaxOutstanding(), now, most)
		}
	}
	check(0, 0)
	in("4141 00000000 00000001 00000001 00000000 0000000A 00000000 00000000 00000008 0000000B 00000000 00000000")
	in("414A 00000000 00000001 00000002 00000000 00000000 00000007 0000000B 00000000 00000008 00000000 00000001" +
		"00000000 00000000 00000000 00000000 FFFFFFFF FFFFFFFF")
	check(2, 2)
	out("8142 0000000A 00000000 00000000 01020304") // not its end
	check(2, 2)
	out("C142 0000000A 00000000 00000004 01020304")
	check(1, 2)
	out("414B 00000000 00000003 00000001 00000000 00000007 00000000 00000000")
	check(0, 2)
	out("414B 00000000 00000003 00000002 00000000 00000007 00000000 00000000") // answers nothing
	check(0, 2)
	in("4141 00000000 00000001 00000003 00000000 0000000A 00000000 00000000 00000008 0000000B 00000000 00000000")
	r.SentGap() // perhaps it was answered
	check(0, 2)
	r.Reset(agreed)
	check(0, 0)
}

// TestAnswersFirst checks that violations that a Terminate answers precede those that a receiver ignores.
func TestAnswersFirst(t *testing.T) {
	var r rules.Receiver
	r.Reset(agreed)
	s, n := segment(t, "7D73 11223344 00000000 00000007 00000000") // reserved bits, and MSN 7
	v := r.Segment(s, n, []rules.Violation{{Seen: "before"}})
	want := []string{"send-msn", "ddp-reserved", "rdmap-reserved", "reserved-stag"}
	if v[0].Seen != "before" || !slices.Equal(names(v[1:]), want) {
		t.Errorf("%+v", v)
	}
	if v[1].Seen != "MSN 7" || v[1].Expected != "MSN 1" {
		t.Errorf("%+v", v[1])
	}
}

func TestReceiverIsSmall(t *testing.T) {
	if size := unsafe.Sizeof(rules.Receiver{}); size > 320 {
		t.Errorf("%d octets", size)
	}
}

// clean returns a Write in two segments, a Send, a Read Request that goes out, and its Response.
func clean(t testing.TB) (in []rdmap.Segment, lens []int, out *rdmap.Segment) {
	for _, words := range []string{
		"+1440 8140 A1B2C301 00000000 00001000",
		"+1000 C140 A1B2C301 00000000 000015A0",
		"+100  4143 00000000 00000000 00000001 00000000",
		"+1440 8142 CAFE0001 00000000 00002000",
		"+608  C142 CAFE0001 00000000 000025A0",
	} {
		s, n := segment(t, words)
		in, lens = append(in, *s), append(lens, n)
	}
	out, _ = segment(t, "4141 00000000 00000001 00000001 00000000"+
		"CAFE0001 00000000 00002000 00000800 BEEF0002 00007F00 00004000")
	return in, lens, out
}

func TestReceiverDoesNotAllocate(t *testing.T) {
	in, lens, out := clean(t)
	for _, below := range []string{"+1440 8140 A1B2C301 00000000 00000000", "+1000 C140 A1B2C301 00000000 000005A0"} {
		s, n := segment(t, below)
		in, lens = append(in, *s), append(lens, n)
	}
	var r rules.Receiver
	var v []rules.Violation
	round := func() {
		r.Reset(agreed)
		r.Sent(out, 46)
		for i := range in {
			v = r.Segment(&in[i], lens[i], v)
		}
	}
	round()
	if allocs := testing.AllocsPerRun(100, round); allocs != 0 || len(v) != 0 {
		t.Errorf("%v allocations, %q", allocs, names(v))
	}
}

func BenchmarkReceiver(b *testing.B) {
	in, lens, out := clean(b)
	for _, bc := range []struct {
		name        string
		first, last int
	}{{"Write", 0, 2}, {"Send", 2, 3}, {"ReadResponse", 3, 5}} {
		b.Run(bc.name, func(b *testing.B) {
			var r rules.Receiver
			r.Reset(agreed)
			var v []rules.Violation
			msn := uint32(0)
			b.ReportAllocs()
			for b.Loop() {
				if bc.first == 3 {
					r.Sent(out, 46)
				}
				for i := bc.first; i < bc.last; i++ {
					s := &in[i]
					if !s.T {
						msn++
						s.Untagged.MSN = msn
					}
					v = r.Segment(s, lens[i], v)
				}
			}
			if len(v) != 0 {
				b.Fatal(names(v))
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*(bc.last-bc.first)), "ns/segment")
		})
	}
}
