package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/pcaps"
)

// The files of a capture that goes on are one capture, and its comments name both sides.
func TestProxyRotates(t *testing.T) {
	folder := t.TempDir()
	s := start(t, "", "serve", "--service", "memory")
	p := start(t, "", "proxy", "--to", strings.TrimSpace(s.first), "--once", "-w", filepath.Join(folder, "run.pcapng"), "--rotate-size", "300k")
	got := run(t.Context(), nil, false, nil, "bench", "--op", "write", "--measure", "bw", "--size", "64k", "--iters", "40", strings.TrimSpace(p.first))
	if got.code != exitOK {
		t.Fatalf("bench: %+v", got)
	}
	if got := <-p.ended; got.code != exitOK {
		t.Errorf("proxy: %+v", got)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "run-0000?.pcapng"))
	if len(files) < 3 {
		t.Fatalf("files: %v", files)
	}
	slices.Sort(files)
	got = run(t.Context(), nil, false, nil, append([]string{"check"}, files...)...)
	if got.code != exitOK || !strings.Contains(got.out, "1 connection, none failed: no errors, no warnings, no notes.") {
		t.Errorf("check: %+v", got)
	}
	c, err := pcaps.Open(files[0])
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var packet pcaps.Record
	if err := c.Next(&packet); err != nil || len(packet.Comments) != 1 {
		t.Fatal(err, packet.Comments)
	}
	address := `127\.0\.0\.1:\d+`
	if comment := packet.Comments[0]; !regexp.MustCompile(`^Proxied connection 0: ` + address + ` > ` + address + `, on to ` + address + ` > ` + address + `$`).MatchString(comment) {
		t.Error(comment)
	}
}

// What has passed is counted for Prometheus.
func TestProxyMetrics(t *testing.T) {
	s := start(t, "", "serve")
	log := &pipedLog{lines: make(chan string, 10)}
	address := metricsOf(t, log, strings.TrimSpace(s.first))
	got := run(t.Context(), nil, false, nil, "ping", "-c", "2", "-i", "0", address[0])
	if got.code != exitOK {
		t.Fatalf("ping: %+v", got)
	}
	r, err := http.Get(address[1])
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, _ := io.ReadAll(r.Body)
	for _, line := range []string{
		"iwarp_proxy_connections_total 1\n", `iwarp_proxy_messages_total{type="ReadRequest",dir="s2c"} 2` + "\n", `iwarp_proxy_octets_total{dir="c2s"} `,
	} {
		if !bytes.Contains(body, []byte(line)) {
			t.Errorf("no %s in\n%s", line, body)
		}
	}
}

// Close ends an Accept, even if there is no place for another client.
func TestScrapersClose(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := newScrapers(t.Context(), l)
	for range maxScrapers {
		s.places <- struct{}{}
	}
	time.AfterFunc(10*time.Millisecond, func() { s.Close() })
	if _, err := s.Accept(); !errors.Is(err, net.ErrClosed) {
		t.Error(err)
	}
}

// A pipedLog passes on lines of standard error.
type pipedLog struct{ lines chan string }

func (l *pipedLog) Write(b []byte) (int, error) {
	select {
	case l.lines <- string(b):
	default:
	}
	return len(b), nil
}

// metricsOf runs a proxy until the end of the test, and returns its address and that of its metrics.
func metricsOf(t *testing.T, log *pipedLog, to string) (addresses [2]string) {
	ended := make(chan int)
	ctx, stop := context.WithCancel(t.Context())
	go func() {
		ended <- Main(ctx, &Streams{In: strings.NewReader(""), Out: io.Discard, Err: log, Env: func(string) string { return "" }}, []string{
			"proxy", "--to", to, "--metrics", "127.0.0.1:0",
		})
	}()
	t.Cleanup(func() {
		stop()
		<-ended
	})
	for i, pattern := range []string{`metrics on (\S+)`, `listening on ([^,]+),`} {
		m := regexp.MustCompile(pattern).FindStringSubmatch(<-log.lines)
		if m == nil {
			t.Fatal("the log has other lines")
		}
		addresses[1-i] = m[1]
	}
	return addresses
}
