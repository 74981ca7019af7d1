package csv_test

import (
	stdcsv "encoding/csv"
	"errors"
	"maps"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/csv"
	"github.com/iwarpkit/iwarp/dissect/show/table"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

const start = 1_700_000_000_000_000_000

func origin() record.Origin {
	return record.Origin{
		Conn: &flow.Conn{
			ID: 7, Client: netip.MustParseAddrPort("10.0.0.1:43140"), Server: netip.MustParseAddrPort("[fd00::2]:7174"),
			Agreed: true, Agreement: rules.Agreement{DDPVersion: 1, CRC: true},
		},
		Dir:  flow.S2C,
		Span: flow.Span{Frame: 12, LastFrame: 19, Time: start + 1_500_000_042, LastTime: start + 1_500_000_042},
	}
}

// written is what an Encoder writes of what give gives it.
func written(t testing.TB, o csv.Options, give func(*csv.Encoder)) string {
	t.Helper()
	if o.Clock == nil {
		o.Clock = &show.Clock{Start: start}
	}
	var b strings.Builder
	e := csv.New(&b, o)
	give(e)
	if err := e.Flush(); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// rows are the cells of rows that are not empty, by the names of their columns.
func rows(t testing.TB, file string) (all []map[string]string) {
	t.Helper()
	lines, err := stdcsv.NewReader(strings.NewReader(file)).ReadAll() // which wants as many cells in each
	if err != nil {
		t.Fatalf("%v in\n%s", err, file)
	}
	if n := strings.Count(file, "\n"); n != len(lines) {
		t.Fatalf("%d rows in %d lines", len(lines), n)
	}
	for _, line := range lines[1:] {
		row := make(map[string]string)
		for i, cell := range line {
			if cell != "" {
				row[lines[0][i]] = cell
			}
		}
		all = append(all, row)
	}
	return all
}

// message is a complete message with the given headers.
func message(t testing.TB, h rdmap.Header, body ...byte) *record.Message {
	t.Helper()
	h.Control.RV = 1
	b, err := (&rdmap.Segment{Header: h, Body: body}).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	m := &record.Message{Origin: origin(), Opcode: h.Control.Opcode, Header: b, ULPDU: len(b), Segments: 2, Complete: true, CRC: mpa.Good}
	m.First.Decode(b)
	return m
}

func untagged(t testing.TB, o rdmap.Opcode, body ...byte) *record.Message {
	qn, _ := o.QN()
	return message(t, rdmap.Header{Control: rdmap.Control{Opcode: o}, Untagged: ddp.Untagged{L: true, DV: 1, QN: qn, MSN: 1 << 31}}, body...)
}

func write(t testing.TB) *record.Message {
	return message(t, rdmap.Header{
		T: true, Control: rdmap.Control{Opcode: rdmap.OpWrite}, Tagged: ddp.Tagged{DV: 1, STag: 0xa2c1, TO: 1 << 60},
	})
}

// common is what all rows of origin have.
var common = map[string]string{
	"frame": "12", "last_frame": "19", "time": "2023-11-14T22:13:21.500000042Z", "seconds": "1.500000042",
	"conn": "7", "dir": "s2c", "src": "[fd00::2]:7174", "dst": "10.0.0.1:43140",
}

func same(t *testing.T, got []map[string]string, want ...map[string]string) {
	t.Helper()
	for i := range want {
		row := maps.Clone(common)
		maps.Copy(row, want[i])
		want[i] = row
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestMessages(t *testing.T) {
	request, err := (&rdmap.ReadRequest{SinkSTag: 1, SinkTO: 2, RDMARDSZ: 3, SrcSTag: 4, SrcTO: 5}).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	got := written(t, csv.Options{}, func(e *csv.Encoder) {
		m := write(t)
		m.Len, m.Complete, m.CRC, m.BadCRCs, m.Missing = 123456, false, mpa.Bad, 2, 17
		recordtest.To(e).Message(m)
		recordtest.To(e).Message(untagged(t, rdmap.OpReadRequest, request...))
		recordtest.To(e).Message(message(t, rdmap.Header{
			Control: rdmap.Control{Opcode: rdmap.OpSendSEInvalidate}, Untagged: ddp.Untagged{L: true, DV: 1, MSN: 9}, InvalidateSTag: 0xbeef,
		}))
		recordtest.To(e).Message(untagged(t, rdmap.OpTerminate, append([]byte{0x10, 0x01, 0x07, 0x00, 0, 32}, untagged(t, rdmap.OpReadRequest, request...).Header...)...))
		recordtest.To(e).Message(untagged(t, rdmap.OpTerminate, 0x01, 0x02, 0, 0))
	})
	untagged := map[string]string{"segments": "2", "complete": "true", "crc": "good", "bad_crcs": "0", "missing": "0", "len": "0",
		"dv": "1", "msn": "2147483648", "mo": "0", "tagged_flag": "false", "last_flag": "true", "rsvd": "0", "version": "1", "rsv": "0", "reserved": "0x00000000"}
	row := func(more map[string]string) map[string]string {
		r := maps.Clone(untagged)
		maps.Copy(r, more)
		maps.DeleteFunc(r, func(_, v string) bool { return v == "" })
		return r
	}
	read := map[string]string{"rdmardsz": "3", "sinkstag": "0x00000001", "sinkto": "0x0000000000000002", "srcstag": "0x00000004", "srcto": "0x0000000000000005"}
	readRequest := row(map[string]string{"type": "ReadRequest", "opcode": "1", "qn": "1", "ulpdulength": "46"})
	maps.Copy(readRequest, read)
	same(t, rows(t, got),
		map[string]string{"type": "Write", "len": "123456", "segments": "2", "complete": "false", "crc": "bad", "bad_crcs": "2", "missing": "17",
			"dv": "1", "stag": "0x0000a2c1", "tagged_offset": "0x1000000000000000", "opcode": "0",
			"ulpdulength": "14", "tagged_flag": "true", "last_flag": "false", "rsvd": "0", "version": "1", "rsv": "0"},
		readRequest,
		row(map[string]string{"type": "SendSEInvalidate", "opcode": "6", "qn": "0", "msn": "9", "inval_stag": "0x0000beef", "ulpdulength": "18", "reserved": ""}),
		row(map[string]string{"type": "Terminate", "opcode": "7", "qn": "2", "term_error": "0/1/01 RDMAP Remote Protection Error: Base or bounds violation",
			"term_layer": "1", "term_etype": "0", "term_errcode": "1", "term_hdrct_m": "false", "hdrct_d": "false", "hdrct_r": "false",
			"term_meant_layer": "0", "term_meant_etype": "1", "term_meant_errcode": "1", "term_ddp_seg_len": "32",
			"terminated.opcode": "1", "terminated.qn": "1", "terminated.msn": "2147483648",
			"terminated.rdmardsz": "3", "terminated.srcstag": "0x00000004", "terminated.srcto": "0x0000000000000005", "ulpdulength": "70",
			"term_rsvd": "1792", "term_meant_hdrct_m": "true", "term_meant_hdrct_d": "true", "term_meant_hdrct_r": "true",
			"terminated.tagged_flag": "false", "terminated.last_flag": "true", "terminated.rsvd": "0", "terminated.dv": "1", "terminated.mo": "0",
			"terminated.version": "1", "terminated.rsv": "0", "terminated.reserved": "0x00000000",
			"terminated.sinkstag": "0x00000001", "terminated.sinkto": "0x0000000000000002"}),
		row(map[string]string{"type": "Terminate", "opcode": "7", "qn": "2", "term_error": "0/1/02 RDMAP Remote Protection Error: Access rights violation",
			"term_layer": "0", "term_etype": "1", "term_errcode": "2", "term_hdrct_m": "false", "hdrct_d": "false", "hdrct_r": "false",
			"term_rsvd": "0", "ulpdulength": "22"}),
	)
}

func TestStartupFrame(t *testing.T) {
	f := mpa.Frame{Reply: true, C: true, S: true, Rev: 2, PDLength: 6, PrivateData: []byte{0x80, 8, 0x40, 9, 0x22, 0x1b}}
	octets, err := f.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	same(t, rows(t, written(t, csv.Options{}, func(e *csv.Encoder) {
		recordtest.To(e).StartupFrame(&record.Startup{Origin: origin(), MPA: f, Octets: octets})
	})), map[string]string{
		"type": "MPAReply", "len": "2", "segments": "0", "complete": "true", "marker_flag": "false", "crc_flag": "true", "rej_flag": "false",
		"enhanced_flag": "true", "rev": "2", "key.rep": "4d504120494420526570204672616d65", "res": "0", "pdlength": "6", "privatedata": "80084009221b",
		"enhanced.a": "true", "enhanced.b": "false", "enhanced.ird": "8", "enhanced.c": "false", "enhanced.D": "true", "enhanced.ord": "9",
	})
}

func TestMarks(t *testing.T) {
	got := rows(t, written(t, csv.Options{}, func(to *csv.Encoder) {
		e, m := recordtest.To(to), write(t)
		for _, id := range []string{"DDP-5.3-4", "OBS-STALL", "DDP-5.3-4"} {
			e.Finding(&record.Finding{Origin: m.Origin, ID: id})
		}
		e.Upper(&record.Upper{Origin: m.Origin, ULP: "X", Name: "=cmd|' /C calc'!A0\x1b[31m, \"q\"\n", ID: 1 << 60})
		e.Message(m)
		e.Message(m)
		e.Finding(&record.Finding{Origin: m.Origin, ID: "OBS-LOST"})
		e.Late(m.Origin)
	}))
	want := map[string]string{
		"upper_ulp": "X", "upper": `'=cmd|' /C calc'!A0\x1b[31m, "q"\x0a`, "upper_id": "0x1000000000000000", "findings": "DDP-5.3-4 OBS-STALL",
	}
	for key, cell := range want {
		if got[0][key] != cell || got[1][key] != "" {
			t.Errorf("%s: %q and %q, want %q and none", key, got[0][key], got[1][key], cell)
		}
	}
}

// Whatever the text, it is one cell, and nothing that a spreadsheet would execute.
func TestText(t *testing.T) {
	for s, want := range map[string]string{
		"":                   "",
		"NFSv3 READ":         "NFSv3 READ",
		"a,b":                `"a,b"`,
		`"`:                  `""""`,
		`a"b""c`:             `"a""b""""c"`,
		"\"\n,":              `"""\x0a,"`,
		"=1+1":               "'=1+1",
		"+1":                 "'+1",
		"-1":                 "'-1",
		"@SUM(A1,\"\")":      `"'@SUM(A1,"""")"`,
		"\t=1":               `\x09=1`,
		"\r=1":               `\x0d=1`,
		"\x1b]0;x\a\xff\x9b": `\x1b]0;x\x07\xff\x9b`,
	} {
		file := written(t, csv.Options{}, func(to *csv.Encoder) {
			e, m := recordtest.To(to), write(t)
			e.Upper(&record.Upper{Origin: m.Origin, Name: s})
			e.Message(m)
		})
		if _, row, _ := strings.Cut(file, "\n"); !strings.Contains(row, ",,"+want+",0x0,") {
			t.Errorf("%q: want %s in\n%s", s, want, row)
		}
		rows(t, file)
	}
}

func TestTransactions(t *testing.T) {
	o := origin()
	base := record.Transaction{Conn: o.Conn, Dir: o.Dir, Request: o.Span, Response: flow.Span{
		Frame: 20, LastFrame: 21, Time: o.Time + 1000, LastTime: o.Time + 1500}, Octets: 65536}
	read, atomic, call, lost := base, base, base, base
	read.Kind, read.Name, read.ID = record.ReadTransaction, "RDMA Read", 3
	read.Read = rdmap.ReadRequest{SinkSTag: 0xa, SinkTO: 0xb, RDMARDSZ: 65536, SrcSTag: 0xc, SrcTO: 0xd}
	atomic.Kind, atomic.Name, atomic.ID, atomic.Original = record.AtomicTransaction, "CmpSwap", 5, 41
	atomic.Atomic = rdmap.AtomicRequest{AOpCode: rdmap.CmpSwap, RequestIdentifier: 5, RemoteSTag: 0xa, AddOrSwapData: 1, CompareMask: ^uint64(0)}
	call.Kind, call.Name, call.ID = record.UpperTransaction, "NFSv3 READ", 0x5a000001
	exchange := &rpc.Exchange{XID: 0x5a000001, Result: "NFS3ERR_IO"}
	exchange.Call = rpc.Half{Span: base.Request, Kind: "RDMA_MSG", Inline: 100, Len: 120, Credits: 32}
	call.Upper = exchange
	lost.Kind, lost.Name, lost.Outcome, lost.Response, lost.Octets = record.ReadTransaction, "RDMA Read", record.Unanswered, flow.Span{}, 0
	give := func(e *csv.Encoder) {
		recordtest.To(e).Message(write(t))
		for _, x := range []record.Transaction{read, atomic, call, lost} {
			recordtest.Alone(e).Transaction(&x)
		}
	}
	answered := map[string]string{
		"outcome": "answered", "response_frame": "20", "response_last_frame": "21", "latency": "0.0000015", "len": "65536",
		"response_time": "2023-11-14T22:13:21.500001042Z", "response_seconds": "1.500001042",
	}
	row := func(more map[string]string) map[string]string {
		r := maps.Clone(answered)
		maps.Copy(r, more)
		return r
	}
	rpcRow := row(map[string]string{"kind": "upper", "name": "NFSv3 READ", "id": "1509949441", "result": "NFS3ERR_IO"})
	same(t, rows(t, written(t, csv.Options{View: show.Transactions}, give)),
		row(map[string]string{"kind": "read", "name": "RDMA Read", "id": "3", "sinkstag": "0x0000000a", "sinkto": "0x000000000000000b",
			"rdmardsz": "65536", "srcstag": "0x0000000c", "srcto": "0x000000000000000d"}),
		row(map[string]string{"kind": "atomic", "name": "CmpSwap", "id": "5", "atomic.opcode": "2", "atomic.request_identifier": "5",
			"atomic.remote_stag": "0x0000000a", "atomic.remote_tagged_offset": "0x0000000000000000",
			"atomic.swap_data": "0x0000000000000001", "atomic.swap_mask": "0x0000000000000000",
			"atomic.compare_data": "0x0000000000000000", "atomic.compare_mask": "0xffffffffffffffff",
			"atomic.original_remote_data_value": "0x0000000000000029",
			"atomic.reserved":                   "0x0000000", "atomic.original_request_identifier": "5"}),
		maps.Clone(rpcRow),
		map[string]string{"kind": "read", "name": "RDMA Read", "id": "0", "outcome": "unanswered", "len": "0", "sinkstag": "0x00000000",
			"sinkto": "0x0000000000000000", "rdmardsz": "0", "srcstag": "0x00000000", "srcto": "0x0000000000000000"},
	)
	maps.Copy(rpcRow, map[string]string{
		"xid": "0x5a000001", "call_kind": "RDMA_MSG", "call_inline": "100", "call_len": "120", "call_credits": "32",
		"read_octets": "0", "write_octets": "0", "reply_chunk_octets": "0",
	})
	same(t, rows(t, written(t, csv.Options{View: show.RPCs}, give)), rpcRow)
}

func TestHeader(t *testing.T) {
	for _, v := range []show.View{show.Messages, show.Transactions, show.RPCs} {
		if got, want := written(t, csv.Options{View: v}, func(*csv.Encoder) {}), strings.Join(columns(v), ",")+"\n"; got != want {
			t.Errorf("got  %swant %s", got, want)
		}
		if names := columns(v); len(slices.Compact(slices.Sorted(slices.Values(names)))) != len(names) {
			t.Errorf("a name stands twice among %s", names)
		}
	}
	give := func(e *csv.Encoder) { recordtest.To(e).Message(write(t)); recordtest.To(e).Message(write(t)) }
	whole := written(t, csv.Options{File: "=a,b.pcap"}, give)
	for _, row := range rows(t, whole) {
		if row["file"] != "'=a,b.pcap" {
			t.Errorf("file is %q", row["file"])
		}
	}
	header, rest, _ := strings.Cut(whole, "\n")
	if !strings.HasPrefix(header, "file,frame,") {
		t.Errorf("the header is %s", header)
	}
	if got := written(t, csv.Options{File: "=a,b.pcap", Headless: true}, give); got != rest {
		t.Errorf("without header\n%swant\n%s", got, rest)
	}
}

// columns are the names of the columns of a view.
func columns(v show.View) (names []string) {
	for _, c := range table.Columns(v, false) {
		names = append(names, c.Name)
	}
	return names
}

func TestTimes(t *testing.T) {
	var b strings.Builder
	e := csv.New(&b, csv.Options{})
	m := write(t)
	for _, ns := range []int64{start, start + 1, start - 2_000_000_001, 0} {
		m.Time = ns
		recordtest.To(e).Message(m)
	}
	e.Flush()
	var got []string
	for _, row := range rows(t, b.String()) {
		got = append(got, row["time"]+" "+row["seconds"])
	}
	want := []string{
		"2023-11-14T22:13:20.000000000Z 0.000000000", "2023-11-14T22:13:20.000000001Z 0.000000001",
		"2023-11-14T22:13:17.999999999Z -2.000000001", " ",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A broken writer fails.
type broken struct{ err error }

func (b broken) Write([]byte) (int, error) { return 0, b.err }

func TestWriteErrorsAreKept(t *testing.T) {
	broke := errors.New("broke")
	e := csv.New(broken{broke}, csv.Options{})
	if err := e.Err(); err != nil {
		t.Fatal(err)
	}
	for range 1000 { // more than the buffer holds
		recordtest.To(e).Message(write(t))
	}
	if err := e.Err(); err != broke {
		t.Errorf("Err: got %v", err)
	}
	if err := e.Flush(); err != broke {
		t.Errorf("Flush: got %v", err)
	}
}
