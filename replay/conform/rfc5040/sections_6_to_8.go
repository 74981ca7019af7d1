package rfc5040

// Sections 6 to 8: streams, errors and protection.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section61 = about("6.1", "Stream initialization", func() []conform.Case {
	return []conform.Case{
		{Name: "octets-of-another-protocol", Requirements: []string{"RDMAP-6.1-1", "RDMAP-3.1-1"},
			Says: "Octets that are not an RDMA Message are refused once the stream is in RDMA mode.",
			Ask: conform.Each(parts.Refused(hello, "fpdu-crc", `Octets %s`),
				`0012 "GET / HTTP/1.0 " 0d0a0d0a 00*3`, `00*64`, `001c 00*34`)},
		{Name: "mpa-frame-again", Requirements: []string{"RDMAP-6.1-1"}, Role: conform.AsInitiator,
			Says: "Octets of a second MPA Request are refused once the stream is in RDMA mode.",
			Ask:  conform.Text(hello + "\n> Octets 0012 \"MPA ID Req Frame\" 40010000 00*4\n< refuses fpdu-crc")},
		{Name: "ird-of-1", Requirements: []string{"RDMAP-6.1-2"}, Begin: conform.Begin{ORD: 1}, Need: conform.Enhanced,
			Says: "With an agreed ORD of one, Reads are answered one by one.",
			Ask: bySize(`
				> [r%[3]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=%[1]d SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r%[3]d] %[2]s`, 4, 65536, 0, 4096)},
		{Name: "ord-1-is-kept", Begin: conform.Begin{IRD: 1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-4", "RDMAP-8.1.1-11", "V-140", "V-141"},
			Says:         "With our IRD of 1, the peer has at most one Read outstanding.", Ask: kept(1)},
		{Name: "ord-2-is-kept", Begin: conform.Begin{IRD: 2}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-4", "RDMAP-8.1.1-11", "V-140", "V-141"},
			Says:         "With our IRD of 2, the peer has at most two Reads outstanding.", Ask: kept(2)},
		{Name: "ord-0-is-kept", Begin: conform.Begin{IRD: -1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-4", "RDMAP-8.1.1-11", "V-140", "V-142"},
			Says:         "With our IRD of 0, the peer sends no Read Request.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x2000}
				< OneOf
				or Send {answer read 1 0}
				may "its ULP has tried it nevertheless" Send {answer read 2 0}
				may "its ULP has tried it nevertheless, and the RNIC has refused that" Refusal local
				< ends`)},
		{Name: "stalled-reads-go-on", Begin: conform.Begin{IRD: 1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-3", "RDMAP-6.1-4", "V-141"},
			Says:         "Reads that the peer held back follow one by one as Responses arrive.",
			Ask:          reader(1, func(limit int) string { return readBack(6, limit) })},
		{Name: "stalled-reads-hold-what-follows", Begin: conform.Begin{IRD: 1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-5.5-13", "RDMAP-6.1-4", "V-141"},
			Says:         "Operations that the peer's ULP posts after a held-back Read are not sent before it.",
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

// kept asks the peer for more Reads at once than our IRD allows. It has kept the limit if the answer to a Read of ours,
// which needs no action of its ULP, comes first.
func kept(ird int) func(*conform.Setup) []string {
	return reader(ird, func(limit int) string {
		return waiting(8, limit) + `
			> reads 4 $readonly 00010203
			> Terminate 0/0/00
			< closes`
	})
}

var section621 = about("6.2.1", "RDMAP Abortive Termination", func() []conform.Case {
	return []conform.Case{
		{Name: "terminate-then-fin",
			Requirements: []string{"RDMAP-6.2.1-1", "RDMAP-6.2.1-4", "RDMAP-7-3", "V-084", "RDMAP-7-1"},
			Says:         "An error of RDMAP causes a Terminate followed by a FIN, so that it arrives.",
			Ask:          violating("rdmap-version", "RV=3")},
		{Name: "terminate-for-ddp-then-fin", Requirements: []string{"RDMAP-3.1-6", "RDMAP-6.2.1-1", "RDMAP-6.2.1-4", "V-084"},
			Says: "An error of DDP causes a Terminate followed by a FIN, so that it arrives.",
			Ask:  conform.Text("> Write STag=$revoked TO=$revoked_to \"abcd\"\n< refuses write-stag")},
		{Name: "terminate-for-the-llp-then-fin", Requirements: []string{"RDMAP-6.2.1-1", "RDMAP-6.2.1-4", "RDMAP-4.8-18"},
			Says: "An error of MPA causes a Terminate followed by a FIN, so that it arrives.",
			Ask:  conform.Text("> FPDU CRC=bad Write STag=$data TO=$data_to \"abcd\"\n< refuses fpdu-crc")},
		{Name: "graceful", Requirements: []string{"RDMAP-6.2-1", "V-071", "V-105"},
			Says: "An idle stream is closed by our FIN, without a Terminate.",
			Ask: conform.Texts("> FIN\n< FIN", hello+"\n> FIN\n< FIN", `
				> reads 65536 $data 00*65536
				> FIN
				< FIN`)},
		{Name: "closed-by-the-peer", Requirements: []string{"RDMAP-6.2-1", "V-073", "V-105"},
			Says: "The peer closes an idle stream by a FIN, without a Terminate.",
			Ask: conform.Texts("> Send {close}\n< FIN\n> FIN", `
				> Send {write 4096 0 0x1000 0x2000}
				> Send {send 0 1 100 0 0}
				> Send {close}
				< Write STag=0x1000 TO=0x2000 00*4096
				< Send 00*100
				< FIN
				> FIN`)},
		{Name: "reset-by-the-peer", Requirements: []string{"V-079", "V-137"},
			Says: "The peer's ULP can reset the connection, without a Terminate.",
			Ask: conform.Text(`
				> Send {abort}
				< OneOf
				or Reset
				may "its verbs have no reset, and the QP goes to Error" FIN
				> FIN`)},
		{Name: "reset-by-us", Requirements: []string{"V-080"},
			Says: "A reset, even within a message, does the peer no harm.",
			Ask: conform.Texts("> Reset", hello+"\n> Reset",
				"> Segment Send L=0 {quiet \"the rest of this never comes\"}\n> Reset",
				"> Octets 0100 4143\n> Reset", reading+"> Reset")},
	}
})

var section7 = about("7", "RDMAP error management", func() []conform.Case {
	return []conform.Case{
		{Name: "no-transfer-behind-it", Requirements: []string{"RDMAP-7-2", "RDMAP-5.4-8", "V-082", "V-129"},
			Says: "After an error nothing is transferred, even if a Read of the peer is outstanding.",
			Ask: conform.Text(reading + `
				> [bad] Write STag=$revoked TO=$revoked_to "abcd"
				< refuses write-stag to [bad]`)},
		{Name: "error-within-a-message", Requirements: []string{"RDMAP-7-1", "RDMAP-7-2"},
			Says: "An error in the middle of a Send ends the stream, and that Send is not delivered.",
			Ask: conform.Text(`
				> Segment Send L=0 {echo "this never comes back"}
				> [bad] Segment Send RV=2 "because of this"
				< refuses rdmap-version to [bad]`)},
		{Name: "others-go-on", Requirements: []string{"RDMAP-7-2", "RDMAP-7-3", "V-295"},
			Says: "Errors on successive streams do not affect later streams.",
			Ask: conform.Texts("> Segment Send MSN=0x80000009 {echo}\n< refuses send-msn", hello,
				"> Write STag=$foreign TO=$foreign_to 00\n< refuses write-association", hello,
				"> Terminate 0/0/00\n< closes", hello, "> FPDU CRC=bad Send {echo}\n< refuses fpdu-crc", hello)},
	}
})

var section71 = about("7.1", "RDMAP error surfacing", func() []conform.Case {
	return []conform.Case{
		{Name: "read-request", Requirements: []string{"RDMAP-7.1-4", "RDMAP-3.2-4"},
			Says: "For a Read Request the Terminate has length, DDP header and RDMAP header.",
			Ask: conform.Each(`
				> ReadRequest SinkSTag=0x01234567 SinkTO=0x89abcdef01234567 RDMARDSZ=16 SrcSTag=%s`,
				"$revoked SrcTO=$revoked_to\n< refuses read-stag", "$foreign SrcTO=$foreign_to\n< refuses read-association",
				"$readonly SrcTO=$readonly_to+4081\n< refuses read-bounds")},
		{Name: "behind-other-traffic", Requirements: []string{"RDMAP-7.1-3", "RDMAP-7.1-4"},
			Says: "The Terminate follows the messages that were already to be sent.",
			Ask: conform.Text(`
				> echoes "before"
				> reads 20000 $data 00*20000
				> [bad] Write STag=$local TO=$local_to "abcd"
				< refuses write-access to [bad]`)},
		{Name: "first-of-two", Requirements: []string{"RDMAP-7.1-5", "V-134"},
			Says: "Of two wrong messages, the Terminate is about the first one.",
			Ask:  twice("Segment Send MSN=0x80000005 {echo}", "send-msn", "Write STag=$revoked TO=$revoked_to \"abcd\"")},
		{Name: "first-of-two-reads", Requirements: []string{"RDMAP-7.1-5", "V-134"},
			Says: "Of two wrong Reads, the Terminate is about the first one.",
			Ask: twice("ReadRequest SinkSTag=1 RDMARDSZ=4 SrcSTag=$revoked SrcTO=$revoked_to", "read-stag",
				"ReadRequest SinkSTag=2 RDMARDSZ=4 SrcSTag=$foreign SrcTO=$foreign_to")},
		{Name: "first-of-two-segments", Requirements: []string{"RDMAP-7.1-5", "V-134"},
			Says: "Of two wrong segments of a Write, the Terminate is about the first one.",
			Ask: twice("Segment Write L=0 STag=$writeonly TO=$writeonly_to+4095 \"ab\"", "write-bounds",
				"Segment Write \"cd\"")},
	}
})

// twice sends a message that the peer refuses because of a Situation, followed by another wrong one.
func twice(first, situation, second string) func(*conform.Setup) []string {
	return conform.Text("> [first] " + first + "\n> " + second + `
		< OneOf
		or Refusal ` + situation + ` to [first]
		may "octets that came when it was closed make TCP reset the connection, which destroys the Terminate" Reset
		> FIN`)
}

var section72 = about("7.2", "Errors detected at the Remote Peer", func() []conform.Case {
	return []conform.Case{
		{Name: "ddp-version-of-tagged", Requirements: []string{"RDMAP-7.2-1", "V-284"},
			Says: "DDP's check of its version comes before RDMAP's checks in tagged messages.",
			Ask:  violating("ddp-version-tagged", "DV=2", rdmap.OpWrite, rdmap.OpReadResponse)},
		{Name: "ddp-version-of-untagged", Requirements: []string{"RDMAP-7.2-1", "RDMAP-7.2-6", "V-284"},
			Says: "DDP's check of its version comes before RDMAP's checks in untagged messages.",
			Ask: violating("ddp-version-untagged",
				"DV=2", rdmap.OpReadRequest, rdmap.OpSend, rdmap.OpSendSE, rdmap.OpSendInvalidate, rdmap.OpSendSEInvalidate)},
		{Name: "msn-of-a-send", Requirements: []string{"RDMAP-7.2-1", "RDMAP-5.3-7", "V-288"},
			Says: "A Send of any type whose MSN is not the next one is refused.",
			Ask:  violating("send-msn", "MSN=0x80000004", sendTypes...)},
		{Name: "msn-of-a-send-again", Requirements: []string{"RDMAP-7.2-1", "V-288"},
			Says: "A Send of any type with an already used MSN is refused.",
			Ask:  violating("send-msn", "MSN=1", sendTypes...)},
		{Name: "mo-of-a-send", Requirements: []string{"RDMAP-7.2-1"},
			Says: "A Send of any type that does not begin with MO 0 is refused, or waits for the octets before it.",
			Ask:  odd("mo", "MO=4", sendTypes...)},
		{Name: "msn-of-a-read-request", Requirements: []string{"RDMAP-7.2-6", "RDMAP-5.2.1-2", "V-287"},
			Says: "A Read Request whose MSN is not the next one is refused.",
			Ask: conform.Each(parts.Refused("", "read-msn",
				`Segment ReadRequest MSN=%s SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to`),
				"0", "2", "3", "0x80000001", "0xffffffff")},
		{Name: "msn-of-a-read-request-again", Requirements: []string{"RDMAP-7.2-6", "RDMAP-5.2.1-2", "V-287"},
			Says: "A Read Request with an already used MSN is refused.",
			Ask: conform.Text(`
				> reads 4 $readonly 00010203
				> Segment ReadRequest MSN=1 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
				< refuses read-msn`)},
		{Name: "mo-of-a-read-request", Requirements: []string{"RDMAP-7.2-6"},
			Says: "A Read Request with an MO other than 0 is refused.",
			Ask: conform.Each(`
				> [bad] Segment ReadRequest MO=%s SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to`+
				refusedRead("read-mo"), "1", "28", "0xffffffff")},
		{Name: "l-of-a-read-request", Requirements: []string{"RDMAP-7.2-6", "V-284"},
			Says: "A Read Request that is split into segments is refused.",
			Ask: conform.Text(`
				> [bad] Segment ReadRequest L=0 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to` +
				refusedRead("l-missing"))},
		{Name: "opcode-of-a-read-request", Requirements: []string{"RDMAP-7.2-7", "V-284"},
			Says: "A segment that looks like a Read Request, but has a reserved opcode, is refused.",
			Ask:  conform.Text(hello + "\n> Segment Opcode14 QN=1 MSN=1 " + readOctets + "\n< refuses opcode")},
		{Name: "opcode-of-the-wrong-kind", Requirements: []string{"RDMAP-7.2-2", "RDMAP-7.2-7"},
			Says: "A Read Request with the opcode of a Send, in the queue of Read Requests, is refused.",
			Ask:  conform.Text(hello + "\n> Segment Send QN=1 MSN=1 " + readOctets + "\n< refuses qn-opcode")},

		{Name: "source-stag-0", Requirements: []string{"RDMAP-7.2-9", "V-155"},
			Says: "A Read is refused if its source STag is 0.", Ask: read("read-stag", "4", "0 SrcTO=0", "0 SrcTO=$data_to")},
		{Name: "source-key", Requirements: []string{"RDMAP-7.2-9", "V-183"},
			Says: "A Read is refused if one bit of its source STag's key is flipped.",
			Ask: read("read-stag", "4", "$data+1 SrcTO=$data_to", "$data+2 SrcTO=$data_to", "$data+4 SrcTO=$data_to",
				"$data+8 SrcTO=$data_to", "$data+16 SrcTO=$data_to", "$data+32 SrcTO=$data_to", "$data+64 SrcTO=$data_to",
				"$data+128 SrcTO=$data_to")},
		{Name: "source-of-another-domain", Requirements: []string{"RDMAP-7.2-10", "RDMAP-8.1.1-1", "V-019", "V-287", "V-199"},
			Says: "A Read is refused if its source STag belongs to another Protection Domain.",
			Ask:  read("read-association", "4", "$foreign SrcTO=$foreign_to", "$foreign SrcTO=$foreign_to+4092")},
		{Name: "source-below-its-begin",
			Requirements: []string{
				"RDMAP-7.2-11", "RDMAP-8.1.1-3", "V-287", "V-294", "V-199", "RDMAP-5.2.1-5", "RDMAP-5.2.1-13",
			},
			Says: "A Read that begins before its source is refused.",
			Ask: conform.Each(parts.Refused("", "read-bounds", `ReadRequest SinkSTag=0x1000 RDMARDSZ=%s SrcSTag=$readonly`),
				"1 SrcTO=$readonly_to-1", "2 SrcTO=$readonly_to-1", "4097 SrcTO=$readonly_to-1",
				"1 SrcTO=$readonly_to-4096")},
		{Name: "source-beyond-its-end",
			Requirements: []string{
				"RDMAP-7.2-11", "RDMAP-7.2-12", "RDMAP-8.1.1-3", "V-287", "V-294", "V-199", "RDMAP-5.2.1-5", "RDMAP-5.2.1-13",
			},
			Says: "A Read that begins or ends beyond its source is refused.",
			Ask: conform.Each(parts.Refused("", "read-bounds", `ReadRequest SinkSTag=0x1000 RDMARDSZ=%s`),
				"1 SrcSTag=$readonly SrcTO=$readonly_to+4096", "2 SrcSTag=$readonly SrcTO=$readonly_to+4095",
				"4097 SrcSTag=$readonly SrcTO=$readonly_to", "1 SrcSTag=$readonly SrcTO=$readonly_to+0x100000000",
				"1 SrcSTag=$data SrcTO=$data_to+65536", "65537 SrcSTag=$data SrcTO=$data_to",
				"65536 SrcSTag=$data SrcTO=$data_to+1")},
		{Name: "source-of-all-octets", Requirements: []string{"RDMAP-7.2-12", "RDMAP-4.4-5"},
			Says: "A Read of 2^32-1 octets from a buffer that has fewer is refused.",
			Ask:  read("read-bounds", "0xffffffff", "$readonly SrcTO=$readonly_to", "$data SrcTO=$data_to")},
		{Name: "source-wraps", Requirements: []string{"RDMAP-7.2-13", "V-213", "V-287"},
			Says: "A Read whose source TO and size exceed 64 bits is refused.",
			Ask: read("read-wrap", "4", "$readonly SrcTO=0xffffffffffffffff", "$readonly SrcTO=0xfffffffffffffffd",
				"$data SrcTO=0xffffffffffffffff")},
		{Name: "source-without-right", Requirements: []string{"RDMAP-7.2-14", "V-189", "V-191", "V-241", "V-287"},
			Says: "A Read from a buffer that was not enabled for remote reads is refused.",
			Ask: conform.Each("> [bad] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=%s"+refusedRead("read-access"),
				"$writeonly SrcTO=$writeonly_to", "$local SrcTO=$local_to")},
	}
})

// readOctets is a correct Read Request header.
const readOctets = "00001000 00*8 00000004 $data:be32 $data_to:be64"

// read has a connection for each source, STag and TO, from which a Read of a number of octets is refused.
func read(situation, size string, sources ...string) func(*conform.Setup) []string {
	return conform.Each("> ReadRequest SinkSTag=0x1000 RDMARDSZ="+size+" SrcSTag=%s\n< refuses "+situation, sources...)
}

var section811 = about("8.1.1", "RDMAP RNIC security requirements", func() []conform.Case {
	return []conform.Case{
		{Name: "write-to-another-domain", Requirements: []string{"RDMAP-8.1.1-1", "RDMAP-5.1-3", "V-019", "V-199", "V-286"},
			Says: "A Write to a buffer of another Protection Domain is refused.",
			Ask:  write("write-association", `$foreign TO=$foreign_to "abcd"`, `$foreign TO=$foreign_to+4095 00`)},

		{Name: "write-before-the-buffer", Requirements: []string{"RDMAP-8.1.1-3", "V-199", "V-286", "V-294"},
			Says: "A Write that begins before its buffer is refused, even by one octet.",
			Ask: write("write-bounds", `$data TO=$data_to-1 00`, `$data TO=$data_to-1 00*2`, `$data TO=$data_to-64 00*64`,
				`$data TO=$data_to-64 00*1000`, `$writeonly TO=$writeonly_to-1 00`, `$writeonly TO=$writeonly_to-4096 00*1000`)},
		{Name: "write-behind-the-buffer", Requirements: []string{"RDMAP-8.1.1-3", "V-199", "V-286", "V-294"},
			Says: "A Write that ends beyond its buffer is refused, even by one octet.",
			Ask: write("write-bounds", `$data TO=$data_to+65536 00`, `$data TO=$data_to+65535 00*2`,
				`$data TO=$data_to+65000 00*537`, `$writeonly TO=$writeonly_to+4096 00`, `$writeonly TO=$writeonly_to+4095 00*2`,
				`$writeonly TO=$writeonly_to+3097 00*1000`)},
		{Name: "write-far-from-the-buffer", Requirements: []string{"RDMAP-8.1.1-3", "V-163", "V-199", "V-286"},
			Says: "A Write whose TO equals that of the buffer only in its lower bits is refused.",
			Ask: write("write-bounds", `$data TO=$data_to+0x10000 00`, `$data TO=$data_to+0x100000000 00`,
				`$data TO=$data_to-0x100000000 00`, `$data TO=$data_to+0x1000000000000 00`)},
		{Name: "write-wraps", Requirements: []string{"RDMAP-8.1.1-3", "V-213", "V-286"},
			Says: "A Write whose TO and length exceed 64 bits is refused.",
			Ask: write("write-wrap", `$data TO=0xffffffffffffffff 00*2`, `$data TO=0xfffffffffffffffd 00*4`,
				`$data TO=0xffffffffffffff00 00*1000`)},
		{Name: "write-to-the-last-octet-of-all", Requirements: []string{"RDMAP-8.1.1-3", "V-213"},
			Says: "A Write to the highest TO, outside of the buffer, is refused.",
			Ask: conform.Each(`
				> [bad] Write STag=$data TO=%s
				< OneOf
				or Refusal write-wrap to [bad]
				or Refusal write-bounds to [bad]
				< ends`, "0xffffffffffffffff 00", "0xfffffffffffffffc 00*4")},
		{Name: "read-of-the-last-octet-of-all", Requirements: []string{"RDMAP-8.1.1-3", "RDMAP-7.2-13", "V-213"},
			Says: "A Read from the highest TO, outside of the buffer, is refused.",
			Ask: conform.Each(`
				> [bad] ReadRequest SinkSTag=0x1000 SrcSTag=$readonly %s
				< OneOf
				or Refusal read-wrap to [bad]
				or Refusal read-bounds to [bad]
				< ends`, "SrcTO=0xffffffffffffffff RDMARDSZ=1", "SrcTO=0xfffffffffffffffc RDMARDSZ=4")},
		{Name: "every-octet-within", Requirements: []string{"RDMAP-8.1.1-3", "V-294"},
			Says: "Access to a whole buffer, from its first to its last octet, is legal.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"
				> Write STag=$data TO=$data_to+65535 "z"
				> Write STag=$writeonly TO=$writeonly_to 00*4096
				> reads 1 $data "a"
				> reads 1 $data+65535 "z"
				> reads 4096 $readonly ` + pattern(0, 4096))},

		{Name: "rights-are-apart", Requirements: []string{"RDMAP-8.1.1-5", "RDMAP-7.2-14", "V-181", "V-188", "V-189", "V-241"},
			Says: "The right to write does not imply the right to read, nor the reverse.",
			Ask: conform.Texts(`
				> Write STag=$writeonly TO=$writeonly_to "in"
				> [bad] ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$writeonly SrcTO=$writeonly_to`+
				refusedRead("read-access"), `
				> reads 2 $readonly 0001
				> Write STag=$readonly TO=$readonly_to "in"
				< refuses write-access`)},
		{Name: "write-to-revoked-buffer", Requirements: []string{"RDMAP-8.1.1-4", "RDMAP-8.1.1-6", "V-169", "V-205", "V-209"},
			Says: "After the peer's ULP has revoked a buffer, no Write reaches it.",
			Ask: conform.Text(`
				> Write STag=$writeonly TO=$writeonly_to "before"
				> revokes 2
				> Write STag=$writeonly TO=$writeonly_to "behind"
				< refuses write-stag`)},
		{Name: "read-from-revoked-buffer",
			Requirements: []string{"RDMAP-8.1.1-4", "RDMAP-8.1.1-6", "RDMAP-7.2-9", "V-205", "V-209"},
			Says:         "After the peer's ULP has revoked a buffer, no Read reaches it.",
			Ask: conform.Text(`
				> reads 2 $readonly 0001
				> revokes 1
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$readonly SrcTO=$readonly_to
				< refuses read-stag`)},
		{Name: "invalidate-revoked-buffer", Requirements: []string{"RDMAP-8.1.1-6", "RDMAP-7.2-4"}, Need: conform.Volatile,
			Says: "After the peer's ULP has revoked a buffer, no Send can invalidate its STag.",
			Ask: conform.Text(`
				> revokes 6
				> [bad] SendInvalidate InvalidateSTag=$volatile {echo "abcd"}` + refusedInvalidation("invalidate-stag"))},
		{Name: "revoked-before-the-response", Requirements: []string{"RDMAP-8.1.1-6", "RDMAP-5.2.2-5", "V-211"},
			Says: "A Read Response is refused if its buffer has been revoked.",
			Ask: conform.Text(reading + `
				> revokes 0
				> ReadResponse to [request] "abcd"
				< refuses write-stag`)},
		{Name: "revoking-one-leaves-others", Requirements: []string{"RDMAP-8.1.1-4", "V-192"},
			Says: "Revoking one buffer does not affect others.",
			Ask: conform.Text(`
				> revokes 2
				> Write STag=$data TO=$data_to "abcd"
				> reads 4 $data "abcd"
				> reads 4 $readonly 00010203`)},
		{Name: "shared-stag-cannot-be-invalidated", Requirements: []string{"RDMAP-8.1.1-7", "V-202", "V-208"},
			Says: "A peer cannot invalidate the STag of a region that other streams share.",
			Ask:  invalidate("invalidate-shared", "$data")},
	}
})

// write has a connection for each STag, TO and payload of a refused Write.
func write(situation string, targets ...string) func(*conform.Setup) []string {
	return conform.Each("> Write STag=%s\n< refuses "+situation, targets...)
}
