package ladder

// The arrows of messages.

import (
	"strconv"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
)

// exchanged draws a message, or keeps it to be folded with others.
func (l *Ladder) exchanged(r *record.Record) {
	m := r.Message
	e := exchanged{Message: m, upper: r.Upper, marks: r.Marks}
	if m.Answers != nil {
		e.answer = newAnswer(m.Answers)
	}
	fold := !l.opts.All && e.ordinary()
	if !fold {
		l.close()
	}
	l.advance(&m.Span)
	if !fold { // else when it is written
		l.enter(&m.Span)
	}
	l.message(&e, r)
	if !fold {
		l.write()
		return
	}
	a := l.fold.next()
	a.set(&e, l.opts.Palette.Message(m))
	a.rows, l.rows = l.rows, a.rows
	l.ordinary()
}

// exchanged is a message with its answer.
type exchanged struct {
	*record.Message
	upper  *record.Upper
	marks  []record.Mark
	answer answer // to what it is one; zero if that is not known
}

// cause returns what a Terminate is about; nil if that is not known.
func (e *exchanged) cause() *record.Termination {
	for i := range e.marks {
		if f := &e.marks[i]; f.ID == judge.ObsTerminate.ID {
			return f.Termination
		}
	}
	return nil
}

func (l *Ladder) message(e *exchanged, r *record.Record) {
	l.compose(e, " octets")
	if utf8.RuneCount(l.label) > l.labelWidth() {
		l.compose(e, "")
	}
	upper := l.upper(e)
	if len(upper) > 0 && utf8.RuneCount(l.label)+2+utf8.RuneCount(upper) <= l.labelWidth() {
		l.label = append(append(l.label, ", "...), upper...)
		upper = nil
	}
	name := len(e.Opcode.String())
	l.rows = l.appendArrow(l.rows, &e.Origin, l.opts.Palette.Message(e.Message), name, l.label)
	l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.Upper, upper)
	l.elsewhere(r)
	l.wrong(e.Message)
	l.findings(e.marks)
}

// elsewhere draws where the capture of the other end has a message, if there is one.
func (l *Ladder) elsewhere(r *record.Record) {
	l.label = show.AppendElsewhere(l.label[:0], "", r)
	l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.MPA, l.label)
}

// compose makes the label of a message: its type, its number, its octets of ULP payload, and the fields that matter. For a
// response whose request is known, the fields are those of the request.
func (l *Ladder) compose(e *exchanged, octets string) {
	b := append(l.label[:0], e.Opcode.String()...)
	b = e.appendNumber(b)
	if e.Opcode.HasPayload() || !e.Opcode.Known() {
		b = strconv.AppendUint(append(b, ' '), e.Len, 10)
		b = append(b, octets...)
	}
	switch cause := e.cause(); {
	case cause != nil:
		b = cause.Code.AppendNamed(append(b, ' '))
		if cause.Swapped {
			b = append(b, " (bits swapped)"...)
		}
	case !e.answer.known || !e.Opcode.Tagged() || !e.Regular():
		b = l.describer.AppendMessage(b, e.Message)
	}
	if e.answer.known && e.answer.kind != record.UpperTransaction {
		b = e.answer.append(b, l.beside(e.Frame, e.answer.request))
	}
	l.label = b
}

// appendNumber appends the number that a request shares with its response: "#7".
func (e *exchanged) appendNumber(dst []byte) []byte {
	id, ok := e.number()
	if !ok {
		return dst
	}
	return strconv.AppendUint(append(dst, " #"...), id, 10)
}

func (e *exchanged) number() (id uint64, ok bool) {
	if e.answer.known && e.answer.kind != record.UpperTransaction {
		return e.answer.id, true
	}
	return e.Number()
}

// upper returns the message of the upper layer that a message ends, and what it answers.
func (l *Ladder) upper(e *exchanged) (b []byte) {
	if u := e.upper; u != nil {
		b = text.AppendUpper(nil, u)[len(u.ULP)+1:] // the Verdict tells the upper layer
	}
	if len(b) > 0 && e.answer.known && e.answer.kind == record.UpperTransaction {
		b = e.answer.append(b, l.beside(e.Frame, e.answer.request))
	}
	return b
}

// wrong draws what is wrong with a message as it was captured.
func (l *Ladder) wrong(m *record.Message) {
	b := l.label[:0]
	if !m.Complete {
		b = append(b, ", incomplete"...)
	}
	if m.BadCRCs > 0 {
		b = append(b, ", bad CRC"...)
	}
	if m.Missing > 0 {
		b = strconv.AppendUint(append(b, ", "...), m.Missing, 10)
		b = append(b, " octets not captured"...)
	}
	if len(b) > 0 {
		l.label = b
		l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.Mark, b[len(", "):])
	}
}

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
func (a *answer) append(dst []byte, frames flow.Frames) []byte {
	words := ", "
	if a.outcome == record.Refused {
		words = ", refuses "
	} else if a.latency >= 0 {
		dst = text.AppendDuration(append(dst, words...), a.latency)
		words = " after "
	} else {
		words = ", answers "
	}
	request := flow.At(a.request, 0)
	return frames.AppendNamed(append(dst, words...), &request)
}
