package suite

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// A header with a version, T bit or opcode that is wrong has crashed kernels in the first FPDU of a connection: what
// begins so is a Crasher, whatever the peer says it can do.
func TestCrashers(t *testing.T) {
	for _, profile := range []string{"rfc", "draft-00"} {
		for _, side := range []scenario.Side{scenario.Client, scenario.Server} {
			for _, features := range []service.ConformFeatures{0, 0xff} {
				if testing.Short() && features == 0 {
					continue
				}
				s := conform.Assume(side)
				s.Profile, s.Peer.Offer.Features = peers.LookupProfile(profile), features
				for _, q := range Questions() {
					if !q.Crasher && q.Role.Takes(side) && q.Need&^s.Peer.Has() == 0 {
						firstFPDUs(t, q, s)
					}
				}
			}
		}
	}
}

// firstFPDUs makes the test fail for a case with a connection whose first FPDU of ours could crash the peer.
func firstFPDUs(t *testing.T, q conform.Question, s *conform.Setup) {
	made, err := conform.Build(q, s)
	if err != nil {
		t.Fatal(err)
	}
	if made == nil {
		return
	}
	for _, c := range made.Conns {
		for _, step := range c.Steps {
			if step.Side != s.Side {
				continue
			}
			if segment, begins := fpdu(step.Do); begins {
				if segment != nil && crashes(segment, s) {
					t.Errorf("profile %s: %s, connection %s: begins with %v", s.Profile.Name, q.ID(), c.Name, step)
				}
				break
			}
		}
	}
}

// fpdu reports whether an action begins the FPDUs of its side, and with which Segment; nil if that is in order by its headers.
func fpdu(a scenario.Action) (s *scenario.Segment, begins bool) {
	switch a := a.(type) {
	case *scenario.Segment:
		return a, true
	case *scenario.FPDU:
		return &a.Segment, true
	case *scenario.Message:
		return &scenario.Segment{Opcode: a.Opcode}, true
	}
	return nil, false
}

// crashes reports whether the headers of a segment are such that they have crashed kernels.
func crashes(segment *scenario.Segment, s *conform.Setup) bool {
	if segment.Raw {
		octets, err := segment.Payload.AppendOctets(nil, nil)
		if err != nil || len(octets) < 2 {
			return true
		}
		d, r := octets[0], octets[1]
		return d&3 != ddp.Version || r>>6 != rdmap.Version || rdmap.Opcode(r&15) > known(s)
	}
	for _, name := range []string{"T", "DV", "RV"} {
		if _, wrong := segment.Fields.Lookup(name); wrong {
			return true
		}
	}
	return segment.Opcode > known(s)
}

// known returns the highest opcode that the peer says it knows.
func known(s *conform.Setup) rdmap.Opcode {
	switch has := s.Peer.Has(); {
	case has&conform.Atomics != 0:
		return rdmap.OpAtomicResponse
	case has&conform.Immediate != 0:
		return rdmap.OpImmediateSE
	}
	return rdmap.OpTerminate
}
