package rfc5040

// The Read Request header: what the Data Source makes of it, and what the Data Sink writes into it.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section44 = about("4.4", "Read Request header", func() []conform.Case {
	return []conform.Case{
		{Name: "sink-stag-comes-back", Requirements: []string{"RDMAP-4.4-2", "RDMAP-5.2.2-9"},
			Says: "The Read Response names the Sink STag of the Request, whatever it is.",
			Ask: oneByOne(`
				> [r%[2]d] ReadRequest SinkSTag=%[1]s SinkTO=0x2000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [r%[2]d] 00010203`, "0", "1", "0xff", "0x100", "0x80000000", "0xdeadbeef", "0xffffffff",
				"$data", "$revoked")},
		{Name: "sink-stag-in-all-segments", Requirements: []string{"RDMAP-4.4-2", "RDMAP-4.4-3", "RDMAP-5.2.2-9"},
			Says: "Every segment of a Read Response has the Sink STag, and the Sink TO moved on by the octets before it.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 5a*65536
				> [read] ReadRequest SinkSTag=0xcafe0001 SinkTO=0x2000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read] 5a*65536`)},
		{Name: "sink-to-comes-back", Requirements: []string{"RDMAP-4.4-3", "RDMAP-4.4-4", "RDMAP-5.2.2-6"},
			Says: "The Read Response begins at the Sink TO of the Request, whatever it is.",
			Ask: oneByOne(`
				> [r%[2]d] ReadRequest SinkSTag=0x1000 SinkTO=%[1]s RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [r%[2]d] 00010203`, "0", "1", "3", "0xffffffff", "0x100000001", "0x7fffffffffffffff",
				"0x8000000000000000", "0xfffffffffffffff0")},
		{Name: "sink-to-over-32-bits", Requirements: []string{"RDMAP-4.4-3", "RDMAP-4.4-4"},
			Says: "The TO of a Read Response grows over 32 bits where segments reach so far.",
			Ask: conform.Text(`
				> [read] ReadRequest SinkSTag=0x1000 SinkTO=0xfffff800 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read] 00*65536`)},
		{Name: "sink-to-wraps", Requirements: []string{"RDMAP-4.4-6"},
			Says: "The Data Source does not mind that Sink TO and size exceed 64 bits: that is for the Data Sink to see.",
			Ask: bySize(`
				> [r%[3]d] ReadRequest SinkSTag=0x1000 SinkTO=0xffffffffffffffff RDMARDSZ=%[1]d SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r%[3]d] %[2]s`, 1, 2, 64, 65536)},
		{Name: "source-to-not-aligned", Requirements: []string{"RDMAP-4.4-4", "RDMAP-5.2.1-10"},
			Says: "A Read may begin at any octet of its source.", Ask: conform.Text(aligned())},
		{Name: "size-is-answered", Requirements: []string{"RDMAP-4.4-5", "RDMAP-5.2.1-11"},
			Says: "A Read Response has as many octets as were asked for, in as many segments as that takes.",
			Ask: bySize(`
				> [r%[3]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=%[1]d SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r%[3]d] %[2]s`, 0, 1, 2, 3, 4, 5, 7, 8, 9, 512, 1023, 1434, 1446, 1447, 1448, 1449, 1460,
				4095, 4096, 8961, 16384, 65535, 65536)},

		{Name: "request-of-the-peer", Requirements: []string{"RDMAP-4.4-1", "RDMAP-4.4-4", "RDMAP-4.4-5"},
			Says: "The peer's Read Request has the size, STag and TO that its ULP asks for.",
			Ask:  conform.Text(requests())},
		{Name: "response-is-placed", Requirements: []string{"RDMAP-4.4-2", "RDMAP-4.4-3", "RDMAP-5.5-19"},
			Says: "What a Read Response brings is where the peer's Read Request has asked for it.",
			Ask: conform.Text(`
				> Send {read! 12 100 0x1000 0x2000}
				< [request] ReadRequest RDMARDSZ=12 SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [request] "brought home"
				< Send {done read}
				> [before] ReadRequest SinkSTag=0x1000 RDMARDSZ=20 SrcSTag=$data SrcTO=$data_to+96
				< ReadResponse to [before] 00*4 "brought home" 00*4
				> Send {send 0 1 12 100 0}
				< Send "brought home"`)},
		{Name: "response-wraps", Requirements: []string{"RDMAP-4.4-6"},
			Says: "A Read Response whose TO and length exceed 64 bits is refused by the Data Sink.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x2000}
				< [request] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> [bad] ReadResponse to [request] TO=0xfffffffffffffffe "abcd"
				< OneOf
				or Refusal response-mismatch to [bad]
				or Refusal write-wrap to [bad]
				< ends`)},
	}
})

// aligned reads from each of the first octets of readonly.
func aligned() string {
	var b strings.Builder
	for i := range 17 {
		fmt.Fprintf(&b, "> [r%d] ReadRequest SinkSTag=0x1000 RDMARDSZ=33 SrcSTag=$readonly SrcTO=$readonly_to+%d\n", i, i)
		fmt.Fprintf(&b, "< ReadResponse to [r%d] %s\n", i, pattern(i, 33))
	}
	return b.String()
}

// requests has the peer read what has unusual numbers.
func requests() string {
	var b strings.Builder
	for i, r := range []struct {
		size     int
		stag, to string
	}{
		{0, "1", "0"}, {1, "1", "1"}, {4, "0xffffffff", "0"}, {7, "0x80000000", "0x7fffffffffffffff"}, {1000, "0xff",
			"0xffffffff"},
		{65536, "0x100", "0xfffffffffffeffff"},
	} {
		fmt.Fprintf(&b, `
			> Send {read! %[2]d 0 %[3]s %[4]s}
			< [r%[1]d] ReadRequest RDMARDSZ=%[2]d SrcSTag=%[3]s SrcTO=%[4]s
			> ReadResponse to [r%[1]d] %[5]s
			< Send {done read}`, i, r.size, r.stag, r.to, zeros(r.size))
	}
	return b.String()
}
