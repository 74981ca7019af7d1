package main

// Hosts as real processes, and slow cables between them that can be cut.

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// hosts are real processes: a server, and agents and judges of it.
type hosts struct {
	*scene
	t      *testing.T
	store  string
	url    string
	server *exec.Cmd
	flags  []string // of all that need the server
}

func newHosts(t *testing.T, s *scene) *hosts {
	f := &hosts{scene: s, t: t, store: t.TempDir(), url: "127.0.0.1:0"}
	f.serve()
	return f
}

// serve starts the server, again at the same address.
func (f *hosts) serve() {
	f.t.Helper()
	f.server, f.url = f.start("--listen", strings.TrimPrefix(f.url, "nats://"), "--store", f.store)
}

// start starts a server, and returns where it listens.
func (f *hosts) start(flags ...string) (c *exec.Cmd, url string) {
	f.t.Helper()
	c = process(f.t, append([]string{"serve"}, flags...)...)
	out, err := c.StdoutPipe()
	if err != nil {
		f.t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { kill(c) })
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		f.t.Fatalf("the server does not start: %v", err)
	}
	return c, strings.TrimSpace(strings.TrimPrefix(line, "Listening on "))
}

// with is a command line for the server.
func (f *hosts) with(role string, flags ...string) []string {
	return slices.Concat([]string{role, "--nats", f.url}, f.flags, flags)
}

// agent starts an agent, which ends when it has sent its files.
func (f *hosts) agent(i int) *exec.Cmd {
	return begin(f.t, f.with("agent", "--name", fmt.Sprint(i), "--prefix", "", "--dir", f.folders[i], "--every", "0")...)
}

func (f *hosts) judge() *exec.Cmd { return begin(f.t, f.with("judge")...) }

// ends waits for the end of an agent, which has to be a good one.
func (f *hosts) ends(c *exec.Cmd) {
	f.t.Helper()
	if err := c.Wait(); err != nil {
		f.t.Fatal(err)
	}
}

// status is what the command prints.
func (f *hosts) status() string {
	out, _ := process(f.t, f.with("status")...).Output() // without a server, nothing
	return string(out)
}

// await waits until the status holds.
func (f *hosts) await(what string, holds func(status string) bool) {
	f.t.Helper()
	for range 6000 {
		if holds(f.status()) {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	f.t.Fatalf("never: %s; %s", what, f.status())
}

// awaitAgents waits until both agents work: they have said what they found, and not yet sent it all.
func (f *hosts) awaitAgents() {
	f.t.Helper()
	f.await("agents work", atWork)
}

var sent = regexp.MustCompile(`^2 agents sent (\d+) of (\d+) files`)

func atWork(status string) bool {
	m := sent.FindStringSubmatch(status)
	return m != nil && m[1] != m[2]
}

// awaitTasks waits until tasks wait, for a judge that does not yet run.
func (f *hosts) awaitTasks() {
	f.t.Helper()
	f.await("tasks wait", func(s string) bool { return strings.Contains(s, " judge: ") && !strings.Contains(s, " judge: 0 tasks") })
}

// answers asks for an answer in one format, and meanwhile does something.
func (f *hosts) answers(format string, meanwhile func()) {
	f.t.Helper()
	c := process(f.t, f.with("check", "--agents", "2", "-o", format)...)
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Start(); err != nil {
		f.t.Fatal(err)
	}
	meanwhile()
	_ = c.Wait() // its exit code says it
	agree(f.t, format, verdict{out.String(), c.ProcessState.ExitCode()}, f.want[format])
}

// ports are addresses of the loopback interface that nobody listens on.
func ports(t *testing.T, n int) (all []string) {
	t.Helper()
	for range n {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		all = append(all, l.Addr().String())
	}
	return all
}

// config writes a configuration of nats-server.
func config(t *testing.T, format string, args ...any) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "nats.conf")
	if err := os.WriteFile(name, fmt.Appendf(nil, format, args...), 0o600); err != nil {
		t.Fatal(err)
	}
	return name
}

// A cable is a way to a server that can be cut.
type cable struct {
	net.Listener
	to   string
	cut  chan time.Duration
	slow bool // it carries 1 MB a second each way
}

// slowly is a connection at the end of a slow cable.
type slowly struct{ net.Conn }

func (s slowly) Read(b []byte) (int, error) {
	time.Sleep(10 * time.Millisecond)
	return s.Conn.Read(b[:min(len(b), 10_000)])
}

// cable lays a cable to the server, to the first of several.
func (f *hosts) cable(slow bool) *cable {
	f.t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		f.t.Fatal(err)
	}
	f.t.Cleanup(func() { l.Close() })
	first, _, _ := strings.Cut(f.url, ",")
	c := &cable{l, strings.TrimPrefix(first, "nats://"), make(chan time.Duration), slow}
	go c.carry()
	return c
}

// over are the hosts whose commands reach the server over a cable.
func (f *hosts) over(c *cable) *hosts {
	far := *f
	far.url = "nats://" + c.Addr().String()
	return &far
}

// carry carries connections, until the cable is cut; and again after that.
func (c *cable) carry() {
	var all []net.Conn
	whole := time.Now()
	arrived := make(chan net.Conn)
	go func() {
		for {
			conn, err := c.Accept()
			if err != nil {
				return
			}
			arrived <- conn
		}
	}()
	for {
		select {
		case d := <-c.cut:
			whole = time.Now().Add(d)
			for _, conn := range all {
				conn.Close()
			}
			all = nil
		case from := <-arrived:
			to, err := net.Dial("tcp", c.to)
			if err != nil || time.Now().Before(whole) {
				from.Close()
				continue
			}
			all = append(all, from, to)
			for _, way := range [][2]net.Conn{{from, to}, {to, from}} {
				go func() {
					from := io.Reader(way[1])
					if c.slow {
						from = slowly{way[1]}
					}
					_, _ = io.Copy(way[0], from) // it ends with the cut
					way[0].Close()
				}()
			}
		}
	}
}
