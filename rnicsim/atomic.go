package rnicsim

// Atomics (RFC 7306, section 5). Values are integers of the responder's memory in little-endian order, that of nearly
// all hosts of RNICs; on the wire they are big-endian. The rights that an Atomic needs are those to read and to write,
// for RFC 7306 has none of its own.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// atomicLen is the length in octets of what an Atomic works on.
const atomicLen = 8

// target finds the memory of an Atomic Request.
func (q *QP) target(h *rdmap.AtomicRequest) (*place, uint64, problem, bool) {
	if !q.config.RemoteWrite {
		p := atomicProblems[faultRights]
		p.event = RemoteWriteNotEnabled
		return nil, 0, p, true
	}
	stag := STag(h.RemoteSTag)
	place, offset, f := q.access(stag, h.RemoteTaggedOffset, atomicLen, RemoteRead|RemoteWrite, &atomicProblems)
	if (f == faultless || f == faultWrap || f == faultBounds) && !q.rnic.lookup(stag).aligned(h.RemoteTaggedOffset) {
		return nil, 0, problem{situation: situationAlignment, event: events[situationAlignment]}, true
	}
	return place, offset, atomicProblems[f], f != faultless
}

// checkTarget says what is wrong with the target of an Atomic Request.
func (q *QP) checkTarget(body []byte) (problem, bool) {
	var h rdmap.AtomicRequest
	h.Decode(body)
	_, _, p, bad := q.target(&h)
	return p, bad
}

// answerAtomic executes the first request, which is an Atomic, and answers it. Not before, for an Atomic is not
// processed until the one before it was answered (RFC 7306, section 7).
func (q *QP) answerAtomic(i *inquiry) ([][]byte, bool) {
	var h rdmap.AtomicRequest
	h.Decode(i.octets()[ddp.UntaggedLen:])
	place, offset, p, bad := q.target(&h)
	if bad {
		q.refuse(p, i, 0)
		return nil, false
	}
	var octets [atomicLen]byte
	old := binary.LittleEndian.Uint64(place.append(octets[:0], offset, atomicLen))
	result, _ := h.Apply(old)
	binary.LittleEndian.PutUint64(octets[:], result)
	place.put(offset, octets[:])

	q.out.cut(atomicLen, 0)
	b := q.untagged(rdmap.OpAtomicResponse, rdmap.QNAtomicResponse, q.answers, 0)
	q.answers++
	r := rdmap.AtomicResponse{OriginalRequestIdentifier: h.RequestIdentifier, OriginalRemoteDataValue: old}
	b, _ = r.AppendBinary(b)
	q.outgoing.Body = b[ddp.UntaggedLen:]
	q.parts = append(q.parts[:0], b)
	return q.parts, true
}

// store puts the old value of an Atomic where the Work Request wants it.
func (q *QP) store(e *sendElement, value uint64) Status {
	e.value = value
	p, offset, f := q.rnic.local(q, q.config.PD, &e.Local, LocalWrite)
	if f == faultless && e.Local.Len == atomicLen {
		var octets [atomicLen]byte
		binary.LittleEndian.PutUint64(octets[:], value)
		p.put(offset, octets[:])
	}
	return f.status()
}
