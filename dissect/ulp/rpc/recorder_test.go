package rpc_test

// The harness: what the ULP reports of captures, of streams written by hand, and of Sends given to it directly.

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/recordtest"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// An upper is a record.Upper, with what matters of its Body.
type upper struct {
	record.Upper
	role rpcrdma.Role
	v1   bool
}

// A recorder keeps copies of what is reported.
type recorder struct {
	findings     []record.Finding
	transactions []record.Transaction
	exchanges    []*rpc.Exchange // of transactions
	uppers       []upper
	messages     []rpc.Message
	order        []string // of Transactions, record.Uppers and Sends
}

func (r *recorder) Record(rec *record.Record) { recordtest.Pieces(rec, r) }

func (r *recorder) Finding(f *record.Finding) { r.findings = append(r.findings, *f) }

func (r *recorder) Transaction(t *record.Transaction) {
	if t.Kind != record.UpperTransaction {
		return
	}
	r.transactions = append(r.transactions, *t)
	r.exchanges = append(r.exchanges, t.Upper.(*rpc.Exchange).Clone())
	r.order = append(r.order, fmt.Sprintf("transaction %#x", t.ID))
}

func (r *recorder) Upper(u *record.Upper) {
	h := u.Body.(*rpc.Packet)
	r.uppers = append(r.uppers, upper{*u, h.Role, h.Dialect == rpcrdma.DialectVersion1})
	r.order = append(r.order, fmt.Sprintf("%d upper", u.LastFrame))
}

func (r *recorder) Message(m *record.Message) {
	if m.Opcode.IsSend() {
		r.order = append(r.order, fmt.Sprintf("%d message", m.LastFrame))
	}
}

// message keeps a Message.
func (r *recorder) message(m *rpc.Message) {
	c := *m
	c.Octets, c.Exchange = bytes.Clone(m.Octets), m.Exchange.Clone()
	c.Unplaced = nil
	for _, u := range m.Unplaced {
		c.Unplaced = append(c.Unplaced, bytes.Clone(u))
	}
	r.messages = append(r.messages, c)
}

// engine is an Engine whose events are analysed for r.
func (r *recorder) engine(o rpc.Options) *dissect.Engine {
	o.OnMessage = r.message
	return dissect.NewEngine(judge.New(r, judge.Options{ULPs: []*ulp.Layer{rpc.New(o)}}), dissect.Options{})
}

// replayed is what is reported of packets.
func replayed(records []pcaps.Record) *recorder {
	r := &recorder{}
	e := r.engine(rpc.Options{})
	for i := range records {
		e.Packet(&records[i])
	}
	e.Close()
	return r
}

// recordFile is what is reported of a capture.
func recordFile(t *testing.T, file string, o rpc.Options) *recorder {
	t.Helper()
	c, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	r := &recorder{}
	if err := r.engine(o).Run(context.Background(), c); err != nil {
		t.Fatal(err)
	}
	return r
}

const streams = "../../judge/testdata/streams"

// readStream reads a stream written by hand.
func readStream(t testing.TB, path string) *transcript.Transcript {
	t.Helper()
	s, err := transcript.ReadFile(filepath.Join(streams, path))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// own are the findings about RPC-over-RDMA.
func (r *recorder) own() (own []record.Finding) {
	for _, f := range r.findings {
		if rule := rpcrules.Lookup(f.Name); rule != nil && len(rule.ID()) > 3 && rule.ID()[:3] == "RPC" {
			own = append(own, f)
		}
	}
	return own
}

// plainEngine is an Engine whose events are analysed for r, who does not want the messages.
func plainEngine(r *recorder) *dissect.Engine {
	return dissect.NewEngine(judge.New(r, judge.Options{ULPs: []*ulp.Layer{rpc.New(rpc.Options{})}}), dissect.Options{})
}
