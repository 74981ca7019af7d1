package cli

// Flags whose values are lists with commas between them.

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/rnicsim/client"
)

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

// sizes is a flag whose value is some numbers of octets of an operation.
type sizes struct{ value []int }

func (s *sizes) String() string { return "" }
func (s *sizes) Type() string   { return "SIZES" }

func (s *sizes) Set(text string) error {
	for one := range strings.SplitSeq(text, ",") {
		v := size{least: 1, most: client.MaxSize}
		if err := v.Set(one); err != nil {
			return fmt.Errorf("%q: %w", one, err)
		}
		s.value = append(s.value, int(v.value))
	}
	return nil
}

// percentiles is a flag whose value is some percentages.
type percentiles []float64

func (p *percentiles) String() string { return "" }
func (p *percentiles) Type() string   { return "LIST" }

func (p *percentiles) Set(text string) error {
	for one := range strings.SplitSeq(text, ",") {
		v, err := strconv.ParseFloat(one, 64)
		if err != nil || !(v > 0 && v <= 100) {
			return errors.New("want percentages above 0 and up to 100, such as 50,99.9")
		}
		*p = append(*p, v)
	}
	return nil
}
