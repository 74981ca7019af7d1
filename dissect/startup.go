package dissect

// The begin of each direction: streaming octets, then the MPA Request or Reply, then the wait for the other side's
// frame, which says how the FPDUs are to be read.

import (
	"bytes"
	"errors"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// phase is what the next octets of a direction are.
type phase uint8

const (
	streaming phase = iota // MPA has not begun, or was left after a rejection
	waiting                // this side's MPA frame was seen, the other's was not: FPDUs have to wait
	full                   // FPDUs
	opaque                 // what cannot be decoded: the octets behind a frame that nobody can have accepted
)

// startup is what a direction keeps until FPDUs can be decoded.
type startup struct {
	behind      int         // octets of Private Data to come behind missing ones
	frame       record.Span // of the MPA frame
	reply       bool        // it is a Reply
	behindFrame uint64      // place in the TCP stream of the octet behind the MPA frame
	passed      uint64      // octets of the stream before MPA began
	unanswered  uint64      // of these, octets that came when the other side had sent its MPA frame
	carry       []byte      // the begin of what may be an MPA frame
	carrySpan   record.Span
}

// keyStem is what the Keys of Requests and Replies have in common.
const keyStem = "MPA ID Re"

// take goes on with the next piece of a direction.
func (e *Engine) take(h *half, p *reassembly.Piece) {
	h.reached = p.Offset + uint64(len(p.Data)) + p.Hole
	if h.start.behind > 0 && h.leavePrivateData(p) {
		return
	}
	switch h.phase {
	case streaming:
		if p.Offset == 0 && !h.syn {
			h.framing.Listen()
		}
		if !e.search(h, p) && h.framing.IsOn() {
			e.read(h, p)
		}
	case waiting, full:
		e.read(h, p)
	case opaque:
		h.traffic.Undecoded += uint64(len(p.Data))
		h.traffic.MissingOctets += p.Hole
	}
}

// leavePrivateData takes the octets of Private Data that stand behind missing ones from the begin of p. It tells
// whether nothing is left of p.
func (h *half) leavePrivateData(p *reassembly.Piece) bool {
	n := int(min(uint64(h.start.behind), max(uint64(len(p.Data)), p.Hole)))
	h.start.behind -= n
	p.Offset += uint64(n)
	if p.Data == nil {
		p.Hole -= uint64(n)
		return p.Hole == 0
	}
	h.traffic.Undecoded += uint64(n)
	p.Data = p.Data[n:]
	return len(p.Data) == 0
}

// search looks for an MPA frame in a direction that is not in MPA, and tells whether there is one. It may begin in any
// place: a delayed start-up has streaming octets before it (RFC 5044, section 7.1).
func (e *Engine) search(h *half, p *reassembly.Piece) bool {
	if p.Data == nil {
		return e.searchBehind(h, p)
	}
	b, carried := p.Data, len(h.start.carry)
	if carried > 0 {
		h.start.carry = append(h.start.carry, b...)
		b = h.start.carry
	}
	span := func(from int) record.Span {
		s := record.At(p.Frame, p.Time)
		if from < carried {
			s.Include(h.start.carrySpan)
		}
		return s
	}
	for at := 0; ; at++ {
		i, whole := findStem(b[at:])
		at += i
		if !whole {
			e.keep(h, b, at, span(at), p.Offset+uint64(len(p.Data)))
			return false
		}
		var f mpa.Frame
		n, err := f.Decode(b[at:])
		if n >= mpa.FrameLen && f.PDLength > mpa.MaxPrivateData {
			n, err, f.PrivateData = mpa.FrameLen, nil, nil // nobody waits for what is not allowed
		}
		cut := errors.Is(err, field.ErrShort)
		switch {
		case err != nil && !cut, !h.believable(&f, at, len(b)-at-n):
		case cut:
			e.keep(h, b, at, span(at), p.Offset+uint64(len(p.Data))) // the rest may come
			return false
		default:
			e.passOverEarly(h, b[:at], span(0), p.Offset+uint64(len(p.Data)-len(b)+at))
			h.start.carry = nil // b, which may be the carry, stays as it is
			behind := b[at+n:]
			offset := p.Offset + uint64(len(p.Data)-len(behind))
			h.start.behindFrame = offset
			e.frame(h, &f, b[at:at+n], span(at))
			if len(behind) > 0 {
				e.take(h, &reassembly.Piece{Offset: offset, Data: behind, Frame: p.Frame, Time: p.Time})
			}
			return true
		}
	}
}

// searchBehind goes on behind a hole. An MPA frame of which only Private Data is missing, for a snaplen cut it, still says
// what was negotiated.
func (e *Engine) searchBehind(h *half, p *reassembly.Piece) bool {
	b, span := h.start.carry, h.start.carrySpan
	h.start.carry = nil
	var f mpa.Frame
	if _, err := f.Decode(b); len(b) < mpa.FrameLen || !errors.Is(err, field.ErrShort) || !h.believable(&f, 0, 0) {
		e.passOverEarly(h, b, span, p.Offset)
		h.start.passed += p.Hole
		h.framing.Listen()
		return false
	}
	rest := *p
	missing := uint64(int(f.PDLength) - len(f.PrivateData))
	h.start.behindFrame = p.Offset + missing
	rest.Hole -= min(missing, p.Hole)
	rest.Offset += min(missing, p.Hole)
	h.start.behind = int(missing - min(missing, p.Hole))
	e.frame(h, &f, b, span)
	if rest.Hole > 0 {
		e.take(h, &rest)
	}
	return true
}

// findStem finds the begin of a Key in b. whole tells whether all of keyStem is there; else i is where its begin is,
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

// believable tells whether a Key at octet at of what was looked through begins a frame of this connection, rather than
// octets of an upper layer that happen to read so. behind is the number of octets behind the frame.
func (h *half) believable(f *mpa.Frame, at, behind int) bool {
	switch {
	case h.start.passed == 0 && at == 0: // the stream begins with it
		return true
	case f.PDLength > mpa.MaxPrivateData || f.Rev > mpa.Rev2 && f.Rev != mpa.RevERDMA:
		return false
	case f.Reply:
		return h.peer.phase == waiting
	}
	return behind <= 0 // the Initiator has to wait for the Reply before it goes on
}

// keep keeps the octets of b from at on, which may be the begin of a frame, and passes over those before.
func (e *Engine) keep(h *half, b []byte, at int, span record.Span, end uint64) {
	e.passOverEarly(h, b[:at], span, end-uint64(len(b)-at))
	h.start.carry = append(h.start.carry[:0], b[at:]...)
	h.start.carrySpan = span
}

// passOverEarly passes over octets that come before MPA, and end at end, and keeps them for whoever wants them.
func (e *Engine) passOverEarly(h *half, b []byte, span record.Span, end uint64) {
	e.keepEarly(h, b, span, record.Place{End: end, Acked: h.acknowledged()})
	h.passOver(len(b))
}

// passOver counts octets that come before MPA, and forgets the carry, of which they are the begin.
func (h *half) passOver(n int) {
	h.start.passed += uint64(n)
	h.traffic.Streaming += uint64(n)
	if h.peer.phase == waiting || h.peer.phase == opaque {
		h.start.unanswered += uint64(n)
	}
}

// frame goes on behind a Request or Reply.
func (e *Engine) frame(h *half, f *mpa.Frame, octets []byte, span record.Span) {
	client := h
	if f.Reply {
		client = h.peer
	}
	c := e.recognise(client)
	keepFrame(c, f)
	e.event.startup = record.Startup{
		Origin: record.Origin{Conn: c, Dir: h.direction(), Span: span}, MPA: *f, Octets: octets, Late: h.late(h.start.behindFrame),
		Place: record.Place{End: h.start.behindFrame, Acked: h.acknowledged()},
	}
	e.giveEarly(h.pair)
	e.sink.StartupFrame(&e.event.startup)
	h.start.frame = span
	h.start.reply = f.Reply
	h.framing.Await(h.start.behindFrame, span)
	paired := h.peer.phase == waiting && h.peer.start.reply != f.Reply
	if paired {
		h.start.unanswered, h.peer.start.unanswered = 0, 0
	}
	switch {
	case f.PDLength > mpa.MaxPrivateData:
		h.phase = opaque
		h.framing.Discard()
	case h.peer.phase == full && c.Requested && c.Replied && !c.Reply.R:
		e.lateFrame(h)
	case !paired:
		h.phase = waiting
	case c.Reply.R:
		c.End = record.EndReject
		c.Agreed = false
		for _, side := range []*half{h, h.peer} {
			e.abandon(side)
			side.phase = streaming
		}
	case f.Reply:
		e.agree(h.peer, h)
	default: // the capture shows the Reply first
		e.agree(h, h.peer)
	}
}

// keepFrame keeps an MPA frame, or the one to which a session control message is equivalent.
func keepFrame(c *record.Conn, f *mpa.Frame) {
	kept := *f
	kept.PrivateData = bytes.Clone(f.PrivateData)
	if f.Reply {
		c.Reply, c.Replied = kept, true
	} else {
		c.Request, c.Requested = kept, true
	}
}

// agree begins full operation: both frames were seen.
func (e *Engine) agree(initiator, responder *half) {
	c := initiator.pair.conn
	negotiate(c)
	if c.End == record.EndReject {
		c.End = record.EndOpen // a second handshake on the same TCP connection
	}
	for _, h := range []*half{initiator, responder} {
		e.readAgreed(h)
	}
	for _, h := range []*half{initiator, responder} {
		e.decode(h)
	}
}

// readAgreed begins full operation of h: both frames were seen.
func (e *Engine) readAgreed(h *half) {
	c := h.pair.conn
	var t framing.Terms
	t.CRC.Set(framing.SettingOf(c.Agreement.CRC), record.Negotiated)
	t.Markers.Set(framing.SettingOf(markersOf(c, h.direction())), record.Negotiated)
	t.RDMAC.Set(framing.SettingOf(c.Agreement.DDPVersion == ddp.VersionRDMAC), record.Negotiated)
	h.phase, h.messages = full, assembler{}
	k := e.known(h)
	h.framing.Begin(&t, &k)
}

// abandon gives up what waits for a frame that is not coming.
func (e *Engine) abandon(h *half) {
	n := h.start.unanswered
	if h.phase == streaming && h.peer.phase != streaming {
		n = max(n, uint64(h.framing.Listened())) // no FPDU was found, but there must be some
	}
	h.traffic.Streaming -= n
	h.start.unanswered = 0
	if h.phase == waiting {
		e.keepUnanswered(h)
		n += h.framing.Abandon()
	}
	if h.phase != full {
		h.framing.Discard()
	}
	if n > 0 {
		h.traffic.Undecoded += n
		e.note(h, record.NoNegotiation, n, h.pair.span)
	}
}

// note reports what could not be decoded.
func (e *Engine) note(h *half, kind record.NoteKind, octets uint64, span record.Span) {
	e.event.Note = record.Note{Origin: record.Origin{Span: span}, Kind: kind, Octets: octets}
	e.give(h, &e.event.Note)
}
