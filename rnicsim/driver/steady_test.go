package driver

// Many connections at once: what they cost, and that none waits for another.

import (
	"bytes"
	"fmt"
	"math"
	"net"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
)

// In the steady state neither a message nor an FPDU allocates, at either end.
func TestSteadyStateDoesNotAllocate(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	const messages = 2000
	for _, op := range []rnicsim.Op{rnicsim.OpWrite, rnicsim.OpSend, rnicsim.OpRead} {
		f := newFlow(t, op)
		f.run(t, messages)
		allocations(t, op.String(), messages, func() { f.run(t, messages) })
	}
	p := newPing(t)
	p.rounds(t, messages)
	allocations(t, "ping", messages, func() { p.rounds(t, messages) })
}

// allocations checks that there is less than one for fifty messages. The runtime makes some itself, as when a goroutine moves to another
// thread, and more on a busy machine: the fewest of some attempts count.
func allocations(t *testing.T, name string, messages uint64, f func()) {
	t.Helper()
	var before, after runtime.MemStats
	fewest := uint64(math.MaxUint64)
	for range 10 {
		runtime.ReadMemStats(&before)
		f()
		runtime.ReadMemStats(&after)
		if fewest = min(fewest, after.Mallocs-before.Mallocs); fewest <= messages/50 {
			return
		}
	}
	t.Errorf("%s: %d allocations for %d messages", name, fewest, messages)
}

// Both ends may send as much as they like at once: neither waits for the other.
func TestBothWays(t *testing.T) {
	const messages, length = 200, 100_000
	a, b := setup{}.connect(t)
	var both sync.WaitGroup
	a.Post(rnicsim.WorkRequest{Op: rnicsim.OpWrite}) // the Responder may not begin
	wait(t, a, 1)
	for _, pair := range [][2]*Conn{{a, b}, {b, a}} {
		from, into := region(t, pair[0], make([]byte, length)), region(t, pair[1], make([]byte, length))
		both.Go(func() {
			for i := range messages {
				op := rnicsim.OpWrite
				if i%2 == 1 {
					op = rnicsim.OpRead
				}
				wr := rnicsim.WorkRequest{Op: op, SGL: []rnicsim.SGE{from}, Local: from, Remote: into.STag, RemoteTO: into.TO}
				if err := pair[0].Post(wr); err != nil {
					t.Error(err)
					return
				}
				if i%100 == 99 {
					wait(t, pair[0], 100)
				}
			}
		})
	}
	both.Wait()
	finish(t, a, b)
}

// Many goroutines may use many connections of one Device, and one connection too.
func TestConcurrency(t *testing.T) {
	const conns, each, messages = 8, 4, 50
	server, client := open(t, Config{}), open(t, Config{})
	l := listen(t, server, ListenConfig{})
	var all sync.WaitGroup
	for range conns {
		a, b := setup{}.join(t, client, l)
		into := region(t, b, make([]byte, 10_000))
		for range each {
			from := region(t, a, make([]byte, 10_000))
			all.Go(func() {
				for range messages {
					err := a.Post(rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{from}, Remote: into.STag, RemoteTO: into.TO})
					if err != nil {
						t.Error(err)
					}
					wait(t, a, 1)
				}
			})
		}
	}
	all.Wait()
}

// Handlers are called one at a time, in the order of completions, whichever goroutine posts.
func TestOnCompletion(t *testing.T) {
	const messages = 1000
	a, b := setup{}.connect(t)
	from, into := region(t, a, make([]byte, 10)), region(t, b, make([]byte, 10))
	var next uint64
	room, done := make(chan struct{}, 100), make(chan struct{})
	a.OnCompletion(func(some []rnicsim.Completion) {
		for _, c := range some {
			if c.WRID != next || c.Status != rnicsim.Success {
				t.Errorf("%+v, want %d", c, next)
			}
			next++
			<-room
		}
		if next == messages {
			close(done)
		}
	})
	for i := range uint64(messages) {
		room <- struct{}{}
		err := a.Post(rnicsim.WorkRequest{ID: i, Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{from}, Remote: into.STag, RemoteTO: into.TO})
		if err != nil {
			t.Fatal(err)
		}
	}
	<-done
	finish(t, a, b)
}

// What has waited for the peer is counted and shown to the Tap like all else: a pipe takes nothing at once.
func TestTapOfWhatWaits(t *testing.T) {
	calls := &switchboard{calls: make(chan net.Conn), over: make(chan struct{})}
	var shown atomic.Int64
	l, err := open(t, Config{}).listen(t.Context(), calls, ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	a, b := setup{}.join(t, open(t, Config{Tap: func(x Traffic) { shown.Add(int64(len(x.Octets))) }}), l)
	exercise(t, a, b, 1_000_000)
	if a.Octets() != b.Octets() || uint64(shown.Load()) != b.Octets() {
		t.Errorf("%d octets, %d shown, %d at the other end", a.Octets(), shown.Load(), b.Octets())
	}
}

// The Taps of both ends get the same octets, in order, complete, and with the ends.
func TestTap(t *testing.T) {
	for _, faults := range [][]fault.Fault{nil, {{Action: fault.Split, Octets: 1000}}} {
		t.Run(fmt.Sprint(faults), func(t *testing.T) {
			var mu sync.Mutex
			var streams [2][2]bytes.Buffer // of a Device, sent and received
			var ends int
			tap := func(device int) func(Traffic) {
				return func(x Traffic) {
					mu.Lock()
					defer mu.Unlock()
					which := 1
					if x.Sent {
						which = 0
					}
					streams[device][which].Write(x.Octets)
					if x.End == mpa.EndsFIN {
						ends++
					}
					if x.Time.IsZero() || x.Conn.Serial() != 0 {
						t.Error(x)
					}
				}
			}
			s := setup{}
			s.device[0] = Config{Tap: tap(0), Faults: faults}
			s.device[1] = Config{Tap: tap(1)}
			a, b := s.connect(t)
			exercise(t, a, b, 100_000)
			finish(t, a, b)
			a.d.Close()
			b.d.Close()
			for i := range 2 {
				sent, received := streams[i][0].Bytes(), streams[1-i][1].Bytes()
				if !bytes.Equal(sent, received) || len(sent) < 100_000 || !bytes.HasPrefix(sent, []byte("MPA ID Re")) {
					t.Errorf("%d octets sent, %d received", len(sent), len(received))
				}
			}
			if ends != 4 {
				t.Errorf("%d ends of 4", ends)
			}
		})
	}
}
