package rpc

// The parts of a follower, each alone.

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/ulptest"
)

// parts are what the parts of a follower share.
func parts() (*Options, *stream, *reports, *buffers, *ulptest.Recorder) {
	r := new(ulptest.Recorder)
	return &Options{MaxMessage: 1 << 10}, new(stream), &reports{Reporter: r}, &buffers{limit: 1 << 16}, r
}

// offering is a Call of the client that offers one segment to be written.
func offering(t *transfers, s rpcrdma.Segment) *call {
	c := new(call)
	c.Dir, c.room, c.segments = flow.C2S, 1, []Segment{{Segment: s}}
	c.x.Writes = []Chunk{{Segments: c.segments}}
	t.offer(c)
	return c
}

// TestTransfers writes into memory that a Call offers, outside it, and when it is not offered any more.
func TestTransfers(t *testing.T) {
	opts, s, out, bufs, r := parts()
	tr := &transfers{opts: opts, stream: s, out: out, bufs: bufs, reads: map[*record.Transaction]pendingRead{}}
	c := offering(tr, rpcrdma.Segment{Handle: 7, Offset: 0x1000, Length: 8})
	write := func(to uint64) {
		w := new(record.Segment)
		w.Conn, w.Dir, w.Frame = new(flow.Conn), flow.S2C, 2
		w.RDMAP.T, w.RDMAP.Control.Opcode = true, rdmap.OpWrite
		w.RDMAP.Tagged.STag, w.RDMAP.Tagged.TO, w.RDMAP.Tagged.L = 7, to, true
		w.RDMAP.Body = []byte("data")
		w.FPDU.ULPDULength = 14 + 4
		tr.tagged(w, nil)
	}
	write(0x1000)
	write(0x1004)
	if s := &c.segments[0]; s.Moved != 8 || len(s.Moves) != 2 || len(r.Findings) != 0 {
		t.Errorf("moved %d by %v, findings %v", s.Moved, s.Moves, r.Findings)
	}
	if tr.owner(flow.C2S, 7, 0x1007, true) != c || tr.owner(flow.C2S, 7, 0x1008, true) != nil {
		t.Error("the Call owns other octets than it offers")
	}
	write(0x2000)
	tr.shut(c, 3)
	write(0x1000)
	s.gaps[flow.C2S]++ // a Call that was not seen may offer it
	write(0x3000)
	if len(r.Findings) != 2 || bufs.used != 0 {
		t.Errorf("findings %v, %d octets in use", r.Findings, bufs.used)
	}
	if tr.reset(); tr.sides[flow.C2S].memory.regions != 0 {
		t.Error("memory is left")
	}
}

// TestReader reads a Call and its Reply without a connection.
func TestReader(t *testing.T) {
	opts, s, out, _, r := parts()
	rd := &reader{opts: opts, stream: s, out: out, names: new(names), port: rpcrdma.Port}
	var got []string
	opts.OnMessage = func(m *Message) { got = append(got, m.Exchange.Name) }
	c := new(call)
	payload := replyPayload(7)
	rd.readReply(c, new(record.Message), new(rpcrdma.Message), payload, false)
	if c.x.Result != success || c.Outcome == record.Refused {
		t.Errorf("result %q", c.x.Result)
	}
	rd.passReply(c, new(record.Message), payload, false)
	if len(got) != 1 || len(r.Findings) != 0 {
		t.Errorf("messages %q, findings %v", got, r.Findings)
	}
}

// TestPool uses calls again only after the next message has come.
func TestPool(t *testing.T) {
	p := pool{bufs: &buffers{limit: 1 << 10}}
	c := p.take()
	c.x.Name = "kept for the Reporter"
	p.give(c)
	if p.take() == c || c.x.Name == "" {
		t.Error("it is used again at once")
	}
	if p.recycle(); p.take() != c || c.x.Name != "" {
		t.Error("it is not used again")
	}
}
