package dissect_test

// The harness of the engine's tests: synthetic talks between two ends, and a journal of the events they lead to.

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

const (
	client = conversation.Client
	server = conversation.Server
)

// A journal writes each event as a short line.
type journal struct {
	lines    []string
	segments bool // segments too
	conns    []flow.Conn
	notes    []record.Note
}

func (j *journal) Record(rec *record.Record) { recordtest.Pieces(rec, j) }

func (j *journal) add(o *record.Origin, format string, args ...any) {
	frames := fmt.Sprint(o.Frame)
	if o.LastFrame != o.Frame {
		frames += fmt.Sprint("-", o.LastFrame)
	}
	j.lines = append(j.lines, fmt.Sprintf("%s %d %v %s", frames, o.Conn.ID, o.Dir, fmt.Sprintf(format, args...)))
}

func (j *journal) StartupFrame(f *record.Startup) {
	name := "Request"
	switch {
	case f.Conn.Transport() == flow.OverSCTP:
		name = f.Name()
	case f.MPA.Reply:
		name = "Reply"
	}
	j.add(&f.Origin, "%s %d octets", name, len(f.Octets))
}

func (j *journal) Segment(s *record.Segment) {
	if j.segments {
		j.add(&s.Origin, "segment %v %d CRC %v", s.RDMAP.Control.Opcode, s.FPDU.ULPDULength, s.FPDU.Verdict)
	}
}

func (j *journal) Message(m *record.Message) {
	note := ""
	if !m.Complete {
		note = " incomplete"
	}
	if m.BadCRCs > 0 {
		note += fmt.Sprintf(" %d bad CRCs", m.BadCRCs)
	}
	if m.Missing > 0 {
		note += fmt.Sprintf(" missing %d", m.Missing)
	}
	j.add(&m.Origin, "%v %d in %d%s", m.Opcode, m.Len, m.Segments, note)
}

func (j *journal) Note(n *record.Note) {
	j.add(&n.Origin, "%v: %d octets", n.Kind, n.Octets)
	j.notes = append(j.notes, *n)
}

func (j *journal) End(c *flow.Conn) {
	j.lines = append(j.lines, fmt.Sprintf("conn %d ends: %v", c.ID, c.End))
	j.conns = append(j.conns, *c)
}

// dissectRecords runs records through an Engine.
func dissectRecords(records []pcaps.Record) *journal {
	j := &journal{}
	e := dissect.NewEngine(j, dissect.Options{Ports: all.Ports()})
	for i := range records {
		records[i].Frame = uint64(i + 1)
		e.Packet(&records[i])
	}
	e.Close()
	return j
}

// expect compares the journal with lines of text.
func expect(t *testing.T, j *journal, want string) {
	t.Helper()
	var lines []string
	for _, l := range strings.Split(strings.TrimSpace(want), "\n") {
		lines = append(lines, strings.TrimSpace(l))
	}
	if d := cmp.Diff(lines, j.lines); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A talk is a conversation in MPA: each side has its Framer.
type talk struct {
	*conversation.Conversation
	framer [2]mpa.Framer
	msn    [2][4]uint32
}

// startTalk connects and negotiates.
func startTalk(request, reply mpa.Frame) *talk {
	t := &talk{Conversation: conversation.New("10.0.0.1:40000", "10.0.0.2:7174")}
	t.Connect()
	return t.negotiate(request, reply)
}

func (t *talk) negotiate(request, reply mpa.Frame) *talk {
	reply.Reply = true
	t.Send(client, encode(&request)).Send(server, encode(&reply))
	crc := request.C || reply.C
	t.framer[client].Reset(mpa.Options{Markers: reply.M, CRC: crc})
	t.framer[server].Reset(mpa.Options{Markers: request.M, CRC: crc})
	return t
}

func encode(h interface{ AppendBinary([]byte) ([]byte, error) }) []byte {
	b, err := h.AppendBinary(nil)
	if err != nil {
		panic(err)
	}
	return b
}

// fpdu frames a ULPDU without sending it.
func (t *talk) fpdu(from conversation.Side, ulpdu []byte) []byte {
	b, err := t.framer[from].Append(nil, ulpdu, nil)
	if err != nil {
		panic(err)
	}
	return b
}

// write frames an RDMA Write in segments of n octets.
func (t *talk) write(from conversation.Side, stag uint32, to uint64, payload []byte, n int) [][]byte {
	var fpdus [][]byte
	for first := true; first || len(payload) > 0; first = false {
		cut := min(n, len(payload))
		h := ddp.Tagged{L: cut == len(payload), DV: 1, RsvdULP: 0x40, STag: stag, TO: to}
		fpdus = append(fpdus, t.fpdu(from, append(encode(&h), payload[:cut]...)))
		payload = payload[cut:]
		to += uint64(cut)
	}
	return fpdus
}

// send frames a Send in segments of n octets.
func (t *talk) send(from conversation.Side, payload []byte, n int) [][]byte {
	var fpdus [][]byte
	t.msn[from][0]++
	mo := 0
	for first := true; first || mo < len(payload); first = false {
		cut := min(n, len(payload)-mo)
		h := ddp.Untagged{L: mo+cut == len(payload), DV: 1, RsvdULP: 0x43 << 32, MSN: t.msn[from][0], MO: uint32(mo)}
		fpdus = append(fpdus, t.fpdu(from, append(encode(&h), payload[mo:mo+cut]...)))
		mo += cut
	}
	return fpdus
}

func (t *talk) each(from conversation.Side, fpdus [][]byte) *talk {
	for _, f := range fpdus {
		t.Send(from, f)
	}
	return t
}

var payload = bytes.Repeat([]byte("0123456789abcdef"), 256) // 4096 octets
