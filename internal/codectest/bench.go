package codectest

import "testing"

// A Sample is a header for benchmarks, with octets that it is decoded from.
type Sample = struct {
	Name   string
	Header Header
	Octets []byte
}

// BenchmarkDecode measures how long each header takes to be decoded.
func BenchmarkDecode(b *testing.B, samples []Sample) {
	for _, s := range samples {
		b.Run(s.Name, func(b *testing.B) {
			for b.Loop() {
				s.Header.Decode(s.Octets)
			}
		})
	}
}

// BenchmarkAppendBinary measures how long each header takes to be encoded.
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
