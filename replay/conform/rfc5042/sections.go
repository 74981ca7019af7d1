// Package rfc5042 tests the security of DDP and RDMAP (RFC 5042). Memory cannot be reached by an STag that is unknown,
// revoked, of another Protection Domain, or without access rights, nor one octet beyond its bounds. An attempt ends its
// stream, and no other.
package rfc5042

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section511, section611, section621, section622, section631, section635, section6433}

var about = conform.About("RFC5042", conform.ConformService)
