package rfc5041

import (
	_ "embed"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{
	section41, section42, section43, section44, section52, section53, section54, section621, section622, section71,
	section81, section82, section83, section831,
}

// Unasked says why requirements that show to a peer are not asked for: an id, a tab and the reason in each line.
//
//go:embed unasked.tsv
var Unasked string

func about(number, title string, cases func() []conform.Case) conform.Section {
	return conform.Section{Document: "RFC5041", Number: number, Title: title, Cases: cases}
}
