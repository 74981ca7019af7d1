package cli

import (
	"context"
	"errors"
	"io"
	"math"
	"net/netip"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/kernlog"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/annotate"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A printedLog is the order of times in which records and lines of a kernel were printed.
type printedLog []int64

func (p *printedLog) Record(r *record.Record) {
	if r.Kind == record.KindMessage {
		*p = append(*p, r.LastTime)
	}
}

func (p *printedLog) Flush() error { return nil }
func (p *printedLog) Err() error   { return nil }

// Lines of a kernel keep the order of time where a connection ends before others do.
func TestInterleavedWithConnections(t *testing.T) {
	const second = 1e9
	var all printedLog
	i := &interleaver{printer: &all, print: func(line kernlog.Line) { all = append(all, line.Time) }}
	for _, at := range []int64{2, 4, 7, 90} {
		i.rest = append(i.rest, kernlog.Line{Time: at * second})
	}
	give := func(kind record.Kind, at int64) {
		r := &record.Record{Kind: kind}
		r.Conn, r.LastTime = &flow.Conn{Latest: at * second}, at*second
		i.Record(r)
	}
	give(record.KindMessage, 1)
	give(record.KindEnd, 1)
	give(record.KindMessage, 3)
	give(record.KindEnd, 5)
	i.finish()
	if want := []int64{1 * second, 2 * second, 3 * second, 4 * second, 7 * second}; !slices.Equal(all, want) {
		t.Errorf("got %d, want %d", all, want)
	}
}

// Lines of a log for which there is no room are not left out silently.
func TestLinesLeftOut(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	if err := os.WriteFile(file, []byte(strings.Repeat("[1.0] x\n", kernlog.MaxLines+2)), 0o666); err != nil {
		t.Fatal(err)
	}
	got := run(t.Context(), nil, false, nil, "check", "--boot", "1", "--dmesg", file, samples+"rping.pcap")
	if want := "note: " + file + ": 2 lines after the first 65,536 are left out\n"; got.err != want {
		t.Errorf("%q", got.err)
	}
}

// However many connections a log may concern, the search ends, and ends soon once the user does not want to wait.
func TestTheSearchOfALogEnds(t *testing.T) {
	log, err := kernlog.Read(strings.NewReader(strings.Repeat("2026-01-01T00:00:00Z 192.0.2.1\n", kernlog.MaxLines)), time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	c := &flow.Conn{Client: netip.MustParseAddrPort("192.0.2.1:1"), Server: netip.MustParseAddrPort("192.0.2.2:2")}
	search := (&kernelFlags{log: log}).search(t.Context())
	for i := range maxLooked/kernlog.MaxLines + 1 {
		lines, ok := search(c, 0, math.MaxInt64)
		if within := i < maxLooked/kernlog.MaxLines; ok != within || ok && len(lines) != kernlog.MaxLines {
			t.Fatalf("connection %d: %d lines, %v", i, len(lines), ok)
		}
	}

	running, stop := context.WithCancel(t.Context())
	search = (&kernelFlags{log: log}).search(running)
	stop()
	if _, ok := search(c, 0, math.MaxInt64); !ok {
		t.Error("what was read before Ctrl-C is not told")
	}
	time.Sleep(patient)
	allocations := testing.AllocsPerRun(1, func() { (&kernelFlags{log: log}).about(func() bool { return true })(new(flow.Conn), 0, math.MaxInt64) })
	if allocations > 10 {
		t.Errorf("it looks lines up too late: %g allocations", allocations)
	}
	if _, ok := search(c, 0, 0); ok {
		t.Error("it goes on after Ctrl-C")
	}
}

// What explain knows of a line is looked up once, however many connections it may concern.
func TestLinesAreLookedUpOnce(t *testing.T) {
	log, err := kernlog.Read(strings.NewReader(strings.Repeat("2026-01-01T00:00:00Z nothing that is known\n", 1000)), time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	about := (&kernelFlags{log: log}).about(never)
	c := &flow.Conn{Client: netip.MustParseAddrPort("192.0.2.1:1"), Server: netip.MustParseAddrPort("192.0.2.2:2")}
	if allocations := testing.AllocsPerRun(1, func() { about(c, 0, math.MaxInt64) }); allocations > 10 {
		t.Errorf("%g allocations", allocations)
	}
}

// A file that is read twice is the same at both times: one of the two ends of a path, and one that tells when a kernel booted.
func TestFilesThatChangeBetweenTwoPasses(t *testing.T) {
	const ends = "../../../../dissect/ends/testdata/slow/"
	log, err := kernlog.Read(strings.NewReader("[1.0] iwarp\n"), time.UTC)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		name    string
		samples []string
		kernel  kernelFlags
		follow  bool
		want    error
	}{
		{"both ends", []string{ends + "client.pcap", ends + "server.pcap"}, kernelFlags{}, false, annotate.ErrChanged},
		{"log", []string{samples + "rping.pcap"}, kernelFlags{log: log}, false, annotate.ErrChanged},
		{"log of many files", slices.Repeat([]string{samples + "rping.pcap"}, 20), kernelFlags{log: log}, false, annotate.ErrChanged},
		{"log of both ends", []string{ends + "client.pcap", ends + "server.pcap"}, kernelFlags{log: log}, false, annotate.ErrChanged},
		{"one pass", []string{samples + "rping.pcap"}, kernelFlags{}, false, nil},
		{"followed", []string{samples + "rping.pcap"}, kernelFlags{log: log}, true, nil},
	} {
		t.Run(test.name, func(t *testing.T) {
			ctx, stop := context.WithCancel(t.Context())
			defer stop()
			a := &app{Streams: &Streams{Err: io.Discard}, outlets: &outlets{running: ctx}, quiet: true}
			var files []string
			for i, sample := range test.samples {
				b, err := os.ReadFile(sample)
				if err != nil {
					t.Fatal(err)
				}
				files = append(files, filepath.Join(t.TempDir(), strconv.Itoa(i)))
				os.WriteFile(files[i], b, 0o666)
			}
			r := newReading()
			if err := test.kernel.learn(ctx, &r, a, files); err != nil {
				t.Fatal(err)
			}
			in, err := r.open(ctx, a, files, opening{follow: test.follow})
			if err != nil {
				t.Fatal(err)
			}
			defer in.Close()
			os.Chtimes(files[len(files)-1], time.Time{}, time.Unix(1, 0))
			n := 0
			for record := new(pcaps.Record); err == nil; err = in.Next(record) {
				if n++; n == 4 && test.follow {
					stop()
				}
			}
			if err == io.EOF {
				err = nil
			}
			if !errors.Is(err, test.want) {
				t.Errorf("after %d packets: %v", n, err)
			}
		})
	}
}
