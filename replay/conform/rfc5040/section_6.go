package rfc5040

// Section 6: how many Reads may be outstanding, and how a stream ends.

import "github.com/iwarpkit/iwarp/replay/conform"

var section61 = about("6.1", "Stream initialization", func() []conform.Case {
	return []conform.Case{
		{Name: "octets-of-another-protocol", Requirements: []string{"RDMAP-6.1-1", "RDMAP-3.1-1"},
			Says: "Octets that are no RDMA Message are refused once the stream is in RDMA mode.",
			Ask: conform.Each(hello+`
				> Octets %s
				< refuses fpdu-crc`, `0012 "GET / HTTP/1.0 " 0d0a0d0a 00*3`, `00*64`, `001c 00*34`)},
		{Name: "mpa-frame-again", Requirements: []string{"RDMAP-6.1-1"}, Role: conform.AsInitiator,
			Says: "Octets of a second MPA Request are refused once the stream is in RDMA mode.",
			Ask:  conform.Text(hello + "\n> Octets 0012 \"MPA ID Req Frame\" 40010000 00*4\n< refuses fpdu-crc")},
		{Name: "ird-of-1", Requirements: []string{"RDMAP-6.1-2"}, Begin: conform.Begin{ORD: 1}, Need: conform.Enhanced,
			Says: "Reads are answered one by one where we have agreed on one at a time.",
			Ask: bySize(`
				> [r%[3]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=%[1]d SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r%[3]d] %[2]s`, 4, 65536, 0, 4096)},
		{Name: "ord-1-is-kept", Begin: conform.Begin{IRD: 1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-4", "RDMAP-8.1.1-11", "V-140", "V-141"},
			Says:         "The peer has one Read outstanding, and no more, where our IRD is 1.", Ask: kept(1)},
		{Name: "ord-2-is-kept", Begin: conform.Begin{IRD: 2}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-4", "RDMAP-8.1.1-11", "V-140", "V-141"},
			Says:         "The peer has no more Reads outstanding than our IRD, which is 2.", Ask: kept(2)},
		{Name: "ord-0-is-kept", Begin: conform.Begin{IRD: -1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-4", "RDMAP-8.1.1-11", "V-140", "V-142"},
			Says:         "The peer sends no Read Request where our IRD is 0.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x2000}
				< OneOf
				or Send {answer read 1 0}
				may "its ULP has tried it nevertheless" Send {answer read 2 0}
				may "its ULP has tried it nevertheless, and the RNIC has refused that" Refusal local
				< ends`)},
		{Name: "stalled-reads-go-on", Begin: conform.Begin{IRD: 1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-6.1-3", "RDMAP-6.1-4", "V-141"},
			Says:         "Reads that the peer had to hold back follow one by one as Responses come.",
			Ask:          reader(1, func(limit int) string { return readBack(6, limit) })},
		{Name: "stalled-reads-hold-what-follows", Begin: conform.Begin{IRD: 1}, Need: conform.Enhanced,
			Requirements: []string{"RDMAP-5.5-13", "RDMAP-6.1-4", "V-141"},
			Says:         "What the peer's ULP has asked for behind a Read that is held back is not sent before that.",
			Ask: conform.Text(`
				> Send {reads 2 4 0 0x1000 0x2000}
				> Send {write! 4 100 0x1000 0x3000}
				< [one] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> ReadResponse to [one] "abcd"
				< [two] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2004
				< Write STag=0x1000 TO=0x3000 00*4
				> ReadResponse to [two] "efgh"
				< Send {done write}`)},
	}
})

// kept has the peer read more often at once than our IRD allows, and sees that it has not done so when it answers a
// Read of ours, which needs no work of its ULP.
func kept(ird int) func(*conform.Setup) []string {
	return reader(ird, func(limit int) string {
		return waiting(8, limit) + `
			> [probe] ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$readonly SrcTO=$readonly_to
			< ReadResponse to [probe] 00010203
			> Terminate 0/0/00
			< closes`
	})
}

var section621 = about("6.2.1", "RDMAP Abortive Termination", func() []conform.Case {
	return []conform.Case{
		{Name: "terminate-then-fin",
			Requirements: []string{"RDMAP-6.2.1-1", "RDMAP-6.2.1-4", "RDMAP-7-3", "V-084", "RDMAP-7-1"},
			Says:         "An error of RDMAP brings a Terminate, and a FIN behind it that lets it arrive.",
			Ask:          violating("rdmap-version", "RV=3")},
		{Name: "terminate-for-ddp-then-fin", Requirements: []string{"RDMAP-3.1-6", "RDMAP-6.2.1-1", "RDMAP-6.2.1-4", "V-084"},
			Says: "An error of DDP brings a Terminate, and a FIN behind it that lets it arrive.",
			Ask:  conform.Text("> Write STag=$revoked TO=$revoked_to \"abcd\"\n< refuses write-stag")},
		{Name: "terminate-for-the-llp-then-fin", Requirements: []string{"RDMAP-6.2.1-1", "RDMAP-6.2.1-4", "RDMAP-4.8-18"},
			Says: "An error of MPA brings a Terminate, and a FIN behind it that lets it arrive.",
			Ask:  conform.Text("> FPDU CRC=bad Write STag=$data TO=$data_to \"abcd\"\n< refuses fpdu-crc")},
		{Name: "graceful", Requirements: []string{"RDMAP-6.2-1", "V-071", "V-105"},
			Says: "A stream without work is closed by a FIN, and no Terminate comes.",
			Ask: conform.Texts("> FIN\n< FIN", hello+"\n> FIN\n< FIN", `
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read] 00*65536
				> FIN
				< FIN`)},
		{Name: "closed-by-the-peer", Requirements: []string{"RDMAP-6.2-1", "V-073", "V-105"},
			Says: "The peer closes a stream without work by a FIN, and sends no Terminate.",
			Ask: conform.Texts("> Send {close}\n< FIN\n> FIN", `
				> Send {write 4096 0 0x1000 0x2000}
				> Send {send 0 1 100 0 0}
				> Send {close}
				< Write STag=0x1000 TO=0x2000 00*4096
				< Send 00*100
				< FIN
				> FIN`)},
		{Name: "reset-by-the-peer", Requirements: []string{"V-079", "V-137"},
			Says: "The peer's ULP can have the connection reset, and no Terminate comes.",
			Ask: conform.Text(`
				> Send {abort}
				< OneOf
				or Reset
				may "its verbs have no reset, and the QP goes to Error" FIN
				> FIN`)},
		{Name: "reset-by-us", Requirements: []string{"V-080"},
			Says: "A reset of ours, even within a message, does the peer no harm.",
			Ask: conform.Texts("> Reset", hello+"\n> Reset",
				"> Segment Send L=0 {quiet \"the rest of this never comes\"}\n> Reset",
				"> Octets 0100 4143\n> Reset", reading+"> Reset")},
	}
})
