package nvme

// Asynchronous events that tell of the end of a controller: NVM Express Base Specification 2.0, Asynchronous Event Information - Error
// Status.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// failures are the events after which a controller does not go on, by Asynchronous Event Information and Type.
var failures = map[uint16]string{
	0x0200: "Diagnostic Failure",
	0x0300: "Persistent Internal Error",
}

// A failure is what a controller said of its own.
type failure struct {
	record.Origin // of the completion; zero if there was none
	name          string
}

// event notes what the completion of an Asynchronous Event Request tells.
func (f *failure) event(o *record.Origin, completion []byte) {
	const typeAndInfo = 0xff07
	if name := failures[uint16(responseDW0.Number(completion))&typeAndInfo]; name != "" {
		*f = failure{*o, name}
	}
}

// Conclude implements ulp.Concluding.
func (f *follower) Conclude(e *ulp.Ending) (c ulp.Conclusion, ok bool) {
	oldest, open := f.Oldest(flow.C2S)
	switch {
	case e.By == flow.Nobody:
		return f.spaces.conclude()
	case f.failure.Conn != nil:
		return ulp.Conclusion{Origin: f.failure.Origin, Name: record.EndAnnounced, Says: fmt.Sprintf(
			"The controller said in the completion of an Asynchronous Event Request in %s that it has failed: %s",
			f.failure.Conn.Frames.Text(f.failure.Span), f.failure.name)}, true
	case !e.Whole || open > 0 && oldest.Request.Frame < e.Span.Frame: // a command that waits says more
		return c, false
	case f.enabled.Conn != nil && e.By == flow.Server:
		o := f.enabled
		o.Dir, o.Span = flow.S2C, e.Span
		return ulp.Conclusion{Origin: o, Name: record.SessionDropped, Advice: droppedAdvice, Says: fmt.Sprintf(
			"The controller ended the connection of its Admin Queue in %s, although the host, which had enabled the controller in %s, had not shut it down",
			o.Conn.Frames.Text(o.Span), o.Conn.Frames.Text(f.enabled.Span))}, true
	}
	if c, ok = f.auth.abandoned(e); ok {
		return c, ok
	}
	return f.spaces.conclude()
}
