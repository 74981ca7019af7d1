package rfc5040

// Section 5.2: RDMA Reads.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section521 = about("5.2.1", "RDMA Read Request", func() []conform.Case {
	return []conform.Case{
		{Name: "answered", Requirements: []string{"RDMAP-5.2.1-3", "RDMAP-5.2.1-11", "RDMAP-5.2-1", "RDMAP-3.2-4", "V-068"},
			Says: "A Read Request is answered by a Read Response with the octets of the source.",
			Ask: conform.Text(`
				> [read] ReadRequest SinkSTag=0x1000 SinkTO=0x2000 RDMARDSZ=4096 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [read] ` + pattern(0, 4096))},
		{Name: "not-delivered", Requirements: []string{"RDMAP-5.2.1-4", "RDMAP-3.2-4", "V-237"},
			Says: "A Read Request consumes no receive buffer, and is not reported to the ULP.",
			Ask: conform.Text(`
				> reads 4 $readonly 00010203
				> [two] ReadRequest SinkSTag=0x1000 RDMARDSZ=0
				< ReadResponse to [two]
				> Send {report}
				< Send 00000000 ?*16`)},
		{Name: "part-of-a-buffer", Requirements: []string{"RDMAP-5.2.1-10", "RDMAP-8.1.1-3", "V-294"},
			Says: "A Read may cover any part of a buffer: the first octet, the last one, or octets in between.",
			Ask: conform.Text(readParts([][2]int{
				{0, 1}, {4095, 1}, {4094, 2}, {1, 4094}, {250, 3}, {1000, 1448}, {2048, 2048}, {0, 4096},
			}))},
		{Name: "in-order",
			Requirements: []string{"RDMAP-5.2.1-8", "RDMAP-5.2.2-7", "RDMAP-5.5-20", "RDMAP-B-3", "V-032", "V-254"},
			Says:         "Read Requests are answered in order, whatever their lengths.",
			Ask:          queued(8192, 1, 4096, 0, 100, 65536, 2, 1500)},
		{Name: "msn-counts", Requirements: []string{"RDMAP-5.2.1-2", "RDMAP-5.2.1-3"},
			Says: "Each Read Request is the next message of queue 1, whatever else is sent in between.",
			Ask: bySize(`
				> [r%[3]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=%[1]d SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r%[3]d] %[2]s
				> echoes "%[3]d"`, 4, 0, 4, 1, 0, 0, 8, 4, 2000, 4)},

		{Name: "no-octets", Requirements: []string{"RDMAP-5.2.1-12", "RDMAP-5.2.1-15", "RDMAP-4.4-5", "V-261"},
			Says: "A Read Request for zero octets is answered by an empty Read Response, in one segment.",
			Ask: conform.Text(`
				> ReadRequest SinkSTag=0x1000 SinkTO=0x2000 RDMARDSZ=0 SrcSTag=$data SrcTO=$data_to
				< Segment ReadResponse L STag=0x1000 TO=0x2000
				> ReadRequest SinkSTag=0 RDMARDSZ=0 SrcSTag=$data SrcTO=$data_to
				< Segment ReadResponse L STag=0 TO=0`)},
		{Name: "no-octets-from-nowhere", Requirements: []string{"RDMAP-5.2.1-14", "RDMAP-5.2.1-15", "V-200", "V-261"},
			Says: "Source STag and TO of a Read Request for zero octets are not checked.",
			Ask: oneByOne(`
				> [r%[2]d] ReadRequest SinkSTag=0x1000 SinkTO=0x2000 RDMARDSZ=0 SrcSTag=%[1]s
				< ReadResponse to [r%[2]d]`, "0 SrcTO=0", "0xdeadbeef SrcTO=0xdeadbeef", "0xffffffff SrcTO=0xffffffffffffffff",
				"$revoked SrcTO=$revoked_to", "$foreign SrcTO=$foreign_to", "$local SrcTO=$local_to",
				"$writeonly SrcTO=$writeonly_to", "$data SrcTO=$data_to+65536", "$data SrcTO=$data_to-1",
				"$data SrcTO=0xffffffffffffffff")},

		{Name: "source-not-valid",
			Requirements: []string{"RDMAP-5.2.1-5", "RDMAP-5.2.1-13", "RDMAP-3.2-4", "RDMAP-7.2-9", "V-161", "V-287"},
			Says:         "A Read of one octet is refused if the source STag is not valid.",
			Ask: conform.Each(parts.Refused("", "read-stag", `ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=%s`),
				"$revoked SrcTO=$revoked_to", "$revoked SrcTO=0", "0xdeadbeef SrcTO=0", "0xffffffff SrcTO=0xffff")},
		{Name: "refused-behind-good-ones", Requirements: []string{"RDMAP-5.2.1-8", "RDMAP-5.2.1-13"},
			Says: "Of several outstanding Reads, those before the wrong one are answered.",
			Ask: conform.Text(`
				> reads 4 $readonly 00010203
				> ReadRequest SinkSTag=0x1000 SinkTO=4 RDMARDSZ=4 SrcSTag=$foreign SrcTO=$foreign_to
				< refuses read-association`)},

		{Name: "requests-of-the-peer",
			Requirements: []string{"RDMAP-5.2.1-1", "RDMAP-5.2.1-2", "RDMAP-5.2.1-6", "RDMAP-5.2-1"},
			Says:         "The peer's Read Requests are in queue 1, with MSNs from 1 on, and are one segment each.",
			Ask: oneByOne(`
				> Send {read! 4 0 0x1000 %[1]s}
				< [r%[2]d] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=%[1]s
				> ReadResponse to [r%[2]d] "abcd"
				< Send {done read}`, "0x2000", "0x2004", "0x2008", "0x200c", "0x2010", "0x2014", "0x2018", "0x201c", "0x2020",
				"0x2024")},
		{Name: "order-of-the-peers-requests", Need: conform.Enhanced,
			Requirements: []string{"RDMAP-5.2.1-7", "RDMAP-5.2.1-9", "RDMAP-5.5-13", "V-249"},
			Says:         "The peer sends Read Requests in the order in which its ULP posts them.",
			Ask:          reader(16, func(limit int) string { return readBack(5, limit) })},
		{Name: "peer-reads-no-octets", Requirements: []string{"RDMAP-5.2.1-12", "RDMAP-4.4-5", "V-261"},
			Says: "The peer's Read Request for zero octets has size 0, and completes with an empty Read Response.",
			Ask: conform.Text(`
				> Send {read! 0 0 0x1000 0x2000}
				< [request] ReadRequest RDMARDSZ=0 SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [request]
				< Send {done read}`)},
	}
})

// readParts reads parts of readonly, given by offset and length.
func readParts(all [][2]int) string {
	var b strings.Builder
	for i, p := range all {
		fmt.Fprintf(&b, `
			> [r%[1]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=%[3]d SrcSTag=$readonly SrcTO=$readonly_to+%[2]d
			< ReadResponse to [r%[1]d] %[4]s`, i, p[0], p[1], pattern(p[0], p[1]))
	}
	return b.String()
}

// inbound returns how many outstanding Read Requests the peer must accept.
func inbound(s *conform.Setup) int { return min(s.Peer.IRD, 16) }

// reader returns the Ask of a case in which the peer has as many Reads outstanding as our IRD allows.
func reader(ird int, script func(limit int) string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string {
		limit := min(s.Peer.ORD, ird)
		if limit == 0 {
			return nil
		}
		return []string{script(limit)}
	}
}

// queued reads from data, each time a number of octets, with as many outstanding Reads as the peer must accept.
func queued(sizes ...int) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string {
		limit := inbound(s)
		if limit == 0 {
			return nil
		}
		var b strings.Builder
		for from := 0; from < len(sizes); from += limit {
			some := sizes[from:min(from+limit, len(sizes))]
			for i, n := range some {
				fmt.Fprintf(&b, "> [r%d] ReadRequest SinkSTag=0x%x RDMARDSZ=%d SrcSTag=$data SrcTO=$data_to\n", i, from+i+1, n)
			}
			for i, n := range some {
				fmt.Fprintf(&b, "< ReadResponse to [r%d] %s\n", i, zeros(n))
			}
		}
		return []string{b.String()}
	}
}

// waiting has the peer read n times at once, and expects the Requests up to the limit of those outstanding.
func waiting(n, limit int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "> Send {reads! %d 4 0 0x1000 0x2000}\n", n)
	for i := range min(n, limit) {
		b.WriteString(request(i))
	}
	return b.String()
}

// request returns the i-th Read Request of waiting.
func request(i int) string {
	return fmt.Sprintf("< [r%d] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x%x\n", i, 0x2000+4*i)
}

// readBack has the peer read n times at once, with a limit of outstanding Requests, and answers. The content comes back in
// a Send.
func readBack(n, limit int) string {
	var b strings.Builder
	b.WriteString(waiting(n, limit))
	for i := range n {
		fmt.Fprintf(&b, "> ReadResponse to [r%d] \"%04d\"\n", i, i)
		if i+limit < n {
			b.WriteString(request(i + limit))
		}
	}
	fmt.Fprintf(&b, "< Send {done read}\n> Send {send 0 1 %d 0 0}\n< Send", 4*n)
	for i := range n {
		fmt.Fprintf(&b, " \"%04d\"", i)
	}
	return b.String()
}

// reading has the peer read 4 octets, for which it still waits.
const reading = `
	> Send {read! 4 0 0x1000 0x2000}
	< [request] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
`

var section522 = about("5.2.2", "RDMA Read Response", func() []conform.Case {
	return []conform.Case{
		{Name: "as-many-as-ird", Requirements: []string{"RDMAP-5.2.2-3", "RDMAP-5.2.2-7", "RDMAP-6.1-2", "V-032"},
			Says: "As many Read Requests at once as the peer's IRD allows are all answered.", Ask: atOnce(512)},
		{Name: "as-many-as-ird-long", Requirements: []string{"RDMAP-5.2.2-3", "RDMAP-5.2.2-7", "RDMAP-6.1-2"},
			Says: "As many Read Requests at once as the peer's IRD allows are all answered, even with Responses of many segments.",
			Ask:  atOnce(30_000)},
		{Name: "again-as-many-as-ird", Requirements: []string{"RDMAP-5.2.2-3", "RDMAP-6.1-2"},
			Says: "Answered Read Requests no longer count: the next ones may follow.", Ask: atOnceAgain},
		{Name: "one-behind-the-other", Requirements: []string{"RDMAP-5.2.2-7", "RDMAP-5.2.2-1"},
			Says: "A Read Response does not begin before the previous one is complete.", Ask: queued(20_000, 4, 20_000, 4)},

		{Name: "in-segments", Requirements: []string{"RDMAP-5.2.2-4", "RDMAP-5.5-20b", "RDMAP-7.2-1"},
			Says: "The peer accepts a Read Response in segments of any length.",
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
			Says: "A Read of the peer completes with the last segment of its Response, and not before.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x2000}
				< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> Segment ReadResponse L=0 STag=$data TO=$data_to "ab"
				> Segment ReadResponse "cd"
				< Send {done read}`)},
		{Name: "not-delivered-as-message", Requirements: []string{"RDMAP-5.2.2-4", "V-237"},
			Says: "A Read Response consumes no receive buffer.",
			Ask: conform.Text(reading + `
				> ReadResponse to [request] "abcd"
				< Send {done read}
				> Send {report}
				< Send 00000001 ?*16`)},
		{Name: "sizes", Requirements: []string{"RDMAP-5.2.2-4", "RDMAP-5.5-19", "RDMAP-5.5-20b"},
			Says: "The peer accepts Read Responses of any requested length.",
			Ask: bySize(`
				> Send {read! %[1]d 0 0x1000 0x2000}
				< [r%[3]d] ReadRequest RDMARDSZ=%[1]d SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [r%[3]d] %[2]s
				< Send {done read}`, 0, 1, 2, 3, 4, 5, 1447, 1448, 1449, 4096, 65535, 65536)},

		{Name: "not-asked-for", Requirements: []string{"RDMAP-5.2.2-5", "RDMAP-7.1-3", "V-284"},
			Says: "A Read Response is refused if no Read Request was sent.",
			Ask:  conform.Text("> Segment ReadResponse STag=$data TO=$data_to \"abcd\"\n< refuses response-unexpected")},
		{Name: "not-asked-for-of-no-octets", Requirements: []string{"RDMAP-5.2.2-5"},
			Says: "An empty Read Response is refused if no Read Request was sent.",
			Ask:  conform.Text("> Segment ReadResponse STag=0 TO=0\n< refuses response-unexpected")},
		{Name: "answered-twice", Requirements: []string{"RDMAP-5.2.2-5"},
			Says: "A second Read Response to a Read Request is refused.",
			Ask: conform.Text(reading + `
				> ReadResponse to [request] "abcd"
				< Send {done read}
				> Segment ReadResponse STag=$data TO=$data_to "abcd"
				< refuses response-unexpected`)},
		{Name: "answered-twice-of-no-octets", Requirements: []string{"RDMAP-5.2.2-5"},
			Says: "A second Read Response to a Read Request for zero octets is refused.",
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
				> [bad] ReadResponse to [request] STag=%s "abcd"`+parts.Unplaced("response-stag", "write-stag"), "$revoked", "0xdeadbeef", "0")},
		{Name: "stag-without-right", Requirements: []string{"RDMAP-5.2.2-5", "RDMAP-5.2.2-8", "V-190"},
			Says: "A Read Response to a buffer of the peer without remote write access is refused.",
			Ask: conform.Each(reading+`
				> [bad] ReadResponse to [request] STag=%s "abcd"`+parts.Unplaced("response-stag", "write-access", "write-association"),
				"$readonly TO=$readonly_to", "$local TO=$local_to", "$foreign TO=$foreign_to")},
		{Name: "outside-the-buffer", Requirements: []string{"RDMAP-5.2.2-5", "RDMAP-5.2.2-8", "RDMAP-8.1.1-3"},
			Says: "A Read Response that goes outside the buffer of its STag is refused.",
			Ask: conform.Each(reading+`
				> [bad] ReadResponse to [request] STag=$data TO=%s "abcd"`+parts.Unplaced("response-bounds", "write-bounds"),
				"$data_to-1", "$data_to+65533", "$data_to+65536", "$data_to-4")},
		{Name: "other-stag", Requirements: []string{"RDMAP-5.2.2-8"},
			Says: "A Read Response to a buffer other than the requested one may be refused.",
			Ask:  mayBeRefused("response-stag", "STag=$writeonly TO=$writeonly_to \"abcd\"")},
		{Name: "other-to", Requirements: []string{"RDMAP-5.2.2-8"},
			Says: "A Read Response to a place other than the requested one may be refused.",
			Ask:  mayBeRefused("response-bounds", "STag=$data TO=$data_to+1 \"abcd\"")},
		{Name: "too-short", Requirements: []string{"RDMAP-5.2.2-8", "RDMAP-4.4-5"},
			Says: "A Read Response with fewer octets than requested may be refused.",
			Ask:  mayBeRefused("response-bounds", "STag=$data TO=$data_to \"abc\"", "STag=$data TO=$data_to")},
		{Name: "too-long", Requirements: []string{"RDMAP-5.2.2-8", "RDMAP-4.4-5"},
			Says: "A Read Response with more octets than requested may be refused.",
			Ask:  mayBeRefused("response-bounds", "STag=$data TO=$data_to \"abcde\"", "STag=$data TO=$data_to 00*1000")},
		// A kernel placed such segments (2026).
		{Name: "beyond-the-sink-in-segments", Requirements: []string{"RDMAP-5.2.2-5", "RDMAP-5.2.2-8", "RDMAP-8.1.1-3"}, Crasher: true,
			Says: "Segments with L clear that go on behind the octets of the Read and the end of its buffer are refused.",
			Ask: conform.Text(`
				> Send {read 4 65532 0x1000 0x2000}
				< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> Segment ReadResponse L=0 STag=$data TO=$data_to+65532 "abcd"
				> [bad] Segment ReadResponse L=0 "efgh"` + parts.Unplaced("response-bounds", "write-bounds"))},
	}
})

// mayBeRefused answers a Read of the peer with something other than requested, which the peer need not detect.
func mayBeRefused(situation string, responses ...string) func(*conform.Setup) []string {
	return conform.Each(reading+`
		> [bad] Segment ReadResponse %s
		< OneOf
		or Refusal `+situation+` to [bad]
		may "RDMAP-5.2.2-8 leaves it to the Data Sink whether it compares Responses with its Requests" Send {done read}
		< ends`, responses...)
}

// atOnce sends as many Read Requests at once as the peer must accept.
func atOnce(size int) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string { return queued(slices.Repeat([]int{size}, inbound(s))...)(s) }
}

// atOnceAgain keeps as many Read Requests outstanding as the peer must accept.
func atOnceAgain(s *conform.Setup) []string {
	return queued(slices.Repeat([]int{100}, 4*inbound(s))...)(s)
}
