package explain

// Messages of the Linux kernel, recognised by their formats. The formats in kernel.tsv are those of Linux 6.1, unless their place
// names another version.

import (
	"cmp"
	_ "embed"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/iwarpkit/iwarp/internal/spelling"
)

//go:embed kernel.tsv
var kernelTable string

// A kernelMessage is a format of printk and what it says.
type kernelMessage struct {
	driver, place string // who prints it; file and function
	format        string
	argument      int    // the place of an argument that is a status, from 1; 0 for none
	status        string // what may stand before the number of that status: "wc"
	text          string // empty if nothing is known but where it comes from
	see           []string

	pattern *regexp.Regexp
	letters int // of the format, without its verbs
}

// printed are what stands for an argument in a format.
var printed = pattern(`%[-0-9.*#]*(?:ll|[lzh])?(?:pI[S46]\w*|p[A-Za-z]?|\*?ph|[a-zA-Z])`)

// kernelMessages reads the table. Its columns are driver, place, format, status and argument, text, and what to see, separated
// by commas.
var kernelMessages = sync.OnceValue(func() (all []kernelMessage) {
	for line := range strings.Lines(kernelTable) {
		c := strings.Split(strings.TrimRight(line, "\n"), "\t")
		m := kernelMessage{driver: c[0], place: c[1], format: c[2], text: c[4]}
		if status, argument, ok := strings.Cut(c[3], "="); ok {
			m.status = status
			m.argument, _ = strconv.Atoi(argument) // the table is part of the program
		}
		if c[5] != "" {
			m.see = strings.Split(c[5], ",")
		}
		m.compile()
		all = append(all, m)
	}
	return all
})

// compile makes the pattern of a format.
func (m *kernelMessage) compile() {
	var b strings.Builder
	m.letters = len(spelling.Fold(printed().ReplaceAllString(m.format, " ")))
	at := 0
	for _, verb := range printed().FindAllStringIndex(m.format, -1) {
		b.WriteString(regexp.QuoteMeta(m.format[at:verb[0]]))
		switch m.format[verb[1]-1] {
		case 'd', 'u', 'i':
			b.WriteString(`(-?\d+)`)
		case 'x', 'X':
			b.WriteString(`((?:0x)?[0-9a-fA-F]+)`)
		case 's':
			b.WriteString(`(.*?)`)
		default:
			b.WriteString(`(\S+)`)
		}
		at = verb[1]
	}
	b.WriteString(regexp.QuoteMeta(m.format[at:]))
	m.pattern = regexp.MustCompile(blanks().ReplaceAllString(b.String(), `\s+`))
}

var blanks = pattern(`\s+`)

// fewLetters is the number of letters of a format below which a line must also name the driver or function that prints it, or have
// nothing else.
const fewLetters = 14

// named reports whether a line names who prints the message.
func (m *kernelMessage) named(line string) bool {
	for name := range strings.FieldsSeq(m.driver + " " + m.place) {
		if strings.Contains(line, name) {
			return true
		}
	}
	return false
}

// kernelLine explains a message of the kernel, and the status in it.
func (q query) kernelLine() []Entry {
	if len(q.text) > maxQuery {
		return nil
	}
	var best *kernelMessage
	var arguments []string
	weight := 0
	all := kernelMessages()
	for i := range all {
		m := &all[i]
		named := m.named(q.text)
		found := m.pattern.FindStringSubmatch(q.text)
		if found == nil || m.letters < fewLetters && !named && found[0] != strings.TrimSpace(q.text) {
			continue
		}
		w := 2 * m.letters
		if named {
			w++
		}
		if w > weight {
			best, arguments, weight = m, found, w
		}
	}
	if best == nil {
		return nil
	}
	return best.entries(arguments)
}

func (m *kernelMessage) entries(arguments []string) []Entry {
	text := cmp.Or(m.text, "No more is known of this message than where it is printed.")
	place, version, _ := strings.Cut(m.place, ", Linux ")
	e := Entry{
		Kind: KindKernel, Name: m.driver, Title: m.format, Text: []string{text}, Facts: []Fact{{"Printed by", place}},
		See: m.see, Sources: []string{"Linux " + cmp.Or(version, "6.1") + ", source of " + m.driver},
	}
	found := []Entry{e}
	if m.argument > 0 {
		value, err := strconv.ParseInt(strings.TrimPrefix(arguments[m.argument], "0x"), m.base(arguments[m.argument]), 64)
		if err == nil {
			found = append(found, theIndex().lookup(spelling.Fold(m.status+" "+strconv.FormatInt(max(value, -value), 10)))...)
		}
	}
	return found
}

// base is that of an argument which is a status: those of adapters are in hexadecimal.
func (m *kernelMessage) base(argument string) int {
	if strings.HasPrefix(argument, "0x") || strings.Contains(m.format, "0x%x") && m.status != "errno" {
		return 16
	}
	return 10
}
