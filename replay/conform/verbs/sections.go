// Package verbs tests the observable demands of the RDMA Protocol Verbs Specification on an RNIC: its memory, queues
// and states. It does not repeat the cases of the RFCs.
//
// The Verbs have their own Terminates for some errors; the Profile says which are due.
package verbs

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of the Verbs.
var Sections = []conform.Section{
	section621, section622, section623, section625, section63, section64, section65, section661, section72, section74, section763,
	section78, section79, section7102, section7104, section7106, section812, section822, section8222, section825, section832, section9321, section10,
}

var about = conform.About("RDMAC-VERBS-1.0", conform.ConformService)
