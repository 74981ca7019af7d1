package jsonl_test

import (
	"io"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/show/jsonl"
	"github.com/iwarpkit/iwarp/internal/recorded"
)

func TestEncoderDoesNotAllocate(t *testing.T) {
	for _, sample := range []string{"mss200", "p2p-crc", "sendinv-crc1", "term-read-badkey", "term-send-nobuf", "nfs-small-v4.1-inl4096-crc1"} {
		e := recorded.Read(t, sample)
		encoder := jsonl.New(io.Discard, jsonl.Options{})
		e.Replay(encoder)
		if n := testing.AllocsPerRun(5, func() { e.Replay(encoder) }); n != 0 {
			t.Errorf("%s: %v allocations for %d events", sample, n, e.Len())
		}
	}
}

func BenchmarkEncoder(b *testing.B) {
	e := recorded.Read(b, "nfs-small-v4.1-inl4096-crc1")
	encoder := jsonl.New(io.Discard, jsonl.Options{})
	b.ReportAllocs()
	for b.Loop() {
		e.Replay(encoder)
	}
	b.ReportMetric(float64(e.Messages*b.N)/b.Elapsed().Seconds(), "objects/s")
}
