package rfc5041

// The DDP control octet: T, L, Rsvd, DV.

import (
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
				> Send {echo "an untagged message"}
				< Send {echo "an untagged message"}
				> Send {send 0 1 32 0 0}
				< Send 00*32`)},
		{Name: "last", Requirements: []string{"DDP-4.1-7", "DDP-5.4-1"},
			Says: "A message is delivered when the segment with L has come, and not before.",
			Ask: listening(conform.Text(`
				> Segment Send L=0 {echo "one, "}
				> Segment Send L=0 "two, "
				< Silence QUIET
				> Segment Send "three"
				< Send {echo "one, two, three"}`))},
		{Name: "read-request-without-last", Requirements: []string{"DDP-4.1-3"},
			Says: "A Read Request without L is refused: it is always the last segment of its message.",
			Ask: greeted(`
				> Segment ReadRequest L=0 SinkSTag=0x1000 SinkTO=0 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses l-missing`)},
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
			Says: "An untagged segment with another version than that of the stream is refused.",
			Ask: ofWrongVersion(`
				> Segment Send DV=%d {echo "another version"}
				< refuses ddp-version-untagged`)},
		{Name: "version-tagged", Requirements: []string{"DDP-4.1-10", "DDP-6.2.2-1", "DDP-7.2-1", "V-284"},
			Says: "A tagged segment with another version than that of the stream is refused.",
			Ask: ofWrongVersion(`
				> Segment Write DV=%d STag=$data TO=$data_to "another version"
				< refuses ddp-version-tagged`)},
		{Name: "version-read-request", Requirements: []string{"DDP-4.1-10", "DDP-6.2.2-1"},
			Says: "A Read Request with another version than that of the stream is refused.",
			Ask: ofWrongVersion(`
				> Segment ReadRequest DV=%d SinkSTag=0x1000 SinkTO=0x20000 RDMARDSZ=8 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses ddp-version-untagged`)},
		{Name: "version-of-nothing", Requirements: []string{"DDP-4.1-10"},
			Says: "The version counts in a segment without payload too.",
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
			Says:         "So have the peer's own Sends with Solicited Event and with Invalidate.",
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

// ofWrongVersion asks with each version that is not that of the stream.
func ofWrongVersion(script string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string { return conform.Each(greeting+script, s.Peer.WrongVersions()...)(s) }
}
