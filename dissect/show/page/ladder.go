package page

// Which messages of a connection its ladder shows, and which it folds.

import (
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// How many messages a ladder shows.
const (
	beginning = 8    // of a connection
	ending    = 6    // of a connection
	nearCause = 12   // on either side of the cause
	nearFault = 2    // on either side of another message with findings, or that was lost
	maxFaults = 12   // such messages
	leastFold = 4    // fewer messages are not folded
	maxFold   = 120  // in a fold, if it is opened
	maxRows   = 4000 // of all ladders of a page
)

// A stretch is some messages of a ladder in a row.
type stretch struct {
	Fold string // what is folded; empty for messages that are shown
	SVG  template.HTML
}

// ladder draws the messages, those of marked places that are not faults too. rows is how many more a page can have.
func (c *connection) ladder(marked map[int]string, rows *int) (all []stretch) {
	shown := c.shown(marked)
	c.file = c.only()
	for i := 0; i < len(shown); {
		j := i
		for j < len(shown) && shown[j] == shown[i] {
			j++
		}
		part := c.messages.all[i:j]
		switch {
		case shown[i]:
			all = append(all, stretch{SVG: c.draw(part, marked, len(all) == 0)})
			*rows -= len(part)
		default:
			all = append(all, c.fold(part, rows))
		}
		i = j
	}
	return all
}

// only is the file that has all frames of the connection, if its name is too long to stand before each; else empty.
func (c *connection) only() (file string) {
	short := true
	for i := range c.messages.all {
		m := &c.messages.all[i].it
		short = short && len(c.of.Frames.Append(nil, &m.Span)) <= frameChars
		for _, frame := range []uint64{m.Frame, m.LastFrame} {
			of, _ := c.of.Frames.Place(frame)
			switch {
			case frame == 0:
			case of == "" || file != "" && of != file:
				return ""
			default:
				file = of
			}
		}
	}
	if short {
		return ""
	}
	return file
}

// shown says which messages are not folded.
func (c *connection) shown(marked map[int]string) []bool {
	items := c.messages.all
	shown := make([]bool, len(items))
	open := func(from, to int) {
		for i := max(from, 0); i < min(to, len(shown)); i++ {
			shown[i] = true
		}
	}
	open(0, beginning)
	open(len(shown)-ending, len(shown))
	near, faults := nearCause, 0
	if marked != nil {
		near = nearFault // the other capture has no cause there
	}
	for i := range items {
		m := &items[i].it
		switch {
		case c.isCause(&items[i]):
			open(i-near, i+near+1)
		case m.worst >= int8(rules.Warning) || m.shape != arrow || marked[items[i].n] != "":
			if faults++; faults <= maxFaults {
				open(i-nearFault, i+nearFault+1)
			}
		}
	}
	for i := 0; i < len(shown); { // short folds are more to read than what they fold
		j := i
		for j < len(shown) && shown[j] == shown[i] {
			j++
		}
		if !shown[i] && j-i < leastFold && items[j-1].n-items[i].n == j-1-i {
			open(i, j)
		}
		i = j
	}
	return shown
}

// isCause reports whether a message is the cause of the failure.
func (c *connection) isCause(m *item[message]) bool { return c.verdict.failed && c.verdict.at == m.n }

// fold sums up messages, and draws them for whoever opens the fold.
func (c *connection) fold(part []item[message], rows *int) stretch {
	first, last := part[0].it, part[len(part)-1].it
	n := part[len(part)-1].n - part[0].n + 1
	var names []word
	counts := make(map[word]int)
	octets := uint64(0)
	for i := range part {
		m := &part[i].it
		if counts[m.name]++; counts[m.name] == 1 {
			names = append(names, m.name)
		}
		if m.shape == arrow {
			octets += m.octets
		}
	}
	slices.SortStableFunc(names, func(a, b word) int { return counts[b] - counts[a] })
	var b strings.Builder
	if n == len(part) {
		for i, name := range names[:min(len(names), 4)] {
			fmt.Fprintf(&b, "%s%s %s", []string{"", ", "}[min(i, 1)], quantity.Grouped(counts[name]), c.page.words[name])
		}
		if len(names) > 4 {
			b.WriteString(" and others")
		}
		fmt.Fprintf(&b, ", %s", quantity.GroupedCount(octets, "octet"))
	} else {
		fmt.Fprintf(&b, "%s, of which the page has %s", quantity.GroupedCount(n, "message"), quantity.Grouped(len(part)))
	}
	if first.Time != 0 && last.LastTime > first.Time {
		b.WriteString(", in " + quantity.Duration(last.LastTime-first.Time))
	}
	s := stretch{Fold: b.String()}
	switch room := min(maxFold, *rows/2); {
	case len(part) <= room:
		s.SVG = c.draw(part, nil, false)
		*rows -= len(part)
	case room > 10:
		s.SVG = c.draw(part[:room/2], nil, false) + left(len(part)-room/2*2) + c.draw(part[len(part)-room/2:], nil, false)
		*rows -= room
	default:
		s.SVG = left(len(part))
	}
	return s
}

func left(n int) template.HTML {
	return template.HTML(fmt.Sprintf(`<p class="left">%s in the table of messages</p>`, quantity.GroupedCount(n, "message")))
}
