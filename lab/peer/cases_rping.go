package main

// The kernel's rping, and the commands of iwarp at the other end. rping verifies what comes back.

import (
	"fmt"
	"strconv"
)

// pings is the number of pings.
const pings = 10

// A way to ping.
type pinging struct {
	name, text string
	size       int
	siw        settings
	network
	flags  []string // of iwarp
	client bool     // rping is a client only: its server cannot read with revision 1, which does not negotiate ORD
}

var pingings = []pinging{
	{name: "plain", text: "64 octets", size: 64, siw: settings{CRC: true}},
	{name: "large", text: "65,000 octets", size: 65000, siw: settings{CRC: true}},
	{name: "crc-off", text: "64 octets, CRCs off", size: 64, flags: []string{"--crc=false"}},
	{name: "revision-1", text: "64 octets, revision 1", size: 64, siw: settings{CRC: true, Rev1: true}, client: true},
	{name: "ipv6", text: "64 octets, IPv6", size: 64, siw: settings{CRC: true}, network: network{IPv6: true}},
	{name: "mss-200", text: "5000 octets, an MSS of 200 octets", size: 5000, siw: settings{CRC: true},
		network: network{MSS: 200}},
}

func rpingCases() (all []testCase) {
	for i := range pingings {
		g := &pingings[i]
		all = append(all, testCase{
			Name: "rping/" + g.name + "/" + string(siwConnect),
			Text: fmt.Sprintf("rping -c against iwarp serve; %d pings of %s", pings, g.text),
			Siw:  g.siw, Net: g.network,
			Run: g.serve,
		})
		if g.client {
			continue
		}
		all = append(all, testCase{
			Name: "rping/" + g.name + "/" + string(weConnect),
			Text: fmt.Sprintf("iwarp ping against rping -s; %d pings of %s", pings, g.text),
			Siw:  g.siw, Net: g.network,
			Run: g.ping,
		})
	}
	return all
}

// rping is the arguments of either end.
func (g *pinging) rping(t *T, host string) []string {
	return []string{"-a", host, "-p", strconv.Itoa(t.port), "-C", strconv.Itoa(pings), "-S", strconv.Itoa(g.size), "-v", "-V"}
}

func (g *pinging) serve(t *T) {
	args := append([]string{"serve", "--listen", t.forKernel(), "--service", "rping", "--once", "--timeout", "60s"},
		g.flags...)
	ours := t.launch("iwarp serve", "iwarp", args...)
	ours.prints(strconv.Itoa(t.port))
	theirs := t.start("rping", append([]string{"-c"}, g.rping(t, t.oursIP)...)...)
	theirs.ends(0, fmt.Sprintf("rdma-ping-%d:", pings-1))
	ours.ends(0)
}

func (g *pinging) ping(t *T) {
	theirs := t.start("rping", append([]string{"-s"}, g.rping(t, t.kernelIP)...)...)
	t.listens(theirs)
	args := append([]string{"ping", "-c", strconv.Itoa(pings), "-i", "0", "-s", strconv.Itoa(g.size), "--timeout", "60s"},
		g.flags...)
	ours := t.launch("iwarp ping", "iwarp", append(args, t.toKernel())...)
	ours.ends(0)
	theirs.ends(0, "server DISCONNECT EVENT")
}
