package rfc8167

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of RFC 8167.
var Sections = []conform.Section{
	section24, section241, section41, section42, section432, section51, section52, section6,
}
