package page

// Ladders as SVG.

import (
	"fmt"
	"html/template"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// The places on a ladder, in its own units. Letters are 11 high and some 7 wide.
const (
	sheetWidth = 640
	timeRight  = 60
	frameRight = 124
	leftPost   = 138
	rightPost  = 632
	rowHeight  = 27
	textHeight = 16
	laneChars  = 68
	frameChars = 11
)

// A drawing is an SVG that grows downwards.
type drawing struct {
	b strings.Builder
	y int
}

// draw draws messages, below the addresses of the ends if titled. Words stand below those that are marked.
func (c *connection) draw(part []item[message], marked map[int]string, titled bool) template.HTML {
	var d drawing
	if titled {
		d.title(c)
	}
	latest := int64(0)
	for i := range part {
		m := &part[i].it
		d.silence(latest, m.Time)
		latest = max(latest, m.LastTime)
		cause := c.isCause(&part[i])
		if cause {
			height := rowHeight + 2
			fmt.Fprintf(&d.b, `<rect class="culprit" x="0" y="%d" width="%d" height="%d" rx="3"/>`, d.y+1, sheetWidth, height)
		}
		d.row(c, m)
		if cause {
			d.words("cause", c.causeWords(m))
		}
		if m.faults != 0 {
			d.words(severity(m.worst), c.page.words[m.faults])
		}
		if words := marked[part[i].n]; words != "" {
			d.words("differs", words)
		}
	}
	posts := fmt.Sprintf(`<path class="post" d="M%d 0V%dM%d 0V%d"/>`, leftPost, d.y, rightPost, d.y)
	return template.HTML(fmt.Sprintf(`<svg class="ladder" viewBox="0 0 %d %d" role="img" aria-label="ladder of %s">%s%s</svg>`,
		sheetWidth, d.y, quantity.Count(len(part), "message"), posts, d.b.String()))
}

// causeWords mark the message that is the cause. What the verdict says above the ladder, and a finding below the message, they do not say
// again.
func (c *connection) causeWords(m *message) string {
	if c.verdict.seen == "" || strings.Contains(c.page.words[m.faults], c.verdict.seen) {
		return "Cause of the failure"
	}
	return "Cause: " + c.verdict.seen
}

// severity is the class of a severity.
func severity(s int8) string {
	if s < 0 {
		return "mark"
	}
	return rules.Severity(s).String()
}

func (d *drawing) title(c *connection) {
	const most = 62 // letters in bold on one line
	client, server := "client "+c.of.Client.String(), "server "+c.of.Server.String()
	of := c.days()
	if c.file != "" {
		of = strings.TrimSuffix("frames of "+tail(c.file, laneChars-len(of))+"; "+of, "; ")
	}
	if of != "" {
		fmt.Fprintf(&d.b, `<text class="file" x="%d" y="%d">%s</text>`, leftPost, d.y+14, escaped(of))
		d.y += textHeight
	}
	fmt.Fprintf(&d.b, `<text class="end" x="%d" y="%d">%s</text>`, leftPost, d.y+14, escaped(client))
	if len(client)+len(server) > most {
		d.y += textHeight
	}
	fmt.Fprintf(&d.b, `<text class="end right" x="%d" y="%d">%s</text>`, rightPost, d.y+14, escaped(server))
	d.y += 20
}

// row draws one message or remark, and where and when it came.
func (d *drawing) row(c *connection, m *message) {
	fmt.Fprintf(&d.b, `<g class="row %s"`, c.page.words[m.class])
	if m.Time != 0 {
		fmt.Fprintf(&d.b, ` data-t="%d"`, m.Time-c.page.start)
	}
	d.b.WriteString(">")
	label, rest := c.label(m)
	fmt.Fprintf(&d.b, `<title>%s</title>`, escaped(strings.Join(strings.Fields(label+" "+c.fields(m)+" "+c.page.words[m.upper]), " ")))
	if m.Time != 0 {
		class, at := c.page.at(m.Time)
		fmt.Fprintf(&d.b, `<text class="%s" x="%d" y="%d">%s</text>`, class, timeRight, d.y+15, at)
	}
	fmt.Fprintf(&d.b, `<text class="at frames" x="%d" y="%d">%s</text>`, frameRight, d.y+15, escaped(tail(c.frames(&m.Span), frameChars)))
	if m.shape == remark {
		d.words("remark", rest)
	} else {
		lines := wrap(label+rest, laneChars)
		d.arrow(m, label, strings.TrimPrefix(lines[0], label))
		if more := strings.Join(lines[1:], " "); more != "" {
			d.words("remark", more)
		}
	}
	d.b.WriteString("</g>")
}

// arrow draws a name, the rest of a label, and the line below them, with a head where it arrives, or a cross where it does not.
func (d *drawing) arrow(m *message, name, rest string) {
	from, to, way, class := leftPost+1, rightPost-1, 1, ""
	if m.dir == flow.S2C {
		from, to, way, class = to, from, -1, ` class="right"`
	}
	fmt.Fprintf(&d.b, `<text%s x="%d" y="%d"><tspan class="name">%s</tspan>%s</text>`, class, from+way*13, d.y+13, escaped(name), escaped(rest))
	y := d.y + 20
	d.y += rowHeight
	if m.shape == lost {
		to -= way * (rightPost - leftPost) / 3
		fmt.Fprintf(&d.b, `<path class="line dashed" d="M%d %dH%d"/><path class="line" d="M%d %dl8 8m0 -8l-8 8"/>`, from, y, to, to-4, y-4)
		return
	}
	class = "line"
	if m.shape != arrow {
		class += " dashed"
	}
	fmt.Fprintf(&d.b, `<path class="%s" d="M%d %dH%d"/><path class="head" d="M%d %dl%d -4v8z"/>`, class, from, y, to-way*6, to, y, -way*8)
}

// silence draws how long nothing came, if that was long.
func (d *drawing) silence(from, to int64) {
	if from == 0 || to-from < leastStall {
		return
	}
	fmt.Fprintf(&d.b, `<text class="silence" x="%d" y="%d">%s of silence</text>`, (leftPost+rightPost)/2, d.y+13, quantity.Duration(to-from))
	d.y += textHeight + 4
}

// words draws a sentence below a message.
func (d *drawing) words(class, s string) {
	const most = 3 // lines
	lines := wrap(s, laneChars)
	if len(lines) > most {
		lines = append(lines[:most-1], cut(strings.Join(lines[most-1:], " "), laneChars))
	}
	for _, line := range lines {
		fmt.Fprintf(&d.b, `<text class="words %s" x="%d" y="%d">%s</text>`, class, leftPost+14, d.y+11, escaped(line))
		d.y += textHeight - 1
	}
	d.y += 5
}

// label is the name of a message, and what the ladder says beside it.
func (c *connection) label(m *message) (name, rest string) {
	name = c.page.words[m.name]
	switch {
	case m.shape == remark:
		return "", name
	case m.octets > 0:
		rest = " " + quantity.GroupedCount(m.octets, "octet")
	}
	if m.upper != 0 {
		rest += ", " + c.page.words[m.upper]
	} else if fields := c.fields(m); fields != "" {
		rest += " " + strings.TrimSpace(fields)
	}
	if m.took >= 0 {
		rest += ", after " + quantity.Duration(m.took)
	}
	return name, rest
}

// frames are the numbers of frames, with the name of their file unless the ladder has it.
func (c *connection) frames(s *flow.Span) string {
	if own, ok := c.of.Frames.In(c.file, s); ok {
		return string(flow.Frames(nil).Append(nil, &own))
	}
	return string(c.of.Frames.Append(nil, s))
}

// moment is a time since the capture began, or by a calendar, as quantity.Moment says it, to the microsecond.
func (p *Page) moment(ns int64) string {
	if quantity.IsAnotherDay(ns - p.start) {
		return time.Unix(0, ns).UTC().Format("2006-01-02 15:04:05.000000 UTC")
	}
	return fmt.Sprintf("%.6f s", float64(ns-p.start)/1e9)
}

// at is such a time without its unit or its day, which stand elsewhere, for the class of a text.
func (p *Page) at(ns int64) (class, at string) {
	if quantity.IsAnotherDay(ns - p.start) {
		return "at clock", time.Unix(0, ns).UTC().Format("15:04:05.000")
	}
	return "at", strings.TrimSuffix(p.moment(ns), " s")
}

// days are those of a connection, if a time that is shown does not say its day.
func (c *connection) days() string {
	if !quantity.IsAnotherDay(c.of.Latest - c.page.start) {
		return ""
	}
	first, last := time.Unix(0, c.of.Earliest).UTC().Format(time.DateOnly), time.Unix(0, c.of.Latest).UTC().Format(time.DateOnly)
	if first != last {
		first += " to " + last
	}
	return first + ", UTC"
}

// cut shortens a string to n characters.
func cut(s string, n int) string {
	if n = max(n, 4); len(s) <= n {
		return s
	}
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-3]) + "..."
}

// tail shortens a string to its last n characters: of the name of a frame, the number says most.
func tail(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return "..." + string(r[len(r)-n+3:])
}

// wrap breaks a sentence into lines.
func wrap(s string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		if line != "" {
			line += " "
		}
		line += cut(word, width)
	}
	return append(lines, line)
}

func escaped(s string) string { return template.HTMLEscapeString(s) }
