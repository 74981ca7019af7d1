// Package verbs asks a peer for what the RDMA Protocol Verbs Specification demands of an RNIC and shows on the wire: what
// its memory, queues and states do. What the cases of the RFCs ask for is not asked again.
//
// The Verbs have Terminates of their own for some errors; which are due is for the Profile to say.
package verbs
