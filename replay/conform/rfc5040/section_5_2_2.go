package rfc5040

// Read Responses: those of the peer, and those that answer its Reads.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

// reading has the peer read 4 octets, which it has not got yet.
const reading = `
	> Send {read! 4 0 0x1000 0x2000}
	< [request] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
`

var section522 = about("5.2.2", "RDMA Read Response", func() []conform.Case {
	return []conform.Case{
		{Name: "as-many-as-ird", Requirements: []string{"RDMAP-5.2.2-3", "RDMAP-5.2.2-7", "RDMAP-6.1-2", "V-032"},
			Says: "As many Read Requests at once as the peer's IRD are all answered.", Ask: atOnce(512)},
		{Name: "as-many-as-ird-long", Requirements: []string{"RDMAP-5.2.2-3", "RDMAP-5.2.2-7", "RDMAP-6.1-2"},
			Says: "As many Read Requests at once as the peer's IRD are all answered if their Responses take many segments, too.",
			Ask:  atOnce(30_000)},
		{Name: "again-as-many-as-ird", Requirements: []string{"RDMAP-5.2.2-3", "RDMAP-6.1-2"},
			Says: "What was answered does not count: the next Read Requests may follow.", Ask: atOnceAgain},
		{Name: "one-behind-the-other", Requirements: []string{"RDMAP-5.2.2-7", "RDMAP-5.2.2-1"},
			Says: "A Read Response does not begin before the one before it is whole.", Ask: queued(20_000, 4, 20_000, 4)},

		{Name: "in-segments", Requirements: []string{"RDMAP-5.2.2-4", "RDMAP-5.5-20b", "RDMAP-7.2-1"},
			Says: "The peer takes a Read Response in segments of any length.",
			Ask: conform.Text(`
				> Send {read! 10 0 0x1000 0x2000}
				< ReadRequest RDMARDSZ=10 SrcSTag=0x1000 SrcTO=0x2000
				> Segment ReadResponse L=0 STag=$data TO=$data_to "a"
				> Segment ReadResponse L=0 "bcd"
				> Segment ReadResponse L=0 "efghi"
				> Segment ReadResponse "j"
				< Send {done read}
				> Send {send 0 1 10 0 0}
				< Send "abcdefghij"`)},
		{Name: "done-with-the-last-segment", Requirements: []string{"RDMAP-5.5-19", "RDMAP-5.5-20b", "RDMAP-5.2.2-4"},
			Says: "A Read of the peer is done with the last segment of its Response, and not before.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x2000}
				< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> Segment ReadResponse L=0 STag=$data TO=$data_to "ab"
				> Segment ReadResponse "cd"
				< Send {done read}`)},
		{Name: "not-delivered-as-message", Requirements: []string{"RDMAP-5.2.2-4", "V-237"},
			Says: "A Read Response takes no receive buffer.",
			Ask: conform.Text(reading + `
				> ReadResponse to [request] "abcd"
				< Send {done read}
				> Send {report}
				< Send 00000001 ?*16`)},
		{Name: "sizes", Requirements: []string{"RDMAP-5.2.2-4", "RDMAP-5.5-19", "RDMAP-5.5-20b"},
			Says: "The peer takes Read Responses of any length that it has asked for.",
			Ask: bySize(`
				> Send {read! %[1]d 0 0x1000 0x2000}
				< [r%[3]d] ReadRequest RDMARDSZ=%[1]d SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [r%[3]d] %[2]s
				< Send {done read}`, 0, 1, 2, 3, 4, 5, 1447, 1448, 1449, 4096, 65535, 65536)},

		{Name: "not-asked-for", Requirements: []string{"RDMAP-5.2.2-5", "RDMAP-7.1-3", "V-284"},
			Says: "A Read Response is refused if no Read Request was sent.",
			Ask:  conform.Text("> Segment ReadResponse STag=$data TO=$data_to \"abcd\"\n< refuses response-unexpected")},
		{Name: "not-asked-for-of-no-octets", Requirements: []string{"RDMAP-5.2.2-5"},
			Says: "A Read Response of no octets is refused if no Read Request was sent.",
			Ask:  conform.Text("> Segment ReadResponse STag=0 TO=0\n< refuses response-unexpected")},
		{Name: "answered-twice", Requirements: []string{"RDMAP-5.2.2-5"},
			Says: "A second Read Response to a Read Request is refused.",
			Ask: conform.Text(reading + `
				> ReadResponse to [request] "abcd"
				< Send {done read}
				> Segment ReadResponse STag=$data TO=$data_to "abcd"
				< refuses response-unexpected`)},
		{Name: "answered-twice-of-no-octets", Requirements: []string{"RDMAP-5.2.2-5"},
			Says: "A second Read Response to a Read Request for no octets is refused.",
			Ask: conform.Text(`
				> Send {read! 0 0 0x1000 0x2000}
				< [request] ReadRequest RDMARDSZ=0 SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [request]
				< Send {done read}
				> Segment ReadResponse STag=0 TO=0
				< refuses response-unexpected`)},
		{Name: "stag-not-valid", Requirements: []string{"RDMAP-5.2.2-5", "RDMAP-5.2.2-8", "RDMAP-7.1-3"},
			Says: "A Read Response to an STag that is not valid is refused.",
			Ask: conform.Each(reading+`
				> [bad] ReadResponse to [request] STag=%s "abcd"`+parts.Unplaced("write-stag"), "$revoked", "0xdeadbeef", "0")},
		{Name: "stag-without-right", Requirements: []string{"RDMAP-5.2.2-5", "RDMAP-5.2.2-8", "V-190"},
			Says: "A Read Response to a buffer of the peer that nobody may write to from outside is refused.",
			Ask: conform.Each(reading+`
				> [bad] ReadResponse to [request] STag=%s "abcd"`+parts.Unplaced("write-access", "write-association"),
				"$readonly TO=$readonly_to", "$local TO=$local_to", "$foreign TO=$foreign_to")},
		{Name: "outside-the-buffer", Requirements: []string{"RDMAP-5.2.2-5", "RDMAP-5.2.2-8", "RDMAP-8.1.1-3"},
			Says: "A Read Response that goes outside the buffer of its STag is refused.",
			Ask: conform.Each(reading+`
				> [bad] ReadResponse to [request] STag=$data TO=%s "abcd"`+parts.Unplaced("write-bounds"),
				"$data_to-1", "$data_to+65533", "$data_to+65536", "$data_to-4")},
		{Name: "other-stag", Requirements: []string{"RDMAP-5.2.2-8"},
			Says: "A Read Response to another buffer of the peer than it has asked for may be refused.",
			Ask:  mayBeRefused("STag=$writeonly TO=$writeonly_to \"abcd\"")},
		{Name: "other-to", Requirements: []string{"RDMAP-5.2.2-8"},
			Says: "A Read Response to another place than the peer has asked for may be refused.",
			Ask:  mayBeRefused("STag=$data TO=$data_to+1 \"abcd\"")},
		{Name: "too-short", Requirements: []string{"RDMAP-5.2.2-8", "RDMAP-4.4-5"},
			Says: "A Read Response with less than the peer has asked for may be refused.",
			Ask:  mayBeRefused("STag=$data TO=$data_to \"abc\"", "STag=$data TO=$data_to")},
		{Name: "too-long", Requirements: []string{"RDMAP-5.2.2-8", "RDMAP-4.4-5"},
			Says: "A Read Response with more than the peer has asked for may be refused.",
			Ask:  mayBeRefused("STag=$data TO=$data_to \"abcde\"", "STag=$data TO=$data_to 00*1000")},
	}
})

// mayBeRefused answers a Read of the peer with something else than it has asked for, which the peer need not find out.
func mayBeRefused(responses ...string) func(*conform.Setup) []string {
	return conform.Each(reading+`
		> [bad] Segment ReadResponse %s
		< OneOf
		or Refusal response-mismatch to [bad]
		may "RDMAP-5.2.2-8 leaves it to the Data Sink whether it compares Responses with its Requests" Send {done read}
		< ends`, responses...)
}

// atOnce sends as many Read Requests at once as the peer has to take in.
func atOnce(size int) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string { return queued(same(size, inbound(s))...)(s) }
}

// atOnceAgain keeps as many Read Requests under way as the peer has to take in.
func atOnceAgain(s *conform.Setup) []string { return queued(same(100, 4*inbound(s))...)(s) }

func same(size, n int) []int {
	sizes := make([]int, n)
	for i := range sizes {
		sizes[i] = size
	}
	return sizes
}
