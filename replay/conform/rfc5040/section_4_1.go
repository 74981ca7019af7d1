package rfc5040

// The RDMAP control octet, the Invalidate STag field, and how messages use T bit and queues.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section41 = about("4.1", "RDMAP control and Invalidate STag field", func() []conform.Case {
	return []conform.Case{
		{Name: "version-0", Requirements: []string{"RDMAP-4.1-7", "RDMAP-7.2-3", "RDMAP-7.2-8", "V-284"},
			Says: "RDMAP version 0 is refused in a stream whose DDP version is 1, and 1 where that is 0.",
			Ask: func(s *conform.Setup) []string {
				return violating("rdmap-version", fmt.Sprintf("RV=%d", s.Peer.WrongVersions()[0]))(s)
			}},
		{Name: "version-2", Requirements: []string{"RDMAP-4.1-7", "RDMAP-7.2-3", "RDMAP-7.2-8", "V-284"},
			Says: "RDMAP version 2, which there is not, is refused in any message.", Ask: violating("rdmap-version", "RV=2")},
		{Name: "version-3", Requirements: []string{"RDMAP-4.1-7", "RDMAP-7.2-3", "RDMAP-7.2-8", "V-284"},
			Says: "RDMAP version 3, which there is not, is refused in any message.", Ask: violating("rdmap-version", "RV=3")},
		{Name: "version-in-first-fpdu", Requirements: []string{"RDMAP-4.1-7", "RDMAP-7.2-3"}, Crasher: true,
			Says: "A wrong RDMAP version is refused in the first FPDU of a connection, too.",
			Ask:  conform.Text("> Segment Send RV=2 {echo}\n< refuses rdmap-version")},
		{Name: "opcode-unassigned", Requirements: []string{"RDMAP-4.1-5", "RDMAP-7.2-2", "V-284"},
			Says: "An untagged message is refused whose opcode is reserved, or one of RFC 7306 that the peer does not have.",
			Ask:  unassigned},
		{Name: "opcode-unassigned-tagged", Requirements: []string{"RDMAP-4.1-5", "RDMAP-7.2-2", "V-284"},
			Says: "A tagged message is refused whose opcode is reserved, though STag and TO are in order.",
			Ask: conform.Each(hello+`
				> Segment %s T STag=$data TO=$data_to "abcd"
				< refuses opcode`, "Opcode12", "Opcode13", "Opcode14", "Opcode15")},
		{Name: "opcode-unassigned-in-other-queues",
			Requirements: []string{"RDMAP-4.1-5", "RDMAP-7.2-2", "RDMAP-7.2-7", "V-284"},
			Says:         "A message with a reserved opcode is refused in the queues of Read Requests and Terminates.",
			Ask: conform.Each(hello+`
				> Segment %s MSN=1 00*28
				< refuses opcode`, "Opcode12 QN=1", "Opcode13 QN=1", "Opcode14 QN=1", "Opcode15 QN=1", "Opcode12 QN=2",
				"Opcode15 QN=2")},
		{Name: "opcode-unassigned-of-no-octets", Requirements: []string{"RDMAP-4.1-5", "RDMAP-7.2-2", "V-284"},
			Says: "A message with a reserved opcode is refused if it has no payload, too.",
			Ask: conform.Each(hello+`
				> Segment %s
				< refuses opcode`, "Opcode12", "Opcode15", "Opcode13 T STag=$data TO=$data_to", "Opcode14 T STag=0 TO=0")},
		{Name: "opcode-in-first-fpdu", Requirements: []string{"RDMAP-4.1-5", "RDMAP-7.2-2"}, Crasher: true,
			Says: "A reserved opcode is refused in the first FPDU of a connection, too.",
			Ask:  conform.Text("> Segment Opcode14 \"abcd\"\n< refuses opcode")},

		{Name: "write-untagged", Requirements: []string{"RDMAP-4.1-4", "RDMAP-5.1-1"},
			Says: "A Write with the T bit clear is refused.",
			Ask: conform.Text(hello + `
				> Segment Write T=0 "abcd"
				< refuses opcode-t`)},
		{Name: "read-response-untagged", Requirements: []string{"RDMAP-4.1-4", "RDMAP-5.2.2-2"},
			Says: "A Read Response with the T bit clear is refused.",
			Ask: conform.Text(hello + `
				> Send {read 4 0 0x1000 0x2000}
				< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> Segment ReadResponse T=0 "abcd"
				< refuses opcode-t`)},
		{Name: "read-request-tagged", Requirements: []string{"RDMAP-4.1-4", "RDMAP-5.2.1-1"},
			Says: "A Read Request with the T bit set is refused.",
			Ask: conform.Text(hello + `
				> Segment ReadRequest T STag=$data TO=$data_to RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
				< refuses opcode-t`)},
		{Name: "send-tagged", Requirements: []string{"RDMAP-4.1-4", "RDMAP-5.3-1"},
			Says: "A Send of any type with the T bit set is refused.",
			Ask: conform.Each(hello+`
				> Segment %s T STag=$data TO=$data_to {echo "abcd"}
				< refuses opcode-t`, "Send", "SendSE", "SendInvalidate", "SendSEInvalidate")},

		{Name: "send-to-read-queue", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.3-8", "V-284"},
			Says: "A Send of any type is refused in the queue of Read Requests.",
			Ask:  violating("qn-opcode", "QN=1 MSN=1", sendTypes...)},
		{Name: "send-to-terminate-queue", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.3-8", "V-284"},
			Says: "A Send of any type is refused in the queue of Terminates.",
			Ask:  violating("qn-opcode", "QN=2 MSN=1", sendTypes...)},
		{Name: "send-to-queue-3", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.3-8", "V-284"},
			Says: "A Send of any type is refused in queue 3, which is none of RFC 5040.",
			Ask:  violating("qn-opcode", "QN=3 MSN=1", sendTypes...)},
		{Name: "send-to-undefined-queue", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.3-8", "V-284"},
			Says: "A Send is refused in a queue that RDMAP does not have.",
			Ask: conform.Each(hello+`
				> Segment Send QN=%s MSN=1 {echo "abcd"}
				< refuses qn-undefined`, "4", "256", "0x10000", "0x80000000", "0xffffffff")},
		{Name: "read-request-to-another-queue", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.2.1-6", "RDMAP-7.2-6", "V-284"},
			Says: "A Read Request is refused in the queue of Sends, in that of Terminates, and in queue 3.",
			Ask: conform.Each(hello+`
				> [bad] Segment ReadRequest %s SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to`+
				refusedRead("qn-opcode"), "QN=0 MSN=2", "QN=2 MSN=1", "QN=3 MSN=1")},
		{Name: "read-request-to-undefined-queue", Requirements: []string{"RDMAP-5.2.1-6", "RDMAP-7.2-6", "V-284"},
			Says: "A Read Request is refused in a queue that RDMAP does not have.",
			Ask: conform.Each(hello+`
				> [bad] Segment ReadRequest QN=%s MSN=1 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to`+
				refusedRead("qn-undefined"), "4", "257", "0x10001", "0x80000001", "0xffffffff")},

		{Name: "reserved-bits-of-sends", Requirements: []string{"RDMAP-4.1-9"},
			Says: "The reserved bits of the control octet mean nothing to who receives a Send.",
			Ask: oneByOne(`
				> Segment %[1]s {echo "%[2]d"}
				< Send {echo "%[2]d"}`, "Send Rsv=1", "Send Rsv=2", "Send Rsv=3", "SendSE Rsv=1", "SendSE Rsv=2", "SendSE Rsv=3")},
		{Name: "reserved-bits-of-invalidations", Requirements: []string{"RDMAP-4.1-9"}, Need: conform.Volatile,
			Says: "The reserved bits of the control octet mean nothing to who receives a Send with Invalidate.",
			Ask: conform.Each(`
				> Segment %s InvalidateSTag=$volatile {echo "gone"}
				< Send {echo "gone"}`, "SendInvalidate Rsv=3", "SendSEInvalidate Rsv=3")},
		{Name: "reserved-bits-of-writes", Requirements: []string{"RDMAP-4.1-9"},
			Says: "The reserved bits of the control octet mean nothing to who receives a Write.",
			Ask: oneByOne(`
				> Segment Write Rsv=%[1]s STag=$data TO=$data_to+%[2]d "abcd"
				> [r%[2]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to+%[2]d
				< ReadResponse to [r%[2]d] "abcd"`, "1", "2", "3")},
		{Name: "reserved-bits-of-read-requests", Requirements: []string{"RDMAP-4.1-9"},
			Says: "The reserved bits of the control octet mean nothing to who receives a Read Request, and the Response has " +
				"them clear.",
			Ask: oneByOne(`
				> [r%[2]d] Segment ReadRequest Rsv=%[1]s SinkSTag=0x1000 SinkTO=16 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse STag=0x1000 TO=16 00010203`, "1", "2", "3")},
		{Name: "reserved-bits-of-read-responses", Requirements: []string{"RDMAP-4.1-9"},
			Says: "The reserved bits of the control octet mean nothing to who receives a Read Response.",
			Ask: oneByOne(`
				> Send {read! 4 0 0x1000 0x2000}
				< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> Segment ReadResponse Rsv=%[1]s STag=$data TO=$data_to "abcd"
				< Send {done read}`, "1", "2", "3")},

		{Name: "invalidate-stag-of-a-send", Requirements: []string{"RDMAP-4.1-11"}, Need: conform.Volatile,
			Says: "The Invalidate STag field of a Send that invalidates nothing means nothing: the STag stays valid.",
			Ask: oneByOne(`
				> Segment %[1]s InvalidateSTag=$volatile {echo "%[2]d"}
				< Send {echo "%[2]d"}
				> [r%[2]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to
				< ReadResponse to [r%[2]d] 00010203`, "Send", "SendSE")},
		{Name: "invalidate-stag-of-a-read-request", Requirements: []string{"RDMAP-4.1-11"}, Need: conform.Volatile,
			Says: "The Invalidate STag field of a Read Request means nothing: the STag stays valid.",
			Ask: conform.Text(`
				> Segment ReadRequest InvalidateSTag=$volatile SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to
				< ReadResponse STag=0x1000 TO=0 00010203
				> [again] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to
				< ReadResponse to [again] 00010203`)},
		{Name: "unknown-stag-in-a-send", Requirements: []string{"RDMAP-4.1-11"},
			Says: "What is no STag at all does no harm in the Invalidate STag field of a Send that invalidates nothing.",
			Ask: oneByOne(`
				> Segment Send InvalidateSTag=%[1]s {echo "%[2]d"}
				< Send {echo "%[2]d"}`, "$revoked", "$foreign", "1", "0xffffffff")},

		{Name: "control-of-sends", Requirements: []string{
			"RDMAP-4.1-1", "RDMAP-4.1-2", "RDMAP-4.1-3", "RDMAP-4.1-4", "RDMAP-4.1-5", "RDMAP-4.1-6", "RDMAP-4.1-7",
			"RDMAP-4.1-8", "RDMAP-4.1-10"},
			Says: "The peer's Sends have their opcodes, version 1, queue 0, and what is reserved is zero.",
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
			Says: "The peer's Write, Read Request and Read Response have their opcodes, version 1, T bit and queue, and what " +
				"is reserved is zero.",
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

// unassigned has a connection for each opcode that is reserved, and for those of RFC 7306 that the peer does not have.
func unassigned(s *conform.Setup) (scripts []string) {
	words := []string{`Opcode12 "abcd"`, `Opcode13 "abcd"`, `Opcode14 "abcd"`, `Opcode15 "abcd"`}
	if !has(s, conform.Immediate) {
		words = append(words, "Immediate ImmediateData=1", "ImmediateSE ImmediateData=1")
	}
	if !has(s, conform.Atomics) {
		words = append(words, "AtomicRequest RequestIdentifier=1 RemoteSTag=$data RemoteTaggedOffset=$data_to",
			"AtomicResponse OriginalRequestIdentifier=1")
	}
	for _, w := range words {
		scripts = append(scripts, fmt.Sprintf("%s\n> Segment %s\n< refuses opcode", hello, w))
	}
	return scripts
}
