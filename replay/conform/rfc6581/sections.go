// Package rfc6581 asks a peer about enhanced RDMA connection establishment: MPA revision 2, with the negotiation of IRD
// and ORD, and with the Ready to Receive (RTR) by which the Responder may be the first to speak.
//
// What an Initiator makes of kinds of RTR can be asked of one that offers some.
package rfc6581

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section5, section6, section91, section92, section93, section10, section12}

var about = conform.About("RFC6581", conform.ConformService)
