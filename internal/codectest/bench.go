package codectest

import "testing"

// A Sample is a header for benchmarks, with its octets.
type Sample = struct {
	Name   string
	Header Header
	Octets []byte
}

// BenchmarkDecode measures the decoding of each header.
func BenchmarkDecode(b *testing.B, samples []Sample) {
	for _, s := range samples {
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				s.Header.Decode(s.Octets)
			}
		})
	}
}

// BenchmarkAppendBinary measures the encoding of each header.
func BenchmarkAppendBinary(b *testing.B, samples []Sample) {
	buffer := make([]byte, 0, 128)
	for _, s := range samples {
		s.Header.Decode(s.Octets)
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				s.Header.AppendBinary(buffer)
			}
		})
	}
}
