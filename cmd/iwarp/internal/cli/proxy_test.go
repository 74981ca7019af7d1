package cli

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/internal/transcript"
	"github.com/iwarpkit/iwarp/pcaps"
)

// The files of a capture that goes on are one capture, and its comments name both sides.
func TestProxyRotates(t *testing.T) {
	folder := t.TempDir()
	s := start(t, "", "serve", "--service", "memory")
	p := start(t, "", "proxy", "--to", strings.TrimSpace(s.first), "--once", "-w", filepath.Join(folder, "run.pcapng"), "--rotate-size", "300k")
	got := run(t.Context(), nil, false, nil, "bench", "--op", "write", "--measure", "bw", "--size", "64k", "--iters", "40", strings.TrimSpace(p.first))
	if got.code != exit.OK {
		t.Fatalf("bench: %+v", got)
	}
	if got := <-p.ended; got.code != exit.OK {
		t.Errorf("proxy: %+v", got)
	}
	files, _ := filepath.Glob(filepath.Join(folder, "run-0000?.pcapng"))
	if len(files) < 3 {
		t.Fatalf("files: %v", files)
	}
	slices.Sort(files)
	got = run(t.Context(), nil, false, nil, append([]string{"check"}, files...)...)
	if got.code != exit.OK || !strings.Contains(got.out, "1 connection, none failed. No findings.") {
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

// BenchmarkProxyRecords passes octets as fast as a proxy that records them can, and counts them in the capture. 500 MB/s are wanted.
func BenchmarkProxyRecords(b *testing.B) {
	const octets = 512 << 20
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	b.SetBytes(octets)
	for range b.N {
		b.StopTimer()
		file := filepath.Join(b.TempDir(), "run.pcapng")
		p := start(b, "", "proxy", "--to", l.Addr().String(), "--once", "-w", file)
		client, err := net.Dial("tcp", strings.TrimSpace(p.first))
		if err != nil {
			b.Fatal(err)
		}
		server, err := l.Accept()
		if err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		go func() {
			defer client.Close()
			piece := make([]byte, 64<<10)
			for sent := 0; sent < octets; sent += len(piece) {
				client.Write(piece)
			}
		}()
		if n, err := io.Copy(struct{ io.Writer }{io.Discard}, server); n != octets || err != nil {
			b.Error(n, err)
		}
		b.StopTimer()
		server.Close()
		if got := <-p.ended; got.code != exit.OK {
			b.Errorf("%+v", got)
		}
		c, err := pcaps.Open(file)
		if err != nil {
			b.Fatal(err)
		}
		recorded := 0
		var packet pcaps.Record
		var segment tcpip.Segment
		for c.Next(&packet) == nil {
			if err := segment.Decode(packet.LinkType, packet.Data, packet.OrigLen); err != nil || segment.Missing > 0 {
				b.Fatal(packet.Frame, err)
			}
			recorded += len(segment.Payload)
		}
		if c.Close(); recorded != octets {
			b.Errorf("%d octets were recorded of %d", recorded, octets)
		}
		os.Remove(file)
	}
}

// A failure is told of at once, and taken back when a later connection of the client, which makes up for it, is over.
func TestProxyMends(t *testing.T) {
	troubles, err := transcript.Troubles("../../../../dissect/judge/testdata/troubles.txt")
	if err != nil {
		t.Fatal(err)
	}
	refused := troubles[slices.IndexFunc(troubles, func(tr transcript.Trouble) bool { return tr.Name == "minor-version" })]
	records := func(twin bool, client string) []pcaps.Record {
		r, err := refused.Records(twin, "port 20049", "client "+client+"\nport 20049")
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	for output, want := range map[string][]string{
		"text": {"1 connection, 1 failed", "The client connected again as connection 1, and that went well: nothing has failed.", "1 connection, none failed"},
		"json": {`"conn":0`, `"cause":{"kind":"deferred"`, `"conn":1`, `"cause":null`, `"conn":0`, "and that went well: nothing has failed.", `"cause":null`},
	} {
		var out bytes.Buffer
		p := &proxying{app: &app{Streams: &Streams{Out: &out, Err: io.Discard, Env: func(string) string { return "" }}, outlets: new(outlets)}, reading: newReading(), checks: true}
		p.output.Value = output
		w, err := p.watch(newProxyTeller(p))
		if err != nil {
			t.Fatal(err)
		}
		for _, packet := range transcript.Then(records(false, "40000"), records(true, "40001"), time.Second) {
			w.packet(&packet)
		}
		w.closeOver()
		if err := w.close(); err != nil {
			t.Fatal(err)
		}
		got := strings.Join(strings.Fields(out.String()), " ")
		for _, part := range want {
			_, rest, ok := strings.Cut(got, part)
			if !ok {
				t.Errorf("%s: %q is missing in its place:\n%s", output, part, out.String())
			}
			got = rest
		}
	}
}

// A capture of few octets goes on in further files as well when the time is over.
func TestProxyRotatesInTime(t *testing.T) {
	folder := t.TempDir()
	s := start(t, "", "serve")
	p := start(t, "", "proxy", "--to", strings.TrimSpace(s.first), "--once", "-w", filepath.Join(folder, "run.pcapng"), "--rotate-time", "5ms")
	if got := run(t.Context(), nil, false, nil, "ping", "-c", "4", "-i", "20ms", strings.TrimSpace(p.first)); got.code != exit.OK {
		t.Fatalf("ping: %+v", got)
	}
	<-p.ended
	if files, _ := filepath.Glob(filepath.Join(folder, "run-0000?.pcapng")); len(files) < 2 {
		t.Errorf("files: %v", files)
	}
}

// With --rpc, the log says which side has reset a connection.
func TestProxyRPCReset(t *testing.T) {
	s := start(t, "", "serve", "--service", "rpc")
	p := start(t, "", "proxy", "--rpc", "1:2", "--to", strings.TrimSpace(s.first), "--once", "-o", "json")
	address := regexp.MustCompile(`"address":"([^"]+)"`).FindStringSubmatch(p.first)
	c, err := net.Dial("tcp", address[1])
	if err != nil {
		t.Fatal(err)
	}
	c.Write([]byte(mpa.RequestKey + "\x40\x01\x00\x00"))
	io.ReadFull(c, make([]byte, mpa.FrameLen))
	c.(*net.TCPConn).SetLinger(0)
	c.Close()
	if got := <-p.ended; !strings.Contains(got.out, `"end":"reset","ended_by":"client","error":null}`) {
		t.Errorf("%+v", got)
	}
}

// With --rpc, a comment in each of two connections names both.
func TestProxyRPCComments(t *testing.T) {
	file := filepath.Join(t.TempDir(), "both.pcapng")
	s := start(t, "", "serve", "--service", "rpc")
	p := start(t, "", "proxy", "--rpc", "1:2", "--to", strings.TrimSpace(s.first), "--once", "-w", file)
	got := run(t.Context(), nil, false, nil, "ping", "--rpc", "--program", "0x20697763,1", "-c", "1", "-i", "0", strings.TrimSpace(p.first))
	if ended := <-p.ended; got.code != exit.OK || ended.code != exit.OK {
		t.Fatalf("%+v %+v", got, ended)
	}
	c, err := pcaps.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	var comments []string
	for packet := new(pcaps.Record); c.Next(packet) == nil; {
		comments = append(comments, packet.Comments...)
	}
	if len(comments) != 2 || comments[0] != comments[1] || !regexp.MustCompile(`^Proxied connection 0: \S+ > \S+, on to \S+ > \S+$`).MatchString(comments[0]) {
		t.Errorf("%q", comments)
	}
}

// What has passed is counted for Prometheus.
func TestProxyMetrics(t *testing.T) {
	s := start(t, "", "serve")
	log := &pipedLog{lines: make(chan string, 10)}
	address := metricsOf(t, log, strings.TrimSpace(s.first))
	got := run(t.Context(), nil, false, nil, "ping", "-c", "2", "-i", "0", address[0])
	if got.code != exit.OK {
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

// Clients of the metrics that stay silent, however many, keep no other from being answered.
func TestScrapers(t *testing.T) {
	log := &pipedLog{lines: make(chan string, 10)}
	address := metricsOf(t, log, "127.0.0.1:1")
	host := strings.TrimSuffix(strings.TrimPrefix(address[1], "http://"), "/metrics")
	var silent []net.Conn
	for range maxScrapers + 20 {
		nc, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer nc.Close()
		silent = append(silent, nc)
	}
	r, err := http.Get(address[1])
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	silent[0].SetReadDeadline(time.Now().Add(5 * time.Minute))
	if _, err := silent[0].Read(make([]byte, 1)); err == nil || errors.Is(err, os.ErrDeadlineExceeded) {
		t.Error("the earliest has not given way:", err)
	}
}

// The host that has most clients of the metrics gives way, not one that came earlier.
func TestScrapersOfHosts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	s := &scrapers{Listener: l, open: make(map[net.Conn]uint64)}
	var accepted []net.Conn
	for i := range maxScrapers + 1 {
		var d net.Dialer
		if i == 0 {
			d.LocalAddr = &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)} // Linux has all of 127.0.0.0/8
		}
		nc, err := d.Dial("tcp", l.Addr().String())
		if err != nil {
			t.Skip(err)
		}
		defer nc.Close()
		if nc, err = s.Accept(); err != nil {
			t.Fatal(err)
		}
		accepted = append(accepted, nc)
	}
	for i, nc := range accepted {
		if _, open := s.open[nc]; open != (i != 1) {
			t.Errorf("connection %d is open: %v", i, open)
		}
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
	for i, pattern := range []string{`metrics on (\S+)`, `forwarding (\S+) to `} {
		m := regexp.MustCompile(pattern).FindStringSubmatch(<-log.lines)
		if m == nil {
			t.Fatal("the log has other lines")
		}
		addresses[1-i] = m[1]
	}
	return addresses
}
