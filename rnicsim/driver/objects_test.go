package driver

// The parts of a Conn, each without the others.

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A recorder is a link that takes a few octets at a time, and keeps them.
type recorder struct {
	link.Link
	sent     []byte
	most     int
	finished bool
}

func (r *recorder) Segment() int { return 1000 }
func (r *recorder) Finish()      { r.finished = true }
func (r *recorder) Reset()       {}

func (r *recorder) Send(b []byte) (int, error) {
	b = b[:min(len(b), r.most)]
	r.sent = append(r.sent, b...)
	return len(b), nil
}

func (r *recorder) SendSome(b []byte) (int, error) { return r.Send(b) }

// newWire returns a wire, and what the Tap is told: octets, or how a direction ends.
func newWire(r *recorder) (w *wire, shown *[]Traffic) {
	shown = new([]Traffic)
	return &wire{link: r, gone: make(chan struct{}), show: func(t Traffic) { *shown = append(*shown, t) }}, shown
}

func TestWire(t *testing.T) {
	r := &recorder{most: 3}
	w, shown := newWire(r)
	if n, err := w.send([]byte("abcd")); n != 3 || err != nil {
		t.Error(n, err)
	}
	if err := w.sendSlowly([]byte("efghijkl"), 0, 5); err != nil || string(r.sent) != "abcefghijkl" || w.octets.Load() != 12 {
		t.Error(err, string(r.sent), w.octets.Load())
	}
	w.finish()
	w.departed(io.EOF)
	w.reset()
	var ends []mpa.Ending
	for _, s := range *shown {
		ends = append(ends, s.End)
	}
	want := []mpa.Ending{0, 0, 0, mpa.EndsFIN, mpa.EndsFIN, mpa.EndsReset}
	if !slices.Equal(ends, want) || !r.finished || (*shown)[3].Sent == (*shown)[4].Sent {
		t.Errorf("%+v", *shown)
	}
	close(w.gone)
	if err := w.pause(time.Hour); !errors.Is(err, ErrInjected) {
		t.Error(err)
	}
}

// A transmitter finishes what the link does not take at once, and then sends the FIN.
func TestTransmitter(t *testing.T) {
	r := &recorder{most: 3}
	w, _ := newWire(r)
	x := newTransmitter(w, new(buffers), nil)
	if x.emss != 1000 || x.buffered() != bufferLen {
		t.Error(x.emss, x.buffered())
	}
	for x.out, x.fin = []byte("abcdefgh"), true; x.sent < len(x.out); {
		if r.finished {
			t.Fatal("the FIN came first")
		}
		n, err := x.rest()
		if err != nil {
			t.Fatal(err)
		}
		x.sent += n
	}
	if string(r.sent) != "abcdefgh" || !r.finished {
		t.Error(string(r.sent), r.finished)
	}
}

// An injector finds messages by itself, and says what follows from a Fault.
func TestInjector(t *testing.T) {
	h := rdmap.Header{Untagged: ddp.Untagged{L: true, DV: 1, MSN: 1}, Control: rdmap.Control{RV: 1, Opcode: rdmap.OpSend}}
	ulpdu, _ := h.AppendBinary(nil)
	framer := mpa.Framer{Options: mpa.Options{CRC: true}}
	fpdu, _ := framer.Append(nil, ulpdu)
	for fault, want := range map[string]struct {
		copies float64
		err    error
		fin    bool
	}{
		"drop": {}, "duplicate": {copies: 2}, "drop:Write": {copies: 1}, "reset:Send": {0.5, ErrInjected, false}, "fin": {0.5, nil, true},
	} {
		f, err := ParseFault(fault)
		if err != nil {
			t.Fatal(err)
		}
		i := newInjector([]Fault{f})
		i.framing, i.begun = framer.Options, true
		r := &recorder{most: 1000}
		w, _ := newWire(r)
		_, err = i.write(w, fpdu)
		if all := bytes.Repeat(fpdu, 2); !errors.Is(err, want.err) || i.fin != want.fin || r.finished != want.fin ||
			!bytes.Equal(r.sent, all[:int(want.copies*float64(len(fpdu)))]) {
			t.Errorf("%s: %v, %+v", fault, err, r)
		}
	}
}

func TestWaits(t *testing.T) {
	w := waits{idle: 50, stall: 20, received: 7}
	if at := w.deadline(); at != 57 {
		t.Error(at)
	}
	w.stuck, w.closeBy, w.answerBy = 10, 40, 35
	for at, want := range map[time.Duration]error{29: nil, 30: ErrStalled, 35: ErrNotAccepted} {
		if err := w.expired(at); w.deadline() != 30 || !errors.Is(err, want) {
			t.Error(at, err)
		}
	}
	w = waits{closeBy: 4}
	if w.deadline() != 4 || !errors.Is(w.expired(4), ErrUnfinished) {
		t.Error(w.expired(4))
	}
}

// The connection that has made no progress for longest is the victim, until little enough is held.
func TestHoard(t *testing.T) {
	var a, b Conn
	h := hoard{most: 10, stalled: queue{which: inStalled}}
	h.set(&a, &a.holds.in, 6, 1)
	h.set(&b, &b.holds.in, 4, 2)
	if h.victim() != nil || a.stuck != 1 {
		t.Error(a.stuck)
	}
	h.set(&a, &a.holds.out, 1, 3)
	if h.victim() != &b {
		t.Error("a has made progress after b")
	}
	h.drop(&b)
	if h.set(&a, &a.holds.in, 0, 4); h.held != 1 || h.victim() != nil || b.stuck != 0 {
		t.Errorf("%+v", h)
	}
}

// The completions of a CQ outlive it.
func TestCompletions(t *testing.T) {
	r := rnicsim.New(rnicsim.Config{})
	own, err := r.CreateCQ(40, 0)
	if err != nil {
		t.Fatal(err)
	}
	c := completions{own: own, wake: make(chan struct{}, 1), left: make([]rnicsim.Completion, 20)}
	if n := c.poll(make([]rnicsim.Completion, 8)); n != 0 {
		t.Error(n)
	}
	if c.detach() != own || c.detach() != nil || c.poll(make([]rnicsim.Completion, 8)) != 8 || len(c.left) != 12 {
		t.Errorf("%+v", c)
	}
	c.notify()
	if c.deliverable() {
		t.Error("there is no handler")
	}
	c.handler = func([]rnicsim.Completion) {}
	if !c.deliverable() {
		t.Error("the handler has to be called")
	}
}
