package rfc5040

import (
	_ "embed"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are the cases by sections of RFC 5040.
var Sections = []conform.Section{
	section12, section41, section42, section44, section48, section51, section521, section522, section53, section54,
	section55, section61, section621, section7, section71, section72, section811, appendixB,
}

// Unasked says why requirements that show to a peer are not asked for: an id, a tab and the reason in each line.
//
//go:embed unasked.tsv
var Unasked string

func about(number, title string, cases func() []conform.Case) conform.Section {
	return conform.Section{Document: "RFC5040", Number: number, Title: title, Cases: cases}
}
