package cli

import (
	"bytes"
	"strings"
	"testing"
)

// TestNarrow looks that prose fits a terminal that is narrower than usual, and is not wider on a wide one.
func TestNarrow(t *testing.T) {
	check := []string{"check", "--all", "--color=never", "../../../../pcaps/samples/rping.pcap"}
	explain := []string{"explain", "--color=never", "FPDU"}
	for _, test := range []struct {
		args            []string
		terminal, width int
	}{
		{check, 60, 60}, {check, 10, leastWidth}, {check, 200, foldWidth}, {check, 0, foldWidth},
		{explain, 60, 60}, {explain, 80, 80}, {explain, 200, foldWidth}, {explain, 0, foldWidth},
	} {
		var out bytes.Buffer
		s := &Streams{
			Out: &out, Err: &out, OutIsTerminal: true, Width: test.terminal, Env: func(string) string { return "" },
		}
		code := Main(t.Context(), s, test.args)
		longest := 0
		for line := range strings.Lines(out.String()) {
			longest = max(longest, len(strings.TrimSuffix(line, "\n")))
		}
		if code != 0 || longest > test.width || longest < test.width-15 {
			t.Errorf("%s on %d columns: code %d, the longest line has %d characters of %d\n%s",
				test.args[0], test.terminal, code, longest, test.width, out.String())
		}
	}
}
