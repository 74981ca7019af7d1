package cli

// A line on a terminal that changes while a command runs.

import (
	"cmp"
	"fmt"
	"strings"
)

// A statusLine is the line. It says nothing where standard error is no terminal, or nothing may be said.
type statusLine struct {
	*app
	width int // characters that stand there
}

func (a *app) progressLine() *statusLine { return &statusLine{app: a} }

// shows reports whether somebody sees it.
func (s *statusLine) shows() bool { return s.ErrIsTerminal && !s.quiet }

// unknownWidth is how many characters a line is taken to have of a terminal that does not say.
const unknownWidth = 80

// set changes what the line says, as much of it as fits: one that went on in the next could not be taken away.
func (s *statusLine) set(line string) {
	if !s.shows() {
		return
	}
	fits := []rune(shown(line))
	fits = fits[:min(len(fits), cmp.Or(s.Width, unknownWidth)-1)]
	fmt.Fprintf(s.Err, "\r%-*s", s.width, string(fits))
	s.width = len(fits)
}

// clear takes the line away.
func (s *statusLine) clear() {
	if s.width > 0 {
		fmt.Fprintf(s.Err, "\r%s\r", strings.Repeat(" ", s.width))
		s.width = 0
	}
}
