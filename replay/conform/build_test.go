package conform

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// somebody returns a Setup for a peer that takes four Reads.
func somebody(side scenario.Side) *Setup {
	s := Assume(side)
	s.Peer.IRD = 4
	return s
}

// ask returns a case of a section.
func ask(c Case) Question {
	c.Name, c.Says = "case", "It is so."
	return Question{Case: &c, Section: &Section{Document: "RFC5041", Number: "7.1"}}
}

func TestBuild(t *testing.T) {
	script := `
		# It leaves out the first.
		> [bad] Segment Send MSN=2 {quiet "abc"}
		may known unchecked read-mo "is nobody" FIN
		< refuses send-msn to [bad]`
	s, err := Build(ask(Case{Ask: Texts(script, `> Send {write! 256 0 0x1000 0x20000}
		< Write STag=0x1000 TO=0x20000 00*256
		< Send {done write}`)}), somebody(scenario.Client))
	if err != nil {
		t.Fatal(err)
	}
	text := s.String()
	for _, want := range []string{
		"# It leaves out the first.", "3 client after 2 Segment Send MSN=2 00000000", "4 server after 3 Refusal send-msn to 3", "connection alive",
		"10010000 00000100 00000000 00001000", "IRD=16 ORD=4",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in:\n%s", want, text)
		}
	}
	if strings.Contains(text, "is nobody") {
		t.Error("a line for peers that are known for something is there")
	}
}

func TestBuildErrors(t *testing.T) {
	for _, tt := range []struct{ script, want string }{
		{"Send abc", `begins with >, <`},
		{"> Send {echo", "not closed"},
		{"> Send {shout}", `unknown command "shout"`},
		{"> Send {write 1 2}", "has 2 arguments, want 4"},
		{"> Send {report!}", "always answered"},
		{"< refuses nonsense", `no Situation "nonsense"`},
		{"< Refusal send-msn to [x]", `no earlier step is named "x"`},
		{"> Sned", "RFC5041/7.1/case:"},
		{"< closes or so", `only "or resets" may follow closes`},
		{"< reply R", `unexpected "R" after reply`},
		{"< OneOf\nor FIN\nmay known unseen read-mo \"is odd\" FIN", "known unseen read-mo"},
		{"< OneOf\nor FIN\nmay known unchecked nonsense \"is odd\" FIN", "known unchecked nonsense"},
		{"< hello there", "only a flag may follow hello"},
	} {
		_, err := Build(ask(Case{Ask: Text(tt.script)}), somebody(scenario.Client))
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%q: %v", tt.script, err)
		}
	}
}

func TestBuildAsResponder(t *testing.T) {
	s, err := Build(ask(Case{Ask: Text("")}), somebody(scenario.Server))
	if err != nil {
		t.Fatal(err)
	}
	if text := s.String(); !strings.Contains(text, "3 client after 2 Send 00000000") {
		t.Error(text)
	}
}

// What a case can say of frames: more fields and octets of ours, and what comes after them.
func TestBuildFrames(t *testing.T) {
	as := func(side scenario.Side, word mpa.Enhanced) *Setup {
		s := Assume(side)
		s.Peer.Frame = enhance(s.Peer.Frame, word)
		return s
	}
	for _, tt := range []struct {
		setup  *Setup
		script string
		want   string
	}{
		{as(scenario.Client, mpa.Enhanced{}), "> request R Res=3\n| \"private\"\n< reply", `MPARequest C R S Res=0x3 Rev=2 enhanced IRD=16 ORD=16 "private"`},
		{as(scenario.Client, mpa.Enhanced{}), "> request\n< closes or resets", "3 client after 2 FIN"},
		{as(scenario.Server, mpa.Enhanced{}), "< request\n> reply\n< hello", "3 client after 2 Send 00000000"},
		{as(scenario.Server, mpa.Enhanced{A: true, C: true}), "< request\n> reply\n< hello", "or Write"},
		{as(scenario.Server, mpa.Enhanced{A: true, D: true}), "< request\n> reply\n< hello", "4 server after 3 ReadResponse to 3"},
	} {
		s, err := Build(ask(Case{Bare: true, Ask: Each("%s", tt.script)}), tt.setup)
		if err != nil {
			t.Errorf("%s: %v", tt.script, err)
		} else if text := s.String(); !strings.Contains(text, tt.want) {
			t.Errorf("%q is missing in:\n%s", tt.want, text)
		}
	}
}
