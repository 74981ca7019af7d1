package rnicsim

// Judges the traffic of a pair, as if it were a capture.

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/conversation"
	"github.com/iwarpkit/iwarp/internal/recordtest"
)

// An observer keeps the findings in the traffic of a pair.
type observer struct {
	talk     *conversation.Conversation
	found    []string
	names    []string // of what is found
	messages int
}

func (j *observer) Record(rec *record.Record) { recordtest.Pieces(rec, j) }

func (j *observer) Finding(f *record.Finding) {
	if f.Severity > rules.Note {
		j.names = append(j.names, f.Name)
		j.found = append(j.found, fmt.Sprintf("frame %d: %s: seen %s, expected %s", f.Frame, f.Name, f.Seen, f.Expected))
	}
}

func (j *observer) Transaction(*record.Transaction) { j.messages++ }

// listen records what both ends of a connection send. They must not be joined yet.
func listen(a, b *side) *observer {
	j := &observer{talk: conversation.New("10.0.0.1:40000", "10.0.0.2:7174").Connect()}
	for i, s := range []*side{a, b} {
		from := conversation.Side(i)
		s.pulled = func(octets []byte) { j.talk.Send(from, octets) }
		s.leaves = func(e mpa.Ending) {
			if e == mpa.EndsFIN {
				j.talk.Finish(from)
			} else {
				j.talk.Reset(from)
			}
		}
	}
	return j
}

// verdict returns all findings.
func (j *observer) verdict() []string {
	e := dissect.NewEngine(judge.New(j, judge.Options{}), dissect.Options{})
	for i := range j.talk.Records {
		e.Packet(&j.talk.Records[i])
	}
	e.Close()
	return j.found
}

// Thousands of messages of all kinds, in both directions, break no rule that can be checked from outside.
func TestNoFindings(t *testing.T) {
	for _, c := range []struct {
		name    string
		rev     uint8
		markers bool
		emss    int
		rtr     *mpa.Enhanced
	}{
		{"plain", mpa.Rev1, false, 1448, nil},
		{"markers", mpa.Rev1, true, 536, nil},
		{"small", mpa.Rev1, false, 200, nil},
		{"RDMAC", mpa.RevRDMAC, true, 1448, nil},
		{"RTR by Write", mpa.Rev2, false, 1448, &mpa.Enhanced{A: true, C: true, IRD: 4, ORD: 4}},
		{"RTR by Read", mpa.Rev2, false, 1448, &mpa.Enhanced{A: true, D: true, IRD: 3, ORD: 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := defaults()
			o.emss = c.emss
			o.stream = StreamConfig{Rev: c.rev, Markers: c.markers, CRC: true, Enhanced: c.rtr}
			a, b := newSide(t, o, nil), newSide(t, o, nil)
			j := listen(a, b)
			if err := join(a, b); err != nil {
				t.Fatal(err)
			}
			for _, s := range []*side{b, a} {
				if err := s.qp.Modify(Modification{State: RTS, Stream: s.stream}); err != nil {
					t.Fatal(err)
				}
			}
			converse(t, a, b, c.rev != mpa.RevRDMAC)
			if found := j.verdict(); len(found) > 0 {
				t.Errorf("%d findings, the first: %s", len(found), found[0])
			}
			if j.messages < 30 {
				t.Errorf("only %d Reads and Atomics were seen", j.messages)
			}
		})
	}
}

// converse sends messages at random, and closes.
func converse(t *testing.T, a, b *side, extensions bool) {
	random := rand.New(rand.NewPCG(1, 2))
	type half struct {
		*side
		octets []byte
		stag   STag
	}
	ends := []half{{side: a}, {side: b}}
	for i := range ends {
		ends[i].octets = make([]byte, 8192)
		ends[i].stag = ends[i].region(ends[i].octets, 0x10000, allRights)
	}
	must(a.qp.PostSQ(WorkRequest{Op: OpWrite})) // the Responder may speak
	run(a, b)
	for round := range 300 {
		for i, e := range ends {
			other := ends[1-i]
			sge := SGE{e.stag, 0x10000 + uint64(random.IntN(4096)), uint32(random.IntN(4096))}
			wr := WorkRequest{ID: uint64(round), Op: Op(1 + random.IntN(int(OpImmediateSE))), SGL: []SGE{sge}, Local: sge,
				Remote: other.stag, RemoteTO: 0x10000 + uint64(random.IntN(4096))&^7, Data: random.Uint64(), Mask: random.Uint64()}
			switch {
			case wr.Op.isLocal(), wr.Op == OpReadInvalidate, wr.Op.opcode().HasInvalidateSTag(), !extensions && wr.Op >= OpFetchAdd:
				wr.Op = OpSend
			case wr.Op.isAtomic():
				wr.Local.Len = 8
			}
			if wr.Op.opcode().ConsumesReceive() {
				must(other.qp.PostRQ(WorkRequest{SGL: []SGE{{other.stag, 0x10000, 8192}}}))
			}
			must(e.qp.PostSQ(wr))
		}
		if round%3 == 0 {
			run(a, b)
		}
		for _, e := range ends {
			for _, c := range e.poll() {
				if c.Status != Success {
					t.Fatal(c)
				}
			}
		}
	}
	run(a, b)
	if err := a.qp.Modify(Modification{State: Closing}); err != nil {
		t.Fatal(err)
	}
	run(a, b)
	for _, e := range ends {
		if e.qp.life.state != Idle {
			t.Error("the QP is in", e.qp.life.state, e.events)
		}
	}
}

// The first FPDUs of either side are those that were derived by hand from the RFCs.
func TestGoldenOctets(t *testing.T) {
	for _, c := range []struct {
		name string
		wr   WorkRequest
		want []byte
	}{
		{"Send", WorkRequest{Op: OpSend}, hexOctets("0012 4143 00000000 00000000 00000001 00000000 587be8c4")},
		{"Write", WorkRequest{Op: OpWrite}, hexOctets("000e c140 00000000 00000000 00000000 a30572ab")},
		{"Read", WorkRequest{Op: OpRead}, hexOctets("002e 4141 00000000 00000001 00000001" +
			"00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 f2c6dd3d")},
	} {
		a, b := newPair(t, defaults(), defaults())
		must(b.qp.PostRQ(WorkRequest{}))
		var sent, answered []byte
		a.pulled = func(octets []byte) { sent = append(sent, octets...) }
		b.pulled = func(octets []byte) { answered = append(answered, octets...) }
		must(a.qp.PostSQ(c.wr))
		run(a, b)
		if !bytes.Equal(sent, c.want) {
			t.Errorf("%s: sent %x, want %x", c.name, sent, c.want)
		}
		if want := hexOctets("000e c142 00000000 00000000 00000000 6975d6ca"); c.wr.Op == OpRead && !bytes.Equal(answered, want) {
			t.Errorf("%s: answered %x, want %x", c.name, answered, want)
		}
	}
}

// The octets of Terminates are those that were derived by hand from the RFCs.
func TestGoldenTerminates(t *testing.T) {
	head := "0016 4147 00000000 00000002 00000001 00000000"
	for _, c := range []struct {
		situation rules.Situation
		want      string
	}{
		{rules.MPAIRD, head + "20060000 6540fb1b"},
		{rules.MPARTR, head + "20070000 1bd2babe"},
		{rules.FPDUCRC, head + "20020000 7fe42585"},
	} {
		a, b := newSide(t, defaults(), nil), newSide(t, defaults(), nil)
		if err := join(a, b); err != nil {
			t.Fatal(err)
		}
		if c.situation != rules.FPDUCRC {
			a.stream.objection = c.situation
		}
		if err := a.qp.Modify(Modification{State: RTS, Stream: a.stream}); err != nil {
			t.Fatal(err)
		}
		if c.situation == rules.FPDUCRC {
			a.stream.Input(append(framed(make([]byte, 18))[:22], 1, 2))
		}
		var sent []byte
		a.pulled = func(octets []byte) { sent = append(sent, octets...) }
		run(a, b)
		if want := hexOctets(c.want); !bytes.Equal(sent, want) {
			t.Errorf("%s: sent %x, want %x", c.situation, sent, want)
		}
		if a.qp.life.state != Terminate || a.stream.Ending() != mpa.EndsFIN {
			t.Errorf("%s: the QP is in %v", c.situation, a.qp.life.state)
		}
	}
}
