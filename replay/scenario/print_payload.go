package scenario

import (
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
)

// How octets are divided into words and lines. All are numbers of octets.
const (
	wordOctets = 4  // a word of digits, which ends at a multiple of it from the beginning or the latest variable
	rowOctets  = 32 // after which a line of digits ends
	textOctets = 6  // printable ones that are written as text among digits
	wordOfText = 4  // letters that are written as text, too
	mostText   = 64 // the longest text
)

type item struct {
	text   string
	octets int
}

// octets writes a line and the Payload after it: in the same line if there is room, else in lines that begin with |.
func (p *printer) octets(line string, payload Payload) {
	width := len(line)
	for it := range payload.items {
		if width += 1 + len(it.text); width > lineWidth {
			p.line(line)
			p.rows(payload)
			return
		}
	}
	p.b.WriteString(line)
	for it := range payload.items {
		p.b.WriteString(" " + it.text)
	}
	p.line("")
}

// rows writes a Payload in lines of their own.
func (p *printer) rows(payload Payload) {
	begin := strings.Repeat(" ", p.numbers+3) + "|"
	at, width := 0, 0
	for it := range payload.items {
		if width == 0 || at%rowOctets == 0 || width+1+len(it.text) > lineWidth {
			if width > 0 {
				p.line("")
			}
			p.b.WriteString(begin)
			width = len(begin)
		}
		p.b.WriteString(" " + it.text)
		width += 1 + len(it.text)
		at += it.octets
	}
	p.line("")
}

func (p Payload) items(yield func(item) bool) {
	at, more := 0, true // octets since the latest variable
	for i := 0; i < len(p) && more; i++ {
		part := &p[i]
		switch {
		case part.Ref.Var != "":
			more = yield(item{part.Ref.String() + ":" + part.Encoding.String(), part.Len()})
		case part.Any == Rest:
			more = yield(item{"?*", 0})
		case part.Any > 0:
			more = yield(item{"?*" + strconv.Itoa(part.Any), part.Len()})
		case part.Times > 0:
			unit := hex.EncodeToString(part.Octets)
			if readable(part.Octets) == len(part.Octets) && len(part.Octets) > 2 {
				unit = `"` + string(part.Octets) + `"`
			}
			more = yield(item{unit + "*" + strconv.Itoa(part.Times), part.Len()})
		default:
			more = literal(part.Octets, at, yield)
		}
		if at += part.Len(); part.Ref.Var != "" {
			at = 0
		}
	}
}

// String returns the Payload in the text form, in one line.
func (p Payload) String() string {
	var words []string
	for it := range p.items {
		words = append(words, it.text)
	}
	return strings.Join(words, " ")
}

// literal yields octets without repetition, which begin at an offset. It returns whether to go on.
func literal(octets []byte, at int, yield func(item) bool) (more bool) {
	whole, more := len(octets), true
	for len(octets) > 0 && more {
		n := readable(octets)
		if isText(octets[:n]) || n == whole && n > 2 {
			n = min(n, mostText)
			more = yield(item{`"` + string(octets[:n]) + `"`, n})
		} else {
			n = min(digits(octets, at), len(octets))
			more = yield(item{hex.EncodeToString(octets[:n]), n})
		}
		octets, at = octets[n:], at+n
	}
	return more
}

// digits returns the length in octets of the next word of digits: up to a multiple of wordOctets, or to a text.
func digits(octets []byte, at int) int {
	n := min(wordOctets-at%wordOctets, len(octets))
	for i := 1; i < n; i++ {
		if isText(octets[i : i+readable(octets[i:])]) {
			return i
		}
	}
	return n
}

// isText reports whether printable octets are worth writing as a text.
func isText(octets []byte) bool {
	if len(octets) < wordOfText || len(octets) >= textOctets {
		return len(octets) >= textOctets
	}
	return !slices.ContainsFunc(octets, func(o byte) bool { return o|0x20 < 'a' || o|0x20 > 'z' })
}

// readable returns how many octets, up to mostText, can be part of a text.
func readable(octets []byte) (n int) {
	for n < min(len(octets), mostText) && octets[n] >= ' ' && octets[n] <= '~' && octets[n] != '"' {
		n++
	}
	return n
}
