package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/parquet-go/parquet-go"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/internal/recorded"
	"github.com/iwarpkit/iwarp/pcaps"
)

// TestMain lets tests run this program in processes of its own.
func TestMain(m *testing.M) {
	if os.Getenv("IWARP_FLEET") != "" {
		os.Exit(run(os.Args[1:]))
	}
	var err error
	if shared.folder, err = os.MkdirTemp("", "iwarp-fleet"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(shared.folder)
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

// agree fails the test if two verdicts differ, except for the advice of iwarp check to use a flag that only it has.
func agree(t *testing.T, what string, got, want verdict) {
	t.Helper()
	want.text = strings.Replace(want.text, ", or --group-by rule, peer or conn for counts.\n", ".\n", 1)
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

// within asks agents in one process, one for each folder.
func within(t *testing.T, folders []string, flags ...string) *exec.Cmd {
	args := append([]string{"check"}, flags...)
	for _, folder := range folders {
		args = append(args, "--dir", folder)
	}
	return process(t, args...)
}

// TestAnswerIsThatOfCheck asks 1, 2 and 4 agents in one process, and of many captures also 8: as many as IWARP_FLEET_COPIES says.
func TestAnswerIsThatOfCheck(t *testing.T) {
	most, p := 8, largePlan
	if testing.Short() {
		most, p = 4, smallPlan
	}
	if n, err := strconv.Atoi(os.Getenv("IWARP_FLEET_COPIES")); err == nil {
		p = largest(n)
	}
	s := captured(t, t.TempDir(), most, p)
	s.judge(t)
	for agents := 1; agents <= most; agents *= 2 {
		agree(t, fmt.Sprintf("%d agents", agents), ask(t, within(t, tree(s.top, agents), "-q", "-o", "json")), s.want["json"])
	}
	agree(t, "text", ask(t, within(t, s.folders, "-q")), s.want["text"])
}

// TestClocks has clocks that differ by 3 seconds between the points of capture: the answer is that of clocks that do not, and a note says so.
func TestClocks(t *testing.T) {
	for _, away := range []time.Duration{0, 20 * time.Microsecond} {
		want := newScene(t).want["text"]
		if away > 0 {
			want = captured(t, t.TempDir(), 2, smallPlan.apart(0, away)).check(t, "text")
		}
		for _, ahead := range []time.Duration{3 * time.Second, -3 * time.Second} {
			s := captured(t, t.TempDir(), 2, smallPlan.apart(ahead, away))
			noted := new(bytes.Buffer)
			c := process(t, "check", "--dir", s.folders[0], "--dir", s.folders[1])
			c.Stderr = noted
			agree(t, fmt.Sprintf("%v ahead, %v away", ahead, away), ask(t, c), want)
			if n := strings.Count(noted.String(), "differs by about "+ahead.String()); n != 1 {
				t.Errorf("%v: %s", ahead, noted)
			}
		}
	}
}

// TestClocksInJSON has clocks that differ by 3 seconds, and nothing that takes packets time: all that programs get is equal, except for the folder.
func TestClocksInJSON(t *testing.T) {
	same := newScene(t)
	for _, ahead := range []time.Duration{3 * time.Second, -3 * time.Second} {
		s := captured(t, t.TempDir(), 2, smallPlan.apart(ahead, 0))
		got := ask(t, process(t, "check", "-q", "-o", "json", "--dir", s.folders[0], "--dir", s.folders[1]))
		got.text = strings.ReplaceAll(got.text, s.top, same.top)
		agree(t, ahead.String(), got, same.want["json"])
	}
}

// TestNothingInCommon has hosts that have captured no packet both, by clocks that differ: nothing is corrected, and the answer is that of check.
func TestNothingInCommon(t *testing.T) {
	samples, err := filepath.Glob("../../pcaps/samples/*.pcap*")
	if err != nil || len(samples) < 20 {
		t.Fatalf("%d samples, %v", len(samples), err)
	}
	s := &scene{folders: []string{t.TempDir(), t.TempDir()}}
	for i, sample := range samples {
		all := recorded.Packets(pcaps.Open(sample))
		for k := range all {
			all[k].Time += int64(i%2) * int64(3*time.Second)
		}
		write(t, filepath.Join(s.folders[i%2], fmt.Sprintf("%02d.pcap", i)), all)
	}
	s.files = slices.Concat(filesBelow(t, s.folders[0]), filesBelow(t, s.folders[1]))
	for _, format := range []string{"text", "json"} {
		noted := new(bytes.Buffer)
		c := process(t, "check", "-o", format, "--dir", s.folders[0], "--dir", s.folders[1])
		c.Stderr = noted
		agree(t, format, ask(t, c), s.check(t, format))
		if strings.Contains(noted.String(), "differs by") {
			t.Errorf("%s", noted)
		}
	}
}

// TestWithout compares what is noted of files without iWARP with what iwarp check notes.
func TestWithout(t *testing.T) {
	const samples = "../../pcaps/samples"
	files, err := filepath.Glob(samples + "/*.pcap*")
	if err != nil {
		t.Fatal(err)
	}
	lacking := regexp.MustCompile(`(?m)^note: no iWARP in .*\n`)
	noted := func(c *exec.Cmd) string {
		var b bytes.Buffer
		c.Stderr = &b
		ask(t, c)
		return strings.Join(lacking.FindAllString(b.String(), -1), "")
	}
	want := noted(exec.Command(iwarp(t), append([]string{"check"}, files...)...))
	if !strings.HasSuffix(want, "perf-nocm.pcap\n") {
		t.Fatalf("iwarp check says %q", want)
	}
	page := filepath.Join(t.TempDir(), "page.html")
	for _, args := range [][]string{{"check"}, {"check", "-o", "json"}, {"report", "-w", page}} {
		if got := noted(process(t, append(args, "--dir", samples)...)); got != want {
			t.Errorf("%s: %q, want %q", args, got, want)
		}
	}
	if got := noted(process(t, "check", "-q", "--dir", samples)); got != "" {
		t.Errorf("-q: %q", got)
	}
}

// TestOneEnd has the captures of one point only.
func TestOneEnd(t *testing.T) {
	for _, folder := range newScene(t).folders {
		one := &scene{files: filesBelow(t, folder)}
		if len(one.files) < 20 {
			t.Fatalf("%d files", len(one.files))
		}
		for _, format := range []string{"text", "json"} {
			agree(t, format, ask(t, process(t, "check", "-q", "-o", format, "--dir", folder)), one.check(t, format))
		}
	}
}

// rows are those of a table, as texts.
func rows(t *testing.T, name string) (all []string) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	in := parquet.NewReader(f)
	defer in.Close()
	var some [64]parquet.Row
	for {
		n, err := in.ReadRows(some[:])
		for _, row := range some[:n] {
			all = append(all, fmt.Sprintf("%+v", row))
		}
		if err == io.EOF {
			return all
		} else if err != nil {
			t.Fatal(err)
		}
	}
}

// TestTables compares the tables with those of iwarp decode.
func TestTables(t *testing.T) {
	s, top := newScene(t), t.TempDir()
	got, want := filepath.Join(top, "got"), filepath.Join(top, "want")
	args := []string{"check", "-q", "-o", "json", "--tables", got, "--dir", s.folders[0], "--dir", s.folders[1]}
	agree(t, "with tables", ask(t, process(t, args...)), s.want["json"])
	if v := ask(t, exec.Command(iwarp(t), append([]string{"decode", "-q", "-o", "parquet", "-w", want}, s.files...)...)); v.code != 0 {
		t.Fatalf("iwarp decode: exit code %d", v.code)
	}
	names, err := filepath.Glob(filepath.Join(want, "*"))
	if err != nil || len(names) < 4 {
		t.Fatalf("tables %q, %v", names, err)
	}
	for _, name := range names {
		base := filepath.Base(name)
		g, w := rows(t, filepath.Join(got, base)), rows(t, name)
		if !strings.HasPrefix(base, "findings") && !strings.HasPrefix(base, "connections") { // share by share
			slices.Sort(g)
			slices.Sort(w)
		}
		if len(w) == 0 || !slices.Equal(g, w) {
			t.Errorf("%s: %d rows, want %d", base, len(g), len(w))
		}
	}
	if v := ask(t, process(t, args...)); v.code != exit.Unreadable {
		t.Errorf("where the folder exists, the exit code is %d", v.code)
	}
}

// TestReport compares the page with that of iwarp report, except for its plots, whose intervals follow the order in which connections come, and
// what it says of itself.
func TestReport(t *testing.T) {
	s, top := newScene(t), t.TempDir()
	file := filepath.Join(top, "page.html")
	if v := ask(t, process(t, "report", "-q", "-w", file, "--dir", s.folders[0], "--dir", s.folders[1])); v != (verdict{}) {
		t.Fatal(v)
	}
	got, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	want := ask(t, exec.Command(iwarp(t), append([]string{"report", "-q"}, s.files...)...))
	own := regexp.MustCompile(`(?s)<svg class="chart".*?</svg>|<script.*?</script>|To see (them|the rest): [^<]*|>[^<]* - iwarp report<`)
	agree(t, "page", verdict{text: own.ReplaceAllString(string(got), "")}, verdict{text: own.ReplaceAllString(want.text, "")})
	if title := "<title>" + s.folders[0] + ", " + s.folders[1] + " - iwarp report</title>"; !strings.Contains(string(got), title) {
		t.Errorf("the page has no %s", title)
	}
	if !strings.Contains(string(got), `<table class="hosts">`) {
		t.Error("no hosts")
	}
	if left, err := filepath.Glob(file + "?*"); err != nil || left != nil {
		t.Errorf("%q is left, %v", left, err)
	}
}

// TestREADME runs the command in README.md.
func TestREADME(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	command := regexp.MustCompile("`go run ./cmd/iwarp-fleet (.*) -w report.html`").FindSubmatch(readme)
	if command == nil {
		t.Fatal("README.md has no such command")
	}
	page := filepath.Join(t.TempDir(), "report.html")
	c := process(t, append(strings.Fields(string(command[1])), "-w", page)...)
	c.Dir = "../.."
	if v := ask(t, c); v != (verdict{}) {
		t.Error(v)
	}
	if b, err := os.ReadFile(page); err != nil || !bytes.HasSuffix(b, []byte("</html>\n")) {
		t.Errorf("%d octets, %v", len(b), err)
	}
}

// TestFetch gets frames from an agent that runs, as text and as a capture.
func TestFetch(t *testing.T) {
	f := newHosts(t, newScene(t))
	begin(t, f.with("agent", "--name", "a", "--prefix", "", "--dir", f.folders[0])...)
	name, saved := f.files[0], filepath.Join(t.TempDir(), "a.pcapng")
	in, err := pcaps.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var want pcaps.Record
	for range 3 {
		if err := in.Next(&want); err != nil {
			t.Fatal(err)
		}
	}
	var text verdict
	f.await("the file is known", func(string) bool {
		text = ask(t, process(t, f.with("fetch", filepath.Base(name)+":3")...))
		return text.code == exit.OK
	})
	if !strings.HasPrefix(text.text, filepath.Base(name)+":3  ") || !strings.HasSuffix(text.text, hex.Dump(want.Data)) {
		t.Errorf("%s", text.text)
	}
	if v := ask(t, process(t, f.with("fetch", name+":2-3", "-w", saved)...)); v != (verdict{}) {
		t.Errorf("%+v", v)
	}
	out, err := pcaps.Open(saved)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	var got pcaps.Record
	for range 2 {
		err = errors.Join(err, out.Next(&got))
	}
	if err != nil || got.Time != want.Time || !bytes.Equal(got.Data, want.Data) {
		t.Errorf("%+v, want %+v: %v", got, want, err)
	}
	for question, code := range map[string]int{"/etc/passwd:1": exit.Unreadable, name + ":99999": exit.Unreadable, name: exit.Usage, ":1": exit.Usage, name + ":3-2": exit.Usage, name + ":0": exit.Usage} {
		if v := ask(t, process(t, f.with("fetch", question)...)); v.code != code {
			t.Errorf("fetch %s: %+v, want exit code %d", question, v, code)
		}
	}
}
