package rfc5042

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section511, section611, section621, section622, section631, section635, section6433}

var about = conform.About("RFC5042", conform.ConformService)
