package judge_test

// Parts of captures: what a capture lacks is laid to nobody's charge.

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/netip"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A partial is a way to take packets away from captures. wanted makes a function that says which packets stay.
type partial struct {
	name   string
	wanted func() func(*pcaps.Record) bool
}

// partials are all ways.
func partials() []partial {
	all := []partial{{"client to server only", oneDirection(true)}, {"server to client only", oneDirection(false)}}
	for _, every := range []uint64{3, 7, 23, 101} {
		all = append(all, partial{fmt.Sprintf("without every %dth packet", every), func() func(*pcaps.Record) bool {
			return func(rec *pcaps.Record) bool { return rec.Frame%every != 2 }
		}})
	}
	for _, percent := range []int{1, 5} {
		for seed := range uint64(4) {
			all = append(all, partial{fmt.Sprintf("%d %% lost, seed %d", percent, seed), func() func(*pcaps.Record) bool {
				r := rand.New(rand.NewPCG(seed, uint64(percent)))
				return func(*pcaps.Record) bool { return r.IntN(100) >= percent }
			}})
		}
	}
	return all
}

// oneDirection keeps the packets of one host: of the one that sent the first packet, which is the client, or the other.
func oneDirection(client bool) func() func(*pcaps.Record) bool {
	return func() func(*pcaps.Record) bool {
		var first netip.Addr
		return func(rec *pcaps.Record) bool {
			var s tcpip.Segment
			if s.Decode(rec.LinkType, rec.Data, rec.OrigLen) != nil {
				return true
			}
			if !first.IsValid() {
				first = s.Src.Addr()
			}
			return (s.Src.Addr() == first) == client
		}
	}
}

// blamed are warnings and errors that parts of captures may bring and the whole captures do not, by the finding's name,
// with the argument why each is true all the same.
var blamed = map[string]string{
	"message-cut":           "the Terminate that answers the message is lost, and the FIN behind it does cut the message",
	"reset-after-terminate": "the FIN between them is lost, which shows nowhere: the reset comes before it is acknowledged",
}

// TestPartsOfCaptures looks whether a part of a capture brings no warning and no error but those that the whole brings.
func TestPartsOfCaptures(t *testing.T) {
	used := map[string]bool{}
	files := captureFiles(t)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		whole := &finder{}
		runCapture(t, whole.engine("siw", nil), files[name])
		for _, part := range partials() {
			f := &finder{}
			runSome(t, f.engine("siw", nil), files[name], part.wanted())
			for i := range f.findings {
				one := &f.findings[i]
				switch {
				case one.Severity == rules.Note || whole.count()[one.Name] > 0:
				case blamed[one.Name] != "":
					used[one.Name] = true
				default:
					t.Errorf("%s, %s: frame %d: %s (%s): %s", name, part.name, one.Frame, one.Name, one.ID, one.Text)
				}
			}
		}
	}
	for name := range blamed {
		if !used[name] {
			t.Errorf("no part of a capture brings %s: it need not be excused", name)
		}
	}
}
