package fuzz

// Messages of any octets on connections of NVMe over RDMA, iSER and SMB Direct: packages nvme, iser and smbdirect.

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
	"github.com/iwarpkit/iwarp/internal/ulptest"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// A named is an upper layer, a first message that it recognises, and a capture of it.
type named struct {
	ulp     *ulp.Layer
	first   []byte
	capture string
}

var namedULPs = []named{
	{nvme.Layer, ulptest.Hex(`7f400000 01 00000000000000000000000000000000000000
		0000000000000000 000000 00000000 40 0000 0000 1f00 000000000000000000000000000000000000`), "nvme-rdma-start"},
	{iser.Layer, append(ulptest.Hex("20110040"), make([]byte, 24)...), "iser-start"},
	{smbdirect.Layer, ulptest.Hex("0001 0001 0000 ff00 54050000 54050000 56a70200"), "smbdirect"},
}

// The steps of a script: what a step does, two octets for a length, and the octets.
const (
	stepClient = iota // a Send of the client
	stepServer
	stepCut   // a Send of the client of which half was captured
	stepWrite // an RDMA Write of the server: STag, TO
	stepRead  // an RDMA Read of the server
	stepGap
	steps
)

func step(kind byte, octets []byte) []byte {
	return append(binary.LittleEndian.AppendUint16([]byte{kind}, uint16(len(octets))), octets...)
}

// play plays a script on a connection.
func play(w *ulptest.Wire, script []byte) {
	for len(script) >= 3 {
		kind, n := script[0]%steps, int(binary.LittleEndian.Uint16(script[1:]))
		script = script[3:]
		octets := script[:min(n, len(script))]
		script = script[len(octets):]
		var memory [12]byte
		copy(memory[:], octets)
		stag, to := binary.BigEndian.Uint32(memory[:]), binary.BigEndian.Uint64(memory[4:])
		switch kind {
		case stepClient:
			w.Send(flow.C2S, octets)
		case stepServer:
			w.Send(flow.S2C, octets)
		case stepCut:
			w.SendCut(flow.C2S, octets, len(octets)/2)
		case stepWrite:
			w.Write(flow.S2C, stag, to, n)
		case stepRead:
			w.Read(flow.S2C, stag, to, n)
		case stepGap:
			w.Gap(flow.Direction(n & 1))
		}
	}
}

// scriptOf is the first messages of a capture.
func scriptOf(f *testing.F, u *named) (script []byte) {
	f.Helper()
	c, err := samples.Open(u.capture)
	if err != nil {
		f.Fatal(err)
	}
	const most = 40
	n := 0
	r := ulptest.Recorder{OnUpper: func(m *record.Upper) {
		if n++; n <= most {
			script = append(script, step(byte(m.Dir), octetsOf(m.Body))...)
		}
	}}
	a := judge.New(&r, judge.Options{ULPs: []*ulp.Layer{u.ulp}})
	e := dissect.NewEngine(a, dissect.Options{})
	var rec pcaps.Record
	for c.Next(&rec) == nil {
		e.Packet(&rec)
	}
	if e.Close(); n < most {
		f.Fatalf("%s: only %d messages", u.capture, n)
	}
	return script
}

func octetsOf(body any) []byte {
	switch b := body.(type) {
	case *nvme.Capsule:
		return b.Octets
	case *iser.PDU:
		return b.Octets
	case *smbdirect.Packet:
		return b.Octets
	}
	return nil
}

// FuzzULPNames sends any messages, and moves any data, on connections that are known to be NVMe, iSER or SMB Direct.
// Nothing panics; messages have names and parts that lie within them, no latency is negative, and every request ends once.
// A response follows its request, but where the capture has a gap it may stand up to 256 frames before it.
func FuzzULPNames(f *testing.F) {
	for i := range namedULPs {
		u := &namedULPs[i]
		script := scriptOf(f, u)
		memory := append(step(stepWrite, make([]byte, 12)), step(stepRead, make([]byte, 12))...)
		f.Add(byte(i), script)
		f.Add(byte(i), append(step(stepGap, nil), script...))
		f.Add(byte(i), append(memory, script...))
	}
	f.Fuzz(func(t *testing.T, which byte, script []byte) {
		u := &namedULPs[int(which)%len(namedULPs)]
		w := ulptest.NewWire(u.ulp, 7174)
		w.OnUpper = func(m *record.Upper) { auditUpper(t, m) }
		w.OnTransaction = func(tr *record.Transaction) {
			early := uint64(0)
			if w.Gaps > 0 {
				early = 256
			}
			backward := tr.Response.Frame != 0 && tr.Response.Frame+early < tr.Request.Frame
			if tr.Name == "" || tr.Request.Frame == 0 || backward || tr.Latency() < 0 || tr.Upper == nil {
				t.Errorf("transaction %+v", tr)
			}
		}
		if w.Send(flow.C2S, u.first); w.Follower == nil {
			t.Fatalf("%s was not recognised", u.ulp.Name)
		}
		play(w, script)
		before := len(w.Transactions)
		left := w.Follower.End()
		if ended := len(w.Transactions) - before; left[0]+left[1] > ended {
			t.Errorf("%v outstanding, %d ended", left, ended)
		}
		if again := w.Follower.End(); again != [2]int{} {
			t.Errorf("%v outstanding behind the end", again)
		}
	})
}

// auditUpper checks that a message has a name of moderate length, and parts that are octets of it.
func auditUpper(t *testing.T, m *record.Upper) {
	const longest = 300
	if m.Name == "" || len(m.Name) > longest {
		t.Errorf("name %q", m.Name)
	}
	whole := octetsOf(m.Body)
	var view record.View
	var text []byte
	for _, l := range view.Lay(m.Body) {
		for i := range l.Parts {
			p := &l.Parts[i]
			if len(p.Octets) == 0 || p.End() > len(whole) || !bytes.Equal(whole[p.Off:p.End()], p.Octets) {
				t.Errorf("%s: a part is not in the message", p.Table.Name)
			}
			for f := range p.Fields() {
				text = p.AppendValue(text[:0], f)
				if v, ok := p.Value(f); ok && f.Names != nil && f.Names(v) == "" {
					t.Errorf("%s: %d has no name", f.Name, v)
				}
			}
		}
	}
}
