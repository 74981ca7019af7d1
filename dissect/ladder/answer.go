package ladder

// Transactions that are over, until their response is drawn.

import (
	"slices"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/text"
)

// An answer is what is known of a message from the Transaction that it ends.
type answer struct {
	kind     record.TransactionKind
	outcome  record.Outcome
	dir      record.Direction // of the response
	response record.Span
	request  uint64 // the last frame of the request
	id       uint64
	latency  int64 // in nanoseconds; -1 if it is not known
}

// maxAnswers is how many wait at a time. An Analyser tells of a Transaction just before its response is whole, so few
// do.
const maxAnswers = 64

// answers are those whose message comes yet.
type answers struct {
	waiting []answer
	taken   answer
}

func (a *answers) add(t *record.Transaction) {
	if len(a.waiting) == maxAnswers {
		a.waiting = slices.Delete(a.waiting, 0, 1)
	}
	latency := int64(-1)
	if t.Timed() {
		latency = t.Latency()
	}
	a.waiting = append(a.waiting, answer{
		kind: t.Kind, outcome: t.Outcome, dir: 1 - t.Dir, response: t.Response,
		request: t.Request.LastFrame, id: t.ID, latency: latency,
	})
}

// take takes out what a message answers; nil if that is not known. It is valid until the next call.
func (a *answers) take(m *record.Message) *answer {
	i := slices.IndexFunc(a.waiting, func(w answer) bool {
		return w.dir == m.Dir && w.response.Frame <= m.LastFrame && w.response.LastFrame >= m.Frame && w.endsWith(m.Opcode)
	})
	if i < 0 {
		return nil
	}
	a.taken = a.waiting[i]
	a.waiting = slices.Delete(a.waiting, i, i+1)
	return &a.taken
}

// endsWith tells whether a message with an opcode can end the Transaction.
func (a *answer) endsWith(o rdmap.Opcode) bool {
	switch {
	case o == rdmap.OpTerminate:
		return a.outcome == record.Refused
	case a.kind == record.UpperTransaction:
		return o.ConsumesReceive()
	case a.kind == record.AtomicTransaction:
		return o == rdmap.OpAtomicResponse
	}
	return o == rdmap.OpReadResponse
}

// append appends when the request came: ", 960 us after frame 17".
func (a *answer) append(dst []byte) []byte {
	words := ", "
	if a.outcome == record.Refused {
		words = ", refuses "
	} else if a.latency >= 0 {
		dst = text.AppendDuration(append(dst, words...), a.latency)
		words = " after "
	} else {
		words = ", answers "
	}
	dst = append(append(dst, words...), "frame "...)
	return strconv.AppendUint(dst, a.request, 10)
}
