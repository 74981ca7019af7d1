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

// starved is a side that has no credits left. One that may have had nothing to send counts only if that lasted as long as a request may
// wait.
func (f *follower) starved(e *ulp.Ending) (c ulp.Conclusion, ok bool) {
	for d := range f.halves {
		w, d := &f.halves[d], flow.Direction(d)
		_, asks := f.Oldest(1 - d)
		busy := w.remaining > 0 || asks > 0
		first := c.Conn == nil || w.spent.Frame < c.Frame
		if !w.counted || w.credits != 0 || w.spent.Conn == nil || !first || !e.Hindered(w.spent.LastTime) ||
			!busy && e.At-w.spent.LastTime < int64(e.Owed) {
			continue
		}
		c = ulp.Conclusion{Origin: w.spent, Name: record.Starved, Says: fmt.Sprintf(
			"The %[1]v had no credit left after %[2]s, and the %[3]v granted no more: the %[1]v could send nothing for %[4]s",
			flow.Sender(d), w.spent.Conn.Frames.Text(w.spent.Span), flow.Sender(1-d), quantity.Duration(e.At-w.spent.LastTime))}
		c.Dir = 1 - d
	}
	return c, c.Conn != nil
}
