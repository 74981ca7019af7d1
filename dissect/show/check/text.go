package check

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/kernlog"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// Options choose how text looks. The zero value is plain text in lines of up to 80 characters.
type Options struct {
	Palette Palette
	Width   int         // characters in a line; default 80
	Clock   *show.Clock // prints when connections and what was found began; nil for no times

	// Kernel returns the lines of a kernel's log that concern a connection, from a time up to another. It is not ok if it has not looked
	// for them. nil if there is no log.
	Kernel func(c *flow.Conn, from, to int64) (lines []kernlog.Line, ok bool)

	All   bool   // print all connections and findings, not only those that matter
	Lines int    // without All, the most lines to print, as far as possible; 0 if there is no limit
	Brief string // the flag that gives counts instead of text, as advice to readers; empty if there is none
}

// A Palette holds the styles of the text's parts. The zero value is plain text.
type Palette struct {
	Conn     text.Style                  // the line that names a connection
	Severity [rules.Error + 1]text.Style // severities
	Good     text.Style                  // that nothing is wrong
	Source   text.Style                  // where a requirement stands
}

// Text prints for each connection that failed, or in which an error or a warning was found, a verdict and what was found:
// the first finding of each kind in full, of the others how many there are and where. The worst connections come first, in
// less detail the less room there is; others, and notes, are only counted. With Options.All, it prints all connections in
// full, in the order of their numbers.
type Text struct {
	Summary
	Nothing string // the last line if there was no connection; default "No iWARP connection: nothing was checked."

	out       *bufio.Writer
	err       error // the first one of out
	opts      Options
	partial   bool // only a part of the capture could be read
	open      map[*flow.Conn]*groups
	over      []*ended        // All: those that wait for others with lower numbers; else the worst ones
	rest      rest            // of which there are only numbers
	explained map[string]bool // ids whose text was printed
	kernels   int             // All: lines of a kernel's log that were printed
	file      string          // of the connection that is printed, once its heading has named it
	unlooked  int             // connections for which the log was not searched
	page      []byte          // what is being printed
	line      []byte
	printable []byte // the words of a paragraph
}

// ended is a connection that is over.
type ended struct {
	of *flow.Conn
	attempt
	grave   rules.Severity // of its worst finding
	heading string
	file    string // that has all of it
	summary string // the headline of verdict
	verdict string
	proof   []string // the evidence for the cause, and where to look next; nil if there is no cause
	story   []string // ids of what the verdict tells: the cause and what followed
	failure text.Failure
	told    bool     // errors or warnings that followed from the cause are told by the verdict alone
	asides  []string // what else there is to say, in sentences
	found   groups
	others  uint64 // findings that are not among those in found
	kernel  *kernelLines
}

// kernelLines are lines of a kernel's log that concern a connection.
type kernelLines struct {
	first  []kernlog.Line
	more   int  // after these
	looked bool // they were looked for
}

// maxOver is how many connections that are over are kept.
const maxOver = 1024

// maxExplained is how many texts are remembered, so that they are not printed again.
const maxExplained = 1024

// NewText returns a Text that writes to w.
func NewText(w io.Writer, o Options) *Text {
	if o.Width <= 0 {
		o.Width = 80
	}
	return &Text{
		out: bufio.NewWriterSize(w, 16<<10), opts: o,
		open: make(map[*flow.Conn]*groups), explained: make(map[string]bool),
	}
}

// Err returns the first error that writing has met; nothing is written after it.
func (t *Text) Err() error { return t.err }

// Record implements record.Sink.
func (t *Text) Record(r *record.Record) {
	for _, f := range r.Findings {
		t.finding(f)
		t.add(f)
	}
	if r.Verdict != nil {
		t.verdict(r.Verdict)
		t.end(r.Verdict)
	}
	if r.Kind == record.KindEnd {
		delete(t.open, r.Conn)
	}
}

func (t *Text) add(f *record.Finding) {
	g := t.open[f.Conn]
	if g == nil {
		g = new(groups)
		t.open[f.Conn] = g
	}
	g.add(f)
}

// end keeps what is known of a connection that is over.
func (t *Text) end(v *record.Verdict) {
	if !t.opts.All && v.Cause == nil && v.Errors == 0 && v.Warnings == 0 && v.Ends == nil {
		return
	}
	failure := text.FailureOf(v)
	if like := t.likeness(&failure); like != nil {
		like.failure.Add(&failure)
		return
	}
	e := &ended{of: v.Conn, attempt: newAttempt(v), grave: worst(v), heading: t.heading(v), file: show.FileOf(v), summary: v.Headline, verdict: v.Text, proof: proof(v), story: story(v), failure: failure, asides: append(asides(v, t.opts.All), pathLines(v)...), others: v.Withheld}
	e.told = slices.ContainsFunc(v.Consequences, func(f *record.Finding) bool { return f.Severity > rules.Note && isObservation(f.ID) })
	if g := t.open[v.Conn]; g != nil {
		e.others = g.others + g.withheld(v.Withheld)
		e.found = *g
		e.found.tell(v.Cause)
	}
	i, _ := slices.BinarySearchFunc(t.over, e, t.compare)
	t.over = slices.Insert(t.over, i, e)
	if len(t.over) <= maxOver {
		return
	}
	if t.opts.All {
		t.connection(t.over[0], full)
		t.flush()
		t.over = slices.Delete(t.over, 0, 1)
		return
	}
	t.rest.add(t.over[maxOver])
	t.over = t.over[:maxOver]
}

// compare sorts connections: with All by their numbers, else the worst first.
func (t *Text) compare(a, b *ended) int {
	if t.opts.All {
		return cmp.Compare(a.conn, b.conn)
	}
	return cmp.Or(cmp.Compare(b.rank(), a.rank()), cmp.Compare(a.conn, b.conn))
}

// rank is greater for what is worse.
func (e *ended) rank() int {
	if e.failure != (text.Failure{}) {
		return int(rules.Error) + 1
	}
	return int(e.grave)
}

// worst is the severity of the worst finding.
func worst(v *record.Verdict) rules.Severity {
	switch {
	case v.Errors > 0:
		return rules.Error
	case v.Warnings > 0:
		return rules.Warning
	}
	return rules.Note
}

// heading names a connection: who, which frames, how long, and what for.
func (t *Text) heading(v *record.Verdict) string {
	c := v.Conn
	b := c.Frames.AppendNamed(fmt.Appendf(nil, "Connection %v, ", c), &c.Span)
	if c.Latest > c.Earliest {
		b = text.AppendDuration(append(b, ", "...), c.Latest-c.Earliest)
	}
	if v.ULP != "" {
		b = append(append(b, ", "...), v.ULP...)
	}
	if clock := t.opts.Clock; clock != nil && c.Earliest != 0 {
		b = clock.AppendShort(append(b, ", from "...), c.Earliest)
		if v.Cause != nil && v.Cause.Time != 0 {
			b = clock.AppendShort(append(b, ", failed at "...), v.Cause.Time)
		}
	}
	return string(b)
}

// proof is the evidence for the cause of a failure, and where to look next.
func proof(v *record.Verdict) (lines []string) {
	if v.Cause == nil {
		return nil
	}
	if e := &v.Evidence; e.Octets != nil {
		b := fmt.Appendf(nil, "Evidence: the header in %s is % x.", v.Conn.Frames.Text(flow.At(e.Frame, 0)), e.Octets)
		if source := show.BasisOf(v.Cause).Source; source != "" {
			b = fmt.Appendf(b, " %s (%s) asks for %s.", v.Cause.ID, source, v.Cause.Expected)
		}
		lines = append(lines, string(b))
	}
	return append(lines, fmt.Sprintf("Next: %s See iwarp explain %s.", v.Advice, v.Explain))
}

// story is the ids of the observations that are the cause of a failure, or followed from it.
func story(v *record.Verdict) (ids []string) {
	if v.Cause == nil {
		return nil
	}
	for _, f := range slices.Concat(v.Consequences, []*record.Finding{v.Cause}) {
		if isObservation(f.ID) {
			ids = append(ids, f.ID)
		}
	}
	return ids
}

// likeness is a connection that failed for the same cause, and is shown in the place of one with this failure; nil if that is to be shown.
func (t *Text) likeness(failure *text.Failure) *ended {
	if t.opts.All {
		return nil
	}
	if i := slices.IndexFunc(t.over, func(o *ended) bool { return o.failure.Like(failure) }); i >= 0 {
		return t.over[i]
	}
	return nil
}

// asides say of each side as whom it was recognised, and which of its breaches that excuses. Unless all is set, sides are
// left out of which no deviation is the cause or excused.
func asides(v *record.Verdict, all bool) (lines []string) {
	for d, grounds := range v.Peers {
		side := flow.Sender(flow.Direction(d))
		var excused []string
		for _, e := range v.Excused {
			if e.Dir == flow.Direction(d) {
				excused = append(excused, e.Deviation.Why)
			}
		}
		guilty := v.Cause != nil && v.Cause.Deviation != nil && v.Cause.Dir == flow.Direction(d)
		known := all || excused != nil || guilty
		for _, g := range grounds {
			if g.Peer != "" && known {
				why := ": " + g.Why
				if guilty && g.Why == v.Cause.Deviation.Why { // the advice has it
					why = ""
				}
				lines = append(lines, fmt.Sprintf("The %v looks like %s%s (%s).", side, g.Called, why, v.Conn.Frames.Text(flow.At(g.Frame, 0))))
				excused = slices.DeleteFunc(excused, func(why string) bool { return why == g.Why })
			}
		}
		if len(excused) > 0 {
			lines = append(lines, fmt.Sprintf("Excused: %s.", strings.Join(excused, "; ")))
		}
	}
	return lines
}

// Finish prints what waits, and a line that sums up. damage is what could not be read of the capture. It returns the first
// error that writing has met.
func (t *Text) Finish(damage []string) error {
	t.partial = len(damage) > 0
	if t.opts.All || t.opts.Lines <= 0 {
		for _, e := range t.over {
			t.connection(e, full)
			t.flush()
		}
		t.kernelRest()
		t.sum()
	} else {
		t.screen()
	}
	t.over = nil
	if t.flush(); t.err == nil {
		t.err = t.out.Flush()
	}
	return t.err
}

// connection prints what is known of a connection, in some detail.
func (t *Text) connection(e *ended, d detail) {
	style := text.Style{}
	if e.failure != (text.Failure{}) {
		style = t.opts.Palette.Severity[rules.Error]
	}
	if d == oneLine {
		where := "" // in one file, the number says it
		if e.of.Frames != nil {
			where = ", " + e.of.Frames.Text(e.of.Span)
		}
		t.cut(style, fmt.Sprintf("Connection %d%s: ", e.conn, where), show.Within(e.file, true, e.summary))
		return
	}
	t.paragraph(style, "", show.Within(e.file, false, e.verdict))
	t.paragraph(t.opts.Palette.Conn, "  ", e.heading)
	t.file = e.file // which the heading names
	defer func() { t.file = "" }()
	t.paragraph(text.Style{}, "  ", t.retried(&e.attempt))
	t.paragraph(text.Style{}, "  ", e.failure.String())
	t.paragraph(text.Style{}, "  ", strings.Join(e.asides, " "))
	if d < verdicts {
		for _, line := range e.proof {
			t.paragraph(text.Style{}, "  ", line)
		}
	}
	t.findings(e, d)
	t.kernelOf(e)
	if e.others > 0 {
		t.paragraph(text.Style{}, "  ", quantity.Count(e.others, "more finding")+" not shown in full.")
	}
	t.newline()
}

// maxKernel is how many lines of a kernel's log are shown of a connection. With All, all connections have kernlog.MaxShown.
const maxKernel = 4

// look looks for the lines of a kernel's log, of which so many can be shown.
func (t *Text) look(e *ended, most int) *kernelLines {
	all, ok := t.opts.Kernel(e.of, e.of.Earliest-int64(kernlog.Before), e.of.Latest+int64(kernlog.After))
	n := min(len(all), most)
	return &kernelLines{slices.Clone(all[:n]), len(all) - n, ok}
}

// kernelOf prints lines of a kernel's log, each with the latest frame before it that is known.
func (t *Text) kernelOf(e *ended) {
	if t.opts.Kernel == nil {
		return
	}
	lines := e.kernel
	switch {
	case t.opts.All:
		lines = t.look(e, kernlog.MaxShown-t.kernels)
		t.kernels += len(lines.first)
	case lines == nil: // the page may be made several times
		lines = t.look(e, maxKernel)
		e.kernel = lines
	}
	if !lines.looked {
		t.unlooked++
	}
	for _, line := range lines.first {
		at := "before the first frame"
		if last := e.latest(line.Time); last.Frame != 0 {
			at = fmt.Sprintf("%s after %s", quantity.Duration(line.Time-last.Time), e.of.Frames.Text(flow.At(last.Frame, 0)))
		}
		if t.opts.Clock != nil {
			at = string(t.opts.Clock.AppendShort(nil, line.Time)) + ", " + at
		}
		t.paragraph(text.Style{}, "  ", "Kernel, "+at+": "+line.Text)
	}
	if lines.more > 0 {
		t.paragraph(text.Style{}, "  ", quantity.Count(lines.more, "more kernel line")+".")
	}
}

// kernelRest says for how many connections the log of the kernel was not searched.
func (t *Text) kernelRest() {
	if t.unlooked > 0 {
		t.paragraph(text.Style{}, "", "The kernel's log was not searched for "+quantity.Count(t.unlooked, "connection")+".")
	}
}

// latest is the latest packet before a time that something is known about.
func (e *ended) latest(time int64) (last flow.Span) {
	c := e.of
	known := []flow.Span{flow.At(c.Frame, c.Time), flow.At(c.LastFrame, c.LastTime)}
	for i := range e.found.all {
		known = append(known, flow.At(e.found.all[i].at.Frame, e.found.all[i].at.Time))
	}
	for _, at := range known {
		if at.Time != 0 && at.Time <= time && at.Time >= last.Time {
			last = at
		}
	}
	return last
}

// sum prints the line that sums up. That there is nothing wrong with nothing must not look like praise.
func (t *Text) sum() {
	partial := ""
	if t.partial {
		partial = " Only a part of the capture could be read."
	}
	if t.Connections == 0 {
		t.paragraph(text.Style{}, "", cmp.Or(t.Nothing, "No iWARP connection: nothing was checked.")+partial)
		return
	}
	style := t.opts.Palette.Good
	switch {
	case t.Failed > 0, t.Errors > 0:
		style = t.opts.Palette.Severity[rules.Error]
	case t.Warnings > 0, t.HalfSeen > 0:
		style = t.opts.Palette.Severity[rules.Warning]
	}
	failed, half := "none failed", ""
	if t.Failed > 0 {
		failed = fmt.Sprintf("%d failed", t.Failed)
	}
	switch {
	case t.HalfSeen == 0:
	case t.Connections == 1:
		failed, half = "half seen", " "+t.half
	default:
		failed += fmt.Sprintf(", %d half seen", t.HalfSeen)
		half = fmt.Sprintf(" Of %s only packets from one side are in the capture; whether requests failed cannot be judged.", quantity.Count(t.HalfSeen, "connection"))
	}
	s := quantity.Count(t.Connections, "connection") + ", " + failed + ". " + t.found()
	var more []string
	if t.Excused > 0 && t.Excused <= t.Notes {
		more = append(more, quantity.Count(t.Excused, "deviation")+" excused")
	}
	if t.Notes > 0 && !t.opts.All && len(t.over) == 0 { // nothing else points to them, and there is one line
		more = append(more, "see --all")
	}
	if more != nil {
		s += " (" + strings.Join(more, "; ") + ")"
	}
	t.paragraph(style, "", s+"."+half+partial)
}

// found counts the findings: "No findings", or "Findings: 2 errors, 1 note".
func (t *Text) found() string {
	least := ""
	if t.AtLeast {
		least = "at least "
	}
	var all []string
	for severity, n := range [...]uint64{rules.Error: t.Errors, rules.Warning: t.Warnings, rules.Note: t.Notes} {
		if n > 0 {
			all = append(all, least+quantity.Count(n, rules.Severity(severity).String()))
		}
	}
	if all == nil {
		return "No findings"
	}
	slices.Reverse(all)
	return "Findings: " + strings.Join(all, ", ")
}

// paragraph prints words in lines, each after indent, except for an empty one.
func (t *Text) paragraph(style text.Style, indent, words string) {
	if words == "" {
		return
	}
	t.printable = printable.Append(t.printable[:0], show.Within(t.file, true, words)) // they may come from a capture
	t.line = append(t.line[:0], indent...)
	t.line = append(t.line, style.On...)
	t.line = text.AppendWrapped(t.line, t.opts.Width, "", utf8.RuneCountInString(indent), indent, string(t.printable))
	t.line = append(t.line[:len(t.line)-1], style.Off...)
	t.page = append(append(t.page, t.line...), '\n')
}

// cut prints words in one line, cut if they are too long.
func (t *Text) cut(style text.Style, first, words string) {
	t.printable = printable.Append(t.printable[:0], words)
	line := []rune(first + string(t.printable))
	if len(line) > t.opts.Width {
		line = append(line[:t.opts.Width-3], '.', '.', '.')
	}
	t.page = append(append(append(append(t.page, style.On...), string(line)...), style.Off...), '\n')
}

func (t *Text) newline() { t.page = append(t.page, '\n') }

// flush writes the page.
func (t *Text) flush() {
	_, t.err = t.out.Write(t.page) // which returns its first error again and again
	t.page = t.page[:0]
}
