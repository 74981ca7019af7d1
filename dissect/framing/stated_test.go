package framing_test

import (
	"fmt"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
)

func TestParseMPA(t *testing.T) {
	for _, tc := range []struct{ text, again string }{
		{"", ""},
		{" ", ""},
		{"crc=on", "crc=on"},
		{"markers=off, crc=off", "crc=off,markers=off"},
		{"markers-c2s=on,markers-s2c=off,version=1", "markers-c2s=on,markers-s2c=off,version=1"},
		{"markers-s2c=on", "markers-s2c=on"},
		{"markers-c2s=on,markers-s2c=on", "markers=on"},
		{"version=0", "version=0"},
	} {
		m, err := framing.ParseMPA(tc.text)
		if err != nil || m.String() != tc.again {
			t.Errorf("%q: %q, %v, want %q", tc.text, m, err, tc.again)
		}
		if again, err := framing.ParseMPA(m.String()); again != m || err != nil {
			t.Errorf("%q becomes %q", m, again)
		}
	}
	for text, want := range map[string]string{
		"crc":                        `MPA: "crc": want crc=on or crc=off`,
		"crc=yes":                    `MPA: "crc=yes": want crc=on or crc=off`,
		"crc=on,":                    `MPA: "": want one of crc, markers, markers-c2s, markers-s2c, version, then = and a value`,
		"CRC=on":                     `MPA: "CRC=on": want one of crc, markers, markers-c2s, markers-s2c, version, then = and a value`,
		"version=2":                  `MPA: "version=2": want version=0 or version=1`,
		"crc=on,crc=off":             `MPA: "crc=off": crc was stated before`,
		"markers-c2s=on,markers=off": `MPA: "markers=off": markers was stated before`,
	} {
		if m, err := framing.ParseMPA(text); err == nil || err.Error() != want || m != (framing.MPA{}) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

func ExampleParseMPA() {
	m, err := framing.ParseMPA("crc=off,markers-c2s=on")
	fmt.Println(m.CRC, m.Markers[flow.C2S], m.Markers[flow.S2C], err)
	_, err = framing.ParseMPA("crc=maybe")
	fmt.Println(err)
	// Output:
	// off on unset <nil>
	// MPA: "crc=maybe": want crc=on or crc=off
}
