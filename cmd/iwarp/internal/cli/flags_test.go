package cli

import (
	"math"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
)

// TestWrongFlags gives every flag of every subcommand a value that none but a text can be. What is said of it must name
// the flag and be in words for users.
func TestWrongFlags(t *testing.T) {
	const value = "\x01=wrong"
	refused := map[string]bool{}
	var try func(cmd *cobra.Command)
	try = func(cmd *cobra.Command) {
		for _, sub := range cmd.Commands() {
			try(sub)
		}
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			err := cmd.ParseFlags([]string{"--" + f.Name + "=" + value})
			if err == nil || f.Name == "filter" { // which has words of its own
				return
			}
			said := usage.WrongFlag(cmd, err).Error()
			refused[f.Name] = true
			for _, words := range []string{"strconv", "time:", "invalid argument", "pars"} {
				if strings.Contains(said, words) {
					t.Errorf("%s --%s: %q", cmd.CommandPath(), f.Name, said)
				}
			}
			if !strings.Contains(said, "--"+f.Name+" ") || !strings.Contains(said, "want ") {
				t.Errorf("%s --%s: %q", cmd.CommandPath(), f.Name, said)
			}
		})
	}
	try(newRoot(&app{Streams: &Streams{}}))
	for _, name := range []string{"count", "width", "separate", "output", "profile", "mpa", "time"} {
		if !refused[name] {
			t.Errorf("--%s takes %q", name, value)
		}
	}
}

func TestNumber(t *testing.T) {
	for text, want := range map[string]uint64{"7": 7, "1": 1, "9": 9, "0": 0, "10": 0, "-1": 0, "": 0, "1e1": 0, "18446744073709551617": 0} {
		n := number{least: 1, most: 9}
		if err := n.Set(text); n.value != want || (err == nil) != (want > 0) {
			t.Errorf("%q: %d, %v", text, n.value, err)
		}
	}
	for most, want := range map[uint64]string{
		9: "want a whole number from 1 to 9", math.MaxInt64: "want a whole number, 1 or more", math.MaxUint64: "want a whole number, 1 or more",
	} {
		if err := (&number{least: 1, most: most}).Set("x"); err.Error() != want {
			t.Error(err)
		}
	}
}
