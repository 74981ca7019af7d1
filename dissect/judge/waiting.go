package judge

// What waits for an answer: requests that nothing answers while time passes, and the oldest of those that nothing
// answered at all.

import (
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
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
	begun    flow.Span                           // the first segment
	latest   flow.Span                           // the latest segment
	doubted  [2]uint64                           // by the direction of the requests: the frame of the latest response of which it is in doubt what it answers
	now      int64                               // the latest time of any connection
	ended    bool                                // all that the capture has of the connection has come
	agreed   bool                                // both sides had agreed to end what was under way
	stalls   stalls                              // when nothing came while something was outstanding
	left     [2][record.NumTransactionKinds]left // by the direction of the requests, and their kind
}

// stalls are the times when nothing came while something was outstanding.
type stalls struct {
	n       int
	all     int64  // how long they lasted together
	longest int64  // how long one lasted, at most
	says    string // of that one
	last    stall
}

// A stall is one of these times, from one segment to the next.
type stall struct {
	flow.Span
	says string
}

// take takes one.
func (s *stalls) take(one stall) {
	quiet := one.LastTime - one.Time
	s.n++
	s.all += quiet
	if quiet > s.longest {
		s.longest, s.says = quiet, one.says
	}
	s.last = one
}

// text says how slow it was; empty if there was no such time.
func (s *stalls) text() string {
	switch s.n {
	case 0:
		return ""
	case 1:
		return sentence("It was slow, not stuck: %s.", uncapital(s.says))
	}
	return sentence("It was slow, not stuck: %s. There were %d such waits, %s in all.", uncapital(s.says), s.n, duration(s.all))
}

// progress is how far one direction has come.
type progress struct {
	latest     flow.Span // the latest segment
	pause      flow.Span // from one segment to the next, the longest that the side said nothing
	opcode     rdmap.Opcode
	before     uint64 // frame of the one before it
	late       bool   // it came late
	responded  int64  // time of the latest segment of a Read Response
	unfinished bool   // it was not the last one of its message
	cut        cut    // the message that it belongs to, if that was given up
}

// pass takes the next segment.
func (w *waiting) pass(s *record.Segment) {
	if w.begun == (flow.Span{}) {
		w.begun = s.Span
	}
	w.progress[s.Dir].pass(s)
}

func (p *progress) pass(s *record.Segment) {
	if p.latest.LastTime != 0 && s.Time-p.latest.LastTime > p.pause.LastTime-p.pause.Time {
		p.pause = flow.Span{Frame: p.latest.LastFrame, LastFrame: s.Frame, Time: p.latest.LastTime, LastTime: s.Time}
	}
	p.before, p.latest, p.late, p.opcode = p.latest.LastFrame, s.Span, s.Late, s.RDMAP.Control.Opcode
}

// until is the latest segment before another packet, as far as that is known: it may come within the longest pause.
func (p *progress) until(at *flow.Span) flow.Span {
	if p.pause.Frame < at.Frame && at.Frame < p.pause.LastFrame {
		return flow.At(p.pause.Frame, p.pause.Time)
	}
	return p.latest
}

// giveUp takes a message whose end never came.
func (p *progress) giveUp(m *record.Message) {
	if p.unfinished && m.LastFrame == p.latest.LastFrame {
		p.cut = cut{opcode: m.Opcode, segments: m.Segments, span: m.Span, octets: m.Len}
	}
}

// A cut is a message whose end never came.
type cut struct {
	opcode   rdmap.Opcode
	segments int // 0 for a part of an FPDU
	span     flow.Span
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
	says := sentence("Nothing came for %s between %s and %s, while %s",
		duration(quiet), frame(s.Conn, before.LastFrame), frame(s.Conn, s.Frame), what)
	w.stalls.take(stall{flow.Span{Frame: before.LastFrame, LastFrame: s.Frame, Time: before.LastTime, LastTime: s.Time}, says})
	return says
}

// outstanding says what was outstanding when a segment had come; empty if nothing was. What would end it may be among
// octets that the other side has acknowledged, and that were not decoded by then.
func (w *waiting) outstanding(since *flow.Span) string {
	for d := range w.progress {
		d := flow.Direction(d)
		p := &w.progress[d]
		if t := w.oldest(d); t != nil && t.Request.LastFrame <= since.LastFrame && !w.Ahead[d] {
			return w.transactionText(t) + " was not answered"
		}
		if p.unfinished && !w.lost[d] && p.latest.LastFrame <= since.LastFrame && !w.Ahead[1-d] {
			return sentence("the %v had sent a part of a message only", flow.Sender(d))
		}
	}
	return ""
}

// unsure reports whether the response of a request may have been missed.
func (w *waiting) unsure(r *match.Request) bool {
	d := 1 - r.Dir
	if w.mute(&r.Transaction) {
		return false
	}
	return r.Late || r.Gaps != w.Gaps() || w.doubted[r.Dir] > r.Request.Frame || w.none(d) || w.hidden(d) || w.unseen(d) || w.givenUp
}

// mute reports whether the other side certainly sent nothing after a request, whatever was missed before. That is known at the end.
func (w *waiting) mute(t *record.Transaction) bool {
	d := 1 - t.Dir
	other := &w.conn.Traffic[d]
	lacks := w.unseen(d) || other.MissingOctets > 0 || other.TCP.HoleOctets > 0
	own := &w.conn.Traffic[t.Dir]
	late := max(own.Disorder.LastFrame, own.Overtaken.Frame) >= t.Request.Frame // it may have come before
	return w.ended && !w.givenUp && !lacks && !late && w.conn.Transport() == flow.OverTCP && match.Before(&other.Said, &t.Request)
}

// oldest is the oldest transaction of a direction that waits for its response, and the response of which cannot have
// been missed; nil if there is none.
func (w *waiting) oldest(d flow.Direction) (t *record.Transaction) {
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
	if upper == nil || !w.mute(upper) && (upper.Request.LastFrame <= w.MissedAt[1-d] || w.hidden(1-d)) {
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

// until is the latest time that the capture shows; if its clock was set back, the latest since then.
func (w *waiting) until() int64 {
	last := &w.conn.Traffic[flow.C2S].Latest
	if other := &w.conn.Traffic[flow.S2C].Latest; other.LastFrame > last.LastFrame {
		last = other
	}
	return max(flow.Later(w.conn.Latest, last.LastTime), w.now)
}

// waited is how long a transaction waited for its answer: ", which was sent at 12 ms and waited for 3 s"; empty if that is not known.
// It does not say when a short wait began.
func (w *waiting) waited(t *record.Transaction) string {
	until := w.until()
	if w.complete() {
		until = w.over().Time
	}
	if t.Request.LastTime == 0 || until <= t.Request.LastTime {
		return ""
	}
	waited := until - t.Request.LastTime
	if begin := w.conn.Begin; begin != 0 && waited >= stallAfter {
		return sentence(", which was sent at %s and waited for %s", quantity.Moment(t.Request.LastTime-begin, t.Request.LastTime), duration(waited))
	}
	return ", which waited for " + duration(waited)
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
func (w *waiting) acknowledged(d flow.Direction) string {
	traffic := &w.conn.Traffic
	if traffic[1-d].Packets == 0 || traffic[d].Pending != nil || w.conn.Transport() != flow.OverTCP {
		return ""
	}
	return sentence("the %v's TCP acknowledged all that the %v sent", flow.Sender(1-d), flow.Sender(d))
}

// transactionText names a transaction: "the NFSv3 READ of the client in frame 8 (XID 0x5a000001)".
func (w *waiting) transactionText(t *record.Transaction) string {
	return sentence("the %s of the %v in %s (%s)", t.Name, flow.Sender(t.Dir), frames(t.Conn, t.Request), w.idText(t))
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

// waitedFor is how long, at the end of the connection or the capture, something had waited; 0 if the times of the two directions cannot be compared.
func (w *waiting) waitedFor(s *flow.Span) int64 {
	if isAskew(w.conn) {
		return 0
	}
	if w.complete() {
		return w.over().Time - s.LastTime
	}
	return w.until() - s.LastTime
}

// crosses reports whether a transaction asks for no work, and came shortly before the end.
func (w *waiting) crosses(t *record.Transaction) bool {
	p, ok := t.Upper.(ulp.Probing)
	return ok && p.Probes() && w.waitedFor(&t.Request) < stallAfter
}

// patience is how long a side must have left the other waiting for that to be why the connection ended: longer if it ended
// the connection itself.
func (w *waiting) patience(silent flow.Party) int64 {
	if w.closer() == silent {
		return lingerAfter
	}
	return stallAfter
}

// incomplete reports whether the other side gave up waiting for the rest of a message of direction d.
func (w *waiting) incomplete(d flow.Direction, s *flow.Span) bool {
	return w.closer() == flow.Sender(1-d) && w.waitedFor(s) >= stallAfter
}
