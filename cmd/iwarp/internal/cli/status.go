package cli

// A line on a terminal that changes while a command runs.

import (
	"fmt"
	"strings"
)

// A statusLine is the line. It says nothing where standard error is no terminal, or nothing may be said.
type statusLine struct {
	*app
	width int // characters that stand there
}

func (a *app) progressLine() *statusLine { return &statusLine{app: a} }

// shows tells whether somebody sees it.
func (s *statusLine) shows() bool { return s.ErrIsTerminal && !s.quiet }

// set changes what the line says.
func (s *statusLine) set(line string) {
	if s.shows() {
		fmt.Fprintf(s.Err, "\r%-*s", s.width, line)
		s.width = len(line)
	}
}

// clear takes the line away.
func (s *statusLine) clear() {
	if s.width > 0 {
		fmt.Fprintf(s.Err, "\r%s\r", strings.Repeat(" ", s.width))
		s.width = 0
	}
}
