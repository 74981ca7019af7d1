package cli

// Texts for a terminal, folded to its width.

import (
	"io"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect/show/text"
)

// foldWidth is the width of reports in characters, unless the terminal is narrower.
const foldWidth = usage.Width

// leastWidth is the least width of prose in characters, even on a narrower terminal.
const leastWidth = 40

// tableWidth is the width of tables in characters: the terminal's, or else that in COLUMNS, if there is one.
func (a *app) tableWidth(terminal bool) int {
	width := a.Width
	if !terminal {
		width, _ = strconv.Atoi(a.Env("COLUMNS"))
	}
	if width <= 0 {
		return foldWidth
	}
	return max(width, leastWidth)
}

// lineWidth is the width of prose in characters, which is not easier to read on a wide terminal.
func (a *app) lineWidth(terminal bool) int { return min(a.tableWidth(terminal), foldWidth) }

// folded writes a text, folded to the width of the terminal.
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

// appendFolded appends a line, folded with indents if it is too long. The width includes colours, which does no harm.
func appendFolded(b []byte, line string, width int) []byte {
	if len(line) <= width {
		return append(append(b, line...), '\n')
	}
	words := strings.TrimLeft(line, " ")
	indent := line[:len(line)-len(words)]
	return text.AppendWrapped(b, width, indent, len(indent), indent+"      ", words)
}
