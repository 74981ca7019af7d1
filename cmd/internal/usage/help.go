package usage

import (
	"strings"

	"github.com/spf13/cobra"
)

// Width is that of help in characters.
const Width = 80

// shapeHelp lets the help of all commands begin with the examples, and folds the flags.
func shapeHelp(root *cobra.Command) {
	const examples = "{{if .HasExample}}\n\nExamples:\n{{.Example}}{{end}}"
	usage := strings.Replace(root.UsageTemplate(), examples, "", 1)
	root.SetUsageTemplate(strings.ReplaceAll(usage, ".FlagUsages ", ".FlagUsagesWrapped 81 "))
	root.SetHelpTemplate("{{with .Example}}Examples:\n{{.}}\n\n{{end}}" + root.HelpTemplate())
}

// AddHelp adds the command help, which rejects unknown topics, and returns it.
func AddHelp(root *cobra.Command) *cobra.Command {
	root.InitDefaultHelpCmd()
	for _, c := range root.Commands() {
		if c.Name() == "help" {
			c.Args = func(_ *cobra.Command, args []string) error { return knownTopic(root, args) }
			return c
		}
	}
	return nil
}

// knownTopic rejects topics that are not subcommands.
func knownTopic(root *cobra.Command, args []string) error {
	if cmd, _, err := root.Find(args); err != nil || cmd == root {
		return KnownCommand(root, args)
	}
	return nil
}
