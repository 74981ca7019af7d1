package main

import (
	"bytes"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
)

// TestInterrupted interrupts a report wherever it is, once or twice. The page is whole or not there, and no store is left.
func TestInterrupted(t *testing.T) {
	s := newScene(t)
	whole := filepath.Join(t.TempDir(), "whole.html")
	args := []string{"report", "-q", "--dir", s.folders[0], "--dir", s.folders[1], "-w"}
	begin := time.Now()
	if v := ask(t, process(t, append(args, whole)...)); v != (verdict{}) {
		t.Fatal(v)
	}
	took := time.Since(begin)
	want, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	ended, wait := 0, took/8
	for try := 0; try < 4*faults(); {
		temporary := t.TempDir()
		page := filepath.Join(t.TempDir(), "page.html")
		c := process(t, append(args, page)...)
		c.Env = append(c.Env, "TMPDIR="+temporary)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(wait)
		if try > 0 {
			time.Sleep(mathrand.N(took))
		}
		_ = c.Process.Signal(os.Interrupt) // it may have ended
		if try%2 == 1 {
			time.Sleep(mathrand.N(20 * time.Millisecond))
			_ = c.Process.Signal(os.Interrupt)
		}
		begin := time.Now()
		_ = c.Wait() // its exit code says it

		if c.ProcessState.ExitCode() == -1 && wait < took { // before it listens to signals, one kills it
			wait *= 2
			continue
		}
		if late := time.Since(begin); late > 10*time.Second {
			t.Errorf("it has taken %v to end", late)
		}
		got, err := os.ReadFile(page)
		switch code := c.ProcessState.ExitCode(); {
		case code == 130 && os.IsNotExist(err):
			ended++
		case (code == exit.OK || code == 130) && err == nil && bytes.Equal(got, want):
		default:
			t.Errorf("exit code %d, %d octets of %d, %v", code, len(got), len(want), err)
		}
		if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
			t.Errorf("try %d: %v is left, %v", try, left, err)
		}
		try++
	}
	if ended == 0 {
		t.Errorf("none of %d has ended early", 4*faults())
	}
}

// TestInterruptedRoles interrupts each process of a fleet: it ends, and the answer of others is the same.
func TestInterruptedRoles(t *testing.T) {
	t.Parallel()
	f := newHosts(t, newScene(t))
	agent := begin(t, f.with("agent", "--name", "0", "--prefix", "", "--dir", f.folders[0])...)
	for _, args := range [][]string{f.with("judge"), f.with("check", "-q", "--agents", "9")} {
		for wait := 100 * time.Millisecond; ; wait *= 2 { // before it listens to signals, one kills it
			c := begin(t, args...)
			time.Sleep(wait)
			if err := c.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if _ = c.Wait(); c.ProcessState.ExitCode() == 130 {
				break
			}
			if wait > 10*time.Second {
				t.Fatalf("%v: %v", args, c.ProcessState)
			}
		}
	}
	f.await("the agent works", func(s string) bool { return strings.Contains(s, "1 agent ") })
	if err := agent.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if _ = agent.Wait(); agent.ProcessState.ExitCode() != 130 {
		t.Errorf("agent: exit code %d", agent.ProcessState.ExitCode())
	}
	f.ends(f.agent(0))
	f.ends(f.agent(1))
	f.answers("json", func() { f.judge() })
}
