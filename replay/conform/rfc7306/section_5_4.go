package rfc7306

// Section 5.4: when an Atomic Request is done, as far as it shows in its Response.

import "github.com/iwarpkit/iwarp/replay/conform"

var section54 = about("5.4", "the order of Atomics", func() []conform.Case {
	return []conform.Case{
		{Name: "behind-a-write", Requirements: []string{"RDMAPX-5.4-3", "RDMAPX-5.4-5", "RDMAPX-7-2"}, Need: conform.Atomics,
			Says: "An Atomic Request behind a Write sees what that has written.",
			Ask: conform.Text(script(
				"> Write STag=$data TO=$data_to 0100000000000001", asks(fetchAdd(0, 0), 0), answers(1, 0x0100000000000001)))},
		{Name: "behind-a-long-write", Requirements: []string{"RDMAPX-5.4-3", "RDMAPX-5.4-5", "RDMAPX-7-2"}, Need: conform.Atomics,
			Says: "An Atomic Request behind a Write of many segments sees the last octets of it.",
			Ask: conform.Text(script(
				"> Write STag=$data TO=$data_to 77*65536", asks(cmpSwap(5, ones, 0x7777777777777777, ones), 65528),
				answers(1, 0x7777777777777777), holds(65528, 5), holds(65520, 0x7777777777777777)))},
		{Name: "behind-many-writes", Requirements: []string{"RDMAPX-5.4-3", "RDMAPX-5.4-5", "RDMAPX-7-2"}, Need: conform.Atomics,
			Says: "An Atomic Request behind Writes to the same word sees the latest of them.",
			Ask: conform.Text(script(
				"> Write STag=$data TO=$data_to 11*8", "> Write STag=$data TO=$data_to 22*8", "> Write STag=$data TO=$data_to 33*8",
				asks(fetchAdd(0, 0), 0), answers(1, 0x3333333333333333)))},
		{Name: "before-a-read", Requirements: []string{"RDMAPX-7-4"}, Need: conform.Atomics,
			Says: "A Read behind an Atomic Request reads what that has put in place.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.IRD < 2 {
					return nil
				}
				return []string{script(asks(fetchAdd(0x0500000000000005, 0), 0), `
					> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$data SrcTO=$data_to`, answers(1, 0), `
					< ReadResponse to [read] 0500000000000005`)}
			}},
	}
})
