package rfc8166

import (
	_ "embed"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are the cases by sections of RFC 8166 and RFC 8797.
var Sections = []conform.Section{section333, section52}

// Unasked says why requirements that show to a peer are not asked for: an id, a tab and the reason in each line. An id with
// * at its end stands for all that begin so.
//
//go:embed unasked.tsv
var Unasked string
