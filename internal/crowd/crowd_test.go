package crowd

import (
	"fmt"
	"net"
	"net/netip"
)

// Of five connections, three of which are from one host, three give way. That host loses two.
func ExampleGiveWay() {
	var conns []net.Addr
	for _, s := range []string{"10.0.0.1:1", "10.0.0.1:2", "[fd00::1]:3", "10.0.0.1:4", "[fd00::2]:5"} {
		conns = append(conns, net.TCPAddrFromAddrPort(netip.MustParseAddrPort(s)))
	}
	fmt.Println(GiveWay(conns, 3, Host))
	// Output:
	// [10.0.0.1:1 10.0.0.1:2 [fd00::1]:3]
}
