package rnicsim

// The segments of outgoing messages: of Work Requests, of responses, of the Ready to Receive and of the Terminate.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A message is one that is being sent. No segment of another message comes between its own.
type message struct {
	kind    messageKind
	opcode  rdmap.Opcode
	length  uint64 // octets of payload
	at      uint64 // octets of payload that were sent
	segment int    // octets of payload in the latest segment
	last    bool   // the latest segment is the last one
}

type messageKind uint8

const (
	noMessage      messageKind = iota
	readyToReceive             // the RTR of RFC 6581
	ofSQ                       // the next element of the SQ
	ofIRRQ                     // the response to the first entry of the IRRQ
)

// maxMessage is the length of the longest message in octets (RFC 5041, section 5.2).
const maxMessage = 1<<32 - 1

// cut takes the next segment off the message, with headers of n octets.
func (m *message) cut(mulpdu, headers int) {
	left := m.length - m.at
	m.segment = int(min(left, uint64(mulpdu-headers)))
	m.last = uint64(m.segment) == left
}

// A sender makes the segments of one message after the other, and leaves the latest in segment and parts.
type sender struct {
	version   uint8     // of DDP and RDMAP
	msn       [2]uint32 // of the next message on queues 0 and 1
	atomicMSN uint32    // of the next Atomic Response
	responses bool      // it is a response's turn, if one is due

	out     message
	segment rdmap.Segment
	header  [ddp.UntaggedLen + rdmap.AtomicRequestLen]byte
	parts   [][]byte // of the ULPDU: headers, and payload in its place
}

// reset prepares the sender for a new stream.
func (s *sender) reset(version uint8) {
	*s = sender{version: version, msn: [2]uint32{1, 1}, atomicMSN: 1, parts: s.parts}
}

// request begins the message of a Work Request.
func (s *sender) request(wr *WorkRequest) {
	s.out, s.responses = message{kind: ofSQ, opcode: wr.Op.opcode()}, true
	if wr.Op.isSend() || wr.Op == OpWrite {
		s.out.length = total(wr.SGL)
	}
}

// respond begins a response with n octets of payload.
func (s *sender) respond(payload uint64) {
	s.out, s.responses = message{kind: ofIRRQ, length: payload}, false
}

// requestSegment makes the next segment of a Work Request's message. A status other than Success means that its memory
// can no longer be used.
func (s *sender) requestSegment(wr *WorkRequest, a *access, mulpdu int) Status {
	switch {
	case wr.Op == OpWrite:
		s.out.cut(mulpdu, ddp.TaggedLen)
		return s.gather(wr.SGL, a, s.tagged(rdmap.OpWrite, uint32(wr.Remote), wr.RemoteTO))
	case wr.Op.isSend():
		s.out.cut(mulpdu, ddp.UntaggedLen)
		return s.gather(wr.SGL, a, s.untagged(s.out.opcode, rdmap.QNSend, s.nextMSN(rdmap.QNSend), wr.invalidates()))
	}
	s.out.cut(mulpdu, ddp.UntaggedLen)
	s.control(wr)
	return Success
}

// nextMSN returns the MSN of a segment. If it ends the message, the next message has the next MSN.
func (s *sender) nextMSN(qn int) uint32 {
	msn := s.msn[qn]
	if s.out.last {
		s.msn[qn]++
	}
	return msn
}

// invalidates returns the STag that the peer is to invalidate.
func (wr *WorkRequest) invalidates() STag {
	if wr.Op.opcode().HasInvalidateSTag() {
		return wr.STag
	}
	return 0
}

// gather puts the payload of the segment after its header. It looks the memory up again for each segment, since STags
// can be invalidated in between.
func (s *sender) gather(sgl []SGE, a *access, header []byte) Status {
	s.parts = append(s.parts[:0], header)
	f := a.walk(a.pd, sgl, s.out.at, uint64(s.out.segment), LocalRead, func(p *place, offset uint64, n int) {
		s.parts = p.appendSpans(s.parts, offset, n)
	})
	return f.status()
}

// control makes a message that is an RDMAP header.
func (s *sender) control(wr *WorkRequest) {
	op := wr.Op.opcode()
	qn, _ := op.QN()
	msn := s.nextMSN(int(qn))
	b := s.untagged(op, qn, msn, 0)
	switch op {
	case rdmap.OpReadRequest:
		h := rdmap.ReadRequest{SinkSTag: uint32(wr.Local.STag), SinkTO: wr.Local.TO, RDMARDSZ: wr.Local.Len,
			SrcSTag: uint32(wr.Remote), SrcTO: wr.RemoteTO}
		b, _ = h.AppendBinary(b)
	case rdmap.OpAtomicRequest:
		b, _ = wr.atomic(msn).AppendBinary(b)
	default:
		h := rdmap.Immediate{ImmediateData: wr.Data}
		b, _ = h.AppendBinary(b)
	}
	s.headerOnly(b)
}

// headerOnly sets the ULPDU of an untagged segment that consists of headers.
func (s *sender) headerOnly(ulpdu []byte) {
	s.segment.Body = ulpdu[ddp.UntaggedLen:]
	s.parts = append(s.parts[:0], ulpdu)
}

// atomic returns the header of an Atomic Request; its identifier is its MSN.
func (wr *WorkRequest) atomic(msn uint32) *rdmap.AtomicRequest {
	h := &rdmap.AtomicRequest{
		RequestIdentifier: msn, RemoteSTag: uint32(wr.Remote), RemoteTaggedOffset: wr.RemoteTO,
		AddOrSwapData: wr.Data, AddOrSwapMask: wr.Mask, CompareMask: 1<<64 - 1,
	}
	if wr.Op == OpCmpSwap {
		h.AOpCode, h.CompareData, h.CompareMask = rdmap.CmpSwap, wr.CompareData, wr.CompareMask
	}
	return h
}

// responseSegment makes the next segment of the response to a request of the peer. It fails if the memory cannot be used
// any more.
func (s *sender) responseSegment(e *irrqEntry, a *access, mulpdu int) (p problem, bad bool) {
	if e.atomic {
		return s.atomicResponse(e, a)
	}
	m, h := &s.out, &e.read
	m.cut(mulpdu, ddp.TaggedLen)
	from, offset, f := a.source(STag(h.SrcSTag), h.SrcTO+m.at, uint64(m.segment), false)
	if f != faultless {
		return lostProblems[f], true
	}
	s.parts = append(s.parts[:0], s.tagged(rdmap.OpReadResponse, h.SinkSTag, h.SinkTO))
	if m.segment > 0 {
		s.parts = from.appendSpans(s.parts, offset, m.segment)
	}
	return p, false
}

// atomicResponse executes an Atomic Request and makes its response.
func (s *sender) atomicResponse(e *irrqEntry, a *access) (p problem, bad bool) {
	var h rdmap.AtomicRequest
	h.Decode(e.octets()[ddp.UntaggedLen:])
	old, p, bad := a.atomic(&h)
	if bad {
		return p, true
	}
	s.out.cut(0, 0)
	b := s.untagged(rdmap.OpAtomicResponse, rdmap.QNAtomicResponse, s.atomicMSN, 0)
	s.atomicMSN++
	r := rdmap.AtomicResponse{OriginalRequestIdentifier: h.RequestIdentifier, OriginalRemoteDataValue: old}
	b, _ = r.AppendBinary(b)
	s.headerOnly(b)
	return p, false
}

// rtrSegment makes the Ready to Receive, a message without payload: a Write if the peer accepts that, because it costs
// nothing, else a Read, else a Send, which consumes a buffer of the peer (RFC 6581, section 9.2).
func (s *sender) rtrSegment(r rtr) {
	s.out.cut(0, 0)
	switch {
	case r.write:
		s.parts = append(s.parts[:0], s.tagged(rdmap.OpWrite, 0, 0))
	case r.read:
		s.control(&WorkRequest{Op: OpRead})
	default:
		s.parts = append(s.parts[:0], s.untagged(rdmap.OpSend, rdmap.QNSend, s.nextMSN(rdmap.QNSend), 0))
	}
}

// terminateSegment makes the Terminate whose octets after the DDP header are given.
func (s *sender) terminateSegment(header []byte) {
	s.out = message{last: true}
	b := s.untagged(rdmap.OpTerminate, rdmap.QNTerminate, 1, 0)
	s.segment.Body = header
	s.parts = append(s.parts[:0], b, header)
}

// sent counts the latest segment as sent. It returns the kind of message that is now complete; noMessage if it
// continues.
func (s *sender) sent() (ended messageKind) {
	s.out.at += uint64(s.out.segment)
	if s.out.last {
		ended = s.out.kind
		s.out = message{}
	}
	return ended
}

// untagged begins an untagged segment of the message.
func (s *sender) untagged(op rdmap.Opcode, qn, msn uint32, invalidate STag) []byte {
	h := &s.segment
	*h = rdmap.Segment{}
	h.Untagged = ddp.Untagged{L: s.out.last, DV: s.version, QN: qn, MSN: msn, MO: uint32(s.out.at)}
	h.Control = rdmap.Control{RV: s.version, Opcode: op}
	h.InvalidateSTag = uint32(invalidate)
	b, _ := h.Header.AppendBinary(s.header[:0])
	return b
}

// tagged begins a tagged segment of the message.
func (s *sender) tagged(op rdmap.Opcode, stag uint32, to uint64) []byte {
	h := &s.segment
	*h = rdmap.Segment{}
	h.T = true
	h.Tagged = ddp.Tagged{L: s.out.last, DV: s.version, STag: stag, TO: to + s.out.at}
	h.Control = rdmap.Control{RV: s.version, Opcode: op}
	b, _ := h.Header.AppendBinary(s.header[:0])
	return b
}
