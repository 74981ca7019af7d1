package sim_test

import (
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/replay/sim"
)

// A connection may end otherwise than recorded only where TCP makes the difference.
func TestOtherEnds(t *testing.T) {
	const (
		malformed = "1 client MPARequest Rev=2 C S 000400\n2 client Octets 04000000\n" // PD_Length says 3, and S wants 4
		full      = "1 client MPARequest Rev=1 C\n2 server after 1 MPAReply Rev=1 C\n3 client after 2 Send \"x\"\n"
		segment   = "4 server after 3 Segment Write L=0 STag=0x00000009 TO=0x0 00*1000\n"
		whole     = "4 server after 3 Write STag=0x00000009 TO=0x0 \"abcd\"\n"
	)
	for name, c := range map[string]struct {
		recorded, plan string // the same if there is no other
		want           outcome.Verdict
		reason         string
	}{
		"reset with octets unread": {malformed + "3 server after 2 Reset\n", "", outcome.Accepted, "RFC 1122"},
		"reset, all was read":      {malformed + "3 server after 1 Reset\n", "", outcome.Mismatched, "a FIN came"},
		"FIN within a message":     {full + segment + "5 server FIN\n6 client after 5 FIN\n", "", outcome.Accepted, "broke off a message"},
		"FIN after a message": {
			full + whole + "5 server FIN\n6 client after 5 FIN\n", full + whole + "5 server Reset\n", outcome.Mismatched, "a reset came",
		},
	} {
		t.Run(name, func(t *testing.T) {
			recorded := parsed(t, c.recorded)
			plan := sim.NewPlan(recorded, scenario.Server)
			if c.plan != "" {
				plan = sim.NewPlan(parsed(t, c.plan), scenario.Server)
			}
			o := sim.Play(recorded, plan, sim.Options{}).Outcome
			for i := range o.Steps {
				s := &o.Steps[i]
				if s.Side(o.Role) == o.Role || s.Expected.Do != (scenario.FIN{}) && s.Expected.Do != (scenario.Reset{}) {
					continue
				}
				if s.Verdict != c.want || !strings.Contains(s.Reason, c.reason) {
					t.Errorf("%v: %s", s.Verdict, s.Reason)
				}
			}
			if summary := o.Summary(); summary.Passed() != (c.want == outcome.Accepted) {
				t.Errorf("%v; %s; %v", &summary, o.End, verdicts(o))
			}
		})
	}
}
