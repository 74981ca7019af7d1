package rfc7306

// Section 6.3: the Immediate Data message.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section63 = about("6.3", "the Immediate Data message", func() []conform.Case {
	return []conform.Case{
		{Name: "too-short", Requirements: []string{"RDMAPX-6.3-7", "RDMAPX-6.3-5"}, Need: conform.Immediate,
			Says: "Immediate Data of fewer than 8 octets is refused.",
			Ask:  conform.Texts(octetsBehind(rdmap.OpImmediate, "immediate-length", 0, 1, 4, 7)...)},
		{Name: "too-long", Requirements: []string{"RDMAPX-6.3-7", "RDMAPX-6.3-5", "RDMAPX-4.2-1"}, Need: conform.Immediate,
			Says: "Immediate Data of more than 8 octets is refused.",
			Ask:  conform.Texts(octetsBehind(rdmap.OpImmediate, "immediate-length", 9, 12, 16, 1024)...)},
		{Name: "too-short-with-event", Requirements: []string{"RDMAPX-6.3-7", "RDMAPX-6.3-5"}, Need: conform.Immediate,
			Says: "Immediate Data with Solicited Event of fewer than 8 octets is refused.",
			Ask:  conform.Texts(octetsBehind(rdmap.OpImmediateSE, "immediate-length", 0, 7)...)},
		{Name: "too-long-with-event", Requirements: []string{"RDMAPX-6.3-7", "RDMAPX-6.3-5", "RDMAPX-4.2-1"}, Need: conform.Immediate,
			Says: "Immediate Data with Solicited Event of more than 8 octets is refused.",
			Ask:  conform.Texts(octetsBehind(rdmap.OpImmediateSE, "immediate-length", 9, 16)...)},
		{Name: "takes-a-buffer", Requirements: []string{"RDMAPX-6.3-2", "V-234"}, Need: conform.Immediate,
			Says: "Immediate Data takes a Receive, each message one: with the last one taken the next is refused.",
			Ask: func(s *conform.Setup) []string {
				return []string{withoutReceives(s, "> Immediate ImmediateData=0x1", "> Immediate ImmediateData=0x2")}
			}},
		{Name: "shares-buffers-with-sends", Requirements: []string{"RDMAPX-6.3-2"}, Need: conform.Immediate,
			Says: "Immediate Data takes Receives from those that Sends take, and Sends from those of Immediate Data.",
			Ask: func(s *conform.Setup) []string {
				return []string{
					withoutReceives(s, "> Send {quiet}", "> ImmediateSE ImmediateData=0x2"),
					withoutReceives(s, "> Immediate ImmediateData=0x2", "> Send {quiet}"),
				}
			}},
		{Name: "msn-shared-with-sends", Requirements: []string{"RDMAPX-6.3-2", "RDMAPX-6.3-4"}, Need: conform.Immediate,
			Says: "Immediate Data and Sends are numbered together.",
			Ask: conform.Text(script("> Immediate ImmediateData=0x1", "> Send {echo \"a\"}", "< Send {echo \"a\"}",
				"> ImmediateSE ImmediateData=0x2", "> Immediate ImmediateData=0x3", "> Send {echo \"b\"}", "< Send {echo \"b\"}"))},
		{Name: "msn-repeated", Requirements: []string{"RDMAPX-6.3-2", "RDMAPX-8.2-1"}, Need: conform.Immediate,
			Says: "Immediate Data with the MSN of a Send before it is refused.",
			Ask: conform.Text(`
				> Send {echo}
				< Send {echo}
				> Segment Immediate MSN=1 ImmediateData=0x1
				< refuses send-msn`)},
		{Name: "mo-above-zero", Requirements: []string{"RDMAPX-8.2-1"}, Need: conform.Immediate,
			Says: "Immediate Data with an MO above zero is refused.",
			Ask:  conform.Text("> Segment Immediate MO=8 ImmediateData=0x1\n< refuses mo")},
		{Name: "in-order", Requirements: []string{"RDMAPX-6.3-3", "RDMAPX-6.4-1"}, Need: conform.Immediate,
			Says: "Immediate Data is delivered in the order in which it was sent.",
			Ask: conform.Text(`
				> Immediate ImmediateData=0x3131313131313131
				> Send {report}
				> Immediate ImmediateData=0x3232323232323232
				> Send {report}
				> Send {quiet "between"}
				> Immediate ImmediateData=0x3333333333333333
				> Send {report}` + "\n" + script(report(1, 4, "11111111"), report(3, 4, "22222222"), report(6, 4, "33333333")))},
		{Name: "from-the-peer", Need: conform.Immediate,
			Requirements: []string{"RDMAPX-6.3-4", "RDMAPX-6.3-5", "RDMAPX-6.3-6", "RDMAPX-6.3-1"},
			Says:         "The peer's own Immediate Data is right, and goes out in its order between Sends.",
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
	}
})

// withoutReceives returns a script in which the peer posts no Receive any more, gets so many messages as take them all, and
// refuses one more.
func withoutReceives(s *conform.Setup, each, bad string) string {
	lines := []string{"> Send {hold!}", "< Send {done hold}"}
	for range s.Peer.Offer.Receives {
		lines = append(lines, each)
	}
	return script(append(lines, bad, "< refuses send-no-buffer")...)
}
