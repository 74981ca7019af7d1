package smbdirect

// What is wrong at the end of a connection: a side that has no credits left, and gets none; a message of which packets are missing; a
// session that the server has closed, or that was never set up.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// Conclude implements ulp.Concluding.
func (f *follower) Conclude(e *ulp.Ending) (c ulp.Conclusion, ok bool) {
	if n := &f.notified; n.Conn != nil && e.By != flow.Nobody {
		return ulp.Conclusion{Origin: *n, Name: record.EndAnnounced, Says: fmt.Sprintf(
			"The server said in %s that it has closed the session (SMB2 SERVER_TO_CLIENT_NOTIFICATION)", n.Conn.Frames.Text(n.Span))}, true
	}
	if !e.Whole {
		return c, false
	}
	if c, ok = f.starved(e); ok {
		return c, true
	}
	for d := range f.halves {
		if w := &f.halves[d]; w.remaining > 0 && e.Hindered(w.origin.LastTime) {
			return ulp.Conclusion{Origin: w.origin, Name: record.MessageCut, Says: fmt.Sprintf("The %v never completed its SMB2 message in %s: %s are missing",
				flow.Sender(flow.Direction(d)), w.origin.Conn.Frames.Text(w.origin.Span), quantity.Count(w.remaining, "octet"))}, true
		}
	}
	if u := f.unfinished; u.Conn != nil && e.By != flow.Nobody {
		u.Dir = e.Dir()
		return ulp.Conclusion{Origin: u, Name: record.SetUpAbandoned, Says: fmt.Sprintf(
			"The %v gave up the SMB2 session after the SESSION_SETUP Response in %s, which asks for another step of the authentication",
			e.By, u.Conn.Frames.Text(u.Span))}, true
	}
	return c, false
}
