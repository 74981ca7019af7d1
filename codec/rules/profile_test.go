package rules_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
)

func TestGrade(t *testing.T) {
	for _, tc := range []struct {
		profile, situation, code string
		want                     rules.Grade
	}{
		{"rfc", "send-too-long", "1/2/05", rules.Exact},
		{"rfc", "send-too-long", "1/2/04", rules.Accepted},
		{"rfc", "send-too-long", "1/2/02", rules.Wrong},
		{"siw", "send-too-long", "1/2/02", rules.Accepted},
		{"siw", "send-too-long", "1/2/05", rules.Exact},
		{"verbs", "send-too-long", "0/0/00", rules.Exact},
		{"verbs", "send-too-long", "1/2/05", rules.Accepted},
		{"verbs", "fpdu-crc", "0/2/02", rules.Exact},
		{"verbs", "atomic-alignment", "0/2/07", rules.Exact}, // the Verbs have no Atomics
		{"irdma", "read-ird", "0/2/FF", rules.Accepted},
		{"rfc", "read-ird", "0/2/FF", rules.Wrong},
		{"cxgb4", "read-ird", "1/2/03", rules.Accepted},
		{"cxgb4", "write-stag", "0/1/00", rules.Accepted},
		{"cxgb4", "atomic-aopcode", "1/0/00", rules.Unjudged}, // unknown
		{"rfc", "atomic-target", "0/1/04", rules.Exact},
		{"rfc", "local", "0/0/42", rules.Accepted},
		{"rfc", "terminate-bad", "1/2/03", rules.Wrong},
		{"irdma", "terminate-bad", "1/2/03", rules.Accepted},
		{"rfc", "mpa-frame", "2/0/04", rules.Accepted},

		{"rfc", "read-association", "0/1/03", rules.Exact},
		{"draft-00", "read-association", "0/1/00", rules.Exact},
		{"draft-00", "read-association", "0/1/03", rules.Accepted},
		{"draft-00", "write-association", "1/1/00", rules.Exact},
		{"draft-00", "write-association", "1/1/02", rules.Accepted},
		{"draft-00", "invalidate-association", "0/1/09", rules.Exact},
		// A Shared Memory Region is an invalid STag for the Verbs (Verbs, figures 23 and 36); RFC 5040 has one code for
		// both.
		{"verbs", "invalidate-shared", "0/1/00", rules.Exact},
		{"verbs", "invalidate-windows", "0/1/09", rules.Exact},
		{"rfc", "invalidate-shared", "0/2/09", rules.Exact},
		{"rfc", "invalidate-shared", "0/1/09", rules.Accepted},
		{"rfc", "invalidate-windows", "0/2/09", rules.Exact},
		{"draft-00", "invalidate-association", "0/1/00", rules.Accepted},
		{"draft-00", "opcode", "0/2/06", rules.Exact},
		{"draft-00", "local", "0/0/00", rules.Exact},
		{"draft-00", "local", "0/0/01", rules.Accepted},
	} {
		p, s := peers.LookupProfile(tc.profile), rules.LookupSituation(tc.situation)
		if got := p.Grade(s, code(t, tc.code)); got != tc.want {
			t.Errorf("%s, %s, %s: %v, want %v", tc.profile, tc.situation, tc.code, got, tc.want)
		}
	}
	if rules.RFC.Grade(rules.NoSituation, code(t, "1/2/03")) != rules.Unjudged {
		t.Error("what no Terminate answers was judged")
	}
}

// TestExact checks that every profile demands the codes that it grades as exact.
func TestExact(t *testing.T) {
	for _, p := range peers.Profiles {
		for s := range rules.NumSituations {
			c, ok := p.Exact(s)
			if ok && p.Grade(s, c) != rules.Exact {
				t.Errorf("%s, %v: %v is %v", p.Name, s, c, p.Grade(s, c))
			}
			// The Verbs tolerate some of what the RFCs do not.
			if p.Codes == rules.RFCs && ok != (len(rules.Situations[s].RFC.Codes) > 0) {
				t.Errorf("%s, %v: %v %v", p.Name, s, c, ok)
			}
		}
	}
}

func TestSeverity(t *testing.T) {
	for _, tc := range []struct {
		profile, rule string
		want          rules.Severity
	}{
		{"rfc", "l-missing", rules.Warning},
		{"verbs", "l-missing", rules.Error},
		{"rdmac", "terminate-l", rules.Error},
		{"rfc", "mpa-rev", rules.Warning},
		{"rdmac", "mpa-rev", rules.Error},
		{"rfc", "terminate-reserved-bits", rules.Error},
		{"draft-00", "terminate-reserved-bits", rules.Warning},
		{"draft-00", "terminate-reserved", rules.Error},
		{"rfc", "fpdu-pad", rules.Error},
		{"siw", "fpdu-pad", rules.Note},
		{"siw", "terminate-swapped", rules.Note},
		{"siw", "send-msn", rules.Error},
		{"irdma", "terminate-swapped", rules.Error},
		{"cxgb4", "terminate-hdrct", rules.Note},
	} {
		p := peers.LookupProfile(tc.profile)
		if got := p.Severity(rule(t, tc.rule)); got != tc.want {
			t.Errorf("%s, %s: %v, want %v", tc.profile, tc.rule, got, tc.want)
		}
		why, ok := p.Excuses(rule(t, tc.rule))
		if ok != (why != "") || ok && tc.want != rules.Note {
			t.Errorf("%s, %s: %q %v", tc.profile, tc.rule, why, ok)
		}
	}
}

func TestNames(t *testing.T) {
	if rules.Accepted.String() != "accepted" || rules.Warning.String() != "warning" || rules.Verbs.String() != "verbs" {
		t.Error("names")
	}
}
