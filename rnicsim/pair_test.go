package rnicsim

// A bench: RNICs in memory whose streams are joined, without TCP between them.

import (
	"encoding/hex"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// A side is one end of a connection: a QP with all that it needs.
type side struct {
	rnic   *RNIC
	pd     *PD
	cq     *CQ
	qp     *QP
	stream *Stream
	peer   *side

	events []EventType
	pulled func(octets []byte) // what is sent goes through here, if it is there
	leaves func(mpa.Ending)    // and how it ends
	held   bool                // what it sends is not pulled
	busy   bool                // it is being pulled
	ended  mpa.Ending          // what the peer was told of its end
	buffer []byte
}

// options configure a side.
type options struct {
	config Config
	qp     QPConfig // PD, SendCQ and RecvCQ are put in if they are nil
	stream StreamConfig
	cqes   int
	emss   int
}

// defaults returns options with a little of everything.
func defaults() options {
	return options{
		qp: QPConfig{SQ: 16, RQ: 16, RemoteRead: true, RemoteWrite: true, BindWindows: true, Privileged: true,
			SendSGEs: 4, WriteSGEs: 4, RecvSGEs: 4, ORD: 4, IRD: 4},
		stream: StreamConfig{Rev: mpa.Rev1, CRC: true},
		cqes:   256,
		emss:   defaultEMSS,
	}
}

// newSide returns one end, on an RNIC of its own unless one is given.
func newSide(t testing.TB, o options, on *RNIC) *side {
	t.Helper()
	s := &side{rnic: on}
	if s.rnic == nil {
		s.rnic = New(o.config)
	}
	s.rnic.SetAsyncEventHandler(func(e Event) { s.events = append(s.events, e.Type) })
	s.pd = o.qp.PD
	if s.pd == nil {
		s.pd = must(s.rnic.AllocatePD())
	}
	s.cq = o.qp.SendCQ
	if s.cq == nil {
		s.cq = must(s.rnic.CreateCQ(o.cqes, 0))
	}
	o.qp.PD, o.qp.SendCQ = s.pd, s.cq
	if o.qp.RecvCQ == nil {
		o.qp.RecvCQ = s.cq
	}
	s.qp = must(s.rnic.CreateQP(o.qp))
	s.stream = s.rnic.NewStream(o.stream)
	s.stream.SetEMSS(o.emss)
	return s
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// join makes two ends one connection, and runs the start-up until QPs can be attached.
func join(a, b *side) error {
	a.peer, b.peer = b, a
	if err := b.stream.Listen(); err != nil {
		return err
	}
	if err := a.stream.Connect(nil); err != nil {
		return err
	}
	run(a, b)
	if b.stream.Phase() != Deciding {
		return ErrNotStreaming
	}
	if err := b.stream.Accept(nil); err != nil {
		return err
	}
	run(a, b)
	return nil
}

// newPair returns a connection whose QPs are in RTS. a is the Initiator.
func newPair(t testing.TB, oa, ob options) (a, b *side) {
	t.Helper()
	a, b = newSide(t, oa, nil), newSide(t, ob, nil)
	if err := join(a, b); err != nil {
		t.Fatal(err)
	}
	for _, s := range []*side{b, a} {
		if err := s.qp.Modify(Modification{State: RTS, Stream: s.stream}); err != nil {
			t.Fatal(err)
		}
	}
	return a, b
}

// run moves octets until no end has any: one FPDU at a time, each end in its turn.
func run(ends ...*side) {
	for moved := true; moved; {
		moved = false
		for _, s := range ends {
			moved = s.move() || moved
		}
	}
}

// move passes what an end sends next to its peer, and reports whether there was anything.
func (s *side) move() bool {
	if s.held || s.peer == nil {
		return false
	}
	s.busy = true
	s.buffer = s.stream.AppendTransmit(s.buffer[:0], s.stream.emss)
	s.busy = false
	if len(s.buffer) > 0 {
		if s.pulled != nil {
			s.pulled(s.buffer)
		}
		s.peer.stream.Input(s.buffer)
		return true
	}
	e := s.stream.Ending()
	if e == s.ended {
		return false
	}
	s.ended = e
	if s.leaves != nil {
		s.leaves(e)
	}
	switch e {
	case mpa.EndsFIN:
		s.peer.stream.InputFIN()
	case mpa.EndsReset:
		s.peer.stream.InputReset()
	}
	return true
}

// poll polls all completions.
func (s *side) poll() (all []Completion) {
	var c [8]Completion
	for {
		n, err := s.cq.Poll(c[:])
		if err != nil {
			return all
		}
		all = append(all, c[:n]...)
	}
}

// region registers octets.
func (s *side) region(octets []byte, va uint64, rights Rights) STag {
	return must(s.rnic.RegisterOctets(s.pd, octets, va, rights, 0x11))
}

// hexOctets decodes hexadecimal digits, with blanks between them.
func hexOctets(s string) []byte { return must(hex.DecodeString(strings.ReplaceAll(s, " ", ""))) }

// framed returns a ULPDU in an FPDU with a CRC.
func framed(ulpdu []byte) []byte {
	f := mpa.Framer{Options: mpa.Options{CRC: true}}
	return must(f.Append(nil, ulpdu))
}
