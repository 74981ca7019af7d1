package cli

// The memory of iwarp serve and iwarp proxy: it stays within bounds under load, and goes back to the system afterwards.

import (
	"context"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// The bounds. Octets that wait for slow peers, what Go may take before it collects more often, and all that is resident beyond the start:
// above that, connections give way.
const (
	mostHeld     = 64 << 20
	mostOfGo     = 128 << 20
	mostResident = 192 << 20
)

// How often memory is looked at, in which peers of a fast machine fill some 20 MiB, and after how long without traffic it is given back.
const (
	memoryBeat = 25 * time.Millisecond
	memoryRest = 5 * time.Second
)

// maxResident is mostResident, and more if the user has asked for larger regions and Receives: four connections have room.
func (s *serving) maxResident() int {
	asked := s.region.value + 2*max(s.receives.value, 32)*s.receiveSize.value
	return mostResident + int(min(4*asked, 1<<40))
}

// keepMemory keeps memory within bounds until ctx is done: at most so many octets above the start, as far as relieve can let a connection
// give way. traffic changes while there is any.
func keepMemory(ctx context.Context, relieve func() bool, most int, traffic func() uint64) {
	defer debug.SetMemoryLimit(debug.SetMemoryLimit(int64(mostOfGo + most - mostResident)))
	start, seen, since, rested := resident(), traffic(), time.Now(), true
	tick := time.NewTicker(memoryBeat)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		if n := traffic(); n != seen {
			seen, since, rested = n, time.Now(), false
		}
		if resident() > start+most {
			debug.FreeOSMemory()
			for tries := 0; tries < 64 && resident() > start+most && relieve(); tries++ {
			}
		}
		if !rested && time.Since(since) > memoryRest {
			debug.FreeOSMemory()
			rested = true
		}
	}
}

// resident returns how many octets of memory the process has; 0 where the system does not say so.
func resident() int {
	b, _ := os.ReadFile("/proc/self/statm")
	fields := strings.Fields(string(b))
	if len(fields) < 2 {
		return 0
	}
	n, _ := strconv.Atoi(fields[1])
	return n * os.Getpagesize()
}
