package dissect_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// TestAheadAndLate looks at segments whose sender has acknowledged what the capture shows later, or never, and at those
// that it shows later.
func TestAheadAndLate(t *testing.T) {
	for name, tc := range map[string]struct {
		make func(*talk)
		want string // of the segments, in the order of their events: ahead, late, or neither
	}{
		"all in order": {func(k *talk) {
			k.each(client, k.send(client, payload[:10], 10)).each(server, k.send(server, payload[:10], 10))
		}, "--"},
		"a segment of the other side is lost": {func(k *talk) {
			k.each(client, k.send(client, payload[:10], 10)).Drop(1)
			k.each(server, k.send(server, payload[:20], 10))
		}, "aa"},
		"the capture has it later": {func(k *talk) {
			k.each(client, k.send(client, payload[:10], 10)).each(server, k.send(server, payload[:20], 10))
			r := k.Records[len(k.Records)-3:]
			r[0], r[1] = r[1], r[0]
		}, "al-"},
		"an FPDU before the Reply, which its sender has": {func(k *talk) {
			k.each(client, k.send(client, payload[:10], 10))
			r := k.Records[len(k.Records)-2:]
			r[0], r[1] = r[1], r[0]
		}, "a"},
		"behind a hole": {func(k *talk) {
			k.each(server, k.send(server, payload[:20], 20)).each(server, k.send(server, payload[:20], 20))
			k.each(client, k.send(client, payload[:20], 10))
			r := k.Records
			k.Records = append(r[:len(r)-4:len(r)-4], r[len(r)-3:]...)
		}, "aal"},
		"behind the other side's FIN": {func(k *talk) {
			k.Finish(server)
			k.each(client, k.send(client, payload[:10], 10))
		}, "-"},
	} {
		k := startTalk(plain, plain)
		tc.make(k)
		got := &orderSink{}
		e := dissect.NewEngine(got, dissect.Options{})
		for i := range k.Records {
			e.Packet(&k.Records[i])
		}
		e.Close()
		if got.order != tc.want {
			t.Errorf("%s: %s, want %s", name, got.order, tc.want)
		}
	}
}

// An orderSink writes a letter for each segment.
type orderSink struct {
	order string
}

func (s *orderSink) Record(rec *record.Record) { recordtest.Pieces(rec, s) }

func (s *orderSink) Segment(g *record.Segment) {
	letter := "-"
	if g.Ahead {
		letter = "a"
	}
	if g.Late {
		letter = "l"
	}
	s.order += letter
}
