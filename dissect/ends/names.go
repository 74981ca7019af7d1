package ends

// Naming frames as they are numbered in the capture that they are from.

import (
	"regexp"
	"strconv"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// Name is a frame of the Merge, or two between which others may lie, in the words of their captures: "client:12",
// "client:12-19", "client:12 to server:9".
func (m *Merge) Name(first, last uint64) string {
	view, from := m.Locate(first)
	until, to := m.Locate(last)
	name := m.label(view) + ":" + strconv.FormatUint(from, 10)
	switch {
	case first == last:
		return name
	case view == until:
		return name + "-" + strconv.FormatUint(to, 10)
	}
	return name + " to " + m.label(until) + ":" + strconv.FormatUint(to, 10)
}

// label is whose end a capture was taken at: "client".
func (m *Merge) label(view int) string {
	if m.c.SamePlace() {
		return [2]string{"first", "second"}[view]
	}
	return m.c.Ends[view].String()
}

// frameWords are frames as texts name them.
var frameWords = regexp.MustCompile(`\b(frames? )([0-9]+)(?:-([0-9]+))?\b`)

// Named returns a Sink that names the frames in the texts of findings and verdicts as their captures do, for another Sink.
func (m *Merge) Named(sink record.Sink) record.Sink {
	return record.SinkFunc(func(r *record.Record) {
		for _, f := range r.Findings {
			m.rename(&f.Text, &f.Seen, &f.Expected)
		}
		for i := range r.Marks {
			f := &r.Marks[i]
			m.rename(&f.Text, &f.Seen, &f.Expected)
		}
		if v := r.Verdict; v != nil {
			m.rename(&v.Text, &v.Summary)
		}
		sink.Record(r)
	})
}

// rename names the frames in texts.
func (m *Merge) rename(texts ...*string) {
	for _, t := range texts {
		*t = frameWords.ReplaceAllStringFunc(*t, func(s string) string {
			parts := frameWords.FindStringSubmatch(s)
			first, _ := strconv.ParseUint(parts[2], 10, 64)
			last, err := strconv.ParseUint(parts[3], 10, 64)
			if err != nil {
				last = first
			}
			return parts[1] + m.Name(first, last)
		})
	}
}
