package nfs_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/internal/codectest"
)

var octets = codectest.Octets

// messages are those of package oncrpc.
func messages(t testing.TB) map[string][]byte {
	return codectest.Messages(t, "../oncrpc/testdata/messages.txt")
}

func message(t testing.TB, name string) []byte {
	t.Helper()
	b, ok := messages(t)[name]
	if !ok {
		t.Fatalf("there is no message %q", name)
	}
	return b
}
