package oncrpc_test

import (
	"testing"

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
	}
}

func BenchmarkDecode(b *testing.B) { codectest.BenchmarkDecode(b, headers(b)) }

func BenchmarkAppendBinary(b *testing.B) { codectest.BenchmarkAppendBinary(b, headers(b)) }

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
