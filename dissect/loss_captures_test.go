package dissect_test

// What captures still show when packets are lost at random.

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
)

var (
	lossSeeds = flag.Uint64("losses", 2, "with how many seeds TestCapturesWithLoss takes packets away")
	lossyToo  = flag.String("captures", "", "take packets away from the captures of this folder, not from ours")
)

// A finder keeps the FPDUs that were captured whole, by direction, and the warnings and errors, by name.
type finder struct {
	fpdus map[conversation.Way]map[string][]flow.Span
	wrong map[string]string
}

func (f *finder) Record(rec *record.Record) {
	for _, one := range rec.Findings {
		if one.Severity > rules.Note {
			f.wrong[one.Name] = fmt.Sprintf("frame %d: %s", one.Frame, one.Text)
		}
	}
	if s := rec.Segment; s != nil && s.FPDU.Missing == 0 {
		way := wayOf(s.Conn, s.Dir)
		if f.fpdus[way] == nil {
			f.fpdus[way] = map[string][]flow.Span{}
		}
		f.fpdus[way][string(s.FPDU.ULPDU)] = append(f.fpdus[way][string(s.FPDU.ULPDU)], s.Span)
	}
}

func find(records []pcaps.Record) *finder {
	f := &finder{fpdus: map[conversation.Way]map[string][]flow.Span{}, wrong: map[string]string{}}
	dissectInto(judge.New(f, judge.Options{Profile: peers.LookupProfile("siw")}), records, dissect.Options{})
	return f
}

// A gap says of a direction how many packets with payload are lost up to each frame, and how many holes they make.
type gap struct {
	lost  []int
	holes int
}

// gapsOf returns those of all directions of records, of which only those are kept whose index is not in lost.
func gapsOf(records []pcaps.Record, lost map[int]bool) map[conversation.Way]*gap {
	gaps, before := map[conversation.Way]*gap{}, map[conversation.Way]bool{}
	var s tcpip.Segment
	for i := range records {
		if s.Decode(records[i].LinkType, records[i].Data, records[i].OrigLen) != nil || len(s.Payload) == 0 {
			continue
		}
		way := conversation.Way{s.Src, s.Dst}
		if gaps[way] == nil {
			gaps[way] = &gap{lost: make([]int, len(records)+1)}
		}
		if lost[i] {
			gaps[way].lost[i+1]++
			if !before[way] {
				gaps[way].holes++
			}
		}
		before[way] = lost[i]
	}
	for _, g := range gaps {
		for i := range records {
			g.lost[i+1] += g.lost[i]
		}
	}
	return gaps
}

// TestCapturesWithLoss takes 1 % and 5 % of the packets out of captures. No warning and no error comes that was not there before, and
// all FPDUs are found but those with octets in a lost packet, and one for each hole.
func TestCapturesWithLoss(t *testing.T) {
	files := captureFiles(t)
	if *lossyToo != "" {
		files, _ = filepath.Glob(filepath.Join(*lossyToo, "*.pcap*"))
	}
	runs, more := 0, 0
	for i, file := range files {
		if testing.Short() && i%8 != 0 {
			continue
		}
		records := recorded.Packets(pcaps.Open(file))
		whole := find(records)
		for _, percent := range []int{1, 5} {
			for seed := range *lossSeeds {
				r, lost := rand.New(rand.NewPCG(seed, uint64(percent))), map[int]bool{}
				var kept []pcaps.Record
				for i := range records {
					if lost[i] = r.IntN(100) < percent; !lost[i] {
						kept = append(kept, records[i])
					}
				}
				name := fmt.Sprintf("%s, %d %%, seed %d", filepath.Base(file), percent, seed)
				if runs++; !comparedWithLoss(t, name, whole, find(kept), gapsOf(records, lost)) {
					more++
				}
			}
		}
	}
	if t.Logf("%d of %d runs lack more than one FPDU for each hole", more, runs); more > runs/1000 {
		t.Error("that is too many")
	}
}

// blamed are warnings that loss may bring, with the argument why each is true all the same.
var blamed = map[string]string{
	"message-cut":           "the Terminate that answers the message is lost, and the FIN behind it does cut the message",
	"reset-after-terminate": "the FIN between them is lost, which shows nowhere: the reset has its sequence number",
}

// comparedWithLoss compares what is found with what was sent. It reports whether no more is missing than may be.
func comparedWithLoss(t *testing.T, name string, whole, f *finder, gaps map[conversation.Way]*gap) bool {
	t.Helper()
	for rule, text := range f.wrong {
		if whole.wrong[rule] == "" && blamed[rule] == "" {
			t.Errorf("%s: %s: %s", name, rule, text)
		}
	}
	few := true
	for way, sent := range whole.fpdus {
		missing, g := 0, gaps[way]
		for fpdu, spans := range sent {
			whole := 0
			for _, span := range spans {
				if g.lost[span.LastFrame] == g.lost[span.Frame-1] {
					whole++
				}
			}
			missing += max(0, whole-len(f.fpdus[way][fpdu]))
		}
		if missing > g.holes {
			t.Logf("%s: %v: %d FPDUs are missing besides those in lost packets; %d holes", name, way, missing, g.holes)
			few = false
		}
		for fpdu, spans := range f.fpdus[way] {
			if len(spans) > len(sent[fpdu]) {
				t.Errorf("%s, frame %d: nobody sent %.80x", name, spans[0].Frame, fpdu)
			}
		}
	}
	return few
}
