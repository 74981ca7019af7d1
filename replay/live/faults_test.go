package live_test

// The RNIC of this module as the peer, with Faults.

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/internal/rnic"
	"github.com/iwarpkit/iwarp/replay/live"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// rping serves as the server in the capture rping did, with Faults.
func rping(t testing.TB, faults ...fault.Fault) (address string) {
	t.Helper()
	stream := rnicsim.StreamConfig{Rev: mpa.Rev2, Enhanced: &mpa.Enhanced{IRD: 1, ORD: 1}}
	_, address = rnic.Serve(t, "rping", driver.Config{Faults: faults}, service.Options{IRD: 1, ORD: 1}, stream)
	return address
}

// TestRping plays the client of a capture of a kernel's rping against the server of this module several times: each time it
// has other STags, and every answer is as recorded.
func TestRping(t *testing.T) {
	s := compiled(t, "../../pcaps/samples/rping.pcap")
	r, err := live.Dial(testContext(t), rping(t), s, live.Options{Rounds: 5})
	if err != nil {
		t.Fatal(err)
	}
	exact(t, r)
}

// TestFaults plays the same against a server with Faults: each run ends, and nothing that is wrong passes.
func TestFaults(t *testing.T) {
	s := compiled(t, "../../pcaps/samples/rping.pcap")
	for _, tt := range []struct {
		fault  string
		passes bool
	}{
		{"drop:Send:2", false},
		{"drop:MPAReply", false},
		{"crc:ReadRequest:2", false},
		{"set=iwarp_ddp.msn=7:Send:2", false},
		{"set=iwarp_ddp.stag=7:Write:2", false},
		{"flip-header:Write:2", false},
		{"flip-header:MPAReply", false},
		{"flip-payload:Write:3", false},
		{"duplicate:Send:2", false},
		{"delay=20ms:Send", true},
		{"truncate:Write:2", false},
		{"reset:Write:2", false},
		{"fin:Send:3", false},
		{"garbage=64:Send:4", false},
		{"garbage=30:MPAReply", false},
		{"silence:Send:3", false},
		{"split=1", true},
		{"split=7:Write", true},
		{"slow=20000", true},
	} {
		t.Run(tt.fault, func(t *testing.T) {
			t.Parallel()
			f, err := fault.Parse(tt.fault)
			if err != nil {
				t.Fatal(err)
			}
			o := impatient
			if tt.passes {
				o = patient
			}
			o.Player.MPA.CRC = new(true) // not as recorded
			r, err := live.Dial(testContext(t), rping(t, f), s, o)
			if err != nil {
				t.Fatal(err)
			}
			if passed := r.Report.Rounds.Passed == 1; passed != tt.passes {
				t.Error(text(r))
			}
			for _, c := range r.Report.Conns {
				settled(t, c)
			}
		})
	}
}

// settled fails if a step has no verdict that fits its side, or was not reached without a reason.
func settled(t *testing.T, c *outcome.Conn) {
	for i := range c.Steps {
		s := &c.Steps[i]
		own := s.Side(c.Role) == scenario.Client
		if own != (s.Verdict >= outcome.Sent) || s.Verdict == outcome.NotReached && s.Reason == "" {
			t.Errorf("%+v", s)
		}
	}
}
