package rfc5041

// The header of untagged segments: RsvdULP, QN, MSN and MO.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section43 = about("4.3", "the header of untagged segments", func() []conform.Case {
	return []conform.Case{
		{Name: "rsvdulp-changes", Requirements: []string{"DDP-4.3-5"},
			Says: "A sink need not compare the RsvdULP of the segments of a message.",
			Ask: conform.Text(`
				> Segment Send L=0 {echo "one "}
				> Segment Send InvalidateSTag=0x01020304 "and another"
				< OneOf
				or Send {echo "one and another"}
				may "a sink may compare RsvdULP" Terminate
				< ends`)},
		{Name: "first-msn", Requirements: []string{"DDP-4.3-7", "DDP-4.3-8"},
			Says: "The MSN of the first message is 1, and that of each one behind it is one more.",
			Ask: conform.Text(`
				> Segment Send MSN=1 {echo "1"}
				< Send {echo "1"}
				> Segment Send MSN=2 {echo "2"}
				< Send {echo "2"}
				> Segment Send MSN=3 {echo "3"}
				< Send {echo "3"}`)},
		{Name: "first-msn-wrong", Requirements: []string{"DDP-4.3-8", "DDP-7.1-5"},
			Says: "A first message whose MSN is not 1 is refused.",
			Ask: conform.Each(`
				> Segment Send MSN=%s {echo "the first"}
				< refuses send-msn`, "0", "2", "0xffffffff")},
		{Name: "first-read-msn", Requirements: []string{"DDP-4.3-7", "DDP-4.3-8"},
			Says: "Each queue has MSNs of its own: those of Read Requests begin with 1 too, whatever was sent before.",
			Ask: conform.Text(`
				> Send {quiet "1"}
				> Send {quiet "2"}
				> Segment ReadRequest MSN=1 SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse STag=0x1000 00010203
				> Segment Send MSN=3 {echo "3"}
				< Send {echo "3"}
				> Segment ReadRequest MSN=2 SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to+4
				< ReadResponse STag=0x1000 04050607`)},
		{Name: "first-read-msn-wrong", Requirements: []string{"DDP-4.3-8", "DDP-7.1-5", "V-287"},
			Says: "A first Read Request whose MSN is not 1 is refused.",
			Ask: conform.Each(greeting+`
				> Segment ReadRequest MSN=%s SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-msn`, "0", "2", "0xffffffff")},
		{Name: "msn-counts", Requirements: []string{"DDP-4.3-7", "DDP-5.3-6", "V-234", "V-251"},
			Says: "MSNs go on beyond the number of receive buffers.",
			Ask:  manyMessages},
		{Name: "msn-repeated", Requirements: []string{"DDP-4.3-7", "DDP-5.3-5", "DDP-7.1-5"},
			Says: "A message with the MSN of one that was delivered is refused.",
			Ask: greeted(`
				> Segment Send MSN=1 {echo "again"}
				< refuses send-msn`)},
		{Name: "msn-left-out", Requirements: []string{"DDP-4.3-7", "DDP-7.1-5"},
			Says: "A message is refused if the one with the MSN before is missing.",
			Ask: greeted(`
				> Segment Send MSN=3 {echo "one is missing"}
				< refuses send-msn`)},
		{Name: "read-msn-repeated", Requirements: []string{"DDP-4.3-7", "DDP-7.1-5", "V-287"},
			Says: "A Read Request with the MSN of the one before, or with one left out, is refused.",
			Ask: conform.Each(greeting+`
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [read] 00010203
				> [bad] Segment ReadRequest MSN=%d SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-msn to [bad]`, 1, 3)},
		{Name: "msn-changes", Requirements: []string{"DDP-4.3-10", "DDP-7.1-5"},
			Says: "A segment that goes on in a message with another MSN is refused.",
			Ask: conform.Each(greeting+`
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Send MSN=%d "so good"
				< refuses send-msn to [bad]`, 1, 3)},
		{Name: "qn-changes", Requirements: []string{"DDP-4.3-6", "DDP-7.1-1"},
			Says: "A segment that goes on in a message with another QN is refused.",
			Ask: greeted(`
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Send QN=1 MSN=2 MO=11 "so good"
				< refuses qn-opcode to [bad]`, `
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Send QN=9 MSN=2 MO=11 "so good"
				< refuses qn-undefined to [bad]`)},
		{Name: "first-mo", Requirements: []string{"DDP-4.3-11", "DDP-5.2-12"},
			Says: "A sink need not mind a message that begins with another MO than 0, and may refuse it.",
			Ask: listening(conform.Each(`
				> [odd] Segment Send MO=%d 00*4`+either("mo", "Silence QUIET"), 1, 4, 4096))},
		{Name: "read-mo", Requirements: []string{"DDP-4.3-11", "DDP-7.1-3"},
			Says: "A Read Request whose MO is not 0 is refused: the buffer for it has 28 octets.",
			Ask: conform.Each(greeting+`
				> Segment ReadRequest MO=%s SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-mo`, "1", "28", "0xffffffff")},
		{Name: "own-untagged",
			Requirements: []string{"DDP-4.3-6", "DDP-4.3-7", "DDP-4.3-8", "DDP-4.3-10", "DDP-4.3-11", "DDP-5.2-6"},
			Says:         "The MSNs of the peer's own messages grow by one in each queue, and its MOs count octets.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"*20000 "b"*20000 "c"*25536
				> Send {send! 0 1 65536 0 0}
				< Send "a"*20000 "b"*20000 "c"*25536
				< Send {done send}
				> Send {reads! 2 4 0 0x2000 0x30000}
				< [one] ReadRequest RDMARDSZ=4 SrcSTag=0x2000 SrcTO=0x30000
				< [two] ReadRequest RDMARDSZ=4 SrcSTag=0x2000 SrcTO=0x30004
				> ReadResponse to [one] "abcd"
				> ReadResponse to [two] "efgh"
				< Send {done reads}
				> Send {send 0 4 2 0 0}
				< Send "ab"
				< Send "ab"
				< Send "ab"
				< Send "ab"`)},
	}
})

// manyMessages returns more messages than there are Receives, each answered before the next one.
func manyMessages(setup *conform.Setup) []string {
	var s strings.Builder
	for msn := range min(2*setup.Peer.Offer.Receives, 200) + 2 {
		fmt.Fprintf(&s, "> Segment Send MSN=%d {echo %08x}\n< Send {echo %08x}\n", msn+1, msn, msn)
	}
	return []string{s.String()}
}
