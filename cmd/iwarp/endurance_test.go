//go:build unix

package main

// Hours of good and bad clients, before iwarp serve and iwarp proxy: what they need stays the same.

import (
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// The bounds of TestEndurance.
const (
	enduranceParts = 10       // of its time, in each of which all attackers come twice: the last three may need no more than the second to the fourth,
	enduranceMore  = 32 << 20 // except for so many octets,
	enduranceFew   = 64       // and so many descriptors or goroutines
	clockJump      = 15 * time.Second
)

// A need is the most that a process has had in a part of the time.
type need struct{ resident, descriptors, goroutines int }

func (n *need) add(m need) {
	n.resident, n.descriptors, n.goroutines = max(n.resident, m.resident), max(n.descriptors, m.descriptors), max(n.goroutines, m.goroutines)
}

func (b *besieged) needs() need { return need{b.memory(), b.descriptors(), b.running()} }

// TestEndurance needs its time in IWARP_ENDURANCE, such as 2h. Good clients and, one after the other, all attackers, who have addresses of
// their own, come to a proxy, and through it to a server on IPv6. Some connections carry more than 4 GB, so that sequence numbers wrap while the proxy checks them. Now and
// then one of the two processes is stopped for longer than most time-outs: for it, the clock jumps.
func TestEndurance(t *testing.T) {
	lasts, err := time.ParseDuration(os.Getenv("IWARP_ENDURANCE"))
	if err != nil {
		t.Skip("IWARP_ENDURANCE says for how long: make endurance")
	}
	server := besiege(t, "serve", "--service", "echo", "--listen", "[::1]:0")
	proxy := besiege(t, "proxy", "--to", server.address, "--check", "--stats", "--metrics", "127.0.0.1:0")
	both := []*besieged{server, proxy}
	over, clock := make(chan struct{}), new(sync.RWMutex) // clock is held while a clock jumps
	var load sync.WaitGroup
	for i, command := range []string{
		"bench --op send --measure lat -n 3 ADDR", "bench --op write,send --measure bw -s 64k -n 100 ADDR", "bench --op read --measure lat -n 100 ADDR",
		"bench --op write --measure bw -s 1M -n 5000 ADDR",
	} {
		load.Go(func() {
			comeAgain(t, strings.ReplaceAll(command, "ADDR", proxy.address), time.Duration(1+i*i)*time.Second, clock, over)
		})
	}
	load.Go(func() { attackInTurn(t, proxy, lasts/enduranceParts/2/time.Duration(len(attacks)), over) })
	load.Go(func() { jump(both, clock, over) })

	needs := [2][enduranceParts]need{}
	for part := range enduranceParts {
		for end := time.Now().Add(lasts / enduranceParts); time.Now().Before(end); time.Sleep(500 * time.Millisecond) {
			for i, b := range both {
				needs[i][part].add(b.needs())
			}
		}
		for i, b := range both {
			n := needs[i][part]
			t.Logf("part %d: %s: %d MB, %d descriptors, %d goroutines", part+1, b.Args[1], n.resident>>20, n.descriptors, n.goroutines)
		}
	}
	close(over)
	load.Wait()
	for i, b := range both {
		var before, after need
		for part, n := range needs[i] {
			switch {
			case part >= 1 && part <= 3:
				before.add(n)
			case part >= enduranceParts-3:
				after.add(n)
			}
		}
		if after.resident > before.resident+enduranceMore || max(after.descriptors-before.descriptors, after.goroutines-before.goroutines) > enduranceFew {
			t.Errorf("%s needs more than before: %+v, then %+v", b.Args[1], before, after)
		}
		b.recovers(t)
	}
}

// comeAgain runs a command of a good client again and again, which must succeed.
func comeAgain(t *testing.T, command string, rest time.Duration, clock *sync.RWMutex, over <-chan struct{}) {
	done := 0
	defer func() { t.Logf("%d times: iwarp %s", done, command) }()
	for {
		select {
		case <-over:
			return
		case <-time.After(rest):
		}
		clock.RLock()
		out, err := exec.Command("iwarp", strings.Fields(command)...).CombinedOutput()
		clock.RUnlock()
		if err != nil {
			t.Errorf("iwarp %s: %v\n%s", command, err, out)
		}
		done++
	}
}

// attackInTurn lets a few attackers of each kind come, one kind after the other, each for a third of some time.
func attackInTurn(t *testing.T, proxy *besieged, slot time.Duration, over <-chan struct{}) {
	for n := 0; ; n++ {
		a := attacks[n%len(attacks)]
		a.how.spread, a.peers = true, min(a.peers, 4)
		stop := proxy.attack(t, &a)
		select {
		case <-over:
		case <-time.After(slot / 3):
		}
		stop()
		select {
		case <-over:
			return
		case <-time.After(2 * slot / 3):
		}
	}
}

// jump stops one of the processes now and then.
func jump(both []*besieged, clock *sync.RWMutex, over <-chan struct{}) {
	for {
		select {
		case <-over:
			return
		case <-time.After(2 * time.Minute):
		}
		clock.Lock()
		p := both[rand.IntN(len(both))].Process
		p.Signal(syscall.SIGSTOP)
		time.Sleep(clockJump)
		p.Signal(syscall.SIGCONT)
		clock.Unlock()
	}
}
