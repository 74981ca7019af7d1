package main

// Faults: whatever is killed or cut off, the answer is the same, and comes.

import (
	"bufio"
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"io"
	"math/big"
	mathrand "math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
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

// TestSecured has a server that asks for TLS and an nkey.
func TestSecured(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for leases and time-outs")
	}
	t.Parallel()
	const seed, user = "SUAN35FWYKHBB7ZESESY6D6MKFMNRTTXAGZZ6AAJJ6MAE4SC56FBRAA6UA", "UDAQSRRG5ZORBBNE3CSXAMSLQL4X6JSS4QQN5FT7M4QSO7WCDNI2ONMC"
	folder := t.TempDir()
	file := func(name string, octets []byte) string {
		name = filepath.Join(folder, name)
		if err := os.WriteFile(name, octets, 0o600); err != nil {
			t.Fatal(err)
		}
		return name
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "fleet"}, NotAfter: time.Now().Add(time.Hour),
		IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)}, IsCA: true, BasicConstraintsValid: true,
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	ca := file("cert.pem", pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: cert}))
	private = pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: private})

	f := &hosts{scene: newScene(t), t: t, flags: []string{"--tls-ca", ca, "--nkey", file("seed", []byte(seed))}}
	_, f.url = f.start("--config", config(t, "listen: %q\njetstream { store_dir: %q }\ntls { cert_file: %q, key_file: %q }\nauthorization { users: [{nkey: %s}] }\n",
		ports(t, 1)[0], t.TempDir(), ca, file("key.pem", private), user))
	f.judge()
	f.ends(f.agent(0))
	f.ends(f.agent(1))
	f.answers("json", func() {})
	for _, flags := range [][]string{{"--tls-ca", ca}, {"--nkey", f.flags[3]}} {
		begin := time.Now()
		if got := ask(t, process(t, append([]string{"status", "--nats", f.url}, flags...)...)); got.code != exitUnreadable {
			t.Errorf("%v: exit code %d", flags, got.code)
		}
		if took := time.Since(begin); took > 8*time.Second {
			t.Errorf("%v: it has taken %v", flags, took)
		}
	}
}

// TestForbidden has users that lack a permission: a command ends, and names the subject.
func TestForbidden(t *testing.T) {
	s := newScene(t)
	for _, tt := range []struct{ denied, command, named string }{
		{`publish: {deny: "iwarp.file.>"}`, "agent", "publish to iwarp.file."},
		{`publish: {deny: "iwarp.packet.>"}`, "agent", "publish to iwarp.packet."},
		{`publish: {deny: "$JS.API.STREAM.>"}`, "agent", "publish to $JS.API.STREAM."},
		{`subscribe: {deny: "iwarp-fetch.>"}`, "agent", "subscribe to iwarp-fetch."},
		{`subscribe: {deny: "_INBOX.>"}`, "agent", "subscribe to _INBOX."},
		{`publish: {deny: "$JS.API.CONSUMER.>"}`, "judge", "publish to $JS.API.CONSUMER."},
		{`publish: {deny: "$JS.API.DIRECT.>"}`, "check", "publish to $JS.API.DIRECT."},
	} {
		t.Run(tt.command+" "+tt.denied, func(t *testing.T) {
			t.Parallel()
			f := &hosts{scene: s, t: t}
			_, f.url = f.start("--config", config(t, "listen: %q\njetstream { store_dir: %q }\nauthorization { users: [{user: a, password: a}, {user: b, password: b, permissions: {%s}}] }\n",
				ports(t, 1)[0], t.TempDir(), tt.denied))
			args := []string{tt.command, "--nats", strings.Replace(f.url, "//", "//b:b@", 1)}
			f.url = strings.Replace(f.url, "//", "//a:a@", 1)
			if tt.command == "agent" {
				args = append(args, "--dir", f.folders[0])
			} else {
				f.ends(f.agent(0))
			}
			begin := time.Now()
			if v := said(t, args...); v.code != exitUnreadable || !strings.Contains(v.text, "does not permit this user to "+tt.named) || strings.Count(v.text, "\n") != 1 {
				t.Errorf("%+v", v)
			}
			if took := time.Since(begin); took > 20*time.Second {
				t.Errorf("it has taken %v", took)
			}
		})
	}
}

// TestUnits checks the units in docs/fleet.md: commands that are right, which systemd may end, and which can be enabled.
func TestUnits(t *testing.T) {
	guide, err := os.ReadFile("../../docs/fleet.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(guide), "\nUnits for systemd")
	rest, _, _ = strings.Cut(rest, "\n```\n\n")
	units := strings.Split(rest, "[Service]\n")[1:]
	if len(units) != 3 {
		t.Fatalf("%d units", len(units))
	}
	for _, unit := range units {
		_, start, _ := strings.Cut(unit, "ExecStart=/usr/local/bin/iwarp-fleet ")
		start, rest, _ := strings.Cut(start, "\n")
		cmd, flags, err := newRoot(nil).Find(strings.Fields(start))
		if err == nil {
			err = cmd.ParseFlags(flags)
		}
		if err != nil || !cmd.Runnable() || !cmd.HasParent() {
			t.Errorf("%q: %v", start, err)
		}
		for _, line := range []string{"Restart=on-failure", "SuccessExitStatus=143", "[Install]"} {
			if !strings.Contains(rest, line+"\n") {
				t.Errorf("%q without %s", start, line)
			}
		}
	}
}

// TestPermitted gives an agent, a judge and a check the permissions in docs/fleet.md: they suffice.
func TestPermitted(t *testing.T) {
	guide, err := os.ReadFile("../../docs/fleet.md")
	if err != nil {
		t.Fatal(err)
	}
	permissions := regexp.MustCompile(`(?s)\{nkey: U\.\.\., (permissions: .*?\}\}\})`).FindAllStringSubmatch(string(guide), -1)
	if len(permissions) != 3 {
		t.Fatalf("docs/fleet.md has %d permissions", len(permissions))
	}
	f := &hosts{scene: newScene(t), t: t}
	_, f.url = f.start("--config", config(t, "listen: %q\njetstream { store_dir: %q }\nauthorization { users: [{user: agent, password: x, %s, {user: judge, password: x, %s, {user: check, password: x, %s] }\n",
		ports(t, 1)[0], t.TempDir(), permissions[0][1], permissions[1][1], permissions[2][1]))
	url := f.url
	as := func(user string) { f.url = strings.Replace(url, "//", "//"+user+":x@", 1) }
	as("agent")
	f.ends(f.agent(0))
	f.ends(f.agent(1))
	as("judge")
	f.judge()
	as("check")
	f.answers("json", func() {})
	as("agent")
	conn, err := nats.Connect(f.url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	js, err := jetstream.New(conn)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Second)
	defer stop()
	if _, err := js.CreateStream(ctx, jetstream.StreamConfig{Name: "COPY", Mirror: &jetstream.StreamSource{Name: "IWARP"}}); err == nil {
		t.Error("an agent may copy what others have sent")
	}
	for _, command := range []string{"check", "judge"} {
		if v := said(t, f.with(command)...); v.code != exitUnreadable || !strings.Contains(v.text, "does not permit") {
			t.Errorf("%s as an agent: %+v", command, v)
		}
	}
}
