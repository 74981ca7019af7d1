package fuzz

// DDP over SCTP: package codec/sctp, and whole associations for package dissect.

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/codectest"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// FuzzSCTP decodes any octets as what stands before a DDP segment, and as a session control message, which is encoded to
// the same octets.
func FuzzSCTP(f *testing.F) {
	for _, seed := range []string{
		"", "\x00", "\x00\x00\x00", "\x00\x00\x00\x01", "\x00\x00\x00\x02hello", "\xff\xff\x00\x04", "\x00\x00\x00\x05\x80\x20\xc0\x10xy",
		"\x00\x01\xff\xff", "\x00\x01\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		decodesAsTable(t, new(sctp.SegmentChunk), sctp.SegmentFields, b)
		var c sctp.Control
		n, err := c.Decode(b)
		if n != len(b) || (err == nil) != (len(b) >= sctp.ControlLen) || err != sctp.ControlFields.Short(len(b)) {
			t.Fatalf("%d of %d octets, %v", n, len(b), err)
		}
		if err != nil {
			return
		}
		var h codectest.Header = &c
		if out, err := h.AppendBinary(nil); err != nil || !slices.Equal(out, b) {
			t.Errorf("encoded % x, %v", out, err)
		}
		if frame, ok := c.Frame(len(c.PrivateData)); ok && len(b) <= 0xffff && frame.Len() != 20+len(c.PrivateData) {
			t.Errorf("a frame of %d octets", frame.Len())
		}
	})
}

// associate is the packets of two sides that send what a script says, after a handshake or not. Of each four octets of
// the script the first says who sends what: a DATA chunk with a PPID and flags, or something else; the second the
// stream, the third how much of the octets, the fourth by how much the DDP-SSN is wrong.
func associate(octets, script []byte) []pcaps.Record {
	c := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Over(conversation.DDP())
	if len(script) > 0 && script[0]&1 == 0 {
		c.Connect()
	}
	var next [2][4]uint16
	for ; len(script) >= 4 && len(c.Records) < 500; script = script[4:] {
		side, stream := conversation.Side(script[0]>>1&1), uint16(script[1]&3)
		n := min(int(script[2]), len(octets))
		ssn := next[side][stream] + uint16(int8(script[3]))
		next[side][stream] = ssn + 1
		userData := append(binary.BigEndian.AppendUint16(nil, ssn), octets[:n]...)
		const whole = conversation.FlagUnordered | conversation.FlagBegin | conversation.FlagEnd
		switch script[0] >> 2 & 7 {
		case 0:
			c.Send(side, c.Data(side, stream, 17, whole, append(userData[:2:2], 0, script[1]>>2&7)))
			if code := script[1] >> 2 & 7; code == 1 || code == 5 {
				next[side][stream] = ssn + 1
			}
		case 1:
			c.Send(side, c.Data(side, stream, 17, whole, userData))
		case 2:
			c.Ack(side)
		case 3:
			c.Send(side, c.Data(side, stream, 16, script[1]>>2&7, userData)) // a fragment, perhaps
		case 4:
			c.Send(side, octets[:n&^3]) // chunks of any octets
		case 5:
			if script[1]&0x80 != 0 {
				c.Reset(side)
			} else {
				c.Finish(side)
			}
		default:
			c.Send(side, c.Data(side, stream, 16, whole, userData))
			octets = octets[n:]
		}
	}
	return c.Records
}

// FuzzAssociation lets two ends of an SCTP association send any octets as chunks, DDP segments and session control
// messages, in packets of which some are lost, repeated, reordered or cut. Nothing panics, every event and every
// connection ends, and an analysis of it all ends too.
func FuzzAssociation(f *testing.F) {
	send := []byte("\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00abcd")
	session := []byte{0, 4, 0, 0, 8, 0, 0, 0, 2, 8, 0, 0, 8, 0, 0, 0, 24, 0, 22, 0, 26, 0, 22, 0, 0, 16, 0, 0, 2, 16, 0, 0}
	f.Add(slices.Concat(send, send), session, []byte{0})
	f.Add(slices.Concat(send, send), session, []byte{0, 0, 0, 0, 0, 0, 4, 1})
	f.Add(slices.Concat(send, send), session, []byte{0, 2, 0, 3, 0, 0x53, 4, 0})
	f.Add([]byte("\x00\x03\x00\x10\x00\x00\x03\xe8\x00\x00\x00\x00\x00\x00\x00\x10"), []byte{1, 0, 0, 0, 16, 0, 16, 0, 12, 8, 9, 0, 12, 4, 9, 0, 20, 128, 0, 0}, []byte{0})
	f.Fuzz(func(t *testing.T, octets, script, faults []byte) {
		records := damage(associate(octets, script), faults)
		a := &associationAuditor{t: t, open: map[int]bool{}}
		dissectAll(dissect.NewEngine(a, dissect.Options{MaxConnections: 4}), records)
		if len(a.open) != 0 || a.segments != 0 {
			t.Errorf("%d connections have not ended, %d segments are not counted", len(a.open), a.segments)
		}
		dissectAll(dissect.NewEngine(judge.New(recordtest.Discard, judge.Options{}), dissect.Options{}), records)
	})
}

// An associationAuditor checks that events over SCTP keep their promises.
type associationAuditor struct {
	t        *testing.T
	segments uint64
	open     map[int]bool
}

func (a *associationAuditor) Record(r *record.Record) { recordtest.Pieces(r, a) }

func (a *associationAuditor) span(o *record.Origin) {
	if o.Conn == nil || o.Conn.Transport() != flow.OverSCTP || o.Frame == 0 || o.LastFrame < o.Frame {
		a.t.Errorf("an event of frames %d to %d", o.Frame, o.LastFrame)
	}
	a.open[o.Conn.ID] = true
}

func (a *associationAuditor) StartupFrame(f *record.Startup) {
	a.span(&f.Origin)
	if len(f.Octets) < sctp.ControlLen || f.Clone().Control.FunctionCode != f.Control.FunctionCode {
		a.t.Errorf("a session control message %x", f.Octets)
	}
}

func (a *associationAuditor) Note(n *record.Note) { a.span(&n.Origin) }

func (a *associationAuditor) Segment(s *record.Segment) {
	a.span(&s.Origin)
	a.segments++
	if len(s.FPDU.ULPDU)+s.FPDU.Missing != int(s.FPDU.ULPDULength) {
		a.t.Errorf("ULPDU of %d octets and %d, stated %d", len(s.FPDU.ULPDU), s.FPDU.Missing, s.FPDU.ULPDULength)
	}
	s.Clone()
}

func (a *associationAuditor) Message(m *record.Message) {
	a.span(&m.Origin)
	if m.Segments == 0 || m.BadCRCs > 0 {
		a.t.Errorf("a message of %d segments, %d bad", m.Segments, m.BadCRCs)
	}
	m.Clone()
}

func (a *associationAuditor) End(c *flow.Conn) {
	delete(a.open, c.ID)
	for d := range c.Traffic {
		a.segments -= c.Traffic[d].FPDUs
	}
}
