package scenario

import (
	"fmt"
	"strings"
)

// A token is a word of a line. A text in quotation marks forms one token with the characters directly after it.
type token struct {
	text string
	at   int // offset in the line
}

// A cursor walks over the tokens of a line.
type cursor struct {
	name   string // of the text
	number int
	line   string
	at     int
	next   token
	more   bool // there is a next token
}

// fault is the panic by which a cursor gives up; Parse recovers it.
type fault struct{ err *Error }

func (c *cursor) start(line string) {
	c.number++
	c.line, c.at = line, 0
	c.advance()
}

// advance finds the next token. A comment ends the line.
func (c *cursor) advance() {
	for c.at < len(c.line) && (c.line[c.at] == ' ' || c.line[c.at] == '\t') {
		c.at++
	}
	c.next, c.more = token{at: c.at}, c.at < len(c.line) && c.line[c.at] != '#'
	if !c.more {
		return
	}
	end := c.at
	if c.line[end] == '"' {
		closing := strings.IndexByte(c.line[end+1:], '"')
		c.need(closing >= 0, c.next, "the text has no quotation mark at its end")
		end += closing + 2
	}
	if n := strings.IndexAny(c.line[end:], " \t"); n >= 0 {
		end += n
	} else {
		end = len(c.line)
	}
	c.next.text = c.line[c.at:end]
	c.at = end
}

// take consumes and returns the next token; what names it in errors.
func (c *cursor) take(what string) token {
	if !c.more {
		c.fail(c.next, "%s is missing", what)
	}
	t := c.next
	c.advance()
	return t
}

// word reports whether the next token is the word, and consumes it then.
func (c *cursor) word(word string) bool {
	if !c.more || c.next.text != word {
		return false
	}
	c.advance()
	return true
}

// end fails if there is another token.
func (c *cursor) end() {
	if c.more {
		c.fail(c.next, "unexpected %q", clip(c.next.text))
	}
}

func (c *cursor) fail(t token, format string, args ...any) {
	panic(fault{c.err(t.at, fmt.Sprintf(format, args...))})
}

// need fails at t with problem unless ok.
func (c *cursor) need(ok bool, t token, problem string) {
	if !ok {
		c.fail(t, "%s", problem)
	}
}

// mustBe fails at t, which is not what stands there, unless ok.
func (c *cursor) mustBe(ok bool, t token, what string) {
	if !ok {
		c.fail(t, "%q is not %s", clip(t.text), what)
	}
}

func (c *cursor) err(at int, problem string) *Error {
	return &Error{Name: c.name, Line: c.number, Column: at + 1, Problem: problem, text: c.line}
}

// clip shortens a token that is shown.
func clip(s string) string {
	const most = 40
	if len(s) <= most {
		return s
	}
	return s[:most] + "..."
}
