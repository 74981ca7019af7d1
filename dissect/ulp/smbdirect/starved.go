package smbdirect

// A side that has no credits left, and gets none: it can send nothing more.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// Conclude implements ulp.Concluding. A side without credits that may have had nothing to send counts only if that lasted as long as
// a request may wait.
func (f *follower) Conclude(e *ulp.Ending) (c ulp.Conclusion, ok bool) {
	for d := range f.halves {
		w, d := &f.halves[d], flow.Direction(d)
		_, asks := f.Oldest(1 - d)
		busy := w.remaining > 0 || asks > 0
		first := c.Conn == nil || w.spent.Frame < c.Frame
		if !w.counted || w.credits != 0 || w.spent.Conn == nil || !e.Whole || !first || !e.Hindered(w.spent.LastTime) ||
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
