package main

// Cases, and how one is run.

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/lab/result"
	"github.com/iwarpkit/iwarp/replay/proxy"
)

// A group is cases that share a capture.
type group struct {
	Name  string
	Text  string // what they are about
	Cases []testCase

	// Uncaptured is for cases that break rules all the time and check the results themselves: lab/judge cannot judge their
	// traffic.
	Uncaptured bool
}

// file is the capture; "" if there is none.
func (g *group) file() string {
	if g.Uncaptured {
		return ""
	}
	return g.Name + ".pcap"
}

// A testCase is one line of the table.
type testCase struct {
	Name string
	Text string // what happens, and what must be the result; "" if the group says it
	Siw  settings
	Net  network
	Run  func(t *T)

	// Limit is how long it may take; 0 for the usual limit.
	Limit time.Duration

	// Breaks is the rule of codec/rules that our side breaks on purpose, and that lab/judge must find. "" for none.
	Breaks string

	// Packets is how many our side sends at least, of which lab/judge makes sure.
	Packets int
}

// limit is how long a case may take. A guest without KVM is slow.
const limit = 90 * time.Second

// A T is a running case. Its methods end the case if something fails.
type T struct {
	ctx      context.Context
	name     string
	port     int // unique, to find the case in captures
	logs     string
	kernelIP string // addresses that the case uses
	oursIP   string
	proxied  bool // a proxy stands between both ends
	rules    []*proxy.Rule
	closers  []func()
}

// failure and skip are what a T panics with to end the case.
type (
	failure string
	skip    string
)

func (t *T) failf(format string, args ...any) { panic(failure(fmt.Sprintf(format, args...))) }

func (t *T) skipf(format string, args ...any) { panic(skip(fmt.Sprintf(format, args...))) }

// check ends the case unless ok.
func (t *T) check(ok bool, format string, args ...any) {
	if !ok {
		t.failf(format, args...)
	}
}

// must ends the case if there is an error.
func (t *T) must(err error, doing string) {
	t.check(err == nil, "%s: %v", doing, err)
}

// later calls f when the case ends, the last one first.
func (t *T) later(f func()) { t.closers = append(t.closers, f) }

// attempt runs f, and returns why it failed; nil if it did not.
func attempt(f func()) (why any) {
	defer func() {
		switch why = recover(); why.(type) {
		case nil, failure, skip:
		default:
			why = failure(fmt.Sprintf("panic: %v\n%s", why, debug.Stack()))
		}
	}()
	f()
	return nil
}

// firstPort is the port of the first case.
const firstPort = 7500

var (
	lastPort  = firstPort - 1
	crashedIn string // the case in which the kernel crashed: later ones would prove nothing
)

// run runs a case; logs of the kernel's side go to a folder below out.
func run(c *testCase, out string) result.Result {
	start := time.Now()
	lastPort++
	ctx, cancel := context.WithTimeout(context.Background(), cmp.Or(c.Limit, limit))
	defer cancel()
	t := &T{ctx: ctx, name: c.Name, port: lastPort, logs: out, kernelIP: "10.0.0.2", oursIP: "10.0.0.1"}
	if c.Net.IPv6 {
		t.kernelIP, t.oursIP = "fd00::2", "fd00::1"
	}
	r := result.Result{Case: c.Name, Status: result.Passed, Port: t.port, Breaks: c.Breaks, Packets: c.Packets}
	since := func() []string { return nil }
	why := attempt(func() {
		if crashedIn != "" {
			t.skipf("the kernel has crashed in %s", crashedIn)
		}
		since = t.kernelLog()
		c.Siw.apply(t)
		c.Net.apply(t)
		c.Run(t)
	})
	for _, line := range since() {
		if crashed.MatchString(line) {
			crashedIn, why = c.Name, failure("the kernel's log: "+line)
		}
	}
	for _, f := range slices.Backward(t.closers) {
		if w := attempt(f); why == nil {
			why = w
		}
	}
	switch why := why.(type) {
	case failure:
		r.Status, r.Reason = result.Failed, string(why)
	case skip:
		r.Status, r.Reason = result.Skipped, string(why)
	}
	r.Milliseconds = time.Since(start).Milliseconds()
	return r
}
