package ulptest

import (
	"encoding/hex"
	"fmt"
	"net/netip"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// A Wire is a connection whose messages a test writes by hand. Each has a frame of its own, a millisecond after the one
// before.
type Wire struct {
	Recorder
	Conn     *flow.Conn
	Follower ulp.Follower // nil until the upper layer has recognised the connection
	Gaps     int          // how often Gap was called

	ulp   *ulp.Layer
	frame uint64
}

// NewWire makes a connection to a TCP port, whose MPA frames were not seen.
func NewWire(ulp *ulp.Layer, port uint16) *Wire {
	server := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 0, 0, 2}), port)
	return &Wire{Conn: &flow.Conn{Client: netip.MustParseAddrPort("10.0.0.1:40000"), Server: server}, ulp: ulp}
}

// Hex reads octets in hexadecimal digits, with any blanks and line ends. It panics on anything else.
func Hex(s string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(s), ""))
	if err != nil {
		panic(err)
	}
	return b
}

func (w *Wire) origin(d flow.Direction) record.Origin {
	w.frame++
	at := int64(w.frame) * 1e6
	span := flow.Span{Frame: w.frame, LastFrame: w.frame, Time: at, LastTime: at}
	return record.Origin{Conn: w.Conn, Dir: d, Span: span}
}

// Send sends octets in a Send.
func (w *Wire) Send(d flow.Direction, octets []byte) { w.SendCut(d, octets, len(octets)) }

// send returns the Message of a Send of so many octets.
func (w *Wire) send(d flow.Direction, octets int) *record.Message {
	return &record.Message{Origin: w.origin(d), Opcode: rdmap.OpSend, Len: uint64(octets), Segments: 1, Complete: true}
}

// SendCut sends octets in a Send of which only the first n were captured.
func (w *Wire) SendCut(d flow.Direction, octets []byte, n int) {
	m := w.send(d, len(octets))
	if w.Follower == nil {
		if w.Follower = w.ulp.Recognise(w.Conn, m, octets[:n]); w.Follower == nil {
			return
		}
		w.Follower.Begin(&w.Recorder)
	}
	w.Follower.Send(m, octets[:n])
}

// Gap says that octets of a direction are missing.
func (w *Wire) Gap(d flow.Direction) {
	w.Gaps++
	w.Follower.Gap(d)
}

func (w *Wire) tagged(d flow.Direction, o rdmap.Opcode, stag uint32, to uint64, octets int) *record.Segment {
	s := &record.Segment{Origin: w.origin(d)}
	s.RDMAP.T, s.RDMAP.Control.Opcode = true, o
	s.RDMAP.Tagged.STag, s.RDMAP.Tagged.TO = stag, to
	s.FPDU.ULPDULength = uint16(s.RDMAP.Header.Len() + octets)
	return s
}

// Write sends an RDMA Write.
func (w *Wire) Write(d flow.Direction, stag uint32, to uint64, octets int) {
	w.Follower.Tagged(w.tagged(d, rdmap.OpWrite, stag, to, octets), nil)
}

// Read sends a Read Request, and its response in two segments.
func (w *Wire) Read(d flow.Direction, stag uint32, to uint64, octets int) {
	const sinkSTag, sinkTO = 0x51a6, 0x7000
	t := &record.Transaction{Conn: w.Conn, Kind: record.ReadTransaction, Dir: d, Request: w.origin(d).Span}
	t.Read = rdmap.ReadRequest{SinkSTag: sinkSTag, SinkTO: sinkTO, RDMARDSZ: uint32(octets), SrcSTag: stag, SrcTO: to}
	w.Follower.Request(t)
	half := octets / 2
	w.Follower.Tagged(w.tagged(1-d, rdmap.OpReadResponse, sinkSTag, sinkTO, half), t)
	w.Follower.Tagged(w.tagged(1-d, rdmap.OpReadResponse, sinkSTag, sinkTO+uint64(half), octets-half), t)
	w.Follower.Done(t)
}

// Lines returns the reported messages as lines: "c2s NAME id=ID len=LEN" with the id in hexadecimal.
func (r *Recorder) Lines() (lines []string) {
	for i := range r.Uppers {
		m := &r.Uppers[i]
		lines = append(lines, fmt.Sprintf("%v %s id=%#x len=%d", m.Dir, m.Name, m.ID, m.Len))
	}
	return lines
}

// TransactionLines returns the reported transactions as lines: "c2s NAME id=ID outcome frames 1-4 octets=N", with the frames
// of request and response.
func (r *Recorder) TransactionLines() (lines []string) {
	for i := range r.Transactions {
		t := &r.Transactions[i]
		lines = append(lines, fmt.Sprintf("%v %s id=%#x %v frames %d-%d octets=%d",
			t.Dir, t.Name, t.ID, t.Outcome, t.Request.Frame, t.Response.LastFrame, t.Octets))
	}
	return lines
}

// Expect compares lines.
func Expect(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	if g, w := strings.Join(got, "\n"), strings.Join(want, "\n"); g != w {
		t.Errorf("%s:\n%s\nwant:\n%s", what, g, w)
	}
}

// Allocations returns how often a follower allocates for a request and its response, once it has its memory. The upper layer
// must recognise the connection by the first message.
func Allocations(t testing.TB, l *ulp.Layer, first, request, response []byte) float64 {
	t.Helper()
	w := NewWire(l, 7174)
	if w.Send(flow.C2S, first); w.Follower == nil {
		t.Fatal("the first message was not recognised")
	}
	w.Follower.End()
	w.Follower.Begin(Discard{})
	asked, answered := w.send(flow.C2S, len(request)), w.send(flow.S2C, len(response))
	return testing.AllocsPerRun(100, func() {
		w.Follower.Send(asked, request)
		w.Follower.Send(answered, response)
	})
}
