package session

// Finding MPA frames among streaming octets. A frame may begin anywhere: a delayed start-up has octets of the upper layer
// before it (RFC 5044, section 7.1).

import (
	"bytes"
	"errors"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

// keyStem is what the Keys of Requests and Replies have in common.
const keyStem = "MPA ID Re"

// A scanner looks for an MPA frame in one direction.
type scanner struct {
	passed    uint64 // octets that were none of MPA
	carry     []byte // the start of what may be a frame
	carrySpan flow.Span
	missing   int // octets of Private Data to come after missing ones
}

// A scan is the result of looking through a piece: octets that are none of MPA, and perhaps a frame after them. Octets
// are valid until the next scan.
type scan struct {
	early     []byte
	earlySpan flow.Span
	earlyEnd  uint64 // offset in the TCP stream after them

	found  bool
	frame  mpa.Frame
	octets []byte // of the frame; shorter if Private Data was not captured
	span   flow.Span
	end    uint64           // offset after the frame
	rest   reassembly.Piece // what is left of the piece after the frame
}

// scan looks through the next piece of the stream and sets r. isAwaited says that the other side has sent its frame.
func (s *scanner) scan(p *reassembly.Piece, isAwaited bool, r *scan) {
	*r = scan{}
	if p.Data == nil {
		s.scanBehind(p, isAwaited, r)
		return
	}
	buffer, b := s.carry, p.Data
	if len(buffer) > 0 {
		buffer = append(buffer, b...)
		b = buffer
	}
	carried := len(b) - len(p.Data)
	span := func(from int) flow.Span {
		at := flow.At(p.Frame, p.Time)
		if from < carried {
			at.Include(s.carrySpan)
		}
		return at
	}
	offset := p.Offset - uint64(carried) // of b
	for at := 0; ; at++ {
		i, whole := findStem(b[at:])
		at += i
		var err error
		var n int
		if whole {
			n, err = r.frame.Decode(b[at:])
			if n >= mpa.FrameLen && r.frame.PDLength > mpa.MaxPrivateData {
				n, err, r.frame.PrivateData = mpa.FrameLen, nil, nil // more than this is not allowed, so it is not awaited
			}
		}
		cut := errors.Is(err, field.ErrShort)
		if whole && (err != nil && !cut || !s.isBelievable(&r.frame, at, len(b)-at-n, isAwaited)) {
			continue
		}
		s.passed += uint64(at)
		r.early, r.earlySpan, r.earlyEnd = b[:at], span(0), offset+uint64(at)
		if !whole || cut { // the rest may come
			r.earlySpan = span(at)
			s.keep(buffer, b[at:], span(at))
			return
		}
		s.carry = nil
		r.found, r.octets, r.span, r.end = true, b[at:at+n], span(at), offset+uint64(at+n)
		r.rest = reassembly.Piece{Offset: r.end, Data: b[at+n:], Frame: p.Frame, Time: p.Time}
		return
	}
}

// keep keeps b, which is at the end of buffer unless that is empty.
func (s *scanner) keep(buffer, b []byte, span flow.Span) {
	switch {
	case len(b) == 0, len(buffer) == 0:
		s.carry = append(buffer[:0], b...)
	default:
		s.carry = b
	}
	s.carrySpan = span
}

// scanBehind goes on after a hole. An MPA frame of which only Private Data is missing, because a snaplen cut it, still
// says what was negotiated.
func (s *scanner) scanBehind(p *reassembly.Piece, isAwaited bool, r *scan) {
	b, span := s.carry, s.carrySpan
	begun := s.begun(&r.frame, isAwaited)
	s.carry = nil
	if !begun {
		r.early, r.earlySpan, r.earlyEnd = b, span, p.Offset
		s.passed += uint64(len(b)) + p.Hole
		return
	}
	missing := uint64(int(r.frame.PDLength) - len(r.frame.PrivateData))
	r.found, r.octets, r.span, r.end, r.rest = true, b, span, p.Offset+missing, *p
	r.rest.Hole -= min(missing, p.Hole)
	r.rest.Offset += min(missing, p.Hole)
	s.missing = int(missing - min(missing, p.Hole))
}

// begun decodes the start of an MPA frame that waits for its Private Data. It returns false if there is none.
func (s *scanner) begun(f *mpa.Frame, isAwaited bool) bool {
	_, err := f.Decode(s.carry)
	return len(s.carry) >= mpa.FrameLen && errors.Is(err, field.ErrShort) && s.isBelievable(f, 0, 0, isAwaited)
}

// findStem finds the start of a Key in b. whole reports whether all of keyStem is there; else i is where its start is,
// at the end of b, or len(b).
func findStem(b []byte) (i int, whole bool) {
	if i := bytes.Index(b, []byte(keyStem)); i >= 0 {
		return i, true
	}
	for n := min(len(keyStem)-1, len(b)); n > 0; n-- {
		if string(b[len(b)-n:]) == keyStem[:n] {
			return len(b) - n, false
		}
	}
	return len(b), false
}

// isBelievable reports whether a Key at octet at of what was looked through begins a frame of this connection, rather than
// octets of an upper layer that happen to read so. behind is the number of octets after the frame.
func (s *scanner) isBelievable(f *mpa.Frame, at, behind int, isAwaited bool) bool {
	switch {
	case s.passed == 0 && at == 0: // the stream begins with it
		return true
	case f.PDLength > mpa.MaxPrivateData || f.Rev > mpa.Rev2 && f.Rev != mpa.RevERDMA:
		return false
	case f.Reply:
		return isAwaited
	}
	return behind <= 0 // the Initiator has to wait for the Reply before it goes on
}

// leavePrivateData takes the octets of Private Data that stand after missing ones from the start of p, and returns how
// many of them were captured.
func (s *scanner) leavePrivateData(p *reassembly.Piece) (captured int) {
	n := int(min(uint64(s.missing), max(uint64(len(p.Data)), p.Hole)))
	s.missing -= n
	p.Offset += uint64(n)
	if p.Data == nil {
		p.Hole -= uint64(n)
		return 0
	}
	p.Data = p.Data[n:]
	return n
}
