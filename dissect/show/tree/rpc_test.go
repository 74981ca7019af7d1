package tree_test

import (
	"context"
	"encoding/hex"
	"strconv"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/tree"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/pcaps"
)

// call is an RDMA_MSG with a Call of NFSv3 NULL by AUTH_SYS from the machine "\x1b[2J", which would clear a terminal.
const call = "5a000001 00000001 00000020 00000000 00000000 00000000 00000000" +
	"5a000001 00000000 00000002 000186a3 00000003 00000000 00000001 00000018" +
	"00000007 00000004 1b5b324a 00000001 00000002 00000000 00000000 00000000"

// headers is the tree of the headers in a Send of the given length, of which message is what was captured.
func headers(message []byte, length int) string {
	var b strings.Builder
	p := tree.New(&b, tree.Options{Clock: &show.Clock{}})
	recordtest.Alone(p).Upper(&record.Upper{
		Origin: record.Origin{Conn: conn, Span: flow.At(1, 0)}, ULP: "RPC-over-RDMA", Name: "Call", ID: 0x5a000001, IDName: "xid",
		Len: uint64(length), Body: rpc.New(rpc.Options{}).Read(message, uint64(length)),
	})
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
	whole := headers(message, len(message))
	for _, want := range all {
		if !strings.Contains(whole, want) {
			t.Errorf("%q is not in\n%s", want, whole)
		}
	}
	if strings.ContainsRune(whole, 0x1b) {
		t.Errorf("an escape sequence is in\n%q", whole)
	}
	if cut := headers(message[:40], len(message)); !strings.Contains(cut, "\n      36:4              rpcvers: 2\n\n") {
		t.Errorf("of a Send that is cut in the RPC header:\n%s", cut)
	}
}

// TestEveryOctetOfHeadersIsExplained checks whether the fields of real RPCs lie side by side from the first octet on.
func TestEveryOctetOfHeadersIsExplained(t *testing.T) {
	c, err := pcaps.Open("../../../pcaps/samples/nfs-small-v4.1-inl4096-crc1.pcap.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var b strings.Builder
	p := tree.New(&b, tree.Options{})
	engine := dissect.NewEngine(judge.New(p, judge.Options{ULPs: []*ulp.Layer{rpc.New(rpc.Options{})}}), dissect.Options{})
	if err := engine.Run(context.Background(), c); err != nil {
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
