package ladder

// Folding: messages that come again and again, one kind or several in turn, become one arrow for each kind.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// What is folded: rounds of up to maxRound messages, if they come foldFrom times or more.
const (
	foldFrom = 3
	maxRound = 12
)

// A fold keeps the latest messages until it is known whether they are folded.
type fold struct {
	loose []arrow // those not folded: if there is a round, those of the next one, else at most foldFrom*maxRound
	round []arrow // those folded, by their place in the round
}

// An arrow is a message, or all those in one place of rounds.
type arrow struct {
	kind
	record.Origin
	n         int
	octets    uint64    // of ULP payload
	numbers   [2]uint64 // of the first and the last one
	latencies [2]int64  // the least and the greatest, in nanoseconds; -1 if they are not known
	rows      []byte    // of a single message, as they were drawn
}

// A kind is what messages that are folded have in common.
type kind struct {
	dir      record.Direction
	opcode   rdmap.Opcode
	upper    string // the message of the upper layer; empty if there is none
	answers  bool   // it ends a Transaction
	numbered bool
}

// ordinary reports whether nothing is special about a message, so that it may be folded with others.
func (e *exchanged) ordinary() bool {
	return e.Complete && e.BadCRCs == 0 && e.Missing == 0 && len(e.marks) == 0 &&
		e.Opcode.Known() && e.Opcode != rdmap.OpTerminate && text.Regular(e.Message) &&
		(!e.answer.known || e.answer.outcome == record.Answered)
}

// next makes place for a message behind the loose ones.
func (f *fold) next() *arrow {
	if len(f.loose) == cap(f.loose) {
		f.loose = append(f.loose, arrow{})
	} else {
		f.loose = f.loose[:len(f.loose)+1] // there is an arrow whose memory serves again
	}
	a := &f.loose[len(f.loose)-1]
	*a = arrow{rows: a.rows[:0]}
	return a
}

// set makes a the arrow of a message.
func (a *arrow) set(e *exchanged) {
	number, numbered := e.number()
	a.kind = kind{dir: e.Dir, opcode: e.Opcode, answers: e.answer.known, numbered: numbered}
	if e.upper != nil {
		a.upper = e.upper.Name
	}
	a.Origin, a.n, a.octets, a.numbers, a.latencies = e.Origin, 1, e.Len, [2]uint64{number, number}, [2]int64{-1, -1}
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

// repeats reports whether the latest loose messages are foldFrom rounds of n.
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

// begin folds all loose messages, which are rounds of n.
func (f *fold) begin(n int) {
	f.round = append(f.round[:0], f.loose[:n]...)
	for i := range f.round {
		f.round[i].rows = nil // that memory stays with the loose
	}
	for i := n; i < len(f.loose); i++ {
		f.round[i%n].join(&f.loose[i])
	}
	f.loose = f.loose[:0]
}

// join folds a round that is whole.
func (f *fold) join() {
	for i := range f.round {
		f.round[i].join(&f.loose[i])
	}
	f.loose = f.loose[:0]
}

// oldest writes the oldest loose message.
func (l *Ladder) oldest() {
	loose := l.fold.loose
	l.rows = append(l.rows, loose[0].rows...)
	l.write()
	first := loose[0]
	copy(loose, loose[1:])
	loose[len(loose)-1] = first
	l.fold.loose = loose[:len(loose)-1]
}

// unroll writes the arrows of what was folded.
func (l *Ladder) unroll() {
	round := l.fold.round
	if len(round) > 1 {
		l.label = strconv.AppendInt(l.label[:0], int64(round[0].n), 10)
		l.label = append(l.label, " times in turn:"...)
		l.rows = l.appendRemark(l.rows, nil, text.Style{}, l.label)
	}
	for i := range round {
		a := &round[i]
		name := a.opcode.String()
		l.label = a.appendLabel(l.label[:0], name)
		l.rows = l.appendArrow(l.rows, &a.Origin, l.opts.Palette.Message(a.opcode), len(name), l.label)
		l.label = printable.Append(l.label[:0], a.upper)
		l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.Upper, l.label)
	}
	l.write()
	l.fold.round = round[:0]
}

// close writes all that was kept.
func (l *Ladder) close() {
	l.unroll()
	for i := range l.fold.loose {
		l.rows = append(l.rows, l.fold.loose[i].rows...)
	}
	l.fold.loose = l.fold.loose[:0]
	l.write()
}

// appendLabel appends what is said of all: "ReadResponse #1 to #16 x 16, 65536 octets, 10.2 us to 40.1 us after their
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
