package fuzz

// Whole connections of any octets: package dissect.

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/internal/conversation"
)

// An auditor looks that events keep their promises.
type auditor struct {
	t        *testing.T
	segments uint64
	open     map[int]bool
}

func (a *auditor) span(o *dissect.Origin) {
	if o.Conn == nil || o.Frame == 0 || o.LastFrame < o.Frame {
		a.t.Errorf("an event of frames %d to %d", o.Frame, o.LastFrame)
	}
	a.open[o.Conn.ID] = true
}

func (a *auditor) StartupFrame(f *dissect.StartupFrame) { a.span(&f.Origin); f.Clone() }
func (a *auditor) Note(n *dissect.Note)                 { a.span(&n.Origin) }

func (a *auditor) Segment(s *dissect.Segment) {
	a.span(&s.Origin)
	a.segments++
	if len(s.FPDU.ULPDU) > int(s.FPDU.ULPDULength) {
		a.t.Errorf("ULPDU of %d octets, stated %d", len(s.FPDU.ULPDU), s.FPDU.ULPDULength)
	}
	s.Clone()
}

func (a *auditor) Message(m *dissect.Message) {
	a.span(&m.Origin)
	if m.Segments == 0 || m.BadCRCs > m.Segments {
		a.t.Errorf("a message of %d segments, %d bad", m.Segments, m.BadCRCs)
	}
	m.Clone()
}

func (a *auditor) End(c *dissect.Conn) {
	delete(a.open, c.ID)
	for d := range c.Traffic {
		tr := &c.Traffic[d]
		if sum := tr.CRC[mpa.Good] + tr.CRC[mpa.Bad] + tr.CRC[mpa.Unchecked]; sum != tr.FPDUs {
			a.t.Errorf("%d FPDUs, %d verdicts", tr.FPDUs, sum)
		}
		a.segments -= tr.FPDUs
	}
}

// FuzzEngine lets two ends exchange any octets, behind a handshake or not, in packets of any size of which some are
// lost, repeated, reordered or cut. Nothing panics, and every event and every connection ends.
func FuzzEngine(f *testing.F) {
	request := []byte("MPA ID Req Frame\x40\x01\x00\x00")
	write := []byte("\x00\x0e\xc1\x40\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xa3\x05\x72\xab")
	terminate := []byte("\x00\x16\x41\x47\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x20\x02\x00\x00\x7f\xe4\x25\x85")
	f.Add(byte(0x40), byte(0x40), write, terminate, []byte{20, 0, 7})
	f.Add(byte(0xc0), byte(0x00), append(write, write...), terminate, []byte{3, 1, 90, 2, 4, 8})
	f.Add(byte(0x20), byte(0x20), request, write, []byte{255, 16})
	f.Fuzz(func(t *testing.T, requestFlags, replyFlags byte, fromClient, fromServer, script []byte) {
		a := &auditor{t: t, open: map[int]bool{}}
		e := dissect.NewEngine(a, dissect.Options{MaxConnections: 4})
		exchange(e, requestFlags, replyFlags, fromClient, fromServer, script)
		if len(a.open) != 0 || a.segments != 0 {
			t.Errorf("%d connections have not ended, %d segments are not counted", len(a.open), a.segments)
		}
	})
}

// exchange gives e the packets of two ends that exchange octets, behind a handshake unless the lowest of requestFlags is
// set, and closes it. The first octet of script is the size of packets less one; all of them say what happens to packets.
func exchange(e *dissect.Engine, requestFlags, replyFlags byte, fromClient, fromServer, script []byte) {
	c := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect()
	if requestFlags&1 == 0 {
		c.Send(conversation.Client, []byte("MPA ID Req Frame"+string([]byte{requestFlags, requestFlags & 3, 0, 0})))
		c.Send(conversation.Server, []byte("MPA ID Rep Frame"+string([]byte{replyFlags, replyFlags & 3, 0, 0})))
	}
	c.MSS = 1
	if len(script) > 0 {
		c.MSS += int(script[0])
	}
	c.Send(conversation.Client, fromClient).Send(conversation.Server, fromServer)
	c.Ack(conversation.Client).Ack(conversation.Server)
	for i := range c.Records {
		r := &c.Records[i]
		r.Frame = uint64(i + 1)
		op := byte(0)
		if len(script) > 0 {
			op = script[i%len(script)]
		}
		switch op & 15 {
		case 1: // lost
			continue
		case 2: // repeated
			e.Packet(r)
		case 3: // cut
			r.Data = r.Data[:min(len(r.Data), 54+int(op>>4))]
		case 4: // swapped with the next
			if i+1 < len(c.Records) {
				r.Data, c.Records[i+1].Data = c.Records[i+1].Data, r.Data
				r.OrigLen, c.Records[i+1].OrigLen = c.Records[i+1].OrigLen, r.OrigLen
			}
		case 5: // damaged
			if len(r.Data) > 54 {
				r.Data[54+int(op>>4)%(len(r.Data)-54)] ^= op
			}
		}
		e.Packet(r)
	}
	e.Close()
}
