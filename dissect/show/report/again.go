package report

// Connections that a client makes again after one has failed.

import (
	"fmt"
	"net/netip"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// An attempt is a connection of a client to a server.
type attempt struct {
	client netip.Addr
	server netip.AddrPort
	conn   int
	frame  uint64
	failed bool
	used   bool // both sides sent FPDUs
}

// maxAttempts is how many are remembered, the first ones.
const maxAttempts = 4096

func newAttempt(v *record.Verdict) attempt {
	c := v.Conn
	return attempt{c.Client.Addr(), c.Server, c.ID, c.Frame, v.Cause != nil, c.Traffic[record.C2S].FPDUs > 0 && c.Traffic[record.S2C].FPDUs > 0}
}

// next is the next connection of the same client to the same server; nil if a did not fail, or there is none.
func (s *Summary) next(a *attempt) (next *attempt) {
	for i := range s.attempts {
		b := &s.attempts[i]
		same := a.failed && b.client == a.client && b.server == a.server && b.frame > a.frame
		if same && (b.failed || b.used) && (next == nil || b.frame < next.frame) {
			next = b
		}
	}
	return next
}

// again says how the next connection went; empty if there is none.
func (t *Text) again(a *attempt) string {
	next := t.next(a)
	switch {
	case next == nil:
		return ""
	case next.failed:
		return fmt.Sprintf("The client connected again as connection %d, which failed too.", next.conn)
	}
	return fmt.Sprintf("The client connected again as connection %d, and that went well.", next.conn)
}
