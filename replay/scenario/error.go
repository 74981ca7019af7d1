package scenario

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

// An Error is an error in a text, with its place.
type Error struct {
	Name    string // of the text
	Line    int    // from 1
	Column  int    // in octets, from 1
	Problem string
	text    string // of the line
}

// excerptWidth limits the shown octets of a line.
const excerptWidth = 100

// Error returns the place, the problem, and the line with a caret below the column.
func (e *Error) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s\n%s", e.Name, e.Line, e.Column, e.Problem, e.excerpt())
}

// excerpt returns the part of the line around the column, and a caret.
func (e *Error) excerpt() string {
	from, at := 0, min(e.Column-1, len(e.text))
	if at > excerptWidth-20 {
		from = at - excerptWidth/2
	}
	shown := e.text[from:min(from+excerptWidth, len(e.text))]
	blank := strings.Map(func(r rune) rune {
		if r == '\t' {
			return r
		}
		return ' '
	}, strings.ToValidUTF8(e.text[from:at], "?"))
	return "    " + strings.ToValidUTF8(shown, "?") + "\n    " + blank + "^"
}

// suggest appends similar words to a problem.
func suggest(problem, word string, words []string) string {
	return problem + spelling.Suggest(word, words, 2)
}

// a returns a name with its article before it.
func a(name string) string {
	if strings.ContainsAny(name[:1], "AEIOU") || strings.HasPrefix(name, "MPA") {
		return "an " + name
	}
	return "a " + name
}

// A Problem is a contradiction in a Scenario.
type Problem struct {
	Conn *Conn // nil if it is about the Scenario
	Var  *Var  // nil if it is not about a variable
	Step *Step // nil if it is not about a step
	Text string
}

// Error returns "connection c0, step 3: what is wrong".
func (p *Problem) Error() string {
	var where strings.Builder
	if p.Conn != nil {
		fmt.Fprintf(&where, "connection %s", p.Conn.Name)
	}
	switch {
	case p.Step != nil:
		fmt.Fprintf(&where, ", step %d", p.Step.Number)
	case p.Var != nil:
		fmt.Fprintf(&where, ", $%s", p.Var.Name)
	}
	if where.Len() == 0 {
		return p.Text
	}
	return where.String() + ": " + p.Text
}
