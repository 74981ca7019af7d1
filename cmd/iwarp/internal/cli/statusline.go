package cli

// A line on a terminal that changes while a command runs.

import (
	"cmp"
	"fmt"
	"strings"
)

// A statusLine is silent with --quiet, or if standard error is not a terminal.
type statusLine struct {
	*app
	width int // characters on the line
}

func (a *app) progressLine() *statusLine { return &statusLine{app: a} }

// shows reports whether the line is visible.
func (s *statusLine) shows() bool { return s.ErrIsTerminal && !s.quiet }

// set replaces the line, cut to the width of the terminal: clear cannot remove a folded line.
func (s *statusLine) set(line string) {
	if !s.shows() {
		return
	}
	fits := []rune(shown(line))
	fits = fits[:min(len(fits), cmp.Or(s.Width, foldWidth)-1)]
	fmt.Fprintf(s.Err, "\r%-*s", s.width, string(fits))
	s.width = len(fits)
}

func (s *statusLine) clear() {
	if s.width > 0 {
		fmt.Fprintf(s.Err, "\r%s\r", strings.Repeat(" ", s.width))
		s.width = 0
	}
}
