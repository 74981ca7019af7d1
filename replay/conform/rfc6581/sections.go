// Package rfc6581 tests enhanced RDMA connection establishment: MPA revision 2, with the negotiation of IRD and ORD,
// and with the Ready to Receive (RTR), which lets the Responder send first.
//
// An Initiator's handling of kinds of RTR can be tested only with one that offers some.
package rfc6581

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{section5, section6, section91, section92, section93, section10, section12}

var about = conform.About("RFC6581", conform.ConformService)
