package rnicsim

// Read and Atomic resources: the ORRQ holds the requests of this side, the IRRQ those of the peer. Responses are due in
// the order of the requests (RFC 5040, section 5.5; RFC 7306, section 5.4).

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// An orrq is an Outbound RDMA Read Queue: Read and Atomic Requests that were sent and not answered.
type orrq struct {
	entries ring[orrqEntry]
	ord     int // requests that may be outstanding
}

// An orrqEntry is a request of this side.
type orrqEntry struct {
	index uint64 // of its element among all that the SQ ever had
	rtr   bool   // it is a Ready to Receive, and has no element
}

// full reports whether another request has to wait. With an ORD of 0 it need not: it fails.
func (q *orrq) full() bool { return q.ord > 0 && q.entries.len() >= q.ord }

// reading reports whether a request of the SQ waits for its response.
func (q *orrq) reading() bool {
	return q.entries.len() > 0 && !(q.entries.len() == 1 && q.entries.at(0).rtr)
}

// push adds a request that was sent.
func (q *orrq) push(e orrqEntry) { *q.entries.push() = e }

// pop removes the first request, which was answered. ok is false if there is none.
func (q *orrq) pop() (e orrqEntry, ok bool) {
	if q.entries.len() == 0 {
		return e, false
	}
	e = *q.entries.at(0)
	q.entries.pop()
	return e, true
}

// An irrq is an Inbound RDMA Read Queue: Read and Atomic Requests of the peer that are not answered yet.
type irrq struct{ entries ring[irrqEntry] }

// An irrqEntry is a request of the peer. Its ULPDU is kept for a Terminate that encloses its headers.
type irrqEntry struct {
	ulpdu  [ddp.UntaggedLen + rdmap.AtomicRequestLen]byte
	length int
	atomic bool
	read   rdmap.ReadRequest // if it is a Read
}

func (e *irrqEntry) octets() []byte { return e.ulpdu[:e.length] }

// payload returns the length of the response's payload in octets.
func (e *irrqEntry) payload() uint64 {
	if e.atomic {
		return 0
	}
	return uint64(e.read.RDMARDSZ)
}

// admit adds a request of the peer. An Atomic is executed when its response is sent, because it must not be processed
// before the previous request was answered (RFC 7306, section 7).
func (q *irrq) admit(s *rdmap.Segment, ulpdu []byte) {
	e := q.entries.push()
	e.length, e.atomic = copy(e.ulpdu[:], ulpdu), s.Control.Opcode == rdmap.OpAtomicRequest
	if !e.atomic {
		e.read.Decode(s.Body)
	}
}
