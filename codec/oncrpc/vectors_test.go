package oncrpc_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/internal/codectest"
)

var octets = codectest.Octets

// message is one of testdata/messages.txt.
func message(t testing.TB, name string) []byte {
	t.Helper()
	b, ok := codectest.Messages(t, "testdata/messages.txt")[name]
	if !ok {
		t.Fatalf("there is no message %q", name)
	}
	return b
}
