package rfc5040

// Section 4: the RDMAP headers.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section41 = about("4.1", "RDMAP control and Invalidate STag field", func() []conform.Case {
	return []conform.Case{
		{Name: "version-0", Requirements: []string{"RDMAP-4.1-7", "RDMAP-7.2-3", "RDMAP-7.2-8", "V-284"},
			Says: "An RDMAP version other than the DDP version is refused: 0 with DDP version 1, and 1 with 0.",
			Ask: func(s *conform.Setup) []string {
				return violating("rdmap-version", fmt.Sprintf("RV=%d", s.Peer.WrongVersions()[0]))(s)
			}},
		{Name: "version-2", Requirements: []string{"RDMAP-4.1-7", "RDMAP-7.2-3", "RDMAP-7.2-8", "V-284"},
			Says: "RDMAP version 2, which is not defined, is refused in any message.", Ask: violating("rdmap-version", "RV=2")},
		{Name: "version-3", Requirements: []string{"RDMAP-4.1-7", "RDMAP-7.2-3", "RDMAP-7.2-8", "V-284"},
			Says: "RDMAP version 3, which is not defined, is refused in any message.", Ask: violating("rdmap-version", "RV=3")},
		{Name: "version-in-first-fpdu", Requirements: []string{"RDMAP-4.1-7", "RDMAP-7.2-3"}, Crasher: true,
			Says: "A wrong RDMAP version is refused in the first FPDU of a connection, too.",
			Ask:  conform.Text("> Segment Send RV=2 {echo}\n< refuses rdmap-version")},
		{Name: "opcode-unassigned", Requirements: []string{"RDMAP-4.1-5", "RDMAP-7.2-2", "V-284"},
			Says: "An untagged message with a reserved opcode, or an unsupported one of RFC 7306, is refused.",
			Ask:  unassigned},
		{Name: "opcode-unassigned-tagged", Requirements: []string{"RDMAP-4.1-5", "RDMAP-7.2-2", "V-284"},
			Says: "A tagged message with a reserved opcode is refused, even if STag and TO are valid.",
			Ask: conform.Each(parts.Refused(hello, "opcode", `Segment %s T STag=$data TO=$data_to "abcd"`),
				reserved()...)},
		{Name: "opcode-unassigned-in-other-queues",
			Requirements: []string{"RDMAP-4.1-5", "RDMAP-7.2-2", "RDMAP-7.2-7", "V-284"},
			Says:         "A message with a reserved opcode is refused in the queues of Read Requests and Terminates.",
			Ask: conform.Each(parts.Refused(hello, "opcode", `Segment %s MSN=1 00*28`),
				append(reserved(" QN=1"), "Opcode14 QN=2", "Opcode15 QN=2")...)},
		{Name: "opcode-unassigned-of-no-octets", Requirements: []string{"RDMAP-4.1-5", "RDMAP-7.2-2", "V-284"},
			Says: "A message with a reserved opcode is refused even without payload.",
			Ask: conform.Each(parts.Refused(hello, "opcode", `Segment %s`),
				"Opcode14", "Opcode15", "Opcode14 T STag=$data TO=$data_to", "Opcode15 T STag=0 TO=0")},
		{Name: "opcode-in-first-fpdu", Requirements: []string{"RDMAP-4.1-5", "RDMAP-7.2-2"}, Crasher: true,
			Says: "A reserved opcode is refused in the first FPDU of a connection, too.",
			Ask:  conform.Text("> Segment Opcode14 \"abcd\"\n< refuses opcode")},

		{Name: "write-untagged", Requirements: []string{"RDMAP-4.1-4", "RDMAP-5.1-1"},
			Says: "A Write with the T bit clear is refused.",
			Ask:  conform.Text(parts.Refused(hello, "opcode-t", `Segment Write T=0 "abcd"`))},
		{Name: "read-response-untagged", Requirements: []string{"RDMAP-4.1-4", "RDMAP-5.2.2-2"},
			Says: "A Read Response with the T bit clear is refused.",
			Ask: conform.Text(hello + `
				> Send {read 4 0 0x1000 0x2000}
				< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> Segment ReadResponse T=0 "abcd"
				< refuses opcode-t`)},
		{Name: "read-request-tagged", Requirements: []string{"RDMAP-4.1-4", "RDMAP-5.2.1-1"},
			Says: "A Read Request with the T bit set is refused.",
			Ask: conform.Text(parts.Refused(hello, "opcode-t",
				`Segment ReadRequest T STag=$data TO=$data_to RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to`))},
		{Name: "send-tagged", Requirements: []string{"RDMAP-4.1-4", "RDMAP-5.3-1"},
			Says: "A Send of any type with the T bit set is refused.",
			Ask: conform.Each(parts.Refused(hello, "opcode-t", `Segment %s T STag=$data TO=$data_to {echo "abcd"}`),
				"Send", "SendSE", "SendInvalidate", "SendSEInvalidate")},

		{Name: "send-to-read-queue", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.3-8", "V-284"},
			Says: "A Send of any type is refused in the queue of Read Requests.",
			Ask:  violating("qn-opcode", "QN=1 MSN=1", sendTypes...)},
		{Name: "send-to-terminate-queue", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.3-8", "V-284"},
			Says: "A Send of any type is refused in the queue of Terminates.",
			Ask:  violating("qn-opcode", "QN=2 MSN=1", sendTypes...)},
		{Name: "send-to-queue-3", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.3-8", "V-284"},
			Says: "A Send of any type is refused in queue 3, which RFC 5040 does not define.",
			Ask:  violating("qn-opcode", "QN=3 MSN=1", sendTypes...)},
		{Name: "send-to-undefined-queue", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.3-8", "V-284"},
			Says: "A Send is refused in a queue that RDMAP does not define.",
			Ask: conform.Each(parts.Refused(hello, "qn-undefined", `Segment Send QN=%s MSN=1 {echo "abcd"}`),
				"4", "256", "0x10000", "0x80000000", "0xffffffff")},
		{Name: "read-request-to-another-queue", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.2.1-6", "RDMAP-7.2-6", "V-284"},
			Says: "A Read Request is refused in the queue of Sends, in that of Terminates, and in queue 3.",
			Ask: conform.Each(hello+`
				> [bad] Segment ReadRequest %s SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to`+
				refusedRead("qn-opcode"), "QN=0 MSN=2", "QN=2 MSN=1", "QN=3 MSN=1")},
		{Name: "read-request-to-undefined-queue", Requirements: []string{"RDMAP-5.2.1-6", "RDMAP-7.2-6", "V-284"},
			Says: "A Read Request is refused in a queue that RDMAP does not define.",
			Ask: conform.Each(hello+`
				> [bad] Segment ReadRequest QN=%s MSN=1 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to`+
				refusedRead("qn-undefined"), "4", "257", "0x10001", "0x80000001", "0xffffffff")},

		{Name: "reserved-bits-of-sends", Requirements: []string{"RDMAP-4.1-9"},
			Says: "The receiver of a Send ignores the reserved bits of the control octet.",
			Ask: oneByOne(`
				> Segment %[1]s {echo "%[2]d"}
				< Send {echo "%[2]d"}`, "Send Rsv=1", "Send Rsv=2", "Send Rsv=3", "SendSE Rsv=1", "SendSE Rsv=2", "SendSE Rsv=3")},
		{Name: "reserved-bits-of-invalidations", Requirements: []string{"RDMAP-4.1-9"}, Need: conform.Volatile,
			Says: "The receiver of a Send with Invalidate ignores the reserved bits of the control octet.",
			Ask: conform.Each(`
				> Segment %s InvalidateSTag=$volatile {echo "gone"}
				< Send {echo "gone"}`, "SendInvalidate Rsv=3", "SendSEInvalidate Rsv=3")},
		{Name: "reserved-bits-of-writes", Requirements: []string{"RDMAP-4.1-9"},
			Says: "The receiver of a Write ignores the reserved bits of the control octet.",
			Ask: oneByOne(`
				> Segment Write Rsv=%[1]s STag=$data TO=$data_to+%[2]d "abcd"
				> [r%[2]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to+%[2]d
				< ReadResponse to [r%[2]d] "abcd"`, "1", "2", "3")},
		{Name: "reserved-bits-of-read-requests", Requirements: []string{"RDMAP-4.1-9"},
			Says: "The receiver of a Read Request ignores the reserved bits of the control octet, and clears " +
				"them in the Response.",
			Ask: oneByOne(`
				> [r%[2]d] Segment ReadRequest Rsv=%[1]s SinkSTag=0x1000 SinkTO=16 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse STag=0x1000 TO=16 00010203`, "1", "2", "3")},
		{Name: "reserved-bits-of-read-responses", Requirements: []string{"RDMAP-4.1-9"},
			Says: "The receiver of a Read Response ignores the reserved bits of the control octet.",
			Ask: oneByOne(`
				> Send {read! 4 0 0x1000 0x2000}
				< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> Segment ReadResponse Rsv=%[1]s STag=$data TO=$data_to "abcd"
				< Send {done read}`, "1", "2", "3")},

		{Name: "invalidate-stag-of-a-send", Requirements: []string{"RDMAP-4.1-11"}, Need: conform.Volatile,
			Says: "The Invalidate STag field is ignored in a Send that invalidates nothing: the STag stays valid.",
			Ask: oneByOne(`
				> Segment %[1]s InvalidateSTag=$volatile {echo "%[2]d"}
				< Send {echo "%[2]d"}
				> [r%[2]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to
				< ReadResponse to [r%[2]d] 00010203`, "Send", "SendSE")},
		{Name: "invalidate-stag-of-a-read-request", Requirements: []string{"RDMAP-4.1-11"}, Need: conform.Volatile,
			Says: "The Invalidate STag field is ignored in a Read Request: the STag stays valid.",
			Ask: conform.Text(`
				> Segment ReadRequest InvalidateSTag=$volatile SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to
				< ReadResponse STag=0x1000 TO=0 00010203
				> reads 4 $volatile 00010203`)},
		{Name: "unknown-stag-in-a-send", Requirements: []string{"RDMAP-4.1-11"},
			Says: "An unknown STag is harmless in the Invalidate STag field of a Send that invalidates nothing.",
			Ask: oneByOne(`
				> Segment Send InvalidateSTag=%[1]s {echo "%[2]d"}
				< Send {echo "%[2]d"}`, "$revoked", "$foreign", "1", "0xffffffff")},

		{Name: "control-of-sends", Requirements: []string{
			"RDMAP-4.1-1", "RDMAP-4.1-2", "RDMAP-4.1-3", "RDMAP-4.1-4", "RDMAP-4.1-5", "RDMAP-4.1-6", "RDMAP-4.1-7",
			"RDMAP-4.1-8", "RDMAP-4.1-10"},
			Says: "The peer's Sends have their opcodes, version 1, queue 0, and zeros in reserved fields.",
			Ask: conform.Text(`
				> Send {send 0 1 4 0 0}
				< Send 00*4
				> Send {send 2 1 4 0 0}
				< SendSE 00*4
				> Send {send 4 1 4 0 0x12345678}
				< SendInvalidate InvalidateSTag=0x12345678 00*4
				> Send {send 6 1 4 0 0x9abcdef0}
				< SendSEInvalidate InvalidateSTag=0x9abcdef0 00*4`)},
		{Name: "control-of-others", Requirements: []string{
			"RDMAP-4.1-1", "RDMAP-4.1-2", "RDMAP-4.1-4", "RDMAP-4.1-5", "RDMAP-4.1-6", "RDMAP-4.1-7", "RDMAP-4.1-8",
			"RDMAP-4.1-10"},
			Says: "The peer's Write, Read Request and Read Response have their opcodes, version 1, T bit and queue, and zeros " +
				"in reserved fields.",
			Ask: conform.Text(`
				> Send {write! 4 0 0x1000 0x2000}
				< Write STag=0x1000 TO=0x2000 00*4
				< Send {done write}
				> Send {read! 4 0 0x1000 0x2000}
				< [request] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [request] "abcd"
				< Send {done read}
				> [ours] ReadRequest SinkSTag=0x1000 SinkTO=0x2000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [ours] "abcd"`)},
	}
})

// reserved lists the messages with an opcode that no RFC assigns. more follows each.
func reserved(more ...string) (messages []string) {
	for o := range rdmap.OpExperimental + 1 {
		if !o.Known() {
			messages = append(messages, o.String()+strings.Join(more, ""))
		}
	}
	return messages
}

// unassigned has a connection for each reserved opcode, and for those of RFC 7306 that the peer does not support.
func unassigned(s *conform.Setup) []string {
	words := reserved(` "abcd"`)
	if !has(s, conform.Immediate) {
		words = append(words, "Immediate ImmediateData=1", "ImmediateSE ImmediateData=1")
	}
	if !has(s, conform.Atomics) {
		words = append(words, "AtomicRequest RequestIdentifier=1 RemoteSTag=$data RemoteTaggedOffset=$data_to",
			"AtomicResponse OriginalRequestIdentifier=1")
	}
	return conform.Each(hello+"\n> Segment %s\n< refuses opcode", words...)(s)
}

var section42 = about("4.2", "RDMA Message definitions", func() []conform.Case {
	return []conform.Case{
		{Name: "payload-of-a-read-request", Requirements: []string{"RDMAP-4.2-1", "RDMAP-4.2-2"},
			Says: "A Read Request with octets after its header is refused.",
			Ask: conform.Each(parts.Refused("", "read-long",
				`Segment ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to %s`),
				"00", "00*4", "00*24", "00*25", "00*1000")},
		{Name: "read-request-cut-short", Requirements: []string{"RDMAP-4.2-1", "RDMAP-4.4-1"},
			Says: "A Read Request with an incomplete header is refused.",
			Ask:  conform.Each(parts.Refused("", "read-short", `Segment ReadRequest %s`), "", "00*1", "00*16", "00*27")},
		{Name: "payload-of-writes-and-sends", Requirements: []string{"RDMAP-4.2-1", "RDMAP-4.2-2", "RDMAP-4-1"},
			Says: "Writes and Sends carry payload directly after the DDP header.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "payload"
				> reads 7 $data "payload"
				> echoes "payload"
				> SendSE {echo "payload"}
				< Send {echo "payload"}`)},
		{Name: "payload-of-invalidations", Requirements: []string{"RDMAP-4.2-1", "RDMAP-4.2-2"}, Need: conform.Volatile,
			Says: "Sends with Invalidate carry payload like others.",
			Ask: conform.Each(`
				> %s InvalidateSTag=$volatile {echo "payload"}
				< Send {echo "payload"}`, "SendInvalidate", "SendSEInvalidate")},
		{Name: "no-payload-in-requests", Requirements: []string{"RDMAP-4.2-1", "RDMAP-4.2-2", "RDMAP-4.4-1"},
			Says: "The peer's Read Request is a header of 28 octets, and no more.",
			Ask: bySize(`
				> Send {read! %[1]d 0 0x1000 0x2000}
				< [r%[3]d] ReadRequest RDMARDSZ=%[1]d SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [r%[3]d] %[2]s
				< Send {done read}`, 1, 1000, 65536)},
	}
})

var section44 = about("4.4", "Read Request header", func() []conform.Case {
	return []conform.Case{
		{Name: "sink-stag-comes-back", Requirements: []string{"RDMAP-4.4-2", "RDMAP-5.2.2-9"},
			Says: "The Read Response has the Sink STag of the Request, whatever it is.",
			Ask: oneByOne(`
				> [r%[2]d] ReadRequest SinkSTag=%[1]s SinkTO=0x2000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [r%[2]d] 00010203`, "0", "1", "0xff", "0x100", "0x80000000", "0xdeadbeef", "0xffffffff",
				"$data", "$revoked")},
		{Name: "sink-stag-in-all-segments", Requirements: []string{"RDMAP-4.4-2", "RDMAP-4.4-3", "RDMAP-5.2.2-9"},
			Says: "Every segment of a Read Response has the Sink STag, and the Sink TO plus the octets before it.",
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
			Says: "The TO of a Read Response carries over into the upper 32 bits.",
			Ask: conform.Text(`
				> [read] ReadRequest SinkSTag=0x1000 SinkTO=0xfffff800 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read] 00*65536`)},
		{Name: "sink-to-wraps", Requirements: []string{"RDMAP-4.4-6"},
			Says: "The Data Source does not check whether Sink TO and size exceed 64 bits: the Data Sink does.",
			Ask: bySize(`
				> [r%[3]d] ReadRequest SinkSTag=0x1000 SinkTO=0xffffffffffffffff RDMARDSZ=%[1]d SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r%[3]d] %[2]s`, 1, 2, 64, 65536)},
		{Name: "source-to-not-aligned", Requirements: []string{"RDMAP-4.4-4", "RDMAP-5.2.1-10"},
			Says: "A Read may begin at any octet of its source.", Ask: conform.Text(aligned())},
		{Name: "size-is-answered", Requirements: []string{"RDMAP-4.4-5", "RDMAP-5.2.1-11"},
			Says: "A Read Response has the requested number of octets, in as many segments as that takes.",
			Ask: bySize(`
				> [r%[3]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=%[1]d SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r%[3]d] %[2]s`, 0, 1, 2, 3, 4, 5, 7, 8, 9, 512, 1023, 1434, 1446, 1447, 1448, 1449, 1460,
				4095, 4096, 8961, 16384, 65535, 65536)},

		{Name: "request-of-the-peer", Requirements: []string{"RDMAP-4.4-1", "RDMAP-4.4-4", "RDMAP-4.4-5"},
			Says: "The peer's Read Request has the size, STag and TO that its ULP asks for.",
			Ask:  conform.Text(requests())},
		{Name: "response-is-placed", Requirements: []string{"RDMAP-4.4-2", "RDMAP-4.4-3", "RDMAP-5.5-19"},
			Says: "The payload of a Read Response is placed where the peer's Read Request asked for it.",
			Ask: conform.Text(`
				> Send {read! 12 100 0x1000 0x2000}
				< [request] ReadRequest RDMARDSZ=12 SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [request] "brought home"
				< Send {done read}
				> reads 20 $data+96 00*4 "brought home" 00*4
				> Send {send 0 1 12 100 0}
				< Send "brought home"`)},
		{Name: "response-wraps", Requirements: []string{"RDMAP-4.4-6"},
			Says: "A Read Response whose TO and length exceed 64 bits is refused by the Data Sink.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x2000}
				< [request] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> [bad] ReadResponse to [request] TO=0xfffffffffffffffe "abcd"
				< OneOf
				or Refusal response-bounds to [bad]
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

// requests has the peer read from unusual STags and TOs, in unusual lengths.
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

var section48 = about("4.8", "Terminate header", func() []conform.Case {
	return []conform.Case{
		{Name: "local-error",
			Requirements: []string{
				"RDMAP-4.8-1", "RDMAP-4.8-2", "RDMAP-4.8-3", "RDMAP-4.8-4", "RDMAP-4.8-5", "RDMAP-4.8-6", "RDMAP-4.8-7",
				"RDMAP-4.8-12", "RDMAP-4.8-17", "V-075", "V-133", "V-136", "RDMAP-7.1-2",
			},
			Need: conform.Terminates,
			Says: "A Terminate for a local reason is a Local Catastrophic Error, and encloses nothing.",
			Ask:  conform.Text("> Send {terminate}\n< refuses local")},
		{Name: "local-error-behind-messages", Need: conform.Terminates,
			Requirements: []string{"RDMAP-4.8-12", "RDMAP-5.4-3", "V-127", "V-130"},
			Says:         "A Terminate has its own queue and MSN 1, however many messages precede it.",
			Ask: conform.Text(`
				> Send {write 4096 0 0x1000 0x2000}
				< Write STag=0x1000 TO=0x2000 00*4096
				> Send {send 0 3 100 0 0}
				< Send 00*100
				< Send 00*100
				< Send 00*100
				> Send {terminate}
				< refuses local`)},
		{Name: "header-of-a-write",
			Requirements: []string{
				"RDMAP-4.8-4", "RDMAP-4.8-5", "RDMAP-4.8-6", "RDMAP-4.8-9", "RDMAP-4.8-10", "RDMAP-4.8-11", "RDMAP-4.8-14",
				"RDMAP-4.8-19", "V-135", "RDMAP-7.1-3", "RDMAP-3.1-6", "RDMAP-3.2-3",
			},
			Says: "The Terminate for a Write encloses its DDP header, of 14 octets, and has the length of the segment.",
			Ask: conform.Each(parts.Refused("", "write-stag", `Write STag=$revoked TO=$revoked_to+%s`),
				"0 00", "1 00*2", "0x123 00*3", "4095 00*4", "0 00*100", "0 00*1000")},
		{Name: "header-of-a-send", Requirements: []string{
			"RDMAP-4.8-4", "RDMAP-4.8-5", "RDMAP-4.8-6", "RDMAP-4.8-9", "RDMAP-4.8-10", "RDMAP-4.8-11", "RDMAP-4.8-14", "V-135"},
			Says: "The Terminate for a Send encloses its DDP header, of 18 octets, and has the length of the segment.",
			Ask: conform.Each(parts.Refused("", "send-msn", `Segment Send MSN=%s`),
				"0x80000002 00*4", "0x80000003", "0x80000000 00", "0xffffffff 00*5", "0 00*1000")},
		{Name: "header-of-each-send-type",
			Requirements: []string{"RDMAP-4.8-11", "RDMAP-4.8-14", "RDMAP-7.1-3", "RDMAP-3.1-6", "RDMAP-3.2-1", "RDMAP-5.3-7"},
			Says:         "The enclosed DDP header has the control octet and the Invalidate STag of the wrong Send.",
			Ask:          violating("send-msn", "MSN=0x80000007", sendTypes...)},
		{Name: "header-of-a-later-segment", Requirements: []string{"RDMAP-4.8-9", "RDMAP-4.8-11"},
			Says: "The Terminate encloses the header of the wrong segment, not that of the first one of its message.",
			Ask: conform.Text(`
				> Segment Write L=0 STag=$writeonly TO=$writeonly_to+2096 5a*1000
				> Segment Write L=0 5a*1000
				> Segment Write 5a
				< refuses write-bounds`)},
		{Name: "header-of-a-read-request", Requirements: []string{
			"RDMAP-4.8-4", "RDMAP-4.8-5", "RDMAP-4.8-6", "RDMAP-4.8-9", "RDMAP-4.8-11", "RDMAP-4.8-13", "RDMAP-4.8-15",
			"RDMAP-7.1-4", "V-135"},
			Says: "The Terminate for the source of a Read encloses its DDP header and its Read Request header as received.",
			Ask: conform.Each(parts.Refused("", "read-stag", `ReadRequest %s SrcSTag=$revoked SrcTO=$revoked_to`),
				"SinkSTag=0xcafe0001 SinkTO=0x0123456789abcdef RDMARDSZ=1",
				"SinkSTag=0xffffffff SinkTO=0xffffffffffffff00 RDMARDSZ=4096", "SinkSTag=0 RDMARDSZ=33")},
		{Name: "header-of-a-read-behind-others", Requirements: []string{"RDMAP-4.8-15", "RDMAP-5.2.2-7"},
			Says: "The Terminate for a Read after others encloses its header, and follows the Responses to the others.",
			Ask: conform.Text(`
				> reads 8 $readonly 0001020304050607
				> [two] ReadRequest SinkSTag=0x1000 SinkTO=8 RDMARDSZ=8 SrcSTag=$readonly SrcTO=$readonly_to+8
				< ReadResponse to [two] 08090a0b0c0d0e0f
				> ReadRequest SinkSTag=0x1000 SinkTO=16 RDMARDSZ=8 SrcSTag=$readonly SrcTO=$readonly_to+4089
				< refuses read-bounds`)},
		{Name: "no-rdmap-header-for-ddp", Requirements: []string{"RDMAP-4.8-6", "RDMAP-4.8-11", "RDMAP-4.8-14"},
			Says: "The Terminate for an error of DDP in a Read Request encloses the DDP header, and no Read Request header.",
			Ask:  violating("read-msn", "MSN=9", rdmap.OpReadRequest)},
		{Name: "error-of-the-llp",
			Requirements: []string{"RDMAP-4.8-3", "RDMAP-4.8-4", "RDMAP-4.8-5", "RDMAP-4.8-18", "V-285"},
			Says:         "An MPA error is reported with a code of MPA, and encloses nothing.",
			Ask:          conform.Text("> FPDU CRC=bad Send {echo}\n< refuses fpdu-crc")},
		{Name: "reserved-bits-are-ignored", Requirements: []string{"RDMAP-4.8-8", "RDMAP-5.4-5", "V-078"},
			Says: "The receiver of a Terminate ignores its reserved bits.",
			Ask: conform.Each(`
				> Terminate 0/0/00 Reserved=%s
				< closes`, "1", "0x1000", "0x1fff")},
		{Name: "unregistered-codes", Requirements: []string{"RDMAP-4.8-3", "RDMAP-5.4-5", "V-078"},
			Says: "A Terminate with an unregistered code ends the stream like any other, and is not answered.",
			Ask: conform.Each(`
				> Terminate %s
				< closes`, "0/0/ff", "0/1/05", "0/2/00", "0/3/00", "1/3/ff", "2/0/ff", "3/0/00", "f/f/ff")},
	}
})
