package ladder_test

import (
	"io"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/show/ladder"
	"github.com/iwarpkit/iwarp/internal/recorded"
)

func BenchmarkLadder(b *testing.B) {
	e := recorded.Read(b, "nfs-small-v4.1-inl4096-crc1")
	for name, all := range map[string]bool{"folded": false, "all": true} {
		b.Run(name, func(b *testing.B) {
			l := ladder.New(io.Discard, ladder.Options{All: all})
			b.ReportAllocs()
			for b.Loop() {
				e.Replay(l)
			}
			b.ReportMetric(float64(e.Messages*b.N)/b.Elapsed().Seconds(), "messages/s")
		})
	}
}
