package rfc5042

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section511, section611, section621, section622, section631, section635, section6433}

var about = parts.Document("RFC5042", conform.ConformService)
