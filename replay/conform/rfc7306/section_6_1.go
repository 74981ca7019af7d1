package rfc7306

// Section 6.1: what the upper layer hears of Immediate Data.

import "github.com/iwarpkit/iwarp/replay/conform"

var section61 = about("6.1", "what is delivered", func() []conform.Case {
	return []conform.Case{
		{Name: "delivered", Requirements: []string{"RDMAPX-6-1", "RDMAPX-6.2-1"}, Need: conform.Immediate,
			Says: "The upper layer gets the 8 octets of Immediate Data.",
			Ask: conform.Text(script("> Immediate ImmediateData=0x6162636465666768", reports(1, 4, "abcdefgh"),
				"> Immediate ImmediateData=0x0", reports(3, 4, "\x00\x00\x00\x00\x00\x00\x00\x00"),
				"> Immediate ImmediateData=0xffffffffffffffff", reports(5, 4, "\xff\xff\xff\xff\xff\xff\xff\xff")))},
		{Name: "delivered-behind-a-write", Requirements: []string{"RDMAPX-6-1"}, Need: conform.Immediate,
			Says: "Immediate Data behind a Write is delivered as one alone is.",
			Ask: conform.Text(script("> Write STag=$data TO=$data_to 01*8192", "> Immediate ImmediateData=0x6162636465666768",
				reports(1, 4, "abcdefgh")))},
		{Name: "solicited-event", Requirements: []string{"RDMAPX-6-1"}, Need: conform.Immediate | conform.Solicited,
			Says: "Immediate Data with Solicited Event solicits one, and that without does not.",
			Ask: conform.Text(script("> ImmediateSE ImmediateData=0x6162636465666768", reports(1, 5, "abcdefgh"),
				"> Immediate ImmediateData=0x6162636465666768", reports(3, 4, "abcdefgh")))},
		{Name: "error-terminates", Requirements: []string{"RDMAPX-6.1-1", "RDMAPX-8.1-2"}, Need: conform.Immediate,
			Says: "Immediate Data that is in error is answered with a Terminate, which has the DDP header of it.",
			Ask:  conform.Text("> Segment Immediate MSN=2 ImmediateData=0x1\n< refuses send-msn")},
	}
})
