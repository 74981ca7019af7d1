// Package rfc5044 tests MPA: Marker PDU Aligned Framing for TCP.
//
// The cases cover the format of FPDUs, with their Markers and CRCs, and how a connection begins. Demands on the TCP
// segments below MPA are tested as far as a socket allows: by the ends of writes. Received Markers can be tested only
// with peers that request them, and connections without CRCs only with peers that do not.
package rfc5044

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{
	section3, section41, section42, section43, section44, section51, section52, section6, section711, section712,
	section8, sectionC,
}

var about = conform.About("RFC5044", conform.ConformService)
