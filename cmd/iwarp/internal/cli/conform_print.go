package cli

// The results of cases, for people and programs.

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/fatih/color"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/dissect/show/text"
	cases "github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/report"
	"github.com/iwarpkit/iwarp/replay/conform/suite"
)

func (c *conform) print(r *cases.Report) error {
	return c.writes(c.write, nil, func(w io.Writer, terminal bool) error {
		switch c.output.Value {
		case "json":
			return report.WriteJSON(w, r)
		case "junit":
			return report.WriteJUnit(w, r)
		case "ktap":
			return report.WriteKTAP(w, r)
		case "html":
			return report.WriteHTML(w, r, "iwarp conform "+c.where())
		}
		return c.printText(w, terminal, r)
	})
}

// again returns the command that asks a case alone, for a POSIX shell.
func (c *conform) again(q cases.Question) string {
	words := []string{"iwarp conform"}
	if c.peer != "" {
		words = append(words, shellWord(c.peer))
	}
	c.flags.Visit(func(f *pflag.Flag) {
		if slices.Contains([]string{"service", "listen", "profile", "seed", "timeout"}, f.Name) {
			words = append(words, "--"+f.Name, shellWord(f.Value.String()))
		}
	})
	return strings.Join(append(words, q.ID()), " ")
}

// shellWord returns a word as a POSIX shell takes it.
func shellWord(s string) string {
	special := func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-._/:", r)
	}
	if s != "" && !strings.ContainsFunc(s, special) {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// where is the address of the peer, or the one that it connected to.
func (c *conform) where() string {
	if c.listen != "" {
		return "--listen " + c.listen
	}
	return c.peer
}

func (c *conform) printText(w io.Writer, terminal bool, r *cases.Report) error {
	o := report.TextOptions{All: c.verbose}
	if c.colored(terminal) {
		o.Paint = painter(map[cases.Verdict][]color.Attribute{
			cases.Pass: {color.FgGreen}, cases.Accepted: {color.FgCyan}, cases.Fail: {color.FgRed, color.Bold},
			cases.Unsupported: {color.Faint}, cases.NotRun: {color.FgYellow}, cases.Error: {color.FgMagenta, color.Bold},
		})
	}
	var b bytes.Buffer
	if err := report.WriteText(&b, r, o); err != nil {
		return err
	}
	return c.folded(w, terminal, b.String())
}

func (c *conform) printList(some []cases.Question) error {
	return c.writes(c.write, nil, func(w io.Writer, terminal bool) error {
		if c.output.Value == "json" {
			return report.WriteListJSON(w, some)
		}
		_, err := io.WriteString(w, c.listText(some, c.tableWidth(terminal)))
		return err
	})
}

// listText lists the cases, with -v their requirements. It says once what is common to a section.
func (c *conform) listText(some []cases.Question, width int) string {
	var b []byte
	for rest := some; len(rest) > 0; {
		n := 1
		for n < len(rest) && rest[n].Section == rest[0].Section {
			n++
		}
		b = c.appendSection(b, rest[:n], width)
		rest = rest[n:]
	}
	b = fmt.Appendln(b, counted(uint64(len(some)), "case"))
	if c.verbose {
		for _, each := range suite.Covered() {
			b = text.AppendWrapped(b, width, "", 0, "  ", each.String())
		}
	}
	return string(b)
}

// appendSection lists cases of one section, each in lines of at most width characters.
func (c *conform) appendSection(b []byte, some []cases.Question, width int) []byte {
	all := remarkOn(some[0])
	for _, q := range some[1:] {
		all = all.and(remarkOn(q))
	}
	section := some[0].Section
	b = text.AppendWrapped(b, width, section.ID()+"  ", len(section.ID())+2, "  ", fmt.Sprintf("%s%v", section.Title, all))
	for _, q := range some {
		const indent = "      "
		b = text.AppendWrapped(b, width, "  "+q.Name+"  ", len(q.Name)+4, indent, fmt.Sprintf("%s%v", q.Says, remarkOn(q).without(all)))
		if c.verbose {
			b = text.AppendWrapped(b, width, indent, len(indent), indent, strings.Join(q.Requirements, " "))
		}
	}
	return b
}

// completeCases completes documents, sections and cases.
func completeCases(_ *cobra.Command, _ []string, begin string) ([]string, cobra.ShellCompDirective) {
	var words []string
	seen := make(map[string]bool)
	add := func(word string) {
		if !seen[word] && strings.HasPrefix(strings.ToUpper(word), strings.ToUpper(begin)) {
			seen[word] = true
			words = append(words, word)
		}
	}
	for _, q := range suite.Questions() {
		add(q.Section.Document)
		if strings.Contains(begin, "/") {
			add(q.Section.ID())
			add(q.ID())
		}
	}
	return words, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}
