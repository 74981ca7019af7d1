package cli

// Flags with values, and the errors about wrong values.

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/internal/spelling"
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
	return fmt.Errorf("%s %q: %w", name, wrong.GetValue(), cause)
}
