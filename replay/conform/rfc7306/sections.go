package rfc7306

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of RFC 7306.
var Sections = []conform.Section{
	section11, section41, section5, section511, section512, section52, section521, section522, section54, section61, section63,
	section64, section7, section81, section82, section102,
}

var about = conform.About("RFC7306", conform.ConformService)
