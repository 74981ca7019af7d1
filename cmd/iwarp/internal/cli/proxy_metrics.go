package cli

// The metrics of iwarp proxy, in the text format of Prometheus.

import (
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/dissect/record"
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

// maxScrapers is how many clients may ask for the metrics at a time. Others wait to be accepted.
const maxScrapers = 16

// A scrapers is a Listener with a place for each of maxScrapers connections.
type scrapers struct {
	net.Listener
	places chan struct{}
	closed context.Context
	close  context.CancelFunc
}

func newScrapers(ctx context.Context, l net.Listener) *scrapers {
	s := &scrapers{Listener: l, places: make(chan struct{}, maxScrapers)}
	s.closed, s.close = context.WithCancel(ctx)
	return s
}

// Close ends an Accept that waits for a place, too.
func (s *scrapers) Close() error {
	s.close()
	return s.Listener.Close()
}

// Accept waits for a place, which a connection gives back when it is closed.
func (s *scrapers) Accept() (net.Conn, error) {
	select {
	case s.places <- struct{}{}:
	case <-s.closed.Done():
		return nil, net.ErrClosed
	}
	nc, err := s.Listener.Accept()
	if err != nil {
		<-s.places
		return nil, err
	}
	return &scraper{Conn: nc, leave: sync.OnceFunc(func() { <-s.places })}, nil
}

type scraper struct {
	net.Conn
	leave func()
}

// Close implements net.Conn.
func (s *scraper) Close() error {
	defer s.leave()
	return s.Conn.Close()
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
	go s.Serve(newScrapers(ctx, l))
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

// write writes all metrics.
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
