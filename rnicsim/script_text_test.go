package rnicsim

// How transcripts show what is sent, completed and said.

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// sent shows octets that an end sends: its MPA frame, then FPDUs.
func (s *script) sent(e *end, b []byte) {
	var f mpa.Frame
	if n, err := f.Decode(b); err == nil && !e.framed {
		e.framed = true
		s.printf("%s > %s", e.name, frameText(&f))
		b = b[n:]
		e.wire.Reset(mpa.Options{})
	}
	if len(b) == 0 {
		return
	}
	if e.stream.agreement.MarkersFromInit && e.stream.initiator || e.stream.agreement.MarkersFromResp && !e.stream.initiator {
		if pos, ok := e.wire.InProgress(); !ok && pos == 0 && e.wire.Pos() == 0 {
			e.wire.Reset(mpa.Options{Markers: true, CRC: e.stream.agreement.CRC})
		}
	}
	s.profile = e.rnic.config.Profile
	e.wire.Push(b)
	var d mpa.Deframed
	for e.wire.Next(&d) {
		s.printf("%s > %s%s", e.name, s.segmentText(d.ULPDU), framingText(e, &d))
	}
}

func frameText(f *mpa.Frame) string {
	text := "MPA Request"
	if f.Reply {
		text = "MPA Reply"
	}
	text += fmt.Sprintf(" Rev %d", f.Rev)
	for _, flag := range []struct {
		set  bool
		name string
	}{{f.M, "M"}, {f.C, "C"}, {f.R, "R"}, {f.S, "S"}} {
		if flag.set {
			text += " " + flag.name
		}
	}
	var e mpa.Enhanced
	if f.Enhanced(&e) {
		text += fmt.Sprintf(", IRD %d ORD %d", e.IRD, e.ORD)
		for _, flag := range []struct {
			set  bool
			name string
		}{{e.A, " A"}, {e.B, " B"}, {e.C, " C"}, {e.D, " D"}} {
			if flag.set {
				text += flag.name
			}
		}
	}
	return text
}

// framingText returns what is special about an FPDU.
func framingText(e *end, d *mpa.Deframed) (text string) {
	if e.stream.agreement.CRC && mpaCRC(d) {
		text += ", CRC wrong"
	}
	if d.BadMarkers > 0 {
		text += ", Marker wrong"
	}
	return text
}

// mpaCRC reports whether the CRC of an FPDU without Markers is wrong.
func mpaCRC(d *mpa.Deframed) bool {
	if d.Verdict != mpa.Unchecked || d.Markers > 0 {
		return d.Verdict == mpa.Bad
	}
	b := binary.BigEndian.AppendUint16(nil, d.ULPDULength)
	return mpa.CRC(append(append(b, d.ULPDU...), d.PAD...)) != d.CRC
}

func crcOf(b []byte) []byte { return binary.LittleEndian.AppendUint32(nil, mpa.CRC(b)) }

// segmentText shows a segment.
func (s *script) segmentText(ulpdu []byte) string {
	var g rdmap.Segment
	if _, err := g.Decode(ulpdu); err != nil {
		return fmt.Sprintf("%d octets, which are not a segment", len(ulpdu))
	}
	text := s.headerText(&g.Header) + s.bodyText(&g)
	if !g.L() {
		text += ", not last"
	}
	return text
}

// headerText shows the DDP header of a segment, without what it has to have.
func (s *script) headerText(g *rdmap.Header) string {
	op := g.Control.Opcode
	var t strings.Builder
	t.WriteString(op.String())
	if g.DV() != 1 || g.Control.RV != 1 {
		fmt.Fprintf(&t, " DV %d RV %d", g.DV(), g.Control.RV)
	}
	if g.T {
		fmt.Fprintf(&t, " %s TO %#x", s.stagText(g.Tagged.STag), g.Tagged.TO)
	} else {
		if qn, ok := op.QN(); !ok || qn != g.Untagged.QN {
			fmt.Fprintf(&t, " QN %d", g.Untagged.QN)
		}
		if op != rdmap.OpTerminate {
			fmt.Fprintf(&t, " MSN %d", g.Untagged.MSN)
		}
		if g.Untagged.MO != 0 {
			fmt.Fprintf(&t, " MO %d", g.Untagged.MO)
		}
		if op.HasInvalidateSTag() {
			fmt.Fprintf(&t, " of %s", s.stagText(g.InvalidateSTag))
		}
	}
	return t.String()
}

// bodyText shows what follows the DDP header.
func (s *script) bodyText(g *rdmap.Segment) string {
	if g.T != g.Control.Opcode.Tagged() {
		return ", " + payloadText(g.Body)
	}
	switch g.Control.Opcode {
	case rdmap.OpReadRequest:
		var h rdmap.ReadRequest
		if _, err := h.Decode(g.Body); err != nil {
			return fmt.Sprintf(", %d octets of header", len(g.Body))
		}
		return ", " + s.readText(&h)
	case rdmap.OpAtomicRequest:
		var h rdmap.AtomicRequest
		h.Decode(g.Body)
		text := fmt.Sprintf(", %v at %s TO %#x, %#x mask %#x", h.AOpCode, s.stagText(h.RemoteSTag), h.RemoteTaggedOffset, h.AddOrSwapData, h.AddOrSwapMask)
		if h.AOpCode == rdmap.CmpSwap {
			text += fmt.Sprintf(" if %#x mask %#x", h.CompareData, h.CompareMask)
		}
		return text
	case rdmap.OpAtomicResponse:
		var h rdmap.AtomicResponse
		h.Decode(g.Body)
		return fmt.Sprintf(", was %#x", h.OriginalRemoteDataValue)
	case rdmap.OpImmediate, rdmap.OpImmediateSE:
		return fmt.Sprintf(", %x", g.Body)
	case rdmap.OpTerminate:
		return s.terminateText(g.Body)
	}
	return ", " + payloadText(g.Body)
}

func (s *script) readText(h *rdmap.ReadRequest) string {
	return fmt.Sprintf("%d octets from %s TO %#x to %s TO %#x", h.RDMARDSZ, s.stagText(h.SrcSTag), h.SrcTO, s.stagText(h.SinkSTag), h.SinkTO)
}

func (s *script) terminateText(b []byte) string {
	var t rdmap.Terminate
	swapped := s.profile.DecodeTerminate(&t, b) == rdmap.ReadingSwapped
	text := fmt.Sprintf(" %v %s", t.Code, t.Code.Describe())
	if swapped {
		text += ", swapped"
	}
	if t.HasSegmentLength {
		text += fmt.Sprintf(", for %d octets", t.SegmentLength)
	}
	if t.HasHeader {
		text += " of " + s.headerText(&t.Header)
	}
	if t.HasReadRequest {
		text += ", " + s.readText(&t.ReadRequest)
	}
	return text
}

// stagText returns the name of an STag.
func (s *script) stagText(stag uint32) string {
	for name, m := range s.memory {
		if m.stag == STag(stag) {
			return name
		}
		if m.stag.Index() == STag(stag).Index() {
			return fmt.Sprintf("%s with key %#02x", name, STag(stag).Key())
		}
	}
	return fmt.Sprintf("STag %#x", stag)
}

// payloadText shows payload: text, or the number of octets.
func payloadText(b []byte) string {
	if len(b) == 0 {
		return "0 octets"
	}
	if len(b) > 48 || strings.Trim(string(b), "\x00") == "" {
		return octetsText(len(b))
	}
	return fmt.Sprintf("%s %q", octetsText(len(b)), b)
}

func octetsText(n int) string {
	if n == 1 {
		return "1 octet"
	}
	return fmt.Sprintf("%d octets", n)
}

func completionText(c *Completion) string {
	text := fmt.Sprintf("%v %d %v", c.Op, c.WRID, c.Status)
	if c.Status != Success {
		return text
	}
	switch {
	case c.Immediate:
		text += fmt.Sprintf(", %#x", c.Data)
	case c.Op == OpReceive:
		text += ", " + octetsText(int(c.Length))
	case c.Op.isAtomic():
		text += fmt.Sprintf(", was %#x", c.Data)
	}
	if c.Invalidated {
		text += ", STag invalidated"
	}
	return text
}

func lastText(l *LastMessage, p *rules.Profile) string {
	if l == nil {
		return ""
	}
	var t rdmap.Terminate
	p.DecodeTerminate(&t, l.Header)
	if l.Local {
		return ", its Terminate is " + t.Code.String()
	}
	return ", the peer's Terminate is " + t.Code.String()
}
