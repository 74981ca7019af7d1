package oncrpc_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// headers are the headers that stand in every exchange, with octets to decode.
func headers(t testing.TB) []codectest.Sample {
	return []codectest.Sample{
		{"Call AUTH_NONE", new(oncrpc.Call), message(t, "v3 NULL call")},
		{"Call AUTH_SYS", new(oncrpc.Call), message(t, "v3 READ call")[:64]},
		{"Reply", new(oncrpc.Reply), message(t, "v3 NULL reply")},
		{"AuthSysParms", new(oncrpc.AuthSysParms), message(t, "v3 READ call")[32:56]},
		{"GSSCred", new(oncrpc.GSSCred), message(t, "call with privacy")[32:56]},
		{"CompoundArgs", new(oncrpc.CompoundArgs), message(t, "v4.0 OPEN call")[64:76]},
		{"CompoundRes", new(oncrpc.CompoundRes), message(t, "v4.0 LOOKUP reply")[24:36]},
	}
}

func BenchmarkDecode(b *testing.B) { codectest.BenchmarkDecode(b, headers(b)) }

func BenchmarkAppendBinary(b *testing.B) { codectest.BenchmarkAppendBinary(b, headers(b)) }

func BenchmarkOperations(b *testing.B) {
	for _, name := range []string{"v4.0 OPEN call", "v4.1 CREATE_SESSION call"} {
		wire := message(b, name)
		var args oncrpc.CompoundArgs
		const off = 64 // behind the header
		n, _ := args.Decode(wire[off:])
		b.Run(name, func(b *testing.B) {
			var ops oncrpc.Operations
			for b.Loop() {
				for ops.Reset(wire, off+n, &args); ops.Next(); {
				}
			}
		})
	}
}

func BenchmarkExchange(b *testing.B) {
	var h oncrpc.Call
	h.Decode(message(b, "call with integrity"))
	for b.Loop() {
		h.Exchange()
	}
}

func BenchmarkProcedureName(b *testing.B) {
	p := oncrpc.Procedure{Program: oncrpc.ProgramNFS, Version: 3, Number: 6}
	for b.Loop() {
		p.Name()
	}
}

func BenchmarkAppendLayout(b *testing.B) {
	parts := make([]field.Part, 0, oncrpc.MaxParts+32)
	for _, name := range []string{"v3 READ call", "v4.0 OPEN call", "v4.0 LOOKUP reply"} {
		wire := message(b, name)
		x := exchangeOf(name, wire)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				oncrpc.AppendLayout(parts, wire, &oncrpc.MessageContext{Exchange: x})
			}
		})
	}
}
