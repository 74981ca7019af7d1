package driver

// How connections end.

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"slices"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
)

// over waits for the end of a connection, and returns its error.
func over(t testing.TB, c *Conn) error {
	t.Helper()
	select {
	case <-c.Done():
	case <-time.After(patient):
		t.Fatal("not over")
	}
	return c.Err()
}

// Close waits for posted work; Receives are flushed, and then io.EOF reports a graceful close.
func TestGracefulClose(t *testing.T) {
	const length, writes = 300_000, 20
	a, b := setup{}.connect(t)
	from, into := region(t, a, make([]byte, length)), region(t, b, make([]byte, length))
	if err := a.PostReceive(rnicsim.WorkRequest{ID: 50}); err != nil {
		t.Fatal(err)
	}
	for i := range uint64(writes) {
		wr := rnicsim.WorkRequest{ID: i, Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{from}, Remote: into.STag, RemoteTO: into.TO}
		if i == writes-1 {
			wr.Op, wr.Local = rnicsim.OpRead, from
		}
		if err := a.Post(wr); err != nil {
			t.Fatal(err)
		}
	}
	a.Close()
	for i, c := range wait(t, a, writes+1) {
		switch {
		case i < writes && (c.WRID != uint64(i) || c.Status != rnicsim.Success), i == writes && (c.WRID != 50 || c.Status != rnicsim.Flushed):
			t.Errorf("%d: %+v", i, c)
		}
	}
	for _, c := range []*Conn{a, b} {
		var some [1]rnicsim.Completion
		if _, err := c.Wait(testContext(t), some[:]); err != io.EOF {
			t.Error(err)
		}
		if err := over(t, c); err != nil {
			t.Error(err)
		}
		if err := c.Post(rnicsim.WorkRequest{Op: rnicsim.OpSend}); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		if err := c.PostReceive(rnicsim.WorkRequest{}); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		if _, _, err := c.Register(nil, all); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		c.Close()
		c.Abort()
		if err := c.Err(); err != nil {
			t.Error(err)
		}
		gone(t, c.d)
	}
}

// Both sides may close at once, and the Responder before it has received anything.
func TestBothClose(t *testing.T) {
	for range 20 {
		a, b := setup{}.connect(t)
		go a.Close()
		b.Close()
		for _, c := range []*Conn{a, b} {
			if err := over(t, c); err != nil {
				t.Error(err)
			}
		}
	}
}

// A close whose work is never done ends with a reset.
func TestCloseGivesUp(t *testing.T) {
	s := setup{conn: [2]ConnConfig{{Stream: rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true}}}}
	s.device[1].Faults = []fault.Fault{{Action: fault.Drop, Message: fault.OfOpcode(rdmap.OpReadResponse)}}
	a, b := s.connect(t)
	into := region(t, b, make([]byte, 8))
	a.Post(rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: region(t, a, make([]byte, 8)), Remote: into.STag, RemoteTO: into.TO})
	shorten(a.d, func(w *waits) { w.timeout = 50 * time.Millisecond })
	a.Close()
	if err := over(t, a); !errors.Is(err, ErrUnfinished) {
		t.Error(err)
	}
	if c := wait(t, a, 1)[0]; c.Status != rnicsim.Flushed {
		t.Error(c)
	}
	if err := over(t, b); !errors.Is(err, rnicsim.ErrReset) {
		t.Error(err)
	}
}

// Abort resets the connection.
func TestAbort(t *testing.T) {
	a, b := setup{}.connect(t)
	a.PostReceive(rnicsim.WorkRequest{ID: 1})
	a.Abort()
	if err := over(t, a); !errors.Is(err, rnicsim.ErrAborted) {
		t.Error(err)
	}
	if c := wait(t, a, 1)[0]; c.WRID != 1 || c.Status != rnicsim.Flushed {
		t.Error(c)
	}
	if err := over(t, b); !errors.Is(err, rnicsim.ErrReset) {
		t.Error(err)
	}
	var some [1]rnicsim.Completion
	if _, err := b.Wait(testContext(t), some[:]); !errors.Is(err, rnicsim.ErrReset) {
		t.Error(err)
	}
}

// A Terminate shows both sides what was wrong, and with which message.
func TestTerminate(t *testing.T) {
	tests := []struct {
		name string
		post func(local rnicsim.SGE) rnicsim.WorkRequest
		code string
		op   rdmap.Opcode
	}{
		{"Write", func(l rnicsim.SGE) rnicsim.WorkRequest {
			return rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{l}, Remote: 0x12345600}
		}, "1/1/00", rdmap.OpWrite},
		{"Read", func(l rnicsim.SGE) rnicsim.WorkRequest {
			return rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: l, Remote: 0x12345600}
		}, "0/1/00", rdmap.OpReadRequest},
		{"Send", func(l rnicsim.SGE) rnicsim.WorkRequest {
			return rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: []rnicsim.SGE{l}}
		}, "1/2/02", rdmap.OpSend},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a, b := setup{}.connect(t)
			if err := a.Post(tt.post(region(t, a, make([]byte, 10)))); err != nil {
				t.Fatal(err)
			}
			for i, c := range []*Conn{a, b} {
				var e *Terminated
				if err := over(t, c); !errors.As(err, &e) {
					t.Fatal(err)
				}
				if e.Local != (i == 1) || e.Terminate.Code.String() != tt.code || e.Terminate.Header.Control.Opcode != tt.op {
					t.Errorf("%v: %+v", e, e.Terminate)
				}
			}
		})
	}
}

// An upper layer may ask for a Terminate.
func TestTerminateOnDemand(t *testing.T) {
	a, b := setup{}.connect(t)
	err := a.Do(func(*rnicsim.RNIC) error { return a.QP().Modify(rnicsim.Modification{State: rnicsim.Terminate}) })
	if err != nil {
		t.Fatal(err)
	}
	var e *Terminated
	if err := over(t, b); !errors.As(err, &e) || e.Local || e.Terminate.Code.String() != "0/0/00" {
		t.Error(err)
	}
	if err := over(t, a); !errors.As(err, &e) || !e.Local {
		t.Error(err)
	}
}

// A Device that closes resets its connections and wakes all that wait.
func TestDeviceCloses(t *testing.T) {
	a, b := setup{}.connect(t)
	told := make(chan rnicsim.Completion, 1)
	b.OnCompletion(func(done []rnicsim.Completion) { told <- done[0] })
	b.PostReceive(rnicsim.WorkRequest{ID: 4})
	waits := make(chan error)
	go func() {
		var some [1]rnicsim.Completion
		_, err := a.Wait(context.Background(), some[:])
		waits <- err
	}()
	if err := a.d.Close(); err != nil {
		t.Fatal(err)
	}
	if err := <-waits; !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if err := over(t, a); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if err := over(t, b); !errors.Is(err, rnicsim.ErrReset) {
		t.Error(err)
	}
	if c := <-told; c.WRID != 4 || c.Status != rnicsim.Flushed {
		t.Error(c)
	}
	if _, err := a.d.Dial(testContext(t), "tcp", b.LocalAddr().String(), ConnConfig{}); err == nil {
		t.Error("dialled with a closed Device")
	}
	if _, err := a.d.Listen(context.Background(), "tcp", "127.0.0.1:0", ListenConfig{}); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
	if err := a.d.Close(); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

// The regions of a connection go with it; those of the Device stay.
func TestRegionsGoWithTheirConnection(t *testing.T) {
	a, b := setup{}.connect(t)
	own := region(t, a, make([]byte, 8))
	early := region(t, a, make([]byte, 8))
	if err := a.Deregister(early.STag); err != nil {
		t.Error(err)
	}
	if err := a.Deregister(early.STag); err == nil {
		t.Error("deregistered twice")
	}
	lasting, _, err := a.d.Register(make([]byte, 8), all)
	if err != nil {
		t.Fatal(err)
	}
	finish(t, a, b)
	if err := a.d.Deregister(own.STag); err == nil {
		t.Error("a region of a connection is still there")
	}
	if err := a.d.Deregister(lasting); err != nil {
		t.Error(err)
	}
}

// The last completions come before Done, and events are passed on.
func TestLastCompletions(t *testing.T) {
	var events []rnicsim.EventType
	s := setup{}
	s.device[1].Events = func(e rnicsim.Event) { events = append(events, e.Type) }
	var flushed int
	s.conn[1].Prepare = func(c *Conn) error {
		c.OnCompletion(func(done []rnicsim.Completion) { flushed += len(done) })
		for range 100 {
			if err := c.PostReceive(rnicsim.WorkRequest{}); err != nil {
				return err
			}
		}
		return nil
	}
	a, b := s.connect(t)
	finish(t, a, b)
	if flushed != 100 {
		t.Error(flushed)
	}
	b.d.Do(func(*rnicsim.RNIC) error {
		if len(events) != 1 || events[0] != rnicsim.LLPCloseComplete {
			t.Error(events)
		}
		return nil
	})
}

// Nobody can guess where regions are, even who knows others; with a Seed they are always in the same places.
func TestRegionsAreUnpredictable(t *testing.T) {
	places := func(seed byte) (all []uint64) {
		d := open(t, Config{RNIC: rnicsim.Config{Seed: [32]byte{seed}}})
		for range 8 {
			s, to, err := d.Register(make([]byte, 100), rnicsim.LocalRead)
			if err != nil {
				t.Fatal(err)
			}
			if n := len(all); n > 0 && to < all[n-2]+regionGap {
				t.Errorf("a region at %#x behind one at %#x", to, all[n-2])
			}
			all = append(all, to, uint64(s.Key()))
		}
		return all
	}
	known, again, other := places(1), places(1), places(0)
	if !slices.Equal(known, again) {
		t.Error(known, again)
	}
	var steps, keys [2][]uint64
	for i, all := range [][]uint64{known, other} {
		for j := 0; j < len(all); j += 2 {
			steps[i], keys[i] = append(steps[i], all[j]-all[max(0, j-2)]), append(keys[i], all[j+1])
		}
	}
	if known[0] == other[0] || slices.Equal(steps[0], steps[1]) || slices.Equal(keys[0], keys[1]) {
		t.Error(known, other)
	}
}

// nothing is a source of random numbers that are all zero.
type nothing struct{}

func (nothing) Uint64() uint64 { return 0 }

// Regions keep their distance even if they end shortly before a page, and chance adds none.
func TestRegionsKeepTheirDistance(t *testing.T) {
	d := open(t, Config{})
	d.random = rand.New(nothing{})
	first, _ := d.place(4095)
	if second, _ := d.place(1); second < first+4095+regionGap {
		t.Errorf("a region at %#x behind 4095 octets at %#x", second, first)
	}
}
