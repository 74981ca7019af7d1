package rfc8166

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are the cases by sections of RFC 8166 and RFC 8797.
var Sections = []conform.Section{
	section331, section333, section345, section346, section353, section421, section424, section432, section4321,
	section4322, section4323, section433, section45, section451, section452, section461, section462, section61,
	section52, section8797d32, section8797d4, section8797d41, section8797d42, section8797d52,
}
