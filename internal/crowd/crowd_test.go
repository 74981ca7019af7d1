package crowd

import (
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// A guest is a connection from an address. Its number is its place in the order of arrival, and all else that decides.
type guest struct {
	activity Activity
	host     netip.Prefix
	number   uint64
}

func policy(most int) *Policy[guest] {
	return &Policy[guest]{
		Most:     most,
		Activity: func(g guest) Activity { return g.activity },
		Waits:    func(g guest) bool { return g.number >= 2000 },
		Age: func(g guest) time.Duration {
			switch {
			case g.number >= 1500:
				return Spared / 2
			case g.number >= 1000:
				return 0
			}
			return Spared
		},
		Active:  func(g guest) time.Duration { return time.Duration(g.number) },
		Stuck:   func(g guest) time.Duration { return time.Duration(g.number) },
		Carried: func(g guest) uint64 { return g.number },
		Serial:  func(g guest) uint64 { return g.number },
		Host:    func(g guest) netip.Prefix { return g.host },
	}
}

// guests come from some addresses, one after the other.
func guests(a Activity, first uint64, from ...string) (all []guest) {
	for i, address := range from {
		host := Host(net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(address), 7)))
		all = append(all, guest{a, host, first + uint64(i)})
	}
	return all
}

func numbers(all []guest) string {
	slices.SortFunc(all, func(a, b guest) int { return int(a.number) - int(b.number) })
	var s []string
	for _, g := range all {
		s = append(s, fmt.Sprint(g.number))
	}
	return strings.Join(s, " ")
}

// There are five silent connections, one more than there may be. Of the host that has most, the one that came first gives way.
func ExamplePolicy() {
	victims, _ := policy(4).Excess(slices.Values(guests(Silent, 0, "10.0.0.2", "10.0.0.1", "10.0.0.1", "10.0.0.1", "fd00::1")))
	fmt.Println(numbers(victims))
	// Output:
	// 1
}

// In a full budget the least useful connection of the host that has most gives way.
func TestGiveWay(t *testing.T) {
	two := []string{"192.0.2.1", "192.0.2.2", "192.0.2.2", "192.0.2.2"}
	for _, tt := range []struct {
		what     string
		activity Activity
		from     []string
		n        int
		gives    string
	}{
		{"who has one is spared", Opening, two, 2, "1 2"},
		{"then the longest wait decides", Opening, two, 3, "0 1 2"},
		{"silent for longest", Silent, two, 2, "1 2"},
		{"busy with most", Busy, two, 2, "2 3"},
		{"one network of IPv6", Opening, []string{"2001:db8::1", "2001:db8:0:1::1", "2001:db8:0:1::2", "2001:db8:0:1:8000::3"}, 2, "1 2"},
		{"an IPv4 address in IPv6", Opening, []string{"192.0.2.1", "::ffff:192.0.2.2", "192.0.2.2"}, 1, "1"},
	} {
		if got := numbers(policy(0).giveWay(tt.activity, guests(tt.activity, 0, tt.from...), tt.n)); got != tt.gives {
			t.Errorf("%s: %s give way, want %s", tt.what, got, tt.gives)
		}
	}
}

// Each Activity has its own budget; those that have just begun to open stay, and make newcomers wait.
func TestBudgets(t *testing.T) {
	here := []string{"192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.1", "192.0.2.1"}
	for _, tt := range []struct {
		what    string
		conns   []guest
		gives   string
		crowded bool
	}{
		{"as many as may be", slices.Concat(guests(Opening, 0, here[:4]...), guests(Silent, 10, here[:1]...), guests(Busy, 20, here[:1]...)), "", false},
		{"one too many of two kinds", slices.Concat(guests(Opening, 0, here...), guests(Slow, 10, here[:2]...)), "0 10", false},
		{"all have just begun", guests(Opening, 1000, here...), "", true},
		{"all wait for us", guests(Opening, 2000, here...), "", true},
		{"others do not give way for those that wait for us", slices.Concat(guests(Opening, 0, here[:4]...), guests(Opening, 2000, here...)), "", true},
		{"one too many besides those that wait for us", slices.Concat(guests(Opening, 0, here...), guests(Opening, 2000, here...)), "0", true},
		{"all have begun lately", guests(Opening, 1500, here...), "", true},
		{"one has not", slices.Concat(guests(Opening, 0, here[:1]...), guests(Opening, 1000, here...)), "0", true},
	} {
		victims, crowded := policy(1).Excess(slices.Values(tt.conns))
		if got := numbers(victims); got != tt.gives || crowded != tt.crowded {
			t.Errorf("%s: %s give way, crowded %v", tt.what, got, crowded)
		}
	}
}

// Where the system has no room, those give way that have most of their budget: of those that open, four times as many may be. Busy
// ones stay while there are others, even if these are spared yet, but not because of those that wait for us.
func TestRelief(t *testing.T) {
	here := slices.Repeat([]string{"192.0.2.1"}, 8)
	for _, tt := range []struct {
		conns []guest
		gives string
	}{
		{nil, ""},
		{slices.Concat(guests(Opening, 0, here...), guests(Silent, 10, here[:2]...)), "0 1"},
		{slices.Concat(guests(Opening, 0, here...), guests(Silent, 10, here[:3]...)), "10 11"},
		{slices.Concat(guests(Silent, 10, here[:2]...), guests(Busy, 20, here[:3]...)), "10 11"},
		{slices.Concat(guests(Opening, 0, here[:2]...), guests(Busy, 20, here...)), "0 1"},
		{slices.Concat(guests(Departing, 0, here[:1]...), guests(Busy, 20, here...)), "0"},
		{slices.Concat(guests(Opening, 1000, here[:1]...), guests(Busy, 20, here...)), ""},
		{slices.Concat(guests(Opening, 2000, here...), guests(Busy, 20, here[:3]...)), "21 22"},
		{slices.Concat(guests(Opening, 1000, here...), guests(Opening, 2000, here...)), ""},
		{slices.Concat(guests(Opening, 1000, here...), guests(Opening, 1500, here...)), "1500 1501"},
		{slices.Concat(guests(Opening, 1000, here...), guests(Slow, 10, here[:1]...)), "10"},
	} {
		if got := numbers(policy(1).Relief(slices.Values(tt.conns), 2)); got != tt.gives {
			t.Errorf("%v: %s give way, want %s", tt.conns, got, tt.gives)
		}
	}
}

// 110 silent connections that open do not make 400 busy ones of another host give way.
func TestReliefOfSilentCrowd(t *testing.T) {
	busy := guests(Busy, 200, slices.Repeat([]string{"192.0.2.1"}, 400)...)
	opening := guests(Opening, 0, slices.Repeat([]string{"192.0.2.2"}, 110)...)
	victims := policy(400).Relief(slices.Values(append(busy, opening...)), 32)
	if len(victims) != 32 || slices.ContainsFunc(victims, func(g guest) bool { return g.activity != Opening }) {
		t.Errorf("%s give way, want 32 that open", numbers(victims))
	}
}

// A process without descriptors needs relief, and so does a system without.
func TestExhausted(t *testing.T) {
	for err, want := range map[error]bool{nil: false, syscall.EMFILE: true, syscall.ENFILE: true, syscall.ECONNABORTED: false} {
		if err != nil {
			err = &net.OpError{Op: "accept", Err: os.NewSyscallError("accept4", err)}
		}
		if Exhausted(err) != want {
			t.Errorf("%v: %v", err, !want)
		}
	}
}

// Where a large budget is full, one busy connection gives way; of those that open some more do, so that a flood seldom searches them.
func TestLargeBudget(t *testing.T) {
	const most = 512
	for a, victims := range map[Activity]int{Busy: 1, Opening: 1 + most/4} {
		n := most + 1
		if a == Opening {
			n = Openings*most + 1
		}
		p := policy(most)
		p.Age = func(guest) time.Duration { return Lull }
		p.Waits = func(guest) bool { return false }
		if all, _ := p.Excess(slices.Values(guests(a, 0, slices.Repeat([]string{"192.0.2.1"}, n)...))); len(all) != victims {
			t.Errorf("activity %d: %d give way, want %d", a, len(all), victims)
		}
	}
}

// A flood of connections that open asks few of those before them whether they wait: asking takes a system call.
func TestFlood(t *testing.T) {
	const newcomers = 2000
	p, asked := policy(64), 0
	p.Age = func(guest) time.Duration { return Lull }
	p.Waits = func(guest) bool { asked++; return false }
	var conns []guest
	for n, newcomer := range guests(Opening, 0, slices.Repeat([]string{"192.0.2.1"}, newcomers)...) {
		conns = append(conns, newcomer)
		victims, _ := p.Excess(slices.Values(conns))
		if conns = slices.DeleteFunc(conns, func(g guest) bool { return slices.Contains(victims, g) }); len(conns) > 64*Openings || n > 300 && len(conns) < 60*Openings {
			t.Fatalf("%d connections stay", len(conns))
		}
	}
	if asked > 20*newcomers {
		t.Errorf("%d were asked for %d newcomers", asked, newcomers)
	}
}
