package ladder

// What a message answers.

import (
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
)

// An answer is what the Transaction that a message ends tells about it.
type answer struct {
	known   bool
	kind    record.TransactionKind
	outcome record.Outcome
	request uint64 // the last frame of the request
	id      uint64
	latency int64 // in nanoseconds; -1 if it is not known
}

func newAnswer(t *record.Transaction) answer {
	latency := int64(-1)
	if t.Timed() {
		latency = t.Latency()
	}
	return answer{true, t.Kind, t.Outcome, t.Request.LastFrame, t.ID, latency}
}

// append appends when the request came: ", 960 us after frame 17".
func (a *answer) append(dst []byte, frames record.Frames) []byte {
	words := ", "
	if a.outcome == record.Refused {
		words = ", refuses "
	} else if a.latency >= 0 {
		dst = text.AppendDuration(append(dst, words...), a.latency)
		words = " after "
	} else {
		words = ", answers "
	}
	request := record.At(a.request, 0)
	return frames.AppendNamed(append(dst, words...), &request)
}
