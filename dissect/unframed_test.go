package dissect_test

// Connections of which the capture lacks what says how FPDUs are framed.

import (
	"flag"
	"fmt"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

var unframed = flag.Uint64("unframed", 200, "how many streams TestUnframed tries, each damaged in all ways")

// A tally is what was decoded of a connection.
type tally struct {
	journal
	fpdus [2]map[string]flow.Span // those that were captured whole, by side
	wrong []string                // warnings and errors
}

func (l *tally) Record(rec *record.Record) {
	for _, f := range rec.Findings {
		if f.Severity > rules.Note {
			l.wrong = append(l.wrong, f.Name)
		}
	}
	recordtest.Pieces(rec, l)
}

func (l *tally) Segment(s *record.Segment) {
	if s.FPDU.Missing == 0 {
		side := conversation.Client
		if s.Conn.Peer(s.Dir).Port() == 7174 {
			side = conversation.Server
		}
		l.fpdus[side][fmt.Sprintf("%d %x", s.LastFrame, s.FPDU.ULPDU)] = s.Span
	}
}

func tallyOf(records []pcaps.Record, stated string) *tally {
	m, err := framing.ParseMPA(stated)
	if err != nil {
		panic(err)
	}
	l := &tally{fpdus: [2]map[string]flow.Span{{}, {}}}
	dissectInto(judge.New(l, judge.Options{Profile: peers.LookupProfile("siw")}), records, dissect.Options{MPA: m, Ports: []uint16{7174}})
	return l
}

// unframedDamages are ways to lose what says how FPDUs are framed.
var unframedDamages = []struct {
	name  string
	do    func(k *legal) []pcaps.Record
	holes bool
}{
	{"no Request", func(k *legal) []pcaps.Record { return without(k.Records, 3) }, false},
	{"no Reply", func(k *legal) []pcaps.Record { return without(k.Records, 4) }, false},
	{"neither", func(k *legal) []pcaps.Record { return without(k.Records, 3, 4) }, false},
	{"the start", func(k *legal) []pcaps.Record { return k.Records[handshake:] }, false},
	{"the start of an FPDU", func(k *legal) []pcaps.Record { return k.Records[handshake+1+k.r.IntN(3):] }, false},
	{"one side", func(k *legal) []pcaps.Record {
		return from(conversation.Side(k.r.IntN(2)), k.talk, k.Records[handshake*k.r.IntN(2):])
	}, false},
	{"one side and its MPA frame", func(k *legal) []pcaps.Record {
		return from(conversation.Side(k.r.IntN(2)), k.talk, without(k.Records, 3, 4))
	}, false},
	{"a packet", func(k *legal) []pcaps.Record { return without(k.Records[k.r.IntN(6):], 1+k.r.IntN(12)) }, true},
	{"an MPA frame and one of n packets", func(k *legal) []pcaps.Record {
		n := handshake - 2 + k.r.IntN(2)
		return slices.Concat(k.Records[:n], lose(10+k.r.IntN(100))(k.r, k.Records[handshake:]))
	}, true},
}

// TestUnframed checks that what is decoded is what was sent, that nobody is blamed, and that all FPDUs are found in 99 of 100
// directions, except for one after each hole.
func TestUnframed(t *testing.T) {
	directions, unknown := 0, 0
	seeds := *unframed
	if testing.Short() {
		seeds /= 4
	}
	for seed := range seeds {
		k := newLegal(seed)
		whole := tallyOf(k.Records, "")
		for side, s := range k.sides {
			if len(whole.fpdus[side]) != s.fpdus || len(whole.wrong) > 0 {
				t.Fatalf("%s: %d FPDUs of %d, %v", k.name, len(whole.fpdus[side]), s.fpdus, whole.wrong)
			}
		}
		for _, damage := range unframedDamages {
			records := damage.do(k)
			for _, stated := range []string{"", k.stated} {
				l := tallyOf(records, stated)
				for side := range k.sides {
					missed := compareFPDUs(t, fmt.Sprintf("%s without %s, stated %q, side %d", k.name, damage.name, stated, side), l.fpdus[side], whole.fpdus[side], records)
					if directions++; missed > 0 && !damage.holes || missed > 3 {
						t.Logf("%s without %s, stated %q, side %d: %d FPDUs missed", k.name, damage.name, stated, side, missed)
						unknown++
					}
				}
				if len(l.wrong) > 0 {
					t.Errorf("%s without %s, stated %q: %v", k.name, damage.name, stated, slices.Compact(l.wrong))
				}
			}
		}
	}
	if t.Logf("not known in %d of %d directions", unknown, directions); unknown > directions/100 {
		t.Error("that is too many")
	}
}

// compareFPDUs checks that all FPDUs found were sent. It returns how many were captured whole and not found.
func compareFPDUs(t *testing.T, name string, found, sent map[string]flow.Span, records []pcaps.Record) (missed int) {
	t.Helper()
	for f, span := range found {
		if _, ok := sent[f]; !ok {
			t.Errorf("%s, frame %d: nobody sent %.80s", name, span.Frame, f)
		}
	}
	frames := map[uint64]bool{}
	for i := range records {
		frames[records[i].Frame] = true
	}
	for f, span := range sent {
		captured := true
		for n := span.Frame; n <= span.LastFrame; n++ {
			captured = captured && frames[n]
		}
		if _, ok := found[f]; captured && !ok {
			missed++
		}
	}
	return missed
}
