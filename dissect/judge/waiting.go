package judge

// What waits for an answer: requests that nothing answers while time passes, and the oldest of those that nothing
// answered at all.

import (
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// stallAfter is how long nothing may come while something is outstanding.
const stallAfter = int64(time.Second)

// A waiting is what waits on a connection for an answer, or for the rest of a message.
type waiting struct {
	*coverage
	*match.Order
	requests *match.Requests
	follower ulp.Follower                        // nil if no upper layer was recognised
	progress [2]progress                         // by direction
	latest   record.Span                         // the latest segment
	doubted  [2]uint64                           // by the direction of the requests: the frame of the latest response of which it is in doubt what it answers
	now      int64                               // the latest time of any connection
	longest  int64                               // for how long nothing came while something was outstanding, at most
	left     [2][record.NumTransactionKinds]left // by the direction of the requests, and their kind
}

// progress is how far one direction has come.
type progress struct {
	latest     record.Span // the latest segment
	before     uint64      // frame of the one before it
	late       bool        // it came late
	unfinished bool        // it was not the last one of its message
	cut        cut         // the message that it belongs to, if that was given up
}

// A cut is a message whose end never came.
type cut struct {
	opcode   rdmap.Opcode
	segments int // 0 for a part of an FPDU
	span     record.Span
	octets   uint64
	stated   int  // of a part of an FPDU: octets of the whole, by its ULPDU_Length; 0 if that is not known
	short    bool // of a part of an FPDU: another begins in it
}

// stall says what was outstanding if a segment comes late while something is outstanding; otherwise it is empty. What
// came in the meantime is known only if both directions are in the capture, and neither has octets that wait to be
// decoded, or were acknowledged by now and have not come.
func (w *waiting) stall(s *record.Segment) string {
	before := &w.latest
	quiet := s.Time - before.LastTime
	if before.LastTime == 0 || s.Time == 0 || s.Frame < before.LastFrame || s.Ahead || w.anyHidden() {
		return ""
	}
	what := w.outstanding(before)
	if what == "" {
		return ""
	}
	w.longest = max(w.longest, quiet)
	return sentence("Nothing came for %s between %s and %s, while %s",
		duration(quiet), frame(s.Conn, before.LastFrame), frame(s.Conn, s.Frame), what)
}

// outstanding says what was outstanding when a segment had come; empty if nothing was. What would end it may be among
// octets that the other side has acknowledged, and that were not decoded by then.
func (w *waiting) outstanding(since *record.Span) string {
	for d := range w.progress {
		d := record.Direction(d)
		p := &w.progress[d]
		if t := w.oldest(d); t != nil && t.Request.LastFrame <= since.LastFrame && !w.Ahead[d] {
			return w.transactionText(t) + " was not answered"
		}
		if p.unfinished && !w.lost[d] && p.latest.LastFrame <= since.LastFrame && !w.Ahead[1-d] {
			return sentence("the %v had sent a part of a message only", record.Sender(d))
		}
	}
	return ""
}

// unsure reports whether the response of a request may have been missed.
func (w *waiting) unsure(r *match.Request) bool {
	d := 1 - r.Dir
	t := &w.conn.Traffic[d]
	none := t.FPDUs == 0 && t.TCP.HoleOctets > 0 // of its segments has come
	return r.Late || r.Gaps != w.Gaps() || w.doubted[r.Dir] > r.Request.Frame || none || w.hidden(d) || w.unseen(d) || w.givenUp
}

// oldest is the oldest transaction of a direction that waits for its response, and the response of which cannot have
// been missed; nil if there is none.
func (w *waiting) oldest(d record.Direction) (t *record.Transaction) {
	for r := range w.requests.All(d) {
		if !r.Over && !w.unsure(r) {
			t = &r.Transaction
			break
		}
	}
	if w.follower == nil {
		return t
	}
	upper, _ := w.follower.Oldest(d)
	if upper == nil || upper.Request.LastFrame <= w.MissedAt[1-d] || w.hidden(1-d) {
		return t
	}
	if t == nil || upper.Request.Frame < t.Request.Frame {
		return upper
	}
	return t
}

// A left is what was left over of one kind of transactions of one direction.
type left struct {
	oldest  *record.Transaction // of those that were never answered; nil if there is none
	unknown bool                // of others it is not known whether they were answered
}

// take takes a transaction that is over.
func (l *left) take(t *record.Transaction) {
	switch t.Outcome {
	case record.OutcomeUnknown:
		l.unknown = true
	case record.Unanswered:
		if l.oldest == nil || t.Request.Frame < l.oldest.Request.Frame {
			oldest := *t
			oldest.Upper = nil // it is its follower's
			l.oldest = &oldest
		}
	}
}

// unansweredTale says how many transactions of a kind were not answered, and which the first of them is.
func (e *ending) unansweredTale(d record.Direction, kind record.TransactionKind) tale {
	l, never := &e.left[d][kind], "never answered"
	if !e.complete() {
		never = "has not yet answered"
	}
	n, _ := e.requestsLeft(d, kind)
	switch one := n == 1 && l.oldest != nil && !l.unknown; {
	case one && kind == record.ReadTransaction && l.oldest.Octets > 0 && isBlocked(&e.conn.Traffic[1-d].Pending):
		return told("The %v's Read Response to %s never got through", record.Sender(1-d), e.transactionText(l.oldest))
	case one:
		return told("The %v %s %s%s", record.Sender(1-d), never, e.transactionText(l.oldest), e.waited(l.oldest)).and(e.taken(l.oldest)).seen(e.upperText(l.oldest))
	}
	t := told("The %v %s %s", record.Sender(1-d), never, e.manyText(d, kind))
	if l.oldest != nil {
		t.what += sentence(", the first of them the %s in %s (%s)%s", l.oldest.Name, frames(e.conn, l.oldest.Request), e.idText(l.oldest), e.waited(l.oldest))
		t = t.seen(e.upperText(l.oldest))
	}
	return t
}

// manyText counts what was not answered: "at least 30 RDMA Reads of the client".
func (e *ending) manyText(d record.Direction, kind record.TransactionKind) string {
	n, thing := e.requestsLeft(d, kind)
	text := sentence("%s of the %v", plural(uint64(n), thing), record.Sender(d))
	if e.left[d][kind].unknown {
		return "at least " + text
	}
	return text
}

// requestsLeft is how many transactions of a kind were not answered, and what one is called.
func (e *ending) requestsLeft(d record.Direction, kind record.TransactionKind) (n int, thing string) {
	o := &e.verdict.Outstanding[d]
	switch {
	case kind == record.ReadTransaction:
		return o.Reads, "RDMA Read"
	case kind == record.AtomicTransaction:
		return o.Atomics, "Atomic Request"
	case e.verdict.ULP != "":
		return o.Upper, e.verdict.ULP + " request"
	}
	return o.Upper, "request"
}

// until is the latest time that the capture shows.
func (w *waiting) until() int64 { return max(w.conn.Latest, w.now) }

// waited is how long a transaction waited for its answer: ", which waited for 3 s, since 12 ms"; empty if that is not known.
// Of a short wait it does not say since when.
func (w *waiting) waited(t *record.Transaction) string {
	until := w.until()
	if w.complete() {
		until = w.over().Time
	}
	if t.Request.LastTime == 0 || until <= t.Request.LastTime {
		return ""
	}
	waited := until - t.Request.LastTime
	text := ", which waited for " + duration(waited)
	if begin := w.conn.Begin; begin != 0 && waited >= stallAfter {
		text += sentence(", since %s", quantity.Moment(t.Request.LastTime-begin))
	}
	return text
}

// taken says of a transaction that waited long that TCP has delivered it.
func (w *waiting) taken(t *record.Transaction) string {
	d := t.Dir
	if t.Request.LastTime == 0 || w.until()-t.Request.LastTime < stallAfter {
		return ""
	}
	return w.acknowledged(d)
}

// acknowledged says that TCP has delivered all of a direction; empty if it has not, or that is not known.
func (w *waiting) acknowledged(d record.Direction) string {
	traffic := &w.conn.Traffic
	if traffic[1-d].Packets == 0 || traffic[d].Pending.Octets > 0 || w.conn.Transport() != record.OverTCP {
		return ""
	}
	return sentence("the %v's TCP acknowledged all that the %v sent", record.Sender(1-d), record.Sender(d))
}

// transactionText names a transaction: "the NFSv3 READ of the client in frame 8 (XID 0x5a000001)".
func (w *waiting) transactionText(t *record.Transaction) string {
	return sentence("the %s of the %v in %s (%s)", t.Name, record.Sender(t.Dir), frames(t.Conn, t.Request), w.idText(t))
}

// upperText names a transaction of an upper layer on whichever connection it is: "NFSv3 READ (XID 0x5a000001)"; empty for others.
func (w *waiting) upperText(t *record.Transaction) string {
	if t.Kind != record.UpperTransaction || t.Name == "" {
		return ""
	}
	return sentence("%s (%s)", t.Name, w.idText(t))
}

// idText is the ID of a transaction with what it is called.
func (w *waiting) idText(t *record.Transaction) string {
	switch t.Kind {
	case record.ReadTransaction:
		return sentence("MSN %d", t.ID)
	case record.AtomicTransaction:
		return sentence("Request Identifier %#x", t.ID)
	}
	if w.follower != nil {
		if id := w.follower.Identify(t); id != "" {
			return id
		}
	}
	return sentence("ID %#x", t.ID)
}
