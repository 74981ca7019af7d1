package rfc5041

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{
	section41, section42, section43, section44, section52, section53, section54, section621, section622, section71,
	section81, section82, section83, section831,
}

var about = conform.About("RFC5041", conform.ConformService)
