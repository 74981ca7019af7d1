// Package rfc7306 tests Atomic Operations and Immediate Data (RFC 7306).
//
// Section 1.1 tests the reaction of a peer that supports neither; all else needs the peer's support.
//
// The byte order of the memory of an Atomic Operation is unknown. So scripts write and read the peer's memory by
// FetchAdd, whose values are in network byte order, and by Writes and Reads only where the octets are a palindrome.
package rfc7306

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of RFC 7306.
var Sections = []conform.Section{
	section11, section41, section5, section511, section512, section52, section521, section522, section54, section61, section63,
	section64, section7, section81, section82, section102,
}

var about = conform.About("RFC7306", conform.ConformService)
