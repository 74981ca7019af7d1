package rfc5040

// The Terminate header: its code, its HdrCt bits, and the headers that it encloses.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section48 = about("4.8", "Terminate header", func() []conform.Case {
	return []conform.Case{
		{Name: "local-error",
			Requirements: []string{
				"RDMAP-4.8-1", "RDMAP-4.8-2", "RDMAP-4.8-3", "RDMAP-4.8-4", "RDMAP-4.8-5", "RDMAP-4.8-6", "RDMAP-4.8-7",
				"RDMAP-4.8-12", "RDMAP-4.8-17", "V-075", "V-133", "V-136", "RDMAP-7.1-2",
			},
			Need: conform.Terminates,
			Says: "A Terminate for a local reason has Local Catastrophic Error, and encloses nothing.",
			Ask:  conform.Text("> Send {terminate}\n< refuses local")},
		{Name: "local-error-behind-messages", Need: conform.Terminates,
			Requirements: []string{"RDMAP-4.8-12", "RDMAP-5.4-3", "V-127", "V-130"},
			Says:         "A Terminate has its own queue and MSN 1, however many messages went before it.",
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
			Says: "The Terminate for a Write encloses its DDP header, of 14 octets, and gives the length of the segment.",
			Ask: conform.Each(`
				> Write STag=$revoked TO=$revoked_to+%s
				< refuses write-stag`, "0 00", "1 00*2", "0x123 00*3", "4095 00*4", "0 00*100", "0 00*1000")},
		{Name: "header-of-a-send", Requirements: []string{
			"RDMAP-4.8-4", "RDMAP-4.8-5", "RDMAP-4.8-6", "RDMAP-4.8-9", "RDMAP-4.8-10", "RDMAP-4.8-11", "RDMAP-4.8-14", "V-135"},
			Says: "The Terminate for a Send encloses its DDP header, of 18 octets, and gives the length of the segment.",
			Ask: conform.Each(`
				> Segment Send MSN=%s
				< refuses send-msn`, "2 00*4", "3", "0x80000000 00", "0xffffffff 00*5", "0 00*1000")},
		{Name: "header-of-each-send-type",
			Requirements: []string{"RDMAP-4.8-11", "RDMAP-4.8-14", "RDMAP-7.1-3", "RDMAP-3.1-6", "RDMAP-3.2-1", "RDMAP-5.3-7"},
			Says:         "The enclosed DDP header has the control octet and the Invalidate STag of the Send that was wrong.",
			Ask:          violating("send-msn", "MSN=7", sendTypes...)},
		{Name: "header-of-a-later-segment", Requirements: []string{"RDMAP-4.8-9", "RDMAP-4.8-11"},
			Says: "The Terminate encloses the header of the segment that is wrong, not that of the first one of its message.",
			Ask: conform.Text(`
				> Segment Write L=0 STag=$writeonly TO=$writeonly_to+2096 5a*1000
				> Segment Write L=0 5a*1000
				> Segment Write 5a
				< refuses write-bounds`)},
		{Name: "header-of-a-read-request", Requirements: []string{
			"RDMAP-4.8-4", "RDMAP-4.8-5", "RDMAP-4.8-6", "RDMAP-4.8-9", "RDMAP-4.8-11", "RDMAP-4.8-13", "RDMAP-4.8-15",
			"RDMAP-7.1-4", "V-135"},
			Says: "The Terminate for the source of a Read encloses its DDP header and its Read Request header as it came.",
			Ask: conform.Each(`
				> ReadRequest %s SrcSTag=$revoked SrcTO=$revoked_to
				< refuses read-stag`, "SinkSTag=0xcafe0001 SinkTO=0x0123456789abcdef RDMARDSZ=1",
				"SinkSTag=0xffffffff SinkTO=0xffffffffffffff00 RDMARDSZ=4096", "SinkSTag=0 RDMARDSZ=33")},
		{Name: "header-of-a-read-behind-others", Requirements: []string{"RDMAP-4.8-15", "RDMAP-5.2.2-7"},
			Says: "The Terminate for a Read behind others encloses that one's header, and comes behind the Responses to those.",
			Ask: conform.Text(`
				> [one] ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$readonly SrcTO=$readonly_to
				< ReadResponse to [one] 0001020304050607
				> [two] ReadRequest SinkSTag=0x1000 SinkTO=8 RDMARDSZ=8 SrcSTag=$readonly SrcTO=$readonly_to+8
				< ReadResponse to [two] 08090a0b0c0d0e0f
				> ReadRequest SinkSTag=0x1000 SinkTO=16 RDMARDSZ=8 SrcSTag=$readonly SrcTO=$readonly_to+4089
				< refuses read-bounds`)},
		{Name: "no-rdmap-header-for-ddp", Requirements: []string{"RDMAP-4.8-6", "RDMAP-4.8-11", "RDMAP-4.8-14"},
			Says: "The Terminate for an error of DDP in a Read Request encloses the DDP header, and no Read Request header.",
			Ask:  violating("read-msn", "MSN=9", rdmap.OpReadRequest)},
		{Name: "error-of-the-llp",
			Requirements: []string{"RDMAP-4.8-3", "RDMAP-4.8-4", "RDMAP-4.8-5", "RDMAP-4.8-18", "V-285"},
			Says:         "An error that MPA finds is reported with MPA's own code, and encloses nothing.",
			Ask:          conform.Text("> FPDU CRC=bad Send {echo}\n< refuses fpdu-crc")},
		{Name: "reserved-bits-are-ignored", Requirements: []string{"RDMAP-4.8-8", "RDMAP-5.4-5", "V-078"},
			Says: "The reserved bits of a Terminate mean nothing to who receives it.",
			Ask: conform.Each(`
				> Terminate 0/0/00 Reserved=%s
				< closes`, "1", "0x1000", "0x1fff")},
		{Name: "unregistered-codes", Requirements: []string{"RDMAP-4.8-3", "RDMAP-5.4-5", "V-078"},
			Says: "A Terminate whose code nobody has registered ends the stream like any other one, and is not answered.",
			Ask: conform.Each(`
				> Terminate %s
				< closes`, "0/0/ff", "0/1/05", "0/2/00", "0/3/00", "1/3/ff", "2/0/ff", "3/0/00", "f/f/ff")},
	}
})
