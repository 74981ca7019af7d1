package rnicsim

// Wrong framing: what is found first, and whether the dissector finds the same.

import (
	"slices"
	"testing"
)

// What RFC 5044 finds first ends a stream, the CRC before the Marker (sections 4.4 and 8), and the dissector does not
// object to the Terminate.
func TestFramingJudged(t *testing.T) {
	const fpdu = "0012 4143 00000000 00000000 00000001 00000000 "
	for _, c := range []struct {
		name    string
		markers bool // are agreed on
		noCRC   bool // is agreed on
		octets  string
		want    EventType
		seen    string // by the onlooker, except for the Terminate
	}{
		{"a Marker that points elsewhere and is covered by the CRC", true, false, "00000008" + fpdu + "e02e8594",
			LLPBadFPDU, "fpdu-marker"},
		{"a Marker that points elsewhere and a wrong CRC", true, false, "00000008" + fpdu + "e02e8595",
			LLPInvalidCRC, "fpdu-crc"},
		{"a right Marker and a wrong CRC", true, false, "00000000" + fpdu + "00000001",
			LLPInvalidCRC, "fpdu-crc"},
		{"no Markers though they were agreed on", true, false, fpdu + "587be8c4",
			LLPInvalidCRC, "fpdu-marker"},
		{"Markers though they were not agreed on", false, false, "00000000" + fpdu + "88c1d6fc",
			LLPInvalidCRC, "marker-unasked"},
		{"no Markers and no CRC, though Markers were agreed on", true, true, fpdu + "00000000",
			LLPBadFPDU, "fpdu-marker"},
		{"Markers and no CRC, though neither was agreed on", false, true, "00000000" + fpdu + "00000000",
			LLPSegmentSize, "marker-unasked"},
	} {
		t.Run(c.name, func(t *testing.T) {
			oa, ob := defaults(), defaults()
			oa.stream.CRC, ob.stream.CRC, ob.stream.Markers = !c.noCRC, !c.noCRC, c.markers
			a, b := newSide(t, oa, nil), newSide(t, ob, nil)
			j := listen(a, b)
			if err := join(a, b); err != nil {
				t.Fatal(err)
			}
			if err := b.qp.Modify(Modification{State: RTS, Stream: b.stream}); err != nil {
				t.Fatal(err)
			}
			octets := hexOctets(c.octets)
			j.talk.Send(0, octets)
			b.stream.Input(octets)
			run(b)
			if !slices.Equal(b.events, []EventType{c.want}) {
				t.Errorf("the RNIC has %v, want %v", b.events, c.want)
			}
			if j.verdict(); !slices.Equal(j.names, []string{c.seen, "terminate"}) {
				t.Errorf("the onlooker finds %q, want %q", j.found, c.seen)
			}
		})
	}
}
