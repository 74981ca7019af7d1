package stats_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/stats"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

var conn = &flow.Conn{ID: 3}

const start = 1_800_000_000e9

// transaction is one that took ns nanoseconds, or has no response if ns is negative.
func transaction(kind record.TransactionKind, name string, outcome record.Outcome, ns int64) *record.Transaction {
	t := &record.Transaction{Conn: conn, Kind: kind, Name: name, Outcome: outcome}
	t.Request = flow.Span{Frame: 1, LastFrame: 1, Time: start, LastTime: start}
	if ns >= 0 {
		t.Response = flow.Span{Frame: 2, LastFrame: 2, Time: start + ns, LastTime: start + ns}
	}
	return t
}

func TestTransactions(t *testing.T) {
	c := stats.NewCollector()
	read := transaction(record.ReadTransaction, "RDMA Read", record.Answered, 2000)
	read.Octets = 4096
	recordtest.Alone(c).Transaction(read)
	recordtest.Alone(c).Transaction(transaction(record.ReadTransaction, "RDMA Read", record.Refused, 500))
	recordtest.Alone(c).Transaction(transaction(record.ReadTransaction, "RDMA Read", record.Unanswered, -1))
	recordtest.Alone(c).Transaction(transaction(record.UpperTransaction, "NFSv3 READ", record.Answered, 0))
	recordtest.Alone(c).Transaction(transaction(record.UpperTransaction, "NFSv3 WRITE", record.OutcomeUnknown, -1))
	failed := transaction(record.UpperTransaction, "NFSv3 WRITE", record.Answered, 7)
	failed.Status = "NFS3ERR_IO"
	recordtest.Alone(c).Transaction(failed)
	untimed := transaction(record.AtomicTransaction, "FetchAdd", record.Answered, 0)
	untimed.Request, untimed.Response = flow.Span{Frame: 1, LastFrame: 1}, flow.Span{Frame: 2, LastFrame: 2}
	recordtest.Alone(c).Transaction(untimed)
	back := transaction(record.AtomicTransaction, "FetchAdd", record.Answered, 0)
	back.Response.LastTime-- // the clock went back
	recordtest.Alone(c).Transaction(back)
	recordtest.Alone(c).Verdict(&record.Verdict{Conn: conn, Errors: 200, Notes: 1, Withheld: 100}) // which count too
	recordtest.Alone(c).Verdict(&record.Verdict{Conn: conn, Errors: 2, Warnings: 1, AtLeast: true})
	recordtest.Alone(c).Verdict(&record.Verdict{Conn: conn})
	r := c.Report(&dissect.Totals{})

	latency := func(n uint64, s float64) *stats.Latency {
		return &stats.Latency{Count: n, Min: s, P50: s, P90: s, P99: s, Max: s}
	}
	want := []stats.Transactions{
		{"read", stats.Outcomes{Count: 3, Answered: 1, Refused: 1, Errors: 1, Unanswered: 1, Bytes: 4096, Latency: latency(1, 2e-6)}},
		{"atomic", stats.Outcomes{Count: 2, Answered: 2}},
		{"upper", stats.Outcomes{Count: 3, Answered: 2, Errors: 1, Unknown: 1, Latency: &stats.Latency{Count: 2, P90: 7e-9, P99: 7e-9, Max: 7e-9}}},
	}
	if d := cmp.Diff(want, r.Transactions); d != "" {
		t.Errorf("transactions (-want +got)\n%s", d)
	}
	procedures := []stats.Procedure{
		{"NFSv3 WRITE", stats.Outcomes{Count: 2, Answered: 1, Errors: 1, Unknown: 1, Latency: latency(1, 7e-9)}},
		{"NFSv3 READ", stats.Outcomes{Count: 1, Answered: 1, Latency: latency(1, 0)}},
	}
	if d := cmp.Diff(procedures, r.Procedures); d != "" {
		t.Errorf("procedures (-want +got)\n%s", d)
	}
	if want := (stats.Findings{Errors: 202, Warnings: 1, Notes: 1, AtLeast: true}); r.Findings != want {
		t.Errorf("findings %+v, want %+v", r.Findings, want)
	}
}

func TestManyProceduresAreCountedTogether(t *testing.T) {
	c := stats.NewCollector()
	const n = 5000
	for i := range n {
		recordtest.Alone(c).Transaction(transaction(record.UpperTransaction, fmt.Sprint("Program ", i), record.Answered, 1))
	}
	all := c.Report(&dissect.Totals{}).Procedures
	if len(all) > 300 || all[0].Procedure != "others" {
		t.Errorf("%d procedures, of which the first is %s", len(all), all[0].Procedure)
	}
	sum := uint64(0)
	for _, p := range all {
		sum += p.Count
	}
	if sum != n {
		t.Errorf("%d calls, want %d", sum, n)
	}
}

// TestPercentiles compares percentiles with those of a sorted list, where they are exact and where they are not.
func TestPercentiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for _, n := range []int{1, 2, 99, 100, 101, 4096, 4097, 50_000} {
		c := stats.NewCollector()
		all := make([]int64, n)
		for i := range all {
			all[i] = int64(math.Exp(random.Float64() * 25)) // from 1 ns to 72 s
			recordtest.Alone(c).Transaction(transaction(record.ReadTransaction, "RDMA Read", record.Answered, all[i]))
		}
		slices.Sort(all)
		got := c.Report(&dissect.Totals{}).Transactions[0].Latency
		if exact := got.Error == 0; exact != (n <= 4096) {
			t.Errorf("%d: error %v", n, got.Error)
		}
		for _, p := range []struct {
			got     float64
			percent int
		}{{got.Min, 0}, {got.P50, 50}, {got.P90, 90}, {got.P99, 99}, {got.Max, 100}} {
			want := float64(all[max(0, (n*p.percent+99)/100-1)]) / 1e9
			if math.Abs(p.got-want) > want*got.Error {
				t.Errorf("%d: %d%% %v, want %v with an error of %v", n, p.percent, p.got, want, got.Error)
			}
		}
	}
}

func write(stag uint32, octets uint64) *record.Message {
	m := &record.Message{Opcode: rdmap.OpWrite, Len: octets}
	m.Conn, m.First.Header = conn, rdmap.Header{T: true, Tagged: ddp.Tagged{STag: stag}}
	return m
}

func TestBusiestSTags(t *testing.T) {
	c := stats.NewCollector()
	recordtest.To(c).Message(write(0xa2c1, 100))
	recordtest.To(c).Message(write(0xa2c1, 50))
	recordtest.To(c).Message(write(7, 0)) // nothing is written by it
	read := transaction(record.ReadTransaction, "RDMA Read", record.Answered, 1)
	read.Dir, read.Octets, read.Read.SrcSTag = flow.S2C, 200, 0xa2c1
	recordtest.Alone(c).Transaction(read)
	want := []stats.STag{
		{Conn: 3, Dir: "s2c", STag: "0x0000a2c1", ReadBytes: 200},
		{Conn: 3, Dir: "c2s", STag: "0x0000a2c1", WrittenBytes: 150},
	}
	if d := cmp.Diff(want, c.Report(&dissect.Totals{}).STags); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// TestBusiestOfMany writes to far more STags than are counted: those with a fair share of the octets must be found, and
// what is reported of them must be true.
func TestBusiestOfMany(t *testing.T) {
	c := stats.NewCollector()
	truth := map[string]uint64{}
	random := rand.New(rand.NewPCG(3, 4))
	for range 100_000 {
		stag := random.Uint32N(50_000) + 10
		if random.IntN(4) == 0 {
			stag = random.Uint32N(5) // each of these has 5% of all
		}
		octets := random.Uint64N(2000)
		recordtest.To(c).Message(write(stag, octets))
		truth[fmt.Sprintf("0x%08x", stag)] += octets
	}
	top := c.Report(&dissect.Totals{}).STags
	for i := range 5 {
		found := slices.ContainsFunc(top, func(s stats.STag) bool { return s.STag == fmt.Sprintf("0x%08x", i) })
		if !found {
			t.Errorf("STag %d is missing", i)
		}
	}
	for _, s := range top {
		if have := truth[s.STag]; have < s.WrittenBytes || have > s.WrittenBytes+s.MissedBytes {
			t.Errorf("%+v, but there are %d", s, have)
		}
	}
}
