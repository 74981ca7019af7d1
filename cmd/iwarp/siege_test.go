package main

// Hostile clients against iwarp serve and iwarp proxy: a good peer is served beside them, and memory, descriptors, goroutines and the log
// stay within bounds.

import (
	"bufio"
	"fmt"
	"io"
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
	siegeEnd         = 500             // times the yardstick, from the signal on, likewise
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
	others     []string // addresses of further routes of a proxy
	begun      time.Time
	log        atomic.Int64 // octets since then
	resident   int          // at the start
	goroutines string       // the file that says how many there are
}

// besiege starts a command that listens.
func besiege(t *testing.T, args ...string) *besieged {
	t.Helper()
	return besiegeWith(t, 0, args...)
}

// besiegeWith starts it with so many descriptors, unless they are 0.
func besiegeWith(t *testing.T, descriptors int, args ...string) *besieged {
	t.Helper()
	args = append([]string{"iwarp"}, append(args, "-o", "json")...)
	if descriptors > 0 {
		args = append([]string{"sh", "-c", fmt.Sprintf(`ulimit -n %d; exec "$@"`, descriptors), "sh"}, args...)
	}
	b := &besieged{Cmd: exec.Command(args[0], args[1:]...), goroutines: filepath.Join(t.TempDir(), "goroutines")}
	b.begun = time.Now()
	b.Env = append(os.Environ(), goroutinesVariable+"="+b.goroutines)
	out, _ := b.StdoutPipe()
	b.Stderr = writer(func(p []byte) { b.log.Add(int64(len(p))) })
	if err := b.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewReader(out)
	for range max(1, strings.Count(strings.Join(args, " "), "--map")) {
		line, _ := lines.ReadString('\n')
		_, rest, _ := strings.Cut(line, `"address":"`)
		address, _, _ := strings.Cut(rest, `"`)
		b.others = append(b.others, address)
	}
	b.address, b.others = b.others[0], b.others[1:]
	go io.Copy(writer(func(p []byte) { b.log.Add(int64(len(p))) }), lines)
	t.Cleanup(func() { b.end(t) })
	b.good(t)
	b.resident = b.memory()
	return b
}

// end ends the command, soon.
func (b *besieged) end(t *testing.T) {
	begin, over := time.Now(), make(chan struct{})
	quiet := pulse{begin: begin}
	var beating sync.WaitGroup
	beating.Go(func() { quiet.beat(t, over) })
	b.Process.Signal(os.Interrupt)
	b.Wait()
	took, beside := time.Since(begin), quiet.slowest()
	close(over)
	beating.Wait()
	if took > siegeEnd*yardstick()+4*beside {
		t.Errorf("the server has taken %v to end, while an idle server took %v", took, beside)
	}
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

// TestSiege needs the time for each attack in IWARP_SIEGE, such as 4s. Each prints what it has measured.
func TestSiege(t *testing.T) {
	lasts := siegeTime(t)
	for _, a := range attacks {
		t.Run(a.name, func(t *testing.T) {
			args := []string{"serve", "--service", a.service}
			if a.how.ipv6 {
				args = append(args, "--listen", "[::1]:0")
			}
			descriptors := a.how.descriptors
			if a.how.proxied {
				descriptors = 0
			}
			b := besiegeWith(t, descriptors, args...)
			if a.how.proxied {
				args := []string{"proxy", "--to", b.address}
				if a.how.altered {
					args = append(args, "--on", "type == Send", "--do", "reorder:/1000000", "--do", "drop:1000000")
				}
				if a.how.versions != "" {
					args = append(args, "--rpc", a.how.versions)
				}
				b = besiegeWith(t, a.how.descriptors, args...)
			}
			stop := b.attack(t, &a)
			b.watch(t, lasts)
			stop()
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

// TestSiegeOfTimes waits for the time-outs of iwarp serve, to their ends, in the hour's siege.
func TestSiegeOfTimes(t *testing.T) {
	if siegeTime(t) < time.Minute {
		t.Skip("takes ten minutes")
	}
	b := besiege(t, "serve", "--service", "echo")
	for _, w := range []struct {
		name  string
		after time.Duration
		do    func(nc net.Conn)
	}{
		{"nothing", 10 * time.Second, func(net.Conn) {}},
		{"half a Request", 10 * time.Second, func(nc net.Conn) { nc.Write(request()[:10]) }},
		{"half an FPDU", time.Minute, func(nc net.Conn) {
			established(nc)
			nc.Write(send(1, 1000)[:500])
		}},
		{"answers that are not taken", time.Minute, func(nc net.Conn) {
			established(nc)
			for msn := range uint32(32) {
				nc.Write(send(msn+1, 256<<10))
			}
			time.Sleep(50 * time.Second) // in which nothing tells that it has ended
			for err := error(nil); err == nil; time.Sleep(time.Second) {
				_, err = nc.Write([]byte{0xff}) // of the longest FPDU
			}
		}},
		{"nothing after MPA", 10 * time.Minute, func(nc net.Conn) { established(nc) }},
	} {
		t.Run(w.name, func(t *testing.T) {
			t.Parallel()
			nc, err := net.Dial("tcp", b.address)
			if err != nil {
				t.Fatal(err)
			}
			defer nc.Close()
			begin := time.Now()
			nc.SetDeadline(begin.Add(2*w.after + patience))
			w.do(nc)
			io.Copy(io.Discard, nc)
			if took := time.Since(begin); took < w.after-time.Second || took > w.after*5/4+10*time.Second {
				t.Errorf("the connection has ended after %v", took)
			}
		})
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
	log := b.log.Load()
	t.Logf("good peer %v, of an idle server %v, %d MB above the start, %d descriptors, %d goroutines, %d octets of log per second",
		slowest.Round(time.Millisecond), idlest.Round(time.Millisecond), (most-b.resident)>>20, open, running, int(float64(log-logged)/time.Since(begin).Seconds()))
	if more := most - b.resident; more > siegeResident {
		t.Errorf("%d MB of memory above the start", more>>20)
	}
	if open > siegeDescriptors || running > siegeGoroutines {
		t.Errorf("%d descriptors, %d goroutines", open, running)
	}
	if bound := siegeLogBurst + siegeLogRate*time.Since(b.begun).Seconds(); float64(log) > bound {
		t.Errorf("%d octets of log since the start", log)
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
