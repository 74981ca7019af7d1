package quirk

import (
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// Quirks refer to Rules, Situations and fields that exist, and can be written as text.
func TestQuirks(t *testing.T) {
	seen := map[string]bool{}
	for _, k := range Named(peers.RNICs...) {
		if k.Name == "" || k.Text == "" || seen[k.Name] {
			t.Errorf("%q is not a name, or is there twice", k.Name)
		}
		seen[k.Name] = true
		if err := k.Check(); err != nil {
			t.Errorf("%s: %v", k.Name, err)
		}
		again, err := Parse(k.String())
		if err != nil || again.String() != k.String() || k.String() == "" {
			t.Errorf("%s is %q, which is read as %q: %v", k.Name, k.String(), again.String(), err)
		}
		if byName, err := Parse(k.Name, peers.RNICs...); err != nil || byName.Text != k.Text {
			t.Errorf("%s is read as %q: %v", k.Name, byName.Text, err)
		}
	}
}

// What String writes, Parse reads, and it refuses other texts with a suggestion.
func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"suppress write-access":                                             "",
		"suppress send-msn; suppress fpdu-crc":                              "",
		"react write-stag 0/1/00":                                           "",
		"react write-stag drop":                                             "",
		"react queue reset":                                                 "",
		"rewrite Send iwarp_ddp.msn=7":                                      "",
		"rewrite FPDU iwarp_mpa.crc^1":                                      "",
		"rewrite MPAReply iwarp_mpa.rev+9":                                  "",
		"rewrite MPAReply iwarp_mpa.rev=+9":                                 "rewrite MPAReply iwarp_mpa.rev+9",
		"rewrite FPDU iwarp_mpa.crc=^0x1":                                   "rewrite FPDU iwarp_mpa.crc^1",
		`suppress mpa-rev; rewrite MPARequest iwarp_mpa.key.req="a; \"b\""`: "",
		`rewrite MPARequest iwarp_mpa.key.req="\"; x"`:                      "",
		"rewrite MPARequest iwarp_mpa.privatedata=0a0b":                     `rewrite MPARequest iwarp_mpa.privatedata="\n\v"`,
		" rewrite  Send  iwarp_ddp.msn=0x7 ":                                "rewrite Send iwarp_ddp.msn=7",
	} {
		if want == "" {
			want = text
		}
		if k, err := Parse(text); err != nil || k.String() != want || k.Name != strings.TrimSpace(text) {
			t.Errorf("%s: %s, %v", text, &k, err)
		}
	}
	for text, want := range map[string]string{
		"no-right":                                               "want a name, suppress NAME, react SITUATION HOW or rewrite MESSAGE FIELD=VALUE; did you mean no-rights?",
		"":                                                       "want a name",
		"suppress":                                               "want a name",
		"suppress a b":                                           "want a name",
		"suppress write-acess":                                   "did you mean write-access?",
		"suppress queue":                                         "no Situation",
		"suppress rpc1-region":                                   "no Rule that an RNIC checks",
		"react write-acess drop":                                 "did you mean write-access?",
		"react queue drop":                                       "no segment to drop",
		"react write-stag 9":                                     "want drop, reset or the code",
		"rewrite Send iwarp_ddp.mns=1":                           "no field iwarp_ddp.mns in a Send; did you mean iwarp_ddp.msn",
		"rewrite Send iwarp_ddp.msn":                             "want FIELD=VALUE",
		"rewrite Send iwarp_ddp.msn=x":                           `want a number in iwarp_ddp.msn: strconv.ParseUint: parsing "x": invalid syntax`,
		"rewrite Send iwarp_ddp.msn=+":                           "want a number in iwarp_ddp.msn",
		"rewrite Send iwarp_ddp.msn==1":                          "want a number in iwarp_ddp.msn",
		"rewrite Send iwarp_ddp.msn=-1":                          "want a number in iwarp_ddp.msn",
		"rewrite Send iwarp_ddp.stag=1":                          "no field",
		"rewrite Sent iwarp_ddp.msn=1":                           "is not an Opcode",
		"rewrite Opcode14 iwarp_ddp.msn=1":                       "unknown message",
		"rewrite Send iwarp_ddp.dv=4":                            "2 bits",
		"rewrite MPARequest iwarp_mpa.key.rep=00":                "no field",
		"rewrite MPARequest iwarp_mpa.key.req=0":                 "odd length",
		`rewrite MPARequest iwarp_mpa.rev="a"`:                   "a number of 8 bits",
		`rewrite MPARequest iwarp_mpa.key.req^"a"`:               "must be octets",
		`rewrite MPARequest iwarp_mpa.key.req=""`:                "must be octets",
		`rewrite MPAReply iwarp_mpa.key.rep="12345678901234567"`: "16 octets",
	} {
		if k, err := Parse(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %s, %v", text, &k, err)
		}
	}
}

// Quirks that were not parsed are checked too.
func TestCheck(t *testing.T) {
	for _, k := range []Quirk{
		{Rewrite: []Rewrite{{Frame: 9, Field: "iwarp_mpa.rev"}}},
		{Rewrite: []Rewrite{{Field: "iwarp_ddp.to", Message: rdmap.OpWrite}}},
		{Rewrite: []Rewrite{{Field: "iwarp_ddp.msn", Message: rdmap.OpSend, Change: 9}}},
		{React: map[rules.Situation]Reaction{rules.WriteSTag: {Drop: true, Reset: true}}},
	} {
		if err := k.Check(); err == nil {
			t.Errorf("%s is possible", &k)
		}
	}
}

// What siw is known to do differs from what the RFCs demand, and both are only in the table of situations.
func TestPeerAnswers(t *testing.T) {
	siw := Deviations(&peers.SIW)
	want := rdmap.Code{Layer: rdmap.LayerRDMAP, EType: rdmap.RDMAPRemoteOperation, ErrorCode: 7}
	if got := siw.React[rules.ReadIRD].Code; got != want {
		t.Errorf("%v, want %v", got, want)
	}
	if _, ok := siw.React[rules.WriteSTag]; ok {
		t.Error("siw answers a Write to a wrong STag as the RFCs do")
	}
	if !siw.React[rules.ReadLong].Reset {
		t.Error("siw closes the connection for a Read Request that is too long")
	}
}

// Everything that can be suppressed has a name of its own, every Situation that a segment causes included.
func TestSuppressible(t *testing.T) {
	seen := map[string]bool{}
	for s := range Suppressible() {
		if seen[s.String()] || s.String() == "" {
			t.Errorf("%s is there twice, or no name", s)
		}
		seen[s.String()] = true
	}
	for s := rules.NoSituation + 1; s < rules.NumSituations; s++ {
		if !seen[s.String()] && !slices.Contains(ownSituations, s) {
			t.Errorf("%v cannot be suppressed", s)
		}
	}
}
