package rpcclient

// What a client that is asked sends, as a capture shows it.

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/conform"
)

// A wire records what both ends of a client's connections do, one after the other. nil does nothing.
type wire struct {
	*conversation.Conversation
	packets []pcaps.Record
	conns   uint16
	framer  [2]mpa.Framer
	msn     [2]map[uint32]uint32
}

// connect begins a connection with the Private Data of both ends.
func (w *wire) connect(client, server []byte) {
	if w == nil {
		return
	}
	w.conns++
	w.Conversation = conversation.New("10.0.0.1:700", "10.0.0.2:20049").Begin(uint32(w.conns)<<20, uint32(w.conns)<<20)
	w.MSS = 65000
	w.Connect()
	for side, private := range [][]byte{client, server} {
		f := mpa.Frame{Reply: side == 1, C: true, Rev: mpa.Rev1, PDLength: uint16(len(private)), PrivateData: private}
		b, _ := f.AppendBinary(nil)
		w.Send(conversation.Side(side), b)
		w.framer[side].Reset(mpa.Options{CRC: true})
		w.msn[side] = make(map[uint32]uint32)
	}
}

// close ends the connection.
func (w *wire) close() {
	if w == nil || w.Conversation == nil {
		return
	}
	w.Close(conversation.Client)
	w.packets = append(w.packets, w.Records...)
	w.Conversation = nil
}

// message records a message in one FPDU.
func (w *wire) message(from conversation.Side, h rdmap.Header, body []byte) {
	if h.T {
		h.Tagged.DV, h.Tagged.L = 1, true
	} else {
		qn, _ := h.Control.Opcode.QN()
		w.msn[from][qn]++
		h.Untagged = ddp.Untagged{DV: 1, L: true, QN: qn, MSN: w.msn[from][qn]}
	}
	h.Control.RV = 1
	head, _ := h.AppendBinary(nil)
	b, err := w.framer[from].Append(nil, head, body)
	if err != nil {
		panic(err)
	}
	w.Send(from, b)
}

// send records a Send; with an STag one with Invalidate.
func (w *wire) send(from conversation.Side, octets []byte, stag uint32) {
	if w == nil {
		return
	}
	h := rdmap.Header{Control: rdmap.Control{Opcode: rdmap.OpSend}, InvalidateSTag: stag}
	if stag != 0 {
		h.Control.Opcode = rdmap.OpSendInvalidate
	}
	w.message(from, h, octets)
}

// write records an RDMA Write of the server.
func (w *wire) write(stag uint32, to uint64, octets []byte) {
	if w != nil {
		w.message(conversation.Server, rdmap.Header{T: true, Control: rdmap.Control{Opcode: rdmap.OpWrite}, Tagged: ddp.Tagged{STag: stag, TO: to}}, octets)
	}
}

// read records an RDMA Read of the server.
func (w *wire) read(stag uint32, to uint64, octets []byte) {
	if w == nil {
		return
	}
	const sink = 1
	r := rdmap.ReadRequest{SinkSTag: sink, RDMARDSZ: uint32(len(octets)), SrcSTag: stag, SrcTO: to}
	b, _ := r.AppendBinary(nil)
	w.message(conversation.Server, rdmap.Header{Control: rdmap.Control{Opcode: rdmap.OpReadRequest}}, b)
	w.message(conversation.Client, rdmap.Header{T: true, Control: rdmap.Control{Opcode: rdmap.OpReadResponse}, Tagged: ddp.Tagged{STag: sink}}, octets)
}

// unseen are cases in which the server does nothing that a capture shows to be wrong.
var unseen = map[string]string{
	"RFC8166/3.3.1/one-credit":          "a grant of 1 is legal",
	"RFC8166/3.3.1/more-than-requested": "so is a high one",
	"RFC8166/4.5/err-chunk":             "a server may refuse any Call",
	"RFC8166/4.5/err-vers":              "likewise",
	"RFC8166/6.1/not-eligible":          "nobody knows what is eligible in this program",
	"RFC8166/6.1/not-reduced":           "likewise",
	"RFC8797/4/new-on-each-connection":  "sizes and Private Data are up to the server",
	"RFC8797/4.2/small":                 "likewise",
	"RFC8797/5.1/absent":                "likewise",
	"RFC8797/5.2/others":                "likewise",
	"RFC8797/5.2/behind-others":         "likewise",
	"RFC8797/6/version-2":               "likewise",
	draft01 + "/7.1.1/ends-the-call":    "a server may refuse any Call",
	draft01 + "/7.3.5/ends-the-call":    "likewise",
	draft01 + "/7.4.1/ends-the-call":    "likewise",
	draft01 + "/A.1/not-reduced":        "nobody knows what is eligible in this program",
}

const draft01 = "draft-ietf-nfsv4-rpcrdma-version-two-01"

// Whatever a server answers, our Requester breaks no requirement: in a capture of each case all errors are of the server, and there are some.
func TestCleanCaptures(t *testing.T) {
	for _, q := range Questions() {
		r := newCaseRun(find(q), nil)
		c := newClient(t, r, deviation{})
		c.wire = new(wire)
		c.run()
		c.wire.close()
		if r.verdict != conform.Pass {
			t.Errorf("%s: %v", q.ID(), r.verdict)
		}
		errors := findErrors(c.wire.packets)
		for _, f := range errors[flow.C2S] {
			t.Errorf("%s: %s", q.ID(), f)
		}
		if reason := unseen[q.ID()]; (len(errors[flow.S2C]) == 0) != (reason != "") {
			t.Errorf("%s: the server is said to have made %q; %s", q.ID(), errors[flow.S2C], reason)
		}
	}
}

// findErrors returns the texts of the errors in packets, by who made them.
func findErrors(packets []pcaps.Record) (found [2][]string) {
	e := dissect.NewEngine(record.SinkFunc(func(r *record.Record) {
		for _, f := range r.Findings {
			if f.Severity == rules.Error {
				found[f.Dir] = append(found[f.Dir], f.Text)
			}
		}
	}), dissect.Options{Ports: all.Ports(), Analysis: &judge.Options{ULPs: all.Layers(), Payload: true}})
	for i := range packets {
		p := &packets[i]
		p.Frame = uint64(i + 1)
		e.Packet(p)
	}
	e.Close()
	return found
}
