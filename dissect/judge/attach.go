package judge

// What is found goes with the Record that is being judged, if it is about that; else it is late.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// concerns reports whether something of direction d in the given frames is about the Record that is being judged.
func (a *Judge) concerns(d flow.Direction, s *flow.Span) bool {
	r := a.judged
	return r.Kind != record.KindEnd && r.Dir == d && s.Frame <= r.LastFrame && s.LastFrame >= r.Frame
}

// found passes on a finding.
func (a *Judge) found(f *record.Finding) {
	kept := *f
	if !a.concerns(f.Dir, &f.Span) {
		r := a.begin(&f.Origin)
		r.Findings, r.Marks = append(r.Findings, &kept), record.AppendMark(nil, f, false)
		a.sink.Record(r)
		return
	}
	r := a.judged
	r.Findings = append(r.Findings, &kept)
	marks := &r.Marks
	switch {
	case r.Message != nil:
		marks = &r.Message.Marks
	case r.Segment != nil && r.Segment.Message != nil:
		marks = &r.Segment.Message.Marks
	}
	*marks = record.AppendMark(*marks, f, false)
}

// begin makes a late Record about something.
func (a *Judge) begin(o *record.Origin) *record.Record {
	a.late = record.Record{Kind: record.KindLate, Origin: *o, Known: a.judged.Known, Over: a.late.Over[:0]}
	return &a.late
}

// ended passes on a transaction that is over.
func (a *Judge) ended(t *record.Transaction) {
	r := a.judged
	answered := t.Response.LastFrame != 0 && a.concerns(1-t.Dir, &t.Response)
	if !answered && (r.Kind == record.KindEnd || r.Exchange != t) {
		r = a.begin(&record.Origin{Conn: t.Conn, Dir: t.Dir, Span: t.Request})
		r.Over = append(r.Over, t)
		a.sink.Record(r)
		return
	}
	r.Over = append(r.Over, t)
	m := r.Message
	if r.Segment != nil && r.Segment.RDMAP.L() {
		m = r.Segment.Message
	}
	if answered && m != nil && m.Answers == nil && canAnswer(m.Opcode, t) {
		m.Answers = t
	}
}

// canAnswer reports whether a message with an opcode can end a transaction.
func canAnswer(o rdmap.Opcode, t *record.Transaction) bool {
	switch {
	case o == rdmap.OpTerminate:
		return t.Outcome == record.Refused
	case t.Kind == record.UpperTransaction:
		return o.ConsumesReceive()
	case t.Kind == record.AtomicTransaction:
		return o == rdmap.OpAtomicResponse
	}
	return o == rdmap.OpReadResponse
}

// upper passes on a message of an upper layer.
func (a *Judge) upper(u *record.Upper) {
	if r := a.judged; r.Message != nil && r.Upper == nil {
		r.Upper = u
		return
	}
	r := a.begin(&u.Origin)
	r.Upper = u
	a.sink.Record(r)
}

// A belonging says to which exchange of an upper layer a segment belongs, and to which message.
type belonging struct {
	message  *record.Message
	exchange *record.Transaction // nil if there is none; it may be another one by now
	id       uint64
	request  flow.Span
}

// of makes it that of the segment of a Record.
func (b *belonging) of(r *record.Record) {
	b.exchange = r.Exchange
	if t := r.Exchange; t != nil {
		b.message, b.id, b.request = r.Segment.Message, t.ID, t.Request
	}
}

// pass says that a message belongs to the exchange of its last segment, unless it belongs to one itself.
func (b *belonging) pass(r *record.Record) {
	t := b.exchange
	if t != nil && r.Exchange == nil && b.message == r.Message && t.ID == b.id && t.Request == b.request {
		r.Exchange = t
	}
}

// join notes which exchange of an upper layer the Record that is being judged belongs to. If it is called for several, the first counts.
func (a *Judge) join(t *record.Transaction, request record.Body) {
	if r := a.judged; r.Exchange == nil || r.Exchange == t {
		r.Exchange, r.Body = t, request
	}
}
