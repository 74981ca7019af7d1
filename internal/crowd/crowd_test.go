package crowd

import (
	"fmt"
	"net"
	"net/netip"
	"slices"
	"strings"
	"testing"
)

// A guest is a connection from an address. Its number is its place in the order of arrival, and the less it is worth.
type guest struct {
	activity Activity
	host     netip.Prefix
	number   uint64
}

func policy(most int) *Policy[guest] {
	return &Policy[guest]{
		Most:     most,
		Activity: func(g guest) Activity { return g.activity },
		Spared:   func(g guest) bool { return g.number >= 1000 },
		Worth: func(g guest, a Activity) int64 {
			if a == Busy {
				return -int64(g.number)
			}
			return int64(g.number)
		},
		Serial: func(g guest) uint64 { return g.number },
		Host:   func(g guest) netip.Prefix { return g.host },
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
		{"one has not", slices.Concat(guests(Opening, 0, here[:1]...), guests(Opening, 1000, here...)), "0", true},
	} {
		victims, crowded := policy(1).Excess(slices.Values(tt.conns))
		if got := numbers(victims); got != tt.gives || crowded != tt.crowded {
			t.Errorf("%s: %s give way, crowded %v", tt.what, got, crowded)
		}
	}
}

// Where a large budget is full, one busy connection gives way; of those that open some more do, so that a flood seldom searches them.
func TestLargeBudget(t *testing.T) {
	const most = 512
	for a, victims := range map[Activity]int{Busy: 1, Opening: 3} {
		n := most + 1
		if a == Opening {
			n = Openings*most + 1
		}
		p := policy(most)
		p.Spared = func(guest) bool { return false }
		if all, _ := p.Excess(slices.Values(guests(a, 0, slices.Repeat([]string{"192.0.2.1"}, n)...))); len(all) != victims {
			t.Errorf("activity %d: %d give way, want %d", a, len(all), victims)
		}
	}
}
