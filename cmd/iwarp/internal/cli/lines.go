package cli

// Lines that many goroutines print: one bounded queue, so that none waits for a reader.

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"
)

// Lines of one kind may take lineRate octets per second, after lineBurst that are free; those of all kinds together allRate, after
// allBurst. At most maxQueued lines wait for their readers.
const (
	lineRate  = 10 << 10
	lineBurst = 64 << 10
	allRate   = 2 * lineRate
	allBurst  = 4 * lineBurst
	maxQueued = 1024
)

// A line goes to its writer.
type line struct {
	w io.Writer
	b []byte
}

// A lineQueue prints lines one after the other. What its kind has no allowance for, or the queue no room, is dropped and counted. Its
// methods may be called concurrently.
type lineQueue struct {
	schema string // of lines of JSON
	lines  chan line
	ended  chan struct{} // closed when all are printed

	mu     sync.Mutex
	closed bool
	all    allowance
	kinds  map[string]*kind
}

// An allowance is how many octets lines may still take.
type allowance struct {
	octets float64
	at     time.Time // when that was so
}

// grow adds what time has brought.
func (a *allowance) grow(now time.Time, rate, burst float64) {
	a.octets = min(burst, a.octets+now.Sub(a.at).Seconds()*rate)
	a.at = now
}

// A kind is lines about one thing.
type kind struct {
	allowance
	dropped uint64                // lines since the last that was printed
	told    func(n uint64) []byte // the line that says so
	w       io.Writer
}

func newLineQueue(schema string) *lineQueue {
	q := &lineQueue{schema: schema, lines: make(chan line, maxQueued), ended: make(chan struct{}), kinds: make(map[string]*kind)}
	q.all = allowance{allBurst, time.Now()}
	go func() {
		defer close(q.ended)
		for l := range q.lines {
			l.w.Write(l.b) // an outlet, which keeps the error
		}
	}()
	return q
}

// print queues a line of a kind. told makes the line that counts those dropped before it.
func (q *lineQueue) print(w io.Writer, name string, b []byte, told func(n uint64) []byte) {
	q.mu.Lock()
	defer q.mu.Unlock()
	now := time.Now()
	k := q.kinds[name]
	if k == nil {
		k = &kind{allowance: allowance{lineBurst, now}, told: told, w: w}
		q.kinds[name] = k
	}
	k.grow(now, lineRate, lineBurst)
	q.all.grow(now, allRate, allBurst)
	room := min(k.octets, q.all.octets)
	if k.dropped > 0 && room >= float64(len(b)) {
		b = append(told(k.dropped), b...)
	}
	if q.closed || room < float64(len(b)) || !q.send(line{w, b}) {
		k.dropped++
		return
	}
	k.octets -= float64(len(b))
	q.all.octets -= float64(len(b))
	k.dropped = 0
}

// send queues a line if there is room. mu is held.
func (q *lineQueue) send(l line) bool {
	select {
	case q.lines <- l:
		return true
	default:
		return false
	}
}

// close prints what waits, how much was dropped, and the last lines. It does not wait longer than patient for readers.
func (q *lineQueue) close(last ...line) {
	q.mu.Lock()
	if q.closed {
		q.mu.Unlock()
		return
	}
	q.closed = true
	var rest []line
	for _, k := range q.kinds {
		if k.dropped > 0 {
			rest = append(rest, line{k.w, k.told(k.dropped)})
		}
	}
	slices.SortFunc(rest, func(a, b line) int { return slices.Compare(a.b, b.b) })
	q.mu.Unlock()
	late := time.After(patient)
	for _, l := range append(rest, last...) {
		select {
		case q.lines <- l:
		case <-late:
			close(q.lines)
			return
		}
	}
	close(q.lines)
	select {
	case <-q.ended:
	case <-late:
	}
}

// liveLine is the start of all lines of JSON.
type liveLine struct {
	Schema string  `json:"schema"`
	Event  string  `json:"event"`
	Time   string  `json:"time"`
	Conn   *uint64 `json:"conn,omitempty"`
}

// jsonTime is RFC 3339 with nanoseconds.
const jsonTime = "2006-01-02T15:04:05.000000000Z07:00"

func (q *lineQueue) newLine(event string) liveLine {
	return liveLine{Schema: q.schema, Event: event, Time: time.Now().UTC().Format(jsonTime)}
}

// newConnLine is a line about a connection.
func (q *lineQueue) newConnLine(event string, conn uint64) liveLine {
	l := q.newLine(event)
	l.Conn = &conn
	return l
}

// droppedLine is a line of JSON that counts those that were not printed.
type droppedLine struct {
	liveLine
	Of    string `json:"of"`
	Lines uint64 `json:"lines"`
}

// printJSON queues a line of JSON about an event.
func (q *lineQueue) printJSON(w io.Writer, event string, value any) {
	q.print(w, "json "+event, jsonLine(value), func(n uint64) []byte { return jsonLine(droppedLine{q.newLine("dropped"), event, n}) })
}

// jsonLine is a value as a line of JSON.
func jsonLine(value any) []byte {
	b, _ := json.Marshal(value) // of our own types, which have no cycles
	return append(b, '\n')
}

// printNote queues a note with the time. kind says of what it is one.
func (q *lineQueue) printNote(w io.Writer, kind, words string) {
	q.print(w, kind, noteLine(words), func(n uint64) []byte {
		return noteLine(fmt.Sprintf("%s left out: %s", counted(n, "line"), kind))
	})
}

func noteLine(words string) []byte {
	return fmt.Appendf(nil, "note: %s %s\n", time.Now().Format("15:04:05.000"), shown(words))
}
