package cli

// Flags with values, lists, sizes and times, and the errors about wrong values and flags that exclude each other.

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/internal/spelling"
	"github.com/iwarpkit/iwarp/rnicsim/client"
)

// A choice is a flag whose value is one of a few words.
type choice struct {
	value   string
	allowed []string
}

func (c *choice) String() string { return c.value }
func (c *choice) Type() string   { return strings.Join(c.allowed, "|") }

func (c *choice) Set(s string) error {
	if !slices.Contains(c.allowed, s) {
		return errors.New("want one of " + strings.Join(c.allowed, ", ") + perhaps(s, c.allowed))
	}
	c.value = s
	return nil
}

// perhaps suggests the word that is nearest to an unknown one, if one is near.
func perhaps(word string, words []string) string {
	for _, near := range spelling.Nearest(word, words, 1) {
		return fmt.Sprintf("; did you mean %s?", near)
	}
	return ""
}

// addChoice adds a flag, with its values in the help and in the completion of cmd.
func addChoice(cmd *cobra.Command, flags *pflag.FlagSet, c *choice, name, short, usage string) {
	flags.VarP(c, name, short, usage+": "+strings.Join(c.allowed, ", "))
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.allowed, cobra.ShellCompDirectiveNoFileComp)) // fails for unknown flags only
}

// A number is a flag whose value is a whole number within bounds.
type number struct{ value, least, most uint64 }

func (n *number) String() string { return strconv.FormatUint(n.value, 10) }
func (n *number) Type() string   { return "number" }

func (n *number) Set(s string) error {
	v, err := strconv.ParseUint(s, 10, 64)
	switch {
	case (err != nil || v < n.least) && n.most >= math.MaxInt64: // a bound that nobody reaches
		return fmt.Errorf("want a whole number, %d or more", n.least)
	case err != nil || v < n.least || v > n.most:
		return fmt.Errorf("want a whole number from %d to %d", n.least, n.most)
	}
	n.value = v
	return nil
}

// wants describe the values of pflag's types, whose own errors are for programmers.
var wants = map[string]string{
	"bool":     "want true or false",
	"duration": "want a time such as 500ms, 2s or 1m30s",
	"float64":  "want a number",
	"int":      "want a whole number",
	"int32":    "want a whole number from -2147483648 to 2147483647",
	"int64":    "want a whole number",
	"uint":     "want a whole number, 0 or more",
	"uint8":    "want a whole number from 0 to 255",
	"uint16":   "want a whole number from 0 to 65535",
	"uint32":   "want a whole number from 0 to 4294967295",
	"uint64":   "want a whole number, 0 or more",
}

// wrongFlag words the error about an unknown flag, with a suggestion, or about a wrong value, with what is valid.
func wrongFlag(cmd *cobra.Command, err error) error {
	var (
		unknown *pflag.NotExistError
		wrong   *pflag.InvalidValueError
	)
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("%w%s", err, perhapsFlag(cmd, unknown))
	case errors.As(err, &wrong):
		return wrongValue(wrong)
	}
	return err
}

// perhapsFlag suggests a flag for an unknown one. One with a single hyphen may have been meant to have two.
func perhapsFlag(cmd *cobra.Command, unknown *pflag.NotExistError) string {
	word := unknown.GetSpecifiedName()
	if several, _, _ := strings.Cut(unknown.GetSpecifiedShortnames(), "="); several != "" {
		word = several
	}
	if len(word) < 2 {
		return ""
	}
	var names []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, "--"+f.Name) })
	return perhaps("--"+word, names)
}

func wrongValue(wrong *pflag.InvalidValueError) error {
	f := wrong.GetFlag()
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	cause := wrong.Unwrap()
	if _, more, twice := strings.Cut(cause.Error(), strconv.Quote(wrong.GetValue())+": "); twice {
		cause = errors.New(more) // UnmarshalText has the value too
	}
	if want := wants[f.Value.Type()]; want != "" {
		cause = errors.New(want)
	}
	if _, err := os.Stat(wrong.GetValue()); err == nil {
		cause = fmt.Errorf("%w; then FILE", cause)
	}
	return fmt.Errorf("%s %q: %w", name, wrong.GetValue(), cause)
}

// exclusiveGroups is the annotation of a flag in which cobra keeps its groups of mutually exclusive flags.
const exclusiveGroups = "cobra_annotation_mutually_exclusive"

// checkExclusive returns an error about given flags that exclude each other. It runs before cobra's own check.
func checkExclusive(cmd *cobra.Command, _ []string) (err error) {
	given := map[string][]string{} // by group
	cmd.Flags().Visit(func(f *pflag.Flag) {
		for _, group := range f.Annotations[exclusiveGroups] {
			if given[group] = append(given[group], "--"+f.Name); len(given[group]) > 1 {
				err = fmt.Errorf("%s exclude each other", strings.Join(given[group], " and "))
			}
		}
	})
	return err
}

// words is a flag whose value is some of a few words.
type words struct {
	value   []string
	allowed []string
	given   bool
}

func (w *words) String() string { return strings.Join(w.value, ",") }
func (w *words) Type() string   { return "LIST" }

// Set replaces the default words, or adds to those given before.
func (w *words) Set(s string) error {
	if !w.given {
		w.value, w.given = nil, true
	}
	for word := range strings.SplitSeq(s, ",") {
		one := choice{allowed: w.allowed}
		if err := one.Set(word); err != nil {
			return err
		}
		if !slices.Contains(w.value, word) {
			w.value = append(w.value, word)
		}
	}
	return nil
}

// addWords adds a flag, with its words in the help and in the completion of cmd.
func addWords(cmd *cobra.Command, flags *pflag.FlagSet, w *words, name, usage string) {
	flags.Var(w, name, usage+": "+strings.Join(w.allowed, ", "))
	_ = cmd.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
		before := typed[:strings.LastIndexByte(typed, ',')+1]
		var all []cobra.Completion
		for _, word := range w.allowed {
			all = append(all, before+word)
		}
		return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
	})
}

// A collected flag adds to a list each time it is given: one value or, as a list, some with commas between.
type collected[T any] struct {
	kind  string // what the help calls a value
	list  bool
	all   *[]T
	parse func(string) (T, error)
}

func (c collected[T]) String() string { return "" }
func (c collected[T]) Type() string   { return c.kind }

func (c collected[T]) Set(text string) error {
	parts := []string{text}
	if c.list {
		parts = strings.Split(text, ",")
	}
	for _, part := range parts {
		v, err := c.parse(part)
		if err != nil {
			return worded(err)
		}
		*c.all = append(*c.all, v)
	}
	return nil
}

func parseOperationSize(text string) (int, error) {
	v := size{least: 1, most: client.MaxSize}
	if err := v.Set(text); err != nil {
		return 0, fmt.Errorf("%q: %w", text, err)
	}
	return int(v.value), nil
}

func parsePercentile(text string) (float64, error) {
	v, err := strconv.ParseFloat(text, 64)
	if err != nil || !(v > 0 && v <= 100) {
		return 0, errors.New("want percentages above 0 and up to 100, such as 50,99.9")
	}
	return v, nil
}

// A size is a flag whose value is a number of octets within bounds: "4096", "64k", "8M", "1G", by powers of 1024.
type size struct{ value, least, most uint64 }

func (s *size) String() string { return sizeText(s.value) }
func (s *size) Type() string   { return "SIZE" }

func (s *size) Set(text string) error {
	v, err := parseSize(text)
	if err != nil || v < s.least || v > s.most {
		return fmt.Errorf("want octets from %s to %s, such as 4096, 64k or 8M", sizeText(s.least), sizeText(s.most))
	}
	s.value = v
	return nil
}

// sizeUnits are the letters after a size, each 1024 times the one before.
const sizeUnits = "kMGT"

func parseSize(s string) (uint64, error) {
	digits, shift := s, 0
	if last := len(s) - 1; last > 0 {
		if at := strings.IndexByte(strings.ToLower(sizeUnits), s[last]|0x20); at >= 0 {
			digits, shift = s[:last], 10*(at+1)
		}
	}
	v, err := strconv.ParseUint(digits, 10, 64)
	if err != nil || bits.Len64(v)+shift > 63 {
		return 0, fmt.Errorf("%q is not a number of octets", s)
	}
	return v << shift, nil
}

// sizeText is a size as parseSize reads it.
func sizeText(v uint64) string {
	unit := ""
	for i := range len(sizeUnits) {
		if v == 0 || v%1024 != 0 {
			break
		}
		v, unit = v/1024, sizeUnits[i:i+1]
	}
	return strconv.FormatUint(v, 10) + unit
}

// newClock returns a clock of the form that was chosen.
func newClock(form *choice) *show.Clock {
	return &show.Clock{Form: show.Form(max(slices.Index(show.Forms, form.value), 0))}
}

// A span is a flag whose value is a duration, not negative: "500ms", "2s", "1m30s".
type span struct {
	value    time.Duration
	positive bool // it cannot be 0 either
}

func (s *span) Type() string { return "TIME" }

// String returns "0" for zero: a default that help does not show.
func (s *span) String() string {
	if s.value == 0 {
		return "0"
	}
	return s.value.String()
}

func (s *span) Set(text string) error {
	v, err := time.ParseDuration(text)
	switch {
	case s.positive && (err != nil || v <= 0):
		return errors.New("want a time above 0, such as 500ms, 2s or 1m30s")
	case err != nil || v < 0:
		return errors.New("want a time such as 500ms, 2s or 1m30s, or 0")
	}
	s.value = v
	return nil
}

// orNever is the duration for the driver, to which -1 means never and 0 its default.
func (s *span) orNever() time.Duration {
	if s.value == 0 {
		return -1
	}
	return s.value
}
