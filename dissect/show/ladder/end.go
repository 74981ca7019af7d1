package ladder

// The end of a ladder: unanswered requests, how TCP ended, findings, the Verdict, and the list of connections.

import (
	"cmp"
	"net/netip"
	"slices"
	"strconv"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/kernlog"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
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

func (l *Ladder) judged(v *record.Verdict) {
	b := append(l.rows, '\n')
	if v.ULP != "" {
		b = append(append(b, v.ULP...), ". "...)
	}
	l.rows = text.AppendWrapped(b, l.opts.Width, "", len(b)-1, "", string(printable.Append(nil, show.Within(show.FileOf(v), false, v.Text))))
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
func (l *Ladder) finish(c *flow.Conn) {
	l.close()
	for _, e := range ends(c) {
		l.advance(&e.Span)
		l.enter(&e.Span)
		l.rows = l.appendArrow(l.rows, &e.Origin, e.style(&l.opts.Palette), len(e.name), []byte(e.name))
		l.write()
	}
	l.log(c.Latest + int64(kernlog.After))
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
func names(c *flow.Conn, d flow.Direction) (fin, rst string) {
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
func ends(c *flow.Conn) (all []end) {
	for d := range c.FIN {
		d := flow.Direction(d)
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

// maxFindings is how many findings about one message are shown.
const maxFindings = 8

func (l *Ladder) findings(all []record.Mark) {
	for i := range all[:min(len(all), maxFindings)] {
		f := &all[i]
		l.label = appendFinding(l.label[:0], &f.Finding)
		if f.Count > 1 {
			l.label = strconv.AppendInt(append(l.label, "; "...), int64(f.Count), 10)
			l.label = append(l.label, " times"...)
		}
		l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.Findings[f.Severity], l.label)
	}
	if more := len(all) - maxFindings; more > 0 {
		l.label = append(strconv.AppendInt(l.label[:0], int64(more), 10), " more"...)
		l.rows = l.appendRemark(l.rows, nil, l.opts.Palette.Mark, l.label)
	}
}

// appendFinding appends what was seen and expected, or else the text of the finding, and the cause of a Terminate.
func appendFinding(dst []byte, f *record.Finding) []byte {
	about := f.ID == judge.ObsTerminate.ID && f.Termination != nil && f.Termination.Message != ""
	if !about && (f.Seen != "" || f.Expected != "") {
		return text.AppendFinding(dst, f)
	}
	dst = append(append(dst, f.Severity.String()...), ' ')
	dst = append(append(dst, f.ID...), ": "...)
	if !about {
		return printable.Append(dst, f.Text)
	}
	if f.Termination.Blame == record.BlameByPosition {
		dst = append(dst, "probably "...)
	}
	return printable.Append(append(dst, "about "...), f.Termination.Subject())
}

// A Connection is one that a capture holds.
type Connection struct {
	Conn           int // its number
	Client, Server netip.AddrPort
	flow.Span             // all of its packets
	Messages       uint64 // RDMAP messages of both directions, the incomplete ones included
	End            flow.End
}

// maxListed is how many connections are listed.
const maxListed = 10_000

// A list holds the connections that have ended, in the order of their numbers.
type list struct {
	all []Connection
	n   int
}

func (l *list) add(c *flow.Conn) {
	if l.n++; len(l.all) == maxListed {
		return
	}
	added := Connection{Conn: c.ID, Client: c.Client, Server: c.Server, Span: c.Span, End: c.End}
	for d := range c.Traffic {
		t := &c.Traffic[d]
		for o := range t.Messages {
			added.Messages += t.Messages[o] + t.Incomplete[o]
		}
	}
	at, _ := slices.BinarySearchFunc(l.all, c.ID, func(o Connection, id int) int { return cmp.Compare(o.Conn, id) })
	l.all = slices.Insert(l.all, at, added)
}
