// Package rfc5041 asks a peer about DDP (RFC 5041): versions, queues, MSN and MO, STags and their bounds, messages of
// no octets and of many segments, Delivery, and how a stream ends.
//
// What DDP demands of a sender is seen in what the peer sends when it is told to. What it demands of a receiver is
// seen in answers to commands, which tell what was placed and delivered, and in the Terminate with which the peer
// refuses a segment. What became of memory after a Terminate cannot be seen: the regions of the service end with the
// connection.
package rfc5041
