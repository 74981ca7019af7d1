package rfc8166

import (
	_ "embed"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are the cases by sections of RFC 8797; what RFC 8166 says shows to peers with an RPC layer only.
var Sections = []conform.Section{section52}

// Unasked says why requirements that show to a peer are not asked for: an id, a tab and the reason in each line. An id with
// * at its end stands for all that begin so.
//
//go:embed unasked.tsv
var Unasked string
