package rfc5041

// Section 4: the DDP headers.

import (
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section41 = about("4.1", "the DDP control octet", func() []conform.Case {
	return []conform.Case{
		{Name: "tagged-buffer", Requirements: []string{"DDP-4.1-1", "DDP-5.2-5", "V-068"},
			Says: "The payload of a segment with T set is placed where its STag and TO say.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a tagged message"
				> Send {send 0 1 16 0 0}
				< Send "a tagged message"`)},
		{Name: "untagged-buffer", Requirements: []string{"DDP-4.1-2", "DDP-5.2-5", "V-068"},
			Says: "The payload of a segment with T clear is placed in a receive buffer, and nowhere else.",
			Ask: conform.Text(`
				> echoes "an untagged message"
				> Send {send 0 1 32 0 0}
				< Send 00*32`)},
		{Name: "last", Requirements: []string{"DDP-4.1-7", "DDP-5.4-1"},
			Says: "A message is delivered when the segment with L arrives, and not before.",
			Ask: conform.Text(`
				> Segment Send L=0 {echo "one, "}
				> Segment Send L=0 "two, "
				< Silence
				> Segment Send "three"
				< Send {echo "one, two, three"}`)},
		{Name: "read-request-without-last", Requirements: []string{"DDP-4.1-3"},
			Says: "A Read Request without L is refused: it is always the last segment of its message.",
			Ask: conform.Text(parts.Refused(greeting, "l-missing",
				`Segment ReadRequest L=0 SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to`))},
		{Name: "rsvd-untagged", Requirements: []string{"DDP-4.1-9"},
			Says: "The reserved bits of an untagged segment are not checked.",
			Ask:  conform.Text(parts.Count(1, 15, "> Segment Send Rsvd=%[1]d {echo %02[1]x}\n< Send {echo %02[1]x}\n"))},
		{Name: "rsvd-tagged", Requirements: []string{"DDP-4.1-9"},
			Says: "The reserved bits of a tagged segment are not checked.",
			Ask: conform.Text(parts.Count(1, 15, "> Segment Write Rsvd=%[1]d STag=$data TO=$data_to+%[1]d %02[1]x\n") +
				"> Send {send 0 1 16 0 0}\n< Send 00" + counted(15) + "\n")},
		{Name: "rsvd-read-request", Requirements: []string{"DDP-4.1-9"},
			Says: "The reserved bits of a Read Request are not checked.",
			Ask: conform.Text(`
				> Segment ReadRequest Rsvd=15 SinkSTag=0x1000 SinkTO=0x20000 RDMARDSZ=8 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse STag=0x1000 TO=0x20000 0001020304050607`)},
		{Name: "version-untagged", Requirements: []string{"DDP-4.1-10", "DDP-6.2.2-1", "DDP-7.2-1", "V-284"},
			Says: "An untagged segment is refused if its version is not that of the stream.",
			Ask: ofWrongVersion(`
				> Segment Send DV=%d {echo "another version"}
				< refuses ddp-version-untagged`)},
		{Name: "version-tagged", Requirements: []string{"DDP-4.1-10", "DDP-6.2.2-1", "DDP-7.2-1", "V-284"},
			Says: "A tagged segment is refused if its version is not that of the stream.",
			Ask: ofWrongVersion(`
				> Segment Write DV=%d STag=$data TO=$data_to "another version"
				< refuses ddp-version-tagged`)},
		{Name: "version-read-request", Requirements: []string{"DDP-4.1-10", "DDP-6.2.2-1"},
			Says: "A Read Request is refused if its version is not that of the stream.",
			Ask: ofWrongVersion(`
				> Segment ReadRequest DV=%d SinkSTag=0x1000 SinkTO=0x20000 RDMARDSZ=8 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses ddp-version-untagged`)},
		{Name: "version-of-nothing", Requirements: []string{"DDP-4.1-10"},
			Says: "The version is checked in a segment without payload, too.",
			Ask: greeted(`
				> Segment Send DV=2
				< refuses ddp-version-untagged`, `
				> Segment Write DV=2
				< refuses ddp-version-tagged`)},
		{Name: "version-changes", Requirements: []string{"DDP-4.1-10", "DDP-4.1-11"},
			Says: "The version is the same in all segments of a message.",
			Ask: greeted(`
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Send DV=2 "so good"
				< refuses ddp-version-untagged to [bad]`, `
				> Segment Write L=0 STag=$data TO=$data_to "so far "
				> [bad] Segment Write DV=2 "so good"
				< refuses ddp-version-tagged to [bad]`)},
		{Name: "version-first", Requirements: []string{"DDP-4.1-10", "DDP-7.2-1"}, Crasher: true,
			Says: "The first segment of a connection is refused if its version is wrong, like any other.",
			Ask: conform.Texts(`
				> Segment Send DV=2 {echo "the first"}
				< refuses ddp-version-untagged`, `
				> Segment Write DV=2 STag=$data TO=$data_to "the first"
				< refuses ddp-version-tagged`)},
		{Name: "own-segments",
			Requirements: []string{"DDP-4.1-3", "DDP-4.1-4", "DDP-4.1-8", "DDP-4.1-10", "DDP-4.1-11", "DDP-4.2-1", "DDP-4.3-1"},
			Says:         "The peer's own segments have version 1, no reserved bit, and L where their message ends.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "e"*4000
				> Send {write 4000 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 "e"*4000
				> Send {send 0 1 4000 0 0}
				< Send "e"*4000
				> Send {read! 4 0 0x2000 0x30000}
				< [read] ReadRequest RDMARDSZ=4 SrcSTag=0x2000 SrcTO=0x30000
				> ReadResponse to [read] "read"
				< Send {done read}
				> [theirs] ReadRequest SinkSTag=0x3000 SinkTO=0x40000 RDMARDSZ=4000 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [theirs] "read" "e"*3996`)},
		{Name: "own-sends",
			Requirements: []string{"DDP-4.1-3", "DDP-4.1-4", "DDP-4.1-8", "DDP-4.1-10", "DDP-4.3-1", "DDP-4.3-2"},
			Says:         "The same holds for the peer's own Sends with Solicited Event and with Invalidate.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "e"*4000
				> Send {send 2 1 4000 0 0}
				< SendSE "e"*4000
				> Send {send 4 1 4000 0 0x1000}
				< SendInvalidate InvalidateSTag=0x1000 "e"*4000
				> Send {send 6 1 4000 0 0x1000}
				< SendSEInvalidate InvalidateSTag=0x1000 "e"*4000`)},
	}
})

// ofWrongVersion sends each version other than that of the stream.
func ofWrongVersion(script string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string { return conform.Each(greeting+script, s.Peer.WrongVersions()...)(s) }
}

var section42 = about("4.2", "the header of tagged segments", func() []conform.Case {
	return []conform.Case{
		{Name: "arbitrary-to", Requirements: []string{"DDP-4.2-9", "DDP-5.2-5"},
			Says: "A tagged message may begin at any TO of its buffer, and is placed there and nowhere else.",
			Ask:  arbitraryTO},
		{Name: "first-and-last-octet", Requirements: []string{"DDP-4.2-9", "DDP-5.2-5", "V-294"},
			Says: "The first and the last octet of a buffer can be written.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "f"
				> Write STag=$data TO=$data_to+65535 "l"
				> Send {send 0 1 2 0 0}
				< Send "f" 00
				> Send {send 0 1 2 65534 0}
				< Send 00 "l"`)},
		{Name: "whole-buffer", Requirements: []string{"DDP-5.2-5", "DDP-4.2-5", "V-294"},
			Says: "All of a buffer can be written at once.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"*20000 "b"*20000 "c"*25536
				> Send {send 0 1 65536 0 0}
				< Send "a"*20000 "b"*20000 "c"*25536`)},
		{Name: "each-buffer", Requirements: []string{"DDP-4.2-5", "DDP-5.2-5"}, Need: conform.Volatile,
			Says: "The STag of each buffer that may be written is valid.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 00*4096
				> Write STag=$writeonly TO=$writeonly_to 00*4096
				> Write STag=$volatile TO=$volatile_to 00*4096`)},
		{Name: "written-again", Requirements: []string{"DDP-4.2-9", "DDP-5.2-5"},
			Says: "A tagged buffer can be written repeatedly, and has the octets written last.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to+100 "the first time."
				> Write STag=$data TO=$data_to+104 "second"
				> Send {send 0 1 15 100 0}
				< Send "the secondtime."`)},
		{Name: "stag-changes", Requirements: []string{"DDP-4.2-8", "DDP-5.2-12"},
			Says: "A sink may accept or refuse a message whose segments name several buffers.",
			Ask: conform.Text(`
				> Segment Write L=0 STag=$data TO=$data_to "here"
				> [odd] Segment Write STag=$writeonly TO=$writeonly_to "there"` + either("write-continuation", "Silence"))},
		{Name: "own-tagged", Requirements: []string{"DDP-4.2-6", "DDP-4.2-8", "DDP-5.2-8", "DDP-5.2-4"},
			Says: "The peer's own tagged segments have the requested STag, and consecutive TOs.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"*20000 "b"*20000 "c"*25536
				> Send {write! 65536 0 0xfedcba98 0x1234567812345678}
				< Write STag=0xfedcba98 TO=0x1234567812345678 "a"*20000 "b"*20000 "c"*25536
				< Send {done write}`)},
	}
})

// arbitraryTO writes octets at many TOs, and reads back each and its neighbours.
func arbitraryTO(*conform.Setup) []string {
	var writes, looks strings.Builder
	for i, at := range []int{1, 3, 6, 10, 15, 21, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 16383, 32767, 65533} {
		fmt.Fprintf(&writes, "> Write STag=$data TO=$data_to+%d %02x\n", at, i+1)
		fmt.Fprintf(&looks, "> Send {send 0 1 3 %d 0}\n< Send 00%02x00\n", at-1, i+1)
	}
	return []string{writes.String() + looks.String()}
}

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
			Says: "The MSN of the first message is 1, and increases by one with each message.",
			Ask: conform.Text(`
				> Segment Send MSN=1 {echo "1"}
				< Send {echo "1"}
				> Segment Send MSN=2 {echo "2"}
				< Send {echo "2"}
				> Segment Send MSN=3 {echo "3"}
				< Send {echo "3"}`)},
		{Name: "first-msn-wrong", Requirements: []string{"DDP-4.3-8", "DDP-7.1-5"},
			Says: "A first message whose MSN is not 1 is refused.",
			Ask: conform.Each(parts.Refused("", "send-msn", `Segment Send MSN=%s {echo "the first"}`),
				"0", "0x80000002", "0xffffffff")},
		{Name: "first-read-msn", Requirements: []string{"DDP-4.3-7", "DDP-4.3-8"},
			Says: "Each queue has its own MSNs: those of Read Requests begin with 1, whatever was sent before.",
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
			Ask: conform.Each(parts.Refused(greeting, "read-msn",
				`Segment ReadRequest MSN=%s SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to`),
				"0", "2", "0xffffffff")},
		{Name: "msn-counts", Requirements: []string{"DDP-4.3-7", "DDP-5.3-6", "V-234", "V-251"},
			Says: "MSNs increase beyond the number of receive buffers.",
			Ask:  manyMessages},
		{Name: "msn-repeated", Requirements: []string{"DDP-4.3-7", "DDP-5.3-5", "DDP-7.1-5"},
			Says: "A message with the MSN of a delivered one is refused.",
			Ask:  conform.Text(parts.Refused(greeting, "send-msn", `Segment Send MSN=1 {echo "again"}`))},
		{Name: "msn-left-out", Requirements: []string{"DDP-4.3-7", "DDP-7.1-5"},
			Says: "A message is not delivered while the previous MSN is missing. The sink may refuse it.",
			Ask: greeted(`
				> [odd] Segment Send MSN=3 {echo "one is missing"}` + either("send-msn", "Silence"))},
		{Name: "read-msn-repeated", Requirements: []string{"DDP-4.3-7", "DDP-7.1-5", "V-287"},
			Says: "A Read Request that repeats or skips an MSN is refused.",
			Ask: conform.Each(greeting+`
				> reads 4 $readonly 00010203
				> [bad] Segment ReadRequest MSN=%d SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-msn to [bad]`, 1, 3)},
		{Name: "msn-changes", Requirements: []string{"DDP-4.3-10", "DDP-7.1-5"},
			Says: "A segment that continues a message with an earlier MSN, or with one without a buffer, is refused.",
			Ask: conform.Each(greeting+`
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Send MSN=%s "so good"
				< refuses send-msn to [bad]`, "1", "0x80000003")},
		{Name: "qn-changes", Requirements: []string{"DDP-4.3-6", "DDP-7.1-1"},
			Says: "A segment that continues a message with another QN is refused.",
			Ask: greeted(`
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Send QN=1 MSN=2 MO=11 "so good"
				< refuses qn-opcode to [bad]`, `
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Send QN=9 MSN=2 MO=11 "so good"
				< refuses qn-undefined to [bad]`)},
		{Name: "first-mo", Requirements: []string{"DDP-4.3-11", "DDP-5.2-12"},
			Says: "A sink may accept or refuse a message that begins with an MO other than 0.",
			Ask: conform.Each(`
				> [odd] Segment Send MO=%d 00*4`+either("mo", "Silence"), 1, 4, 4096)},
		{Name: "read-mo", Requirements: []string{"DDP-4.3-11", "DDP-7.1-3"},
			Says: "A Read Request whose MO is not 0 is refused: the buffer for it has 28 octets.",
			Ask: conform.Each(parts.Refused(greeting, "read-mo",
				`Segment ReadRequest MO=%s SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to`),
				"1", "28", "0xffffffff")},
		{Name: "own-untagged",
			Requirements: []string{"DDP-4.3-6", "DDP-4.3-7", "DDP-4.3-8", "DDP-4.3-10", "DDP-4.3-11", "DDP-5.2-6"},
			Says:         "The MSNs of the peer's own messages increase by one in each queue, and its MOs count octets.",
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

// manyMessages returns more messages than there are Receives, each answered before the next.
func manyMessages(setup *conform.Setup) []string {
	var s strings.Builder
	for msn := range min(2*setup.Peer.Offer.Receives, 200) + 2 {
		fmt.Fprintf(&s, "> Segment Send MSN=%d {echo %08x}\n< Send {echo %08x}\n", msn+1, msn, msn)
	}
	return []string{s.String()}
}

var section44 = about("4.4", "segments with and without payload", func() []conform.Case {
	return []conform.Case{
		{Name: "short-tagged", Requirements: []string{"DDP-4.4-1", "DDP-4.2-1", "DDP-6.2.2-1", "V-285"},
			Says: "A tagged segment with an incomplete header is refused.",
			Ask:  greeted(cut("c140"+strings.Repeat("00", 11), 1)...)},
		{Name: "short-untagged", Requirements: []string{"DDP-4.4-1", "DDP-4.3-1", "DDP-6.2.2-1", "V-285"},
			Says: "An untagged segment with an incomplete header is refused.",
			Ask:  greeted(cut("4143 00000000 00000000 00000002 000000", 1)...)},
		// A kernel counted below zero (2026).
		{Name: "short-of-each-opcode", Requirements: []string{"DDP-4.4-1", "DDP-6.2.2-1", "V-285"}, Crasher: true,
			Says: "A segment without the last octet of its DDP header is refused, whatever its opcode.",
			Ask: greeted(slices.Concat(
				cut("c140"+strings.Repeat("00", 11), 13), cut("c142"+strings.Repeat("00", 11), 13),
				cut("4141"+strings.Repeat("00", 15), 17), cut("4143"+strings.Repeat("00", 15), 17), cut("4144"+strings.Repeat("00", 15), 17),
				cut("4145"+strings.Repeat("00", 15), 17), cut("4146"+strings.Repeat("00", 15), 17), cut("4147"+strings.Repeat("00", 15), 17))...)},
		{Name: "empty-untagged", Requirements: []string{"DDP-4.4-1", "DDP-5.2-9", "DDP-5.4-2", "V-234"},
			Says: "A message of zero octets is delivered like any other, and consumes a receive buffer and an MSN.",
			Ask: conform.Text(`
				> Send
				> Send {report}
				< Send ` + conform.Reported(1, 0, "", nil) + `
				> Segment Send MSN=3
				> Segment Send MSN=4 {report}
				< Send ` + conform.Reported(3, 0, "", nil))},
		{Name: "empty-tagged", Requirements: []string{"DDP-4.4-1", "DDP-5.2-9"},
			Says: "A tagged segment without payload is accepted, and places nothing.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to
				> Write STag=$data TO=$data_to+65536
				> Send {send 0 1 64 0 0}
				< Send 00*64`)},
	}
})

// cut returns scripts with a ULPDU truncated after each of its octets, from a given one on.
func cut(ulpdu string, from int) (scripts []string) {
	hex := strings.ReplaceAll(ulpdu, " ", "")
	for n := from; 2*n <= len(hex); n++ {
		scripts = append(scripts, "> Segment "+hex[:2*n]+"\n< refuses ddp-short")
	}
	return scripts
}
