package ladder

// Findings, below the arrows of their messages.

import (
	"strconv"

	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// maxFindings is how many findings about one message are shown.
const maxFindings = 8

// findings draws findings.
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
	about := f.ID == judge.ObsTerminate.ID && f.Termination != nil && f.Termination.Subject != ""
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
	return printable.Append(append(dst, "about "...), f.Termination.Subject)
}
