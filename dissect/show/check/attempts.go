package check

// Connections that a client makes again after one has failed.

import (
	"cmp"
	"fmt"
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// An attempt is a connection of a client to a server.
type attempt struct {
	peers
	conn   int
	begin  int64 // time of its first packet
	failed bool
	over   int64  // time of what it failed over
	used   bool   // both sides sent FPDUs
	passed [2]int // by direction: octets of TCP payload in the largest packet that was acknowledged
	stuck  [2]int // by direction: octets of TCP payload in the first packet that was not; 0 if there is none
}

// peers are a client and a server.
type peers struct {
	client netip.Addr
	server netip.AddrPort
}

// maxAttempts is how many are remembered, the first ones.
const maxAttempts = 4096

func newAttempt(v *record.Verdict) attempt {
	c := v.Conn
	a := attempt{
		peers: peers{c.Client.Addr(), c.Server}, conn: c.ID, begin: c.Time, failed: v.Cause != nil,
		used: c.Traffic[flow.C2S].FPDUs > 0 && c.Traffic[flow.S2C].FPDUs > 0,
	}
	if a.failed {
		a.over = v.Cause.Time
	}
	for d := range c.Traffic {
		a.passed[d] = c.Traffic[d].Passed
		if p := c.Traffic[d].Pending; p != nil {
			a.stuck[d] = p.Len
		}
	}
	return a
}

// compare says which comes first; of those that began at the same time, the one that was recognised first.
func (a *attempt) compare(b *attempt) int {
	return cmp.Or(cmp.Compare(a.begin, b.begin), cmp.Compare(a.conn, b.conn))
}

// attempt remembers an attempt.
func (s *Summary) attempt(a attempt) {
	if s.between == nil {
		s.between = make(map[peers][]int)
	}
	s.between[a.peers] = append(s.between[a.peers], len(s.attempts))
	s.attempts = append(s.attempts, a)
}

// maxPause is how long after a failure a connection counts as the next attempt. Linux's clients of NFS, NVMe and iSER connect again within
// 30 seconds; what comes much later serves something else.
const maxPause = int64(time.Minute)

// next is the next connection of the same client to the same server, which it began after the failure of a; nil if a did not fail, or there
// is none.
func (s *Summary) next(a *attempt) (next *attempt) {
	if !a.failed {
		return nil
	}
	for _, i := range s.between[a.peers] {
		b := &s.attempts[i]
		if b.compare(a) > 0 && b.begin >= a.over && b.begin-a.over <= maxPause && (b.failed || b.used) && (next == nil || b.compare(next) < 0) {
			next = b
		}
	}
	return next
}

// again returns the next connection of those of the first ones that failed.
func (s *Summary) again() map[int]*Next {
	again := make(map[int]*Next)
	for i := range s.attempts {
		if next := s.next(&s.attempts[i]); next != nil {
			again[s.attempts[i].conn] = &Next{next.conn, next.failed}
		}
	}
	return again
}

// retried says how the next connection went; empty if there is none.
func (t *Text) retried(a *attempt) string {
	next := t.next(a)
	switch {
	case next == nil:
		return ""
	case next.failed:
		return fmt.Sprintf("The client connected again as connection %d, which failed too.", next.conn)
	}
	text := fmt.Sprintf("The client connected again as connection %d, and that went well.", next.conn)
	for d, lost := range a.stuck {
		if passed := next.passed[d]; a.passed[d] > 0 && a.passed[d] < lost && passed > 0 && passed < lost {
			text += fmt.Sprintf(" There the %v's packets have at most %s of payload; the one that was not acknowledged here has %d.",
				flow.Sender(flow.Direction(d)), quantity.Count(passed, "octet"), lost)
		}
	}
	return text
}
