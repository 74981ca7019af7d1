package main

// Full disks: what is full is said, and once there is room the answer comes.

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// small is a file system of so many octets, if this process may have one.
func small(t *testing.T, size string) string {
	t.Helper()
	folder := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size="+size, "none", folder).CombinedOutput(); err != nil {
		t.Skipf("no small file system: %v: %s", err, out)
	}
	t.Cleanup(func() { _ = exec.Command("umount", "-l", folder).Run() }) // it goes with the machine
	return folder
}

// fill takes all room of a file system with a file, which it returns.
func fill(t *testing.T, folder string) string {
	t.Helper()
	name := filepath.Join(folder, "fill")
	f, err := os.Create(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if n, err := io.Copy(f, endless{}); err == nil || n == 0 {
		t.Fatalf("%d octets, %v", n, err)
	}
	return name
}

type endless struct{}

func (endless) Read(b []byte) (int, error) { return len(b), nil }

// said is what a command prints on standard error, and its exit code.
func said(t *testing.T, args ...string) verdict {
	t.Helper()
	c := process(t, args...)
	var b strings.Builder
	c.Stderr = &b
	v := ask(t, c)
	v.text += b.String()
	return v
}

// TestFullServer fills the disk of the server while agents send. It ends, and agents wait for it.
func TestFullServer(t *testing.T) {
	if testing.Short() {
		t.Skip("it waits for leases and time-outs")
	}
	t.Parallel()
	s := newScene(t)
	for range faults() {
		f := &hosts{scene: s, t: t, store: small(t, "32m"), url: "127.0.0.1:0"}
		f.serve()
		f.ends(f.agent(0))
		filled := fill(t, f.store)
		a := f.agent(1)
		if err := f.server.Wait(); f.server.ProcessState.ExitCode() != exit.Unreadable {
			t.Fatalf("the server ends with %v", err)
		}
		if err := os.Remove(filled); err != nil {
			t.Fatal(err)
		}
		f.serve()
		f.ends(a)
		f.judge()
		f.answers("json", func() {})
		kill(f.server)
	}
}

// TestFullJudge has a judge on another host whose disk is full: it needs none.
func TestFullJudge(t *testing.T) {
	s := newScene(t)
	full := small(t, "1m")
	fill(t, full)
	for range faults() {
		f := newHosts(t, s)
		f.ends(f.agent(0))
		f.ends(f.agent(1))
		f.answers("json", func() {
			f.awaitTasks()
			c := process(t, f.with("judge")...)
			c.Dir, c.Env = full, append(c.Env, "TMPDIR="+full, "HOME="+full)
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { kill(c) })
		})
		kill(f.server)
	}
}

// TestNoRoom has a server that may not store more, by its settings: whoever meets that says so. With room, the answer is the same.
func TestNoRoom(t *testing.T) {
	s := newScene(t)
	for range faults() {
		f := newHosts(t, s)
		f.flags = []string{"--max-bytes", "50000"}
		begin := time.Now()
		if v := said(t, f.with("agent", "--every", "0", "--dir", f.folders[0])...); v.code != exit.Unreadable || !strings.Contains(v.text, "no room left: maximum bytes exceeded") {
			t.Errorf("%+v", v)
		}
		if took := time.Since(begin); took > 30*time.Second {
			t.Errorf("it has taken %v", took)
		}
	}
	full := small(t, "1m")
	t.Setenv("TMPDIR", full)
	if v := said(t, "check", "-q", "--dir", s.folders[0], "--dir", s.folders[1]); v.code != exit.Unreadable || !strings.Contains(v.text, "no room left") {
		t.Errorf("%+v", v)
	}
	if left, err := os.ReadDir(full); err != nil || len(left) > 0 {
		t.Errorf("%v is left, %v", left, err)
	}
}

// TestFullOutput writes the answer to a full disk. What was there before stays, and nothing else is left. With room, it is written.
func TestFullOutput(t *testing.T) {
	s := newScene(t)
	folder := small(t, "4m")
	page := filepath.Join(folder, "page.html")
	if err := os.WriteFile(page, []byte("before"), 0o666); err != nil {
		t.Fatal(err)
	}
	filled := fill(t, folder)
	args := []string{"report", "-q", "--dir", s.folders[0], "--dir", s.folders[1], "-w", page}
	if v := said(t, args...); v.code != exit.Unreadable || !strings.Contains(v.text, "no space left") {
		t.Errorf("%+v", v)
	}
	if b, err := os.ReadFile(page); err != nil || string(b) != "before" {
		t.Errorf("%.100q, %v", b, err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 2 {
		t.Errorf("%v is left, %v", left, err)
	}
	if err := os.Remove(filled); err != nil {
		t.Fatal(err)
	}
	if v := said(t, args...); v != (verdict{}) {
		t.Errorf("with room: %+v", v)
	}
	if b, err := os.ReadFile(page); err != nil || !strings.HasSuffix(string(b), "</html>\n") {
		t.Errorf("%d octets, %v", len(b), err)
	}
}
