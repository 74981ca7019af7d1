package rfc6581

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section5, section6, section91, section92, section93, section10, section12}

var about = conform.About("RFC6581", conform.ConformService)
