package rfc7306

// Section 6: Immediate Data.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section61 = about("6.1", "delivery", func() []conform.Case {
	return []conform.Case{
		{Name: "delivered", Requirements: []string{"RDMAPX-6-1", "RDMAPX-6.2-1"}, Need: conform.Immediate,
			Says: "The upper layer gets the 8 octets of Immediate Data.",
			Ask: conform.Text("> Immediate ImmediateData=0x6162636465666768", reports(1, 4, "abcdefgh"),
				"> Immediate ImmediateData=0x0", reports(3, 4, "\x00\x00\x00\x00\x00\x00\x00\x00"),
				"> Immediate ImmediateData=0xffffffffffffffff", reports(5, 4, "\xff\xff\xff\xff\xff\xff\xff\xff"))},
		{Name: "delivered-behind-a-write", Requirements: []string{"RDMAPX-6-1"}, Need: conform.Immediate,
			Says: "Immediate Data after a Write is delivered like one alone.",
			Ask: conform.Text("> Write STag=$data TO=$data_to 01*8192", "> Immediate ImmediateData=0x6162636465666768",
				reports(1, 4, "abcdefgh"))},
		{Name: "solicited-event", Requirements: []string{"RDMAPX-6-1"}, Need: conform.Immediate | conform.Solicited,
			Says: "Immediate Data with Solicited Event causes one, and without it does not.",
			Ask: conform.Text("> ImmediateSE ImmediateData=0x6162636465666768", reports(1, 5, "abcdefgh"),
				"> Immediate ImmediateData=0x6162636465666768", reports(3, 4, "abcdefgh"))},
		{Name: "error-terminates", Requirements: []string{"RDMAPX-6.1-1", "RDMAPX-8.1-2"}, Need: conform.Immediate,
			Says: "Wrong Immediate Data is answered with a Terminate, which has its DDP header.",
			Ask:  conform.Text("> Segment Immediate MSN=0x80000002 ImmediateData=0x1\n< refuses send-msn")},
	}
})

var section63 = about("6.3", "the Immediate Data message", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.Immediate}, []conform.Case{
		{Name: "too-short", Requirements: []string{"RDMAPX-6.3-7", "RDMAPX-6.3-5"},
			Says: "Immediate Data of fewer than 8 octets is refused.",
			Ask:  conform.Texts(octetsAfter(rdmap.OpImmediate, "immediate-length", 0, 1, 4, 7)...)},
		{Name: "too-long", Requirements: []string{"RDMAPX-6.3-7", "RDMAPX-6.3-5", "RDMAPX-4.2-1"},
			Says: "Immediate Data of more than 8 octets is refused.",
			Ask:  conform.Texts(octetsAfter(rdmap.OpImmediate, "immediate-length", 9, 12, 16, 1024)...)},
		{Name: "too-short-with-event", Requirements: []string{"RDMAPX-6.3-7", "RDMAPX-6.3-5"},
			Says: "Immediate Data with Solicited Event of fewer than 8 octets is refused.",
			Ask:  conform.Texts(octetsAfter(rdmap.OpImmediateSE, "immediate-length", 0, 7)...)},
		{Name: "too-long-with-event", Requirements: []string{"RDMAPX-6.3-7", "RDMAPX-6.3-5", "RDMAPX-4.2-1"},
			Says: "Immediate Data with Solicited Event of more than 8 octets is refused.",
			Ask:  conform.Texts(octetsAfter(rdmap.OpImmediateSE, "immediate-length", 9, 16)...)},
		{Name: "takes-a-buffer", Requirements: []string{"RDMAPX-6.3-2", "V-234"},
			Says: "Each message with Immediate Data consumes a Receive: when none is left, the next is refused.",
			Ask: func(s *conform.Setup) []string {
				return []string{withoutReceives(s, "> Immediate ImmediateData=0x1", "> Immediate ImmediateData=0x2")}
			}},
		{Name: "shares-buffers-with-sends", Requirements: []string{"RDMAPX-6.3-2"},
			Says: "Immediate Data and Sends consume the same Receives.",
			Ask: func(s *conform.Setup) []string {
				return []string{
					withoutReceives(s, "> Send {quiet}", "> ImmediateSE ImmediateData=0x2"),
					withoutReceives(s, "> Immediate ImmediateData=0x2", "> Send {quiet}"),
				}
			}},
		{Name: "msn-shared-with-sends", Requirements: []string{"RDMAPX-6.3-2", "RDMAPX-6.3-4"},
			Says: "Immediate Data and Sends are numbered together.",
			Ask: conform.Text("> Immediate ImmediateData=0x1", "> Send {echo \"a\"}", "< Send {echo \"a\"}",
				"> ImmediateSE ImmediateData=0x2", "> Immediate ImmediateData=0x3", "> Send {echo \"b\"}", "< Send {echo \"b\"}")},
		{Name: "msn-repeated", Requirements: []string{"RDMAPX-6.3-2", "RDMAPX-8.2-1"},
			Says: "Immediate Data with the MSN of an earlier Send is refused.",
			Ask: conform.Text(`
				> echoes
				> Segment Immediate MSN=1 ImmediateData=0x1
				< refuses send-msn`)},
		{Name: "mo-above-zero", Requirements: []string{"RDMAPX-8.2-1"},
			Says: "Immediate Data with an MO above zero is refused, or waits for the octets before it.",
			Ask: conform.Text(`
				> [odd] Segment Immediate MO=8 ImmediateData=0x1
				< OneOf
				or Refusal mo to [odd]
				or Silence
				< ends`)},
		{Name: "in-order", Requirements: []string{"RDMAPX-6.3-3", "RDMAPX-6.4-1"},
			Says: "Immediate Data is delivered in the order in which it was sent.",
			Ask: conform.Text(`
				> Immediate ImmediateData=0x3131313131313131
				> Send {report}
				> Immediate ImmediateData=0x3232323232323232
				> Send {report}
				> Send {quiet "between"}
				> Immediate ImmediateData=0x3333333333333333
				> Send {report}` + "\n" + script(report(1, 4, "11111111"), report(3, 4, "22222222"), report(6, 4, "33333333")))},
		{Name: "from-the-peer", Requirements: []string{"RDMAPX-6.3-4", "RDMAPX-6.3-5", "RDMAPX-6.3-6", "RDMAPX-6.3-1"},
			Says: "The peer's own Immediate Data is correct, and sent in order with Sends.",
			Ask: conform.Text(`
				> Send {immediate 0 0x1122334455667788}
				> Send {echo "a"}
				> Send {immediate 2 0x99aabbccddeeff00}
				> Send {immediate! 0 0}
				< Immediate ImmediateData=0x1122334455667788
				< Send {echo "a"}
				< ImmediateSE ImmediateData=0x99aabbccddeeff00
				< Immediate ImmediateData=0x0
				< Send {done immediate}`)},
	})
})

// withoutReceives returns a script in which the peer stops posting Receives, gets enough messages to use them up, and
// refuses one more.
func withoutReceives(s *conform.Setup, each, bad string) string {
	lines := []string{"> Send {hold!}", "< Send {done hold}"}
	for range s.Peer.Offer.Receives {
		lines = append(lines, each)
	}
	return script(append(lines, bad, "< refuses send-no-buffer")...)
}

var section64 = about("6.4", "ordering of Immediate Data", func() []conform.Case {
	return []conform.Case{
		{Name: "between-sends", Requirements: []string{"RDMAPX-6.4-1", "RDMAPX-6.3-3"}, Need: conform.Immediate,
			Says: "Sends and Immediate Data are delivered in the order in which they came, long Sends too.",
			Ask: conform.Text(
				`> Send {quiet 00*4000}`, "> Immediate ImmediateData=0x6161616161616161", "> Send {report}",
				"> Send {quiet \"last\"}", "> Send {report}",
				report(2, 4, "aaaaaaaa"), report(4, 0, "\x00\x00\x00\x00last"))},
		{Name: "behind-a-read", Requirements: []string{"RDMAPX-6.4-1"}, Need: conform.Immediate,
			Says: "Immediate Data after a Read Request is delivered, whether the Response was sent or not.",
			Ask: conform.Text(
				"> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=16384 SrcSTag=$data SrcTO=$data_to",
				"> Immediate ImmediateData=0x6161616161616161",
				"< ReadResponse to [read] 00*16384", reports(1, 4, "aaaaaaaa"))},
	}
})
