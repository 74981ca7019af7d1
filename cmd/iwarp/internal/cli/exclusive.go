package cli

// Flags that exclude each other, in our own words.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// exclusiveGroups is the annotation in which cobra keeps for a flag the groups of which only one may be given.
const exclusiveGroups = "cobra_annotation_mutually_exclusive"

// checkExclusive says which of the flags that were given exclude each other. It comes before cobra's own check.
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
