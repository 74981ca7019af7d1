package fuzz

// Connections of segments that are nearly right: package dissect/judge.

import (
	"bytes"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A scribe makes a connection of the octets of a script, stepLen for each segment.
type scribe struct {
	*conversation.Conversation
	framer [2]mpa.Framer
	msn    [2][4]uint32
	sent   [2][][]byte
}

const stepLen = 5

// The bits of the first octet of a step beside the opcode; one value of the second octet each is for other faults.
const (
	fromServer = 0x10
	notLast    = 0x20
	sameMSN    = 0x40
	faulty     = 0x80
)

// segment sends what a step says: an opcode with bits, a fault, a small STag, TO or MO, and a length.
func (s *scribe) segment(step []byte) {
	from, o := int(step[0]&fromServer/fromServer), rdmap.Opcode(step[0]&15)
	fault := byte(0xff)
	if step[0]&faulty != 0 {
		fault = step[1] % 8
	}
	h := rdmap.Header{T: o.Tagged() != (fault == 0), Control: rdmap.Control{RV: 1, Opcode: o}}
	last := step[0]&notLast == 0
	if h.T {
		h.Tagged.L, h.Tagged.DV, h.Tagged.STag, h.Tagged.TO = last, 1, uint32(step[2]&3), uint64(step[3])
	} else {
		qn, _ := o.QN()
		if step[0]&sameMSN == 0 {
			s.msn[from][qn]++
		}
		h.Untagged.L, h.Untagged.DV, h.Untagged.QN, h.Untagged.MSN = last, 1, qn, s.msn[from][qn]
		if o.HasPayload() {
			h.Untagged.MO = uint32(step[3])
		}
		if o.HasInvalidateSTag() {
			h.InvalidateSTag = uint32(step[2] & 3)
		}
		if fault == 1 {
			h.Untagged.QN = uint32(step[2] & 7)
		}
	}
	octets, err := h.AppendBinary(nil)
	if err != nil {
		return
	}
	octets = append(octets, s.body(from, o, step)...)
	if fault == 2 {
		octets = octets[:max(2, len(octets)-int(step[4]))]
	}
	s.sent[from] = append(s.sent[from], octets)
	fpdu, _ := s.framer[from].Append(nil, octets, nil)
	if fault == 3 {
		fpdu[2+int(step[4])%(len(fpdu)-2)] ^= 1 << (step[3] & 7)
	}
	s.Send(conversation.Side(from), fpdu)
	switch {
	case fault == 4:
		s.Drop(1)
	case fault == 5 && len(s.Records) > 6: // captured before the packet that went before it
		a, b := &s.Records[len(s.Records)-2], &s.Records[len(s.Records)-1]
		a.Data, b.Data, a.OrigLen, b.OrigLen = b.Data, a.Data, b.OrigLen, a.OrigLen
	}
}

// body is what follows the DDP header.
func (s *scribe) body(from int, o rdmap.Opcode, step []byte) (b []byte) {
	stag, to := uint32(step[2]&3), uint64(step[3])
	switch o {
	case rdmap.OpReadRequest:
		b, _ = (&rdmap.ReadRequest{SinkSTag: stag, SinkTO: to, RDMARDSZ: uint32(step[4] & 15), SrcSTag: uint32(step[2] >> 2 & 3)}).AppendBinary(nil)
	case rdmap.OpAtomicRequest:
		b, _ = (&rdmap.AtomicRequest{AOpCode: rdmap.AOpCode(step[4] & 3), RequestIdentifier: stag, RemoteSTag: uint32(step[2] >> 2 & 3), CompareMask: 1<<64 - 1}).AppendBinary(nil)
	case rdmap.OpAtomicResponse:
		b, _ = (&rdmap.AtomicResponse{OriginalRequestIdentifier: stag}).AppendBinary(nil)
	case rdmap.OpTerminate:
		t := rdmap.Terminate{Code: rdmap.Code{Layer: rdmap.Layer(step[2] & 3), EType: step[2] >> 2 & 3, ErrorCode: step[3]}}
		if culprits := s.sent[1-from]; len(culprits) > 0 && step[2]&16 != 0 {
			t.Enclose(culprits[int(step[4])%len(culprits)], step[2]&32 != 0)
		}
		b, _ = t.AppendBinary(nil)
		if step[2]&64 != 0 {
			b, _ = t.AppendSwapped(nil)
		}
	default:
		b = append([]byte("ab"), make([]byte, 14)...)[:step[4]&15]
	}
	return b
}

// mostSteps is how many segments a script may have. Longer ones find little more, and take most of the time.
const mostSteps = 10

// again, behind a script, plays it three times: enough for what is grouped.
var again = make([]byte, stepLen-1)

// played is a connection that plays a script. Bits of options tell whether it has CRCs, and whether and by whom it is
// closed.
func played(t *testing.T, options byte, script []byte) []pcaps.Record {
	if len(script) >= (mostSteps+1)*stepLen {
		t.Skip()
	}
	if n := len(script) - len(again); n >= 0 && n%stepLen == 0 {
		script = bytes.Repeat(script[:n], 3)
	}
	s := &scribe{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect()}
	flags := string([]byte{0x40 * (options >> 7), 1, 0, 0})
	s.Send(conversation.Client, []byte("MPA ID Req Frame"+flags)).Send(conversation.Server, []byte("MPA ID Rep Frame"+flags))
	for i := range s.framer {
		s.framer[i].CRC = options>>7 != 0
	}
	for step := range slices.Chunk(script, stepLen) {
		if len(step) == stepLen {
			s.segment(step)
		}
	}
	if options&0x40 != 0 {
		s.Close(conversation.Side(options >> 5 & 1))
	}
	for i := range s.Records {
		s.Records[i].Frame = uint64(i + 1)
	}
	return s.Records
}

// FuzzAnalysisOfSegments lets two ends exchange segments that are nearly right, some of which are lost, damaged or
// captured in the wrong order, and wants what FuzzAnalysis does.
func FuzzAnalysisOfSegments(f *testing.F) {
	read, response := []byte{1, 0, 1, 0, 4}, []byte{2 | fromServer, 0, 1, 0, 4}
	send, write := []byte{3, 0, 0, 0, 4}, []byte{0, 0, 1, 0, 4}
	invalidate, terminate := []byte{4, 0, 1, 0, 0}, []byte{7 | fromServer, 0, 1 | 4 | 16 | 64, 0, 1}
	lost := func(step []byte, fault byte) []byte { return append([]byte{step[0] | faulty, fault}, step[2:]...) }
	f.Add(byte(0), slices.Concat(send, read, read, response, response))
	f.Add(byte(1), slices.Concat(read, lost(read, 5), response, read, response))
	f.Add(byte(2), slices.Concat(send, lost(read, 4), response, read, response, terminate))
	f.Add(byte(4), slices.Concat(write, invalidate, write, terminate))
	f.Add(byte(3), slices.Concat([]byte{3 | notLast, 0, 0, 0, 4}, send, lost(send, 3), lost(write, 0), lost(send, 1)))
	f.Fuzz(func(t *testing.T, options byte, script []byte) {
		records := played(t, options, script)
		r := &reviewer{t: t, asked: map[*record.Transaction]bool{}, conns: map[*flow.Conn]*review{}}
		o := judge.Options{Profile: peers.Profiles[int(options&15)%len(peers.Profiles)], ULPs: []*ulp.Layer{{Name: "reviewer", Recognise: r.recognise}}, MaxPayload: 64}
		e := dissect.NewEngine(judge.New(r, o), dissect.Options{})
		for i := range records {
			e.Packet(&records[i])
		}
		e.Close()
		r.done()
	})
}
