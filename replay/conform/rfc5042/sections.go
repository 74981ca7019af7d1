package rfc5042

import (
	_ "embed"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section511, section611, section621, section622, section631, section635, section6433}

// Unasked says why requirements that show to a peer are not asked for: an id, a tab and the reason in each line.
//
//go:embed unasked.tsv
var Unasked string

func about(number, title string, cases func() []conform.Case) conform.Section {
	return conform.Section{Document: "RFC5042", Number: number, Title: title, Cases: cases}
}
