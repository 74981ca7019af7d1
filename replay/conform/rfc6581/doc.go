// Package rfc6581 asks a peer about enhanced RDMA connection establishment: MPA revision 2, with the negotiation of IRD
// and ORD, and with the Ready to Receive (RTR) by which the Responder may be the first to speak.
//
// What an Initiator makes of kinds of RTR can be asked of one that offers some.
package rfc6581
