// Package pending joins the requests of an upper layer with their responses, and counts what RDMA Reads and Writes move for
// them. A follower of an upper layer embeds a [Table]: its Send calls [Table.Next], [Table.Open] and [Table.Await] for a
// request, and [Table.Answer] for a response.
package pending

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/recency"
)

// Readable reports whether a message is a Send with a payload whose start was seen. A Ready to Receive indication (RFC 6581,
// section 9.2) may be an empty Send.
func Readable(m *record.Message) bool {
	return m.Opcode.IsSend() && m.Len > 0 && m.First.Untagged.MO == 0
}

// Sent says that a Send has come, and whether it was decoded. If it was not, or octets of it are missing, it may have advertised memory
// that is not known.
func (t *Table[T]) Sent(m *record.Message, payload []byte, decoded bool) {
	t.unfollowed = t.unfollowed || m.Len > 0 && (!decoded || uint64(len(payload)) < m.Len)
}

// Unknown says that a request may have advertised memory that is not known.
func (t *Table[T]) Unknown() { t.unfollowed = true }

// MaxRequests is how many requests of a connection are kept. One more ends the oldest.
const MaxRequests = 4096

// A Request waits for its response.
type Request[T any] struct {
	record.Transaction // its Upper points to Detail

	Detail T
	Data   uint64 // octets that RDMA moves for it if it succeeds; 0 if that is not known

	key     key // by which the Table knows it, whatever ID says
	regions *region[T]
	gaps    uint32                    // of the direction of the response, when the request came
	place   recency.Place[Request[T]] // among those that wait, or are free
}

// requestHeld and regionHeld are what a request, and a region, take in memory, with their places in the tables.
const (
	requestHeld = 1 << 10
	regionHeld  = 1 << 7
)

// Held implements ulp.Follower.
func (t *Table[T]) Held() int { return t.held }

// key tells the requests of a connection apart.
type key struct {
	dir flow.Direction
	id  uint64
}

// A Table has the requests of one connection. Its zero value is empty. It has the methods of a ulp.Follower except Send, so a
// follower can embed it. Its Send must call Next first. A Request is valid until it has ended and Next is called.
type Table[T any] struct {
	ulp.Idle
	Reporter    ulp.Reporter
	EitherOrder bool // STags may be advertised in reverse octet order

	// Moved takes data that RDMA moves for a request: octets that begin so far into a Region of it. It may be nil.
	Moved func(r *Request[T], off uint64, data []byte)

	// Complete copies the Detail of an Answer into that of its request.
	Complete func(detail *T, answer T)

	held     int // octets of requests and regions, used or free
	requests map[key]*Request[T]
	waiting  recency.List[Request[T]] // all of requests, in the order of their arrival
	spent    recency.List[Request[T]] // ended, but the Reporter may still have them
	free     recency.List[Request[T]]

	regions     map[uint32]*region[T] // by STag, the newest first
	freeRegions *region[T]            // linked by next

	early     []early[T] // a ring; nil until there is one
	earlyNext int        // where the next one goes

	gaps [2]uint32

	advertised [2]bool  // by the direction of the requests: one has advertised memory
	unfollowed bool     // there may be more than what is known
	traces     [2]trace // by direction

	upper record.Upper // that is being reported
	text  []byte       // its Name
}

// Begin implements ulp.Follower.
func (t *Table[T]) Begin(r ulp.Reporter) { t.Reporter = r }

// Gap implements ulp.Follower.
func (t *Table[T]) Gap(d flow.Direction) {
	t.overtaken(1 - d)
	t.gaps[d]++
}

// End implements ulp.Follower: it reports the waiting requests, the oldest first. Those whose responses may have been missed
// are not outstanding. Responses that have the id of no request are stray ones.
func (t *Table[T]) End() (outstanding [2]int) {
	for r := t.waiting.Idlest(); r != nil; r = t.waiting.Idlest() {
		if !r.Standing && t.fate(r) == record.Unanswered {
			outstanding[r.Dir]++
		}
		t.abandon(r)
	}
	for i := range t.early {
		e := &t.early[(t.earlyNext+i)%maxEarly]
		if e.held && t.gaps[e.key.dir] == 0 && (outstanding[e.key.dir] > 0 || t.gaps == [2]uint32{}) {
			t.Reporter.Stray(1-e.key.dir, e.Span, e.key.id)
		}
	}
	t.early, t.earlyNext = nil, 0
	return outstanding
}

// Oldest implements ulp.Follower. Standing requests do not count.
func (t *Table[T]) Oldest(d flow.Direction) (oldest *record.Transaction, count int) {
	for r := t.waiting.Latest(); r != nil; r = r.place.Earlier() {
		if r.Dir == d && !r.Standing && t.fate(r) == record.Unanswered {
			oldest = &r.Transaction
			count++
		}
	}
	return oldest, count
}

// A Body is a message of an upper layer.
type Body interface {
	record.Body
	AppendText(dst []byte) []byte // appends the name of the message
}

// Message reports the message that came in m.
func (t *Table[T]) Message(m *record.Message, ulp string, id uint64, body Body) {
	t.text = body.AppendText(t.text[:0])
	t.upper = record.Upper{Origin: m.Origin, ULP: ulp, Name: string(t.text), ID: id, Len: m.Len, Body: body}
	t.Reporter.Upper(&t.upper)
}

// Open adds a request that came in o. If one with the same id is waiting already, its response was missed. Its Task is a hash of its name; a
// layer that gives requests of the same kind different names sets another.
func (t *Table[T]) Open(o *record.Origin, id uint64, name string) *Request[T] {
	k := key{o.Dir, id}
	if old := t.requests[k]; old != nil {
		t.abandon(old)
	}
	if len(t.requests) >= MaxRequests {
		t.close(t.waiting.Idlest(), record.OutcomeUnknown)
		t.unfollowed = true
	}
	r := t.free.Latest()
	if r == nil {
		r = new(Request[T])
		t.held += requestHeld
	}
	r.place.Leave()
	*r = Request[T]{key: k, gaps: t.gaps[1-o.Dir]}
	r.Transaction = record.Transaction{
		Conn: o.Conn, Kind: record.UpperTransaction, Dir: o.Dir, Request: o.Span, Name: name, ID: id, Upper: &r.Detail,
	}
	for i := range len(name) {
		r.Task = (r.Task ^ uint64(name[i])) * 0x100000001b3 // the prime of FNV
	}
	t.waiting.Use(r, &r.place)
	if t.requests == nil {
		t.requests = make(map[key]*Request[T])
	}
	t.requests[k] = r
	t.join(r)
	return r
}

// join says that the current segment or message belongs to a request.
func (t *Table[T]) join(r *Request[T]) {
	t.Reporter.Join(&r.Transaction, nil)
}

// Find returns the request of a direction that waits for the response with the given id; nil if there is none.
func (t *Table[T]) Find(d flow.Direction, id uint64) *Request[T] { return t.requests[key{d, id}] }

// fate is the outcome of a request without a response.
func (t *Table[T]) fate(r *Request[T]) record.Outcome {
	if r.gaps != t.gaps[1-r.Dir] && !t.Reporter.Mute(&r.Transaction) {
		return record.OutcomeUnknown
	}
	return record.Unanswered
}

// abandon closes a request without response.
func (t *Table[T]) abandon(r *Request[T]) { t.close(r, t.fate(r)) }

func (t *Table[T]) close(r *Request[T], outcome record.Outcome) {
	r.Outcome = outcome
	t.Reporter.Transaction(&r.Transaction)
	t.withdraw(r)
	delete(t.requests, r.key)
	t.spent.Use(r, &r.place)
}

// Next says that the next segment or message has come: the Reporter no longer uses the Requests that have ended.
func (t *Table[T]) Next() {
	for r := t.spent.Idlest(); r != nil; r = t.spent.Idlest() {
		t.free.Use(r, &r.place)
	}
}
