package printable_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/internal/printable"
)

func TestAppend(t *testing.T) {
	for s, want := range map[string]string{
		"":                           "",
		"RDMA_MSG Call NFSv3 READ":   "RDMA_MSG Call NFSv3 READ",
		"\x1b[31mred\x1b[0m":         `\x1b[31mred\x1b[0m`,
		"two\nlines\r\t\x00":         `two\x0alines\x0d\x09\x00`,
		"12 µs, größer":              "12 µs, größer",
		"\x7f\u009b2J\u0085":         `\x7f\u009b2J\u0085`,
		"\xff\xc3":                   `\xff\xc3`,
		"a\u202eb\u200bc\ufeff":      `a\u202eb\u200bc\ufeff`,
		"\u2028 \u00a0":              `\u2028 \u00a0`,
		"\U000e0041\U0010ffff\ue000": `\U000e0041\U0010ffff\ue000`,
	} {
		if got := string(printable.Append([]byte("x"), s)); got != "x"+want {
			t.Errorf("%q: got %s, want %s", s, got[1:], want)
		}
	}
}

func TestAppendJSON(t *testing.T) {
	for s, want := range map[string]string{
		`{"a": "µ \u001b"}` + "\n": `{"a": "µ \u001b"}` + "\n",
		"\"\x7f\u009b\u202e\"":     `"\u007f\u009b\u202e"`,
		"\"\U000e0041\"":           `"\udb40\udc41"`,
		"\"\xff\ufffd\"":           "\"\\ufffd\ufffd\"",
	} {
		if got := string(printable.AppendJSON(nil, []byte(s))); got != want {
			t.Errorf("%q: got %s, want %s", s, got, want)
		}
	}
}

func FuzzAppend(f *testing.F) {
	f.Add("plain")
	f.Add("\x1b]0;title\a\x9b2J\u009b\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := string(printable.Append(nil, s))
		if !utf8.ValidString(got) || strings.ContainsFunc(got, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q became %q", s, got)
		}
		quoted, _ := json.Marshal(s)
		same, back := string(printable.AppendJSON(nil, quoted)), ""
		if strings.ContainsFunc(same, func(r rune) bool { return !unicode.IsPrint(r) }) {
			t.Errorf("%q became %q", quoted, same)
		}
		if err := json.Unmarshal([]byte(same), &back); err != nil || back != strings.ToValidUTF8(s, "\ufffd") && utf8.ValidString(s) {
			t.Errorf("%q became %q: %v", s, back, err)
		}
	})
}

func TestAppendDoesNotAllocate(t *testing.T) {
	dst := make([]byte, 0, 256)
	for _, s := range []string{"plain", "\x1b[31m\xff µ \u202e"} {
		if n := testing.AllocsPerRun(10, func() { printable.Append(dst, s) }); n != 0 {
			t.Errorf("%q: %v allocations", s, n)
		}
	}
}

func Example() {
	fmt.Printf("%s\n", printable.Append(nil, "\x1b]0;owned\a"))
	// Output: \x1b]0;owned\x07
}
