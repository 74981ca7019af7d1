package main

// Hostile clients against iwarp serve and iwarp proxy: a good peer is served beside them, and memory, descriptors, goroutines and the log
// stay within bounds.

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
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
	siegeLatency     = 110             // times the yardstick, besides what an idle TCP server takes, which attackers keep busy too
	siegeEnd         = 500             // times the yardstick, from the signal on
	siegeResident    = 256 << 20       // octets above the start
	siegeAfterwards  = 64 << 20        // octets above the start, some time after
	siegeDescriptors = 2 * (8*64 + 32) // a proxy has two for each connection
	siegeGoroutines  = 4 * siegeDescriptors
	siegeLogBurst    = 4 * 64 << 10 // octets, of all kinds
	siegeLogRate     = 2 * 10 << 10 // octets per second
)

// A besieged is a server or a proxy, as a process of its own.
type besieged struct {
	*exec.Cmd
	address    string
	log        atomic.Int64 // octets
	resident   int          // at the start
	goroutines string       // the file that says how many there are
}

// besiege starts a command that listens.
func besiege(t *testing.T, args ...string) *besieged {
	t.Helper()
	b := &besieged{Cmd: exec.Command("iwarp", append(args, "-o", "json")...), goroutines: filepath.Join(t.TempDir(), "goroutines")}
	b.Env = append(os.Environ(), goroutinesVariable+"="+b.goroutines)
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

// exchange sends a Request, awaits the Reply, and returns how long that took. A machine that stops for longer than newcomers are
// spared may make a crowded peer reset a good one: like every client, it connects again, and all of it takes its time.
func exchange(t *testing.T, address string) time.Duration {
	t.Helper()
	begin := time.Now()
	err := exchangeOnce(address)
	for again := 0; err != nil && again < 2; again++ {
		t.Logf("a good peer connects again: %v", err)
		err = exchangeOnce(address)
	}
	if err != nil {
		t.Error("a good peer is not served:", err)
	}
	return time.Since(begin)
}

func exchangeOnce(address string) error {
	nc, err := net.DialTimeout("tcp", address, patience)
	if err != nil {
		return err
	}
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(patience))
	nc.Write(request())
	_, err = io.ReadFull(nc, make([]byte, mpa.FrameLen))
	return err
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

// running returns the number of goroutines.
func (b *besieged) running() int {
	s, _ := os.ReadFile(b.goroutines)
	n, _ := strconv.Atoi(string(s))
	return n
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

// An attack is what some peers do with a connection, until it is over or the siege is, and then with the next one.
type attack struct {
	name, service string
	peers         int
	do            func(nc net.Conn, r *rand.Rand, over <-chan struct{})
	how           approach
}

// An approach is how peers come. The zero value is over IPv4, from one address, again at once, to iwarp serve.
type approach struct {
	ipv6    bool
	spread  bool          // each peer has an address of its own
	proxied bool          // iwarp proxy is attacked, which stands before the server,
	altered bool          // with rules
	rest    time.Duration // between the connections of a peer
}

var attacks = []attack{
	{name: "silent", service: "rping", peers: 300, do: silent},
	{"silent, over IPv6", "rping", 300, silent, approach{ipv6: true}},
	{"silent, of many addresses", "rping", 300, silent, approach{spread: true}},
	{"silent, before a proxy", "rping", 300, silent, approach{proxied: true}},
	{"half a Send, before a proxy with rules", "sink", 200, func(nc net.Conn, _ *rand.Rand, over <-chan struct{}) {
		established(nc)
		nc.Write(send(1, 200_000)[:150_000])
		<-over
	}, approach{proxied: true, altered: true}},
	{"10,000 silent", "rping", 10_000, silent, approach{spread: true, rest: 10 * time.Second}},
	{"10,000 of an octet at a time", "sink", 10_000, slowly, approach{rest: 10 * time.Second}},
	{name: "silent after MPA", service: "rping", peers: 300, do: func(nc net.Conn, _ *rand.Rand, over <-chan struct{}) {
		established(nc)
		<-over
	}},
	{name: "an octet of the Request at a time", service: "rping", peers: 100, do: slowly},
	{name: "an octet of an FPDU at a time", service: "sink", peers: 200, do: func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		trickle(nc, send(1, 30_000))
	}},
	{name: "connect and close", service: "rping", peers: 16, do: closes},
	{"connect and close, before a proxy", "rping", 16, closes, approach{proxied: true, rest: 10 * time.Millisecond}},
	{name: "resets", service: "rping", peers: 32, do: func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		nc.(*net.TCPConn).SetLinger(0)
	}},
	{name: "half-closes", service: "echo", peers: 100, do: func(nc net.Conn, _ *rand.Rand, over <-chan struct{}) {
		established(nc)
		nc.(*net.TCPConn).CloseWrite()
		<-over
	}},
	{name: "Requests of any revision and Private Data", service: "sink", peers: 32, do: func(nc net.Conn, r *rand.Rand, _ <-chan struct{}) {
		b := request()
		b[16], b[17], b[18], b[19] = byte(r.Uint32()), byte(r.IntN(4)), byte(r.Uint32()), byte(r.Uint32())
		nc.Write(append(b, make([]byte, r.IntN(600))...))
		nc.SetReadDeadline(time.Now().Add(100 * time.Millisecond))
		io.Copy(io.Discard, nc)
	}},
	{name: "garbage", service: "rping", peers: 32, do: func(nc net.Conn, r *rand.Rand, _ <-chan struct{}) {
		octets := make([]byte, 3000)
		for i := range octets {
			octets[i] = byte(r.Uint32())
		}
		nc.Write(octets)
	}},
	{name: "zero-length FPDUs", service: "rping", peers: 64, do: func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		nc.Write(bytes.Repeat(fpdu(nil), 50))
		io.Copy(io.Discard, nc)
	}},
	{name: "Terminates", service: "rping", peers: 32, do: func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		nc.Write(fpdu([]byte{0x41, 0x47, 0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 0, 0x01, 0x02, 0, 0}))
		io.Copy(io.Discard, nc)
	}},
	{name: "Sends without end", service: "sink", peers: 64, do: func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		for n := uint32(1); ; n++ {
			if _, err := nc.Write(send(n, 0)); err != nil {
				return
			}
		}
	}},
	{name: "an rping that answers no Read", service: "rping", peers: 100, do: func(nc net.Conn, _ *rand.Rand, over <-chan struct{}) {
		established(nc)
		header := []byte{0x41, 0x43, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0}
		nc.Write(fpdu(header, []byte{0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 1, 0, 0, 128, 0, 0}))
		time.Sleep(50 * time.Millisecond)
	}},
	{name: "an echo that reads no answer", service: "echo", peers: 64, do: unread},
	{"an echo that reads no answer, before a proxy", "echo", 64, unread, approach{proxied: true}},
	{name: "Sends of 8 MiB", service: "sink", peers: 32, do: func(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
		established(nc)
		for n := uint32(1); ; n++ {
			if _, err := nc.Write(send(n, 8<<20)); err != nil {
				return
			}
		}
	}},
	{name: "guesses of STags", service: "memory", peers: 32, do: func(nc net.Conn, r *rand.Rand, _ <-chan struct{}) {
		established(nc)
		nc.Write(tagged(r.Uint32(), r.Uint64(), 8))
		io.Copy(io.Discard, nc)
	}},
	{name: "random content with a good CRC", service: "echo", peers: 32, do: func(nc net.Conn, r *rand.Rand, _ <-chan struct{}) {
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
	{name: "Reads beyond the IRD, of which nothing is taken", service: "memory", peers: 32, do: func(nc net.Conn, _ *rand.Rand, over <-chan struct{}) {
		stag, to := offered(nc)
		for msn := uint32(1); ; msn++ {
			if _, err := nc.Write(fpdu([]byte{0x41, 0x41}, words(0, 1, msn, 0, 7, 0, 0, 8<<20, stag, uint32(to>>32), uint32(to)))); err != nil {
				return
			}
		}
	}},
	{name: "atomics", service: "memory", peers: 32, do: func(nc net.Conn, r *rand.Rand, _ <-chan struct{}) {
		stag, to := offered(nc)
		for msn := uint32(1); msn < 1000; msn++ {
			to += uint64(r.IntN(9))
			octets := words(0, 1, msn, 0, r.Uint32()&3, msn, stag, uint32(to>>32), uint32(to), 1, 2, 3, 4, 5, 6, 7, 8)
			if _, err := nc.Write(fpdu([]byte{0x41, 0x4a}, octets)); err != nil {
				return
			}
		}
		io.Copy(io.Discard, nc)
	}},
	{name: "commands at random", service: "conform", peers: 32, do: func(nc net.Conn, r *rand.Rand, _ <-chan struct{}) {
		offered(nc)
		for msn := uint32(1); msn < 100; msn++ {
			if _, err := nc.Write(fpdu([]byte{0x41, 0x43}, words(0, 0, msn, 0, r.Uint32()&15<<24|r.Uint32()&0xffff, r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()))); err != nil {
				return
			}
		}
		io.Copy(io.Discard, nc)
	}},
	{name: "wild chunk lists", service: "rpc", peers: 32, do: func(nc net.Conn, r *rand.Rand, _ <-chan struct{}) {
		offered(nc)
		for msn := uint32(1); msn < 100; msn++ {
			octets := words(0, 0, msn, 0, msn, 1, 32, 0, 1, 0, r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32(), r.Uint32()&1, 1, r.Uint32(), r.Uint32(), r.Uint32(), 0)
			if _, err := nc.Write(fpdu([]byte{0x41, 0x43}, octets)); err != nil {
				return
			}
		}
		io.Copy(io.Discard, nc)
	}},
}

func silent(_ net.Conn, _ *rand.Rand, over <-chan struct{}) { <-over }

func closes(net.Conn, *rand.Rand, <-chan struct{}) {}

func slowly(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) { trickle(nc, request()) }

// unread sends what is to be echoed, and reads nothing.
func unread(nc net.Conn, _ *rand.Rand, _ <-chan struct{}) {
	established(nc)
	for n := uint32(1); ; n++ {
		if _, err := nc.Write(send(n, 256<<10)); err != nil {
			return
		}
	}
}

// offered sends a Request, and returns the STag and the TO in the Private Data of the Reply.
func offered(nc net.Conn) (stag uint32, to uint64) {
	nc.Write(request())
	reply := make([]byte, mpa.FrameLen)
	io.ReadFull(nc, reply)
	private := make([]byte, binary.BigEndian.Uint16(reply[18:]))
	io.ReadFull(nc, private)
	private = append(private, make([]byte, 12)...)
	return binary.BigEndian.Uint32(private[8:]), binary.BigEndian.Uint64(private)
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
	lasts := siegeTime(t)
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			args := []string{"serve", "--service", a.service}
			if a.how.ipv6 {
				args = append(args, "--listen", "[::1]:0")
			}
			b := besiege(t, args...)
			if a.how.proxied {
				args := []string{"proxy", "--to", b.address}
				if a.how.altered {
					args = append(args, "--on", "type == Send", "--do", "reorder:/1000000", "--do", "drop:1000000")
				}
				b = besiege(t, args...)
			}
			over := make(chan struct{})
			var attackers sync.WaitGroup
			for i := range a.peers {
				attackers.Go(func() { b.attack(&a, i, over) })
			}
			b.watch(t, lasts)
			close(over)
			attackers.Wait()
			b.recovers(t)
		})
	}
}

// siegeTime is how long each attack lasts.
func siegeTime(t *testing.T) time.Duration {
	lasts, err := time.ParseDuration(os.Getenv("IWARP_SIEGE"))
	if err != nil {
		t.Skip("IWARP_SIEGE says for how long: make siege")
	}
	return lasts
}

// attack is what one peer does, again and again.
func (b *besieged) attack(a *attack, peer int, over <-chan struct{}) {
	r := rand.New(rand.NewPCG(uint64(peer), 1))
	dialer := net.Dialer{Timeout: time.Second}
	if a.how.spread {
		dialer.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 1, byte(peer>>8), byte(peer))}
	}
	rest := time.Millisecond + rand.N(a.how.rest+1) // so that they do not come all at once
	for {
		select {
		case <-over:
			return
		case <-time.After(rest):
		}
		rest = time.Millisecond + a.how.rest
		nc, err := dialer.Dial("tcp", b.address)
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
		a.do(nc, r, over)
		close(done)
		nc.Close()
	}
}

// watch checks the bounds during a siege.
func (b *besieged) watch(t *testing.T, lasts time.Duration) {
	t.Helper()
	begin, logged := time.Now(), b.log.Load()
	var slowest, idlest time.Duration
	most, open, running := 0, 0, 0
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
		most, open, running = max(most, b.memory()), max(open, b.descriptors()), max(running, b.running())
		time.Sleep(20 * time.Millisecond)
	}
	close(over)
	beating.Wait()
	log := b.log.Load() - logged
	t.Logf("good peer %v, of an idle server %v, %d MB above the start, %d descriptors, %d goroutines, %d octets of log per second",
		slowest.Round(time.Millisecond), idlest.Round(time.Millisecond), (most-b.resident)>>20, open, running, int(float64(log)/time.Since(begin).Seconds()))
	if more := most - b.resident; more > siegeResident {
		t.Errorf("%d MB of memory above the start", more>>20)
	}
	if open > siegeDescriptors || running > siegeGoroutines {
		t.Errorf("%d descriptors, %d goroutines", open, running)
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
