// Package usage words what the programs say of their command lines: which flags and commands they do not know, which values
// they do not take, and what is missing. It also lays out help.
package usage

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

// Shape gives a root command the errors and the help of this package. Its PersistentPreRunE must call [Check].
func Shape(root *cobra.Command) {
	root.SilenceErrors, root.SilenceUsage = true, true
	root.SetFlagErrorFunc(WrongFlag) // of all subcommands
	shapeHelp(root)
}

// Hint says how to get the help of a command that was used wrongly.
func Hint(cmd *cobra.Command) string {
	return fmt.Sprintf("Run '%s --help' for usage.", strings.TrimSuffix(cmd.CommandPath(), " help"))
}

// KnownCommand rejects unknown subcommands, and suggests a similar one.
func KnownCommand(root *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, c := range root.Commands() {
		names = append(names, c.Name())
	}
	return fmt.Errorf("there is no command %q%s", args[0], spelling.Suggest(args[0], names, 1))
}

// NoArguments rejects arguments.
func NoArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("%s takes flags only, no %q", cmd.Name(), args[0])
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

// WrongFlag words the error about an unknown flag, with a suggestion, or about a wrong value, with what is valid.
func WrongFlag(cmd *cobra.Command, err error) error {
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
	return spelling.Suggest("--"+word, names, 1)
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

// The annotations of flags in which cobra keeps which are required, its groups of mutually exclusive flags, and those of which one is required.
const (
	exclusiveGroups = "cobra_annotation_mutually_exclusive"
	requiredGroups  = "cobra_annotation_one_required"
)

// Check returns an error about flags that exclude each other, or are missing. It runs before cobra's own check.
func Check(cmd *cobra.Command) error {
	if err := exclusive(cmd); err != nil {
		return err
	}
	var lacking []string
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Annotations[cobra.BashCompOneRequiredFlag] != nil && !f.Changed {
			lacking = append(lacking, withValue(f))
		}
	})
	if lacking != nil {
		return fmt.Errorf("give %s", strings.Join(lacking, " and "))
	}
	return oneRequired(cmd)
}

// exclusive returns an error about given flags that exclude each other.
func exclusive(cmd *cobra.Command) (err error) {
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

// oneRequired returns an error about a group of which no flag is given.
func oneRequired(cmd *cobra.Command) error {
	groups, given := map[string][]string{}, map[string]bool{}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		for _, group := range f.Annotations[requiredGroups] {
			groups[group] = append(groups[group], withValue(f))
			given[group] = given[group] || f.Changed
		}
	})
	var lacking []string
	for group, flags := range groups {
		if !given[group] {
			lacking = append(lacking, "give "+strings.Join(flags, " or "))
		}
	}
	if lacking == nil {
		return nil
	}
	slices.Sort(lacking)
	return errors.New(lacking[0])
}

// withValue is a flag as it is given, such as --dir DIR.
func withValue(f *pflag.Flag) string {
	value, _ := pflag.UnquoteUsage(f)
	return strings.TrimSpace("--" + f.Name + " " + value)
}
