package rfc5044

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{
	section3, section41, section42, section43, section44, section51, section52, section6, section711, section712,
	section8, sectionC,
}

var about = conform.About("RFC5044", conform.ConformService)
