package codectest

import (
	"encoding/hex"
	"os"
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

// Messages reads a file of messages, each with its name: "NAME: OCTETS # comment" on a line.
func Messages(t testing.TB, file string) map[string][]byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	messages := map[string][]byte{}
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "#")
		if name, digits, ok := strings.Cut(line, ": "); ok {
			messages[name] = Octets(t, digits)
		}
	}
	return messages
}
