package filter_test

// Exchanges of upper layers: their requests, and what belongs to them.

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/tools"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// A census counts what passes a Sieve, and writes down the first of it.
type census struct {
	counts map[string]int
	first  []string
	frames []uint64 // of messages
}

func (c *census) Record(rec *record.Record) {
	for _, t := range rec.Over {
		c.over(t)
	}
	recordtest.Pieces(rec, c)
}

const shown = 6 // events that a census writes down

func (c *census) add(kind string, format string, args ...any) {
	if c.counts == nil {
		c.counts = map[string]int{}
	}
	c.counts[kind]++
	if len(c.first) < shown {
		c.first = append(c.first, fmt.Sprintf(format, args...))
	}
}

func (c *census) StartupFrame(f *record.Startup) {
	c.add(f.Name(), "frame %d: %s", f.LastFrame, f.Name())
}
func (c *census) Message(m *record.Message) {
	c.frames = append(c.frames, m.LastFrame)
	c.add(m.Opcode.String(), "frame %d %v: %v", m.LastFrame, m.Dir, m.Opcode)
}
func (c *census) over(t *record.Transaction) {
	c.add("Transaction", "frames %d to %d %v: %s", t.Request.Frame, t.Response.LastFrame, t.Dir, t.Name)
}
func (c *census) Upper(u *record.Upper) {
	c.add("UpperMessage", "frame %d %v: %s", u.LastFrame, u.Dir, u.Name)
}

func (c *census) String() string {
	var b strings.Builder
	for i, kind := range slices.Sorted(maps.Keys(c.counts)) {
		if i > 0 {
			b.WriteString(", ")
		}
		fmt.Fprintf(&b, "%d %s", c.counts[kind], kind)
	}
	for _, line := range c.first {
		b.WriteString("\n  " + line)
	}
	return b.String()
}

// sift gives a capture to a Judge and what comes of it to a Sieve before sink.
func sift(t testing.TB, sample string, f *filter.Filter, sink record.Sink) {
	t.Helper()
	in, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	a := judge.New(filter.NewSieve(f, sink), judge.Options{
		ULPs:    []*ulp.Layer{rpc.New(rpc.Options{}), smbdirect.Layer, iser.Layer, nvme.Layer},
		Payload: f.Needs().Payload,
	})
	e := dissect.NewEngine(a, dissect.Options{})
	var rec pcaps.Record
	for in.Next(&rec) == nil {
		e.Packet(&rec)
	}
	e.Close()
}

// TestExchanges compares what passes the filters in testdata/exchanges.txt. Each stands behind its capture and "-Y".
func TestExchanges(t *testing.T) {
	filters := compareAnswers(t, "exchanges.txt", func(line string) (string, bool) {
		sample, text, ok := strings.Cut(line, " -Y ")
		if !ok {
			return "", false
		}
		var c census
		sift(t, sample, mustCompile(t, text), &c)
		return c.String(), true
	})
	if filters < 20 {
		t.Errorf("only %d filters", filters)
	}
}

// TestTsharkExchanges compares how many messages of RPC-over-RDMA a Sieve and tshark find by what is in their RPC
// message, be it in chunks, or in that of their Call. tshark has Calls with Read chunks in the frame of the last chunk.
func TestTsharkExchanges(t *testing.T) {
	tools.Require(t, "tshark")
	const sample = "nfs-small-v4.1-inl4096-crc1"
	filters := []string{
		"rpc.xid == 0x42218ef8", "rpc.program == 100003", "rpc.programversion == 4", "rpc.procedure == 1",
		"rpc.msgtyp == 0", "rpc.msgtyp == 1", "rpc.replystat == 0", "rpc.state_accept == 0", "rpc.auth.flavor == 1",
		"nfs.opcode == 25", "nfs.opcode in {38, 53}", "nfs.nfsstat4 == 0", "nfs.nfsstat4 == 2",
	}
	for i, frames := range tsharkFrames(t, sample, filters) {
		var c census
		sift(t, sample, mustCompile(t, "rpcordma and ("+filters[i]+")"), &c)
		if len(c.frames) != len(frames) || len(frames) == 0 {
			t.Errorf("%s: %d messages, tshark has %d", filters[i], len(c.frames), len(frames))
		}
	}
}

// A counter counts the messages and segments that it is given.
type counter struct {
	n int
}

func (c *counter) Record(rec *record.Record) { recordtest.Pieces(rec, c) }

func (c *counter) Segment(*record.Segment) { c.n++ }
func (c *counter) Message(*record.Message) { c.n++ }

// TestExchangesAllocateNothing shows a Sieve an NFS READ again and again: its Call, a segment of an RDMA Write that
// moves its data, and its Reply.
func TestExchangesAllocateNothing(t *testing.T) {
	const body = "\x00\x00\x00\x2a\x00\x00\x00\x01\x00\x00\x00\x20\x00\x00\x00\x00" +
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x00\x00\x00\x2a\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	to := at(ipv6Conn, flow.C2S, 1, 1)
	from := at(ipv6Conn, flow.S2C, 2, 2)
	callSegment := segment(t, to, ulpdu(t, untagged(0, 1), rdmap.OpSend, []byte(rpcCall)))
	write := segment(t, from, ulpdu(t, tagged(7, 0), rdmap.OpWrite, []byte("data")))
	replySegment := segment(t, from, ulpdu(t, untagged(0, 1), rdmap.OpSend, []byte(body)))
	call, reply := message(t, to, callSegment.FPDU.ULPDU), message(t, from, replySegment.FPDU.ULPDU)
	rpcExchange := &rpc.Exchange{Known: true}
	tr := &record.Transaction{
		Conn: ipv6Conn, Kind: record.UpperTransaction, ID: 42, Upper: rpcExchange, Request: to.Span, Response: from.Span,
	}
	call.Payload, reply.Payload, reply.Answers = callSegment.RDMAP.Body, replySegment.RDMAP.Body, tr
	story := []record.Record{
		{Kind: record.KindSegment, Origin: to, Segment: callSegment},
		{Kind: record.KindMessage, Origin: to, Message: call, Exchange: tr},
		{Kind: record.KindSegment, Origin: from, Segment: write, Exchange: tr},
		{Kind: record.KindSegment, Origin: from, Segment: replySegment},
		{Kind: record.KindMessage, Origin: from, Message: reply, Exchange: tr, Over: []*record.Transaction{tr}},
	}
	for text, want := range map[string]int{
		"rpc.procedure == WRITE":                              4, // with the segment of the Call
		"request.rpc.procedure == WRITE":                      3,
		"request.rpcordma.rdma_handle == 0xa2c2":              3,
		"all request.rpcordma.rdma_length > 0x1000":           0,
		"xid == 42 and type == Write":                         1,
		"rpc.msgtyp == CALL and segments":                     1,
		"rpc.msgtyp == REPLY and request.rpc.msgtyp == CALL":  1,
		"request.rpc.auth.flavor == AUTH_NONE and latency":    1,
		"request.rpc.replystat or request.nfs.nfsstat4 == 0":  0,
		"request.rpcordma.position in {119..121} and len < 5": 1,
	} {
		var n counter
		s := filter.NewSieve(mustCompile(t, text), &n)
		if allocs := testing.AllocsPerRun(10, func() {
			n.n = 0
			for i := range story {
				s.Record(&story[i])
			}
		}); allocs != 0 {
			t.Errorf("%s: %v allocations", text, allocs)
		}
		if n.n != want {
			t.Errorf("%s: %d events, want %d", text, n.n, want)
		}
	}
}
