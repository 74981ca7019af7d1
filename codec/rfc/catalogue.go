package rfc

// The catalogue: tables of tab-separated values, whose first line names the columns. They are read once, when first
// needed.

import (
	"embed"
	"fmt"
	"slices"
	"strings"
	"sync"
)

//go:embed catalogue/*.tsv
var files embed.FS

// fileNames lists the tables in the order of the catalogue.
var fileNames = []string{"mpa-ddp.tsv", "rdmap.tsv", "rpcrdma.tsv", "verbs.tsv"}

// index is the catalogue with its ids.
type index struct {
	requirements []Requirement
	byID         map[string]int // index in requirements, by the id as it is and in capitals
}

// catalogue reads the tables. It panics if they are wrong, which the tests of this package rule out.
var catalogue = sync.OnceValue(func() *index {
	const about = 1500
	c := &index{requirements: make([]Requirement, 0, about), byID: make(map[string]int, about)}
	for _, name := range fileNames {
		text, err := files.ReadFile("catalogue/" + name)
		if err == nil {
			c.requirements, err = parse(c.requirements, string(text))
		}
		if err != nil {
			panic(fmt.Sprintf("rfc: %s: %v", name, err))
		}
	}
	for i := range c.requirements {
		id := c.requirements[i].ID
		c.byID[id], c.byID[strings.ToUpper(id)] = i, i
	}
	return c
})

// columns are the columns of all tables, followed, from column 9 on, by those of the protocols or those of the Verbs.
const (
	columns         = "id\tdoc\tsection\tlevel\tbasis\twho\trequirement\tquote\tobservable\t"
	protocolColumns = columns + "violation\treaction"
	verbsColumns    = columns + "scope"
)

// parse appends the requirements of one table to dst. Their strings are substrings of text.
func parse(dst []Requirement, text string) ([]Requirement, error) {
	header, text, _ := strings.Cut(text, "\n")
	if header != protocolColumns && header != verbsColumns {
		return dst, fmt.Errorf("line 1: columns %q are not known", header)
	}
	want := strings.Count(header, "\t") + 1
	var column []string
	for line := 2; text != ""; line++ {
		var row string
		row, text, _ = strings.Cut(text, "\n")
		column = slices.AppendSeq(column[:0], strings.SplitSeq(row, "\t"))
		if len(column) != want {
			return dst, fmt.Errorf("line %d: %d columns, want %d", line, len(column), want)
		}
		level, err := ParseLevel(column[3])
		if err != nil {
			return dst, fmt.Errorf("line %d: %w", line, err)
		}
		r := Requirement{
			ID: column[0], Doc: column[1], Section: column[2], Level: level, Basis: absent(column[4]), Who: column[5], Text: column[6],
			Quote: absent(column[7]), Observable: column[8],
		}
		if header == verbsColumns {
			r.Scope = column[9]
		} else {
			r.Violation, r.Reaction = absent(column[9]), absent(column[10])
		}
		dst = append(dst, r)
	}
	return dst, nil
}

// absent turns the placeholder of an empty cell into an empty string.
func absent(s string) string {
	if s == "-" {
		return ""
	}
	return s
}
