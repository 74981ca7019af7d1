package rfc5044

// RNICs of the RDMA Consortium, whose MPA has revision 0: a peer that does not support them closes.

import (
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var sectionC = about("C.2", "RDMAC RNICs", func() []conform.Case {
	return conform.Alike(conform.Case{Bare: true}, []conform.Case{
		{Name: "request", Requirements: []string{"MPA-C.2.1-1", "MPA-7.1.1-16"}, Role: conform.AsInitiator, If: notPermissive,
			Says: "A Responder that does not support an RDMAC Initiator closes; a Reply before that has its own revision.",
			Ask: func(s *conform.Setup) []string {
				return []string{"> MPARequest M C Rev=0\n" + before(s.Peer.RDMAC) + "< closes or resets"}
			}},
		{Name: "request-to-a-permissive-one", Requirements: []string{"MPA-C.2.4-1", "MPA-C.1-2", "MPA-3-9"},
			Role: conform.AsInitiator, If: permissive, For: "a peer that accepts RNICs of the RDMA Consortium",
			Says: "A Responder that supports it answers with revision 0, asks for Markers and CRCs, and sends messages of version 0.",
			Ask: conform.Text(`
				> MPARequest M C Rev=0
				< MPAReply M C Rev=0 ?*
				> echoes 61*600`)},
		{Name: "reply", Requirements: []string{"MPA-C.2.2-1", "MPA-C.2.5-1", "MPA-7.1.1-16", "MPA-3-9"},
			Role: conform.AsResponder,
			Says: "An Initiator that gets the Reply of an RDMAC Responder closes, or continues with Markers, CRCs and version 0.",
			Ask: conform.Text(`
				< request
				> MPAReply M C Rev=0
				< OneOf
				or FIN
				or Reset
				or Send 00000000
				> FIN`)},
	})
})

// permissive reports whether a Responder accepts RDMAC Initiators.
func permissive(s *conform.Setup) bool {
	return s.Peer.RDMAC != nil && s.Peer.RDMAC.Rev == mpa.RevRDMAC && !s.Peer.RDMAC.R
}

func notPermissive(s *conform.Setup) bool { return !permissive(s) }
