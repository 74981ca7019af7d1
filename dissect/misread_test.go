package dissect_test

// Traffic that another analyser is known to misread: Markers in one direction only, several FPDUs one after the other with
// Markers, a Request in two TCP segments and more. The octets are put together here, without package mpa, and what has to
// come out is written by hand.

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// octets are written in hexadecimal, with spaces.
func octets(s string) []byte {
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		panic(err)
	}
	return b
}

// The MPA frames, by who wants Markers. All ask for CRCs.
const (
	requestPlain  = "MPA ID Req Frame\x40\x01\x00\x00"
	requestMarked = "MPA ID Req Frame\xc0\x01\x00\x00"
	replyPlain    = "MPA ID Rep Frame\x40\x01\x00\x00"
	replyMarked   = "MPA ID Rep Frame\xc0\x01\x00\x00"
)

// marked puts FPDUs with these ULPDUs one after the other, with CRCs, and with Markers every 512 octets from position 0 on.
func marked(ulpdus ...[]byte) (stream []byte) {
	for _, ulpdu := range ulpdus {
		words := binary.BigEndian.AppendUint16(nil, uint16(len(ulpdu)))
		words = append(words, ulpdu...)
		words = append(words, make([]byte, (4-len(words)%4)%4)...)
		begin := len(stream)
		if begin%512 == 0 {
			stream = append(stream, 0, 0, 0, 0)
		}
		header := len(stream)
		for ; ; words = words[4:] {
			if len(stream)%512 == 0 {
				stream = append(stream, 0, 0, byte((len(stream)-header)>>8), byte(len(stream)-header))
			}
			if len(words) == 0 {
				break
			}
			stream = append(stream, words[:4]...)
		}
		crc := crc32.Checksum(stream[begin:], crc32.MakeTable(crc32.Castagnoli))
		stream = binary.LittleEndian.AppendUint32(stream, crc)
	}
	return stream
}

// unmarked puts an FPDU around a ULPDU.
func unmarked(ulpdu []byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(ulpdu)))
	b = append(b, ulpdu...)
	b = append(b, make([]byte, (4-len(b)%4)%4)...)
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b, crc32.MakeTable(crc32.Castagnoli)))
}

// sendULPDU is a whole Send.
func sendULPDU(msn byte, content []byte) []byte {
	return append(octets("41 43 00000000 00000000 000000"+hex.EncodeToString([]byte{msn})+" 00000000"), content...)
}

// A reader keeps the payload of each message, and its last segment.
type reader struct {
	journal
	payloads [][]byte
	payload  []byte
	bodies   [][]byte
}

func (r *reader) Record(rec *record.Record) { recordtest.Pieces(rec, r) }

func (r *reader) Segment(s *record.Segment) {
	r.payload = append(r.payload, s.RDMAP.Body...)
	r.bodies = append(r.bodies, slices.Clone(s.RDMAP.Body))
}

func (r *reader) Message(m *record.Message) {
	r.journal.Message(m)
	r.payloads = append(r.payloads, r.payload)
	r.payload = nil
}

func read(k *conversation.Conversation) *reader {
	r := &reader{}
	dissectInto(r, k.Records, dissect.Options{})
	return r
}

func begun(request, reply string) *conversation.Conversation {
	k := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect()
	return k.Send(client, []byte(request)).Send(server, []byte(reply))
}

// TestTwoMarkersInAnFPDU looks at the payload of an FPDU with three Markers inside.
func TestTwoMarkersInAnFPDU(t *testing.T) {
	content := payload[:1380]
	k := begun(requestPlain, replyMarked)
	k.MSS = 9000
	k.Send(client, marked(sendULPDU(1, content)))
	r := read(k)
	expect(t, &r.journal, `
		4 0 c2s Request 20 octets
		5 0 s2c Reply 20 octets
		6 0 c2s Send 1380 in 1
		conn 0 ends: open`)
	if len(r.payloads) != 1 || !bytes.Equal(r.payloads[0], content) || r.conns[0].Traffic[0].Markers != 3 {
		t.Errorf("%d Markers; the payload differs", r.conns[0].Traffic[0].Markers)
	}
}

// TestMarkersOneWay looks at Markers in either direction alone.
func TestMarkersOneWay(t *testing.T) {
	content := payload[:1000]
	for _, fromClient := range []bool{false, true} {
		k := begun(requestMarked, replyPlain)
		toServer, toClient := unmarked(sendULPDU(1, content)), marked(sendULPDU(1, content))
		if fromClient {
			k = begun(requestPlain, replyMarked)
			toServer, toClient = toClient, toServer
		}
		r := read(k.Send(client, toServer).Send(server, toClient))
		expect(t, &r.journal, `
			4 0 c2s Request 20 octets
			5 0 s2c Reply 20 octets
			6 0 c2s Send 1000 in 1
			7 0 s2c Send 1000 in 1
			conn 0 ends: open`)
		for d, p := range r.payloads {
			if !bytes.Equal(p, content) || r.conns[0].Traffic[d].CRC[mpa.Good] != 1 {
				t.Errorf("Markers from the client %v, direction %d: the payload differs", fromClient, d)
			}
		}
	}
}

// TestMarkedFPDUsInOneSegment sends twelve short FPDUs with Markers in one TCP segment: a Marker stands in the eleventh.
func TestMarkedFPDUsInOneSegment(t *testing.T) {
	var ulpdus [][]byte
	for i := range 12 {
		ulpdus = append(ulpdus, sendULPDU(byte(i+1), payload[i:i+24]))
	}
	stream := marked(ulpdus...)
	if marker := stream[512:516]; len(stream) != 584 || !bytes.Equal(marker, octets("0000 001c")) {
		t.Fatalf("%d octets, Marker %x", len(stream), marker)
	}
	r := read(begun(requestPlain, replyMarked).Send(client, stream))
	tr := &r.conns[0].Traffic[0]
	if tr.CRC[mpa.Good] != 12 || tr.Messages[rdmap.OpSend] != 12 || tr.Markers != 2 || len(r.lines) != 2+12+1 {
		t.Errorf("%d FPDUs, %d Markers: %q", tr.FPDUs, tr.Markers, r.lines)
	}
	for i, p := range r.payloads {
		if !bytes.Equal(p, payload[i:i+24]) {
			t.Errorf("Send %d: %q", i, p)
		}
	}
}

// TestRequestInTwoSegments cuts Request and Reply in two.
func TestRequestInTwoSegments(t *testing.T) {
	for cut := 1; cut < 20; cut++ {
		k := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect()
		k.Send(client, []byte(requestPlain[:cut])).Send(client, []byte(requestPlain[cut:]))
		k.Send(server, []byte(replyPlain[:cut])).Send(server, []byte(replyPlain[cut:]))
		r := read(k.Send(client, unmarked(sendULPDU(1, payload[:10]))))
		expect(t, &r.journal, `
			4-5 0 c2s Request 20 octets
			6-7 0 s2c Reply 20 octets
			8 0 c2s Send 10 in 1
			conn 0 ends: open`)
	}
}

// TestTerminateOfReadRequest looks at a Terminate that reports a Remote Protection Error, Access rights violation, of RDMAP
// about a Read Request. Its DDP header is an untagged one, of 18 octets, whatever the error type.
func TestTerminateOfReadRequest(t *testing.T) {
	ulpdu := octets("41 47 00000000 00000002 00000001 00000000" +
		"01 02 e000 002e" +
		"41 41 00000000 00000001 00000003 00000000" +
		"00000a01 0000000000001000 00002000 00000b02 0000000000003000")
	r := read(begun(requestPlain, replyPlain).Send(server, unmarked(ulpdu)))
	if len(r.bodies) != 1 || r.conns[0].End != flow.EndTerminate {
		t.Fatalf("%q", r.lines)
	}
	var term rdmap.Terminate
	if _, err := term.Decode(r.bodies[0]); err != nil {
		t.Fatal(err)
	}
	if term.Code != (rdmap.Code{Layer: rdmap.LayerRDMAP, EType: 1, ErrorCode: 2}) {
		t.Errorf("%v", term.Code)
	}
	if h := &term.Header; !term.HasHeader || h.T || h.Untagged.QN != 1 || h.Untagged.MSN != 3 || term.SegmentLength != 46 {
		t.Errorf("%+v", term)
	}
	if q := &term.ReadRequest; !term.HasReadRequest || q.SinkSTag != 0xa01 || q.RDMARDSZ != 0x2000 || q.SrcSTag != 0xb02 || q.SrcTO != 0x3000 || len(term.Rest) != 0 {
		t.Errorf("%+v", term)
	}
}

// TestImmediateData looks at the 8 octets of both kinds of Immediate Data.
func TestImmediateData(t *testing.T) {
	k := begun(requestPlain, replyPlain)
	k.Send(client, unmarked(octets("41 48 00000000 00000000 00000001 00000000 0123456789abcdef")))
	k.Send(client, unmarked(octets("41 49 00000000 00000000 00000002 00000000 fedcba9876543210")))
	r := read(k)
	expect(t, &r.journal, `
		4 0 c2s Request 20 octets
		5 0 s2c Reply 20 octets
		6 0 c2s Immediate 8 in 1
		7 0 c2s ImmediateSE 8 in 1
		conn 0 ends: open`)
	if d := cmp.Diff([][]byte{octets("0123456789abcdef"), octets("fedcba9876543210")}, r.payloads); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestEnhanced looks at an Enhanced word: revision 2 with S, and IRD 5, ORD 3, then IRD 2, ORD 4 in the Reply.
func TestEnhanced(t *testing.T) {
	request := "MPA ID Req Frame\x50\x02\x00\x04" + string(octets("0005 0003"))
	reply := "MPA ID Rep Frame\x50\x02\x00\x04" + string(octets("0002 0004"))
	r := read(begun(request, reply))
	if a := r.conns[0].Agreement; a.Rev != 2 || !a.CRC || a.InitORD != 2 || a.RespORD != 4 {
		t.Errorf("%+v", a)
	}
}

// TestOutOfOrder captures the segments of a message in any order.
func TestOutOfOrder(t *testing.T) {
	k := begun(requestPlain, replyPlain)
	k.Send(client, unmarked(append(octets("01 43 00000000 00000000 00000001 00000000"), payload[:600]...)))
	k.Send(client, unmarked(append(octets("01 43 00000000 00000000 00000001 00000258"), payload[600:1200]...)))
	k.Send(client, unmarked(append(octets("41 43 00000000 00000000 00000001 000004b0"), payload[1200:1300]...)))
	first := k.Records[5:]
	for _, order := range [][3]int{{0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
		shuffled := *k
		shuffled.Records = slices.Concat(k.Records[:5], first[order[0]:order[0]+1], first[order[1]:order[1]+1], first[order[2]:order[2]+1])
		r := read(&shuffled)
		if len(r.payloads) != 1 || !bytes.Equal(r.payloads[0], payload[:1300]) || r.lines[2] != "6-8 0 c2s Send 1300 in 3" {
			t.Errorf("%v: %q", order, r.lines)
		}
	}
}

// TestMarkersAcrossWrap lets the sequence numbers wrap between the first Marker and the second.
func TestMarkersAcrossWrap(t *testing.T) {
	k := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Begin(0xffffff00-21, 0xffffff00-21).Connect()
	k.Send(client, []byte(requestMarked)).Send(server, []byte(replyMarked))
	stream := marked(sendULPDU(1, payload[:1000]), sendULPDU(2, payload[:100]))
	r := read(k.Send(client, stream).Send(server, stream))
	for d := range r.conns[0].Traffic {
		if tr := &r.conns[0].Traffic[d]; tr.CRC[mpa.Good] != 2 || tr.Markers != 3 || tr.Messages[rdmap.OpSend] != 2 {
			t.Errorf("direction %d: %+v", d, tr)
		}
	}
}

// TestInterleavedQueues sends a Read Request between two segments of a Send: messages are told apart by QN and MSN.
func TestInterleavedQueues(t *testing.T) {
	k := begun(requestPlain, replyPlain)
	k.Send(client, unmarked(append(octets("01 43 00000000 00000000 00000001 00000000"), payload[:600]...)))
	k.Send(client, unmarked(octets("41 41 00000000 00000001 00000001 00000000 00000a01 0000000000001000 00002000 00000b02 0000000000003000")))
	k.Send(client, unmarked(append(octets("41 43 00000000 00000000 00000001 00000258"), payload[:50]...)))
	expect(t, &read(k).journal, `
		4 0 c2s Request 20 octets
		5 0 s2c Reply 20 octets
		7 0 c2s ReadRequest 0 in 1
		6-8 0 c2s Send 650 in 2
		conn 0 ends: open`)
}

// TestStreamingFirst exchanges octets before MPA, is rejected, and tries again on the same connection.
func TestStreamingFirst(t *testing.T) {
	k := conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect()
	k.Send(client, []byte("may I?")).Send(server, []byte("you may"))
	k.Send(client, []byte(requestPlain)).Send(server, []byte("MPA ID Rep Frame\x60\x01\x00\x00"))
	k.Send(client, []byte("and now?")).Send(server, []byte("now"))
	k.Send(client, []byte(requestPlain)).Send(server, []byte(replyMarked))
	r := read(k.Send(client, marked(sendULPDU(1, payload[:1000]))).Close(client))
	expect(t, &r.journal, `
		6 0 c2s Request 20 octets
		7 0 s2c Reply 20 octets
		10 0 c2s Request 20 octets
		11 0 s2c Reply 20 octets
		12 0 c2s Send 1000 in 1
		conn 0 ends: fin`)
	if c := &r.conns[0]; c.Traffic[0].Streaming != 6+8 || c.Traffic[1].Streaming != 7+3 {
		t.Errorf("streaming %d and %d", c.Traffic[0].Streaming, c.Traffic[1].Streaming)
	}
}
