package main

// Hostile peers against iwarp serve: a good peer is served beside them, and memory, descriptors and the log stay within bounds.

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// The bounds of each siege.
const (
	siegeLatency     = 110       // times the yardstick, besides what an idle TCP server takes, which attackers keep busy too
	siegeEnd         = 500       // times the yardstick, from the signal on
	siegeResident    = 256 << 20 // octets above the start
	siegeAfterwards  = 64 << 20  // octets above the start, some time after
	siegeDescriptors = 8*64 + 32
	siegeLogBurst    = 4 * 64 << 10 // octets, of all kinds
	siegeLogRate     = 2 * 10 << 10 // octets per second
)

// A besieged is a server, as a process of its own.
type besieged struct {
	*exec.Cmd
	address  string
	log      atomic.Int64 // octets
	resident int          // at the start
}

// besiege starts a server, or a proxy with rules to one.
func besiege(t *testing.T, service string) *besieged {
	t.Helper()
	if behind, ok := strings.CutPrefix(service, "proxy to "); ok {
		to := besiege(t, behind).address
		return start(t, "proxy", "--to", to, "--on", "type == Send", "--do", "reorder:/1000000", "--do", "drop:1000000", "-o", "json")
	}
	return start(t, "serve", "-o", "json", "--service", service)
}

// start starts a command that listens.
func start(t *testing.T, args ...string) *besieged {
	t.Helper()
	b := &besieged{Cmd: exec.Command("iwarp", args...)}
	out, _ := b.StdoutPipe()
	b.Stderr = writer(func(p []byte) { b.log.Add(int64(len(p))) })
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	first := make([]byte, 4096)
	n, _ := out.Read(first)
	_, rest, _ := strings.Cut(string(first[:n]), `"address":"`)
	b.address, _, _ = strings.Cut(rest, `"`)
	go io.Copy(writer(func(p []byte) { b.log.Add(int64(len(p))) }), out)
	t.Cleanup(func() {
		b.Process.Signal(os.Interrupt)
		begin := time.Now()
		if b.Wait(); time.Since(begin) > siegeEnd*yardstick() {
			t.Error("the server has taken", time.Since(begin), "to end")
		}
	})
	b.good(t)
	b.resident = b.memory()
	return b
}

type writer func([]byte)

func (w writer) Write(p []byte) (int, error) {
	w(p)
	return len(p), nil
}

// good is served as a good peer, and returns how long that took.
func (b *besieged) good(t *testing.T) time.Duration {
	t.Helper()
	return exchange(t, b.address)
}

// idle listens for the rest of the test. It answers a Request with the same octets, and returns its address.
func idle(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for nc, err := l.Accept(); err == nil; nc, err = l.Accept() {
			go func() {
				io.CopyN(nc, nc, mpa.FrameLen)
				nc.Close()
			}()
		}
	}()
	return l.Addr().String()
}

// exchange sends a Request, awaits the Reply, and returns how long that took.
func exchange(t *testing.T, address string) time.Duration {
	t.Helper()
	begin := time.Now()
	nc, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		t.Error("a good peer is not served:", err)
		return time.Since(begin)
	}
	defer nc.Close()
	nc.SetDeadline(begin.Add(patience))
	nc.Write(request())
	if _, err := io.ReadFull(nc, make([]byte, mpa.FrameLen)); err != nil {
		t.Error("a good peer is not served:", err)
	}
	return time.Since(begin)
}

// A pulse measures how long the machine takes for exchanges with an idle server, one after the other.
type pulse struct {
	mu      sync.Mutex
	begin   time.Time     // of the exchange that goes on
	longest time.Duration // of those that have ended since slowest was called
}

// beat exchanges until it is over.
func (p *pulse) beat(t *testing.T, over <-chan struct{}) {
	address := idle(t)
	for {
		p.mu.Lock()
		now := time.Now()
		p.longest, p.begin = max(p.longest, now.Sub(p.begin)), now
		p.mu.Unlock()
		exchange(t, address)
		select {
		case <-over:
			return
		case <-time.After(20 * time.Millisecond):
		}
	}
}

// slowest returns what the slowest exchange has taken since the last call. The machine may have stopped for that long.
func (p *pulse) slowest() time.Duration {
	p.mu.Lock()
	defer p.mu.Unlock()
	slowest := max(p.longest, time.Since(p.begin))
	p.longest = 0
	return slowest
}

// memory returns the resident octets.
func (b *besieged) memory() int {
	s, _ := os.ReadFile(fmt.Sprintf("/proc/%d/statm", b.Process.Pid))
	n, _ := strconv.Atoi(append(strings.Fields(string(s)), "", "")[1])
	return n * os.Getpagesize()
}

// descriptors counts those that are open.
func (b *besieged) descriptors() int {
	all, _ := os.ReadDir(fmt.Sprintf("/proc/%d/fd", b.Process.Pid))
	return len(all)
}

func request() []byte {
	f := mpa.Frame{C: true, Rev: mpa.Rev1}
	b, _ := f.AppendBinary(nil)
	return b
}

// fpdu frames a ULPDU.
func fpdu(ulpdu ...[]byte) []byte {
	b, _ := (&mpa.Framer{Options: mpa.Options{CRC: true}}).Append(nil, ulpdu...)
	return b
}

// send returns the segments of a Send of n octets.
func send(msn uint32, n int) (b []byte) {
	const part = 32 << 10
	for at := 0; at == 0 || at < n; at += part {
		last := byte(0x01)
		if at+part >= n {
			last = 0x41
		}
		header := []byte{last, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, byte(msn >> 24), byte(msn >> 16), byte(msn >> 8), byte(msn), byte(at >> 24), byte(at >> 16), byte(at >> 8), byte(at)}
		b = append(b, fpdu(header, make([]byte, min(part, n-at)))...)
	}
	return b
}

// tagged returns a Write of some octets.
func tagged(stag uint32, to uint64, n int) []byte {
	header := append([]byte{0xc1, 0x40}, byte(stag>>24), byte(stag>>16), byte(stag>>8), byte(stag))
	for shift := 56; shift >= 0; shift -= 8 {
		header = append(header, byte(to>>shift))
	}
	return fpdu(header, make([]byte, n))
}

// established sends a Request and waits for the Reply.
func established(nc net.Conn) bool {
	nc.Write(request())
	_, err := io.ReadFull(nc, make([]byte, mpa.FrameLen))
	return err == nil
}

// The attacks: what one peer does with a connection, until it is over or the siege is.
var attacks = []struct {
	name, service string
	peers         int
	do            func(nc net.Conn, r *rand.Rand, over <-chan struct{})
}{
	{"silent", "rping", 300, func(_ net.Conn, _ *rand.Rand, over <-chan struct{}) { <-over }},
	{"silent, through a proxy", "proxy to rping", 300, func(_ net.Conn, _ *rand.Rand, over <-chan struct{}) { <-over }},
	{"half a Send, through a proxy", "proxy to sink", 200, func(nc net.Conn, _ *rand.Rand, over <-chan struct{}) {
		established(nc)
		nc.Write(send(1, 200_000)[:150_000])
		<-over
	}},
	{"silent after MPA", "rping", 300, func(nc net.Conn, _ *rand.Rand, over <-chan struct{}) {
		established(nc)
		<-over
	}},
	{"an octet of the Request at a time", "rping", 100, func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) { trickle(nc, request()) }},
	{"an octet of an FPDU at a time", "sink", 200, func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		trickle(nc, send(1, 30_000))
	}},
	{"connect and close", "rping", 16, func(net.Conn, *rand.Rand, <-chan struct{}) {}},
	{"garbage", "rping", 32, func(nc net.Conn, r *rand.Rand, _ <-chan struct{}) {
		octets := make([]byte, 3000)
		for i := range octets {
			octets[i] = byte(r.Uint32())
		}
		nc.Write(octets)
	}},
	{"zero-length FPDUs", "rping", 64, func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		nc.Write(bytes.Repeat(fpdu(nil), 50))
		io.Copy(io.Discard, nc)
	}},
	{"Terminates", "rping", 32, func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		nc.Write(fpdu([]byte{0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0x01, 0x02, 0, 0}))
		io.Copy(io.Discard, nc)
	}},
	{"Sends without end", "sink", 64, func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		for n := uint32(1); ; n++ {
			if _, err := nc.Write(send(n, 0)); err != nil {
				return
			}
		}
	}},
	{"an rping that answers no Read", "rping", 100, func(nc net.Conn, _ *rand.Rand, over <-chan struct{}) {
		established(nc)
		header := []byte{0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}
		nc.Write(fpdu(header, []byte{0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 128, 0, 0}))
		time.Sleep(50 * time.Millisecond)
	}},
	{"an echo that reads no answer", "echo", 64, func(nc net.Conn, _ *rand.Rand, over <-chan struct{}) {
		established(nc)
		for n := uint32(1); ; n++ {
			if _, err := nc.Write(send(n, 256<<10)); err != nil {
				return
			}
		}
	}},
	{"Sends of 8 MiB", "sink", 32, func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		for n := uint32(1); ; n++ {
			if _, err := nc.Write(send(n, 8<<20)); err != nil {
				return
			}
		}
	}},
	{"guesses of STags", "memory", 32, func(nc net.Conn, r *rand.Rand, _ <-chan struct{}) {
		established(nc)
		nc.Write(tagged(r.Uint32(), r.Uint64(), 8))
		io.Copy(io.Discard, nc)
	}},
	{"random content with a good CRC", "echo", 32, func(nc net.Conn, r *rand.Rand, _ <-chan struct{}) {
		established(nc)
		for range 20 {
			octets := make([]byte, 18+r.IntN(200))
			for i := range octets {
				octets[i] = byte(r.Uint32())
			}
			octets[0], octets[1] = 0x41|octets[0]&0x80, 0x40|octets[1]&0x0f
			if _, err := nc.Write(fpdu(octets)); err != nil {
				return
			}
		}
		io.Copy(io.Discard, nc)
	}},
}

// trickle sends octets one by one.
func trickle(nc net.Conn, octets []byte) {
	for _, x := range octets {
		time.Sleep(100 * time.Millisecond)
		if _, err := nc.Write([]byte{x}); err != nil {
			return
		}
	}
}

// TestSiege needs the time for each attack in IWARP_SIEGE, such as 4s. Each prints what it has measured.
func TestSiege(t *testing.T) {
	lasts, err := time.ParseDuration(os.Getenv("IWARP_SIEGE"))
	if err != nil {
		t.Skip("IWARP_SIEGE says for how long: make siege")
	}
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			b := besiege(t, a.service)
			over := make(chan struct{})
			var attackers sync.WaitGroup
			for i := range a.peers {
				attackers.Go(func() { b.attack(a.do, rand.New(rand.NewPCG(uint64(i), 1)), over) })
			}
			b.watch(t, lasts)
			close(over)
			attackers.Wait()
			b.recovers(t)
		})
	}
}

// attack attacks again and again.
func (b *besieged) attack(do func(net.Conn, *rand.Rand, <-chan struct{}), r *rand.Rand, over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		case <-time.After(time.Millisecond):
		}
		nc, err := net.DialTimeout("tcp", b.address, time.Second)
		if err != nil {
			continue
		}
		nc.SetDeadline(time.Now().Add(time.Minute))
		done := make(chan struct{})
		go func() {
			select {
			case <-over:
				nc.(*net.TCPConn).SetLinger(0)
				nc.Close()
			case <-done:
			}
		}()
		do(nc, r, over)
		close(done)
		nc.Close()
	}
}

// watch checks the bounds during a siege.
func (b *besieged) watch(t *testing.T, lasts time.Duration) {
	t.Helper()
	begin, logged := time.Now(), b.log.Load()
	var slowest, idlest time.Duration
	most, open := 0, 0
	quiet, over := pulse{begin: begin}, make(chan struct{})
	var beating sync.WaitGroup
	beating.Go(func() { quiet.beat(t, over) })
	for time.Since(begin) < lasts {
		quiet.slowest()
		good := b.good(t)
		beside := quiet.slowest()
		if good > siegeLatency*yardstick()+4*beside {
			t.Errorf("a good peer was served in %v, while an idle server took %v", good, beside)
		}
		slowest, idlest = max(slowest, good), max(idlest, beside)
		most, open = max(most, b.memory()), max(open, b.descriptors())
		time.Sleep(20 * time.Millisecond)
	}
	close(over)
	beating.Wait()
	log := b.log.Load() - logged
	t.Logf("good peer %v, of an idle server %v, %d MB above the start, %d descriptors, %d octets of log per second",
		slowest.Round(time.Millisecond), idlest.Round(time.Millisecond), (most-b.resident)>>20, open, int(float64(log)/time.Since(begin).Seconds()))
	if more := most - b.resident; more > siegeResident {
		t.Errorf("%d MB of memory above the start", more>>20)
	}
	if open > siegeDescriptors {
		t.Errorf("%d descriptors", open)
	}
	if bound := siegeLogBurst + siegeLogRate*cmp.Or(time.Since(begin).Seconds(), 1); float64(log) > bound {
		t.Errorf("%d octets of log", log)
	}
}

// recovers waits until memory and descriptors are back.
func (b *besieged) recovers(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(patience); ; time.Sleep(100 * time.Millisecond) {
		memory, open := b.memory()-b.resident, b.descriptors()
		if memory < siegeAfterwards && open < 32 {
			return
		}
		if time.Now().After(end) {
			t.Errorf("%v after: %d MB above the start, %d descriptors", patience, memory>>20, open)
			return
		}
	}
}
