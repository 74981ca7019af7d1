//go:build unix

package service_test

// What RPC-over-RDMA costs, beside TCP in the same run.

import (
	"net"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// BenchmarkRPC reads and writes 64 KiB a Call, in chunks, up to 16 Calls at a time. TCP alone has its turn after each few Calls: "ratio"
// compares with the same Calls and Replies in its octets, as many at a time, for which 0.6 is wanted; "stream" with 64 KiB after 64 KiB that
// nobody asks for or answers. "cpu" is ratio in processor time of both ends, which other programs on the machine disturb less.
func BenchmarkRPC(b *testing.B) {
	const turn = 256 // Calls
	for name, proc := range map[string]uint32{"read": procRead, "write": procDiscard} {
		b.Run(name, func(b *testing.B) {
			r := run(b, "rpc", service.Options{Program: newShelf})
			c := &round{requester: dialRequester(b, r, rpc.Options{Versions: []uint32{1}})}
			c.Conn.OnCompletion(c.completed)
			calls := make([]*rpc.Call, atATime)
			for xid := range calls {
				calls[xid] = shelfCall(uint32(xid), proc)
			}
			asked, stream := newAlone(b), newAlone(b)
			lens := [2]int{len(calls[0].Message), calls[0].Longest}
			if proc == procRead {
				lens[1] += bookLen
			}
			var own, same, plain cost
			b.SetBytes(bookLen)
			b.ResetTimer()
			for done := 0; done < b.N; done += turn {
				n := min(turn, b.N-done)
				own.add(func() { c.makeCalls(calls, n) })
				b.StopTimer()
				same.add(func() { asked.call(n, lens) })
				plain.add(func() { stream.pass(n) })
				b.StartTimer()
			}
			b.ReportMetric(same.wall.Seconds()/own.wall.Seconds(), "ratio")
			b.ReportMetric(plain.wall.Seconds()/own.wall.Seconds(), "stream")
			b.ReportMetric(same.cpu.Seconds()/own.cpu.Seconds(), "cpu")
			c.Conn.Close()
			<-r.ended
		})
	}
}

// atATime is how many Calls are open at a time.
const atATime = 16

// A cost is time, and that of all processors.
type cost struct{ wall, cpu time.Duration }

func (c *cost) add(f func()) {
	began, used := time.Now(), processorTime()
	f()
	c.wall += time.Since(began)
	c.cpu += processorTime() - used
}

// A round is Calls that are made by the goroutine of the driver that gets the Replies.
type round struct {
	*requester
	mu   sync.Mutex
	left int // to be made
	open int
	over chan struct{}
}

// makeCalls makes n Calls, again and again those that are given.
func (r *round) makeCalls(calls []*rpc.Call, n int) {
	over := make(chan struct{})
	r.mu.Lock()
	r.left, r.over = n, over
	for _, call := range calls[:min(n, len(calls))] {
		r.make(call)
	}
	if err := r.Perform(); err != nil {
		r.t.Error(err)
	}
	r.mu.Unlock()
	<-over
}

func (r *round) make(call *rpc.Call) {
	if r.left > 0 {
		r.left--
		r.open++
		r.Call(call)
	}
}

// completed makes a Call for each Reply.
func (r *round) completed(done []rnicsim.Completion) {
	r.mu.Lock()
	defer r.mu.Unlock()
	done = slices.DeleteFunc(done, func(d rnicsim.Completion) bool { return d.Status != rnicsim.Success })
	if err := r.Completed(done); err != nil {
		r.t.Error(err)
	}
	for _, reply := range r.Replies() {
		if reply.Err != nil || len(reply.Call.Results) > 0 && len(reply.Results[0]) != bookLen {
			r.t.Errorf("%d results, %v", len(reply.Results), reply.Err)
		}
		if r.open--; r.left == 0 && r.open == 0 {
			close(r.over)
		}
		r.make(reply.Call)
	}
	if err := r.Perform(); err != nil {
		r.t.Error(err)
	}
}

// An alone is a connection of TCP alone.
type alone struct {
	b        *testing.B
	from, to net.Conn
	octets   [2][]byte
}

func newAlone(b *testing.B) *alone {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	a := &alone{b: b, octets: [2][]byte{make([]byte, bookLen), make([]byte, bookLen)}}
	if a.to, err = net.Dial("tcp", l.Addr().String()); err != nil {
		b.Fatal(err)
	}
	if a.from, err = l.Accept(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		a.from.Close()
		a.to.Close()
	})
	return a
}

// pass passes n times 64 KiB.
func (a *alone) pass(n int) {
	go func() {
		for range n {
			a.to.Write(a.octets[0])
		}
	}()
	for left := n * bookLen; left > 0; {
		n, err := a.from.Read(a.octets[1])
		if left -= n; err != nil {
			a.b.Fatal(err)
		}
	}
}

// call passes n Calls and their Replies, whose lengths are given, as many at a time as the Requester.
func (a *alone) call(n int, lens [2]int) {
	begin := min(n, atATime)
	left := n - begin
	served := make(chan struct{})
	go func() {
		defer close(served)
		a.answer(a.to, n, lens[0], func(calls int) int { return calls * lens[1] })
	}()
	a.send(a.from, begin*lens[0])
	a.answer(a.from, n, lens[1], func(replies int) int {
		more := min(replies, left)
		left -= more
		return more * lens[0]
	})
	<-served
}

// answer reads n messages of a length, and sends so many octets as answer says for those that a Read has completed.
func (a *alone) answer(c net.Conn, n, length int, answer func(messages int) int) {
	octets := make([]byte, bookLen)
	for came := 0; came < n*length; {
		m, err := c.Read(octets)
		if err != nil {
			a.b.Error(err)
			return
		}
		before := came / length
		came += m
		a.send(c, answer(came/length-before))
	}
}

func (a *alone) send(c net.Conn, n int) {
	for ; n > 0; n -= bookLen {
		c.Write(a.octets[0][:min(n, bookLen)])
	}
}

// processorTime returns how long processors have worked for this process.
func processorTime() time.Duration {
	var r syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &r)
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}
