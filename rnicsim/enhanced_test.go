package rnicsim

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

const none = mpa.NotNegotiated

// EMPA-9.1-2 EMPA-9.1-4 EMPA-9.1-10 EMPA-9.1-12 EMPA-9.1-15 EMPA-9.2-4 EMPA-9.2-12: the Enhanced word of a Reply,
// given that of the Request and the Responder's.
func TestOffer(t *testing.T) {
	for _, c := range []struct {
		name           string
		asked          mpa.Enhanced
		own            *mpa.Enhanced
		accept, reject mpa.Enhanced
	}{
		{"depths", mpa.Enhanced{IRD: 8, ORD: 4}, &mpa.Enhanced{IRD: 16, ORD: 2}, mpa.Enhanced{IRD: 16, ORD: 2}, mpa.Enhanced{IRD: 16, ORD: 2}},
		{"ORD above IRD", mpa.Enhanced{IRD: 8, ORD: 4}, &mpa.Enhanced{IRD: 2, ORD: 20}, mpa.Enhanced{IRD: 2, ORD: 8}, mpa.Enhanced{IRD: 2, ORD: 20}},
		{"ORD not asked for", mpa.Enhanced{IRD: 8, ORD: none}, &mpa.Enhanced{IRD: 2, ORD: 3}, mpa.Enhanced{IRD: none, ORD: 3}, mpa.Enhanced{IRD: none, ORD: 3}},
		{"IRD not asked for", mpa.Enhanced{IRD: none, ORD: 4}, &mpa.Enhanced{IRD: 2, ORD: 3}, mpa.Enhanced{IRD: 2, ORD: none}, mpa.Enhanced{IRD: 2, ORD: none}},
		{"leaves them", mpa.Enhanced{IRD: 8, ORD: 4}, nil, mpa.Enhanced{IRD: none, ORD: none}, mpa.Enhanced{IRD: none, ORD: none}},
		{"zero", mpa.Enhanced{}, &mpa.Enhanced{IRD: 5, ORD: 5}, mpa.Enhanced{IRD: 5}, mpa.Enhanced{IRD: 5, ORD: 5}},
		{"kinds unasked", mpa.Enhanced{IRD: 1, ORD: 1}, peerToPeer("BCD", 1, 1), mpa.Enhanced{IRD: 1, ORD: 1}, mpa.Enhanced{IRD: 1, ORD: 1}},
		{"kinds", *peerToPeer("BD", 1, 1), peerToPeer("CD", 1, 1), *peerToPeer("D", 1, 1), *peerToPeer("D", 1, 1)},
		{"any kind", *peerToPeer("BD", 1, 1), &mpa.Enhanced{IRD: 1, ORD: 1}, *peerToPeer("BD", 1, 1), *peerToPeer("BD", 1, 1)},
		{"no kind in common", *peerToPeer("B", 1, 1), peerToPeer("C", 1, 1), *peerToPeer("C", 1, 1), *peerToPeer("C", 1, 1)},
		{"Reads are not taken in", *peerToPeer("BCD", 1, 0), peerToPeer("CD", 0, 1), *peerToPeer("C", 0, 1), *peerToPeer("C", 0, 1)},
		{"a Read needs one", *peerToPeer("D", 1, 0), peerToPeer("D", 0, 1), *peerToPeer("D", 1, 1), *peerToPeer("D", 1, 1)},
	} {
		for reject, want := range map[bool]mpa.Enhanced{false: c.accept, true: c.reject} {
			s := New(Config{}).NewStream(StreamConfig{Rev: mpa.Rev2, Enhanced: c.own})
			if got := s.offer(&c.asked, reject); got != want {
				t.Errorf("%s, reject %v: %+v, want %+v", c.name, reject, got, want)
			}
		}
	}
}

// EMPA-9.1-14: no side has more outstanding than both have agreed on.
func TestAgreedDepths(t *testing.T) {
	c := newCable(StreamConfig{Rev: mpa.Rev2, Enhanced: &mpa.Enhanced{IRD: 8, ORD: 4}},
		StreamConfig{Rev: mpa.Rev2, Enhanced: &mpa.Enhanced{IRD: 5, ORD: 20}})
	c.establish(t)
	if a := c.b.Agreement(); a.InitORD != 4 || a.RespORD != 8 || a != c.a.Agreement() {
		t.Errorf("%+v and %+v", a, c.a.Agreement())
	}
}

// EMPA-9.1-15: a Responder does not accept an ORD above its IRD. Its rejection says its IRD, so that the Initiator may
// ask for less. With a quirk it accepts, and the Initiator keeps to the IRD.
func TestORDAboveIRD(t *testing.T) {
	asks := func(ord uint16) StreamConfig {
		return StreamConfig{Rev: mpa.Rev2, Enhanced: &mpa.Enhanced{IRD: 8, ORD: ord}}
	}
	c := newCable(asks(3), StreamConfig{Rev: mpa.Rev2, Enhanced: &mpa.Enhanced{IRD: 2, ORD: 20}})
	c.start(t, "")
	if err := c.b.Accept([]byte("welcome")); err != ErrIRD || c.b.Phase() != Streaming {
		t.Fatal(err, c.b.Phase())
	}
	c.run()
	var has mpa.Enhanced
	if r := c.a.Reply(); !r.R || !r.Enhanced(&has) || has != (mpa.Enhanced{IRD: 2, ORD: 20}) || r.ULPPrivateDataLen() > 0 {
		t.Errorf("%+v, %+v", r, has)
	}
	c.a.config = asks(2)
	c.start(t, "")
	if err := c.b.Accept(nil); err != nil || c.b.Agreement().InitORD != 2 {
		t.Error(err, c.b.Agreement())
	}

	c = newCable(asks(3), StreamConfig{Rev: mpa.Rev2, Enhanced: &mpa.Enhanced{IRD: 2, ORD: 20}})
	set := quirk.NewSet([]quirk.Quirk{{Suppress: []quirk.Suppression{{Rule: rules.RuleIRDUnderORD}}}})
	c.b.quirks = &set
	if c.establish(t); c.a.Agreement().InitORD != 2 {
		t.Errorf("%+v", c.a.Agreement())
	}
}

// EMPA-10-5: an RDMAC Responder does not know the enhanced Request, and closes.
func TestRDMACClosesOnEnhanced(t *testing.T) {
	c := newCable(enhanced, rnicKinds["RDMAC"])
	c.start(t, "")
	if !errors.Is(c.b.Err(), ErrRev) || c.b.Ending() != mpa.EndsFIN || len(c.moved[1]) > 0 || c.a.Err() != ErrCut {
		t.Errorf("%v, %v, %x; %v", c.b.Err(), c.b.Ending(), c.moved[1], c.a.Err())
	}
}

// EMPA-6-1: an illegal Enhanced word is not sent.
func TestEnhancedWordThatCannotBe(t *testing.T) {
	for _, e := range []*mpa.Enhanced{{A: true}, {IRD: 1 << 14}, {ORD: 1 << 15}} {
		s := New(Config{}).NewStream(StreamConfig{Rev: mpa.Rev2, Enhanced: e})
		if err := s.Connect(nil); err != ErrEnhanced || s.Phase() != Streaming || len(s.AppendTransmit(nil, 100)) > 0 {
			t.Errorf("%+v: %v, %v", e, err, s.Phase())
		}
	}
	s := New(Config{}).NewStream(StreamConfig{Rev: mpa.Rev1, Enhanced: peerToPeer("B", 1, 1)})
	if err := s.Connect(nil); err != nil || s.Request().S {
		t.Errorf("%v, %+v with revision 1", err, s.Request())
	}
}

// The FPDUs of RFC 6581 with CRC and without Markers, computed apart from this package.
const (
	rtrSend        = "00124143 00000000 00000000 00000001 00000000 587be8c4"
	rtrWrite       = "000ec140 00000000 0000000000000000 a30572ab"
	rtrRead        = "002e4141 00000000 00000001 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000000 00000000 f2c6dd3d"
	rtrReadAnswer  = "000ec142 00000000 0000000000000000 6975d6ca"
	terminate      = "00164147 00000000 00000002 00000001 00000000 "
	terminateLocal = terminate + "20050000 1680d5f1"
	terminateIRD   = terminate + "20060000 6540fb1b"
	terminateRTR   = terminate + "20070000 1bd2babe"
)

func octets(text string) []byte { return must(hex.DecodeString(strings.ReplaceAll(text, " ", ""))) }

// EMPA-9.2-9 EMPA-9.2-15 EMPA-9.2-10 EMPA-9.1-8 EMPA-8-1: the first FPDU of an Initiator after an enhanced Reply, octet by
// octet. It is its only one if it is a Terminate.
func TestFirstFPDU(t *testing.T) {
	for _, c := range []struct {
		name           string
		asked, offered *mpa.Enhanced
		want, answer   string
	}{
		{"Send", peerToPeer("B", 1, 1), peerToPeer("B", 1, 1), rtrSend, ""},
		{"Write", peerToPeer("C", 1, 1), peerToPeer("C", 1, 1), rtrWrite, ""},
		{"Read", peerToPeer("D", 1, 1), peerToPeer("D", 1, 1), rtrRead, rtrReadAnswer},
		{"Write before others", peerToPeer("BCD", 1, 1), peerToPeer("BCD", 1, 1), rtrWrite, ""},
		{"in common", peerToPeer("BD", 1, 1), peerToPeer("CD", 1, 1), rtrRead, rtrReadAnswer},
		{"a Read that may not be", peerToPeer("BD", 1, 1), peerToPeer("BD", 0, 1), rtrSend, ""},
		{"nothing but a Read that may not be", peerToPeer("D", 1, 1), peerToPeer("D", 0, 1), terminateLocal, ""},
		{"none in common", peerToPeer("B", 1, 1), peerToPeer("CD", 1, 1), terminateRTR, ""},
		{"A is not granted", peerToPeer("BCD", 1, 1), &mpa.Enhanced{B: true, C: true, D: true, IRD: 1, ORD: 1}, terminateRTR, ""},
		{"too many Reads", &mpa.Enhanced{IRD: 1, ORD: 1}, &mpa.Enhanced{IRD: 1, ORD: 2}, terminateIRD, ""},
		{"too many Reads, and a Write", peerToPeer("C", 1, 1), peerToPeer("C", 1, 2), terminateIRD, ""},
		{"as many Reads as can be", peerToPeer("C", 0, 1), peerToPeer("C", 1, none), rtrWrite, ""},
		{"none are negotiated", peerToPeer("C", none, 1), peerToPeer("C", 1, 5), rtrWrite, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := defaults()
			o.stream = StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: c.asked}
			a := newSide(t, o, nil)
			if err := a.stream.Connect(nil); err != nil {
				t.Fatal(err)
			}
			a.stream.AppendTransmit(nil, 100)
			a.stream.Input(reply(c.offered))
			if err := a.qp.Modify(Modification{State: RTS, Stream: a.stream}); err != nil {
				t.Fatal(err, a.stream.Err())
			}
			if got := a.stream.AppendTransmit(nil, 1460); !bytes.Equal(got, octets(c.want)) {
				t.Errorf("% x, want %s", got, c.want)
			}
			if c.answer != "" {
				a.stream.Input(octets(c.answer))
			}
			if last := strings.HasPrefix(c.want, terminate); last != (a.stream.Ending() == mpa.EndsFIN) || last == (a.qp.life.state == RTS) {
				t.Errorf("then it is in %v, and the stream ends with %v", a.qp.life.state, a.stream.Ending())
			}
		})
	}
}

// reply returns an accepting Reply of revision 2.
func reply(e *mpa.Enhanced) []byte {
	word := must(e.AppendBinary(nil))
	f := mpa.Frame{Reply: true, S: true, C: true, Rev: mpa.Rev2, PDLength: uint16(len(word)), PrivateData: word}
	return must(f.AppendBinary(nil))
}

// EMPA-5-1 MPA-7.1.2-12: a Ready to Receive lets a Responder send first.
func TestResponderSendsFirst(t *testing.T) {
	for _, kind := range []string{"B", "C", "D"} {
		oa, ob := defaults(), defaults()
		oa.stream = StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: peerToPeer(kind, 4, 4)}
		ob.stream = oa.stream
		a, b := newSide(t, oa, nil), newSide(t, ob, nil)
		must(b.qp.PostRQ(WorkRequest{}))
		must(a.qp.PostRQ(WorkRequest{ID: 1}))
		must(b.qp.PostSQ(WorkRequest{ID: 2, Op: OpSend}))
		if err := join(a, b); err != nil {
			t.Fatal(err)
		}
		if err := b.qp.Modify(Modification{State: RTS, Stream: b.stream}); err != nil {
			t.Fatal(err)
		}
		if run(a, b); len(b.stream.AppendTransmit(nil, 100)) > 0 {
			t.Errorf("%s: the Responder sends before it may", kind)
		}
		if err := a.qp.Modify(Modification{State: RTS, Stream: a.stream}); err != nil {
			t.Fatal(err)
		}
		run(a, b)
		if got := a.poll(); len(got) != 1 || got[0].WRID != 1 || got[0].Status != Success {
			t.Errorf("%s: completions %v", kind, got)
		}
		if a.qp.life.state != RTS || b.qp.life.state != RTS {
			t.Errorf("%s: %v and %v", kind, a.qp.life.state, b.qp.life.state)
		}
	}
}

// A negotiation checks frames by itself.
func TestNegotiation(t *testing.T) {
	frame := func(f mpa.Frame) (*mpa.Frame, []byte) {
		b := must(f.AppendBinary(nil))
		var got mpa.Frame
		got.Decode(b)
		return &got, b
	}
	for name, tc := range map[string]struct {
		n    negotiation
		f    mpa.Frame
		want StreamError
	}{
		"Request":                  {negotiation{config: StreamConfig{Rev: 2}}, mpa.Frame{Rev: 2}, 0},
		"Reply for a Request":      {negotiation{config: StreamConfig{Rev: 2}}, mpa.Frame{Rev: 2, Reply: true}, ErrKey},
		"Request for a Reply":      {negotiation{config: StreamConfig{Rev: 2}, initiator: true}, mpa.Frame{Rev: 2}, ErrKey},
		"later revision":           {negotiation{config: StreamConfig{Rev: 1}}, mpa.Frame{Rev: 2}, ErrRev},
		"RDMAC with RFC 5044":      {negotiation{}, mpa.Frame{Rev: 1}, 0},
		"RDMAC and RFC 5044 Reply": {negotiation{initiator: true}, mpa.Frame{Rev: 1, Reply: true}, ErrRev},
		"RDMAC, not permissive":    {negotiation{config: StreamConfig{Rev: 1}}, mpa.Frame{}, ErrRev},
		"RDMAC, permissive":        {negotiation{config: StreamConfig{Rev: 1, Permissive: true}}, mpa.Frame{}, 0},
		"old Reply": {negotiation{config: StreamConfig{Rev: 2}, initiator: true, request: mpa.Frame{Rev: 2, S: true}},
			mpa.Frame{Rev: 1, Reply: true}, ErrOldReply},
		"plain Reply": {negotiation{config: StreamConfig{Rev: 2}, initiator: true, request: mpa.Frame{Rev: 2, S: true}},
			mpa.Frame{Rev: 2, Reply: true}, ErrEnhanced},
	} {
		f, b := frame(tc.f)
		if got := tc.n.checkFrame(f, b); got != tc.want {
			t.Errorf("%s: %v, want %v", name, got, tc.want)
		}
		if got := tc.n.checkFrame(f, b[:3]); got != 0 {
			t.Errorf("%s, 3 octets: %v", name, got)
		}
	}
}
