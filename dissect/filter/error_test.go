package filter_test

import (
	"errors"
	"os"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/internal/golden"
)

// compareAnswers compares a file of testdata that holds filters. Below each stands what answer returns for it; ok is false for
// a line that is not a filter. It returns the number of filters.
func compareAnswers(t *testing.T, file string, answer func(line string) (text string, ok bool)) (filters int) {
	t.Helper()
	file = "testdata/" + file
	old, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for line := range strings.Lines(string(old)) {
		if text, ok := answer(strings.TrimSuffix(line, "\n")); ok {
			filters++
			got.WriteString(line + text + "\n\n")
		}
	}
	golden.File(t, file, got.String())
	return filters
}

// TestErrors compares the errors of the filters in testdata/errors.txt. Each stands behind "-Y ", its error below it.
func TestErrors(t *testing.T) {
	filters := compareAnswers(t, "errors.txt", func(line string) (string, bool) {
		text, ok := strings.CutPrefix(line, "-Y ")
		if !ok {
			return "", false
		}
		f, err := filter.Compile(text)
		if err == nil {
			t.Errorf("%q compiles, as %q", text, f)
			return "", true
		}
		return err.Error(), true
	})
	if filters < 50 {
		t.Errorf("only %d filters", filters)
	}
}

// TestLimits checks that filters are bounded, and that errors about long ones are not long.
func TestLimits(t *testing.T) {
	nested := func(n int) string { return strings.Repeat("(", n) + "conn" + strings.Repeat(")", n) }
	for name, text := range map[string]string{
		"as long as can be": "conn" + strings.Repeat(" and conn", (filter.MaxText-4)/9),
		"deep":              nested(filter.MaxDepth - 1),
		"deep with not":     strings.Repeat("not ", filter.MaxDepth-1) + "conn",
	} {
		if _, err := filter.Compile(text); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, text := range map[string]string{
		"too long":          "conn" + strings.Repeat(" ", filter.MaxText),
		"too deep":          nested(filter.MaxDepth),
		"much too deep":     nested(filter.MaxText/2 - 10),
		"too deep with not": strings.Repeat("!", filter.MaxDepth) + "conn",
		"a long word":       strings.Repeat("x", filter.MaxText),
		"a long string":     "upper matches \"[" + strings.Repeat("x", 4000) + "\" and conn",
		"repetitions":       "upper matches \"((((x{1000}){1000}){1000}){1000})\"",
		"no end":            "upper == \"" + strings.Repeat("\\", 1000),
		"not UTF-8":         "conn == \xff\xfe",
		"control":           "conn\x1b[31m == 5 and",
	} {
		_, err := filter.Compile(text)
		var e *filter.Error
		if !errors.As(err, &e) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if e.Off < 0 || e.Len < 0 || e.Off+e.Len > len(text) {
			t.Errorf("%s: octets %d to %d of %d", name, e.Off, e.Off+e.Len, len(text))
		}
		message := e.Error()
		if !utf8.ValidString(message) || strings.Contains(message, "\x1b") {
			t.Errorf("%s: %q", name, message)
		}
		if lines := strings.Split(message, "\n"); len(lines) != 3 || len(lines[0]) > 300 {
			t.Errorf("%s: %s", name, message)
		}
	}
}

// TestCaret checks that the caret stands under the octets at fault, with characters of several octets before it.
func TestCaret(t *testing.T) {
	for text, want := range map[string]string{
		"upper == \"grün\" and x":                        "x",
		"\tupper and\tframee":                            "framee",
		strings.Repeat("conn or ", 40) + "con == 1":      "con",
		"con" + strings.Repeat(" or conn == 5", 40):      "con",
		"upper == \"" + strings.Repeat("ü", 80) + "\" x": "x",
	} {
		_, err := filter.Compile(text)
		var e *filter.Error
		if !errors.As(err, &e) || text[e.Off:e.Off+e.Len] != want {
			t.Errorf("%s: %v", text, err)
			continue
		}
		lines := strings.Split(e.Error(), "\n")
		line, caret := []rune(lines[1]), []rune(lines[2])
		if at := strings.IndexRune(lines[2], '^'); string(line[at:len(caret)]) != want {
			t.Errorf("the caret is under %q, want %q:\n%v", string(line[at:len(caret)]), want, err)
		}
	}
}
