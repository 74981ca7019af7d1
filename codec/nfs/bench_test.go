package nfs_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// headers are the headers that stand in every COMPOUND, with octets to decode.
func headers(t testing.TB) []codectest.Sample {
	return []codectest.Sample{
		{"CompoundArgs", new(nfs.CompoundArgs), message(t, "v4.0 OPEN call")[64:76]},
		{"CompoundRes", new(nfs.CompoundRes), message(t, "v4.0 LOOKUP reply")[24:36]},
	}
}

func BenchmarkDecode(b *testing.B) { codectest.BenchmarkDecode(b, headers(b)) }

func BenchmarkAppendBinary(b *testing.B) { codectest.BenchmarkAppendBinary(b, headers(b)) }

func BenchmarkOperations(b *testing.B) {
	for _, name := range []string{"v4.0 OPEN call", "v4.1 CREATE_SESSION call"} {
		wire := message(b, name)
		var args nfs.CompoundArgs
		const off = 64 // behind the header
		n, _ := args.Decode(wire[off:])
		b.Run(name, func(b *testing.B) {
			var ops nfs.Operations
			for b.Loop() {
				for ops.Reset(wire, off+n, &args); ops.Next(); {
				}
			}
		})
	}
}

func BenchmarkAppendLayout(b *testing.B) {
	parts := make([]field.Part, 0, nfs.MaxParts+32)
	for _, name := range []string{"v3 READ call", "v4.0 OPEN call", "v4.0 LOOKUP reply"} {
		wire := message(b, name)
		x := exchangeOf(name, wire)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				nfs.AppendLayout(parts, wire, &nfs.MessageContext{Exchange: x})
			}
		})
	}
}
