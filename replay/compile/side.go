package compile

// One side of a connection: from segments to steps.

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

type draft struct {
	*scenario.Step
	time    int64
	acked   uint64 // octets of the other side that the sender had acknowledged when it began to send the step
	end     uint64 // where it ends in the stream of its side
	body    body   // its Payload
	payload *scenario.Payload
}

// A body holds octets, some of which may be unknown.
type body struct {
	octets  []byte
	unknown []extent // ascending
	more    bool     // what follows is unknown
	refs    []ref    // variables in it
}

type extent struct{ from, to int }

type side struct {
	conn     *conn
	side     scenario.Side
	drafts   []*draft
	sender   *scenario.Sender // of the FPDUs after the latest MPA frame
	lost     bool             // segments may have been missed
	undone   uint64           // octets that could not be decoded
	streamed uint64           // octets outside of MPA that became steps
	message  *pending         // in progress; nil if none is
}

// A pending is a message whose last segment has not arrived.
type pending struct {
	message *scenario.Message
	first   *scenario.Segment
	draft   *draft
	pieces  []piece
}

// A piece is one segment of it.
type piece struct {
	octets int
	flow.Span
	record.Place
}

func (s *side) begin(span flow.Span, place record.Place, do scenario.Action, payload *scenario.Payload) *draft {
	return &draft{
		Step: &scenario.Step{Side: s.side, Frame: span.Frame, Do: do},
		time: span.Time, acked: place.Acked, end: place.End, payload: payload,
	}
}

// push adds a draft that is complete, if there is room.
func (s *side) push(d *draft) {
	if s.conn.full || !s.conn.compiler.take(stepHeld) {
		s.conn.fill()
		d.body.filled(s.conn.compiler)
		return
	}
	s.drafts = append(s.drafts, d)
}

// latest is the latest draft; nil if there is none.
func (s *side) latest() *draft {
	if n := len(s.drafts); n > 0 {
		return s.drafts[n-1]
	}
	return nil
}

func (s *side) add(d *draft, octets []byte, unknown int) {
	if !d.body.add(s.conn.compiler, octets, unknown) {
		s.incomplete(d, "its payload exceeds the limit")
	}
}

func (s *side) frame(ev *record.Startup) {
	s.flush()
	s.sender, s.lost = nil, false
	f := &ev.MPA
	do := &scenario.Frame{Reply: f.Reply, M: f.M, C: f.C, R: f.R, S: f.S, Res: f.Res, Rev: f.Rev}
	private, length := f.PrivateData, int(f.PDLength)
	if e := new(mpa.Enhanced); f.Enhanced(e) {
		do.Enhanced = e
		private, length = private[mpa.EnhancedLen:], length-mpa.EnhancedLen
	}
	d := s.begin(ev.Span, ev.Place, do, &do.PrivateData)
	s.add(d, private, length-len(private))
	if length > len(private) {
		s.incomplete(d, "%d octets of Private Data were not captured", length-len(private))
	}
	s.push(d)
}

func (s *side) streaming(ev *record.Streaming) {
	do := new(scenario.Octets)
	d := s.begin(ev.Span, ev.Place, do, &do.Payload)
	s.add(d, ev.Octets, 0)
	s.push(d)
	s.streamed += uint64(len(ev.Octets))
}

func (s *side) segment(ev *record.Segment) {
	if s.sender == nil {
		s.sender = scenario.NewSender(s.conn.source.Agreement.DDPVersion)
	}
	f := &ev.FPDU
	ulpdu := f.ULPDU
	cut := int(f.ULPDULength) - len(ulpdu)
	if cut > 0 {
		ulpdu = append(bytes.Clone(ulpdu), make([]byte, cut)...)
	}
	if cut > 0 && len(f.ULPDU) < ddp.UntaggedLen+rdmap.AtomicRequestLen && headersCut(f.ULPDU) {
		s.miss("the headers of an FPDU were not captured")
		return
	}
	resumed := s.lost && s.message == nil
	if resumed {
		s.sender.Resume(ulpdu)
		s.lost = false
	}
	goesOn := s.sender.InProgress(ulpdu)
	segment := s.sender.Describe(ulpdu)
	framing := framed(f)
	if f.Missing == 0 && !field.AllZero(f.PAD) {
		s.conn.report.Padded++
	}
	if framing == nil && s.join(ev, segment, cut, goesOn, resumed) {
		return
	}
	s.flush()
	if framing != nil || !s.join(ev, segment, cut, goesOn, resumed) {
		s.apart(ev, segment, framing, cut)
	}
}

// headersCut reports whether the captured part of a ULPDU ends within its headers.
func headersCut(ulpdu []byte) bool {
	var h rdmap.Header
	n, err := h.Decode(ulpdu)
	return err != nil || len(ulpdu) < n+h.Control.Opcode.RDMAPHeaderLen()
}

// framed describes what is wrong with the framing of an FPDU; empty if nothing is.
func framed(f *mpa.Deframed) *scenario.FPDU {
	do := new(scenario.FPDU)
	wrong := false
	if f.Verdict == mpa.Bad {
		do.CRC, wrong = new(f.CRC), true
		if !field.AllZero(f.PAD) { // with a PAD of zeros, the same CRC may be right
			do.PAD = bytes.Clone(f.PAD)
		}
	}
	if f.BadMarkers > 0 {
		do.Markers, wrong = scenario.BadMarkers, true
	}
	if !wrong {
		return nil
	}
	return do
}

// join adds a segment to a message if it breaks no rule there. The last cut octets of the segment are unknown. goesOn
// says that a message is in progress.
func (s *side) join(ev *record.Segment, segment *scenario.Segment, cut int, goesOn, resumed bool) bool {
	message, last, ok := segment.Message()
	p := s.message
	switch {
	case !ok:
		return false
	case p == nil && goesOn && !(resumed && segment.Opcode.HasPayload()):
		return false
	case p != nil && (!goesOn || segment.Opcode != p.message.Opcode || !plain(segment)):
		return false
	case p == nil:
		p = s.start(ev, message, segment)
		if resumed && goesOn {
			s.missedBegin(p, ev)
		}
	}
	octets := literal(segment.Payload)
	if !s.conn.compiler.take(pieceHeld) {
		s.conn.fill()
		return true
	}
	p.pieces = append(p.pieces, piece{len(octets), ev.Span, ev.Place})
	s.add(p.draft, octets[:len(octets)-min(cut, len(octets))], min(cut, len(octets)))
	p.draft.end = ev.End
	if cut > 0 {
		s.incomplete(p.draft, "%d octets were not captured", cut)
	}
	if last {
		s.conn.compiler.room += len(p.pieces) * pieceHeld
		s.push(p.draft)
		s.message = nil
	}
	return true
}

// plain reports whether no field of a segment but L differs from its default.
func plain(s *scenario.Segment) bool {
	return len(s.Fields) == 0 || len(s.Fields) == 1 && s.Fields[0].Name == "L"
}

func (s *side) start(ev *record.Segment, m *scenario.Message, first *scenario.Segment) *pending {
	kept := *first
	kept.Payload = nil
	s.message = &pending{message: m, first: &kept, draft: s.begin(ev.Span, ev.Place, m, &m.Payload)}
	s.message.draft.Comment = explain(ev)
	return s.message
}

// missedBegin records that the beginning of an untagged message was not captured.
func (s *side) missedBegin(p *pending, ev *record.Segment) {
	const most = 16 << 20 // octets that can plausibly be missing
	mo := int(ev.RDMAP.Untagged.MO)
	if mo > 0 && mo <= most {
		s.add(p.draft, nil, mo)
	}
	s.incomplete(p.draft, "the first %d octets of the message are missing", mo)
}

// literal returns the octets of a Payload that was just described, which has one Part or none.
func literal(p scenario.Payload) []byte {
	if len(p) == 0 {
		return nil
	}
	return p[0].Octets
}

func (s *side) apart(ev *record.Segment, segment *scenario.Segment, framing *scenario.FPDU, cut int) {
	octets := literal(segment.Payload)
	segment.Payload = nil
	var do scenario.Action = segment
	payload := &segment.Payload
	if framing != nil {
		framing.Segment = *segment
		do, payload = framing, &framing.Payload
	}
	d := s.begin(ev.Span, ev.Place, do, payload)
	cut = min(cut, len(octets))
	s.add(d, octets[:len(octets)-cut], cut)
	if ev.FPDU.Verdict == mpa.Bad {
		d.Comment = append(d.Comment, "The CRC is wrong.")
	}
	s.push(d)
}

// flush ends a message whose last segment is missing: each of its segments becomes a step. If segments were not
// captured, or their octets not kept, it stays a message, with an unknown end.
func (s *side) flush() {
	p := s.message
	s.message = nil
	if p == nil {
		return
	}
	s.conn.compiler.room += len(p.pieces) * pieceHeld
	if s.lost || p.draft.body.more {
		p.draft.body.more = true
		s.incomplete(p.draft, "the end of the message is missing")
		s.push(p.draft)
		return
	}
	at := 0
	for i, piece := range p.pieces {
		segment := &scenario.Segment{Opcode: p.first.Opcode, Fields: scenario.Fields{{Name: "L", Value: scenario.Value{Number: 0}}}}
		if i == 0 {
			segment.Fields = p.first.Fields
		}
		d := s.begin(piece.Span, piece.Place, segment, &segment.Payload)
		d.body = p.draft.body.slice(at, at+piece.octets)
		at += piece.octets
		s.push(d)
	}
}

// note handles octets that could not be decoded.
func (s *side) note(n *record.Note) {
	switch n.Kind {
	case record.FramingLost:
		s.lost = true
		s.flush()
	case record.FramingFound:
		s.miss(fmt.Sprintf("%d octets after it could not be decoded", n.Octets))
	case record.NoNegotiation:
		s.undone += n.Octets
	case record.Undecoded:
		s.miss(fmt.Sprintf("%d octets after it could not be decoded", n.Octets))
	case record.Unfinished:
		s.miss(fmt.Sprintf("%d octets of an unfinished FPDU follow it", n.Octets))
	case record.GivenUp:
		s.miss("too many connections were tracked at a time: the rest is unknown")
	}
}

// miss records that something is missing after the latest step.
func (s *side) miss(what string) {
	s.lost = true
	s.flush()
	s.conn.lacks(s.latest(), s.side, what)
}

func (s *side) incomplete(d *draft, format string, args ...any) {
	if gaps := s.conn.report.gaps; len(gaps) > 0 && gaps[len(gaps)-1].draft == d {
		return
	}
	s.conn.lacks(d, s.side, fmt.Sprintf(format, args...))
}

// gapped reports whether something is known to be missing already.
func (s *side) gapped() bool {
	return slices.ContainsFunc(s.conn.report.gaps, func(g gap) bool { return g.side == s.side })
}

func (s *side) end() {
	s.flush()
	c := s.conn.source
	d := flow.Direction(s.side)
	t := &c.Traffic[d]
	if all := s.undone + t.Streaming; all > s.streamed {
		s.miss(fmt.Sprintf("%d octets outside of MPA are not kept", all-s.streamed))
	}
	if n := t.TCP.HoleOctets; n > 0 && !s.gapped() {
		s.miss(fmt.Sprintf("%d octets are not in the capture", n))
	}
	if t.Unseen > 0 {
		s.miss(fmt.Sprintf("%d octets that the other side acknowledged are not in the capture", t.Unseen))
	}
	last := uint64(0)
	if d := s.latest(); d != nil {
		last = d.end
	}
	if c.FIN[d] != (flow.Span{}) {
		s.drafts = append(s.drafts, s.begin(c.FIN[d], record.Place{End: last + 1, Acked: c.LastAck[d]}, scenario.FIN{}, nil))
	}
	if c.RST[d] != (flow.Span{}) {
		s.drafts = append(s.drafts, s.begin(c.RST[d], record.Place{End: ^uint64(0), Acked: c.LastAck[d]}, scenario.Reset{}, nil))
	}
}

// explain returns a comment with the error that a Terminate reports.
func explain(s *record.Segment) []string {
	if s.RDMAP.Control.Opcode != rdmap.OpTerminate || len(s.RDMAP.Body) < rdmap.TerminateLen {
		return nil
	}
	var t rdmap.Terminate
	t.Decode(s.RDMAP.Body)
	switch rdmap.ReadingOf(s.RDMAP.Body, len(s.RDMAP.Body)) {
	case rdmap.ReadingSwapped, rdmap.ReadingAmbiguous:
		var meant rdmap.Terminate
		meant.DecodeSwapped(s.RDMAP.Body)
		return []string{"In the bit order of " + peers.Swapping() + " it means " + meant.Code.String() + ", " + meant.Code.Describe() + "."}
	}
	return []string{t.Code.Describe() + "."}
}
