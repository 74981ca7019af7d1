package check

// How Text prints what was found on a connection.

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
)

// findings prints what was found on a connection. Without All, notes and what the verdict tells are left out.
func (t *Text) findings(e *ended, d detail) {
	var names []string
	shown := 0
	found := e.found.sorted()
	for i := range found {
		g := &found[i]
		if !t.opts.All && (g.severity == rules.Note || slices.Contains(e.story, g.id)) {
			continue
		}
		switch shown++; d {
		case full, unquoted:
			t.group(g, d == full)
		case titles:
			t.title(g)
		default:
			names = append(names, g.brief())
		}
	}
	if names != nil {
		t.paragraph(text.Style{}, "  ", "Found: "+strings.Join(names, "; ")+".")
	}
	if shown > 0 && d <= unquoted && e.others > 0 {
		t.newline()
	}
}

// group prints the first finding of a group, perhaps with what the document says, and how many more there are.
func (t *Text) group(g *group, quoted bool) {
	t.newline()
	t.title(g)
	words, again := t.text(g)
	t.paragraph(text.Style{}, "    ", words)
	s := g.basis.Source
	switch {
	case !quoted || again:
	case g.basis.Decided != "":
		s += ". " + g.basis.Decided
	case g.basis.Quote != "":
		s += ": \"" + g.basis.Quote + "\""
	}
	t.paragraph(t.opts.Palette.Source, "    ", s)
	if g.more > 0 {
		t.paragraph(text.Style{}, "    ", "and "+more(g))
	}
}

// title prints where the first finding of a group is, the requirements that are broken, and the rule.
func (t *Text) title(g *group) {
	style := t.opts.Palette.Severity[g.severity]
	severity := fmt.Sprintf("%-7s", g.severity)
	t.page = text.AppendWrapped(t.page, t.opts.Width, "  "+style.On+severity+style.Off+"  ", 2+len(severity)+2, "    ", show.Within(t.file, true, t.named(g)))
}

// brief names a group in a list: "error DDP-5.3-4 (send-msn) in frame 12".
func (g *group) brief() string {
	b := fmt.Appendf(nil, "%v %s in ", g.severity, g.id)
	b = g.in.AppendNamed(b, &g.at)
	if g.more > 0 {
		b = append(append(b, ", and "...), more(g)...)
	}
	return string(b)
}

// named is where the first finding of a group is, the requirement that is broken, and the rule. The other requirements
// that the same breaks are named only with All.
func (t *Text) named(g *group) string {
	b := g.in.AppendNamed(nil, &g.at)
	if t.opts.Clock != nil && g.at.Time != 0 {
		b = t.opts.Clock.AppendShort(append(b, " at "...), g.at.Time)
	}
	b = append(append(b, ": "...), g.id...)
	if t.opts.All {
		for _, id := range g.also {
			b = append(append(b, ", "...), id...)
		}
	}
	return string(fmt.Appendf(b, " (%s)", g.name))
}

// text is that of the first finding of a group, or, again, a short form of it if the rest has been printed before.
func (t *Text) text(g *group) (words string, again bool) {
	key, short := g.text, "As above."
	if !isObservation(g.id) && g.seen != "" {
		key, short = g.id, g.seen
		if g.expected != "" {
			short += ", expected " + g.expected
		}
		short += "; explained above."
	}
	if t.explained[key] || g.told {
		return short, true
	}
	if len(t.explained) < maxExplained {
		t.explained[key] = true
	}
	return g.text, false
}

// more says how many findings of a group there are after the first, and where.
func more(g *group) string {
	b := g.in.AppendNamed(append(strconv.AppendUint(nil, g.more, 10), " more, "...), &g.rest)
	if g.goesOn {
		b = append(b, " and later"...)
	}
	return string(b)
}
