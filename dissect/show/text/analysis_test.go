package text_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// printed is what a Printer prints of what give gives it.
func printed(t testing.TB, o text.Options, give func(*recordtest.Giver)) string {
	t.Helper()
	var b strings.Builder
	o.Clock = &show.Clock{Start: start}
	p := text.New(&b, o)
	give(recordtest.To(p))
	if err := p.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarks(t *testing.T) {
	finding := func(id string, severity rules.Severity, seen, expected string) *record.Finding {
		return &record.Finding{Origin: origin(12, 12), Severity: severity, ID: id, Seen: seen, Expected: expected}
	}
	for _, test := range []struct {
		name string
		give func(*recordtest.Giver)
		want string // behind the fields
	}{
		{"a breach", func(p *recordtest.Giver) { p.Finding(finding("DDP-5.3-4", rules.Error, "MSN 7", "MSN 5")) },
			" [error DDP-5.3-4: MSN 7, expected MSN 5]"},
		{"an observation", func(p *recordtest.Giver) { p.Finding(finding("OBS-STALL", rules.Warning, "", "")) },
			" [warning OBS-STALL]"},
		{"one of each severity", func(p *recordtest.Giver) {
			p.Finding(finding("A", rules.Note, "x", ""))
			p.Finding(finding("B", rules.Error, "", "y"))
			p.Finding(finding("A", rules.Note, "z", ""))
		}, " [note A: x; 2 times] [error B: expected y]"},
		{"too many", func(p *recordtest.Giver) {
			for i := range 10 {
				p.Finding(finding(fmt.Sprint(i), rules.Note, "", ""))
			}
		}, " [note 0] [note 1] [note 2] [note 3] [note 4] [note 5] [note 6] [note 7] [2 more findings]"},
		{"upper layer", func(p *recordtest.Giver) {
			p.Finding(finding("A", rules.Note, "x", ""))
			p.Upper(&record.Upper{Origin: origin(3, 12), ULP: "RPC-over-RDMA", Name: "RDMA_MSG Call NFSv3 READ", ID: 0x5a000001, IDName: "xid"})
		}, "  RPC-over-RDMA RDMA_MSG Call NFSv3 READ xid=0x5a000001 [note A: x]"},
		{"what a terminal must not see", func(p *recordtest.Giver) {
			p.Upper(&record.Upper{Origin: origin(12, 12), ULP: "X", Name: "\x1b[31m\xffé"})
		}, `  X \x1b[31m\xffé`},
	} {
		got := printed(t, text.Options{}, func(p *recordtest.Giver) {
			test.give(p)
			p.Message(message(untagged(rdmap.OpSend, nil)))
		})
		if want := "    1.500000   7 s2c  Send                    0  12         MSN=3" + test.want + "\n"; got != want {
			t.Errorf("%s:\ngot  %swant %s", test.name, got, want)
		}
	}
}

// transaction is a request in frames 12 to 13 and its response, 123456 ns later, in frame 20.
func transaction(kind record.TransactionKind, name string, id uint64) *record.Transaction {
	return &record.Transaction{
		Conn: conn, Dir: flow.S2C, Kind: kind, Name: name, ID: id, Octets: 65536,
		Request:  flow.Span{Frame: 12, LastFrame: 13, Time: start + 15e8, LastTime: start + 15e8},
		Response: flow.Span{Frame: 20, LastFrame: 20, Time: start + 15e8, LastTime: start + 15e8 + 123_456},
	}
}

func TestTransactions(t *testing.T) {
	read := transaction(record.ReadTransaction, "RDMA Read", 3)
	read.Read = rdmap.ReadRequest{SinkSTag: 0xa, SinkTO: 0xb, RDMARDSZ: 65536, SrcSTag: 0xc, SrcTO: 0xd}
	atomic := transaction(record.AtomicTransaction, "FetchAdd", 5)
	atomic.Octets, atomic.Original = 8, 41
	atomic.Atomic = rdmap.AtomicRequest{RequestIdentifier: 5, RemoteSTag: 0xa, AddOrSwapData: 1, CompareMask: ^uint64(0)}
	rpc := transaction(record.UpperTransaction, "NFSv3 READDIRPLUS", 0x5a000001)
	unanswered := transaction(record.ReadTransaction, "RDMA Read", 4)
	unanswered.Outcome, unanswered.Response, unanswered.Octets = record.Unanswered, flow.Span{}, 0

	got := printed(t, text.Options{View: show.Transactions, Header: true}, func(p *recordtest.Giver) {
		p.Message(message(untagged(rdmap.OpSend, nil)))
		for _, x := range []*record.Transaction{read, atomic, rpc, unanswered} {
			p.Transaction(x)
			p.Late(origin(12, 12))
		}
	})
	want := `TIME         CON DIR          ID  REQUEST    RESPONSE   LATENCY   OCTETS  OUTCOME     TRANSACTION
    1.500000   7 s2c           3  12-13      20          123 us    65536  answered    RDMA Read SinkSTag=0x0000000a SinkTO=0x000000000000000b RDMARDSZ=65536 SrcSTag=0x0000000c SrcTO=0x000000000000000d
    1.500000   7 s2c           5  12-13      20          123 us        8  answered    FetchAdd RemoteSTag=0x0000000a RemoteTaggedOffset=0x0000000000000000 AddData=0x0000000000000001 AddMask=0x0000000000000000 OriginalRemoteDataValue=0x0000000000000029
    1.500000   7 s2c  0x5a000001  12-13      20          123 us    65536  answered    NFSv3 READDIRPLUS
    1.500000   7 s2c           4  12-13      -                -        0  unanswered  RDMA Read SinkSTag=0x00000000 SinkTO=0x0000000000000000 RDMARDSZ=0 SrcSTag=0x00000000 SrcTO=0x0000000000000000
`
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestRPCs(t *testing.T) {
	span := func(first, last uint64) flow.Span { return flow.Span{Frame: first, LastFrame: last} }
	segment := func(length uint32, moves ...rpc.Move) rpc.Segment {
		s := rpc.Segment{Segment: rpcrdma.Segment{Handle: 1, Length: length}, Moves: moves}
		for _, m := range moves {
			s.Moved += m.Octets
		}
		return s
	}
	for _, test := range []struct {
		name     string
		exchange rpc.Exchange
		want     string
	}{
		{"inline", rpc.Exchange{
			Result: "SUCCESS",
			Call:   rpc.Half{Span: span(12, 12), Kind: "RDMA_MSG", Inline: 152, Credits: 32, Parts: 1},
			Reply:  rpc.Half{Span: span(20, 20), Kind: "RDMA_MSG", Inline: 128, Credits: 31, Parts: 1},
		}, ": SUCCESS; Call 152 inline; Reply 128 inline; credits 32/31"},
		{"chunks", rpc.Exchange{
			Call:       rpc.Half{Span: span(12, 12), Kind: "RDMA_NOMSG", Credits: 32, Parts: 1},
			Reply:      rpc.Half{Span: span(20, 21), Kind: "RDMA_NOMSG", Credits: 31, Parts: 2},
			Reads:      []rpc.Chunk{{Segments: []rpc.Segment{segment(100, rpc.Move{Request: span(13, 13), Data: span(14, 15), Octets: 100})}}},
			Writes:     []rpc.Chunk{{Segments: []rpc.Segment{segment(4096, rpc.Move{Data: span(16, 17), Octets: 1000}), segment(4096)}}, {Segments: []rpc.Segment{segment(8)}}},
			ReplyChunk: rpc.Chunk{Segments: []rpc.Segment{segment(500, rpc.Move{Data: span(18, 18), Octets: 500})}},
		}, "; Call RDMA_NOMSG 0 inline, 100 by Reads 13>14-15; Reply RDMA_NOMSG 0 inline in 2 Sends, 1000 of 8192 by Writes 16-17, 0 of 8 offered, 500 in the Reply chunk by Writes 18; credits 32/31"},
		{"never answered", rpc.Exchange{
			Call: rpc.Half{Span: span(12, 12), Kind: "RDMA_MSG", Inline: 152, Credits: 32}, Repeats: 2, Reverse: true, ChunksCut: true,
		}, "; reverse direction; Call repeated 2 times; Call 152 inline, and segments that are not followed; credits 32"},
		{"many Writes", rpc.Exchange{
			Call:   rpc.Half{Span: span(1, 1), Kind: "RDMA_MSG"},
			Writes: []rpc.Chunk{{Segments: []rpc.Segment{segment(10, slices.Repeat([]rpc.Move{{Data: span(2, 2), Octets: 1}}, 10)...)}}},
		}, "; Call 0 inline, 10 by Writes 2 2 2 2 2 2 2 2 and 2 more; credits 0"},
		{"as many Writes as are told apart", rpc.Exchange{
			Call:   rpc.Half{Span: span(1, 1), Kind: "RDMA_MSG"},
			Writes: []rpc.Chunk{{Segments: []rpc.Segment{segment(32, slices.Repeat([]rpc.Move{{Data: span(2, 2), Octets: 1}}, rpc.MaxMoves)...)}}},
		}, "; Call 0 inline, 32 by Writes 2 2 2 2 2 2 2 2 and at least 24 more; credits 0"},
	} {
		x := transaction(record.UpperTransaction, "NFSv3 READ", 0x5a000001)
		x.Upper = &test.exchange
		got := printed(t, text.Options{View: show.RPCs}, func(p *recordtest.Giver) {
			p.Transaction(transaction(record.ReadTransaction, "RDMA Read", 3))
			p.Transaction(x)
			p.Late(origin(12, 12))
		})
		want := "    1.500000   7 s2c  0x5a000001  12-13      20          123 us    65536  answered    NFSv3 READ" + test.want + "\n"
		if got != want {
			t.Errorf("%s:\ngot  %swant %s", test.name, got, want)
		}
	}
}

func TestDuration(t *testing.T) {
	for ns, want := range map[int64]string{
		0: "0 ns", 999: "999 ns", 1000: "1.00 us", 12_345: "12.3 us", 123_456: "123 us", 999_999: "1000 us", 1_500_000: "1.50 ms",
		104e6: "104 ms", 71_234e6: "71.2 s", 3601e9: "60.0 min", -1500: "-1.50 us",
	} {
		if got := string(text.AppendDuration(nil, ns)); got != want {
			t.Errorf("%d: got %q, want %q", ns, got, want)
		}
	}
}

func TestWrapped(t *testing.T) {
	for _, test := range []struct{ first, indent, words, want string }{
		{"", "", "", "\n"},
		{"- ", "  ", "one two three", "- one two\n  three\n"},
		{"- ", "  ", " one\n two ", "- one two\n"},
		{"", "", "\n\na  b     gap  c\n\nd", "a  b\ngap  c d\n"},
		{"", "    ", "averyveryverylongword and", "averyveryverylongword\n    and\n"},
		{"", "", "ééééé ééééé", "ééééé\nééééé\n"},
	} {
		if got := string(text.AppendWrapped(nil, 10, test.first, len(test.first), test.indent, test.words)); got != test.want {
			t.Errorf("%q: got %q, want %q", test.words, got, test.want)
		}
	}
}
