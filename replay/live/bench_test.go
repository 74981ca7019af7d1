package live_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/internal/rnic"
	"github.com/iwarpkit/iwarp/replay/live"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// paced returns a Scenario in which the client sends something in each interval.
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

// BenchmarkLateness measures how late timed steps are: the last one, all on average, and the latest. Each run takes a
// second, or a minute.
// takes a second, or a minute.
func BenchmarkLateness(b *testing.B) {
	for name, interval := range map[string]time.Duration{"second": time.Millisecond, "minute": 60 * time.Millisecond} {
		b.Run(name, func(b *testing.B) { benchmarkLateness(b, interval) })
	}
}

func benchmarkLateness(b *testing.B, interval time.Duration) {
	const steps = 1000
	s := paced(b, steps, interval)
	var o [2]live.Options
	o[0].Player.Speed = 1
	for b.Loop() {
		results := both(b, listen(b, "127.0.0.1:0"), s, s, o)
		exact(b, results[1])
		late := lateness(results[0].Report.Conns[0])
		b.ReportMetric(float64(late[len(late)-1].Microseconds()), "µs-late-at-the-end")
		var sum time.Duration
		for _, each := range late {
			sum += each
		}
		b.ReportMetric(float64(sum.Microseconds())/steps, "µs-late-mean")
		b.ReportMetric(float64(slices.Max(late).Microseconds()), "µs-late-at-most")
	}
}

// lateness returns how late each timed step of the own side was.
// lateness is how late each of the own steps was that have a time.
func lateness(c *outcome.Conn) (late []time.Duration) {
	for i := range c.Steps {
		if s := &c.Steps[i]; s.Verdict == outcome.Sent && s.Expected.At > 0 {
			late = append(late, s.At-s.Expected.At)
		}
	}
	return late
}

// BenchmarkThroughput plays Writes of 64 KiB against the service sink, with CRCs, and alternately lets a Meter, by
// which iwarp bench measures, send as many. In both an RDMA Read after the Writes shows that all have arrived. bench
// measures with, send as many there in turn. In both an RDMA Read after the Writes shows that all have arrived.
func BenchmarkThroughput(b *testing.B) {
	const writes, size = 2048, 64 << 10
	played := manyWrites(b, writes, size)
	d, address := rnic.Serve(b, "sink", driver.Config{}, service.Options{}, rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true})
	ctx := testContext(b)
	var replayed, measured []float64 // octets in a microsecond
	for b.Loop() {
		begin := time.Now()
		r, err := live.Dial(ctx, address, played, live.Options{})
		if err != nil {
			b.Fatal(err)
		}
		replayed = append(replayed, writes*size/float64(time.Since(begin).Microseconds()))
		if s := r.Report.Summary(); !s.Passed() {
			b.Fatal(text(r))
		}
		measured = append(measured, writes*size/float64(metered(b, d, address, writes, size).Microseconds()))
	}
	b.ReportMetric(median(replayed), "MB/s-replayed")
	b.ReportMetric(median(measured), "MB/s-by-a-Meter")
	b.ReportMetric(median(replayed)/median(measured), "ratio")
}

func median(all []float64) float64 {
	slices.Sort(all)
	return all[len(all)/2]
}

// manyWrites returns a Scenario of a client that writes other octets into a region each time, and then reads from it.
func manyWrites(b *testing.B, writes, size int) *scenario.Scenario {
	b.Helper()
	var s strings.Builder
	fmt.Fprint(&s, `scenario "writes"
connection c0
1 client MPARequest Rev=1 C
var $s stag server 0x100
var $t to server 0x1000 in $s
2 server after 1 MPAReply C Rev=1 $t:be64 $s:be32 ?*
`)
	for i := range writes {
		fmt.Fprintf(&s, "%d client after 2 Write STag=$s TO=$t\n", i+3)
	}
	fmt.Fprintf(&s, "%d client ReadRequest SinkSTag=0x00000200 RDMARDSZ=8 SrcSTag=$s SrcTO=$t\n", writes+3)
	fmt.Fprintf(&s, "%d server after %[2]d ReadResponse to %[2]d ?*8\n", writes+4, writes+3)
	played := parse(b, s.String())
	random := rand.NewChaCha8([32]byte{})
	for _, step := range played.Conns[0].Steps {
		if m, ok := step.Do.(*scenario.Message); ok && m.Opcode == rdmap.OpWrite {
			octets := make([]byte, size)
			random.Read(octets)
			m.Payload = scenario.Payload{{Octets: octets}}
		}
	}
	return played
}

// metered returns the time that a Meter takes, including that to connect.
func metered(b *testing.B, d *driver.Device, address string, writes, size int) time.Duration {
	b.Helper()
	const depth = 128 // that of iwarp bench
	begin, ctx := time.Now(), testContext(b)
	m, err := client.DialMeter(ctx, d, "tcp", address, client.MeterConfig{
		Conn: driver.ConnConfig{Stream: rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true}}, Size: size, Depth: depth,
	})
	if err != nil {
		b.Fatal(err)
	}
	if _, err := m.Bandwidth(ctx, client.Write, size, writes, depth); err != nil {
		b.Fatal(err)
	}
	took := time.Since(begin)
	m.Close(ctx)
	return took
}
