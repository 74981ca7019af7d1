package rpcrdma_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// benchVectors are one of every kind: without and with chunks, in all dialects.
var benchVectors = []string{
	"kernel Call", "kernel Call with Read chunk", "all lists", "ERR_CHUNK",
	"version 2 Call", "version 2 Call with Read chunk", "CONNPROP", "WRITE_RESOURCE",
	"2022 CALL_INLINE", "2022 CALL_EXTERNAL",
}

func BenchmarkDecode(b *testing.B) {
	for _, name := range benchVectors {
		v := vectors[name]
		message, h := v.message(b), fresh(v.dialect)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				h.Decode(message)
			}
		})
	}
}

func BenchmarkAppendBinary(b *testing.B) {
	buf := make([]byte, 0, 512)
	for _, name := range benchVectors {
		v := vectors[name]
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				v.want.AppendBinary(buf)
			}
		})
	}
}

func BenchmarkAppendLayout(b *testing.B) {
	parts := make([]field.Part, 0, 64)
	for _, name := range benchVectors {
		v := vectors[name]
		message := v.message(b)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				rpcrdma.AppendLayout(parts, message, len(message), v.dialect)
			}
		})
	}
}

// BenchmarkReadList decodes and walks a Read list as long as a Send of 4096 octets can hold.
func BenchmarkReadList(b *testing.B) {
	h := rpcrdma.Version1{XID: 1, Vers: 1, Credit: 32}
	for i := range uint32(169) {
		h.Reads = h.Reads.Append(4*i, a)
	}
	message, _ := h.AppendBinary(nil)
	b.Run("Decode", func(b *testing.B) {
		for b.Loop() {
			h.Decode(message)
		}
	})
	b.Run("Segments", func(b *testing.B) {
		for b.Loop() {
			var sum uint64
			for s := range h.Reads.Segments() {
				sum += uint64(s.Length)
			}
			if sum != 169*4096 {
				b.Fatal(sum)
			}
		}
	})
}

func BenchmarkDetectDialect(b *testing.B) {
	v := vectors["VERS"]
	message := v.message(b)
	for b.Loop() {
		rpcrdma.DetectDialect(message, len(message))
	}
}
