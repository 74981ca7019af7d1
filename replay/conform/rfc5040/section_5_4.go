package rfc5040

// Terminates that the peer receives, and its silence after its own.

import (
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section54 = about("5.4", "Terminate Message", func() []conform.Case {
	return []conform.Case{
		{Name: "ends-the-stream", Requirements: []string{"RDMAP-5.4-5", "RDMAP-7-3", "V-078"},
			Says: "A Terminate ends the stream: the peer closes the connection, and sends no Terminate of its own.",
			Ask: conform.Each(`
				> Terminate %s
				< closes`, "0/0/00", "0/2/06", "0/2/07", "0/2/08", "2/0/02")},
		{Name: "with-headers", Requirements: []string{"RDMAP-5.4-5", "RDMAP-7-3", "V-078"},
			Says: "A Terminate that encloses headers of the peer's message ends the stream, and is not answered.",
			Ask: conform.Texts(`
				> echoes "abcd"
				> Terminate 1/2/03 M D 001a 4143 00000000 00000000 00000001 00000000
				< closes`, `
				> Send {write 4 0 0x1000 0x2000}
				< Write STag=0x1000 TO=0x2000 00*4
				> Terminate 1/1/00 M D 0012 c140 00001000 0000000000002000
				< closes`, `
				> Send {read 4 0 0x1000 0x2000}
				< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> Terminate 0/1/00 M D R 002e 4141 00000000 00000001 00000001 00000000
				| $data:be32 $data_to:be64 00000004 00001000 0000000000002000
				< closes`)},
		{Name: "headers-left-out", Requirements: []string{"RDMAP-5.4-5", "RDMAP-5.4-6", "V-078"},
			Says: "A Terminate that lacks headers announced by its HdrCt bits ends the stream, and is not answered.",
			Ask: conform.Each(parts.Refused("", "terminate-bad to [bad]", `[bad] Terminate %s`),
				"1/2/03 M", "1/2/03 M D", "1/2/03 M D 001a", "1/2/03 M D 001a 4143 00000000", "0/1/00 M D R",
				"0/1/00 M D R 002e 4141 00*16", "0/1/00 M D R 002e 4141 00*16 00*27", "1/1/00 M D 0012 c140 00*11")},
		{Name: "octets-behind", Requirements: []string{"RDMAP-4.2-2", "RDMAP-5.4-6"},
			Says: "A Terminate with octets after its last field ends the stream, and is not answered.",
			Ask: conform.Each(parts.Refused("", "terminate-bad to [bad]", `[bad] Terminate 0/0/00 %s`),
				"00", "00*2", "00*48", "ff*100")},
		{Name: "cut-short", Requirements: []string{"RDMAP-5.4-6", "RDMAP-4.8-1"},
			Says: "A Terminate with an incomplete header ends the stream, and is not answered.",
			Ask: conform.Each(parts.Refused("", "terminate-bad to [bad]", `[bad] Segment Terminate %s`),
				"", "00", "00*2", "00*3")},
		{Name: "in-another-queue", Requirements: []string{"RDMAP-4.1-6", "RDMAP-5.4-6", "RDMAP-7.2-1"},
			Says: "A Terminate in the wrong queue ends the stream, and is not answered.",
			Ask: conform.Each(parts.Refused("", "terminate-bad to [bad]", `[bad] Segment Terminate %s MSN=1 Layer=0`),
				"QN=0", "QN=1", "QN=3", "QN=4", "QN=0xffffffff")},
		{Name: "with-another-msn", Requirements: []string{"RDMAP-5.4-6", "RDMAP-7.2-1"},
			Says: "A Terminate with an MSN other than 1 ends the stream, and is not answered.",
			Ask: conform.Each(parts.Refused("", "terminate-bad to [bad]", `[bad] Segment Terminate MSN=%s Layer=0`),
				"0", "2", "0xffffffff")},
		{Name: "with-an-mo", Requirements: []string{"RDMAP-5.4-6", "RDMAP-7.2-1"},
			Says: "A Terminate with an MO other than 0 ends the stream, and is not answered.",
			Ask: conform.Each(parts.Refused("", "terminate-bad to [bad]", `[bad] Segment Terminate MO=%s Layer=0`),
				"1", "4", "0xffffffff")},
		{Name: "tagged", Requirements: []string{"RDMAP-4.1-4", "RDMAP-5.4-6"},
			Says: "A Terminate with the T bit set ends the stream, and is not answered.",
			Ask: conform.Text(parts.Refused(hello, "terminate-bad to [bad]",
				`[bad] Segment Terminate T STag=$data TO=$data_to 00*4`))},
		{Name: "reserved-bits", Requirements: []string{"RDMAP-4.1-9", "RDMAP-5.4-5"},
			Says: "The reserved bits of the control octet are ignored in a Terminate.",
			Ask: conform.Each(`
				> Segment Terminate Rsv=%s Layer=0
				< closes`, "1", "2", "3")},
		{Name: "with-invalidate-stag", Requirements: []string{"RDMAP-4.1-11", "RDMAP-5.4-5"},
			Says: "The Invalidate STag field is ignored in a Terminate.",
			Ask: conform.Each(`
				> Segment Terminate InvalidateSTag=%s Layer=0
				< closes`, "1", "$data", "0xffffffff")},
		{Name: "behind-many-messages", Requirements: []string{"RDMAP-5.4-3", "RDMAP-5.4-4", "RDMAP-5.4-5"},
			Says: "A Terminate has MSN 1 after any number of messages in other queues.",
			Ask: conform.Text(strings.Repeat(hello, 5) + `
				> reads 4 $readonly 00010203
				> Terminate 0/0/00
				< closes`)},
		{Name: "when-no-buffer-is-left", Requirements: []string{"RDMAP-5.4-4", "RDMAP-5.4-5"},
			Says: "A Terminate is received even if all receive buffers are consumed.",
			Ask: func(s *conform.Setup) []string {
				return []string{held(s, "> Send {quiet}") + "> Terminate 0/0/00\n< closes"}
			}},
		{Name: "within-a-message", Requirements: []string{"RDMAP-5.4-5", "RDMAP-7-3"},
			Says: "A Terminate may come where the rest of a Send was expected, and ends the stream.",
			Ask: conform.Text(`
				> Segment Send L=0 {quiet "the rest of this never comes"}
				> Terminate 0/0/00
				< closes`)},
		{Name: "while-reads-are-outstanding",
			Requirements: []string{"RDMAP-5.4-5", "RDMAP-5.4-7", "RDMAP-6.2.1-2", "RDMAP-7-2"},
			Says:         "A Terminate ends the stream even if a Read of the peer is outstanding, which does not complete.",
			Ask: conform.Text(reading + `
				> Terminate 0/0/00
				< closes`)},

		{Name: "silence-behind-it", Begin: conform.Begin{IRD: 2}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-5.4-8", "RDMAP-7-2", "V-082", "V-129"},
			Says:         "After its Terminate the peer sends nothing, not even pending Reads and Responses.",
			Ask: reader(2, func(limit int) string {
				return waiting(5, limit) + "> Segment Send MSN=0x80000009 {echo}\n< refuses send-msn"
			})},
		{Name: "silence-behind-a-local-one", Need: conform.Terminates,
			Requirements: []string{"RDMAP-5.4-8", "RDMAP-7.1-2", "V-082"},
			Says:         "After a Terminate requested by its ULP the peer sends nothing, even if it has a Read outstanding.",
			Ask:          conform.Text(reading + "> Send {terminate}\n< refuses local")},
	}
})
