package cli

// Errors about flags that exclude each other.

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

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
