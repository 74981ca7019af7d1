package fuzz

// Whole connections of any octets: package dissect.

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// An auditor checks that events keep their promises.
type auditor struct {
	t        *testing.T
	segments uint64
	open     map[int]bool
	octets   map[conversation.Way]uint64 // that were captured and are accounted for
	lengths  map[conversation.Way]uint64 // of the streams
}

func (a *auditor) count(c *flow.Conn, d flow.Direction, octets uint64) {
	a.octets[conversation.Way{c.Peer(d), c.Peer(1 - d)}] += octets
}

func (a *auditor) span(o *record.Origin) {
	if o.Conn == nil || o.Frame == 0 || o.LastFrame < o.Frame {
		a.t.Errorf("an event of frames %d to %d", o.Frame, o.LastFrame)
	}
	a.open[o.Conn.ID] = true
}

func (a *auditor) Record(r *record.Record) { recordtest.Pieces(r, a) }

func (a *auditor) StartupFrame(f *record.Startup) {
	a.span(&f.Origin)
	a.count(f.Conn, f.Dir, uint64(len(f.Octets)))
	f.Clone()
}

func (a *auditor) Note(n *record.Note) { a.span(&n.Origin) }

func (a *auditor) Segment(s *record.Segment) {
	a.span(&s.Origin)
	a.segments++
	a.count(s.Conn, s.Dir, s.FPDU.End-s.FPDU.Start-uint64(s.FPDU.Missing))
	if len(s.FPDU.ULPDU) > int(s.FPDU.ULPDULength) {
		a.t.Errorf("ULPDU of %d octets, stated %d", len(s.FPDU.ULPDU), s.FPDU.ULPDULength)
	}
	s.Clone()
}

func (a *auditor) Message(m *record.Message) {
	a.span(&m.Origin)
	if m.Segments == 0 || m.BadCRCs > m.Segments {
		a.t.Errorf("a message of %d segments, %d bad", m.Segments, m.BadCRCs)
	}
	m.Clone()
}

func (a *auditor) End(c *flow.Conn) {
	delete(a.open, c.ID)
	for d := range c.Traffic {
		tr := &c.Traffic[d]
		if sum := tr.CRC[mpa.Good] + tr.CRC[mpa.Bad] + tr.CRC[mpa.Unchecked]; sum != tr.FPDUs {
			a.t.Errorf("%d FPDUs, %d verdicts", tr.FPDUs, sum)
		}
		a.segments -= tr.FPDUs
		a.account(c, flow.Direction(d))
	}
}

// account checks that each octet of a direction is decoded, undecoded, streaming, or missing.
func (a *auditor) account(c *flow.Conn, d flow.Direction) {
	tr, way := &c.Traffic[d], conversation.Way{c.Peer(d), c.Peer(1 - d)}
	a.count(c, d, tr.Undecoded+tr.Streaming+tr.TCP.HoleOctets)
	if tr.TCP.OutOfWindow == 0 && tr.TCP.Dropped == 0 && a.octets[way] != a.lengths[way] {
		a.t.Errorf("%v: %d octets are accounted for, of %d: %+v", d, a.octets[way], a.lengths[way], tr)
	}
}

// chain is FPDUs with Sends, framed in this way.
func chain(o mpa.Options, n int) (b []byte) {
	framer := mpa.Framer{Options: o}
	for i := range n {
		h := ddp.Untagged{L: true, DV: 1, RsvdULP: 0x43 << 32, MSN: uint32(i + 1)}
		header, _ := h.AppendBinary(nil)
		b, _ = framer.Append(b, header, make([]byte, 7*i))
	}
	return b
}

// What a capture lacks: the bits of lacking.
const (
	lacksHandshake = 1 << iota // TCP's and MPA's
	lacksRequest
	lacksReply
	lacksServer // all packets of the server
	lacksClient
	isStated // what is lacking is stated by hand, rightly or not
	isMended // CRCs are right
)

// mostOctets is how long an input may be: twice as long with Markers, of which a stream has one every 512 octets. Longer ones find little
// more, and take most of the time.
const mostOctets = 1 << 9

// skipLong skips inputs that are longer together. flags are those of the MPA frames.
func skipLong(t *testing.T, flags byte, inputs ...[]byte) {
	n := 0
	for _, b := range inputs {
		n += len(b)
	}
	if n > mostOctets<<(flags>>7) {
		t.Skip()
	}
}

// mended is a stream of FPDUs without Markers with their CRCs made right, so that what is in them counts.
func mended(stream []byte) []byte {
	stream = bytes.Clone(stream)
	for rest := stream; len(rest) >= 2; {
		n := mpa.FPDULen(int(binary.BigEndian.Uint16(rest)))
		if n > len(rest) {
			break
		}
		binary.LittleEndian.PutUint32(rest[n-4:], mpa.CRC(rest[:n-4]))
		rest = rest[n:]
	}
	return stream
}

// TestMended checks that what is mended has good CRCs.
func TestMended(t *testing.T) {
	whole := chain(mpa.Options{CRC: true}, 5)
	broken := bytes.Clone(whole)
	for rest := broken; len(rest) > 0; rest = rest[mpa.FPDULen(int(binary.BigEndian.Uint16(rest))):] {
		clear(rest[mpa.FPDULen(int(binary.BigEndian.Uint16(rest)))-4:][:4])
	}
	if !bytes.Equal(mended(broken), whole) {
		t.Error("not mended")
	}
}

// capture is what is left of a conversation of which the first two packets after TCP's handshake are the MPA frames.
func capture(records []pcaps.Record, lacking byte, isClients func(*pcaps.Record) bool) []pcaps.Record {
	left := records[:0]
	for i := range records {
		client := isClients(&records[i])
		switch {
		case i < 5 && lacking&lacksHandshake != 0, i == 3 && lacking&lacksRequest != 0, i == 4 && lacking&lacksReply != 0:
		case client && lacking&lacksClient != 0, !client && lacking&lacksServer != 0:
		default:
			left = append(left, records[i])
		}
	}
	return left
}

// FuzzEngine lets two ends exchange any octets, after a handshake or not, in packets of any size of which some are
// lost, repeated, reordered or cut; the capture may begin late, lack MPA frames, or show one direction only. Nothing
// panics, every event and every connection ends, and every octet is accounted for.
func FuzzEngine(f *testing.F) {
	request := []byte("MPA ID Req Frame\x40\x01\x00\x00")
	write := []byte("\x00\x0e\xc1\x40\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xa3\x05\x72\xab")
	terminate := []byte("\x00\x16\x41\x47\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00\x20\x02\x00\x00\x7f\xe4\x25\x85")
	f.Add(byte(0x40), byte(0x40), byte(0), write, terminate, []byte{20, 0, 7})
	f.Add(byte(0xc0), byte(0x00), byte(0), append(write, write...), terminate, []byte{3, 1, 90, 2, 4, 8})
	f.Add(byte(0x20), byte(0x20), byte(0), request, write, []byte{255, 16})
	for _, o := range []mpa.Options{{}, {CRC: true}, {Markers: true}, {CRC: true, Markers: true}} {
		for _, lacking := range []byte{0, lacksHandshake, lacksReply, lacksServer, lacksHandshake | lacksClient, lacksRequest | isStated} {
			flags := byte(0)
			if o.CRC {
				flags |= 0x40
			}
			if o.Markers {
				flags |= 0x80
			}
			n := 6
			if o.Markers {
				n = 10
			}
			f.Add(flags, flags, lacking, chain(o, n), chain(o, n/2), []byte{100, 0, 1, 0, 2, 0, 0, 3, 0, 5})
		}
	}
	f.Fuzz(func(t *testing.T, requestFlags, replyFlags, lacking byte, fromClient, fromServer, script []byte) {
		skipLong(t, requestFlags|replyFlags, fromClient, fromServer, script)
		if lacking&isMended != 0 {
			fromClient, fromServer = mended(fromClient), mended(fromServer)
		}
		records := packets(requestFlags, replyFlags, fromClient, fromServer, script)
		records = damage(capture(records, lacking, func(r *pcaps.Record) bool { return r.Data[29] == 1 }), script)
		a := &auditor{t: t, open: map[int]bool{}, octets: map[conversation.Way]uint64{}, lengths: conversation.Lengths(records)}
		o := dissect.Options{MaxConnections: 4}
		if lacking&isStated != 0 {
			o.MPA = framing.MPA{CRC: framing.On, Markers: [2]framing.Setting{framing.On, framing.Off}}
		}
		dissectAll(dissect.NewEngine(a, o), records)
		if len(a.open) != 0 || a.segments != 0 {
			t.Errorf("%d connections have not ended, %d segments are not counted", len(a.open), a.segments)
		}
	})
}

// exchange gives e the packets of two ends that exchange octets, and closes it.
func exchange(e *dissect.Engine, requestFlags, replyFlags byte, fromClient, fromServer, script []byte) {
	dissectAll(e, damage(packets(requestFlags, replyFlags, fromClient, fromServer, script), script))
}

// packets are those of two ends that exchange octets, after a handshake unless the lowest of requestFlags is set. The
// first octet of script is the size of packets less one; all of them say what happens to packets.
func packets(requestFlags, replyFlags byte, fromClient, fromServer, script []byte) []pcaps.Record {
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
	return c.Ack(conversation.Client).Ack(conversation.Server).Records
}

// dissectAll gives packets to e and closes it.
func dissectAll(e *dissect.Engine, records []pcaps.Record) {
	for i := range records {
		records[i].Frame = uint64(i + 1)
		e.Packet(&records[i])
	}
	e.Close()
}

// damage does to packets what a script says.
func damage(records []pcaps.Record, script []byte) []pcaps.Record {
	damaged := make([]pcaps.Record, 0, len(records)+len(records)/4)
	for i := range records {
		r := &records[i]
		op := byte(0)
		if len(script) > 0 {
			op = script[i%len(script)]
		}
		switch op & 15 {
		case 1: // lost
			continue
		case 2: // repeated
			damaged = append(damaged, *r)
		case 3: // cut
			r.Data = r.Data[:min(len(r.Data), 54+int(op>>4))]
		case 4: // swapped with the next
			if i+1 < len(records) {
				*r, records[i+1] = records[i+1], *r
			}
		case 5: // damaged
			if len(r.Data) > 54 {
				r.Data[54+int(op>>4)%(len(r.Data)-54)] ^= op
			}
		}
		damaged = append(damaged, *r)
	}
	return damaged
}
