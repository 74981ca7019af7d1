package rfc5040

// Section 7: errors, and the Terminates that report them.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section7 = about("7", "RDMAP error management", func() []conform.Case {
	return []conform.Case{
		{Name: "no-transfer-behind-it", Requirements: []string{"RDMAP-7-2", "RDMAP-5.4-8", "V-082", "V-129"},
			Says: "Behind an error nothing is transferred any more, though a Read of the peer is outstanding and could be done.",
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
			Says: "Errors on streams one after the other leave those that come later unharmed.",
			Ask: conform.Texts("> Segment Send MSN=9 {echo}\n< refuses send-msn", hello,
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
			Says: "The Terminate is the next message behind what was to be sent before.",
			Ask: conform.Text(`
				> Send {echo "before"}
				< Send {echo "before"}
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=20000 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read] 00*20000
				> [bad] Write STag=$local TO=$local_to "abcd"
				< refuses write-access to [bad]`)},
		{Name: "first-of-two", Requirements: []string{"RDMAP-7.1-5", "V-134"},
			Says: "Of two messages that are wrong the Terminate blames the first one.",
			Ask:  twice("Segment Send MSN=5 {echo}", "send-msn", "Write STag=$revoked TO=$revoked_to \"abcd\"")},
		{Name: "first-of-two-reads", Requirements: []string{"RDMAP-7.1-5", "V-134"},
			Says: "Of two Reads that are wrong the Terminate blames the first one.",
			Ask: twice("ReadRequest SinkSTag=1 RDMARDSZ=4 SrcSTag=$revoked SrcTO=$revoked_to", "read-stag",
				"ReadRequest SinkSTag=2 RDMARDSZ=4 SrcSTag=$foreign SrcTO=$foreign_to")},
		{Name: "first-of-two-segments", Requirements: []string{"RDMAP-7.1-5", "V-134"},
			Says: "Of two segments of a Write that are wrong the Terminate blames the first one.",
			Ask: twice("Segment Write L=0 STag=$writeonly TO=$writeonly_to+4095 \"ab\"", "write-bounds",
				"Segment Write \"cd\"")},
	}
})

// twice sends a message that the peer refuses because of a Situation, and after it one that is wrong too.
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
			Ask:  violating("send-msn", "MSN=4", sendTypes...)},
		{Name: "msn-of-a-send-again", Requirements: []string{"RDMAP-7.2-1", "V-288"},
			Says: "A Send of any type whose MSN was that of another message is refused.",
			Ask:  violating("send-msn", "MSN=1", sendTypes...)},
		{Name: "mo-of-a-send", Requirements: []string{"RDMAP-7.2-1"},
			Says: "A Send of any type that does not begin with MO 0 is refused.",
			Ask:  violating("mo", "MO=4", sendTypes...)},
		{Name: "msn-of-a-read-request", Requirements: []string{"RDMAP-7.2-6", "RDMAP-5.2.1-2", "V-287"},
			Says: "A Read Request whose MSN is not the next one is refused.",
			Ask: conform.Each(`
				> Segment ReadRequest MSN=%s SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
				< refuses read-msn`, "0", "2", "3", "0x80000001", "0xffffffff")},
		{Name: "msn-of-a-read-request-again", Requirements: []string{"RDMAP-7.2-6", "RDMAP-5.2.1-2", "V-287"},
			Says: "A Read Request whose MSN was that of another one is refused.",
			Ask: conform.Text(`
				> [one] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [one] 00010203
				> Segment ReadRequest MSN=1 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
				< refuses read-msn`)},
		{Name: "mo-of-a-read-request", Requirements: []string{"RDMAP-7.2-6"},
			Says: "A Read Request with another MO than 0 is refused.",
			Ask: conform.Each(`
				> [bad] Segment ReadRequest MO=%s SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to`+
				refusedRead("read-mo"), "1", "28", "0xffffffff")},
		{Name: "l-of-a-read-request", Requirements: []string{"RDMAP-7.2-6", "V-284"},
			Says: "A Read Request that is not the whole of its message is refused.",
			Ask: conform.Text(`
				> [bad] Segment ReadRequest L=0 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to` +
				refusedRead("l-missing"))},
		{Name: "opcode-of-a-read-request", Requirements: []string{"RDMAP-7.2-7", "V-284"},
			Says: "A segment that looks like a Read Request, but has a reserved opcode, is refused.",
			Ask:  conform.Text(hello + "\n> Segment Opcode14 QN=1 MSN=1 " + readOctets + "\n< refuses opcode")},
		{Name: "opcode-of-the-wrong-kind", Requirements: []string{"RDMAP-7.2-2", "RDMAP-7.2-7"},
			Says: "A Read Request that calls itself a Send in the queue of Read Requests is refused.",
			Ask:  conform.Text(hello + "\n> Segment Send QN=1 MSN=1 " + readOctets + "\n< refuses qn-opcode")},

		{Name: "source-stag-0", Requirements: []string{"RDMAP-7.2-9", "V-155"},
			Says: "A Read is refused if its source STag is 0.", Ask: read("read-stag", "4", "0 SrcTO=0", "0 SrcTO=$data_to")},
		{Name: "source-key", Requirements: []string{"RDMAP-7.2-9", "V-183"},
			Says: "A Read is refused if one bit of the key of its source STag is another.",
			Ask: read("read-stag", "4", "$data+1 SrcTO=$data_to", "$data+2 SrcTO=$data_to", "$data+4 SrcTO=$data_to",
				"$data+8 SrcTO=$data_to", "$data+16 SrcTO=$data_to", "$data+32 SrcTO=$data_to", "$data+64 SrcTO=$data_to",
				"$data+128 SrcTO=$data_to")},
		{Name: "source-of-another-domain", Requirements: []string{"RDMAP-7.2-10", "RDMAP-8.1.1-1", "V-019", "V-287", "V-199"},
			Says: "A Read is refused if its source STag is of another Protection Domain.",
			Ask:  read("read-association", "4", "$foreign SrcTO=$foreign_to", "$foreign SrcTO=$foreign_to+4092")},
		{Name: "source-below-its-begin",
			Requirements: []string{
				"RDMAP-7.2-11", "RDMAP-8.1.1-3", "V-287", "V-294", "V-199", "RDMAP-5.2.1-5", "RDMAP-5.2.1-13",
			},
			Says: "A Read that begins before its source is refused.",
			Ask: conform.Each(`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=%s SrcSTag=$readonly
				< refuses read-bounds`, "1 SrcTO=$readonly_to-1", "2 SrcTO=$readonly_to-1", "4097 SrcTO=$readonly_to-1",
				"1 SrcTO=$readonly_to-4096")},
		{Name: "source-beyond-its-end",
			Requirements: []string{
				"RDMAP-7.2-11", "RDMAP-7.2-12", "RDMAP-8.1.1-3", "V-287", "V-294", "V-199", "RDMAP-5.2.1-5", "RDMAP-5.2.1-13",
			},
			Says: "A Read that begins or ends behind its source is refused.",
			Ask: conform.Each(`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=%s
				< refuses read-bounds`, "1 SrcSTag=$readonly SrcTO=$readonly_to+4096", "2 SrcSTag=$readonly SrcTO=$readonly_to+4095",
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

// readOctets is a Read Request header with nothing wrong with it.
const readOctets = "00001000 00*8 00000004 $data:be32 $data_to:be64"

// read has a connection for each source, STag and TO, from which a Read of so many octets is refused.
func read(situation, size string, sources ...string) func(*conform.Setup) []string {
	return conform.Each("> ReadRequest SinkSTag=0x1000 RDMARDSZ="+size+" SrcSTag=%s\n< refuses "+situation, sources...)
}
