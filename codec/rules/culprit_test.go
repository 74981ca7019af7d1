package rules_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// The segments that Terminates are about.
const (
	write       = "C140 A1B2C301 00000000 00001000 61626364"
	send        = "4143 00000000 00000000 00000009 00000000 61626364"
	invalidate  = "4144 11223344 00000000 00000002 00000000 61626364"
	readRequest = "4141 00000000 00000001 00000001 00000000 CAFE0001 00000000 00002000 00001800 BEEF0002 00007F00 00004000"
	nothing     = ""
)

// culpritCases are Terminate headers, the ULPDUs that they are about, and the violations.
var culpritCases = []struct {
	name      string
	profile   string
	terminate string
	blamed    string
	found     string // rules that the culprit breaks, "earlier" and "known" for those fields of it
	answered  uint64
	want      string
}{
	{"for a Write", "rfc", "1100C000 0012C140 A1B2C301 00000000 00001000", write, "", 0, ""},
	{"for a Send", "rfc", "1203C000 00164143 00000000 00000000 00000009 00000000", send, "send-msn", 0, ""},
	{"for a Read Request", "rfc", "0101E000 002E4141 00000000 00000001 00000001 00000000 CAFE0001 00000000 00002000 00001800 BEEF0002 00007F00 00004000", readRequest, "", 0, ""},
	{"for a Read Request half answered", "rfc", "0101E000 002E4141 00000000 00000001 00000001 00000000 CAFE0001 00000000 00002800 00001000 BEEF0002 00007F00 00004800", readRequest, "", 2048, ""},
	{"without culprit", "rfc", "20020000", nothing, "", 0, ""},
	{"local", "rfc", "00000000", send, "", 0, ""},
	{"local, with a code", "rfc", "00FF0000", send, "", 0, ""},
	{"local, with a code that the draft has not", "draft-00", "00FF0000", nothing, "", 0, "terminate-local-code"},
	{"CRC", "rfc", "20020000", send, "fpdu-crc", 0, ""},
	{"CRC by the Verbs", "verbs", "02020000", send, "fpdu-crc", 0, ""},

	{"no headers", "rfc", "12030000", send, "", 0, "terminate-hdrct"},
	{"no headers, no culprit", "rfc", "12030000", nothing, "", 0, "terminate-hdrct"},
	{"no RDMA header", "rfc", "0101C000 002E4141 00000000 00000001 00000001 00000000", readRequest, "", 0, "terminate-hdrct"},
	{"a header with a CRC error", "rfc", "2002C000 00164143 00000000 00000000 00000009 00000000", send, "fpdu-crc", 0, "terminate-hdrct"},
	{"catastrophes need no headers", "rfc", "02070000", send, "", 0, ""},
	{"an RDMA header for a Send", "rfc", "0109E000 00164144 11223344 00000000 00000002 00000000" + strings.Repeat("00", 28), invalidate, "", 0, "terminate-rdma-header"},
	{"R for a Send", "rfc", "0109E000 00164144 11223344 00000000 00000002 00000000", invalidate, "", 0, ""},
	{"a header with a local error", "rfc", "0000C000 00164143 00000000 00000000 00000009 00000000", send, "", 0, ""},
	{"of a code that nobody has no headers are demanded", "rfc", "027F0000", send, "", 0, ""},
	{"R for a Read Request, whatever the error", "rfc", "1203E000 002E4141 00000000 00000001 00000001 00000000 CAFE0001 00000000 00002000 00001800 BEEF0002 00007F00 00004000", readRequest, "read-msn", 0, ""},
	{"a code of RDMAP for a Write", "rfc", "0100C000 0012C140 A1B2C301 00000000 00001000", write, "", 0, "terminate-protection"},
	{"a code of RDMAP for a Write, without culprit", "rfc", "0100C000 0012C140 A1B2C301 00000000 00001000", nothing, "", 0, "terminate-protection"},
	{"other header", "rfc", "1203C000 00164143 00000000 00000000 00000008 00000000", send, "", 0, "terminate-header"},
	{"other length", "rfc", "1203C000 00174143 00000000 00000000 00000009 00000000", send, "", 0, "terminate-segment-length"},
	{"length of the payload", "rfc", "1203C000 00044143 00000000 00000000 00000009 00000000", send, "", 0, "terminate-payload-length"},
	{"length of the payload of a Read Request", "rfc", "0101E000 00004141 00000000 00000001 00000001 00000000 CAFE0001 00000000 00002000 00001800 BEEF0002 00007F00 00004000", readRequest, "", 0, "terminate-payload-length"},
	{"offsets not advanced", "rfc", "0101E000 002E4141 00000000 00000001 00000001 00000000 CAFE0001 00000000 00002000 00001800 BEEF0002 00007F00 00004000", readRequest, "", 2048, "terminate-read-header"},
	{"offsets advanced too far", "rfc", "0101E000 002E4141 00000000 00000001 00000001 00000000 CAFE0001 00000000 00002800 00001000 BEEF0002 00007F00 00004800", readRequest, "", 1024, "terminate-read-ahead"},
	{"one offset advanced", "rfc", "0101E000 002E4141 00000000 00000001 00000001 00000000 CAFE0001 00000000 00002800 00001000 BEEF0002 00007F00 00004000", readRequest, "", 1024, "terminate-read-header"},
	{"a later one", "rfc", "1203C000 00164143 00000000 00000000 00000009 00000000", send, "earlier", 0, "terminate-first"},

	{"other code", "rfc", "1206C000 00164143 00000000 00000000 00000009 00000000", send, "send-msn", 0, "terminate-cause"},
	{"a code that leaves room", "rfc", "1202C000 00164143 00000000 00000000 00000009 00000000", send, "send-msn", 0, ""},
	{"any of two errors", "rfc", "1201C000 00164143 00000000 00000000 00000009 00000000", send, "ddp-version-untagged qn-opcode", 0, ""},
	{"what a receiver passes over is not a cause", "rfc", "1206C000 00164143 00000000 00000000 00000009 00000000", send, "ddp-reserved", 0, ""},
	{"a cause that nobody sees", "rfc", "1205C000 00164143 00000000 00000000 00000009 00000000", send, "send-msn", 0, ""},
	{"a code of tagged buffers for a Send", "rfc", "1100C000 00164143 00000000 00000000 00000009 00000000", send, "send-msn", 0, "terminate-cause"},
	{"a code that fits nothing in the message", "rfc", "1201C000 00164143 00000000 00000000 00000009 00000000", send, "known", 0, "terminate-cause"},
	{"unless that was not looked at whole", "rfc", "1201C000 00164143 00000000 00000000 00000009 00000000", send, "", 0, ""},
	{"a code that fits what does not show", "rfc", "1205C000 00164143 00000000 00000000 00000009 00000000", send, "known", 0, ""},
	{"nor what irdma is known for", "irdma", "0102C000 0012C140 A1B2C301 00000000 00001000", write, "known", 0, ""},
	{"rights to a Write, for which DDP has no code", "rfc", "0102C000 0012C140 A1B2C301 00000000 00001000", write, "known", 0, ""},
	{"siw's bit order, by what fits the message", "rfc", "2105C000 00164143 00000000 00000000 00000009 00000000", send, "known", 0, "terminate-swapped"},
	{"LLP error for an RDMAP error, if read by the RFC", "rfc", "20060000", send, "opcode", 0, "terminate-swapped"},
	{"as siw means it", "siw", "20060000", send, "opcode", 0, "terminate-hdrct"},
	{"irdma's code", "irdma", "02FFC000 00164143 00000000 00000000 00000009 00000000", send, "read-ird", 0, ""},
	{"irdma's code from another", "rfc", "02FFC000 00164143 00000000 00000000 00000009 00000000", send, "read-msn", 0, ""},
}

func culpritWanted() (all []string) {
	for _, tc := range culpritCases {
		all = append(all, strings.Fields(tc.want)...)
	}
	return all
}

func TestCheckTerminate(t *testing.T) {
	for _, tc := range culpritCases {
		p := peers.LookupProfile(tc.profile)
		var h rdmap.Terminate
		p.DecodeTerminate(&h, octetsOf(t, tc.terminate))
		var c *rules.Culprit
		if tc.blamed != nothing {
			b := octetsOf(t, tc.blamed)
			c = &rules.Culprit{Header: b, ULPDU: len(b), Answered: tc.answered}
			for _, name := range strings.Fields(tc.found) {
				switch name {
				case "earlier":
					c.Earlier = true
					continue
				case "known":
					c.Known = true
					continue
				}
				c.Violations = append(c.Violations, rule(t, name).Breach("", ""))
			}
		}
		v := p.CheckTerminate(&h, c, nil)
		if !slices.Equal(names(v), strings.Fields(tc.want)) {
			t.Errorf("%s: got %q, want %q", tc.name, names(v), strings.Fields(tc.want))
		}
	}
}

func rule(t testing.TB, name string) *rules.Rule {
	t.Helper()
	r := rpcrules.Lookup(name)
	if r == nil {
		t.Fatalf("there is no rule %s", name)
	}
	return r
}
