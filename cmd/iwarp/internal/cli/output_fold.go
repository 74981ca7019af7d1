package cli

// Texts for a terminal, folded to its width.

import (
	"io"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

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

// foldHelp folds the help of all commands if there is less room than usual.
func (a *app) foldHelp(root *cobra.Command) {
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		width := a.lineWidth(a.OutIsTerminal)
		if width == foldWidth {
			help(cmd, args)
			return
		}
		var b strings.Builder
		out := cmd.OutOrStdout()
		cmd.SetOut(&b)
		help(cmd, args)
		cmd.SetOut(out)
		_, _ = out.Write(foldedHelp(b.String(), width)) // out keeps its error
	})
}

// foldedHelp folds help. What a line describes begins after the last gap of two blanks or more, and goes on in lines that begin in that column.
func foldedHelp(help string, width int) (b []byte) {
	lead, words, column := "", "", -1
	for line := range strings.Lines(help + "\n") { // an empty line ends the last one
		line = strings.TrimRight(line, " \n")
		indent := len(line) - len(strings.TrimLeft(line, " "))
		if line != "" && indent == column {
			words += " " + line[indent:]
			continue
		}
		if column > width/2 { // too little room behind the gap
			b = append(append(b, strings.TrimRight(lead, " ")...), '\n')
			lead, column = "      ", 6
		}
		if words != "" {
			b = text.AppendWrapped(b, width, lead, len(lead), strings.Repeat(" ", column), words)
		}
		if lead, words, column = "", "", -1; line == "" {
			b = append(b, '\n')
			continue
		}
		column = indent
		if gap := strings.LastIndex(line, "  "); gap >= indent {
			column = gap + 2
		}
		lead, words = line[:column], line[column:]
	}
	return b[:len(b)-1]
}
