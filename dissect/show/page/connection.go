package page

// What is kept of a connection while a capture is read.

import (
	"cmp"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A connection is what a page has of one.
type connection struct {
	page       *Page
	of         *flow.Conn
	over       bool
	count      uint64 // whole messages
	numbered   int32  // messages so far
	octets     uint64 // of ULP payload
	line       *stats.Timeline
	finest     []stats.Interval // of line, once all is known
	sums       *stats.Collector // nil as long as no transaction is over
	messages   shelf[message]
	requests   shelf[request]
	lengths    lengths
	file       string // that has all of its frames, once its ladder is drawn; empty if there is none
	found      []*group
	stalls     []stall
	latest     int64        // time of the latest Record
	unanswered bool         // a request is over without an answer
	resent     [2][2]uint64 // by direction: octets sent again by then, and segments out of order

	verdict verdict
}

// A message is a row of the ladder and of the table of messages.
type message struct {
	flow.Span
	class  word // of its colour
	name   word
	upper  word
	faults word
	fields word // what its header says; 0 if that is kept
	octets uint64
	took   int64 // nanoseconds from the request that it answers; -1 if it answers none, or that is not known
	worst  int8  // severity of the worst finding about it; -1 if there is none
	dir    flow.Direction
	shape  shape
	kept   uint8 // octets of header
	ulpdu  uint16
	number int32 // its place among the messages of the connection, from 1; 0 for what is none
	header [headerRoom]byte
}

// headerRoom is how many octets of a header are kept until the page is written: those of a Read Request, in place of text, which
// would be a pointer to follow for each of very many messages.
const headerRoom = 46

// A shape is how a message is drawn.
type shape uint8

const (
	arrow      shape = iota
	sentAgain        // a dashed arrow
	outOfOrder       // a dashed arrow: what came before was lost, or is late
	lost             // a dashed arrow that does not arrive
	remark           // words
)

// A request is a row of the table of transactions.
type request struct {
	begin, end flow.Span
	took       int64 // -1 if it is not known
	kind       record.TransactionKind
	dir        flow.Direction
	name       word
	result     word
	id         uint64
	octets     uint64
	outcome    record.Outcome
	failed     bool   // refused, or answered with an error
	standing   bool   // not answered, which is no fault
	asked      uint32 // credits
	granted    uint32
}

// eachWord gives the words of all messages and requests to a function, which may change them.
func (c *connection) eachWord(do func(*word)) {
	for i := range c.messages.all {
		m := &c.messages.all[i].it
		do(&m.class)
		do(&m.name)
		do(&m.upper)
		do(&m.faults)
		do(&m.fields)
	}
	for i := range c.requests.all {
		r := &c.requests.all[i].it
		do(&r.name)
		do(&r.result)
	}
}

// A stall is a silence that a request has waited through.
type stall struct {
	from, to int64
	waited   bool
}

// waits are the silences that requests have waited through.
func (c *connection) waits() []stall {
	return slices.DeleteFunc(slices.Clone(c.stalls), func(s stall) bool { return !s.waited })
}

// leastStall is the shortest silence that counts as a stall, in nanoseconds; maxStalls is how many are told apart.
const (
	leastStall = int64(200 * time.Millisecond)
	maxStalls  = 1000
)

// How long intervals are as long as there are few: of the first connections, and of others, which have less room for them.
const (
	finest      = 100 * time.Microsecond
	finestFirst = 16
	finestRest  = time.Millisecond
)

func newConnection(p *Page, of *flow.Conn, start int64) *connection {
	interval := finest
	if len(p.conns) >= finestFirst {
		interval = finestRest
	}
	c := &connection{page: p, of: of, line: stats.NewTimeline(interval)}
	c.lengths.step = int64(interval)
	c.line.Sums = true
	c.line.Start(start)
	return c
}

// record takes what happened on the connection.
func (c *connection) record(r *record.Record) {
	if c.tcp(r) || r.Kind != record.KindSegment || len(r.Over) > 0 {
		c.line.Record(r)
	}
	if len(r.Over) > 0 {
		c.sum(r)
	}
	if r.Kind != record.KindEnd { // that of the whole connection
		c.silence(r.Time, r.LastTime)
	}
	for _, t := range r.Over {
		c.request(t)
	}
	for _, f := range r.Findings {
		c.finding(f, r)
	}
	switch r.Kind {
	case record.KindStartup:
		c.startup(r)
	case record.KindSegment:
		c.lengths.add(ofFPDUs, r.LastTime, uint64(r.Segment.Len()))
	case record.KindMessage:
		c.octets += r.Message.Len
		if r.Message.Complete {
			c.count++
		}
		c.lengths.add(ofMessages, r.LastTime, r.Message.Len)
		c.message(r)
	case record.KindNote:
		c.keep(message{
			Span: r.Span, dir: r.Dir, shape: noteShape(r.Note), class: c.page.word("mark"), name: c.page.word(string(text.AppendNoteText(nil, r.Note))), took: -1, worst: int8(rules.Warning),
		})
	case record.KindEnd:
		c.end(r.Verdict)
		c.order()
	}
}

func noteShape(n *record.Note) shape {
	if n.Kind == record.FramingLost || n.Kind == record.ChunksMissing {
		return lost
	}
	return remark
}

// sum counts the transactions that are over with r.
func (c *connection) sum(r *record.Record) {
	if c.sums == nil {
		c.sums = stats.NewCollector()
		c.sums.Details.Histogram = true
		c.sums.Details.Percentiles = []float64{1, 5, 10, 20, 30, 40, 60, 70, 80, 95, 99.9}
	}
	c.sums.Record(r)
}

// silence notes that nothing came for long before a time.
func (c *connection) silence(from, to int64) {
	if c.latest != 0 && from-c.latest >= leastStall && len(c.stalls) < maxStalls {
		c.stalls = append(c.stalls, stall{from: c.latest, to: from, waited: c.unanswered})
	}
	c.latest = max(c.latest, to)
}

// tcp adds what TCP had to do since the latest Record because packets were lost. It reports whether octets were sent again.
func (c *connection) tcp(r *record.Record) (some bool) {
	for d := range c.of.Traffic {
		now := [2]uint64{c.of.Traffic[d].TCP.Retransmitted, c.of.Traffic[d].TCP.OutOfOrder}
		if now == c.resent[d] {
			continue
		}
		again, waited := now[0]-c.resent[d][0], now[1]-c.resent[d][1]
		c.resent[d] = now
		some = some || again > 0
		at := c.of.Traffic[d].Disorder
		if at.Frame == 0 {
			at = flow.At(r.LastFrame, r.LastTime)
		}
		row := message{Span: at, dir: flow.Direction(d), class: c.page.word("mark"), took: -1, worst: -1}
		if again > 0 {
			row.shape, row.name, row.octets = sentAgain, c.page.word("sent again"), again
			c.keep(row)
		}
		if waited > 0 {
			row.shape, row.octets = outOfOrder, 0
			row.name = c.page.word(quantity.GroupedCount(waited, "TCP segment") + " out of order")
			c.keep(row)
		}
	}
	return some
}

// said adds what a side has said to the other.
func (c *connection) said(m message) {
	c.numbered++
	m.number = c.numbered
	c.keep(m)
}

// keep adds a row of the ladder.
func (c *connection) keep(m message) {
	b := &c.page.messages
	b.held++
	c.messages.add(m, m.worst >= int8(rules.Warning))
	if b.thin && len(c.messages.all) >= 2*b.limit {
		b.held += c.messages.thin(b.limit)
	}
}

// classes are the classes of messages by their kind.
var classes = text.Palette{
	Tagged: text.Style{On: "tagged"}, Request: text.Style{On: "request"}, Send: text.Style{On: "send"}, Terminate: text.Style{On: "terminate"},
}

func (c *connection) startup(r *record.Record) {
	f, p := r.Startup, c.page
	fields := string(p.describer.AppendStartupFrame(nil, f))
	m := message{Span: r.Span, dir: r.Dir, class: p.word("mpa"), name: p.word(f.Name()), octets: uint64(len(f.MPA.ULPPrivateData())), fields: p.word(fields), took: -1}
	m.worst, m.faults = p.marks(r.Marks, "")
	c.said(m)
}

func (c *connection) message(r *record.Record) {
	m := r.Message
	p := c.page
	k := p.kind(m)
	out := message{Span: r.Span, dir: r.Dir, class: k.class, name: k.name, octets: m.Len, took: -1}
	if len(m.Header) <= headerRoom {
		out.kept, out.ulpdu = uint8(copy(out.header[:], m.Header)), uint16(m.ULPDU)
	} else {
		out.fields = p.word(string(p.describer.AppendMessage(nil, m)))
	}
	if t := m.Answers; t != nil && t.Timed() {
		out.took = t.Latency()
	}
	if r.Upper != nil {
		out.upper = p.word(r.Upper.Name)
	}
	faults := ""
	if !m.Complete {
		faults = "incomplete"
	}
	if m.BadCRCs > 0 {
		faults = join(faults, "bad CRC")
	}
	if m.Missing > 0 {
		faults = join(faults, quantity.GroupedCount(m.Missing, "octet")+" not captured")
	}
	out.worst, out.faults = p.marks(r.Marks, faults)
	c.said(out)
}

// fields are what the header of a message says.
func (c *connection) fields(m *message) string {
	p := c.page
	if m.kept == 0 {
		return p.words[m.fields]
	}
	p.message = record.Message{Origin: record.Origin{Conn: c.of, Dir: m.dir, Span: m.Span}, Header: m.header[:m.kept], ULPDU: int(m.ulpdu)}
	_, _ = p.message.First.Decode(p.message.Header) // it was decoded before
	p.message.Opcode = p.message.First.Control.Opcode
	p.label = p.describer.AppendMessage(p.label[:0], &p.message)
	return string(p.label)
}

// kind is what messages like this one are called, and how they are drawn.
func (p *Page) kind(m *record.Message) kind {
	k := &p.kinds[m.Opcode]
	if k.name == 0 {
		*k = kind{p.word(m.Opcode.String()), p.word(classes.Message(m).On)}
	}
	return *k
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// marks are the worst severity of findings, and of what is wrong with how a message was captured, and what they say; -1 if there
// is neither.
func (p *Page) marks(all []record.Mark, faults string) (worst int8, words word) {
	worst = -1
	if faults != "" {
		worst = int8(rules.Warning)
	}
	for i := range all {
		if all[i].Hidden {
			continue
		}
		worst = max(worst, int8(all[i].Severity))
		faults = join(faults, sentence(string(text.AppendFinding(nil, &all[i].Finding))))
	}
	return worst, p.word(faults)
}

// request takes a transaction that is over.
func (c *connection) request(t *record.Transaction) {
	out := request{
		begin: t.Request, end: t.Response, took: -1, kind: t.Kind, dir: t.Dir, name: c.page.word(t.Name), id: t.ID, octets: t.Octets, outcome: t.Outcome,
		failed: t.Outcome == record.Refused || t.Status != "",
		result: c.page.word(cmp.Or(t.Status, t.Result())),
	}
	if t.Timed() {
		out.took = t.Latency()
	}
	out.standing = t.Standing && t.Outcome == record.Unanswered
	c.unanswered = c.unanswered || t.Outcome == record.Unanswered && !t.Standing
	if e, ok := t.Upper.(ulp.Credited); ok {
		out.asked, out.granted = e.Credits()
	}
	for i := len(c.stalls) - 1; i >= 0 && c.stalls[i].to > t.Request.LastTime && !t.Standing; i-- {
		s := &c.stalls[i]
		s.waited = s.waited || s.from >= t.Request.LastTime && (t.Response.Frame == 0 || t.Response.LastTime >= s.to)
	}
	b := &c.page.requests
	b.held++
	c.requests.add(out, t.Outcome != record.Answered || t.Status != "")
	if b.thin && len(c.requests.all) >= 2*b.limit {
		b.held += c.requests.thin(b.limit)
	}
}

// Ranks: halfSeen is that of a connection of which the capture has packets of one side only.
const (
	halfSeen = 1
	failed   = 4
)

// rank is greater for what is worse.
func (c *connection) rank() int {
	switch {
	case c.verdict.failed:
		return failed
	case c.verdict.errors > 0:
		return 3
	case c.verdict.warnings > 0:
		return 2
	case c.of.OnlySide() != flow.Nobody:
		return halfSeen
	}
	return 0
}

// A verdict is what is kept of a record.Verdict.
type verdict struct {
	failed                  bool
	cause                   flow.Span
	at                      int // place of the cause among the messages; -1 if it is none of them
	culprit                 flow.Party
	summary, text, seen     string // seen is what shows the cause, in few words; empty if nothing does
	advice, explain, ulp    string
	until                   int64 // up to which a connection that failed stayed open; 0 for others
	errors, warnings, notes uint64
	withheld                uint64
	file                    string // that the heading names: sentences need not; empty if there is none
	failure                 text.Failure
	limit, most             [2]int // Reads and Atomics outstanding
	asides                  []string
}

// end takes the end of the connection.
func (c *connection) end(v *record.Verdict) {
	c.over = true
	c.ends()
	if c.count == 0 && c.octets == 0 && c.page.Filter == "" { // nothing but its end was given
		for d := range c.of.Traffic {
			c.octets += c.of.Traffic[d].Payload
			for _, n := range c.of.Traffic[d].Messages.All() {
				c.count += n
			}
		}
	}
	if v == nil {
		return
	}
	c.verdict = verdict{
		failed: v.Cause != nil, culprit: v.Culprit, summary: sentence(v.Summary), text: sentence(v.Text),
		advice: v.Advice, explain: v.Explain, ulp: v.ULP,
		at: -1, errors: v.Errors, warnings: v.Warnings, notes: v.Notes, withheld: v.Withheld, limit: v.Limit, most: v.MaxOutstanding, failure: text.FailureOf(v),
	}
	c.verdict.file = show.FileOf(v)
	c.verdict.asides = asides(v)
	if v.Conn.End == flow.EndOpen && v.Cause != nil {
		c.verdict.until = v.Until
	}
	c.silence(max(c.of.Latest, c.verdict.until), c.of.Latest)
	if v.Cause == nil {
		return
	}
	c.verdict.cause, c.verdict.seen = v.Cause.Span, sentence(v.Cause.Seen)
	if v.Evidence.Frame != 0 {
		c.verdict.cause = v.Evidence.Span
	}
	c.proof(v)
	frame := c.verdict.cause.Frame
	for _, s := range []shape{arrow, lost, remark} {
		is := c.messages.find(func(m *message) bool { return m.shape == s && m.Frame <= frame && m.LastFrame >= frame })
		if is != nil {
			is.marked, c.verdict.at = true, is.n
			break
		}
	}
}

// ends adds what TCP or SCTP did last: octets that were never acknowledged, and how each side closed the connection.
func (c *connection) ends() {
	var last []message
	p := c.page
	for d := range c.of.Traffic {
		d := flow.Direction(d)
		if w := &c.of.Traffic[d].Wire; w.Pending != nil && w.Pending.Oldest.Frame != 0 && w.Pending.Again > 0 {
			at := w.Pending.Oldest
			at.LastFrame, at.LastTime = w.Pending.Last.Frame, w.Pending.Last.Time
			last = append(last, message{
				Span: at, dir: d, shape: lost, class: p.word("mark"), name: p.word("never acknowledged"), octets: w.Pending.Octets, took: -1, worst: int8(rules.Warning),
				faults: p.word("sent again " + quantity.Times(w.Pending.Again)),
			})
		}
		if e := &c.of.Traffic[d].ICMP; e.Kind != flow.NoICMP {
			last = append(last, message{
				Span: e.Span, dir: 1 - d, class: p.word("mark"), name: p.word("ICMP error of " + e.From.String() + ": " + e.Kind.String()), took: -1, worst: int8(rules.Warning),
			})
		}
		for i, at := range []flow.Span{c.of.FIN[d], c.of.RST[d]} {
			if at.Frame != 0 {
				name := [][]string{{"FIN", "RST"}, {"close", "ABORT"}}[c.of.Transport()][i]
				last = append(last, message{Span: at, dir: d, class: p.word("mpa"), name: p.word(name), took: -1, worst: -1})
			}
		}
	}
	slices.SortStableFunc(last, func(a, b message) int { return cmp.Compare(a.Frame, b.Frame) })
	for _, m := range last {
		c.keep(m)
	}
}

// order sorts messages by their first frame: they come in the order of their last one.
func (c *connection) order() {
	all := c.messages.all
	places, cause := make([]int, len(all)), c.verdict.at
	for i := range all {
		places[i] = all[i].n
	}
	slices.SortStableFunc(all, func(a, b item[message]) int { return cmp.Compare(a.it.Frame, b.it.Frame) })
	for i := range all {
		if all[i].n == cause {
			c.verdict.at = places[i]
		}
		all[i].n = places[i]
	}
}

// asides say of each side as whom it was recognised, and which of its breaches that excuses. A deviation by which it was recognised has been
// described before.
func asides(v *record.Verdict) (lines []string) {
	described := make(map[string]bool)
	for d, grounds := range v.Peers {
		for _, g := range grounds {
			if g.Peer != "" {
				lines = append(lines, "The "+flow.Sender(flow.Direction(d)).String()+" looks like "+g.Called+": "+g.Why+
					" ("+v.Conn.Frames.Text(flow.At(g.Frame, 0))+").")
				described[flow.Direction(d).String()+g.Why] = true
			}
		}
	}
	for _, e := range v.Excused {
		if why := e.Deviation.Why; !described[e.Dir.String()+why] {
			lines = append(lines, "Excused "+quantity.Times(e.Count)+": "+why+".")
		}
	}
	return lines
}
