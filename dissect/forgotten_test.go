package dissect

import (
	"net/netip"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// TestForgottenIsBounded forgets far more addresses than are remembered.
func TestForgottenIsBounded(t *testing.T) {
	var f forgotten
	at := func(i int) address {
		src := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 40000)
		return address{tuple: tuple{src, netip.MustParseAddrPort("10.255.0.1:7174")}}
	}
	const n = 5*maxForgotten + 100
	for i := range n {
		f.add(at(i))
	}
	if held := len(f.latest) + len(f.before); held > 2*maxForgotten {
		t.Errorf("%d addresses held", held)
	}
	for i := n - maxForgotten; i < n; i++ {
		if !f.has(at(i), false) || !f.has(at(i).reverse(), false) {
			t.Fatalf("address %d of %d is not remembered", i, n)
		}
	}
	if f.has(at(0), false) {
		t.Error("the first address is still remembered")
	}
	if f.has(at(n-1), true) || f.has(at(n-1), false) {
		t.Error("a address is remembered though something new began there")
	}
	l := at(n - 2)
	l.transport, l.stream = flow.OverSCTP, 1
	if f.has(l, false) {
		t.Error("a stream over SCTP is taken for a TCP connection")
	}
}
