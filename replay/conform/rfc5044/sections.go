package rfc5044

import (
	_ "embed"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{
	section3, section41, section42, section43, section44, section51, section52, section6, section711, section712,
	section8, sectionC,
}

// Unasked says why requirements that show to a peer are not asked for: an id, a tab and the reason in each line.
//
//go:embed unasked.tsv
var Unasked string

func about(number, title string, cases func() []conform.Case) conform.Section {
	return conform.Section{Document: "RFC5044", Number: number, Title: title, Cases: cases}
}
