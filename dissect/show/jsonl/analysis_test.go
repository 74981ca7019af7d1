package jsonl_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/jsonl"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// objects are what an Encoder writes of what give gives it.
func objects(t *testing.T, o jsonl.Options, give func(*jsonl.Encoder)) (all []map[string]any) {
	t.Helper()
	var b strings.Builder
	e := jsonl.New(&b, o)
	give(e)
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(b.String()) {
		if err := checkKeys(json.NewDecoder(strings.NewReader(line))); err != nil {
			t.Fatalf("%v in %s", err, line)
		}
		all = append(all, parsed(t, line))
	}
	return all
}

func parsed(t *testing.T, s string) (object map[string]any) {
	t.Helper()
	if err := json.Unmarshal([]byte(s), &object); err != nil {
		t.Fatalf("%v in %s", err, s)
	}
	return object
}

func TestMarks(t *testing.T) {
	all := objects(t, jsonl.Options{}, func(to *jsonl.Encoder) {
		e, m := recordtest.To(to), &record.Message{Origin: origin(), Header: write(t)}
		for _, id := range []string{"DDP-5.3-4", "OBS-STALL", "DDP-5.3-4"} {
			e.Finding(&record.Finding{Origin: m.Origin, ID: id})
		}
		e.Upper(&record.Upper{Origin: m.Origin, ULP: "RPC-over-RDMA", Name: "a \"quoted\"\n\\ é \xff name", ID: 1 << 60})
		e.Message(m)
		e.Message(m)
		e.Upper(&record.Upper{Origin: m.Origin})
		e.Late(m.Origin)
		e.Message(m)
	})
	want := map[string]any{
		"findings": []any{"DDP-5.3-4", "OBS-STALL"}, "upper_ulp": "RPC-over-RDMA", "upper": "a \"quoted\"\n\\ é \ufffd name", "upper_id": "0x1000000000000000",
	}
	got := map[string]any{}
	for key := range want {
		got[key] = all[0][key]
		for i := 1; i < 3; i++ {
			if v, ok := all[i][key]; ok {
				t.Errorf("%s of another message: %v", key, v)
			}
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// transaction is a request in frames 12 to 13 and its response, 1500 ns later, in frame 20.
func transaction(kind record.TransactionKind, name string) *record.Transaction {
	o := origin()
	return &record.Transaction{
		Conn: o.Conn, Dir: o.Dir, Kind: kind, Name: name, ID: 5, Octets: 8,
		Request:  flow.Span{Frame: 12, LastFrame: 13, Time: o.Time, LastTime: o.Time},
		Response: flow.Span{Frame: 20, LastFrame: 20, Time: o.Time + 1500, LastTime: o.Time + 1500},
	}
}

const (
	request  = `"conn":7,"dir":"s2c","src":"[fd00::2]:7174","dst":"10.0.0.1:43140","frame":12,"last_frame":13,"time":"2023-11-14T22:13:20.000000042Z","len":8,`
	answered = request + `"outcome":"answered","response_frame":20,"response_last_frame":20,"response_time":"2023-11-14T22:13:20.000001542Z","latency":0.0000015,`
)

func TestTransactions(t *testing.T) {
	read := transaction(record.ReadTransaction, "RDMA Read")
	read.Outcome, read.Response = record.Unanswered, flow.Span{}
	read.Read = rdmap.ReadRequest{SinkSTag: 10, SinkTO: 11, RDMARDSZ: 8, SrcSTag: 12, SrcTO: 13}
	atomic := transaction(record.AtomicTransaction, "FetchAdd")
	atomic.Atomic, atomic.Original = rdmap.AtomicRequest{RequestIdentifier: 5, RemoteSTag: 10, AddOrSwapData: 1}, 41
	upper := transaction(record.UpperTransaction, "NFSv3 READ")
	got := objects(t, jsonl.Options{View: show.Transactions, File: "a.pcap"}, func(e *jsonl.Encoder) {
		recordtest.To(e).Message(&record.Message{Origin: origin(), Header: write(t)})
		recordtest.Alone(e).Transaction(read)
		recordtest.Alone(e).Transaction(atomic)
		recordtest.Alone(e).Transaction(upper)
	})
	const common = `{"schema":"iwarp.transactions/1","file":"a.pcap","id":5,`
	for i, want := range []string{
		common + request + `"kind":"read","name":"RDMA Read","outcome":"unanswered","sinkstag":"0x0000000a","sinkto":"0x000000000000000b","rdmardsz":8,
			"srcstag":"0x0000000c","srcto":"0x000000000000000d"}`,
		common + answered + `"kind":"atomic","name":"FetchAdd","atomic.reserved":"0x0000000","atomic.opcode":0,"atomic.opcode_name":"FetchAdd",
			"atomic.request_identifier":5,"atomic.remote_stag":"0x0000000a","atomic.remote_tagged_offset":"0x0000000000000000",
			"atomic.add_data":"0x0000000000000001","atomic.add_mask":"0x0000000000000000","atomic.compare_data":"0x0000000000000000",
			"atomic.compare_mask":"0x0000000000000000","atomic.original_request_identifier":5,"atomic.original_remote_data_value":"0x0000000000000029"}`,
		common + answered + `"kind":"upper","name":"NFSv3 READ"}`,
	} {
		if d := cmp.Diff(parsed(t, want), got[i]); d != "" {
			t.Errorf("%d: (-want +got)\n%s", i, d)
		}
	}
}

func TestRPCs(t *testing.T) {
	known := transaction(record.UpperTransaction, "NFSv3 READ")
	known.Upper = &rpc.Exchange{
		XID: 5, Dialect: rpcrdma.DialectVersion1, Known: true, Result: "SUCCESS",
		Procedure: oncrpc.Procedure{Program: oncrpc.ProgramNFS, Version: 3, Number: 6},
		Call:      rpc.Half{Span: flow.Span{Frame: 12, LastFrame: 13}, Kind: "RDMA_MSG", Credits: 32, Parts: 1, Inline: 152, Len: 160},
		Reply: rpc.Half{
			Span: flow.Span{Frame: 20, LastFrame: 20}, Kind: "RDMA_MSG", Credits: 31, Parts: 1, Inline: 128, Len: 136,
			Invalidates: true, InvalidatedSTag: 1,
		},
		Reads: []rpc.Chunk{{Position: 152, Segments: []rpc.Segment{{
			Segment: rpcrdma.Segment{Handle: 1, Length: 8, Offset: 2}, Moved: 8,
			Moves: []rpc.Move{{Request: flow.Span{Frame: 14, LastFrame: 14}, Data: flow.Span{Frame: 15, LastFrame: 16}, Offset: 2, Octets: 8}},
		}}}},
		Writes: []rpc.Chunk{{Segments: []rpc.Segment{{
			Segment: rpcrdma.Segment{Handle: 3, Length: 64}, Returned: 8, Moved: 8,
			Moves: []rpc.Move{{Data: flow.Span{Frame: 17, LastFrame: 18}, Octets: 8}},
		}}}},
		ReplyChunk: rpc.Chunk{Segments: []rpc.Segment{{Segment: rpcrdma.Segment{Handle: 4, Length: 9}}}},
	}
	unknown := transaction(record.UpperTransaction, "RPC")
	unknown.Upper = &rpc.Exchange{XID: 6, Callbacks: []nfs.CBOp{nfs.OpCBGetattr}, Reverse: true, Repeats: 1, ChunksCut: true}
	other := transaction(record.UpperTransaction, "NVMe Read") // of another upper layer
	got := objects(t, jsonl.Options{View: show.RPCs}, func(e *jsonl.Encoder) {
		recordtest.Alone(e).Transaction(known)
		recordtest.Alone(e).Transaction(unknown)
		recordtest.Alone(e).Transaction(other)
		recordtest.Alone(e).Transaction(transaction(record.ReadTransaction, "RDMA Read"))
	})
	if len(got) != 2 {
		t.Fatalf("%d objects, want 2", len(got))
	}
	for i, want := range []string{
		`{"schema":"iwarp.rpc/1",` + answered + `"name":"NFSv3 READ","xid":"0x00000005","dialect":"version1","reverse":false,"procedure":"NFSv3 READ",
			"operations":[],"result":"SUCCESS","repeats":0,"chunks_cut":false,
			"call":{"frame":12,"last_frame":13,"kind":"RDMA_MSG","sends":1,"inline":152,"len":160,"credits":32,"inval_stag":null},
			"reply":{"frame":20,"last_frame":20,"kind":"RDMA_MSG","sends":1,"inline":128,"len":136,"credits":31,"inval_stag":"0x00000001"},
			"reads":[{"position":152,"segments":[{"stag":"0x00000001","offset":"0x0000000000000002","length":8,"moved":8,"moves":[
				{"request":{"frame":14,"last_frame":14},"frame":15,"last_frame":16,"offset":"0x0000000000000002","octets":8}]}]}],
			"writes":[{"segments":[{"stag":"0x00000003","offset":"0x0000000000000000","length":64,"returned":8,"moved":8,"moves":[
				{"frame":17,"last_frame":18,"offset":"0x0000000000000000","octets":8}]}]}],
			"reply_chunk":{"segments":[{"stag":"0x00000004","offset":"0x0000000000000000","length":9,"returned":0,"moved":0,"moves":[]}]}}`,
		`{"schema":"iwarp.rpc/1",` + answered + `"name":"RPC","xid":"0x00000006","dialect":"unknown","reverse":true,"procedure":null,
			"operations":["CB_GETATTR"],"result":null,"repeats":1,"chunks_cut":true,"call":null,"reply":null,"reads":[],"writes":[],"reply_chunk":null}`,
	} {
		if d := cmp.Diff(parsed(t, want), got[i]); d != "" {
			t.Errorf("%d: (-want +got)\n%s", i, d)
		}
	}
}

// TestLayers shows the fields of a message of an upper layer, with the octets that they have.
func TestLayers(t *testing.T) {
	var b strings.Builder
	e := jsonl.New(&b, jsonl.Options{})
	message := []byte("\x00\x01\x00\x01\x00\x00\xff\x00\x54\x05\x00\x00\x54\x05\x00\x00\x56\xa7\x02\x00")
	var body smbdirect.Packet
	if !body.Decode(message, uint64(len(message))) {
		t.Fatal("it was not decoded")
	}
	m := &record.Message{Origin: origin(), Header: write(t)}
	e.Record(&record.Record{Kind: record.KindMessage, Message: m, Upper: &record.Upper{Origin: m.Origin, Body: &body}})
	e.Flush()
	want := `"layers":[{"len":20,"parts":[{"header":"SMB Direct Negotiate Request","offset":0,"length":20,"fields":{"version.min":256,`
	if !strings.Contains(b.String(), want) {
		t.Errorf("%s is not in\n%s", want, b.String())
	}
}
