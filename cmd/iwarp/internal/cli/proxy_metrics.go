package cli

// The metrics of iwarp proxy, in the text format of Prometheus.

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/crowd"
)

// proxyCounts count what has passed.
type proxyCounts struct {
	*proxyTeller
	mu       sync.Mutex
	messages map[[2]string]uint64 // by type and direction
	findings map[[2]string]uint64 // by id and severity
}

func newProxyCounts(t *proxyTeller) *proxyCounts {
	return &proxyCounts{proxyTeller: t, messages: make(map[[2]string]uint64), findings: make(map[[2]string]uint64)}
}

// record counts messages and findings. Both have few kinds.
func (c *proxyCounts) record(r *record.Record) {
	if r.Kind != record.KindMessage && len(r.Findings) == 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if r.Kind == record.KindMessage {
		c.messages[[2]string{r.Message.Opcode.String(), r.Dir.String()}]++
	}
	for _, f := range r.Findings {
		c.findings[[2]string{f.ID, f.Severity.String()}]++
	}
}

// maxScrapers is how many clients may ask for the metrics at a time: so many that one which asks at once is answered before its turn to
// give way comes.
const maxScrapers = 256

// A scrapers is a Listener of maxScrapers connections: of more, the earliest of the host that has most gives way.
type scrapers struct {
	net.Listener
	mu       sync.Mutex
	open     map[net.Conn]uint64 // by the order in which they came
	accepted uint64
}

// Accept accepts a connection, for which another may give way.
func (s *scrapers) Accept() (net.Conn, error) {
	nc, err := s.Listener.Accept()
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.accepted++
	s.open[nc] = s.accepted
	policy := crowd.Policy[net.Conn]{
		Most: maxScrapers, Activity: func(net.Conn) crowd.Activity { return crowd.Silent }, Active: func(net.Conn) time.Duration { return 0 },
		Serial: func(nc net.Conn) uint64 { return s.open[nc] }, Host: func(nc net.Conn) netip.Prefix { return crowd.Host(nc.RemoteAddr()) },
		Reset: func(nc net.Conn) {
			nc.Close()
			delete(s.open, nc)
		},
	}
	policy.Keep(maps.Keys(s.open))
	return nc, nil
}

// leave is told of each change of a connection.
func (s *scrapers) leave(nc net.Conn, now http.ConnState) {
	if now == http.StateClosed {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.open, nc)
	}
}

// serveMetrics serves the metrics on an address, if there is one, until the server is closed. Without a host it is that of loopback.
func (w *proxyWatch) serveMetrics(ctx context.Context, address string) (*http.Server, error) {
	const slow, headers = 2 * time.Second, 8 << 10
	if strings.HasPrefix(address, ":") {
		address = "127.0.0.1" + address
	}
	s := &http.Server{
		Handler: http.HandlerFunc(w.counts.serve), ReadTimeout: slow, WriteTimeout: 2 * slow, MaxHeaderBytes: headers,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	if address == "" {
		return s, nil
	}
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return nil, unreachable(address, err)
	}
	s.SetKeepAlivesEnabled(false)
	w.counts.log.note("first", "metrics on http://%v/metrics", l.Addr())
	w.counts.log.warn(l.Addr(), "the metrics")
	from := &scrapers{Listener: l, open: make(map[net.Conn]uint64)}
	s.ConnState = from.leave
	go s.Serve(from)
	return s, nil
}

func (c *proxyCounts) serve(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path != "/metrics" {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "text/plain; version=0.0.4")
	c.write(w)
}

func (c *proxyCounts) write(w io.Writer) {
	octets, open, connections, failed := c.totals()
	head := func(name, kind, help string) { fmt.Fprintf(w, "# HELP %s %s\n# TYPE %s %s\n", name, help, name, kind) }
	head("iwarp_proxy_connections_open", "gauge", "Connections that have both ends.")
	fmt.Fprintf(w, "iwarp_proxy_connections_open %d\n", open)
	head("iwarp_proxy_connections_total", "counter", "Connections that have had both ends.")
	fmt.Fprintf(w, "iwarp_proxy_connections_total %d\n", connections)
	head("iwarp_proxy_connections_failed_total", "counter", "Connections whose server was not reached.")
	fmt.Fprintf(w, "iwarp_proxy_connections_failed_total %d\n", failed)
	head("iwarp_proxy_octets_total", "counter", "Octets that were passed on.")
	for side, n := range octets {
		fmt.Fprintf(w, "iwarp_proxy_octets_total{dir=%q} %d\n", [...]string{"c2s", "s2c"}[side], n)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range []struct {
		name, help string
		labels     [2]string
		of         map[[2]string]uint64
	}{
		{"iwarp_proxy_messages_total", "RDMAP messages.", [2]string{"type", "dir"}, c.messages},
		{"iwarp_proxy_findings_total", "Findings of iwarp check.", [2]string{"id", "severity"}, c.findings},
	} {
		head(m.name, "counter", m.help)
		for _, key := range slices.SortedFunc(maps.Keys(m.of), func(a, b [2]string) int { return slices.Compare(a[:], b[:]) }) {
			fmt.Fprintf(w, "%s{%s=%q,%s=%q} %d\n", m.name, m.labels[0], key[0], m.labels[1], key[1], m.of[key])
		}
	}
}
