package service_test

// What RPC-over-RDMA costs, beside TCP in the same run.

import (
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"slices"
	"sync"
	"syscall"
	"testing"
	"time"
	"unsafe"

	"github.com/iwarpkit/iwarp/internal/link"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// BenchmarkRPC reads and writes 64 KiB a Call, in chunks, up to 16 Calls at a time, of a server in a process of its own, or in the same one.
// TCP alone between the same ends has its turn after each few Calls. "ratio" compares the throughput with that of the same Calls and Replies in
// its octets, as many at a time, for which 0.6 is wanted; "stream" with that of 64 KiB after 64 KiB that nobody asks for or answers. For both,
// Reno is chosen once there is a connection, so that the timers of the system's congestion control may stay. "unpaced" is like "ratio", for
// connections without timers, as those of a Conn are. "cpu" is the processor time of both ends, by that of "unpaced".
func BenchmarkRPC(b *testing.B) {
	b.Run("two-processes", func(b *testing.B) { compare(b, startOtherEnd) })
	b.Run("one-process", func(b *testing.B) {
		compare(b, func(b *testing.B) (addresses, int) { return otherEnd(b), 0 })
	})
}

// compare has Calls answered by ends that serve returns the addresses of, and the process if it is another.
func compare(b *testing.B, serve func(*testing.B) (at addresses, pid int)) {
	const turn = 256 // Calls
	for name, proc := range map[string]uint32{"read": procRead, "write": procDiscard} {
		b.Run(name, func(b *testing.B) {
			at, pid := serve(b)
			c := &round{requester: dialRequester(b, &running{address: at.rpcs}, rpc.Options{Versions: []uint32{1}})}
			c.Conn.OnCompletion(c.completed)
			calls := make([]*rpc.Call, atATime)
			for xid := range calls {
				calls[xid] = shelfCall(uint32(xid), proc)
			}
			asked, unpaced, stream := dialAlone(b, at.octets, nil), dialAlone(b, at.unpaced, link.Unpaced), dialAlone(b, at.octets, nil)
			call, reply := len(calls[0].Message), calls[0].Longest
			if proc == procRead {
				reply += bookLen
			}
			var own, same, bare, plain cost
			b.SetBytes(bookLen)
			b.ResetTimer()
			for done := 0; done < b.N; done += turn {
				n := min(turn, b.N-done)
				own.add(pid, func() { c.makeCalls(calls, n) })
				b.StopTimer()
				same.add(pid, func() { asked.call(n, call, reply) })
				bare.add(pid, func() { unpaced.call(n, call, reply) })
				plain.add(pid, func() { stream.call(1, 1, n*bookLen) })
				b.StartTimer()
			}
			b.ReportMetric(float64(same.wall)/float64(own.wall), "ratio")
			b.ReportMetric(float64(plain.wall)/float64(own.wall), "stream")
			b.ReportMetric(float64(bare.wall)/float64(own.wall), "unpaced")
			b.ReportMetric(float64(own.cpu)/float64(bare.cpu), "cpu")
			b.ReportMetric(float64(own.cpu.Microseconds())/float64(b.N), "cpu-us/op")
			c.Conn.Close()
		})
	}
}

// A cost is time that has passed, and that processors have worked for both ends.
type cost struct{ wall, cpu time.Duration }

// add adds what a function costs. pid is the other process; 0 for none.
func (c *cost) add(pid int, f func()) {
	began, worked := time.Now(), processors(pid)
	f()
	c.wall += time.Since(began)
	c.cpu += processors(pid) - worked
}

// processors returns how long processors have worked for this process, and for another if there is one.
func processors(pid int) (worked time.Duration) {
	for _, pid := range []int{0, pid}[:min(1+pid, 2)] {
		var t syscall.Timespec
		const clockSched = 2 // CPUCLOCK_SCHED of the kernel's posix-timers_types.h
		syscall.Syscall(syscall.SYS_CLOCK_GETTIME, uintptr(int32(^pid<<3|clockSched)), uintptr(unsafe.Pointer(&t)), 0)
		worked += time.Duration(t.Nano())
	}
	return worked
}

// isOtherEnd is set in the environment of the process that TestOtherEnd is for.
const isOtherEnd = "IWARP_TEST_OTHER_END"

// addresses are those of the other end: of RPC-over-RDMA, and of TCP alone.
type addresses struct{ rpcs, octets, unpaced string }

// startOtherEnd runs TestOtherEnd in a process until the benchmark ends.
func startOtherEnd(b *testing.B) (at addresses, pid int) {
	c := exec.CommandContext(b.Context(), os.Args[0], "-test.run=^TestOtherEnd$")
	c.Env = append(os.Environ(), isOtherEnd+"=1")
	out, err := c.StdoutPipe()
	if err == nil {
		err = c.Start()
	}
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Wait() }) // it was killed with the Context
	if _, err := fmt.Fscanln(out, &at.rpcs, &at.octets, &at.unpaced); err != nil {
		b.Fatal(err)
	}
	return at, c.Process.Pid
}

// TestOtherEnd is that process.
func TestOtherEnd(t *testing.T) {
	if os.Getenv(isOtherEnd) == "" {
		t.Skip("it is for the process that BenchmarkRPC starts")
	}
	at := otherEnd(t)
	fmt.Println(at.rpcs, at.octets, at.unpaced)
	<-t.Context().Done()
}

// otherEnd serves RPC-over-RDMA, and TCP alone.
func otherEnd(t testing.TB) addresses {
	return addresses{
		rpcs:    run(t, "rpc", service.Options{Program: newShelf, Observe: func(service.Event) {}}).address,
		octets:  serveAlone(t, net.ListenConfig{}),
		unpaced: serveAlone(t, net.ListenConfig{Control: link.Unpaced}),
	}
}

// serveAlone serves TCP alone, and returns the address.
func serveAlone(t testing.TB, lc net.ListenConfig) string {
	l, err := lc.Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			go newAlone(c).serve()
		}
	}()
	return l.Addr().String()
}

// atATime is how many Calls are open at a time.
const atATime = 16

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

// An alone is one end of a connection of TCP alone.
type alone struct {
	c      net.Conn
	octets [2][bookLen]byte // to send, and received
}

func dialAlone(b *testing.B, address string, control func(network, address string, c syscall.RawConn) error) *alone {
	c, err := (&net.Dialer{Control: control}).Dial("tcp", address)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { c.Close() })
	return newAlone(c)
}

// newAlone has the congestion control of a Conn.
func newAlone(c net.Conn) *alone {
	link.New(c)
	return &alone{c: c}
}

// call makes n Calls, as many at a time as the Requester, of so many octets, and gets Replies of so many.
func (a *alone) call(n, call, reply int) {
	var header [24]byte
	for i, v := range []int{n, call, reply} {
		binary.BigEndian.PutUint64(header[8*i:], uint64(v))
	}
	a.c.Write(header[:])
	begin := min(n, atATime)
	left := n - begin
	a.send(begin * call)
	a.answer(n, reply, func(replies int) int {
		more := min(replies, left)
		left -= more
		return more * call
	})
}

// serve answers what call sends, until the connection ends.
func (a *alone) serve() {
	var header [24]byte
	var v [3]int
	for {
		if _, err := io.ReadFull(a.c, header[:]); err != nil {
			return
		}
		for i := range v {
			v[i] = int(binary.BigEndian.Uint64(header[8*i:]))
		}
		a.answer(v[0], v[1], func(calls int) int { return calls * v[2] })
	}
}

// answer reads n messages of a length, and sends so many octets as answer says for those that a Read has completed.
func (a *alone) answer(n, length int, answer func(messages int) int) {
	for came := 0; came < n*length; {
		m, err := a.c.Read(a.octets[1][:min(n*length-came, bookLen)])
		if err != nil {
			return
		}
		before := came / length
		came += m
		a.send(answer(came/length - before))
	}
}

func (a *alone) send(n int) {
	for ; n > 0; n -= bookLen {
		a.c.Write(a.octets[0][:min(n, bookLen)])
	}
}
