// Package rfc5044 asks a peer about MPA: Marker PDU Aligned Framing for TCP.
//
// First comes the format of FPDUs, with their Markers and CRCs, and then how a connection begins. What MPA says of the
// TCP segments below it is asked as far as a socket lets choose them: where one write ends. Markers in what the peer
// receives can be asked of peers that want them only, and what holds without CRCs of those that do without.
package rfc5044

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{
	section3, section41, section42, section43, section44, section51, section52, section6, section711, section712,
	section8, sectionC,
}

var about = conform.About("RFC5044", conform.ConformService)
