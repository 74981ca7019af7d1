package cli

// Texts for a terminal, whose lines are folded where they are too long.

import (
	"io"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/show/text"
)

// leastWidth is how many characters a line of prose has, even on a terminal that has fewer.
const leastWidth = 40

// lineWidth is how many characters a line of prose has: as many as usual, unless it goes to a narrower terminal.
func (a *app) lineWidth(terminal bool, usual int) int {
	if !terminal || a.Width <= 0 {
		return usual
	}
	return min(max(a.Width, leastWidth), usual)
}

// folded writes a text whose lines fit the terminal.
func (a *app) folded(w io.Writer, terminal bool, s string) error {
	var b []byte
	for line := range strings.Lines(s) {
		line = strings.TrimRight(line, " \n")
		if terminal && a.Width > 0 {
			b = appendFolded(b, line, a.Width)
		} else {
			b = append(append(b, line...), '\n')
		}
	}
	_, err := w.Write(b)
	return err
}

// appendFolded appends a line, in several that are indented if it is too long. Colours count, which does no harm.
func appendFolded(b []byte, line string, width int) []byte {
	if len(line) <= width {
		return append(append(b, line...), '\n')
	}
	words := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(words)]
	return text.AppendWrapped(b, width, indent, len(indent), indent+"      ", words)
}
