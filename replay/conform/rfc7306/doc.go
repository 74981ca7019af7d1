// Package rfc7306 asks a peer about the Atomic Operations and Immediate Data (RFC 7306).
//
// A peer that has neither is asked what it answers to them: that is section 1.1. All else needs the peer to have what is
// asked for.
//
// The memory of an Atomic Operation has a byte order that nobody tells of. So scripts write and read the words of the
// peer's memory by FetchAdd, whose values are in network byte order, and by Writes and Reads only where the octets are
// the same from both ends.
package rfc7306
