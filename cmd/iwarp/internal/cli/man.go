package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// addManual adds --man to the command help.
func addManual(a *app, help *cobra.Command) {
	man := help.Flags().Bool("man", false, "print the manual page, for man(1): iwarp help --man check | man -l -")
	plain := help.Run
	help.RunE = func(cmd *cobra.Command, args []string) error {
		if !*man {
			plain(cmd, args)
			return nil
		}
		about, _, _ := cmd.Root().Find(args)
		if _, err := fmt.Fprint(a.Out, manual(about)); err != nil {
			return unreadable(err)
		}
		return nil
	}
}

// manual is the page of a command, in the macros of man(7).
func manual(cmd *cobra.Command) string {
	var b strings.Builder
	name := strings.ReplaceAll(cmd.CommandPath(), " ", "-")
	section := func(title, text string) {
		if text = strings.Trim(text, "\n"); text != "" {
			fmt.Fprintf(&b, ".SH %s\n.nf\n%s\n.fi\n", title, roff(text))
		}
	}
	fmt.Fprintf(&b, ".TH %q 1 \"\" %q\n.SH NAME\n%s \\- %s\n", strings.ToUpper(name), version(), roff(name), roff(cmd.Short))
	section("SYNOPSIS", cmd.UseLine())
	section("DESCRIPTION", cmd.Long)
	section("EXAMPLES", cmd.Example)
	b.WriteString(".SH OPTIONS\n")
	cmd.Flags().VisitAll(func(f *pflag.Flag) { option(&b, f) })
	cmd.InheritedFlags().VisitAll(func(f *pflag.Flag) { option(&b, f) })
	var others []string
	for _, c := range cmd.Root().Commands() {
		if c != cmd && c.IsAvailableCommand() {
			others = append(others, "iwarp-"+c.Name()+"(1)")
		}
	}
	section("SEE ALSO", strings.Join(others, "\n"))
	return b.String()
}

// option writes the entry of a flag.
func option(b *strings.Builder, f *pflag.Flag) {
	value, usage := pflag.UnquoteUsage(f)
	name := "--" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", " + name
	}
	switch f.DefValue {
	case "", "false", "0", "[]":
	default:
		usage += fmt.Sprintf(" (default %s)", f.DefValue)
	}
	fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.TrimSpace(name+" "+value)), roff(usage))
}

// roff is text without anything that roff would take for its own.
func roff(text string) string {
	text = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text)
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}
