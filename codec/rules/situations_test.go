package rules_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

func code(t testing.TB, s string) rdmap.Code {
	t.Helper()
	c, err := rdmap.ParseCode(s)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestSituations(t *testing.T) {
	names := map[string]bool{}
	for s := rules.NoSituation + 1; s < rules.NumSituations; s++ {
		d := &rules.Situations[s]
		if names[d.Name] || d.Name == "" || d.Text == "" || rules.LookupSituation(d.Name) != s {
			t.Errorf("situation %d is called %q: %q", s, d.Name, d.Text)
		}
		names[d.Name] = true
		if d.RFC.Act == rules.Unknown || d.RFC.Act == rules.AsRFC {
			t.Errorf("%v: nothing is demanded", s)
		}
		wellFormed(t, s.String()+", by the RFCs", d.RFC)
		wellFormed(t, s.String()+", by the Verbs", d.Verbs)
		if (d.HdrCt == rules.NoTerminate) != (len(d.RFC.Codes) == 0) {
			t.Errorf("%v: HdrCt %q with %v", s, d.HdrCt, d.RFC.Codes)
		}
		for c := range slices.Concat(d.RFC.Codes, d.Also).All() {
			if !c.Registered() {
				t.Errorf("%v: %v is not registered", s, c)
			}
		}
		for c := range d.Also.All() {
			if d.RFC.Codes.Accepts(c) {
				t.Errorf("%v: %v is demanded and left open", s, c)
			}
		}
		// Headers are enclosed for all errors that a message caused, and for no others (RFC 5040, figure 10).
		for c := range d.RFC.Codes.All() {
			wantHeader := !(c.Layer == rdmap.LayerLLP || c.EType == 0 || d.HdrCt == rules.Bare)
			if got := d.HdrCt == rules.MD || d.HdrCt == rules.MDR; got != wantHeader {
				t.Errorf("%v: HdrCt %v with %v", s, d.HdrCt, c)
			}
		}
	}
	if rules.LookupSituation("nowhere") != rules.NoSituation || rules.NoSituation.String() != "" {
		t.Error("there is a situation nowhere")
	}
}

// wellFormed checks that an answer has codes if it is a Terminate, and a note if it is something else.
func wellFormed(t *testing.T, where string, a rules.Answer) {
	t.Helper()
	if (a.Act == rules.Terminates) != (len(a.Codes) > 0) {
		t.Errorf("%s: act %d with %v", where, a.Act, a.Codes)
	}
	if a.Act > rules.Terminates && a.Note == "" {
		t.Errorf("%s: what is done is not said", where)
	}
}

// TestEveryCodeHasASituation checks that each registered code for a peer's error is demanded or allowed in some
// situation.
func TestEveryCodeHasASituation(t *testing.T) {
	exempt := map[rdmap.Code]bool{
		code(t, "2/0/01"): true, // TCP is lost: nothing can be sent
	}
	for c := range rdmap.Codes() {
		if exempt[c] || c.Layer == rdmap.LayerDDP && c.EType == 3 {
			continue
		}
		if !slices.ContainsFunc(rules.Situations[:], func(d rules.Demand) bool {
			return d.RFC.Codes.Accepts(c) || d.Also.Accepts(c)
		}) {
			t.Errorf("%v (%s) answers no Situation: situations.go needs one that demands or allows it", c, c.Name())
		}
	}
}

func TestCodes(t *testing.T) {
	local := rules.Situations[rules.LocalError].RFC.Codes
	if !local.Accepts(code(t, "0/0/42")) || local.Accepts(code(t, "0/1/00")) || local.Contains(code(t, "0/0/42")) {
		t.Error("any error code goes with 0/0, and only with it")
	}
	if got := (rules.Codes{0x1205, 0x02FF}).String(); got != "1/2/05 or 0/2/FF" {
		t.Error(got)
	}
	if c, ok := rules.Codes(nil).First(); ok || c != (rdmap.Code{}) {
		t.Errorf("%v is the first of none", c)
	}
}

func TestHdrCt(t *testing.T) {
	for want, terminate := range map[string]rdmap.Terminate{"000": {}, "110": {M: true, D: true}, "011": {D: true, R: true}} {
		if got := rules.HdrCtOf(&terminate).String(); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func TestTexts(t *testing.T) {
	s := rules.WriteAccess
	if got := s.Text(); got != "the buffer of a Write does not allow remote writes" {
		t.Error(got)
	}
	if got := s.TextFor(rdmap.OpWrite); got != "the buffer of a Write does not allow remote writes" {
		t.Error(got)
	}
	if got := s.TextFor(rdmap.OpReadResponse); got != "the buffer of a Read Response does not allow remote writes" {
		t.Error(got)
	}
}

func ExampleSituation() {
	d := &rules.Situations[rules.SendTooLong]
	fmt.Println(rules.SendTooLong.Text())
	fmt.Println("by the RFCs", d.RFC.Codes, "with M D R", d.HdrCt)
	fmt.Println("by the Verbs", d.Verbs.Codes)
	// Output:
	// a Send is longer than the receive buffer
	// by the RFCs 1/2/05 with M D R 110
	// by the Verbs 0/0/00
}
