package cli

// The output of iwarp proxy: JSON on standard output, a log and a summary on standard error.

import (
	"fmt"
	"net"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/internal/quantity"
	"github.com/iwarpkit/iwarp/replay/proxy"
)

// A passing is a connection through the proxy.
type passing interface {
	RemoteAddr(proxy.Side) net.Addr
	LocalAddr(proxy.Side) net.Addr
	Octets(from proxy.Side) uint64
}

// A proxyTeller reports what happens. Its methods may be called concurrently.
type proxyTeller struct {
	unserved string // why clients are reset before they are served
	log      *liveLog

	mu                  sync.Mutex
	since               map[passing]time.Time // when open connections began
	begun               bool                  // the first line was printed
	connections, failed uint64
	over                uint64    // connections, and those that were not made
	octets              [2]uint64 // by the side that has sent them
}

func newProxyTeller(p *proxying) *proxyTeller {
	t := &proxyTeller{
		unserved: "the server was not reached", log: newLiveLog(p.app, "iwarp.proxy/1", p.output.Value), since: make(map[passing]time.Time),
	}
	if p.rpc.Value != "" {
		t.unserved = "it was not accepted"
	}
	return t
}

// listening prints the first lines, one for each route.
func (t *proxyTeller) listening(at []net.Addr, routes []proxy.Route) {
	t.begun = true
	for i, a := range at {
		t.log.note("first", "forwarding %v to %s", a, routes[i].To)
		t.log.warn(a, routes[i].To)
		t.log.event("listen", struct {
			liveLine
			Address string `json:"address"`
			To      string `json:"to"`
		}{t.log.newLine("listen"), a.String(), routes[i].To})
		t.log.address(a)
	}
}

// A proxied has the addresses of both TCP connections of a connection through the proxy.
type proxied struct {
	addresses
	Front string `json:"front"` // of the proxy, which the client sees
	Back  string `json:"back"`  // of the proxy, which the server sees
}

func proxiedBy(c passing) proxied {
	return proxied{
		endsOf(c.RemoteAddr(proxy.Client), c.RemoteAddr(proxy.Server)), c.LocalAddr(proxy.Client).String(), c.LocalAddr(proxy.Server).String(),
	}
}

func (t *proxyTeller) opened(serial uint64, c passing) {
	t.mu.Lock()
	t.since[c] = time.Now()
	t.connections++
	t.mu.Unlock()
	a := proxiedBy(c)
	t.log.note("connections that begin", "connection %d: %s > %s, on to %s > %s", serial, a.Client, a.Front, a.Back, a.Server)
	t.log.event("open", struct {
		liveLine
		proxied
	}{t.log.newConnLine("open", serial), a})
}

// acted reports what a rule does.
func (t *proxyTeller) acted(a *proxy.Act) {
	t.log.note("what rules do", "connection %d: %v", a.Conn.Serial, a)
	t.log.event("rule", struct {
		liveLine
		Rule   int    `json:"rule"`
		Action string `json:"action"`
		From   string `json:"from"`
		What   string `json:"what"`
	}{t.log.newConnLine("rule", a.Conn.Serial), a.Rule, a.Do, a.From.String(), a.What})
}

// unruled reports that rules select nothing more on a connection.
func (t *proxyTeller) unruled(c *proxy.Conn) {
	t.log.note("what rules do", "connection %d: its rules end here: --memory is used up", c.Serial)
	t.log.event("unruled", t.log.newConnLine("unruled", c.Serial))
}

// ended reports the end of a connection, and returns how many have ended.
func (t *proxyTeller) ended(serial uint64, c passing, e *proxy.Ending) uint64 {
	sent := [2]uint64{c.Octets(proxy.Client), c.Octets(proxy.Server)}
	t.mu.Lock()
	begun, opened := t.since[c]
	delete(t.since, c)
	for side, n := range sent {
		t.octets[side] += n
	}
	if !opened {
		t.failed++
	}
	t.over++
	over := t.over
	t.mu.Unlock()
	why := reason(e.Err)
	if !opened {
		t.unmade(serial, c, why)
		return over
	}
	took := time.Since(begun).Round(time.Microsecond)
	end, by := "fin", (*string)(nil)
	words := fmt.Sprintf("connection %d: ended after %s, %s from the client, %s from the server", serial, quantity.Duration(int64(took)),
		counted(sent[proxy.Client], "octet"), grouped(sent[proxy.Server]))
	switch {
	case e.Reset:
		end, by = "reset", new(e.By.String())
		words += ": reset by the " + *by
	case why != nil:
		end = "reset"
		words += ": " + *why
	}
	t.log.note("connections that end", "%s", words)
	t.log.event("close", struct {
		liveLine
		Seconds   float64 `json:"seconds"`
		OctetsC2S uint64  `json:"octets_c2s"`
		OctetsS2C uint64  `json:"octets_s2c"`
		End       string  `json:"end"`
		EndedBy   *string `json:"ended_by"`
		Error     *string `json:"error"`
	}{t.log.newConnLine("close", serial), took.Seconds(), sent[proxy.Client], sent[proxy.Server], end, by, why})
	return over
}

// totals returns what has passed, with that of open connections.
func (t *proxyTeller) totals() (octets [2]uint64, open int, connections, failed uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	octets = t.octets
	for c := range t.since {
		octets[proxy.Client] += c.Octets(proxy.Client)
		octets[proxy.Server] += c.Octets(proxy.Server)
	}
	return octets, len(t.since), t.connections, t.failed
}

// traffic changes while connections come, go, or pass on octets.
func (t *proxyTeller) traffic() uint64 {
	octets, open, connections, failed := t.totals()
	return octets[0] + octets[1] + uint64(open) + connections + failed
}

// unmade reports a client that was not served.
func (t *proxyTeller) unmade(serial uint64, c passing, why *string) {
	client := c.RemoteAddr(proxy.Client).String()
	words := fmt.Sprintf("connection %d: reset %s: %s", serial, client, t.unserved)
	if why != nil {
		words += ": " + *why
	}
	t.log.note("connections not made", "%s", words)
	t.log.event("reject", struct {
		liveLine
		Client string  `json:"client"`
		Front  string  `json:"front"`
		Error  *string `json:"error"`
	}{t.log.newConnLine("reject", serial), client, c.LocalAddr(proxy.Client).String(), why})
}

// summary prints the totals on standard error, if anybody could connect.
func (t *proxyTeller) summary() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.begun {
		t.log.close()
		return
	}
	t.log.last("%s passed on, %s failed; %s from clients, %s from servers", counted(t.connections, "connection"), grouped(t.failed),
		counted(t.octets[proxy.Client], "octet"), grouped(t.octets[proxy.Server]))
}
