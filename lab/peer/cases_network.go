package main

// Data over networks other than a plain Ethernet.

import "fmt"

func networkCases() (all []testCase) {
	sizes := []int{0, 5, 4096, 65536, 300_001}
	for _, w := range []struct {
		name, text string
		network
	}{
		{"ipv6", "IPv6", network{IPv6: true}},
		{"mtu-576", "an MTU of 576 octets", network{MTU: 576}},
		{"mtu-9000", "an MTU of 9000 octets", network{MTU: 9000}},
		{"mss-200", "an MSS of 200 octets", network{MSS: 200}},
		{"lossy", "segments lost (2 %), doubled and reordered by netem in both directions", network{Lossy: true}},
	} {
		for i := range transfers {
			x := &transfers[i]
			for _, who := range roles {
				all = append(all, testCase{
					Name: fmt.Sprintf("network/%s/%s/%s", w.name, x.name, who),
					Text: fmt.Sprintf("%s; %s", w.text, x.text),
					Siw:  settings{CRC: true},
					Net:  w.network,
					Run:  func(t *T) { x.run(t, who, endConfig{}, sizes) },
				})
			}
		}
	}
	return all
}
