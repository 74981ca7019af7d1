package rfc7306

// Section 6.4: Immediate Data is ordered as a Send is.

import "github.com/iwarpkit/iwarp/replay/conform"

var section64 = about("6.4", "ordering of Immediate Data", func() []conform.Case {
	return []conform.Case{
		{Name: "between-sends", Requirements: []string{"RDMAPX-6.4-1", "RDMAPX-6.3-3"}, Need: conform.Immediate,
			Says: "Sends and Immediate Data are delivered in the order in which they came, long Sends too.",
			Ask: conform.Text(script(
				`> Send {quiet 00*4000}`, "> Immediate ImmediateData=0x6161616161616161", "> Send {report}",
				"> Send {quiet \"last\"}", "> Send {report}",
				report(2, 4, "aaaaaaaa"), report(4, 0, "\x00\x00\x00\x00last")))},
		{Name: "behind-a-read", Requirements: []string{"RDMAPX-6.4-1"}, Need: conform.Immediate,
			Says: "Immediate Data behind a Read Request is taken in as ever, whenever the Response comes.",
			Ask: conform.Text(script(
				"> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=16384 SrcSTag=$data SrcTO=$data_to",
				"> Immediate ImmediateData=0x6161616161616161",
				"< ReadResponse to [read] 00*16384", reports(1, 4, "aaaaaaaa")))},
	}
})
