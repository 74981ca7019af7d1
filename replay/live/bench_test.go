package live_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/live"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// paced is a Scenario in which the client sends something each interval.
func paced(b *testing.B, steps int, interval time.Duration) *scenario.Scenario {
	var s strings.Builder
	fmt.Fprint(&s, "scenario \"paced\"\nconnection c0\n1 client MPARequest Rev=1\n2 server after 1 MPAReply Rev=1\n")
	for i := range steps {
		at := interval * time.Duration(i+1)
		fmt.Fprintf(&s, "%d client @%.6f after 2 Send \"tick\"\n", i+3, at.Seconds())
	}
	return parse(b, s.String())
}

// BenchmarkLateness measures how late steps are that have a time: the last one, the median and the latest. Each run takes
// a second.
func BenchmarkLateness(b *testing.B) {
	const steps, interval = 1000, time.Millisecond
	s := paced(b, steps, interval)
	var o [2]live.Options
	o[0].Player.Speed = 1
	for b.Loop() {
		results := both(b, listen(b, "127.0.0.1:0"), s, s, o)
		exact(b, results[1])
		late := lateness(results[0].Report.Conns[0])
		b.ReportMetric(float64(late[len(late)-1].Microseconds()), "µs-late-at-the-end")
		latest := late[0]
		var sum time.Duration
		for _, each := range late {
			latest = max(latest, each)
			sum += each
		}
		b.ReportMetric(float64(sum.Microseconds())/steps, "µs-late-mean")
		b.ReportMetric(float64(latest.Microseconds()), "µs-late-at-most")
	}
}

// lateness is how late each of the own steps was that have a time.
func lateness(c *outcome.Conn) (late []time.Duration) {
	for i := range c.Steps {
		if s := &c.Steps[i]; s.Verdict == outcome.Sent && s.Expected.At > 0 {
			late = append(late, s.At-s.Expected.At)
		}
	}
	return late
}

// BenchmarkThroughput plays Writes of 64 KiB against the service sink, with CRCs: an RDMA Read behind them shows that all
// have come.
func BenchmarkThroughput(b *testing.B) {
	const writes, size = 4096, 64 << 10
	var s strings.Builder
	fmt.Fprint(&s, `scenario "writes"
connection c0
1 client MPARequest Rev=1 C
var $s stag server 0x100
var $t to server 0x1000 in $s
2 server after 1 MPAReply C Rev=1 $t:be64 $s:be32 ?*
`)
	for i := range writes {
		fmt.Fprintf(&s, "%d client after 2 Write STag=$s TO=$t 5a*%d\n", i+3, size)
	}
	fmt.Fprintf(&s, "%d client ReadRequest SinkSTag=0x00000200 RDMARDSZ=8 SrcSTag=$s SrcTO=$t\n", writes+3)
	fmt.Fprintf(&s, "%d server after %[2]d ReadResponse to %[2]d 5a*8\n", writes+4, writes+3)
	played := parse(b, s.String())

	d, err := driver.Open(driver.Config{})
	if err != nil {
		b.Fatal(err)
	}
	defer d.Close()
	server, err := service.New(d, "sink", service.Options{})
	if err != nil {
		b.Fatal(err)
	}
	ctx := testContext(b)
	l, err := d.Listen(ctx, "tcp", "127.0.0.1:0", driver.ListenConfig{Stream: rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true}})
	if err != nil {
		b.Fatal(err)
	}
	go func() {
		for {
			r, err := l.Accept(ctx)
			if err != nil {
				return
			}
			go server.Serve(ctx, r)
		}
	}()
	b.SetBytes(writes * size)
	for b.Loop() {
		r, err := live.Dial(ctx, l.Addr().String(), played, live.Options{})
		if err != nil {
			b.Fatal(err)
		}
		if s := r.Report.Summary(); !s.Passed() {
			b.Fatal(text(r))
		}
	}
}
