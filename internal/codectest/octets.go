package codectest

import (
	"encoding/hex"
	"strings"
	"testing"
)

// Octets reads octets in hexadecimal digits, with any white space between them.
func Octets(t testing.TB, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		t.Fatalf("%q: %v", digits, err)
	}
	return b
}
