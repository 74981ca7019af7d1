package rnicsim

// Two connected Streams, and what they carry in place of QPs.

import (
	"bytes"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// A cargo keeps what it receives and sends what it is given.
type cargo struct {
	queue    [][]byte // ULPDUs to send
	got      [][]byte
	bad      int // FPDUs with a wrong CRC
	mulpdu   int // of the latest call
	finished bool
	end      string
}

func (c *cargo) receive(f *mpa.Deframed) {
	c.got = append(c.got, bytes.Clone(f.ULPDU))
	if f.Verdict == mpa.Bad {
		c.bad++
	}
}

func (c *cargo) segment(mulpdu int) ([][]byte, bool) {
	if c.mulpdu = mulpdu; len(c.queue) == 0 {
		return nil, false
	}
	return c.queue[:1], true
}

func (c *cargo) reframe([]byte, mpa.Options, uint64) {}
func (c *cargo) sent()                               { c.queue = c.queue[1:] }
func (c *cargo) fin()                                { c.finished = true }
func (c *cargo) closed(err error) {
	switch err {
	case ErrLost:
		c.end = "lost"
	case ErrReset:
		c.end = "reset"
	default:
		c.end = "closed"
	}
}

// A cable joins two Streams. It moves octets in pieces, and keeps all that it has moved.
type cable struct {
	a, b  *Stream
	piece int       // octets moved at a time
	moved [2][]byte // by a, and by b
	ended [2]mpa.Ending
}

func newCable(a, b StreamConfig) *cable {
	return &cable{a: New(Config{}).NewStream(a), b: New(Config{}).NewStream(b), piece: 1 << 20}
}

// run moves octets until neither end has any.
func (c *cable) run() {
	for c.move(0, c.a, c.b) || c.move(1, c.b, c.a) {
	}
}

func (c *cable) move(side int, from, to *Stream) bool {
	b := from.AppendTransmit(nil, 1<<16)
	c.moved[side] = append(c.moved[side], b...)
	for rest := b; len(rest) > 0; {
		n := to.Input(rest[:min(len(rest), c.piece)])
		if rest = rest[n:]; n == 0 {
			return false // to does not take it
		}
	}
	e := from.Ending()
	if len(b) > 0 || e == c.ended[side] {
		return len(b) > 0
	}
	switch c.ended[side] = e; e {
	case mpa.EndsFIN:
		to.InputFIN()
	case mpa.EndsReset:
		to.InputReset()
	}
	return true
}

// start runs the start-up, with a as the Initiator, up to the decision of b.
func (c *cable) start(t testing.TB, private string) {
	t.Helper()
	if err := c.b.Listen(); err != nil {
		t.Fatal(err)
	}
	if err := c.a.Connect([]byte(private)); err != nil {
		t.Fatal(err)
	}
	c.run()
}

// establish runs the start-up and attaches a cargo to both ends.
func (c *cable) establish(t testing.TB) (a, b *cargo) {
	t.Helper()
	c.start(t, "")
	if err := c.b.Accept(nil); err != nil {
		t.Fatal(err)
	}
	c.run()
	if c.a.Phase() != Established || c.b.Phase() != Established {
		t.Fatal(c.a.Phase(), c.a.Err(), c.b.Phase(), c.b.Err())
	}
	a, b = new(cargo), new(cargo)
	c.a.attach(a)
	c.b.attach(b)
	return a, b
}

var (
	plain    = StreamConfig{Rev: mpa.Rev1, CRC: true}
	enhanced = StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: &mpa.Enhanced{IRD: 8, ORD: 4}}
)

// peerToPeer returns an Enhanced word with A and the given kinds of Ready to Receive.
func peerToPeer(kinds string, ird, ord uint16) *mpa.Enhanced {
	has := func(kind string) bool { return bytes.Contains([]byte(kinds), []byte(kind)) }
	return &mpa.Enhanced{A: true, B: has("B"), C: has("C"), D: has("D"), IRD: ird, ORD: ord}
}

const tick = time.Millisecond
