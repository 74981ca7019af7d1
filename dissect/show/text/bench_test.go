package text_test

import (
	"io"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/recorded"
)

func TestPrinterDoesNotAllocate(t *testing.T) {
	for _, sample := range []string{"mss200", "p2p-crc", "sendinv-crc1", "term-read-badkey", "term-send-nobuf", "nfs-small-v4.1-inl4096-crc1"} {
		e := recorded.Read(t, sample)
		p := text.New(io.Discard, text.Options{})
		e.Replay(p)
		if n := testing.AllocsPerRun(5, func() { e.Replay(p) }); n != 0 {
			t.Errorf("%s: %v allocations for %d events", sample, n, e.Len())
		}
	}
}

func BenchmarkPrinter(b *testing.B) {
	for _, form := range []show.Form{show.Relative, show.UTC} {
		b.Run(show.Forms[form], func(b *testing.B) {
			e := recorded.Read(b, "nfs-small-v4.1-inl4096-crc1")
			p := text.New(io.Discard, text.Options{Clock: &show.Clock{Form: form}})
			b.ReportAllocs()
			for b.Loop() {
				e.Replay(p)
			}
			b.ReportMetric(float64(e.Messages*b.N)/b.Elapsed().Seconds(), "lines/s")
		})
	}
}
