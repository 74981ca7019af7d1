package rules

// Requests: how many may be outstanding, and those of our own that wait for a response.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

var (
	ruleReadIRD = newRule("read-ird", Error,
		"No more Read and Atomic Requests may be outstanding than was agreed on.",
		"RDMAP-6.1-4", "EMPA-9.1-14", "EMPA-9.1-7", "RDMAPX-5.2-1").situation(ReadIRD)
	ruleReadDisabled = newRule("read-disabled", Error,
		"No Read or Atomic Request may be sent where none was agreed on, except for a Read of zero octets that begins the stream.",
		"RDMAP-6.1-4", "EMPA-9.1-14", "EMPA-9.1-7", "RDMAPX-5.2-1").situation(ReadDisabled)
)

// request counts a received request.
func (r *Receiver) request(s *rdmap.Segment, v []Violation) []Violation {
	r.pending++
	r.maxPending = max(r.maxPending, r.pending)
	if r.limit < 0 || r.pending <= r.limit {
		return v
	}
	seen := fmt.Sprintf("%d outstanding", r.pending)
	if r.limit > 0 {
		return ruleReadIRD.broken(v, seen, fmt.Sprintf("at most %d", r.limit))
	}
	var h rdmap.ReadRequest
	if _, err := h.Decode(s.Body); err == nil && !r.begun && s.Control.Opcode == rdmap.OpReadRequest && h.RDMARDSZ == 0 {
		return v // Ready to Receive: the Responder must have room for it (RFC 6581, section 9.1)
	}
	return ruleReadDisabled.broken(v, seen, "none")
}

// A request is a Read or Atomic Request of our own.
type request struct {
	ordinal uint64 // its index among those given to Receiver.Sent; that of the previous one, if missing
	to      uint64 // SinkTO of a Read
	stag    uint32 // SinkSTag of a Read
	id      uint32 // Request Identifier of an Atomic
	size    uint32 // RDMARDSZ of a Read
	atomic  bool
	blind   bool // the capture lacks its header
	missing bool // the capture lacks it
	done    bool // it was answered
}

// requestHeld is what a request takes in memory, in octets.
const requestHeld = 32

// maxRequests limits the requests that are tracked. If more are outstanding, because more were agreed on or the
// responses are never seen, all are forgotten.
const maxRequests = 1024

// requests holds those that wait for a response, in a ring, in the order of sending. Those before due were passed over:
// a later one was answered first.
//
// If all was captured, each response answers the request that is due, or is wrong. Where octets are missing, three
// things may be unknown, and nothing is reported that they can explain:
//
//   - whether the requests that are due were answered (missed), until a response fits one request only;
//   - whether there are more after the last one (hole), until the MSN of the next one shows how many;
//   - whether there are others that were not seen (older), until a response to a later request.
type requests struct {
	ring []request // its length is 0 or a power of two
	sent uint64    // number of calls of push
	head int16     // index in ring of the first
	n    int16
	due  int16 // index of the next one to be answered, from the first

	counted bool   // msn is known
	msn     uint32 // of the next one

	missed, hole, older bool
	unasked             bool    // a response answered none before hole: a missing request may have asked for it
	inferred            bool    // a match was inferred: what followed from it may be wrong
	orphans             uint32  // responses that answer none, since hole
	sureFrom            uint64  // ordinal of the first request after the older ones
	last                [2]sink // targets of the latest responses, to a Read and to an Atomic
}

// A sink is the target of a response: STag and TO, or the Request Identifier of an Atomic.
type sink struct {
	known  bool // there was a response
	exact  bool // to is where it began
	atomic bool
	stag   uint32
	to     uint64
}

// differs reports whether the response to s went elsewhere than that to another sink.
func (s *sink) differs(o *sink) bool {
	return s.known && (s.stag != o.stag || s.exact && s.to != o.to)
}

func (s *sink) kind() int {
	if s.atomic {
		return 1
	}
	return 0
}

// at returns the request at index i, from the first.
func (q *requests) at(i int) *request { return &q.ring[(int(q.head)+i)&(len(q.ring)-1)] }

// push appends a request that is sent.
func (q *requests) push(s *rdmap.Segment) {
	ordinal := q.sent
	q.sent++
	late := q.hole && q.fill(s.Untagged.MSN-q.msn, ordinal)
	q.msn, q.counted, q.hole = s.Untagged.MSN+1, true, q.orphans > 0
	if late {
		return
	}
	e := q.add(request{ordinal: ordinal, atomic: s.Control.Opcode == rdmap.OpAtomicRequest})
	var err error
	if e.atomic {
		var h rdmap.AtomicRequest
		_, err = h.Decode(s.Body)
		e.id = h.RequestIdentifier
	} else {
		var h rdmap.ReadRequest
		_, err = h.Decode(s.Body)
		e.stag, e.to, e.size = h.SinkSTag, h.SinkTO, h.RDMARDSZ
	}
	e.blind = err != nil
}

// fill inserts as many requests as are missing before the one with an ordinal, less those already answered. If even
// that one was answered, it is late.
func (q *requests) fill(missing uint32, ordinal uint64) (late bool) {
	if q.older || !q.counted || missing > maxRequests || missing > 0 && q.unasked {
		q.older, q.sureFrom, q.orphans = true, ordinal, 0
		return false
	}
	if missing < q.orphans {
		q.orphans -= missing + 1
		return true
	}
	for range missing - q.orphans {
		q.add(request{ordinal: ordinal - min(ordinal, 1), missing: true, blind: true})
	}
	q.orphans = 0
	return false
}

func (q *requests) add(r request) *request {
	switch {
	case int(q.n) < len(q.ring):
	case q.n == maxRequests:
		q.head, q.n, q.due = 0, 0, 0
		q.older, q.sureFrom = true, r.ordinal
	default:
		ring := make([]request, max(8, 2*len(q.ring)))
		for i := range int(q.n) {
			ring[i] = *q.at(i)
		}
		q.ring, q.head = ring, 0
	}
	q.n++
	e := q.at(int(q.n) - 1)
	*e = r
	return e
}

// lose records that requests may be missing from here on.
func (q *requests) lose() {
	q.hole = true
	q.older = q.older || !q.counted
}

// clear records that nothing is missing: the next response answers the next request.
func (q *requests) clear() bool { return !q.missed && !q.older && !q.hole }

// certain reports clear, and that no earlier match was inferred either.
func (q *requests) certain() bool { return q.clear() && !q.inferred }

// lost reports whether a response may well answer another request than the next.
func (q *requests) lost() bool { return q.missed || q.older }

// unknown reports whether a response may answer an unseen request.
func (q *requests) unknown() bool { return q.lost() || q.hole && q.due == q.n }

// next returns the request that is due; nil if none is known.
func (q *requests) next() *request {
	if q.due == q.n {
		return nil
	}
	return q.at(int(q.due))
}

// find returns the index of the first request from i on that fits; -1 if none does.
func (q *requests) find(i int, fits func(*request) bool) int {
	for ; i < int(q.n); i++ {
		if e := q.at(i); !e.done && fits(e) {
			return i
		}
	}
	return -1
}

// search returns the index of the first request that fits, starting with the one due, then among those passed over.
func (q *requests) search(fits func(*request) bool) int {
	if i := q.find(int(q.due), fits); i >= 0 {
		return i
	}
	return q.find(0, fits)
}

// pick returns the index of the request that a response answers; -1 if it is none that is known. It does not call fits
// for missing requests, which match if they are due or if nothing else does.
func (q *requests) pick(fits func(*request) bool) int {
	if !q.lost() {
		if e := q.next(); e != nil && e.missing {
			return int(q.due)
		}
	}
	i := q.search(func(e *request) bool { return !e.missing && fits(e) })
	if i < 0 && q.missed && !q.older {
		return q.find(int(q.due), isMissing)
	}
	return i
}

func isMissing(e *request) bool { return e.missing }

// unseen reports whether a request may be outstanding that was not seen.
func (q *requests) unseen() bool { return q.older || q.hole || q.find(int(q.due), isMissing) >= 0 }

// sure reports whether a response to a sink can be for no other request than the picked one, at index i. Where unseen
// requests may be outstanding, that is inferred if the response goes elsewhere than the previous one; unless the
// capture lacks this request's target.
func (q *requests) sure(i int, to *sink, fits func(*request) bool) bool {
	switch {
	case !q.lost():
		return true
	case q.at(i).missing, q.find(i+1, fits) >= 0:
		return false
	case !q.unseen():
		return true
	case q.at(i).blind:
		return false
	}
	differs := q.last[to.kind()].differs(to)
	q.inferred = q.inferred || differs
	return differs
}

// take records that the response to the request at index i has begun, and whether that match is sure. early says that
// another should have been answered first.
func (q *requests) take(i int, sure bool) (r request, early bool) {
	lost := q.lost()
	e := q.at(i)
	for ; int(q.due) < i; q.due++ {
		q.at(int(q.due)).done = lost
		early = !lost
	}
	if int(q.due) == i {
		q.due++
	}
	if sure {
		q.missed = false
		q.older = q.older && e.ordinal < q.sureFrom
	} else { // if this is the wrong one, its response is still to come
		q.older, q.sureFrom = true, max(q.sureFrom, e.ordinal+1)
	}
	r = *e
	q.answer(e)
	return r, early
}

// answer removes a request, and those before it that were answered.
func (q *requests) answer(e *request) {
	e.done = true
	for q.due > 0 && q.at(0).done {
		q.head = (q.head + 1) & int16(len(q.ring)-1)
		q.n--
		q.due--
	}
}

// responded records where a response went, and whether it answers a request.
func (q *requests) responded(to *sink, found bool) {
	q.last[to.kind()] = *to
	q.unasked = q.unasked || !q.hole && !found
	if q.hole && !found {
		q.orphans++
		if q.lost() { // then it need not answer a missing one
			q.older, q.sureFrom = true, q.sent
		}
	}
}
