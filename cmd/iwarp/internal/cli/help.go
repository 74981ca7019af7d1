package cli

// Help that fits a terminal of 80 columns: texts, examples and flags are folded when they are printed.

import (
	"fmt"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/dissect/show/text"
)

// foldWidth is how many characters a line of help has at most, as far as its words allow.
const foldWidth = 80

// foldHelp folds the help of all commands.
func foldHelp(root *cobra.Command) {
	root.SetUsageTemplate(strings.ReplaceAll(root.UsageTemplate(), ".FlagUsages ", ".FlagUsagesWrapped 80 "))
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		cmd.Long, cmd.Example = foldText(cmd.Long), foldExamples(cmd.Example)
		help(cmd, args)
	})
}

// comparison is a test of a filter, such as "missing > 0".
var comparison = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\S+ (?:==|[<>]=?) \S+`) })

// foldText folds paragraphs, but no comparison. A line that begins with spaces is an item of its own:
// "  rfc    the RFCs, ..."; lines that begin where its text does go on with it. The text may also begin below the term,
// further in.
func foldText(s string) string {
	const glue = "\x1f" // stands for a space at which no line ends
	s = comparison().ReplaceAllStringFunc(s, func(c string) string { return strings.ReplaceAll(c, " ", glue) })
	var b []byte
	var item string
	below := false // the item is text that stands below its term
	flush := func() {
		if item != "" {
			first := head(item)
			b = text.AppendWrapped(b, foldWidth, first, utf8.RuneCountInString(first), hanging(item), item[len(first):])
		}
		item = ""
	}
	for line := range strings.SplitSeq(s, "\n") {
		indent := indentOf(line)
		goesOn := indent == hanging(item) && (indent == "" || below || indent != indentOf(item))
		switch {
		case line == "":
			flush()
			b = append(b, '\n')
		case item != "" && goesOn:
			item += " " + line[len(indent):]
		default:
			below = item != "" && len(indent) > len(indentOf(item))
			flush()
			item = line
		}
	}
	flush()
	return strings.ReplaceAll(strings.TrimSuffix(string(b), "\n"), glue, " ")
}

// indentOf is the spaces with which a line begins.
func indentOf(line string) string { return line[:len(line)-len(strings.TrimLeft(line, " "))] }

// head is what stands before the text of an item: its spaces, and its term with the spaces behind it.
func head(item string) string {
	indent := indentOf(item)
	term, rest, found := strings.Cut(item[len(indent):], "  ")
	if indent == "" || !found {
		return indent
	}
	return indent + term + "  " + indentOf(rest)
}

// hanging is the spaces before further lines of an item.
func hanging(item string) string { return strings.Repeat(" ", utf8.RuneCountInString(head(item))) }

// foldExamples folds command lines. Comments begin in the same column; one for which there is too little room goes to a
// line above. A command that is too long goes on in the next line.
func foldExamples(s string) string {
	all := examples(s)
	column := all.column()
	var b []byte
	for i := range all {
		switch e := &all[i]; {
		case e.comment == "":
			b = appendCommand(b, e.command)
		case e.fits(column):
			b = fmt.Appendf(b, "%-*s%s\n", column, e.command, e.comment)
		default:
			b = text.AppendWrapped(b, foldWidth, "  # ", len("  # "), "  # ", strings.TrimPrefix(e.comment, "# "))
			b = appendCommand(b, e.command)
		}
	}
	return strings.TrimSuffix(string(b), "\n")
}

// An example is a command line, and what it is for: "# why", or nothing.
type example struct{ command, comment string }

type exampleLines []example

// examples takes lines apart.
func examples(s string) (all exampleLines) {
	for line := range strings.SplitSeq(s, "\n") {
		command, comment, commented := strings.Cut(line, " # ")
		if commented {
			comment = "# " + comment
		}
		all = append(all, example{strings.TrimRight(command, " "), comment})
	}
	return all
}

// least is the first column in which the comment can begin.
func (e *example) least() int { return utf8.RuneCountInString(e.command) + len("  ") }

// fits reports whether the comment can begin in a column.
func (e *example) fits(column int) bool {
	return e.least() <= column && column+utf8.RuneCountInString(e.comment) <= foldWidth
}

// column is where the most comments can begin, the leftmost of such.
func (all exampleLines) column() (best int) {
	most := 0
	for i := range all {
		at, fitting := all[i].least(), 0
		for j := range all {
			if e := &all[j]; e.comment != "" && e.fits(at) {
				fitting++
			}
		}
		if fitting > most || fitting == most && at < best {
			best, most = at, fitting
		}
	}
	return best
}

// appendCommand appends a command in as many lines as it needs. Quotations stay whole.
func appendCommand(b []byte, command string) []byte {
	const join, indent = ` \`, "      "
	column := 0
	for i, word := range shellWords(strings.TrimLeft(command, " ")) {
		n := utf8.RuneCountInString(word)
		switch {
		case i == 0:
			b, column = append(b, indentOf(command)...), len(indentOf(command))
		case column+1+n+len(join) > foldWidth:
			b, column = append(append(b, join+"\n"...), indent...), len(indent)
		default:
			b = append(b, ' ')
			column++
		}
		b = append(b, word...)
		column += n
	}
	return append(b, '\n')
}

// shellWords are the words of a command, with their quotation marks.
func shellWords(command string) []string {
	quoted := false
	return strings.FieldsFunc(command, func(r rune) bool {
		if r == '\'' {
			quoted = !quoted
		}
		return r == ' ' && !quoted
	})
}
