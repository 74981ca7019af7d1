// Package rfc5040 tests RDMAP, the Remote Direct Memory Access Protocol.
//
// [Sections] follow RFC 5040. The peer is tested as the Data Sink and as the Data Source of each operation: it must
// accept or refuse what we send, and send correct messages itself on commands to its service. unasked.tsv lists the
// observable requirements that no case tests, with the reasons.
package rfc5040

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of RFC 5040.
var Sections = []conform.Section{
	section12, section41, section42, section44, section48, section51, section521, section522, section53, section54,
	section55, section61, section621, section7, section71, section72, section811, appendixB,
}

var about = conform.About("RFC5040", conform.ConformService)
