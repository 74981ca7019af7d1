package cli

// The flag -Y, and the counts of what matches.

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A filterFlag is a filter on the command line.
type filterFlag struct {
	text     string
	compiled *filter.Filter // nil if the flag is not given, or empty
}

func (f *filterFlag) String() string { return f.text }
func (f *filterFlag) Type() string   { return "EXPR" }

func (f *filterFlag) Set(s string) error {
	compiled, err := filter.Compile(s)
	if err != nil {
		return err
	}
	f.text, f.compiled = s, compiled
	if strings.TrimSpace(s) == "" {
		f.text, f.compiled = "", nil
	}
	return nil
}

// beginning matches a filter that is cut within a word. Its groups are the field that the word is compared with, if the word
// is a value, and the start of the word.
var beginning = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:.*?[^\w.-])??(?:([\w.-]+)\s*(?:[=!<>]=+|[<>]|\b(?:eq|ne|lt|le|gt|ge|any_eq|any_ne|all_eq|all_ne)\b|\bin\s*\{(?:[^}]*,)?)\s*)?([\w.-]*)$`)
})

// completeFilter completes the last word of a filter: the name of a field, or of one of its values.
func completeFilter(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	const directive = cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	m := beginning().FindStringSubmatch(typed)
	if m == nil {
		return nil, directive
	}
	before, fields := typed[:len(typed)-len(m[2])], filter.Fields()
	all := []cobra.Completion{cobra.CompletionWithDesc(before+filter.RequestPrefix, "before a field: of the request")}
	if strings.HasPrefix(m[1], filter.RequestPrefix) || strings.HasPrefix(m[2], filter.RequestPrefix) {
		fields, all = filter.RequestFields(), nil
	}
	if at := slices.IndexFunc(fields, func(f filter.Field) bool { return f.Name == m[1] }); at >= 0 {
		for _, value := range fields[at].Values {
			all = append(all, before+quoted(value))
		}
	} else {
		for _, f := range fields {
			all = append(all, cobra.CompletionWithDesc(before+f.Name, f.Text))
		}
	}
	return slices.DeleteFunc(all, func(c cobra.Completion) bool { return !strings.HasPrefix(c, typed) }), directive
}

// quoted puts a value in quotation marks if it needs them.
func quoted(value string) string {
	if strings.ContainsAny(value, " -,()/") {
		return `"` + value + `"`
	}
	return value
}

// findings counts findings.
type findings [rules.Error + 1]uint64

// A screen is the sink of a Sieve. It drops the KindEnd of connections without a match, and puts the counts of matching
// findings into the Verdict.
type screen struct {
	sink    record.Sink
	conns   map[*flow.Conn]*findings // those with a match
	matched bool                     // anything matched
}

// Record implements record.Sink.
func (s *screen) Record(r *record.Record) {
	n := s.conns[r.Conn]
	if r.Kind == record.KindEnd {
		s.end(r, n)
		return
	}
	if n == nil && (r.Kind != record.KindNote || len(r.Findings) > 0) {
		n = new(findings)
		s.conns[r.Conn], s.matched = n, true
	}
	for _, f := range r.Findings {
		n[f.Severity]++
	}
	s.sink.Record(r)
}

// end passes on the end of a connection. n counts its matching findings; it is nil without a match.
func (s *screen) end(r *record.Record, n *findings) {
	if n == nil {
		return
	}
	delete(s.conns, r.Conn)
	if r.Verdict != nil {
		v := *r.Verdict
		v.Errors, v.Warnings, v.Notes, v.Withheld = n[rules.Error], n[rules.Warning], n[rules.Note], 0
		v.AtLeast = v.AtLeast || r.Verdict.Withheld > 0 // which may match too
		r.Verdict = &v
	}
	s.sink.Record(r)
}
