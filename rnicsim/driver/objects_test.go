package driver

// The parts of a Conn, each without the others.

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/crowd"
	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
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
	if err := cmp.Or(w.Send([]byte("efghi")), w.Send([]byte("jkl"))); err != nil || string(r.sent) != "efghijkl" || w.octets.Load() != 8 {
		t.Error(err, string(r.sent), w.octets.Load())
	}
	w.Finish()
	w.departed(io.EOF)
	w.reset()
	var ends []mpa.Ending
	for _, s := range *shown {
		ends = append(ends, s.End)
	}
	want := []mpa.Ending{0, 0, mpa.EndsFIN, mpa.EndsFIN, mpa.EndsReset}
	if !slices.Equal(ends, want) || !r.finished || (*shown)[2].Sent == (*shown)[3].Sent {
		t.Errorf("%+v", *shown)
	}
	close(w.gone)
	if err := w.Pause(time.Hour); !errors.Is(err, ErrInjected) {
		t.Error(err)
	}
}

// A transmitter finishes what the link does not take at once, and then sends the FIN.
func TestTransmitter(t *testing.T) {
	r := &recorder{most: 3}
	w, shown := newWire(r)
	x := newTransmitter(w, new(buffers), nil)
	if x.emss != 1000 || x.buffered() != bufferLen {
		t.Error(x.emss, x.buffered())
	}
	for x.out, x.fresh, x.fin = []byte("abcdefgh"), true, true; x.sent < len(x.out); {
		if r.finished {
			t.Fatal("the FIN came first")
		}
		n, err := x.rest()
		if err != nil {
			t.Fatal(err)
		}
		x.sent += n
	}
	if string(r.sent) != "abcdefgh" || w.octets.Load() != 8 || len(*shown) != 2 || !r.finished {
		t.Error(string(r.sent), *shown, r.finished)
	}
}

// An injector finds messages by itself, and says what follows from a Fault.
func TestInjector(t *testing.T) {
	h := rdmap.Header{Untagged: ddp.Untagged{L: true, DV: 1, MSN: 1}, Control: rdmap.Control{RV: 1, Opcode: rdmap.OpSend}}
	ulpdu, _ := h.AppendBinary(nil)
	framer := mpa.Framer{Options: mpa.Options{CRC: true}}
	fpdu, _ := framer.Append(nil, ulpdu)
	for text, want := range map[string]struct {
		copies float64
		err    error
		fin    bool
	}{
		"drop": {}, "duplicate": {copies: 2}, "drop:Write": {copies: 1}, "reset:Send": {0.5, ErrInjected, false}, "fin": {0.5, nil, true},
	} {
		f, err := fault.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		i := newInjector([]fault.Fault{f})
		i.framing, i.begun = framer.Options, true
		r := &recorder{most: 1000}
		w, _ := newWire(r)
		_, err = i.write(w, fpdu)
		if all := bytes.Repeat(fpdu, 2); !errors.Is(err, want.err) || i.fin != want.fin || r.finished != want.fin ||
			!bytes.Equal(r.sent, all[:int(want.copies*float64(len(fpdu)))]) {
			t.Errorf("%s: %v, %+v", text, err, r)
		}
	}
}

// An FPDU in progress is moved only if it would not end in the buffer.
func TestInbox(t *testing.T) {
	var spare buffers
	spare.init()
	length := mpa.FPDULen(5000)
	for start, room := range map[int]int{bufferLen - length: length - 1000, bufferLen - length + 1: bufferLen - 1000, bufferLen - 1: bufferLen - 1} {
		i := inbox{spare: &spare, begun: true, framed: true}
		i.Take()
		i.start, i.end = start, min(start+1000, bufferLen)
		for at := range i.b[start:i.end] {
			i.b[start+at] = byte(at)
		}
		copy(i.b[start:], []byte{5000 >> 8, 5000 & 255})
		if got := i.Take(); len(got) != room || i.b[i.start] != 5000>>8 || i.b[i.end-1] != byte(i.end-i.start-1) && i.end-i.start > 1 {
			t.Errorf("an FPDU at %d leaves room for %d octets, not %d", start, len(got), room)
		}
		i.drop()
	}
}

// A connection that opens has room while all turns are in use, and waits for one with what came after its MPA frame.
func TestInboxBeforeMPA(t *testing.T) {
	var spare buffers
	spare.init()
	for range maxTurns {
		spare.begin(false)
	}
	i := inbox{spare: &spare}
	i.end += copy(i.Take(), "frame, FPDU")
	i.start += len("frame, ")
	if i.begun = true; i.Take() != nil || i.holds() != 0 {
		t.Errorf("%+v", i)
	}
	spare.end(nil)
	if i.Take() == nil || string(i.b[i.start:i.end]) != "FPDU" || len(i.b) != bufferLen || spare.turns != maxTurns {
		t.Errorf("%+v", i)
	}
	if i.drop(); spare.turns != maxTurns-1 || len(spare.spare) != 1 {
		t.Error(spare.turns, len(spare.spare))
	}
}

func TestWaits(t *testing.T) {
	w := waits{idle: 50, stall: 20, moved: 7}
	if at := w.deadline(); at != 57 {
		t.Error(at)
	}
	w.untaken.since, w.closeBy, w.answerBy = 10, 40, 35
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

// What is due keeps its time until it is done: octets that come meanwhile do not prolong it.
func TestBacklog(t *testing.T) {
	w, h := waits{stall: 5}, heldOctets{most: 10}
	h.set(&w.unfinished, 6, false, 1)
	h.set(&w.unfinished, 7, false, 3)
	h.set(&w.untaken, 4, false, 2)
	if h.octets != 11 || w.stuck() != 1 || w.stalledAt() != 6 {
		t.Errorf("%+v %+v", h, w)
	}
	if h.set(&w.unfinished, 1, true, 4); w.stuck() != 2 {
		t.Error("the next FPDU is due later than the octets that the peer does not take")
	}
	if h.drop(&w); h.octets != 0 || w.stuck() != 0 || w.stalledAt() != 0 {
		t.Errorf("%+v %+v", h, w)
	}
}

// Of busy connections the one that has carried most is worth least, of others the one that has kept its activity for longest.
func TestWorth(t *testing.T) {
	d, _ := server(t, Config{}, rnicsim.StreamConfig{})
	p := d.policy()
	first, second := &Conn{serial: 1}, &Conn{serial: 2}
	first.active, second.active = 10, 11
	first.unfinished.since, second.untaken.since = 10, 11
	first.wire.octets.Store(100)
	second.wire.octets.Store(200)
	for a, wantsFirst := range map[crowd.Activity]bool{crowd.Opening: true, crowd.Silent: true, crowd.Slow: true, crowd.Busy: false, crowd.Departing: true} {
		if got := p.Worth(first, a) < p.Worth(second, a); got != wantsFirst {
			t.Errorf("activity %d: the first gives way: %v", a, got)
		}
	}
}

// Relieve resets the connection that has registered most octets, then the one that has made no progress for longest.
// It spares one that has just begun.
func TestRelieve(t *testing.T) {
	d, l := server(t, Config{}, rnicsim.StreamConfig{})
	if d.Relieve() {
		t.Error("there is no connection")
	}
	client := open(t, Config{})
	var all []*Conn
	for range 3 {
		c, err := client.Dial(testContext(t), "tcp", l.Addr().String(), ConnConfig{})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, c)
	}
	if d.Relieve() {
		t.Error("a connection that has just begun gives way")
	}
	time.Sleep(crowd.Lull)
	reads(t, all[0])
	d.mu.Lock()
	for c := range d.conns {
		if c.serial == 2 {
			c.registered++
		}
	}
	d.mu.Unlock()
	for _, i := range []int{2, 1, 0} {
		if !d.Relieve() {
			t.Error("nobody gives way")
		}
		if err := over(t, all[i]); !errors.Is(err, rnicsim.ErrReset) {
			t.Error(i, err)
		}
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
