package filter

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
)

// TestRequestsAreBounded begins more exchanges than a Sieve has memory for.
func TestRequestsAreBounded(t *testing.T) {
	const many = 80_000
	f, err := Compile("request.nvme.cmd.nsid == 1")
	if err != nil {
		t.Fatal(err)
	}
	s := NewSieve(f, analysis.Discard{})
	conn := new(record.Conn)
	capsule := make([]byte, 64)
	for i := range many {
		m := &record.Message{Opcode: rdmap.OpSend}
		m.Conn, m.Frame, m.LastFrame = conn, uint64(i+1), uint64(i+1)
		c := new(nvme.Capsule)
		if !c.Decode(1, false, capsule, uint64(len(capsule))) {
			t.Fatal("no capsule")
		}
		s.Upper(&record.Upper{Origin: m.Origin, Body: c})
		s.Join(&record.Transaction{Conn: conn, Kind: record.UpperTransaction, ID: uint64(i)}, nil)
		s.Message(m)
	}
	one := s.conns[conn].open[key{id: 0}]
	if one == nil || len(one.request.headers) != 3 {
		t.Fatalf("the first request is kept as %+v", one)
	}
	if s.requests < maxRequests || s.requests >= maxRequests+one.memory {
		t.Errorf("%d octets are kept", s.requests)
	}
	if last := s.conns[conn].open[key{id: many - 1}]; last == nil || len(last.request.headers) != 0 {
		t.Errorf("the last request is kept as %+v", last)
	}
	was := participation{one, one.life}
	s.End(conn)
	if s.requests != 0 || len(s.conns) != 0 || was.of() != nil {
		t.Errorf("%d octets are kept at the end, of %d connections", s.requests, len(s.conns))
	}
}

// TestJoinOfOthers looks that of several transactions the first counts, and of its bodies the last.
func TestJoinOfOthers(t *testing.T) {
	f, err := Compile("rpc.xid")
	if err != nil {
		t.Fatal(err)
	}
	s := NewSieve(f, analysis.Discard{})
	conn := new(record.Conn)
	for _, id := range []uint64{1, 2, 1} {
		s.Join(&record.Transaction{Conn: conn, ID: id}, []byte{byte(id), 9}[:id])
	}
	if s.joined.key.id != 1 || string(s.joined.body) != "\x01" || len(s.conns[conn].open) != 1 {
		t.Errorf("joined %+v", s.joined)
	}
}
