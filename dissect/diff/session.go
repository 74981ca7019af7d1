package diff

// What is kept of a connection.

import (
	"slices"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A session is a connection of a capture.
type session struct {
	conn     *flow.Conn
	lanes    [2][]step // by direction: messages in the order in which they became whole
	values   []uint64  // of all steps
	findings map[string]*found
	refused  map[uint64]bool // frames of messages whose STag a Terminate refused, and nothing could have advertised
	verdict  string          // why it failed; empty if it did not
	by       flow.Party
}

// A found counts the findings of one ID.
type found struct {
	frame    uint64 // of the first
	count    int
	severity rules.Severity
}

func newSession(c *flow.Conn) *session {
	return &session{conn: c, findings: make(map[string]*found), refused: make(map[uint64]bool)}
}

// find counts an error or warning, unless it is a deviation of its sender. Notes explain, and depend on time and loss.
func (s *session) find(f *record.Finding) {
	if t := f.Termination; t != nil && t.Unadvertised && (slices.Contains(t.Situations, rules.WriteSTag) || slices.Contains(t.Situations, rules.ReadSTag)) {
		s.refused[t.Culprit.Frame] = true
	}
	if f.Severity < rules.Warning || f.Deviation != nil {
		return
	}
	seen := s.findings[f.ID]
	if seen == nil {
		seen = &found{frame: f.Frame, severity: f.Severity}
		s.findings[f.ID] = seen
	}
	seen.count++
}

func (s *session) end(v *record.Verdict) {
	if v == nil {
		return
	}
	s.by = v.By
	if v.Cause != nil {
		s.verdict = v.Text
	}
}

// A pair is a connection of A and its counterpart in B; one of the two is nil if it has none.
type pair struct{ a, b *session }

// pairs aligns the connections of both captures, in the order in which they began. Those with the same messages belong
// together; of the others those that begin alike, then those to the same port, then those in the same place.
func pairs(a, b []*session) (all []pair) {
	return pairBy([]func(*session) uint64{(*session).course, (*session).opening, (*session).port, (*session).any}, a, b)
}

func pairBy(likeness []func(*session) uint64, a, b []*session) (all []pair) {
	if len(likeness) == 0 || len(a) == 0 || len(b) == 0 {
		for _, s := range a {
			all = append(all, pair{a: s})
		}
		for _, s := range b {
			all = append(all, pair{b: s})
		}
		return all
	}
	atA, atB := 0, 0
	align(sums(likeness[0], a), sums(likeness[0], b), func(i, j int) {
		all = append(all, pairBy(likeness[1:], a[atA:i], b[atB:j])...)
		all = append(all, pair{a[i], b[j]})
		atA, atB = i+1, j+1
	})
	return append(all, pairBy(likeness[1:], a[atA:], b[atB:])...)
}

func sums(of func(*session) uint64, all []*session) []uint64 {
	s := make([]uint64, len(all))
	for i := range all {
		s[i] = of(all[i])
	}
	return s
}

// any is the same for all.
func (s *session) any() uint64 { return 0 }

// port sums up whom a connection leads to.
func (s *session) port() uint64 { return uint64(s.conn.Server.Port()) }

// opening sums up how a connection began: the first messages of both sides.
func (s *session) opening() uint64 { return s.upTo(4) }

// course sums up all messages of a connection.
func (s *session) course() uint64 { return s.upTo(MaxMessages) }

func (s *session) upTo(n int) (sum uint64) {
	for _, lane := range s.lanes {
		for _, at := range lane[:min(n, len(lane))] {
			sum = mix(sum, at.sum)
		}
		sum = mix(sum, 0)
	}
	return sum
}
