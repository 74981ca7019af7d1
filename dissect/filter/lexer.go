package filter

// From text to tokens.

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A tokenKind is the kind of a token.
type tokenKind uint8

const (
	end     tokenKind = iota // of the filter
	word                     // a field, a keyword or a value without quotation marks
	quoted                   // a value in quotation marks
	bracket                  // a slice, "[0:4]", or an address, "[fd00::1]:7174"
	symbol                   // an operator or a parenthesis
)

// A token is a word of the language, as it stands in the filter.
type token struct {
	kind tokenKind
	text string
	off  int // octets of the filter before it
}

// is reports whether the token is one of these keywords, case aside, or symbols.
func (t token) is(some ...string) bool {
	return slices.ContainsFunc(some, func(s string) bool {
		return t.kind == symbol && t.text == s || t.kind == word && strings.EqualFold(t.text, s)
	})
}

// errorf reports what is wrong with the token.
func (t token) errorf(format string, args ...any) *Error {
	return errorf(t.off, len(t.text), format, args...)
}

// String returns the token for messages.
func (t token) String() string {
	if t.kind == end {
		return "the end of the filter"
	}
	return clip(t.text)
}

// clip makes a part of a filter safe for a message: short, and printable.
func clip(s string) string {
	const most = 60 // octets
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strings.Map(printable, s)
}

// printable replaces r in messages: tabs would move the caret, others do worse.
func printable(r rune) rune {
	if unicode.IsPrint(r) {
		return r
	}
	return ' '
}

// A lexer cuts a filter into tokens.
type lexer struct {
	text string
	at   int
}

// symbols are the operators and parentheses, each before its own prefixes.
var symbols = []string{
	"===", "!==", "==", "!=", "<=", ">=", "&&", "||", "..", "<", ">", "=", "!", "~", "(", ")", "{", "}", ",",
}

func (l *lexer) next() (token, *Error) {
	for l.at < len(l.text) && strings.IndexByte(" \t\r\n", l.text[l.at]) >= 0 {
		l.at++
	}
	rest := l.text[l.at:]
	switch {
	case rest == "":
		return token{end, "", l.at}, nil
	case rest[0] == '"', rest[0] == '\'', strings.HasPrefix(rest, `r"`):
		return l.quoted(rest)
	case rest[0] == '[':
		return l.bracket(rest)
	case isWord(rest[0]) && !strings.HasPrefix(rest, ".."):
		return l.take(word, wordLen(rest)), nil
	}
	for _, s := range symbols {
		if strings.HasPrefix(rest, s) {
			return l.take(symbol, len(s)), nil
		}
	}
	_, size := utf8.DecodeRuneInString(rest)
	t := l.take(symbol, size)
	return t, t.errorf("%s means nothing here", strconv.QuoteRune([]rune(t.text)[0]))
}

// take makes a token of the next n octets.
func (l *lexer) take(kind tokenKind, n int) token {
	t := token{kind, l.text[l.at : l.at+n], l.at}
	l.at += n
	return t
}

// isWord reports whether an octet can be in a word: in names, numbers, addresses, times, octets as aa:bb:cc.
func isWord(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("_.:/-+", c) >= 0
}

// wordLen returns the length of the word that s begins with. Two dots end it: they belong to ranges.
func wordLen(s string) int {
	n := 0
	for n < len(s) && isWord(s[n]) && !strings.HasPrefix(s[n:], "..") {
		n++
	}
	return n
}

// quoted takes a string with its quotation marks.
func (l *lexer) quoted(s string) (token, *Error) {
	n := strings.IndexAny(s, `"'`)
	mark := s[n]
	for n++; n < len(s) && s[n] != mark; n++ {
		if s[n] == '\\' {
			n++
		}
	}
	if n >= len(s) {
		return token{}, errorf(l.at, len(s), "the string has no quotation mark at its end")
	}
	return l.take(quoted, n+1), nil
}

// bracket takes the text in square brackets, and a port after them.
func (l *lexer) bracket(s string) (token, *Error) {
	n := strings.IndexByte(s, ']') + 1
	if n == 0 {
		return token{}, errorf(l.at, len(s), "the bracket is not closed")
	}
	if n < len(s) && s[n] == ':' {
		n += wordLen(s[n:])
	}
	return l.take(bracket, n), nil
}

// value returns the token without quotation marks, its escapes resolved.
func (t token) value() (string, *Error) {
	if t.kind != quoted {
		return t.text, nil
	}
	if t.text[0] == 'r' {
		return t.text[2 : len(t.text)-1], nil
	}
	mark := t.text[0]
	var b []byte
	for s := t.text[1 : len(t.text)-1]; s != ""; {
		r, multi, tail, err := strconv.UnquoteChar(s, mark)
		if err != nil {
			return "", errorf(t.off+len(t.text)-1-len(s), min(2, len(s)),
				"an escape that is not known; write \\\\ for a backslash, or r\"...\"")
		}
		if multi {
			b = utf8.AppendRune(b, r)
		} else {
			b = append(b, byte(r))
		}
		s = tail
	}
	return string(b), nil
}
