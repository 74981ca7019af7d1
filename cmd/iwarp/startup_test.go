package main

import (
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// What packages may allocate before main begins, whichever command runs: field tables and errors, which decoders need at
// hand. What only some commands need is built by these, when they need it: see sync.OnceValue.
const (
	maxInitBytes  = 400 << 10 // in all
	maxInitAllocs = 4000      // in all
	maxCaseBytes  = 4 << 10   // of a package of the conformance suite
)

// TestStartup bounds what happens before main by its allocations, which are the same each time, not by its time.
func TestStartup(t *testing.T) {
	c := exec.Command(os.Args[0], "-test.run=^$")
	c.Env = append(os.Environ(), "GODEBUG=inittrace=1")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	pattern := regexp.MustCompile(`(?m)^init github\.com/iwarpkit/iwarp/(\S+) .* (\d+) bytes, (\d+) allocs$`)
	var bytes, allocs int
	for _, m := range pattern.FindAllStringSubmatch(string(out), -1) {
		if m[1] == "internal/adversary" { // only the tests link it
			continue
		}
		b, _ := strconv.Atoi(m[2])
		a, _ := strconv.Atoi(m[3])
		t.Logf("%7d bytes %5d allocations  %s", b, a, m[1])
		bytes, allocs = bytes+b, allocs+a
		if strings.HasPrefix(m[1], "replay/conform") && b > maxCaseBytes {
			t.Errorf("%s allocates %d bytes before main, the most is %d: build cases in Section.Cases", m[1], b, maxCaseBytes)
		}
	}
	if allocs == 0 {
		t.Fatalf("no package allocates anything:\n%s", out)
	}
	if bytes > maxInitBytes || allocs > maxInitAllocs {
		t.Errorf("%d bytes and %d allocations before main, the most are %d and %d: build what only some commands need when "+
			"they need it; go test -v -run TestStartup lists the packages", bytes, allocs, maxInitBytes, maxInitAllocs)
	}
}
