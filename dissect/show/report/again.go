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

// attempted remembers a connection.
func (t *Text) attempted(v *record.Verdict) attempt {
	c := v.Conn
	a := attempt{c.Client.Addr(), c.Server, c.ID, c.Frame, v.Cause != nil, c.Traffic[record.C2S].FPDUs > 0 && c.Traffic[record.S2C].FPDUs > 0}
	if len(t.attempts) < maxAttempts {
		t.attempts = append(t.attempts, a)
	}
	return a
}

// again says how the next connection of the same client to the same server went; empty if a did not fail, or there is none.
func (t *Text) again(a *attempt) string {
	var next *attempt
	for i := range t.attempts {
		if b := &t.attempts[i]; b.client == a.client && b.server == a.server && b.frame > a.frame && (b.failed || b.used) && (next == nil || b.frame < next.frame) {
			next = b
		}
	}
	switch {
	case !a.failed || next == nil:
		return ""
	case next.failed:
		return fmt.Sprintf("The client connected again as connection %d, which failed too.", next.conn)
	}
	return fmt.Sprintf("The client connected again as connection %d, and that went well.", next.conn)
}
