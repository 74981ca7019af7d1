package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/pcaps"
)

// maxNotes is the most notes printed about a capture: a bad one could have as many as packets.
const maxNotes = 50

// notes prints notes about a capture on standard error.
type notes struct {
	w      io.Writer
	file   string // printed before each note; empty if there are several files
	in     *pcaps.Capture
	given  []string // files, in the order of the command line
	count  int
	line   []byte
	latest []byte          // the previous note
	told   bool            // the output says itself that there is nothing
	having map[string]bool // the files that have iWARP; nil if nobody looks
	last   string          // the one of them that was found last
}

// newNotes returns notes about files that are read as one capture.
func (a *app) newNotes(files []string, in *pcaps.Capture) *notes {
	n := &notes{w: a.Err, in: in, given: files}
	if a.quiet {
		n.w = io.Discard
	}
	if len(files) == 1 {
		n.file = displayName(files[0])
	}
	return n
}

// damage lists what was wrong with a capture that could be read only in part.
func damage(in packets) []string {
	damage := []string{}
	for _, err := range in.Damage() {
		damage = append(damage, oneLine(err))
	}
	return damage
}

// add prints a note, unless it repeats the previous one or there were too many.
func (n *notes) add(words []byte) {
	if bytes.Equal(words, n.latest) {
		return
	}
	n.latest = append(n.latest[:0], words...)
	n.count++
	if n.count <= maxNotes {
		n.print(words)
	}
}

func (n *notes) print(line []byte) {
	if n.file != "" {
		fmt.Fprintf(n.w, "note: %s: %s\n", n.file, line)
	} else {
		fmt.Fprintf(n.w, "note: %s\n", line)
	}
}

// note prints what a Record says about octets that could not be decoded, if anything.
func (n *notes) note(r *record.Record) {
	if n.having != nil {
		if file, _ := n.in.Locate(max(r.Frame, r.Conn.Frame)); file != n.last {
			n.having[file], n.last = true, file
		}
	}
	switch {
	case r.Kind == record.KindNote:
		n.line = text.AppendNote(n.line[:0], r.Note)
	case r.Kind == record.KindSegment && r.Segment.Err != nil:
		n.line = text.AppendMalformed(n.line[:0], r.Segment)
	default:
		return
	}
	n.add(n.line)
}

// loose prints the errors and warnings of a Record without a message.
func (n *notes) loose(r *record.Record) {
	for i := range r.Marks {
		if f := &r.Marks[i].Finding; f.Severity > rules.Note {
			n.line = text.AppendLoose(n.line[:0], f)
			n.add(n.line)
		}
	}
}

// finish prints notes about the whole capture: damage, and why it may have no connections. A file that is cut because the
// user interrupted is not damaged.
func (n *notes) finish(damage []error, c *chain, interrupted bool) {
	n.printRest()
	n.printOrder()
	n.printLacking()
	for _, err := range damage {
		if !interrupted || !errors.Is(err, io.ErrUnexpectedEOF) {
			fmt.Fprintf(n.w, "note: %s\n", shown(oneLine(err)))
		}
	}
	n.printGivenUp(c.Totals())
	if t := c.Totals(); t.Connections > 0 && t.Fragments > 0 {
		n.print(fmt.Appendf(nil, "%s not reassembled: what is in them counts as missing", counted(t.Fragments, "IP fragment")))
	}
	switch {
	case interrupted:
	case n.told:
		if why := text.Reasons(c.Totals()); c.Totals().Connections == 0 && why != "" {
			n.print([]byte(why))
		}
	case c.Totals().Connections == 0:
		n.print(text.AppendNothing(nil, c.Totals()))
	case !c.matched():
		n.print([]byte("nothing matches the filter"))
	}
}

// printGivenUp says how many connections were given up, and which limit was met.
func (n *notes) printGivenUp(t *dissect.Totals) {
	limit := "--memory"
	switch t.TooLarge {
	case t.GivenUp:
	case 0:
		limit = grouped(dissect.DefaultMaxConnections) + " at a time"
	default:
		limit += " and " + grouped(dissect.DefaultMaxConnections) + " at a time"
	}
	if t.GivenUp > 0 {
		n.print(fmt.Appendf(nil, "%s not followed to the end, to stay within %s: what came later on them is not judged",
			counted(t.GivenUp, "connection"), limit))
	}
}

// printOrder says in which order several files were read, if it is not the given one.
func (n *notes) printOrder() {
	switch {
	case n.in == nil:
	case n.in.Overlap():
		n.print([]byte("the files overlap in time: their packets were merged in chronological order"))
	case !slices.Equal(n.in.Files(), n.given) && len(n.given) > 1:
		n.print([]byte("the files were read in chronological order: " + text.Listed(plainNames(n.in.Files()))))
	}
}

// printLacking says which of several files have no iWARP, if some have.
func (n *notes) printLacking() {
	if len(n.having) == 0 {
		return
	}
	lacking := slices.DeleteFunc(slices.Clone(n.in.Files()), func(file string) bool { return n.having[file] })
	if len(lacking) > 0 {
		n.print([]byte(text.Lacking(plainNames(lacking), len(n.in.Files()))))
	}
}

// printRest prints how many notes were left out.
func (n *notes) printRest() {
	if more := n.count - maxNotes; more > 0 {
		fmt.Fprintf(n.w, "note: %d more notes are not shown\n", more)
	}
}

func oneLine(err error) string { return strings.ReplaceAll(usage.Plain(err), "\n", "; ") }
