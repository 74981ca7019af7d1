package main

// Faults: whatever is killed or cut off, the answer is the same, and comes.

import (
	"bufio"
	"fmt"
	"io"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// faults is how often each fault is tried: IWARP_FAULTS in make nightly.
func faults() int {
	n, err := strconv.Atoi(os.Getenv("IWARP_FAULTS"))
	if err != nil {
		return 1
	}
	return n
}

// moment waits for up to a time, so that faults meet what runs at another place each time. The first fault comes at once.
func moment(try int, most time.Duration) {
	if try > 0 {
		time.Sleep(mathrand.N(most))
	}
}

// strike tries a fault until it has met work as often as it has to: what has ended by then proves nothing.
func strike(t *testing.T, name string, fault func(t *testing.T, try int) (met bool)) {
	try, met := 0, 0
	for ; met < faults() && try < 10*faults() && !t.Failed(); try++ {
		t.Run(name, func(t *testing.T) {
			if fault(t, try) {
				met++
			}
		})
	}
	if t.Logf("%s: %d of %d faults met work", name, met, try); met < faults() {
		t.Errorf("%s: too few", name)
	}
}

// TestKilled kills a process of each kind while it works, each time another one, wherever it is by then, and starts another.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for leases and time-outs")
	}
	t.Parallel()
	s := newScene(t)
	strike(t, "agent", func(t *testing.T, try int) bool {
		f := newHosts(t, s)
		f.judge()
		far := f.over(f.cable(true))
		a, b := far.agent(0), far.agent(1)
		f.awaitAgents()
		moment(try, 500*time.Millisecond)
		kill(a)
		met := atWork(f.status())
		f.ends(f.agent(0))
		f.ends(b)
		f.answers("text", func() {})
		f.answers("json", func() {})
		return met && a.ProcessState.ExitCode() < 0
	})
	strike(t, "judge", func(t *testing.T, try int) (met bool) {
		f := newHosts(t, s)
		f.ends(f.agent(0))
		f.ends(f.agent(1))
		f.answers("json", func() {
			f.awaitTasks()
			waiting := f.status()
			j := f.over(f.cable(true)).judge()
			f.await("a task is done", func(s string) bool { return s != waiting })
			moment(try, 100*time.Millisecond)
			kill(j)
			met = !strings.Contains(f.status(), " judge: 0 tasks")
			f.judge()
		})
		return met
	})
	strike(t, "server", func(t *testing.T, try int) bool {
		f := newHosts(t, s)
		far := f.over(f.cable(true))
		a, b := far.agent(0), far.agent(1)
		f.awaitAgents()
		moment(try, 500*time.Millisecond)
		kill(f.server)
		f.serve()
		met := atWork(f.status())
		f.ends(a)
		f.ends(b)
		f.answers("json", func() {
			f.awaitTasks()
			kill(f.server)
			f.serve()
			f.judge()
		})
		return met
	})
}

// TestCluster kills one of three servers that all store everything, while agents and judges work.
func TestCluster(t *testing.T) {
	if testing.Short() {
		t.Skip("it takes half a minute")
	}
	t.Parallel()
	s := newScene(t)
	for try := range faults() {
		f := &hosts{scene: s, t: t, flags: []string{"--replicas", "3"}}
		all := ports(t, 6)
		clients, routes := all[:3], strings.Join(all[3:], ", nats://")
		var servers [3]*exec.Cmd
		listening := make(chan struct{})
		for i := range servers {
			name := config(t, "server_name: s%d\nlisten: %q\njetstream { store_dir: %q }\ncluster { name: fleet, listen: %q, routes: [nats://%s] }\n",
				i, clients[i], t.TempDir(), all[3+i], routes)
			go func() {
				defer func() { listening <- struct{}{} }() // also if it fails the test, which ends this goroutine
				servers[i], _ = f.start("--config", name)
			}()
		}
		for range servers {
			<-listening
		}
		if f.t.Failed() {
			f.t.FailNow()
		}
		f.url = "nats://" + strings.Join(clients, ",nats://")
		far := f.over(f.cable(true))
		a, b := far.agent(0), far.agent(1)
		f.awaitAgents()
		moment(try, 500*time.Millisecond)
		kill(servers[try%3])
		f.ends(a)
		f.ends(b)
		f.answers("json", func() { f.judge() })
		for _, c := range servers {
			kill(c)
		}
	}
}

// TestCut cuts agents, a judge and a check off from their server: for 30 seconds in make nightly, all tries at the same time.
func TestCut(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for leases and time-outs")
	}
	t.Parallel()
	s, d := newScene(t), 2*time.Second
	if faults() > 1 {
		d = 30 * time.Second
	}
	for try := range faults() {
		t.Run(fmt.Sprint(try), func(t *testing.T) {
			t.Parallel()
			f := newHosts(t, s)
			c := f.cable(true)
			f = f.over(c)
			a, b := f.agent(0), f.agent(1)
			f.awaitAgents()
			moment(try, 500*time.Millisecond)
			c.cut <- d
			f.ends(a)
			f.ends(b)
			f.await("the way is whole", func(s string) bool { return strings.Contains(s, "2 agents") }) // both may have ended before it was cut
			f.answers("json", func() {
				f.awaitTasks()
				waiting := f.status()
				f.judge()
				f.await("a task is done", func(s string) bool { return s != waiting }) // before it has a connection, it waits for ten seconds only
				moment(try, 100*time.Millisecond)
				c.cut <- d
			})
		})
	}
}

// TestDismissed has a server end the first connections of an agent for good, as one does that is about to end.
func TestDismissed(t *testing.T) {
	t.Parallel()
	f := newHosts(t, newScene(t))
	server := strings.TrimPrefix(f.url, "nats://")
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	go func() {
		for n := 0; ; n++ {
			from, err := l.Accept()
			if err != nil {
				return
			}
			to, err := net.Dial("tcp", server)
			if err != nil {
				from.Close()
				continue
			}
			go func() { _, _ = io.Copy(to, from) }() // it ends with the agent
			answers := bufio.NewReader(to)
			if n < 3 {
				for line := ""; line != "PONG\r\n" && err == nil; _, _ = io.WriteString(from, line) {
					line, err = answers.ReadString('\n')
				}
				_, _ = io.WriteString(from, "-ERR 'Failed Account Registration'\r\n")
			}
			go func() {
				_, _ = io.Copy(from, answers)
				from.Close()
			}()
		}
	}()
	f.url = "nats://" + l.Addr().String()
	f.ends(f.agent(0))
}
