package cli

// Flags with values: lists, sizes and times.

import (
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect/show"
	"github.com/iwarpkit/iwarp/rnicsim/client"
)

// A choice is a flag whose value is one of a few words.
type choice = usage.Choice

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
		one := choice{Allowed: w.allowed}
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
		return fmt.Errorf("want octets from %s to %s%s", sizeText(s.least), sizeText(s.most), s.examples())
	}
	s.value = v
	return nil
}

// examples are sizes within the bounds.
func (s *size) examples() string {
	var all []string
	for _, text := range []string{"4096", "64k", "8M", "1G"} {
		if v, err := parseSize(text); err == nil && v >= s.least && v <= s.most {
			all = append(all, text)
		}
	}
	const few = 3
	switch all = all[:min(len(all), few)]; len(all) {
	case 0:
		return ""
	case 1:
		return ", such as " + all[0]
	}
	last := len(all) - 1
	return ", such as " + strings.Join(all[:last], ", ") + " or " + all[last]
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
	return &show.Clock{Form: show.Form(max(slices.Index(show.Forms, form.Value), 0))}
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
