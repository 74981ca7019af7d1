package rfc8167

import (
	_ "embed"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are the cases by sections of RFC 8167.
var Sections = []conform.Section{
	section24, section241, section41, section42, section432, section51, section52, section6,
}

// Unasked says why requirements that show to a peer are not asked for: an id, a tab and the reason in each line.
//
//go:embed unasked.tsv
var Unasked string
