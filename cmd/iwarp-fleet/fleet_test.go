package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/pcaps"
)

// TestMain lets tests run this program in processes of its own.
func TestMain(m *testing.M) {
	if os.Getenv("IWARP_FLEET") != "" {
		os.Exit(run(os.Args[1:]))
	}
	code := m.Run()
	if iwarpPath != "" {
		os.RemoveAll(filepath.Dir(iwarpPath))
	}
	os.Exit(code)
}

// process is this program with a command line.
func process(t *testing.T, args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "IWARP_FLEET=1")
	c.Stderr = &output{t: t}
	return c
}

// An output is the standard error of a process, for the log of the test.
type output struct{ t *testing.T }

func (o *output) Write(b []byte) (int, error) {
	o.t.Logf("%s", bytes.TrimSpace(b))
	return len(b), nil
}

// begin starts a process, which is killed at the end of the test if it still runs.
func begin(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	c := process(t, args...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kill(c) })
	return c
}

// kill kills a process, unless it has ended.
func kill(c *exec.Cmd) {
	if c.ProcessState == nil {
		_ = c.Process.Kill()
		_ = c.Wait() // it was killed
	}
}

// A verdict is what a check prints, and its exit code.
type verdict struct {
	text string
	code int
}

func ask(t *testing.T, c *exec.Cmd) verdict {
	t.Helper()
	out, err := c.Output()
	if err != nil && !errors.As(err, new(*exec.ExitError)) {
		t.Fatal(err)
	}
	return verdict{string(out), c.ProcessState.ExitCode()}
}

// agree fails the test if two verdicts differ.
func agree(t *testing.T, what string, got, want verdict) {
	t.Helper()
	if got == want {
		return
	}
	g, w := strings.Split(got.text, "\n"), strings.Split(want.text, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			t.Errorf("%s: line %d\n got %.300s\nwant %.300s", what, i+1, g[i], w[i])
			break
		}
	}
	t.Fatalf("%s: exit code %d and %d lines, want %d and %d", what, got.code, len(g), want.code, len(w))
}

// generate spreads the bundled captures over two points of capture, as connections are captured at both of their ends: most packets are
// seen at one point or the other, some at both. Each point writes files of perFile packets.
func generate(t *testing.T, folders []string) {
	t.Helper()
	samples, err := filepath.Glob("../../pcaps/samples/*.pcap*")
	if err != nil || len(samples) < 20 {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	drawn := rand.New(rand.NewPCG(1, 2))
	const perFile = 60
	for i, sample := range samples {
		in, err := pcaps.Open(sample)
		if err != nil {
			t.Fatal(err)
		}
		var points [2][]pcaps.Record
		for rec := new(pcaps.Record); in.Next(rec) == nil; rec = new(pcaps.Record) {
			rec.Data = bytes.Clone(rec.Data)
			seen := drawn.IntN(5)
			if seen > 0 {
				points[seen%2] = append(points[seen%2], *rec)
				continue
			}
			points[0], points[1] = append(points[0], *rec), append(points[1], *rec)
		}
		for p, all := range points {
			for n := 0; len(all) > 0; n++ {
				name := filepath.Join(folders[(2*i+p)%len(folders)], fmt.Sprintf("%02d-%c-%03d.pcap", i, 'a'+p, n))
				m := min(len(all), perFile)
				write(t, name, all[:m])
				all = all[m:]
			}
		}
	}
}

func write(t *testing.T, name string, packets []pcaps.Record) {
	t.Helper()
	var b bytes.Buffer
	w := pcaps.NewPcapWriter(&b, packets[0].LinkType)
	for i := range packets {
		if err := w.WriteRecord(&packets[i]); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
}

// A scene is captures in the folders of some agents, and what iwarp check says of all.
type scene struct {
	folders []string
	want    map[string]verdict // by format
}

// iwarpPath is where iwarp builds that program, once.
var iwarpPath string

func iwarp(t *testing.T) string {
	t.Helper()
	if iwarpPath == "" {
		folder, err := os.MkdirTemp("", "iwarp")
		if err != nil {
			t.Fatal(err)
		}
		iwarpPath = filepath.Join(folder, "iwarp")
		if out, err := exec.Command("go", "build", "-o", iwarpPath, "../iwarp").CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	return iwarpPath
}

func newScene(t *testing.T, agents int) *scene {
	t.Helper()
	s := &scene{want: make(map[string]verdict)}
	top := t.TempDir()
	for i := range agents {
		s.folders = append(s.folders, filepath.Join(top, fmt.Sprint(i)))
		if err := os.Mkdir(s.folders[i], 0o777); err != nil {
			t.Fatal(err)
		}
	}
	generate(t, s.folders)
	var byName []string
	for _, folder := range s.folders { // whose names are in order
		names, err := filepath.Glob(folder + "/*")
		if err != nil {
			t.Fatal(err)
		}
		byName = append(byName, names...)
	}
	for _, format := range []string{"text", "json"} {
		s.want[format] = ask(t, exec.Command(iwarp(t), append([]string{"check", "-q", "-o", format}, byName...)...))
	}
	return s
}

// TestAnswerIsThatOfCheck asks 1, 2 and 4 agents in one process.
func TestAnswerIsThatOfCheck(t *testing.T) {
	for _, agents := range []int{1, 2, 4} {
		s := newScene(t, agents)
		for format, want := range s.want {
			args := []string{"check", "-q", "-o", format}
			for _, folder := range s.folders {
				args = append(args, "--dir", folder)
			}
			agree(t, fmt.Sprintf("%d agents, %s", agents, format), ask(t, process(t, args...)), want)
		}
	}
}

// hosts are real processes: a server, and agents and judges of it.
type hosts struct {
	*scene
	t      *testing.T
	store  string
	url    string
	server *exec.Cmd
}

func newHosts(t *testing.T) *hosts {
	f := &hosts{scene: newScene(t, 2), t: t, store: t.TempDir(), url: "127.0.0.1:0"}
	f.serve()
	return f
}

// serve starts the server, again at the same address.
func (f *hosts) serve() {
	f.t.Helper()
	c := process(f.t, "serve", "--listen", strings.TrimPrefix(f.url, "nats://"), "--store", f.store)
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
	f.url, f.server = strings.TrimSpace(strings.TrimPrefix(line, "Listening on ")), c
}

// agent starts an agent, which ends when it has sent its files.
func (f *hosts) agent(i int) *exec.Cmd {
	return begin(f.t, "agent", "--nats", f.url, "--name", fmt.Sprint(i), "--prefix", "", "--dir", f.folders[i], "--every", "0")
}

func (f *hosts) judge() *exec.Cmd { return begin(f.t, "judge", "--nats", f.url) }

// ends waits for the end of an agent, which has to be a good one.
func (f *hosts) ends(c *exec.Cmd) {
	f.t.Helper()
	if err := c.Wait(); err != nil {
		f.t.Fatal(err)
	}
}

// status is what the command prints.
func (f *hosts) status() string {
	out, _ := process(f.t, "status", "--nats", f.url).Output() // without a server, nothing
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

// awaitTasks waits until tasks wait, for a judge that does not yet run.
func (f *hosts) awaitTasks() {
	f.t.Helper()
	f.await("tasks wait", func(s string) bool { return strings.Contains(s, " judge: ") && !strings.Contains(s, " judge: 0 tasks") })
}

// answers asks for an answer in one format, and meanwhile does something.
func (f *hosts) answers(format string, meanwhile func()) {
	f.t.Helper()
	c := process(f.t, "check", "--nats", f.url, "--agents", "2", "-o", format)
	var out bytes.Buffer
	c.Stdout = &out
	if err := c.Start(); err != nil {
		f.t.Fatal(err)
	}
	meanwhile()
	_ = c.Wait() // its exit code says it
	agree(f.t, format, verdict{out.String(), c.ProcessState.ExitCode()}, f.want[format])
}

// TestKilled kills a process of each kind, each time another one, wherever it is by then, and starts another.
func TestKilled(t *testing.T) {
	t.Run("agent", func(t *testing.T) {
		f := newHosts(t)
		f.judge()
		a, b := f.agent(0), f.agent(1)
		f.await("octets are stored", func(s string) bool { return strings.Contains(s, "2 agents") })
		kill(a)
		f.ends(f.agent(0))
		f.ends(b)
		f.answers("text", func() {})
		f.answers("json", func() {})
	})
	t.Run("judge", func(t *testing.T) {
		f := newHosts(t)
		f.ends(f.agent(0))
		f.ends(f.agent(1))
		f.answers("json", func() {
			f.awaitTasks()
			waiting := f.status()
			j := f.judge()
			f.await("a task is done", func(s string) bool { return s != waiting })
			kill(j)
			f.judge()
		})
	})
	t.Run("server", func(t *testing.T) {
		f := newHosts(t)
		a, b := f.agent(0), f.agent(1)
		f.await("agents work", func(s string) bool { return strings.Contains(s, "2 agents") })
		kill(f.server)
		f.serve()
		f.ends(a)
		f.ends(b)
		f.answers("json", func() {
			f.awaitTasks()
			kill(f.server)
			f.serve()
			f.judge()
		})
	})
}
