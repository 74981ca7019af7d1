package rfc6581

import (
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/conform/internal/reference"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A peer fails a case if it is wrong in what the case asks for.
func TestFaults(t *testing.T) {
	const we, they = scenario.Client, scenario.Server // initiate
	stream := func(e mpa.Enhanced) rnicsim.StreamConfig {
		return rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Enhanced: &e}
	}
	peers := stream(mpa.Enhanced{A: true, B: true, C: true, D: true, IRD: 4, ORD: 4})
	readers := stream(mpa.Enhanced{A: true, B: true, D: true, IRD: 4, ORD: 4})
	reference.CheckFaults(t, Sections, []reference.Fault{
		{Quirk: "rewrite MPAReply iwarp_mpa.enhanced.a=0", Side: we, Cases: "9.2/all-offered 9.2/none-supported"},
		{Quirk: "rewrite MPAReply iwarp_mpa.enhanced.a=1", Side: we, Cases: "9.2/clients-and-servers 9.2/kinds-without-a"},
		{Quirk: "rewrite MPAReply iwarp_mpa.enhanced.b=1", Side: we, Cases: "9.2/clients-and-servers"},
		{Quirk: "rewrite MPAReply iwarp_mpa.enhanced.ord=9", Side: we,
			Cases: "9.1/ord-within-our-ird 9.1/ird-not-negotiated"},
		{Quirk: "rewrite MPAReply iwarp_mpa.enhanced.ird=9", Side: we,
			Cases: "9.1/ord-not-negotiated 9.1/nothing-negotiated"},
		{Quirk: "suppress private-data", Side: we, Cases: "6/private-data-too-long"},
		{Quirk: "suppress private-data", Side: they, Cases: "6/private-data-of-a-reply-too-long"},
		{Quirk: "react mpa-ird reset", Side: they, Cases: "9.1/ord-beyond-its-ird 12/odd-replies"},
		{Quirk: "react mpa-ird 2/0/07", Side: they, Cases: "9.1/ord-beyond-its-ird"},
		{Quirk: "react mpa-rtr reset", Side: they, Cases: "9.2/no-rtr-in-common 9.2/no-a-in-the-reply", Stream: peers},
		{Quirk: "suppress mpa-rtr", Side: they, Cases: "9.2/no-rtr-in-common", Stream: readers},
		{Quirk: "react mpa-local reset", Side: they, Cases: "9.3/read-as-rtr-without-ird", Stream: readers},
		{Quirk: "rewrite ReadRequest iwarp_rdma.rdmardsz=8", Side: they, Cases: "5/rtr-first", Stream: peers},
		{Quirk: "bad-crc", Side: we,
			Cases: "6/revision-1 6/s-in-revision-1 6/reserved-bits 9.2/rtr-taken-in 10/unenhanced 10/revision-2-without-s"},
	})
}
