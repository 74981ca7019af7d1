package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

// foldWidth is the width of help and reports in characters, unless the terminal is narrower.
const foldWidth = 80

// shapeHelp lets the help of all commands begin with the examples, and folds the flags.
func shapeHelp(root *cobra.Command) {
	const examples = "{{if .HasExample}}\n\nExamples:\n{{.Example}}{{end}}"
	usage := strings.Replace(root.UsageTemplate(), examples, "", 1)
	root.SetUsageTemplate(strings.ReplaceAll(usage, ".FlagUsages ", ".FlagUsagesWrapped 81 "))
	root.SetHelpTemplate("{{with .Example}}Examples:\n{{.}}\n\n{{end}}" + root.HelpTemplate())
}
