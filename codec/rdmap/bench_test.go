package rdmap_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// headers are all header types with octets to decode.
func headers(t testing.TB) []codectest.Sample {
	return []codectest.Sample{
		{"Control", new(rdmap.Control), octets(t, "43")},
		{"ReadRequest", new(rdmap.ReadRequest), body(t, "ReadRequest")},
		{"AtomicRequest", new(rdmap.AtomicRequest), body(t, "CmpSwap")},
		{"AtomicResponse", new(rdmap.AtomicResponse), body(t, "AtomicResponse")},
		{"Immediate", new(rdmap.Immediate), body(t, "Immediate")},
		{"Terminate without headers", new(rdmap.Terminate), body(t, "Terminate 000")},
		{"Terminate with all headers", new(rdmap.Terminate), body(t, "Terminate 111")},
	}
}

func BenchmarkSegmentDecode(b *testing.B) {
	for _, name := range []string{"Send", "SendInvalidate", "Write", "ReadRequest"} {
		wire := octets(b, ulpdus[name])
		b.Run(name, func(b *testing.B) {
			var s rdmap.Segment
			for b.Loop() {
				s.Decode(wire)
			}
		})
	}
}

func BenchmarkSegmentAppendBinary(b *testing.B) {
	buf := make([]byte, 0, 128)
	for _, name := range []string{"Send", "Write"} {
		var s rdmap.Segment
		s.Decode(octets(b, ulpdus[name]))
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				s.AppendBinary(buf)
			}
		})
	}
}

func BenchmarkDecode(b *testing.B) { codectest.BenchmarkDecode(b, headers(b)) }

func BenchmarkAppendBinary(b *testing.B) { codectest.BenchmarkAppendBinary(b, headers(b)) }

func BenchmarkReadingOf(b *testing.B) {
	swapped, err := (&rdmap.Terminate{Code: rdmap.Code{EType: 1}, M: true, HasSegmentLength: true}).AppendSwapped(nil)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		rdmap.ReadingOf(swapped, len(swapped))
	}
}

func BenchmarkAppendLayout(b *testing.B) {
	parts := make([]field.Part, 0, rdmap.MaxParts)
	for _, name := range []string{"Send", "Write", "ReadRequest", "Terminate 111"} {
		wire := octets(b, ulpdus[name])
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rdmap.AppendLayout(parts, wire, len(wire))
			}
		})
	}
}
