package rfc5040

// Read Requests: those that the peer answers, and those that it sends.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section521 = about("5.2.1", "RDMA Read Request", func() []conform.Case {
	return []conform.Case{
		{Name: "answered", Requirements: []string{"RDMAP-5.2.1-3", "RDMAP-5.2.1-11", "RDMAP-5.2-1", "RDMAP-3.2-4", "V-068"},
			Says: "A Read Request is answered with a Read Response that has the octets of the source.",
			Ask: conform.Text(`
				> [read] ReadRequest SinkSTag=0x1000 SinkTO=0x2000 RDMARDSZ=4096 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [read] ` + pattern(0, 4096))},
		{Name: "not-delivered", Requirements: []string{"RDMAP-5.2.1-4", "RDMAP-3.2-4", "V-237"},
			Says: "A Read Request takes no receive buffer, and the ULP does not hear of it.",
			Ask: conform.Text(`
				> [one] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [one] 00010203
				> [two] ReadRequest SinkSTag=0x1000 RDMARDSZ=0
				< ReadResponse to [two]
				> Send {report}
				< Send 00000000 ?*16`)},
		{Name: "part-of-a-buffer", Requirements: []string{"RDMAP-5.2.1-10", "RDMAP-8.1.1-3", "V-294"},
			Says: "A Read may cover any part of a buffer: its first octet, its last one, those in between.",
			Ask: conform.Text(readParts([][2]int{
				{0, 1}, {4095, 1}, {4094, 2}, {1, 4094}, {250, 3}, {1000, 1448}, {2048, 2048}, {0, 4096},
			}))},
		{Name: "in-order",
			Requirements: []string{"RDMAP-5.2.1-8", "RDMAP-5.2.2-7", "RDMAP-5.5-20", "RDMAP-B-3", "V-032", "V-254"},
			Says:         "Read Requests are answered in their order, the long ones as the short ones.",
			Ask:          queued(8192, 1, 4096, 0, 100, 65536, 2, 1500)},
		{Name: "msn-counts", Requirements: []string{"RDMAP-5.2.1-2", "RDMAP-5.2.1-3"},
			Says: "Each Read Request is the next message of queue 1, whatever else is sent in between.",
			Ask: bySize(`
				> [r%[3]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=%[1]d SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r%[3]d] %[2]s
				> Send {echo "%[3]d"}
				< Send {echo "%[3]d"}`, 4, 0, 4, 1, 0, 0, 8, 4, 2000, 4)},

		{Name: "no-octets", Requirements: []string{"RDMAP-5.2.1-12", "RDMAP-5.2.1-15", "RDMAP-4.4-5", "V-261"},
			Says: "A Read Request for no octets is answered with a Read Response of none, in one segment.",
			Ask: conform.Text(`
				> ReadRequest SinkSTag=0x1000 SinkTO=0x2000 RDMARDSZ=0 SrcSTag=$data SrcTO=$data_to
				< Segment ReadResponse L STag=0x1000 TO=0x2000
				> ReadRequest SinkSTag=0 RDMARDSZ=0 SrcSTag=$data SrcTO=$data_to
				< Segment ReadResponse L STag=0 TO=0`)},
		{Name: "no-octets-from-nowhere", Requirements: []string{"RDMAP-5.2.1-14", "RDMAP-5.2.1-15", "V-200", "V-261"},
			Says: "Source STag and TO of a Read Request for no octets are not looked at.",
			Ask: oneByOne(`
				> [r%[2]d] ReadRequest SinkSTag=0x1000 SinkTO=0x2000 RDMARDSZ=0 SrcSTag=%[1]s
				< ReadResponse to [r%[2]d]`, "0 SrcTO=0", "0xdeadbeef SrcTO=0xdeadbeef", "0xffffffff SrcTO=0xffffffffffffffff",
				"$revoked SrcTO=$revoked_to", "$foreign SrcTO=$foreign_to", "$local SrcTO=$local_to",
				"$writeonly SrcTO=$writeonly_to", "$data SrcTO=$data_to+65536", "$data SrcTO=$data_to-1",
				"$data SrcTO=0xffffffffffffffff")},

		{Name: "source-not-valid",
			Requirements: []string{"RDMAP-5.2.1-5", "RDMAP-5.2.1-13", "RDMAP-3.2-4", "RDMAP-7.2-9", "V-161", "V-287"},
			Says:         "A Read of one octet is refused if the source STag is not valid.",
			Ask: conform.Each(`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=%s
				< refuses read-stag`, "$revoked SrcTO=$revoked_to", "$revoked SrcTO=0", "0xdeadbeef SrcTO=0",
				"0xffffffff SrcTO=0xffff")},
		{Name: "refused-behind-good-ones", Requirements: []string{"RDMAP-5.2.1-8", "RDMAP-5.2.1-13"},
			Says: "Of Reads that are under way together those before the one that is wrong are answered.",
			Ask: conform.Text(`
				> [one] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [one] 00010203
				> ReadRequest SinkSTag=0x1000 SinkTO=4 RDMARDSZ=4 SrcSTag=$foreign SrcTO=$foreign_to
				< refuses read-association`)},

		{Name: "requests-of-the-peer",
			Requirements: []string{"RDMAP-5.2.1-1", "RDMAP-5.2.1-2", "RDMAP-5.2.1-6", "RDMAP-5.2-1"},
			Says:         "The peer's Read Requests are in queue 1, with MSNs that count from 1, and are one segment each.",
			Ask: oneByOne(`
				> Send {read! 4 0 0x1000 %[1]s}
				< [r%[2]d] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=%[1]s
				> ReadResponse to [r%[2]d] "abcd"
				< Send {done read}`, "0x2000", "0x2004", "0x2008", "0x200c", "0x2010", "0x2014", "0x2018", "0x201c", "0x2020",
				"0x2024")},
		{Name: "order-of-the-peers-requests", Need: conform.Enhanced,
			Requirements: []string{"RDMAP-5.2.1-7", "RDMAP-5.2.1-9", "RDMAP-5.5-13", "V-249"},
			Says:         "The peer's Read Requests come in the order in which its ULP has asked for them.",
			Ask:          reader(16, func(limit int) string { return readBack(5, limit) })},
		{Name: "peer-reads-no-octets", Requirements: []string{"RDMAP-5.2.1-12", "RDMAP-4.4-5", "V-261"},
			Says: "The peer's Read Request for no octets has size 0, and is done with a Read Response of none.",
			Ask: conform.Text(`
				> Send {read! 0 0 0x1000 0x2000}
				< [request] ReadRequest RDMARDSZ=0 SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [request]
				< Send {done read}`)},
	}
})

// readParts reads parts of readonly, which are given by their offsets and lengths.
func readParts(all [][2]int) string {
	var b strings.Builder
	for i, p := range all {
		fmt.Fprintf(&b, `
			> [r%[1]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=%[3]d SrcSTag=$readonly SrcTO=$readonly_to+%[2]d
			< ReadResponse to [r%[1]d] %[4]s`, i, p[0], p[1], pattern(p[0], p[1]))
	}
	return b.String()
}

// inbound returns how many Read Requests the peer has to take in at once.
func inbound(s *conform.Setup) int { return min(s.Peer.IRD, 16) }

// reader returns the Ask of a case in which the peer reads as often at once as it may, if we offer an IRD.
func reader(ird int, script func(limit int) string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string {
		limit := min(s.Peer.ORD, ird)
		if limit == 0 {
			return nil
		}
		return []string{script(limit)}
	}
}

// queued reads so many octets each time from data, as often at once as the peer has to take in.
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

// waiting has the peer read n times at once, of which so many may be outstanding and are.
func waiting(n, limit int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "> Send {reads! %d 4 0 0x1000 0x2000}\n", n)
	for i := range min(n, limit) {
		b.WriteString(request(i))
	}
	return b.String()
}

// request returns the Read Request with an index among those of waiting.
func request(i int) string {
	return fmt.Sprintf("< [r%d] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x%x\n", i, 0x2000+4*i)
}

// readBack has the peer read n times at once, of which so many may be outstanding, and answers. The content goes back
// in a Send.
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
