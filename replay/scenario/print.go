package scenario

// The text form: writing it.

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
)

// lineWidth is the preferred maximum length of a line.
const lineWidth = 120

// Print writes a valid Scenario (see [Check]) in its text form, from which Parse reads the same Scenario.
func Print(w io.Writer, s *Scenario) error {
	b := bufio.NewWriter(w)
	p := printer{b: b}
	p.comment("", s.Comment)
	p.line("scenario " + strconv.Quote(s.Title))
	for _, c := range s.Conns {
		p.conn(c)
	}
	return b.Flush()
}

// String returns the text form.
func (s *Scenario) String() string {
	var b strings.Builder
	Print(&b, s) // cannot fail
	return b.String()
}

// String returns the text form of a step, which has one or more lines.
func (s *Step) String() string {
	var text strings.Builder
	p := printer{b: &text, numbers: len(strconv.Itoa(s.Number))}
	p.step(s)
	return strings.TrimRight(text.String(), "\n")
}

// A printer writes text.
type printer struct {
	b interface { // which keeps its first error
		io.StringWriter
		io.ByteWriter
	}
	numbers int // digits of the longest number of a step
}

func (p *printer) line(s string) {
	p.b.WriteString(s)
	p.b.WriteByte('\n')
}

func (p *printer) comment(indent string, lines []string) {
	for _, l := range lines {
		p.line(strings.TrimRight(indent+"# "+l, " "))
	}
}

// conn writes a connection. A variable precedes the first step that uses it.
func (p *printer) conn(c *Conn) {
	p.line("")
	p.comment("", c.Comment)
	line := "connection " + c.Name
	if c.Client.IsValid() {
		line += " " + c.Client.String() + " -> " + c.Server.String()
	}
	p.line(line + at(c.At))
	p.numbers = 1
	for _, s := range c.Steps {
		p.numbers = max(p.numbers, len(strconv.Itoa(s.Number)))
	}
	before, vars := firstUses(c), 0
	for i := range len(c.Steps) + 1 {
		for ; vars < len(c.Vars) && before[vars] <= i; vars++ {
			p.variable(c.Vars[vars])
		}
		if i < len(c.Steps) {
			p.step(c.Steps[i])
		}
	}
}

// firstUses returns, for each variable, the index of the first step that uses it or a later variable of Vars.
func firstUses(c *Conn) []int {
	index := make(map[string]int, len(c.Vars))
	for i, v := range c.Vars {
		index[v.Name] = i
	}
	before := make([]int, len(c.Vars))
	for i := range before {
		before[i] = len(c.Steps)
	}
	for i, s := range c.Steps {
		for name := range s.Uses() {
			if v, ok := index[name]; ok {
				before[v] = min(before[v], i)
			}
		}
	}
	for i := len(before) - 2; i >= 0; i-- {
		before[i] = min(before[i], before[i+1])
	}
	return before
}

// at returns a time in the text form after a blank; empty for 0.
func at(d time.Duration) string {
	if d == 0 {
		return ""
	}
	digits := 6
	if d%time.Microsecond != 0 {
		digits = 9
	}
	fraction := fmt.Sprintf("%09d", d%time.Second)[:digits]
	return fmt.Sprintf(" @%d.%s", d/time.Second, fraction)
}

func (p *printer) variable(v *Var) {
	p.comment("  ", v.Comment)
	line := fmt.Sprintf("  var $%s %s %s ", v.Name, v.Kind, v.Owner)
	switch v.Kind {
	case STag, XID:
		line += fmt.Sprintf("0x%08x", v.Value)
	default:
		line += fmt.Sprintf("0x%x", v.Value)
	}
	if v.Length > 0 {
		line += fmt.Sprintf(" length %d", v.Length)
	}
	if v.STag != "" {
		line += " in $" + v.STag
	}
	p.line(line)
}

func (p *printer) step(s *Step) {
	p.comment("  ", s.Comment)
	line := fmt.Sprintf("  %*d %s%s", p.numbers, s.Number, s.Side, at(s.At))
	if s.Frame > 0 {
		line += fmt.Sprintf(" frame %d", s.Frame)
	}
	if s.After > 0 {
		line += fmt.Sprintf(" after %d", s.After)
	}
	p.action(line+" ", s.Do)
}

// String returns the value in the text form: "64", "$to1+64".
func (v Value) String() string {
	if v.Var == "" {
		return strconv.FormatUint(v.Number, 10)
	}
	return "$" + v.Var + offset(v.Number)
}

func offset(n uint64) string {
	const large = 1 << 20 // easier to read in hexadecimal digits
	sign := "+"
	if int64(n) < 0 {
		sign, n = "-", -n
	}
	switch {
	case n == 0:
		return ""
	case n < large:
		return sign + strconv.FormatUint(n, 10)
	}
	return fmt.Sprintf("%s0x%x", sign, n)
}
