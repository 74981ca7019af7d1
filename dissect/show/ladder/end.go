package ladder

// The end of a ladder: unanswered requests, how TCP ended, and the Verdict.

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// end draws how the connection ended, if it is the one that is drawn.
func (l *Ladder) end(r *record.Record) {
	l.list.add(r.Conn)
	if !l.concerned(&r.Origin) {
		return
	}
	if r.Verdict != nil {
		l.verdict = r.Verdict.Text
	}
	l.finish(r.Conn)
	if r.Verdict != nil {
		l.judged(r.Verdict)
	}
	l.ended, l.conn = true, nil
}

// judged draws the Verdict.
func (l *Ladder) judged(v *record.Verdict) {
	b := append(l.rows, '\n')
	if v.ULP != "" {
		b = append(append(b, v.ULP...), ". "...)
	}
	l.rows = text.AppendWrapped(b, l.opts.Width, "", len(b)-1, "", string(printable.Append(nil, v.Text)))
	l.tally(v)
	l.write()
}

// told reports whether the Verdict already says what a finding says.
func (l *Ladder) told(f *record.Finding) bool {
	return f.Text != "" && strings.Contains(l.verdict, f.Text)
}

// tally draws the number of findings.
func (l *Ladder) tally(v *record.Verdict) {
	found := [...]uint64{rules.Note: v.Notes, rules.Warning: v.Warnings, rules.Error: v.Errors}
	separator := ""
	for s := len(found) - 1; s >= 0; s-- {
		if found[s] == 0 {
			continue
		}
		style := l.opts.Palette.Findings[s]
		b := append(append(l.rows, separator...), style.On...)
		b = strconv.AppendUint(b, found[s], 10)
		b = append(append(b, ' '), rules.Severity(s).String()...)
		if found[s] > 1 {
			b = append(b, 's')
		}
		l.rows = append(b, style.Off...)
		separator = ", "
	}
	if separator == "" {
		return
	}
	if v.Withheld > 0 {
		l.rows = strconv.AppendUint(append(l.rows, ", of which not shown: "...), v.Withheld, 10)
	}
	l.rows = append(l.rows, '\n')
}

// finish draws the rest of the connection.
func (l *Ladder) finish(c *record.Conn) {
	l.close()
	for _, e := range ends(c) {
		l.advance(&e.Span)
		l.rows = l.appendArrow(l.rows, &e.Origin, e.style(&l.opts.Palette), len(e.name), []byte(e.name))
		l.write()
	}
	if l.left.n > 0 {
		l.label = l.left.append(l.label[:0])
		l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.Mark, l.label)
	}
	for i := range l.late {
		l.loose(&l.late[i].Finding)
	}
	l.late = nil
	l.write()
}

// An end is how a side ended the TCP connection, or the SCTP association.
type end struct {
	record.Origin
	name  string
	reset bool
}

// names are the names of the ends of a direction; empty for one that already has an arrow: a session Terminate.
func names(c *record.Conn, d record.Direction) (fin, rst string) {
	switch a := c.Association; {
	case a == nil:
		return "FIN", "RST"
	case a.Shutdown[d]:
		return "SHUTDOWN", "ABORT"
	}
	return "", "ABORT"
}

func (e *end) style(p *text.Palette) text.Style {
	if e.reset {
		return p.Mark
	}
	return p.MPA
}

// ends returns the first FIN and the first reset of each side, in the order of frames.
func ends(c *record.Conn) (all []end) {
	for d := range c.FIN {
		d := record.Direction(d)
		fin, rst := names(c, d)
		if c.FIN[d].Frame != 0 && fin != "" {
			all = append(all, end{record.Origin{Conn: c, Dir: d, Span: c.FIN[d]}, fin, false})
		}
		if c.RST[d].Frame != 0 {
			all = append(all, end{record.Origin{Conn: c, Dir: d, Span: c.RST[d]}, rst, true})
		}
	}
	slices.SortStableFunc(all, func(a, b end) int { return cmp.Compare(a.Frame, b.Frame) })
	return all
}

// maxLeft is how many requests without response are named.
const maxLeft = 8

// left holds the requests without a response when the connection, or the capture, ended.
type left struct {
	names   []string
	n       int
	atLeast bool // it is unknown whether others were answered
}

// over takes a transaction that is over.
func (l *left) over(t *record.Transaction) {
	switch {
	case t.Response.Frame != 0:
	case t.Outcome == record.Unanswered:
		l.add(t)
	default:
		l.atLeast = true
	}
}

func (l *left) add(t *record.Transaction) {
	if l.n++; len(l.names) == maxLeft {
		return
	}
	b := printable.Append(nil, t.Name)
	if t.Kind != record.UpperTransaction {
		b = strconv.AppendUint(append(b, " #"...), t.ID, 10)
	}
	b = t.Conn.Frames.Append(append(b, " of frame "...), &t.Request)
	l.names = append(l.names, string(b))
}

// append appends "not answered: RDMA Read #7 of frame 20, ...".
func (l *left) append(dst []byte) []byte {
	separator := "not answered: "
	for _, name := range l.names {
		dst = append(append(dst, separator...), name...)
		separator = ", "
	}
	switch more := l.n - len(l.names); {
	case more > 0 && l.atLeast:
		dst = append(dst, " and at least "...)
		dst = append(strconv.AppendInt(dst, int64(more), 10), " more"...)
	case more > 0:
		dst = append(strconv.AppendInt(append(dst, " and "...), int64(more), 10), " more"...)
	case l.n > 0 && l.atLeast:
		dst = append(dst, " and perhaps others"...)
	}
	return dst
}
