package main

// What a fleet costs.

import (
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

// A cost is the least time that something has needed.
type cost struct{ time.Duration }

// add takes the CPU time of a process that has ended.
func (c *cost) add(p *os.ProcessState) { c.took(p.UserTime() + p.SystemTime()) }

func (c *cost) took(d time.Duration) {
	if c.Duration == 0 || d < c.Duration {
		c.Duration = d
	}
}

// sends has an agent for each folder send what is there, at the same time, and returns the one that has cost most.
func (f *hosts) sends(folders ...string) (most *os.ProcessState) {
	f.t.Helper()
	var all []*exec.Cmd
	for i, folder := range folders {
		all = append(all, begin(f.t, f.with("agent", "--name", fmt.Sprint(i), "--every", "0", "--prefix", "", "--dir", folder)...))
	}
	cpu := func(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }
	for _, c := range all {
		if f.ends(c); most == nil || cpu(c.ProcessState) > cpu(most) {
			most = c.ProcessState
		}
	}
	return most
}

// interrupt ends a process, and waits for that.
func interrupt(c *exec.Cmd) *os.ProcessState {
	_ = c.Process.Signal(os.Interrupt) // it may have ended
	_ = c.Wait()                       // it was interrupted
	return c.ProcessState
}

// TestCost measures CPU time and what travels, as often as IWARP_COST says: docs/fleet.md has the results. Least times count, so that other
// work on the machine does less harm. That two agents are faster than one is seen by the slower of them.
func TestCost(t *testing.T) {
	rounds, err := strconv.Atoi(os.Getenv("IWARP_COST"))
	if err != nil {
		t.Skip("IWARP_COST says how often")
	}
	const recorded = "../../dissect/testdata/captures/"
	for _, tt := range []struct {
		name    string
		of      plan
		travels float64 // part of the octets, at most
	}{
		{"Writes", plan{of: recorded + "perf-ib_write_bw-65536.pcap.gz", whole: true, copies: 900, files: 8}, 0.05},
		{"small NFS calls", plan{of: recorded + "nfs-small-*.pcap.gz", whole: true, copies: 80, files: 8}, 0.15},
		{"Writes in short files", plan{of: recorded + "perf-ib_write_bw-65536.pcap.gz", whole: true, copies: 900, files: 500}, 0.05},
		{"small NFS calls in short files", plan{of: recorded + "nfs-small-*.pcap.gz", whole: true, copies: 80, files: 500}, 0.15},
		{"two points that lack packets", largePlan, 0.4},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := captured(t, t.TempDir(), 2, tt.of)
			var check, agent, slower, storing, judge, server, asker, one, two cost
			var size, stored float64
			for _, name := range s.files {
				info, err := os.Stat(name)
				if err != nil {
					t.Fatal(err)
				}
				size += float64(info.Size())
			}
			for range rounds {
				c := exec.Command(iwarp(t), append([]string{"check", "-q"}, s.files...)...)
				want := ask(t, c)
				check.add(c.ProcessState)
				f := newHosts(t, s)
				began := time.Now()
				agent.add(f.sends(s.top))
				one.took(time.Since(began))
				_, said, _ := strings.Cut(f.status(), "The server stores ")
				if _, err := fmt.Sscan(strings.ReplaceAll(said, ",", ""), &stored); err != nil {
					t.Fatal(said, err)
				}
				j := f.judge()
				c = process(t, f.with("check", "-q")...)
				agree(t, "answer", ask(t, c), want)
				asker.add(c.ProcessState)
				judge.add(interrupt(j))
				server.add(interrupt(f.server))
				if !tt.of.whole {
					f := newHosts(t, s)
					began := time.Now()
					slower.add(f.sends(s.folders...))
					two.took(time.Since(began))
					storing.add(interrupt(f.server))
				}
			}
			t.Logf("%.0f MB in %d files; CPU seconds per GB: iwarp check %.2f, agent %.2f, judge %.2f, server %.2f, check %.2f", size/1e6, len(s.files),
				check.Seconds()*1e9/size, agent.Seconds()*1e9/size, judge.Seconds()*1e9/size, server.Seconds()*1e9/size, asker.Seconds()*1e9/size)
			ratio, faster := agent.Seconds()/check.Seconds(), agent.Seconds()/slower.Seconds() // +Inf if there is one agent
			t.Logf("one agent costs %.2f times iwarp check, two are %.2f times as fast, and %.2f times on two cores that the server shares, %.2f times by the clock; %.1f %% of the octets travel",
				ratio, faster, agent.Seconds()/(slower.Seconds()+storing.Seconds()/2), one.Seconds()/two.Seconds(), 100*stored/size)
			if ratio > 1.5 || faster < 1.5 || stored/size > tt.travels {
				t.Error("that is not good enough")
			}
		})
	}
}
