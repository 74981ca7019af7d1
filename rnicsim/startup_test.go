package rnicsim

import (
	"errors"
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// An rnicKind is a kind of RNIC in RFC 5044, appendix C.
var rnicKinds = map[string]StreamConfig{
	"RDMAC": {Rev: mpa.RevRDMAC},
	"NP0":   {Rev: mpa.Rev1},
	"NP1":   {Rev: mpa.Rev1, Markers: true},
	"P0":    {Rev: mpa.Rev1, Permissive: true},
	"P1":    {Rev: mpa.Rev1, Permissive: true, Markers: true},
}

// figures are figures 15 to 17: version of DDP, and Markers in what the Initiator and the Responder receive.
var figures = []struct{ initiator, responder, want string }{
	{"RDMAC", "RDMAC", "V0 1/1"}, {"RDMAC", "NP0", "close"}, {"RDMAC", "NP1", "close"},
	{"NP0", "RDMAC", "close"}, {"NP0", "NP0", "V1 0/0"}, {"NP0", "NP1", "V1 0/1"},
	{"NP1", "RDMAC", "close"}, {"NP1", "NP0", "V1 1/0"}, {"NP1", "NP1", "V1 1/1"},

	{"RDMAC", "P0", "V0 1/1"}, {"RDMAC", "P1", "V0 1/1"},
	{"P0", "RDMAC", "V0 1/1"}, {"P0", "P0", "V1 0/0"}, {"P0", "P1", "V1 0/1"},
	{"P1", "RDMAC", "V0 1/1"}, {"P1", "P0", "V1 1/0"}, {"P1", "P1", "V1 1/1"},

	{"NP0", "P0", "V1 0/0"}, {"NP0", "P1", "V1 0/1"}, {"NP1", "P0", "V1 1/0"}, {"NP1", "P1", "V1 1/1"},
	{"P0", "NP0", "V1 0/0"}, {"P0", "NP1", "V1 0/1"}, {"P1", "NP0", "V1 1/0"}, {"P1", "NP1", "V1 1/1"},
}

// MPA-C.2.1-1 MPA-C.2.4-1 MPA-7.1.1-16: all cells of the figures.
func TestAppendixC(t *testing.T) {
	for _, f := range figures {
		c := newCable(rnicKinds[f.initiator], rnicKinds[f.responder])
		c.start(t, "")
		if c.b.Phase() == Deciding {
			c.b.Accept(nil)
			c.run()
		}
		got := "close"
		if a := c.a.Agreement(); c.a.Phase() == Established && c.b.Phase() == Established {
			if a != c.b.Agreement() {
				t.Errorf("%s, %s: %+v and %+v", f.initiator, f.responder, a, c.b.Agreement())
			}
			if a.CRC != (a.DDPVersion == 0) {
				t.Errorf("%s, %s: CRC %v", f.initiator, f.responder, a.CRC)
			}
			got = fmt.Sprintf("V%d %d/%d", a.DDPVersion, number01(a.MarkersFromResp), number01(a.MarkersFromInit))
			carries(t, c)
		} else if c.a.Phase() != Closed || !errors.Is(c.a.Err(), ErrRev) || c.a.Ending() != mpa.EndsFIN || !c.b.Finished() && !errors.Is(c.b.Err(), ErrRev) {
			t.Errorf("%s, %s: %v %v, %v %v", f.initiator, f.responder, c.a.Phase(), c.a.Err(), c.b.Phase(), c.b.Err())
		}
		if got != f.want {
			t.Errorf("%s, %s: %s, want %s", f.initiator, f.responder, got, f.want)
		}
	}
}

func number01(b bool) int {
	if b {
		return 1
	}
	return 0
}

// carries checks that FPDUs get across in both directions, with and without the Markers that were agreed on.
func carries(t *testing.T, c *cable) {
	t.Helper()
	a, b := new(cargo), new(cargo)
	c.a.attach(a)
	c.b.attach(b)
	for _, n := range []int{18, 600, 14, 1400} {
		a.queue, b.queue = append(a.queue, make([]byte, n)), append(b.queue, make([]byte, n+1))
	}
	c.run()
	if len(a.got) != 4 || len(b.got) != 4 || a.bad+b.bad > 0 || len(b.got[3]) != 1400 || len(a.got[3]) != 1401 {
		t.Errorf("%d and %d FPDUs came, %d with a wrong CRC", len(a.got), len(b.got), a.bad+b.bad)
	}
}

// RFC 5044, appendix C.2.1: an RNIC that is not permissive shows its revision before it closes.
func TestShowsItsRevision(t *testing.T) {
	c := newCable(rnicKinds["RDMAC"], rnicKinds["NP1"])
	c.start(t, "")
	var f mpa.Frame
	if _, err := f.Decode(c.moved[1]); err != nil || !f.Reply || f.R || f.Rev != mpa.Rev1 || !f.M {
		t.Errorf("%+v, %v", f, err)
	}
	if !errors.Is(c.b.Err(), ErrRev) || !errors.Is(c.a.Err(), ErrRev) {
		t.Errorf("%v and %v", c.a.Err(), c.b.Err())
	}
}

// MPA-7.1.1-11: what M and C of both frames, and of each, lead to.
func TestMarkersAndCRC(t *testing.T) {
	for i := range 16 {
		a := StreamConfig{Rev: mpa.Rev1, Markers: i&1 != 0, CRC: i&2 != 0}
		b := StreamConfig{Rev: mpa.Rev1, Markers: i&4 != 0, CRC: i&8 != 0}
		c := newCable(a, b)
		c.start(t, "")
		c.b.Accept(nil)
		c.run()
		want := rules.Agreement{Rev: 1, MarkersFromInit: b.Markers, MarkersFromResp: a.Markers, CRC: a.CRC || b.CRC,
			DDPVersion: 1, InitORD: -1, RespORD: -1}
		if c.a.Agreement() != want || c.b.Agreement() != want {
			t.Errorf("%+v and %+v, want %+v", c.a.Agreement(), c.b.Agreement(), want)
		}
		carries(t, c)
	}
}

// MPA-7.1.1-17 MPA-7.1.2-20: Private Data gets across, as much as can be, and in any pieces.
func TestPrivateData(t *testing.T) {
	for _, piece := range []int{1, 7, 1000} {
		for _, config := range []StreamConfig{plain, enhanced} {
			most := string(count256(mpa.MaxPrivateData - len(config.word())))
			c := newCable(config, config)
			c.piece = piece
			c.start(t, most)
			if err := c.b.Accept([]byte("yes")); err != nil {
				t.Fatal(err)
			}
			c.run()
			request, reply := c.b.Request(), c.a.Reply()
			if string(request.ULPPrivateData()) != most || string(reply.ULPPrivateData()) != "yes" {
				t.Errorf("Private Data %x and %x", request.ULPPrivateData(), reply.ULPPrivateData())
			}
			again := newCable(config, config)
			if err := again.a.Connect([]byte(most + "!")); err != ErrPrivateData || again.a.Phase() != Streaming {
				t.Errorf("%v with an octet too many, %v", err, again.a.Phase())
			}
			again.start(t, "")
			if err := again.b.Accept([]byte(most + "!")); err != ErrPrivateData || again.b.Phase() != Deciding {
				t.Errorf("%v with an octet too many, %v", err, again.b.Phase())
			}
		}
	}
}

func (c *StreamConfig) word() (b []byte) {
	if c.Enhanced != nil {
		b, _ = c.Enhanced.AppendBinary(nil)
	}
	return b
}

// MPA-7.1.2-5 MPA-7.1.2-10: a rejection leaves TCP open. Both sides can use it, and try again, in either role.
func TestRejectAndTryAgain(t *testing.T) {
	c := newCable(StreamConfig{Rev: mpa.Rev1, CRC: true, Markers: true}, enhanced)
	c.start(t, "please")
	if err := c.b.Reject([]byte("no")); err != nil {
		t.Fatal(err)
	}
	c.run()
	if reply := c.a.Reply(); !reply.R || string(reply.PrivateData) != "no" || c.a.Phase() != Streaming || c.b.Phase() != Streaming {
		t.Fatalf("%+v, %v and %v", reply, c.a.Phase(), c.b.Phase())
	}
	c.a.Write([]byte("then you ask"))
	c.run()
	if got := readAll(c.b); got != "then you ask" {
		t.Errorf("%q", got)
	}
	c.a, c.b = c.b, c.a
	c.a.config.Rev, c.moved, c.ended = mpa.Rev1, [2][]byte{}, [2]mpa.Ending{}
	c.start(t, "")
	c.b.Accept(nil)
	c.run()
	if c.a.Phase() != Established || c.b.Phase() != Established {
		t.Fatal(c.a.Phase(), c.b.Phase())
	}
	carries(t, c)
}

func readAll(s *Stream) (text string) {
	var b [5]byte
	for n := s.Read(b[:]); n > 0; n = s.Read(b[:]) {
		text += string(b[:n])
	}
	return text
}

// V-064 V-065 V-147 MPA-7.1-1 MPA-7.1-2: streaming octets come first, and where they end MPA begins, wherever TCP has cut.
func TestDelayedStart(t *testing.T) {
	for _, piece := range []int{1, 3, 100} {
		c := newCable(plain, plain)
		c.piece = piece
		c.a.Write([]byte("hello, "))
		c.run()
		c.b.Write([]byte("go on"))
		c.run()
		if got := readAll(c.a); got != "go on" {
			t.Errorf("%q", got)
		}
		c.a.Write([]byte("world"))
		if err := c.a.Connect([]byte("mpa")); err != nil {
			t.Fatal(err)
		}
		c.run() // before the Responder listens
		var b [12]byte
		if n := c.b.Read(b[:]); string(b[:n]) != "hello, world" {
			t.Errorf("%q", b[:n])
		}
		if err := c.b.Listen(); err != nil {
			t.Fatal(err)
		}
		if request := c.b.Request(); c.b.Phase() != Deciding || string(request.PrivateData) != "mpa" {
			t.Fatalf("%v, %+v", c.b.Phase(), request)
		}
		c.b.Accept(nil)
		c.run()
		carries(t, c)
	}
}

// What is legal by the rules of codec/rules: all start-ups that can be asked for.
func TestStartupsAreLegal(t *testing.T) {
	words := []*mpa.Enhanced{
		nil, {IRD: 8, ORD: 4}, {IRD: 0, ORD: 0}, {IRD: mpa.NotNegotiated, ORD: 3}, {IRD: 3, ORD: mpa.NotNegotiated},
		peerToPeer("B", 1, 1), peerToPeer("C", 0, 0), peerToPeer("D", 16, 16), peerToPeer("BCD", mpa.NotNegotiated, mpa.NotNegotiated),
		peerToPeer("D", 4, 0), peerToPeer("BD", 2, 0x3ffe), peerToPeer("D", 0, 4),
	}
	for _, wa := range words {
		for _, wb := range words {
			for _, rev := range []uint8{mpa.Rev1, mpa.Rev2} {
				for _, reject := range []bool{false, true} {
					a, b := defaults(), defaults()
					a.stream = StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: wa}
					b.stream = StreamConfig{Rev: rev, CRC: true, Enhanced: wb, Markers: true}
					if wa != nil && wa.ORD == 0 {
						a.qp.ORD = 0
					}
					checkStartup(t, a, b, reject)
				}
			}
		}
	}
}

// checkStartup connects two ends, lets each send what it has to, and checks.
func checkStartup(t *testing.T, oa, ob options, reject bool) {
	t.Helper()
	a, b := newSide(t, oa, nil), newSide(t, ob, nil)
	a.peer, b.peer = b, a
	j := &startupJudge{t: t, sides: map[*side]*mpa.Deframer{}, name: fmt.Sprintf("%+v, %+v", oa.stream.Enhanced, ob.stream)}
	a.pulled, b.pulled = func(octets []byte) { j.take(a, octets) }, func(octets []byte) { j.take(b, octets) }
	b.stream.Listen()
	if err := a.stream.Connect(nil); err != nil {
		t.Fatalf("%s: %v", j.name, err)
	}
	run(a, b)
	switch {
	case b.stream.Phase() != Deciding: // not its revision
		if ob.stream.Rev != mpa.Rev1 || !errors.Is(b.stream.Err(), ErrRev) {
			t.Errorf("%s: %v, %v", j.name, b.stream.Phase(), b.stream.Err())
		}
		return
	case reject:
		b.stream.Reject(nil)
		run(a, b)
		return
	}
	must(b.qp.PostRQ(WorkRequest{}, WorkRequest{}))
	for _, s := range []*side{b, a} {
		if lacks := b.stream.lacksIRD(); s == b && lacks {
			if err := b.qp.Modify(Modification{State: RTS, Stream: b.stream}); err != ErrIRD || b.qp.life.state != Idle {
				t.Errorf("%s: %v, %v", j.name, err, b.qp.life.state)
			}
			run(a, b)
			return
		}
		if err := s.qp.Modify(Modification{State: RTS, Stream: s.stream}); err != nil {
			t.Fatalf("%s: %v, %v %v", j.name, err, s.stream.Phase(), s.stream.Err())
		}
		run(a, b)
	}
	a.qp.PostSQ(WorkRequest{Op: OpSend})
	run(a, b)
	if j.fpdus == 0 {
		t.Errorf("%s: no FPDU was sent", j.name)
	}
}

// A startupJudge gives all that is sent to a rules.Startup.
type startupJudge struct {
	t     *testing.T
	name  string
	rules rules.Startup
	fpdus int
	sides map[*side]*mpa.Deframer
}

func (j *startupJudge) take(from *side, octets []byte) {
	var found []rules.Violation
	var frame mpa.Frame
	if _, err := frame.Decode(octets); err == nil {
		j.report(j.rules.Frame(&frame, nil))
		return
	}
	d := j.sides[from]
	if d == nil {
		d = new(mpa.Deframer)
		d.Reset(from.stream.framer.Options)
		j.sides[from] = d
	}
	d.Push(octets)
	for f := (mpa.Deframed{}); d.Next(&f); {
		var s rdmap.Segment
		s.Decode(f.ULPDU)
		found = j.rules.Segment(from.stream.initiator, &s, len(f.ULPDU), found)
		j.fpdus++
	}
	j.report(found)
}

func (j *startupJudge) report(found []rules.Violation) {
	for _, v := range found {
		if v.Severity > rules.Note {
			j.t.Errorf("%s: %s: seen %s, expected %s", j.name, v.Name, v.Seen, v.Expected)
		}
	}
}
