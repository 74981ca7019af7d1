package cli

// The flag -Y, and what is left of connections that it sieves.

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/analysis"
	"github.com/iwarpkit/iwarp/dissect/filter"
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

// beginning is a filter that ends within a field's name or a value: what is before, the field that is compared and the
// opening parenthesis if it is a value, and the begin of the word.
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

// quoted is a value in quotation marks, if it needs them.
func quoted(value string) string {
	if strings.ContainsAny(value, " -,()/") {
		return `"` + value + `"`
	}
	return value
}

// findings counts findings.
type findings [rules.Error + 1]uint64

// A screen stands behind a Sieve: of connections on which nothing has matched it passes on neither Verdict nor End, and
// a Verdict counts the findings that have matched.
type screen struct {
	analysis.Sink
	conns   map[*record.Conn]*findings // on which something has matched
	matched bool                       // something has
}

func (s *screen) match(c *record.Conn) *findings {
	n := s.conns[c]
	if n == nil {
		n = new(findings)
		s.conns[c], s.matched = n, true
	}
	return n
}

func (s *screen) StartupFrame(f *record.Startup) {
	s.match(f.Conn)
	s.Sink.StartupFrame(f)
}

func (s *screen) Segment(g *record.Segment) {
	s.match(g.Conn)
	s.Sink.Segment(g)
}

func (s *screen) Message(m *record.Message) {
	s.match(m.Conn)
	s.Sink.Message(m)
}

func (s *screen) Finding(f *record.Finding) {
	s.match(f.Conn)[f.Severity]++
	s.Sink.Finding(f)
}

func (s *screen) Transaction(t *record.Transaction) {
	s.match(t.Conn)
	s.Sink.Transaction(t)
}

func (s *screen) Upper(u *record.Upper) {
	s.match(u.Conn)
	s.Sink.Upper(u)
}

func (s *screen) Verdict(v *record.Verdict) {
	n := s.conns[v.Conn]
	if n == nil {
		return
	}
	part := *v
	part.Errors, part.Warnings, part.Notes, part.Withheld = n[rules.Error], n[rules.Warning], n[rules.Note], 0
	part.AtLeast = v.AtLeast || v.Withheld > 0 // which may match too
	s.Sink.Verdict(&part)
}

func (s *screen) End(c *record.Conn) {
	if s.conns[c] != nil {
		delete(s.conns, c)
		s.Sink.End(c)
	}
}
