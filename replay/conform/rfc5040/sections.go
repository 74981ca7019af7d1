// Package rfc5040 asks a peer about RDMAP, the Remote Direct Memory Access Protocol.
//
// [Sections] follow RFC 5040. The peer is asked as the Data Sink and as the Data Source of each operation: it must accept or
// refuse what this end sends, and what it sends itself, on commands to its service, must be right. unasked.tsv lists the
// requirements that a peer can see broken and that no case tests, with the reasons.
package rfc5040

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of RFC 5040.
var Sections = []conform.Section{
	section12, section41, section42, section44, section48, section51, section521, section522, section53, section54,
	section55, section61, section621, section7, section71, section72, section811, appendixB,
}

var about = conform.About("RFC5040", conform.ConformService)
