package rnicsim

// Placement: the payload of tagged segments and of Sends goes into memory, and Atomics change it.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// place copies the payload of a tagged segment into the memory that it names.
func (a *access) place(s *rdmap.Segment, wraps bool) (p problem, bad bool) {
	if len(s.Body) == 0 {
		return p, false // STag and TO mean nothing
	}
	to, offset, p, bad := a.sink(s, wraps)
	if !bad {
		to.put(offset, s.Body)
	}
	return p, bad
}

// place copies the payload of a segment of a Send into the Receive in use. At the end of the message it invalidates the
// STag that the segment names, and c is then the completion. Immediate Data is not placed. A status other than Success
// tells that the Receive cannot be used, and p why.
func (q *receiveQueue) place(a *access, s *rdmap.Segment) (c Completion, p problem) {
	op := s.Control.Opcode
	if op.IsImmediate() {
		var h rdmap.Immediate
		h.Decode(s.Body)
		return Completion{Length: rdmap.ImmediateLen, Immediate: true, Data: h.ImmediateData}, p
	}
	e, at := q.current(), uint64(s.Untagged.MO)
	end := at + uint64(len(s.Body))
	if end > e.length {
		return Completion{Status: BaseBounds}, problem{situation: situationTooLong}
	}
	b := s.Body
	f := a.walk(q.pd(a), e.sgl, at, uint64(len(b)), LocalWrite, func(p *place, offset uint64, n int) {
		p.put(offset, b[:n])
		b = b[n:]
	})
	if f != faultless {
		return Completion{Status: f.status()}, problem{situation: situationSGE}
	}
	c.Length = uint32(end)
	if s.L() && op.HasInvalidateSTag() {
		if i := a.invalidateForPeer(STag(s.InvalidateSTag)); i != invalidated {
			return Completion{Status: i.remoteStatus()}, invalidationProblems[i]
		}
		c.Invalidated, c.STag = true, STag(s.InvalidateSTag)
	}
	return c, p
}

// pd returns the PD that the Receives belong to: that of the S-RQ if there is one.
func (q *receiveQueue) pd(a *access) *PD {
	if q.shared != nil {
		return q.shared.pd
	}
	return a.pd
}

// atomicLen is the length in octets of the operand of an Atomic.
const atomicLen = 8

// target finds the memory of an Atomic Request. It needs the rights to read and to write, since RFC 7306 defines no right
// of its own.
func (a *access) target(h *rdmap.AtomicRequest) (*place, uint64, problem, bool) {
	if !a.remoteWrite {
		p := atomicProblems[faultRights]
		p.event = RemoteWriteNotEnabled
		return nil, 0, p, true
	}
	stag := STag(h.RemoteSTag)
	to, offset, f := a.tolerated(stag, h.RemoteTaggedOffset, atomicLen, RemoteRead|RemoteWrite, &atomicProblems)
	if (f == faultless || f == faultWrap || f == faultBounds) && !a.rnic.lookup(stag).aligned(h.RemoteTaggedOffset) {
		return nil, 0, problem{situation: situationAlignment, event: events[situationAlignment]}, true
	}
	return to, offset, atomicProblems[f], f != faultless
}

// atomic executes an Atomic Request and returns the value before it. Values in memory are little-endian, as on nearly
// all hosts of RNICs; on the wire they are big-endian (RFC 7306, section 5).
func (a *access) atomic(h *rdmap.AtomicRequest) (old uint64, p problem, bad bool) {
	to, offset, p, bad := a.target(h)
	if bad {
		return 0, p, true
	}
	var octets [atomicLen]byte
	old = binary.LittleEndian.Uint64(to.append(octets[:0], offset, atomicLen))
	result, _ := h.Apply(old)
	binary.LittleEndian.PutUint64(octets[:], result)
	to.put(offset, octets[:])
	return old, p, false
}

// store puts the old value of an Atomic where the Work Request wants it.
func (a *access) store(e *SGE, value uint64) Status {
	p, offset, f := a.local(a.pd, e, LocalWrite)
	if f == faultless && e.Len == atomicLen {
		var octets [atomicLen]byte
		binary.LittleEndian.PutUint64(octets[:], value)
		p.put(offset, octets[:])
	}
	return f.status()
}
