package judge_test

// RDMA Reads and Atomics: that each request becomes one Transaction, and what becomes of it.

import (
	"fmt"
	"strings"
	"testing"
	"time"

	diff "github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// summary is a Transaction in a line.
func summary(t *record.Transaction) string {
	return fmt.Sprintf("%v %s %d: frames %d and %d-%d, %d octets, %v, %v",
		t.Dir, t.Name, t.ID, t.Request.Frame, t.Response.Frame, t.Response.LastFrame, t.Octets, t.Outcome, time.Duration(t.Latency()))
}

func TestTransactions(t *testing.T) {
	const (
		read   = "c2s 4141 00000000 00000001 0000000%d 00000000 cafe0001 %016x %08x beef0002 00007f0000004000\n"
		atomic = "c2s 414a 00000000 00000001 0000000%d 00000000 0000000%d 00000007 beef0002 00007f0000004008 0000000000000005 0000000000000000 0000000000000000 ffffffffffffffff\n"
		answer = "s2c 414b 00000000 00000003 00000001 00000000 00000007 0123456789abcdef\n"
	)
	for _, tc := range []struct {
		name, lines string
		want        string
	}{
		{"a Read in two segments", started + fmt.Sprintf(read, 1, 0x2000, 8) + "s2c 8142 cafe0001 0000000000002000 61626364\n s2c c142 cafe0001 0000000000002004 61626364" + closed,
			"c2s RDMA Read 1: frames 6 and 7-8, 8 octets, answered, 2ms"},
		{"a Read of nothing", started + fmt.Sprintf(read, 1, 0x2000, 0) + "s2c c142 00000000 0000000000000000" + closed,
			"c2s RDMA Read 1: frames 6 and 7-7, 0 octets, answered, 1ms"},
		{"a FetchAdd and a CmpSwap", started + fmt.Sprintf(atomic, 1, 0) + answer + fmt.Sprintf(atomic, 2, 2) +
			strings.Replace(answer, "00000001 00000000", "00000002 00000000", 1) + closed, `
			c2s FetchAdd 7: frames 6 and 7-7, 0 octets, answered, 1ms
			c2s CmpSwap 7: frames 8 and 9-9, 0 octets, answered, 1ms`},
		{"Reads and an Atomic, answered in order", started + fmt.Sprintf(read, 1, 0x2000, 4) + fmt.Sprintf(atomic, 2, 0) + fmt.Sprintf(read, 3, 0x3000, 4) +
			"s2c c142 cafe0001 0000000000002000 61626364\n" + answer + "s2c c142 cafe0001 0000000000003000 61626364" + closed, `
			c2s RDMA Read 1: frames 6 and 9-9, 4 octets, answered, 3ms
			c2s FetchAdd 7: frames 7 and 10-10, 0 octets, answered, 3ms
			c2s RDMA Read 3: frames 8 and 11-11, 4 octets, answered, 3ms`},
		{"answered in the wrong order", started + fmt.Sprintf(read, 1, 0x2000, 4) + fmt.Sprintf(read, 2, 0x3000, 4) +
			"s2c c142 cafe0001 0000000000003000 61626364\n s2c c142 cafe0001 0000000000002000 61626364" + closed, `
			c2s RDMA Read 2: frames 7 and 8-8, 4 octets, answered, 1ms
			c2s RDMA Read 1: frames 6 and 9-9, 4 octets, answered, 3ms`},
		{"both ways", started + fmt.Sprintf(read, 1, 0x2000, 4) + strings.Replace(fmt.Sprintf(read, 1, 0x5000, 4), "c2s", "s2c", 1) +
			"s2c c142 cafe0001 0000000000002000 61626364\n c2s c142 cafe0001 0000000000005000 61626364" + closed, `
			c2s RDMA Read 1: frames 6 and 8-8, 4 octets, answered, 2ms
			s2c RDMA Read 1: frames 7 and 9-9, 4 octets, answered, 2ms`},
		{"refused, and another left", started + fmt.Sprintf(read, 1, 0x2000, 4) + fmt.Sprintf(read, 2, 0x3000, 4) +
			"s2c 4147 00000000 00000002 00000001 00000000 0100e000 002e 4141 00000000 00000001 00000002 00000000 cafe0001 0000000000003000 00000004 beef0002 00007f0000004000" + closed, `
			c2s RDMA Read 2: frames 7 and 8-8, 0 octets, refused, 0s
			c2s RDMA Read 1: frames 6 and 0-0, 0 octets, unanswered, 0s`},
		{"the response is missing in the capture", started + fmt.Sprintf(read, 1, 0x2000, 4) + "s2c c142 cafe0001 0000000000002000 61626364\n drop\n" +
			fmt.Sprintf(read, 2, 0x3000, 4) + "s2c c142 cafe0001 0000000000003000 61626364" + closed, `
			c2s RDMA Read 1: frames 6 and 0-0, 0 octets, unknown, 0s
			c2s RDMA Read 2: frames 7 and 8-8, 4 octets, answered, 1ms`},
		{"a CRC is wrong in the response", started + fmt.Sprintf(read, 1, 0x2000, 4) +
			"s2c badcrc c142 cafe0001 0000000000002000 61626364" + closed,
			"c2s RDMA Read 1: frames 6 and 0-0, 0 octets, unknown, 0s"},
		{"the capture ends", started + fmt.Sprintf(read, 1, 0x2000, 4) + "end",
			"c2s RDMA Read 1: frames 6 and 0-0, 0 octets, unanswered, 0s"},
		{"a request cut short", started + "c2s 4141 00000000 00000001 00000001 00000000 cafe0001" + closed,
			"c2s RDMA Read 1: frames 6 and 0-0, 0 octets, unanswered, 0s"},
	} {
		var got, want []string
		for _, one := range report(transcribed(t, tc.lines), judge.Options{}).transactions {
			got = append(got, summary(&one))
		}
		for line := range strings.Lines(strings.TrimSpace(tc.want)) {
			want = append(want, strings.TrimSpace(line))
		}
		if d := diff.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, d)
		}
	}
}

// TestDisorder looks at captures that lack requests, or show them behind their responses, or the other side's octets
// late: that is nobody's fault, and nothing is said of what nobody can know.
func TestDisorder(t *testing.T) {
	second := strings.NewReplacer("00000001 00000000 cafe0001", "00000002 00000000 cafe0001")
	for _, tc := range []struct {
		name, lines string
		swap        int // the record that is exchanged with the next
		want        []string
	}{
		{"the request is lost", started + aRead + "drop\n" + aResponse + second.Replace(aRead) + aResponse + closed, 0,
			[]string{"c2s RDMA Read 2: frames 7 and 0-0, 0 octets, unknown, 0s"}},
		{"the only request is lost", started + aRead + "drop\n" + aResponse + closed, 0, nil},
		{"the response comes first", started + aRead + aResponse + second.Replace(aRead) + aResponse + closed, 5, []string{
			"c2s RDMA Read 1: frames 7 and 0-0, 0 octets, unknown, 0s",
			"c2s RDMA Read 2: frames 8 and 9-9, 4 octets, answered, 1ms"}},
		{"the Responder seems to begin", started + aSend + "s2c 4143 00000000 00000000 00000001 00000000 61" + closed, 5, nil},
		{"the Initiator's first Send is lost", started + aSend + "drop\n s2c 4143 00000000 00000000 00000001 00000000 61" + closed, 0, nil},
		{"the Initiator seems not to wait for the Reply", started + aSend + closed, 4, nil},
	} {
		records := transcribed(t, tc.lines)
		if tc.swap > 0 {
			a, b := &records[tc.swap], &records[tc.swap+1]
			a.Data, b.Data, a.OrigLen, b.OrigLen = b.Data, a.Data, b.OrigLen, a.OrigLen
		}
		r := report(records, judge.Options{})
		var got []string
		for i := range r.transactions {
			got = append(got, summary(&r.transactions[i]))
		}
		if d := diff.Diff(tc.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tc.name, d)
		}
		for i := range r.findings {
			if f := &r.findings[i]; f.Name != "capture-loss" {
				t.Errorf("%s: %s", tc.name, f.Text)
			}
		}
	}
	early := strings.Replace(started, "s2c", aSend+"s2c", 1)
	if r := report(transcribed(t, early+closed), judge.Options{}); len(r.findings) != 1 || r.findings[0].Name != "fpdu-before-reply" {
		t.Errorf("an Initiator that does not wait: %+v", r.findings)
	}
}

// TestTransactionFields looks at what the headers said.
func TestTransactionFields(t *testing.T) {
	r := report(transcribed(t, started+aRead+aResponse+
		strings.Replace(anAtomic, "00000001 00000000 0000", "00000002 00000000 0000", 1)+
		"s2c 414b 00000000 00000003 00000001 00000000 00000007 0123456789abcdef"+closed), judge.Options{})
	read, atomic := &r.transactions[0], &r.transactions[1]
	if want := (rdmap.ReadRequest{SinkSTag: 0xcafe0001, SinkTO: 0x2000, RDMARDSZ: 4, SrcSTag: 0xbeef0002, SrcTO: 0x7f0000004000}); read.Read != want ||
		read.Kind != record.ReadTransaction {
		t.Errorf("%+v", read)
	}
	if atomic.Kind != record.AtomicTransaction || atomic.Atomic.AddOrSwapData != 5 || atomic.Original != 0x0123456789abcdef {
		t.Errorf("%+v", atomic)
	}
	if len(r.findings) != 0 {
		t.Errorf("%+v", r.findings)
	}
}

// TestTransactionsOfCaptures checks that in captures of the kernel every Read Request is answered, except for those where
// the capture, or a Terminate, came in between.
func TestTransactionsOfCaptures(t *testing.T) {
	unanswered := map[string]string{
		"iser-start": "unanswered", "nvme-rdma-start": "unanswered",
		"term-read-badkey": "refused", "term-read-oob": "refused", "term-srv-read-badkey": "refused",
	}
	for name, file := range captureFiles(t) {
		r := &readCounter{}
		runCapture(t, dissect.NewEngine(judge.New(r, judge.Options{}), dissect.Options{}), file)
		if len(r.transactions) != r.requests {
			t.Errorf("%s: %d transactions of %d requests", name, len(r.transactions), r.requests)
		}
		var octets uint64
		for i := range r.transactions {
			one := &r.transactions[i]
			octets += one.Octets
			if want := unanswered[name]; one.Outcome.String() != want && one.Outcome != record.Answered || one.Outcome == record.Answered && one.Octets != uint64(one.Read.RDMARDSZ) {
				t.Errorf("%s: %s", name, summary(one))
			}
		}
		if octets != r.responses {
			t.Errorf("%s: %d octets of transactions, %d of responses", name, octets, r.responses)
		}
	}
}

// A readCounter counts Read Requests, and octets of Read Responses.
type readCounter struct {
	reporter
	requests  int
	responses uint64
}

func (r *readCounter) Record(rec *record.Record) { recordtest.Pieces(rec, r) }

func (r *readCounter) Message(m *record.Message) {
	switch m.Opcode {
	case rdmap.OpReadRequest:
		r.requests++
	case rdmap.OpReadResponse:
		r.responses += m.Len
	}
}

// TestManyRequests checks that requests that nobody answers do not pile up, and become one Transaction each.
func TestManyRequests(t *testing.T) {
	k := startTalk("10.0.0.1:40000", "10.0.0.2:7174")
	const many = 5000
	for i := range uint32(many) {
		b, _ := (&rdmap.ReadRequest{SinkSTag: i, RDMARDSZ: 1}).AppendBinary(nil)
		k.untagged(conversation.Client, rdmap.OpReadRequest, 0, b, 100)
	}
	r := report(k.Records, judge.Options{})
	if len(r.transactions) != many || r.verdicts[0].Outstanding[flow.C2S].Reads > 256 {
		t.Errorf("%d transactions, outstanding %+v", len(r.transactions), r.verdicts[0].Outstanding)
	}
	if text := r.verdicts[0].Text; !strings.Contains(text, "has not yet answered at least 256 RDMA Reads of the client, ") {
		t.Errorf("a bound is told as a fact: %s", text)
	}
	for i := range r.transactions {
		want := record.OutcomeUnknown // given up, for there were too many
		if i >= many-256 {
			want = record.Unanswered
		}
		if one := &r.transactions[i]; one.Read.SinkSTag != uint32(i) || one.Outcome != want {
			t.Fatalf("%d: %s", i, summary(one))
		}
	}
}

// TestTasks checks that requests of upper layers have a Task in common exactly where they have a name in common.
func TestTasks(t *testing.T) {
	r := &reporter{}
	for _, file := range captureFiles(t) {
		runCapture(t, known(r), file)
	}
	type sort struct {
		layer string
		task  uint64
	}
	tasks, names := map[string]sort{}, map[sort]string{}
	for i := range r.transactions {
		x := &r.transactions[i]
		if x.Kind != record.UpperTransaction {
			continue
		}
		task := sort{strings.Fields(x.Name)[0], x.Task}
		if was, ok := tasks[x.Name]; ok && was != task || names[task] != "" && names[task] != x.Name {
			t.Fatalf("%s has %v, which is that of %q", x.Name, task, names[task])
		}
		tasks[x.Name], names[task] = task, x.Name
	}
	if len(tasks) < 30 {
		t.Errorf("%d kinds of requests", len(tasks))
	}
}
