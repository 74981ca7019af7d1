// Package verbs asks a peer for what the RDMA Protocol Verbs Specification demands of an RNIC and shows on the wire: what
// its memory, queues and states do. What the cases of the RFCs test is not tested again.
//
// The Verbs have Terminates of their own for some errors; the Profile says which are due.
package verbs

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of the Verbs.
var Sections = []conform.Section{
	section621, section622, section623, section625, section64, section65, section661, section72, section74, section763,
	section78, section79, section812, section822, section825, section832, section9321, section10,
}

var about = conform.About("RDMAC-VERBS-1.0", conform.ConformService)
