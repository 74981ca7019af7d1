package annotate_test

import (
	"io"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/show/annotate"
	"github.com/iwarpkit/iwarp/pcaps"
)

// BenchmarkPasses measures both passes over a capture, beside reading it and nothing else.
func BenchmarkPasses(b *testing.B) {
	file := sampleFile(b, "nfs-small-v4.1-inl4096-crc1")
	octets := func() (n int64) {
		c, err := pcaps.Open(file)
		if err != nil {
			b.Fatal(err)
		}
		defer c.Close()
		var rec pcaps.Record
		for c.Next(&rec) == nil {
		}
		return c.FileBytes()
	}
	b.Run("read", func(b *testing.B) {
		b.SetBytes(octets())
		for b.Loop() {
			octets()
		}
	})
	b.Run("collect", func(b *testing.B) {
		b.SetBytes(octets())
		for b.Loop() {
			collected(b, annotate.Options{}, file)
		}
	})
	comments := collected(b, annotate.Options{}, file)
	b.Run("write", func(b *testing.B) {
		b.SetBytes(octets())
		for b.Loop() {
			if err := comments.Write(io.Discard, nil, file); err != nil {
				b.Fatal(err)
			}
		}
	})
}
