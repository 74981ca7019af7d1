package rfc6581

import (
	_ "embed"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section5, section6, section91, section92, section93, section10, section12}

// Unasked says why requirements that show to a peer are not asked for: an id, a tab and the reason in each line.
//
//go:embed unasked.tsv
var Unasked string

func about(number, title string, cases func() []conform.Case) conform.Section {
	return conform.Section{Document: "RFC6581", Number: number, Title: title, Cases: cases}
}
