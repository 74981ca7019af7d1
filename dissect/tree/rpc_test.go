package tree_test

import (
	"encoding/hex"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/text"
	"github.com/iwarpkit/iwarp/dissect/tree"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/pcaps"
)

// call is an RDMA_MSG with a Call of NFSv3 NULL by AUTH_SYS from the machine "\x1b[2J", which would clear a terminal.
const call = "5a000001 00000001 00000020 00000000 00000000 00000000 00000000" +
	"5a000001 00000000 00000002 000186a3 00000003 00000000 00000001 00000018" +
	"00000007 00000004 1b5b324a 00000001 00000002 00000000 00000000 00000000"

// sends is the tree of a Send in segments of the given sizes, of which the last is cut to the octets that there are.
func sends(t *testing.T, message []byte, sizes ...int) string {
	t.Helper()
	var b strings.Builder
	p := tree.New(&b, tree.Options{Clock: &text.Clock{}})
	origin := record.Origin{Conn: conn}
	at := 0
	for i, size := range sizes {
		s := rdmap.Segment{Body: message[min(at, len(message)):min(at+size, len(message))]}
		s.Control = rdmap.Control{RV: 1, Opcode: rdmap.OpSend}
		s.Untagged.L, s.Untagged.DV, s.Untagged.MSN, s.Untagged.MO = i == len(sizes)-1, 1, 1, uint32(at)
		ulpdu, err := s.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		origin.Span = record.Span{Frame: uint64(i + 1), LastFrame: uint64(i + 1)}
		g := &record.Segment{Origin: origin}
		g.FPDU.ULPDU, g.FPDU.ULPDULength = ulpdu, uint16(len(ulpdu)+size-len(s.Body))
		g.FPDU.Missing = size - len(s.Body)
		if _, g.Err = g.RDMAP.Decode(ulpdu); g.Err != nil {
			t.Fatal(g.Err)
		}
		p.Segment(g)
		at += size
	}
	origin.Frame = 1
	var m rpcrdma.Message
	m.Decode(message, at, rpcrdma.DialectVersion1)
	p.Upper(&record.Upper{Origin: origin, ULP: "RPC-over-RDMA", Name: "Call", ID: 0x5a000001, Len: uint64(at), Body: &m})
	p.Flush()
	_, upper, _ := strings.Cut(b.String(), "Upper layer: ")
	return upper
}

func TestHeadersOfRPC(t *testing.T) {
	message, err := hex.DecodeString(strings.ReplaceAll(call, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	all := []string{
		"RPC-over-RDMA Call xid=0x5a000001, 92 octets, frame 1,",
		"\n       0:4              rdma_xid: 0x5a000001\n", "\n      12:4              rdma_proc: 0 (RDMA_MSG)\n",
		"\n      24:4              rdma_reply: 0\n", "\n      28:4              xid: 0x5a000001\n",
		"\n      68:4              machinename: 1b5b324a\n", "\n      72:4              uid: 1\n",
		"\n      84:4              flavor: 0 (AUTH_NONE)\n      88:4              body length: 0\n\n",
	}
	whole := sends(t, message, len(message))
	for _, want := range all {
		if !strings.Contains(whole, want) {
			t.Errorf("%q is not in\n%s", want, whole)
		}
	}
	if strings.ContainsRune(whole, 0x1b) {
		t.Errorf("an escape sequence is in\n%q", whole)
	}
	parts := sends(t, message, 30, 2, len(message)-32)
	if _, whole, _ := strings.Cut(whole, "\n"); !strings.HasSuffix(parts, whole) {
		t.Errorf("in segments:\n%s\nwhole:\n%s", parts, whole)
	}
	if cut := sends(t, message[:40], 30, len(message)-30); !strings.Contains(cut, "\n      36:4              rpcvers: 2\n\n") {
		t.Errorf("of a Send that is cut in the RPC header:\n%s", cut)
	}
	if lost := sends(t, message[:20], 30, 10); strings.Contains(lost, "rdma_xid") {
		t.Errorf("of a Send that lacks octets in the middle:\n%s", lost)
	}
}

// TestEveryOctetOfHeadersIsExplained looks whether the fields of real RPCs lie side by side from the first octet on.
func TestEveryOctetOfHeadersIsExplained(t *testing.T) {
	c, err := pcaps.Open("../../pcaps/samples/nfs-small-v4.1-inl4096-crc1.pcap.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var b strings.Builder
	p := tree.New(&b, tree.Options{})
	engine := dissect.NewEngine(analysis.New(p, analysis.Options{ULPs: []analysis.ULP{rpc.New(rpc.Options{})}}), dissect.Options{})
	if err := engine.Run(c, nil); err != nil {
		t.Fatal(err)
	}
	p.Flush()
	calls, replies, operations, results, failed := 0, 0, 0, 0, 0
	for block := range strings.SplitSeq(b.String(), "\n\n") {
		if !strings.HasPrefix(block, "Upper layer: ") && !strings.HasPrefix(block, "Reply chunk: ") {
			continue
		}
		operations += strings.Count(block, "  NFSv4 operation [")
		results += strings.Count(block, "  NFSv4 result [")
		failed += strings.Count(block, " status: 2 (NFS4ERR_NOENT)")
		calls += strings.Count(block, "  RPC Call header")
		replies += strings.Count(block, "  RPC Reply header")
		end := 0
		for _, place := range placePattern.FindAllStringSubmatch(block, -1) {
			off, _ := strconv.Atoi(place[1])
			n, _ := strconv.Atoi(place[2])
			if off != end {
				t.Fatalf("a field is at %d, the one before it ends at %d, in\n%s", off, end, block)
			}
			end = off + n
		}
	}
	if calls != 555 || replies != 555 { // of these Replies 134 are in Reply chunks
		t.Errorf("%d Calls and %d Replies have headers, want 555 of each", calls, replies)
	}
	if operations != 2292 || results != 2279 { // as many as tshark finds
		t.Errorf("%d operations and %d results", operations, results)
	}
	if failed != 12 { // of the COMPOUND and of its last result
		t.Errorf("%d statuses of names that are not there", failed)
	}
}
