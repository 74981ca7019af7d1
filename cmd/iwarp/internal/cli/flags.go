package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/dissect/explain"
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
		want := "want one of " + strings.Join(c.allowed, ", ")
		if near := explain.Closest(s, c.allowed); near != "" {
			want += fmt.Sprintf("; did you mean %s?", near)
		}
		return errors.New(want)
	}
	c.value = s
	return nil
}

// addChoice adds a flag, and its values to the completion of cmd.
func addChoice(cmd *cobra.Command, flags *pflag.FlagSet, c *choice, name, short, usage string) {
	flags.VarP(c, name, short, usage)
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.allowed, cobra.ShellCompDirectiveNoFileComp)) // fails for unknown flags only
}
