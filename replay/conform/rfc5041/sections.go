// Package rfc5041 tests DDP (RFC 5041): versions, queues, MSN and MO, STags and their bounds, empty messages and those
// of many segments, Delivery, and how a stream ends.
//
// Messages that the peer sends on command show whether it keeps the rules for senders. Answers to commands, which
// report what was placed and delivered, and Terminates show whether it keeps the rules for receivers. The state of
// memory after a Terminate does not show: the regions of the service end with the connection.
package rfc5041

import "github.com/iwarpkit/iwarp/replay/conform"

// Sections are all cases, in the order of the document.
var Sections = []conform.Section{
	section41, section42, section43, section44, section52, section53, section54, section621, section622, section71,
	section81, section82, section83, section831,
}

var about = conform.About("RFC5041", conform.ConformService)
