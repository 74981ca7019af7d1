package rules_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/codec/sctp"
)

// A sessionCase is a session over SCTP, chunk by chunk: the side that sends it, "control" or "segment", flags, and
// octets from the DDP-SSN on; or "gap" and a side, "foreign" and a PPID, or "end". Its violations follow "!". The flags
// are those of DDPChunk: o, n and h, or a dash.
type sessionCase struct{ name, script string }

const (
	sessionSend = "4143 00000000 00000000 00000001 00000000 61626364"
	sessionInit = "\n active control - 0000 0001"
	sessionYes  = "\n passive control - 0000 0002"
)

var sessionCases = []sessionCase{
	{"accepted", sessionInit + sessionYes + `
		active segment - 0001 ` + sessionSend + `
		passive segment - 0001 ` + sessionSend + `
		active control - 0002 0004
		passive control - 0002 0004
		end`},
	{"the active side need not wait for the answer", sessionInit + `
		active segment - 0001 ` + sessionSend + sessionYes},
	{"the answer came first", sessionYes + sessionInit},
	{"rejected", sessionInit + `
		passive control - 0000 0003
		end`},
	{"an enhanced one is refused by an ordinary Reject, or by a Terminate", `
		active control - 0000 0005 00010001
		passive control - 0000 0003
		active control - 0001 0004`},
	{"an enhanced Reject need not have a word", `
		active control - 0000 0005 00010001
		passive control - 0000 0007`},
	{"a gap", sessionInit + sessionYes + `
		gap passive
		passive segment - 0009 ` + sessionSend + `
		passive segment - 000a ` + sessionSend},
	{"the beginning is not known", `
		gap active
		gap passive
		active segment - ffff ` + sessionSend + `
		active segment - 0000 ` + sessionSend + `
		passive control - 1234 0004`},

	{"two Initiates", sessionInit + `
		active control - 0001 0001 ! session-order`},
	{"two Accepts", sessionInit + sessionYes + `
		passive control - 0001 0002 ! session-order`},
	{"an Initiate as an answer", sessionInit + `
		passive control - 0000 0001 ! session-order`},
	{"an enhanced Accept to an ordinary Initiate", sessionInit + `
		passive control - 0000 0006 00010001 ! session-order`},
	{"a Terminate instead of an Initiate", `
		active control - 0000 0004 ! session-order`},
	{"a segment instead of an Initiate", `
		active segment - 0000 ` + sessionSend + ` ! session-order`},
	{"a segment instead of an Accept", sessionInit + `
		passive segment - 0000 ` + sessionSend + ` ! session-order`},
	{"a segment after a Reject", sessionInit + `
		passive control - 0000 0003
		passive segment - 0001 ` + sessionSend + ` ! session-order`},
	{"a segment after a Terminate", sessionInit + sessionYes + `
		active control - 0001 0004
		active segment - 0002 ` + sessionSend + ` ! session-order`},
	{"a Terminate after a Terminate", sessionInit + sessionYes + `
		active control - 0001 0004
		active control - 0002 0004 ! session-order`},

	{"function codes", sessionInit + `
		active control - 0001 0000 ! session-function
		active control - 0002 0008 ! session-function
		active control - 0003 ffff`},
	{"513 octets of Private Data", "active control - 0000 0001" + strings.Repeat("00", 513) + " ! session-private-data"},
	{"512 octets of Private Data", "active control - 0000 0001" + strings.Repeat("00", 512)},
	{"a Terminate with Private Data", sessionInit + sessionYes + `
		active control - 0001 0004 00 ! session-terminate-data`},
	{"no Enhanced word", "active control - 0000 0005 000100 ! session-enhanced"},
	{"no Enhanced word in the Accept", `
		active control - 0000 0005 00010001
		passive control - 0000 0006 ! session-enhanced`},
	{"depths and RTR are judged as over MPA", `
		active control - 0000 0005 80010001 ! rtr-none
		passive control - 0000 0006 00010002 ! reply-a-missing ord-over-ird`},
	{"no Ready to Receive", `
		active control - 0000 0005 80014001
		passive control - 0000 0006 80014001
		active segment - 0001 ` + sessionSend + ` ! rtr-kind
		active segment - 0002 ` + sessionSend},

	{"in haste", sessionInit + `
		active segment h 0001 ` + sessionSend + ` ! session-hasty`},
	{"an Initiate in haste", "active control h 0000 0001 ! stream-reuse"},
	{"nobody ends it", sessionInit + sessionYes + `
		end ! session-end`},
	{"a DDP-SSN is skipped", sessionInit + sessionYes + `
		active segment - 0002 ` + sessionSend + ` ! ddp-ssn
		active segment - 0003 ` + sessionSend},
	{"it begins with another DDP-SSN", "active control - 0001 0001 ! ddp-ssn"},
	{"DDP-SSNs wrap", sessionInit + sessionYes + `
		gap active
		active segment - ffff ` + sessionSend + `
		active segment - 0000 ` + sessionSend + `
		active segment - 0000 ` + sessionSend + ` ! ddp-ssn`},
	{"ordered", "active control o 0000 0001 ! chunk-ordered"},
	{"needless fragments", "active control n 0000 0001 ! chunk-fragments"},
	{"a foreign chunk", sessionInit + `
		foreign 46 ! chunk-foreign`},
}

// judge gives a session one line of a script.
func (tc *sessionCase) judge(t *testing.T, s *rules.Session, line string) []rules.Violation {
	word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
	switch word {
	case "end":
		return s.End(nil)
	case "gap":
		s.Gap(rest == "active")
		return nil
	case "foreign":
		ppid, err := strconv.ParseUint(rest, 10, 32)
		if err != nil {
			t.Fatal(err)
		}
		return s.Foreign(uint32(ppid), nil)
	}
	kind, rest, _ := strings.Cut(rest, " ")
	flags, words, _ := strings.Cut(rest, " ")
	b := octetsOf(t, words)
	k := rules.DDPChunk{
		DDPSSN: uint16(b[0])<<8 | uint16(b[1]), Ordered: flags == "o", Needless: flags == "n", Hasty: flags == "h",
	}
	if kind == "control" {
		var c sctp.Control
		if _, err := c.Decode(b); err != nil {
			t.Fatal(err)
		}
		return s.Control(word == "active", &c, len(c.PrivateData), &k, nil)
	}
	_, segmentWords, _ := strings.Cut(words, " ")
	g, n := segment(t, segmentWords)
	return s.Segment(word == "active", g, n, &k, nil)
}

func TestSession(t *testing.T) {
	for _, tc := range sessionCases {
		t.Run(tc.name, func(t *testing.T) {
			var s rules.Session
			for line := range strings.Lines(tc.script) {
				line, want, _ := strings.Cut(line, "!")
				if line = strings.TrimSpace(line); line == "" {
					continue
				}
				if got := names(tc.judge(t, &s, line)); !slices.Equal(got, strings.Fields(want)) {
					t.Errorf("%.60s: %q, want %s", line, got, want)
				}
			}
		})
	}
}

func TestAssociation(t *testing.T) {
	ddp := func(out, in uint16) *rules.AssociationEnd {
		return &rules.AssociationEnd{Indicated: true, Indication: sctp.AdaptationDDP, Outbound: out, Inbound: in}
	}
	for _, tc := range []struct {
		name      string
		end, peer *rules.AssociationEnd
		want      []string
	}{
		{"equal numbers of both", ddp(10, 10), ddp(10, 10), nil},
		{"equal numbers of both come out", ddp(10, 65535), ddp(10, 2048), nil},
		{"more out than in", ddp(10, 5), ddp(10, 10), []string{"stream-numbers"}},
		{"the other side is not known", ddp(10, 5), nil, nil},
		{"no indication", &rules.AssociationEnd{Outbound: 1, Inbound: 1}, ddp(1, 1), []string{"adaptation"}},
		{"another indication", &rules.AssociationEnd{Indicated: true, Indication: 2, Outbound: 1, Inbound: 1}, nil, []string{"adaptation"}},
	} {
		if got := names(rules.CheckAssociation(tc.end, tc.peer, nil)); !slices.Equal(got, tc.want) {
			t.Errorf("%s: %q, want %q", tc.name, got, tc.want)
		}
	}
}

// sessionWanted returns the rules that these cases break.
func sessionWanted() []string {
	all := []string{"stream-numbers", "adaptation"}
	for _, tc := range sessionCases {
		all = append(all, wanted(tc.script)...)
	}
	return all
}
