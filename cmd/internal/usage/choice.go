package usage

import (
	"errors"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

// A Choice is a flag whose value is one of a few words.
type Choice struct {
	Value   string
	Allowed []string
}

// NewChoice returns a choice with a default, which need not be one of the words.
func NewChoice(value string, allowed ...string) Choice { return Choice{value, allowed} }

// String implements [pflag.Value].
func (c *Choice) String() string { return c.Value }

// Type implements [pflag.Value].
func (c *Choice) Type() string { return strings.Join(c.Allowed, "|") }

// Set implements [pflag.Value].
func (c *Choice) Set(s string) error {
	if !slices.Contains(c.Allowed, s) {
		return errors.New("want one of " + strings.Join(c.Allowed, ", ") + spelling.Suggest(s, c.Allowed, 1))
	}
	c.Value = s
	return nil
}

// AddTo adds a flag, with its values in the help and in the completion of cmd.
func (c *Choice) AddTo(cmd *cobra.Command, flags *pflag.FlagSet, name, short, usage string) {
	flags.VarP(c, name, short, usage+": "+strings.Join(c.Allowed, ", "))
	_ = cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(c.Allowed, cobra.ShellCompDirectiveNoFileComp)) // fails for unknown flags only
}
