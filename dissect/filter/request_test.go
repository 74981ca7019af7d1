package filter

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// TestRequestsAreBounded begins more exchanges than a Sieve has memory for.
func TestRequestsAreBounded(t *testing.T) {
	const many = 80_000
	f, err := Compile("request.nvme.cmd.nsid == 1")
	if err != nil {
		t.Fatal(err)
	}
	s := NewSieve(f, recordtest.Discard)
	give, conn := recordtest.To(s), new(flow.Conn)
	capsule := make([]byte, 64)
	for i := range many {
		m := &record.Message{Opcode: rdmap.OpSend}
		m.Conn, m.Frame, m.LastFrame = conn, uint64(i+1), uint64(i+1)
		c := new(nvme.Capsule)
		if !c.Decode(1, false, capsule, uint64(len(capsule))) {
			t.Fatal("no capsule")
		}
		give.Upper(&record.Upper{Origin: m.Origin, Body: c})
		give.Join(&record.Transaction{Conn: conn, Kind: record.UpperTransaction, ID: uint64(i)}, nil)
		give.Message(m)
	}
	one := s.conns[conn][key{id: 0}]
	if one == nil || len(one.request.headers) != 3 {
		t.Fatalf("the first request is kept as %+v", one)
	}
	if s.requests < maxRequests || s.requests >= maxRequests+one.memory {
		t.Errorf("%d octets are kept", s.requests)
	}
	if last := s.conns[conn][key{id: many - 1}]; last == nil || len(last.request.headers) != 0 {
		t.Errorf("the last request is kept as %+v", last)
	}
	give.End(conn)
	if s.requests != 0 || len(s.conns) != 0 || len(one.request.headers) != 0 {
		t.Errorf("%d octets are kept at the end, of %d connections", s.requests, len(s.conns))
	}
}
