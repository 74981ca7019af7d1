package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// A startupCase is the beginning of a connection, line by line: a Request or Reply without its Key, a ULPDU of the
// Initiator or the Responder, or "gap" and a side; the violations follow "!".
type startupCase struct{ name, profile, script string }

var startupCases = []startupCase{
	{"client and server", "rfc", `
		request   40010000
		reply     40010000
		initiator 4143 00000000 00000000 00000001 00000000 61626364
		responder 4143 00000000 00000000 00000001 00000000 61626364`},
	{"after a rejection they try again", "rfc", `
		request   40010000
		reply     60010000
		request   C0010000
		reply     40010000
		initiator 4143 00000000 00000000 00000001 00000000`},
	{"the Request was not captured", "rfc", `
		reply     40010000
		responder 4143 00000000 00000000 00000001 00000000`},
	{"nothing was captured", "rfc", `
		responder 4143 00000000 00000000 00000001 00000000`},
	{"an RDMAC Responder", "rfc", `
		request   00010000
		reply     C0000000 ! rdmac-rev
		initiator 4003 00000000 00000000 00000001 00000000`},

	{"reserved bits", "rfc", `request 48010000 ! mpa-reserved`},
	{"R in a Request", "rfc", `request 60010000 ! request-r`},
	{"revision 3", "rfc", `request 40030000 ! mpa-rev`},
	{"revision 1 for the RDMA Consortium", "rdmac", `
		request   C0000000
		reply     C0010000 ! mpa-rev`},
	{"513 octets of Private Data", "rfc", `request 40010201 ! private-data`},
	{"512 octets of Private Data", "rfc", `request 40010200`},
	{"revision 0 without Markers", "rfc", `request 40000000 ! rdmac-rev rdmac-options`},
	{"revision 0 without CRCs", "rfc", `request 80000000 ! rdmac-rev rdmac-options`},
	{"revisions 0 and 1", "rfc", `
		request   C0000000 ! rdmac-rev
		reply     40010000
		initiator 4143 00000000 00000000 00000001 00000000 ! rdmac-mixed
		responder 4143 00000000 00000000 00000001 00000000`},
	{"a higher revision", "rfc", `
		request   40010000
		reply     40020000 ! reply-rev`},
	{"a rejection may have a higher revision", "rfc", `
		request   40010000
		reply     60020000`},
	{"no CRC", "rfc", `
		request   00010000
		reply     00010000 ! crc-off`},
	{"two Requests", "rfc", `
		request   40010000
		request   40010000 ! mpa-order`},
	{"a Request after the Reply", "rfc", `
		reply     40010000
		request   40010000 ! mpa-order
		initiator 4143 00000000 00000000 00000001 00000000`},
	{"two Replies", "rfc", `
		request   40010000
		reply     40010000
		reply     40010000 ! mpa-order`},
	{"a Reply to nobody, after a rejection", "rfc", `
		request   40010000
		reply     60010000
		reply     40010000 ! mpa-order`},
	{"an FPDU instead of the Reply", "rfc", `
		request   40010000
		initiator 4143 00000000 00000000 00000001 00000000 ! fpdu-before-reply`},
	{"what comes after a rejection is not MPA's", "rfc", `
		request   40010000
		reply     60010000
		initiator 4143 00000000 00000000 00000001 00000000`},
	{"the Responder first", "rfc", `
		request   40010000
		reply     40010000
		responder 4143 00000000 00000000 00000001 00000000 ! responder-first
		initiator 4143 00000000 00000000 00000001 00000000
		responder 4143 00000000 00000000 00000002 00000000`},
	{"the Responder first, as far as was captured", "rfc", `
		request   40010000
		reply     40010000
		gap       initiator
		responder 4143 00000000 00000000 00000001 00000000`},

	{"S in revision 1", "rfc", `request 50010004 00080008 ! enhanced-rev`},
	{"S and no Enhanced word", "rfc", `request 50020003 000000 ! enhanced-short`},
	{"S and nothing asked for", "rfc", `request 50020004 3FFF3FFF ! enhanced-unused`},
	{"an enhanced Reply nobody asked for", "rfc", `
		request   40020000
		reply     50020004 00080008 ! enhanced-reply`},
	{"no enhanced Reply", "rfc", `
		request   50020004 00080008
		reply     40020000 ! enhanced-reply`},
	{"depths as they should be", "rfc", `
		request   50020004 00080010
		reply     50020004 00100008
		initiator 4143 00000000 00000000 00000001 00000000`},
	{"the Responder wants too much", "rfc", `
		request   50020004 00080010
		reply     50020004 00100009 ! ord-over-ird
		initiator 4147 00000000 00000002 00000001 00000000 20060000`},
	{"the Responder takes in too little", "rfc", `
		request   50020004 00080010
		reply     50020004 000F0008 ! ird-under-ord`},
	{"a rejection may want more", "rfc", `
		request   50020004 00080010
		reply     70020004 00010009`},
	{"3FFF comes back", "rfc", `
		request   50020004 00083FFF
		reply     50020004 3FFF0008`},
	{"the IRD does not come back", "rfc", `
		request   50020004 00083FFF
		reply     50020004 00100008 ! ird-echo`},
	{"the ORD does not come back", "rfc", `
		request   50020004 3FFF0010
		reply     50020004 00100008 ! ord-echo`},
	{"the Responder leaves the depths open", "rfc", `
		request   50020004 00080010
		reply     50020004 3FFF3FFF`},

	{"Ready to Receive is a Send", "rfc", `
		request   50020004 C008 C008
		reply     50020004 C008 0008
		initiator 4143 00000000 00000000 00000001 00000000
		responder 4143 00000000 00000000 00000001 00000000`},
	{"Ready to Receive is a Write", "rfc", `
		request   50020004 8008 C008
		reply     50020004 8008 C008
		initiator C140 00000000 00000000 00000000`},
	{"Ready to Receive is a Read", "rfc", `
		request   50020004 8008 C008
		reply     50020004 8008 C008
		initiator 4141 00000000 00000001 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000`},
	{"Ready to Receive of another kind", "rfc", `
		request   50020004 8008 C008
		reply     50020004 8008 8008
		initiator 4143 00000000 00000000 00000001 00000000 ! rtr-kind`},
	{"Ready to Receive is something else", "rfc", `
		request   50020004 C008 C008
		reply     50020004 C008 C008
		initiator 4148 00000000 00000000 00000001 00000000 00112233 44556677 ! rtr-kind`},
	{"Ready to Receive with payload", "rfc", `
		request   50020004 8008 C008
		reply     50020004 8008 8008
		initiator C140 00000000 00000000 00000000 61 ! rtr-length`},
	{"Ready to Receive reads something", "rfc", `
		request   50020004 8008 C008
		reply     50020004 8008 4008
		initiator 4141 00000000 00000001 00000001 00000000 00000000 00000000 00000000 00000001 00000000 00000000 00000000 ! rtr-length`},
	{"the Initiator cannot, and says so", "rfc", `
		request   50020004 8008 8008
		reply     50020004 8008 4008
		initiator 4147 00000000 00000002 00000001 00000000 20070000`},
	{"the Initiator cannot, and goes on", "rfc", `
		request   50020004 8008 8008
		reply     50020004 8008 4008
		initiator C140 00000000 00000000 00000000 ! rtr-unmatched`},
	{"the Initiator cannot, and says something else", "rfc", `
		request   50020004 8008 8008
		reply     50020004 8008 4008
		initiator 4147 00000000 00000002 00000001 00000000 00000000 ! rtr-unmatched`},
	{"the Initiator cannot take in so many Reads, and says so", "rfc", `
		request   50020004 00080008
		reply     50020004 00080010 ! ord-over-ird
		initiator 4147 00000000 00000002 00000001 00000000 20060000`},
	{"the Initiator cannot take in so many Reads, and says something else", "rfc", `
		request   50020004 00080008
		reply     50020004 00080010 ! ord-over-ird
		initiator 4147 00000000 00000002 00000001 00000000 00000000 ! ird-unmatched`},
	{"the Initiator cannot take in so many Reads, and speaks of another error", "rfc", `
		request   50020004 00080008
		reply     50020004 00080009 ! ord-over-ird
		initiator 4147 00000000 00000002 00000001 00000000 02070000 ! ird-unmatched`},
	{"the Initiator cannot take in so many Reads, and has another local reason", "rfc", `
		request   50020004 00080008
		reply     50020004 00080010 ! ord-over-ird
		initiator 4147 00000000 00000002 00000001 00000000 20050000`},
	{"the Initiator can take in more Reads than it said", "rfc", `
		request   50020004 00080008
		reply     50020004 00080010 ! ord-over-ird
		initiator 4143 00000000 00000000 00000001 00000000 61626364`},
	{"neither Reads nor the Ready to Receive fit, and either may be said", "rfc", `
		request   50020004 80088008
		reply     50020004 80084010 ! ord-over-ird
		initiator 4147 00000000 00000002 00000001 00000000 20060000`},
	{"no kind of Ready to Receive", "rfc", `
		request   50020004 8008 0008 ! rtr-none
		reply     50020004 8008 0008 ! rtr-none`},
	{"the Initiator complains of nothing", "rfc", `
		request   50020004 00080008
		reply     50020004 00080008
		initiator 4147 00000000 00000002 00000001 00000000 20060000 ! mpa-terminate`},
	{"perhaps siw's Initiator complains of an opcode", "rfc", `
		request   50020004 00080008
		reply     50020004 00080008
		responder 414E 00000000 00000000 00000001 00000000 ! responder-first
		initiator 4147 00000000 00000002 00000001 00000000 20060000`},
	{"kinds of Ready to Receive between client and server", "rfc", `
		request   50020004 0008 C008 ! rtr-unasked
		reply     50020004 0008 0008`},
	{"the Responder is not a peer", "rfc", `
		request   50020004 8008 8008
		reply     50020004 0008 0008 ! reply-a-missing
		initiator 4147 00000000 00000002 00000001 00000000 20070000 ! mpa-terminate`},
	{"the Responder is a peer", "rfc", `
		request   50020004 0008 0008
		reply     50020004 8008 8008 ! reply-a-unasked
		initiator 4143 00000000 00000000 00000001 00000000 61626364`},
	{"insufficient IRD, which was sufficient", "rdmac", `
		request   C0000000
		reply     C0000000
		initiator 4007 00000000 00000002 00000001 00000000 20060000`},
}

func startupWanted() (all []string) {
	for _, tc := range startupCases {
		all = append(all, wanted(tc.script)...)
	}
	return all
}

func TestStartup(t *testing.T) {
	for _, tc := range startupCases {
		t.Run(tc.name, func(t *testing.T) { tc.run(t) })
	}
}

func (tc *startupCase) run(t *testing.T) {
	s := rules.Startup{Profile: peers.LookupProfile(tc.profile)}
	for line := range strings.Lines(tc.script) {
		words, want, _ := strings.Cut(strings.TrimSpace(line), "!")
		verb, octets, _ := strings.Cut(words, " ")
		var v []rules.Violation
		switch verb {
		case "":
			continue
		case "gap":
			s.Gap(strings.TrimSpace(octets) == "initiator")
		case "initiator", "responder":
			g, n := segment(t, octets)
			v = s.Segment(verb == "initiator", g, n, nil)
		default:
			v = s.Frame(frame(t, verb, octets), nil)
		}
		if got := names(v); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s\ngot  %q\nwant %q", line, got, strings.Fields(want))
		}
	}
}

// frame returns the Request or Reply with these octets after its Key. Its Private Data may be truncated.
func frame(t *testing.T, verb, octets string) *mpa.Frame {
	key := mpa.RequestKey
	if verb == "reply" {
		key = mpa.ReplyKey
	}
	f := new(mpa.Frame)
	if n, _ := f.Decode(append([]byte(key), octetsOf(t, octets)...)); n < mpa.FrameLen {
		t.Fatalf("%s %s", verb, octets)
	}
	return f
}

// TestEarly checks that an FPDU can be read late and be checked as if it had been read at once.
func TestEarly(t *testing.T) {
	var s rules.Startup
	s.Frame(frame(t, "request", "40010000"), nil)
	s.Frame(frame(t, "reply", "40010000"), nil)
	g, n := segment(t, "4143 00000000 00000000 00000001 00000000")
	v := s.Segment(true, g, n, s.Early(true, g, nil))
	if got := names(v); !slices.Equal(got, []string{"fpdu-before-reply"}) {
		t.Errorf("%q", got)
	}
	if v := s.Segment(true, g, n, s.Early(true, g, nil)); len(v) != 0 {
		t.Errorf("again %q", names(v))
	}
}

// TestUnasked checks that the Responder's first FPDU is checked by what it had received, even if an FPDU of the
// Initiator precedes it in the capture.
func TestUnasked(t *testing.T) {
	g, n := segment(t, "4143 00000000 00000000 00000001 00000000")
	for reply, want := range map[string][]string{"40010000": {"responder-first"}, "60010000": nil} {
		var s rules.Startup
		s.Frame(frame(t, "request", "40010000"), nil)
		s.Frame(frame(t, "reply", reply), nil)
		if v := s.Unasked(g, nil); len(v) > 0 {
			t.Errorf("what Segment will say: %q", names(v))
		}
		s.Segment(true, g, n, nil)
		if got := names(s.Segment(false, g, n, s.Unasked(g, nil))); !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		if v := s.Unasked(g, nil); len(v) > 0 {
			t.Errorf("after its first FPDU %q", names(v))
		}
	}
}

// TestStartupTakesTheSwappedOrder checks that siw's bit order is read in its profile.
func TestStartupTakesTheSwappedOrder(t *testing.T) {
	const script = `
		request   50020004 8008 8008
		reply     50020004 8008 8008
		initiator 4147 00000000 00000002 00000001 00000000 %s`
	for _, tc := range []struct{ profile, terminate string }{
		{"siw", "02070000 ! mpa-terminate"}, // 2/0/07
		{"rfc", "02070000"},                 // 0/2/07
		{"rfc", "00FF0000"},
	} {
		c := startupCase{profile: tc.profile, script: strings.Replace(script, "%s", tc.terminate, 1)}
		c.run(t)
	}
}
