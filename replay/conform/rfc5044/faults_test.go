package rfc5044

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
	word := &mpa.Enhanced{IRD: 16, ORD: 16}
	marked := rnicsim.StreamConfig{Rev: mpa.Rev2, CRC: true, Markers: true, Enhanced: word}
	permissive := rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true, Permissive: true}
	reference.CheckFaults(t, Sections, []reference.Fault{
		{Quirk: "react ddp-short 0/2/08", Side: we, Cases: "3/none"},
		{Quirk: "suppress fpdu-crc", Side: we, Cases: "4.1/pad-left-out 4.1/pad-too-long 4.1/length-too-small " +
			"4.1/length-too-large 4.4/asked-for-by-one-side 4.4/each-bit-of-it 4.4/of-another-kind 4.4/in-a-read 6/crc-first 8/crc-told"},
		{Quirk: "suppress fpdu-crc", Side: they, Cases: "4.4/asked-for-by-one-side 4.4/to-the-end 8/crc-told"},
		{Quirk: "react fpdu-crc drop", Side: we, Cases: "8/nothing-behind-a-wrong-crc 7.1.1/marker-not-asked-for"},
		{Quirk: "react fpdu-crc reset", Side: we, Cases: "8/crc-told"},
		{Quirk: "react fpdu-crc 2/0/03", Side: we, Cases: "8/crc-told"},
		{Quirk: "bad-crc", Side: we, Cases: "4.1/peers-layout 4.4/asked-for-by-the-peer 7.1.1/no-markers"},
		{Quirk: "rewrite FPDU iwarp_mpa.ulpdulength+1", Side: we, Cases: "3/peers-lengths 4.1/peers-layout"},
		{Quirk: "bad-marker", Side: we, Cases: "4.3/every-512-octets 4.3/at-every-place 4.3/many-small 4.3/between " +
			"4.3/before-the-crc 4.3/several-in-one 7.1.1/each-flag-with-markers"},
		{Quirk: "bad-marker", Side: they, Cases: "4.3/every-512-octets 7.1.1/markers-for-the-responder"},
		{Quirk: "rewrite MPAReply iwarp_mpa.marker_flag^1", Side: we, Cases: "5.1/many-in-one"},
		{Quirk: "react fpdu-marker 2/0/02", Side: we, Cases: "5.2/wrong-marker 8/marker-told", Stream: marked},
		{Quirk: "bad-crc", Side: we, Stream: marked,
			Cases: "4.2/reserved-set 4.2/low-bits-set 4.3/taken-out 4.3/as-in-the-document"},
		{Quirk: "suppress mpa-rev", Side: we, Cases: "7.1.1/rev-unknown"},
		{Quirk: "suppress mpa-rev", Side: they, Cases: "7.1.1/reply-rev-unknown"},
		{Quirk: "suppress private-data", Side: we, Cases: "7.1.1/private-data-too-long"},
		{Quirk: "suppress private-data", Side: they, Cases: "7.1.1/private-data-of-a-reply-too-long"},
		{Quirk: "react mpa-frame 2/0/04", Side: they, Cases: "7.1.1/reply-key-wrong 7.1.1/no-mpa-as-reply"},
		{Quirk: "rewrite MPAReply iwarp_mpa.marker_flag=0", Side: we, Stream: permissive,
			Cases: "C.2/request-to-a-permissive-one"},
	})
}
