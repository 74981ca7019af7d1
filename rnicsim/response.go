package rnicsim

// The IRRQ: Read and Atomic Requests of the peer, which are answered in the order in which they came (RFC 5040, section
// 5.5; RFC 7306, section 5.4).

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// An inquiry is a request of the peer. Its ULPDU is kept for the Terminate that may blame it.
type inquiry struct {
	ulpdu  [ddp.UntaggedLen + rdmap.AtomicRequestLen]byte
	length int
	atomic bool
	read   rdmap.ReadRequest // if it is a Read
}

// octets is the ULPDU.
func (i *inquiry) octets() []byte { return i.ulpdu[:i.length] }

// admit puts a request of the peer behind the others, if its memory can be used.
func (q *QP) admit(s *rdmap.Segment, ulpdu []byte, wraps bool) {
	atomic := s.Control.Opcode == rdmap.OpAtomicRequest
	var read rdmap.ReadRequest
	var p problem
	var bad bool
	if atomic {
		p, bad = q.checkTarget(s.Body)
	} else {
		read.Decode(s.Body)
		p, bad = q.checkSource(&read, wraps)
	}
	if bad {
		q.stop(p, ulpdu, 0)
		return
	}
	i := q.irrq.push()
	i.length, i.atomic, i.read = copy(i.ulpdu[:], ulpdu), atomic, read
}

// checkSource says what is wrong with the source of a Read Request.
func (q *QP) checkSource(h *rdmap.ReadRequest, wraps bool) (p problem, bad bool) {
	_, _, f := q.access(STag(h.SrcSTag), h.SrcTO, uint64(h.RDMARDSZ), RemoteRead, &sourceProblems)
	if wraps && (f == faultless || f == faultBounds) {
		f = faultWrap
	}
	return sourceProblems[f], f != faultless
}

// beginAnswer makes the answer to the first request the message that is sent.
func (q *QP) beginAnswer() {
	i := q.irrq.at(0)
	q.out, q.turn = message{kind: ofIRRQ}, false
	if !i.atomic {
		q.out.length = uint64(i.read.RDMARDSZ)
	}
}

// answer is the next segment of the answer to the first request. It is false if the memory is gone.
func (q *QP) answer(mulpdu int) ([][]byte, bool) {
	i := q.irrq.at(0)
	if i.atomic {
		return q.answerAtomic(i)
	}
	m, h := &q.out, &i.read
	m.cut(mulpdu, ddp.TaggedLen)
	p, offset, f := q.access(STag(h.SrcSTag), h.SrcTO+m.at, uint64(m.segment), RemoteRead, &sourceProblems)
	if f != faultless {
		q.refuse(lostProblems[f], i, uint32(m.at))
		return nil, false
	}
	q.parts = append(q.parts[:0], q.tagged(rdmap.OpReadResponse, h.SinkSTag, h.SinkTO))
	if m.segment > 0 {
		q.parts = p.appendSpans(q.parts, offset, m.segment)
	}
	return q.parts, true
}

// refuse ends the stream, for the first request cannot be answered any more.
func (q *QP) refuse(p problem, i *inquiry, answered uint32) {
	q.stop(p, i.octets(), answered)
	if q.state == RTS { // it is not minded
		q.irrq.pop()
		q.out = message{}
	}
}
