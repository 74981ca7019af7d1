// Package rfc5042 asks a peer about the security of DDP and RDMAP (RFC 5042). Nobody reaches memory by an STag that is
// unknown, revoked, of another Protection Domain, or without the right, nor one octet beyond its bounds. An attempt ends
// the stream that it was made on, and no other.
package rfc5042

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section511, section611, section621, section622, section631, section635, section6433}

var about = conform.About("RFC5042", conform.ConformService)
