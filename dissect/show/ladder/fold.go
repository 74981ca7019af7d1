package ladder

// Folding: messages that repeat, of one kind or of several in turn, become one arrow for each kind.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// Rounds of up to maxRound messages are folded if they come foldFrom times or more.
const (
	foldFrom = 3
	maxRound = 12
)

// A fold keeps the latest messages until it knows whether they repeat.
type fold struct {
	loose []arrow // not folded yet: those of the next round, or at most foldFrom*maxRound if there is no round
	round []arrow // folded, by their place in the round
}

// An arrow is one message, or all messages at one place of the rounds.
type arrow struct {
	kind
	record.Origin
	n         int
	octets    uint64     // of ULP payload
	numbers   [2]uint64  // of the first and the last one
	latencies [2]int64   // the least and the greatest, in nanoseconds; -1 if they are not known
	style     text.Style // of the name
	rows      []byte     // of a single message, as they were drawn
}

// A kind is what folded messages have in common.
type kind struct {
	dir      flow.Direction
	name     string // of the type
	upper    string // the message of the upper layer; empty if there is none
	answers  bool   // it ends a Transaction
	numbered bool
}

// ordinary reports whether a message may be folded, because nothing is special about it.
func (e *exchanged) ordinary() bool {
	return e.Complete && e.BadCRCs == 0 && e.Missing == 0 && len(e.marks) == 0 &&
		e.Opcode.Known() && !e.Opcode.IsTerminate() && e.Regular() &&
		(!e.answer.known || e.answer.outcome == record.Answered)
}

// next makes room for a message after the loose ones.
func (f *fold) next() *arrow {
	if len(f.loose) == cap(f.loose) {
		f.loose = append(f.loose, arrow{})
	} else {
		f.loose = f.loose[:len(f.loose)+1] // reuses the memory of an arrow
	}
	a := &f.loose[len(f.loose)-1]
	*a = arrow{rows: a.rows[:0]}
	return a
}

// set makes a the arrow of a message.
func (a *arrow) set(e *exchanged, style text.Style) {
	number, numbered := e.number()
	a.kind = kind{dir: e.Dir, name: e.Opcode.String(), answers: e.answer.known, numbered: numbered}
	if e.upper != nil {
		a.upper = e.upper.Name
	}
	a.Origin, a.style, a.n, a.octets, a.numbers, a.latencies = e.Origin, style, 1, e.Len, [2]uint64{number, number}, [2]int64{-1, -1}
	if e.answer.known && e.answer.latency >= 0 {
		a.latencies = [2]int64{e.answer.latency, e.answer.latency}
	}
}

// join adds a message of the same kind.
func (a *arrow) join(o *arrow) {
	a.n += o.n
	a.octets += o.octets
	a.Include(o.Span)
	a.numbers[1] = o.numbers[1]
	if a.latencies[0] < 0 || o.latencies[0] >= 0 && o.latencies[0] < a.latencies[0] {
		a.latencies[0] = o.latencies[0]
	}
	a.latencies[1] = max(a.latencies[1], o.latencies[1])
}

// ordinary takes a message that may be folded, and is the latest loose one.
func (l *Ladder) ordinary() {
	f := &l.fold
	if n := len(f.round); n > 0 {
		at := len(f.loose) - 1
		if f.loose[at].kind != f.round[at].kind {
			l.unroll()
		} else if len(f.loose) == n {
			f.join()
			return
		}
	}
	if len(f.round) > 0 {
		return
	}
	for n := 1; n <= maxRound; n++ {
		if f.repeats(n) {
			for len(f.loose) > n*foldFrom {
				l.oldest()
			}
			f.begin(n)
			return
		}
	}
	if len(f.loose) == maxRound*foldFrom {
		l.oldest()
	}
}

// repeats reports whether the latest loose messages are foldFrom rounds of n messages.
func (f *fold) repeats(n int) bool {
	from := len(f.loose) - n*foldFrom
	if from < 0 {
		return false
	}
	for i := len(f.loose) - 1; i >= from+n; i-- {
		if f.loose[i].kind != f.loose[i-n].kind {
			return false
		}
	}
	return true
}

// begin folds all loose messages, which are rounds of n messages.
func (f *fold) begin(n int) {
	f.round = append(f.round[:0], f.loose[:n]...)
	for i := range f.round {
		f.round[i].rows = nil // that memory stays with loose
	}
	for i := n; i < len(f.loose); i++ {
		f.round[i%n].join(&f.loose[i])
	}
	f.loose = f.loose[:0]
}

// join folds a whole round.
func (f *fold) join() {
	for i := range f.round {
		f.round[i].join(&f.loose[i])
	}
	f.loose = f.loose[:0]
}

// oldest writes the oldest loose message.
func (l *Ladder) oldest() {
	loose := l.fold.loose
	l.enter(&loose[0].Span)
	l.rows = append(l.rows, loose[0].rows...)
	l.write()
	first := loose[0]
	copy(loose, loose[1:])
	loose[len(loose)-1] = first
	l.fold.loose = loose[:len(loose)-1]
}

// unroll writes the arrows of the folded messages.
func (l *Ladder) unroll() {
	round := l.fold.round
	if len(round) > 1 {
		l.label = strconv.AppendInt(l.label[:0], int64(round[0].n), 10)
		l.label = append(l.label, " times in turn:"...)
		l.rows = l.appendRemark(l.rows, nil, text.Style{}, l.label)
	}
	for i := range round {
		a := &round[i]
		l.enter(&a.Span)
		l.label = a.appendLabel(l.label[:0], a.name)
		l.rows = l.appendArrow(l.rows, &a.Origin, a.style, len(a.name), l.label)
		l.label = printable.Append(l.label[:0], a.upper)
		l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.Upper, l.label)
	}
	l.write()
	l.fold.round = round[:0]
}

// close writes everything that was kept.
func (l *Ladder) close() {
	l.unroll()
	for i := range l.fold.loose {
		l.enter(&l.fold.loose[i].Span)
		l.rows = append(l.rows, l.fold.loose[i].rows...)
	}
	l.fold.loose = l.fold.loose[:0]
	l.write()
}

// appendLabel appends the label of folded messages: "ReadResponse #1 to #16 x 16, 65536 octets, 10.2 us to 40.1 us after their
// requests".
func (a *arrow) appendLabel(dst []byte, name string) []byte {
	dst = append(dst, name...)
	if a.numbered {
		dst = strconv.AppendUint(append(dst, " #"...), a.numbers[0], 10)
		dst = strconv.AppendUint(append(dst, " to #"...), a.numbers[1], 10)
	}
	dst = strconv.AppendInt(append(dst, " x "...), int64(a.n), 10)
	if a.octets > 0 {
		dst = strconv.AppendUint(append(dst, ", "...), a.octets, 10)
		dst = append(dst, " octets"...)
	}
	if a.latencies[0] < 0 {
		return dst
	}
	dst = text.AppendDuration(append(dst, ", "...), a.latencies[0])
	dst = text.AppendDuration(append(dst, " to "...), a.latencies[1])
	return append(dst, " after their requests"...)
}
