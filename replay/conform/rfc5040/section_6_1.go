package rfc5040

// A stream in RDMA mode: nothing but RDMA Messages, and as many Reads as were agreed on.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section61 = about("6.1", "Stream initialization", func() []conform.Case {
	return []conform.Case{
		{Name: "octets-of-another-protocol", Requirements: []string{"RDMAP-6.1-1", "RDMAP-3.1-1"},
			Says: "Octets that are no RDMA Message are refused once the stream is in RDMA mode.",
			Ask: conform.Each(hello+`
				> Octets %s
				< refuses fpdu-crc`, `0012 "GET / HTTP/1.0 " 0d0a0d0a 00*3`, `00*64`, `001c 00*34`)},
		{Name: "mpa-frame-again", Requirements: []string{"RDMAP-6.1-1"}, Role: conform.AsInitiator,
			Says: "Octets of a second MPA Request are refused once the stream is in RDMA mode.",
			Ask:  conform.Text(hello + "\n> Octets 0012 \"MPA ID Req Frame\" 40010000 00*4\n< refuses fpdu-crc")},
		{Name: "ird-of-1", Requirements: []string{"RDMAP-6.1-2"}, Begin: conform.Begin{ORD: 1}, Need: conform.Enhanced,
			Says: "Reads are answered one by one where we have agreed on one at a time.",
			Ask: bySize(`
				> [r%[3]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=%[1]d SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r%[3]d] %[2]s`, 4, 65536, 0, 4096)},
		{Name: "ord-1-is-kept", Begin: conform.Begin{IRD: 1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-4", "RDMAP-8.1.1-11", "V-140", "V-141"},
			Says:         "The peer has one Read outstanding, and no more, where our IRD is 1.", Ask: kept(1)},
		{Name: "ord-2-is-kept", Begin: conform.Begin{IRD: 2}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-4", "RDMAP-8.1.1-11", "V-140", "V-141"},
			Says:         "The peer has no more Reads outstanding than our IRD, which is 2.", Ask: kept(2)},
		{Name: "ord-0-is-kept", Begin: conform.Begin{IRD: -1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-4", "RDMAP-8.1.1-11", "V-140", "V-142"},
			Says:         "The peer sends no Read Request where our IRD is 0.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x2000}
				< OneOf
				or Send {answer read 1 0}
				may "its ULP has tried it nevertheless" Send {answer read 2 0}
				may "its ULP has tried it nevertheless, and the RNIC has refused that" Refusal local
				< ends`)},
		{Name: "stalled-reads-go-on", Begin: conform.Begin{IRD: 1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-3", "RDMAP-6.1-4", "V-141"},
			Says:         "Reads that the peer had to hold back follow one by one as Responses come.",
			Ask:          reader(1, func(limit int) string { return readBack(6, limit) })},
		{Name: "stalled-reads-hold-what-follows", Begin: conform.Begin{IRD: 1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-5.5-13", "RDMAP-6.1-4", "V-141"},
			Says:         "What the peer's ULP has asked for behind a Read that is held back is not sent before that.",
			Ask: conform.Text(`
				> Send {reads 2 4 0 0x1000 0x2000}
				> Send {write! 4 100 0x1000 0x3000}
				< [one] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [one] "abcd"
				< [two] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2004
				< Write STag=0x1000 TO=0x3000 00*4
				> ReadResponse to [two] "efgh"
				< Send {done write}`)},
	}
})

// kept has the peer read more often at once than our IRD allows, and sees that it has not done so when it answers a
// Read of ours, which needs no work of its ULP.
func kept(ird int) func(*conform.Setup) []string {
	return reader(ird, func(limit int) string {
		return waiting(8, limit) + `
			> [probe] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
			< ReadResponse to [probe] 00010203
			> Terminate 0/0/00
			< closes`
	})
}
