package rules_test

import (
	"fmt"
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

func find(t testing.TB, name string) *rules.Situation {
	t.Helper()
	for i := range rules.Situations {
		if rules.Situations[i].Name == name {
			return &rules.Situations[i]
		}
	}
	t.Fatalf("there is no situation %s", name)
	return nil
}

func TestSituations(t *testing.T) {
	names := map[string]bool{}
	for i := range rules.Situations {
		s := &rules.Situations[i]
		if names[s.Name] || s.Name == "" || s.Text == "" {
			t.Errorf("situation %d is called %q: %q", i, s.Name, s.Text)
		}
		names[s.Name] = true
		demanded := &s.Answers[rules.RFC]
		if !demanded.Known || len(demanded.Codes) == 0 && demanded.Note == "" {
			t.Errorf("%s: nothing is demanded", s.Name)
		}
		if (s.HdrCt == "") != (len(demanded.Codes) == 0) {
			t.Errorf("%s: HdrCt %q with %v", s.Name, s.HdrCt, demanded.Codes)
		}
		for _, c := range append(demanded.Codes[:len(demanded.Codes):len(demanded.Codes)], s.Also...) {
			if !c.Registered() {
				t.Errorf("%s: %v is not registered", s.Name, c)
			}
		}
		for _, c := range s.Also {
			if demanded.Sends(c) {
				t.Errorf("%s: %v is demanded and left open", s.Name, c)
			}
		}
		// Headers go with all errors that a message caused, and with no other (RFC 5040, figure 10).
		for _, c := range demanded.Codes {
			wantHeader := !(c.Layer == rdmap.LayerLLP || c.EType == 0 || s.HdrCt == "000")
			if got := len(s.HdrCt) == 3 && s.HdrCt[1] == '1'; got != wantHeader {
				t.Errorf("%s: HdrCt %s with %v", s.Name, s.HdrCt, c)
			}
		}
	}
}

// TestEveryCodeHasASituation looks that each code of the registry that is an error of a peer is demanded or left open in
// some situation.
func TestEveryCodeHasASituation(t *testing.T) {
	exempt := map[rdmap.Code]bool{
		code(t, "2/0/01"): true, // TCP is lost: nothing can be sent
	}
	for c := range rdmap.Codes {
		if exempt[c] || c.Layer == rdmap.LayerDDP && c.EType == 3 {
			continue
		}
		found := false
		for i := range rules.Situations {
			s := &rules.Situations[i]
			also := rules.Answer{Codes: s.Also}
			found = found || s.Answers[rules.RFC].Sends(c) || also.Sends(c)
		}
		if !found {
			t.Errorf("%v (%s) is the answer to nothing", c, c.Name())
		}
	}
}

// TestSIW compares with Terminates that the kernel's siw sent in captures, in the meaning that it gave them.
func TestSIW(t *testing.T) {
	for _, tc := range []struct{ capture, situation, code string }{
		{"term-read-badkey", "read-stag", "0/1/00"},
		{"term-read-oob", "read-bounds", "0/1/01"},
		{"term-write-badkey", "write-stag", "1/1/00"},
		{"term-write-noaccess", "write-access", "1/1/00"},
		{"term-write-oob-multi", "write-bounds", "1/1/01"},
		{"term-write-wrap", "write-wrap", "1/1/01"},
		{"term-send-nobuf", "send-no-buffer", "1/2/02"},
		{"term-send-toolong-multi", "send-too-long", "1/2/02"},
		{"term-send-badrecvlkey", "receive-sge", "1/0/00"},
		{"term-local-badlkey-send", "local", "0/0/FF"},
	} {
		a := &find(t, tc.situation).Answers[rules.SIW]
		if !a.Sends(code(t, tc.code)) {
			t.Errorf("%s: siw sent %s, the table says %v", tc.capture, tc.code, a.Codes)
		}
	}
	if len(find(t, "read-access").Answers[rules.SIW].Codes) != 0 {
		t.Error("term-read-noaccess shows that siw does not check the right to read")
	}
}

func TestSends(t *testing.T) {
	local := &find(t, "local").Answers[rules.RFC]
	if !local.Sends(code(t, "0/0/42")) || local.Sends(code(t, "0/1/00")) {
		t.Error("any error code goes with 0/0, and only with it")
	}
	if rules.CXGB4.String() != "cxgb4" || rules.RFC.String() != "rfc" {
		t.Error("names of peers")
	}
}

func ExampleSituation() {
	for i := range rules.Situations {
		s := &rules.Situations[i]
		if s.Name != "send-too-long" {
			continue
		}
		fmt.Println(s.Text)
		for peer := range rules.NumPeers {
			fmt.Println(peer, s.Answers[peer].Codes)
		}
	}
	// Output:
	// a Send is longer than the receive buffer
	// rfc [1/2/05]
	// verbs [0/0/00]
	// siw [1/2/02]
	// irdma [1/2/05]
	// cxgb4 [1/2/05]
}
