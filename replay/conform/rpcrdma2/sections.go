package rpcrdma2

import (
	_ "embed"
	"slices"

	"github.com/iwarpkit/iwarp/replay/conform"
)

// Sections are the cases by sections of the draft. Those about limits of the peer keep them by themselves.
var Sections = slices.Concat(
	adapted(section3134, section4211),
	[]conform.Section{section4212},
	adapted(section4231),
	[]conform.Section{section4232}, // whose peer has no properties and grants nothing
	adapted(section4233, section435, section436, section443, section453, section454, section51, section522, section61,
		section622, section6222, section6223, section624, section64, section7, section711, section72, section721, section722),
	[]conform.Section{section731, section732, section733},
	adapted(section734, section735, sectionA1),
)

// Unasked says why requirements that show to a peer are not asked for: an id, a tab and the reason in each line.
//
//go:embed unasked.tsv
var Unasked string
