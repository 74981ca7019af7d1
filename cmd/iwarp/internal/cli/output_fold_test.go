package cli

import (
	"bytes"
	"strconv"
	"strings"
	"testing"
)

// TestNarrow checks that prose fits a terminal that is narrower than usual, or COLUMNS where there is none, and is not wider on a wide one.
func TestNarrow(t *testing.T) {
	check := []string{"check", "--all", "--color=never", "../../../../pcaps/samples/rping.pcap"}
	explain := []string{"explain", "--color=never", "FPDU"}
	help := []string{"check", "--help"}
	for _, test := range []struct {
		args            []string
		terminal, width int
	}{
		{check, 60, 60}, {check, 10, leastWidth}, {check, 200, foldWidth}, {check, 0, foldWidth},
		{explain, 60, 60}, {explain, 80, 80}, {explain, 200, foldWidth}, {explain, 0, foldWidth},
		{help, 60, 60}, {help, 80, 80}, {help, 200, foldWidth},
	} {
		for _, columns := range []string{"", strconv.Itoa(test.terminal)} {
			var out bytes.Buffer
			s := &Streams{
				Out: &out, Err: &out, OutIsTerminal: columns == "", Width: test.terminal, Env: func(key string) string { return map[string]string{"COLUMNS": columns}[key] },
			}
			code := Main(t.Context(), s, test.args)
			longest := 0
			for line := range strings.Lines(out.String()) {
				longest = max(longest, len(strings.TrimSuffix(line, "\n")))
			}
			if code != 0 || longest > test.width || longest < test.width-15 {
				t.Errorf("%s on %d columns, %q: code %d, the longest line has %d characters of %d\n%s",
					test.args[0], test.terminal, columns, code, longest, test.width, out.String())
			}
		}
	}
}
