// Package rfc7306 asks a peer about the Atomic Operations and Immediate Data (RFC 7306).
//
// A peer that has neither is asked what it answers to them: that is section 1.1. All else needs the peer to have what is
// asked for.
//
// The memory of an Atomic Operation has a byte order that nobody tells of. So scripts write and read the words of the
// peer's memory by FetchAdd, whose values are in network byte order, and by Writes and Reads only where the octets are
// the same from both ends.
package rfc7306

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of RFC 7306.
var Sections = []conform.Section{
	section11, section41, section5, section511, section512, section52, section521, section522, section54, section61, section63,
	section64, section7, section81, section82, section102,
}

var about = conform.About("RFC7306", conform.ConformService)
