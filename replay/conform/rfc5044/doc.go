// Package rfc5044 asks a peer about MPA: Marker PDU Aligned Framing for TCP.
//
// First comes the format of FPDUs, with their Markers and CRCs, and then how a connection begins. What MPA says of the
// TCP segments below it is asked as far as a socket lets choose them: where one write ends. Markers in what the peer
// receives can be asked of peers that want them only, and what holds without CRCs of those that do without.
package rfc5044
