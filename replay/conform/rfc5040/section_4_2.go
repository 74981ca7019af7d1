package rfc5040

// Which messages have RDMAP headers, and which may carry ULP payload.

import "github.com/iwarpkit/iwarp/replay/conform"

var section42 = about("4.2", "RDMA Message definitions", func() []conform.Case {
	return []conform.Case{
		{Name: "payload-of-a-read-request", Requirements: []string{"RDMAP-4.2-1", "RDMAP-4.2-2"},
			Says: "A Read Request with octets behind its header is refused.",
			Ask: conform.Each(`
				> Segment ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to %s
				< refuses read-long`, "00", "00*4", "00*24", "00*25", "00*1000")},
		{Name: "read-request-cut-short", Requirements: []string{"RDMAP-4.2-1", "RDMAP-4.4-1"},
			Says: "A Read Request whose header is not all there is refused.",
			Ask: conform.Each(`
				> Segment ReadRequest %s
				< refuses read-short`, "", "00*1", "00*16", "00*27")},
		{Name: "payload-of-writes-and-sends", Requirements: []string{"RDMAP-4.2-1", "RDMAP-4.2-2", "RDMAP-4-1"},
			Says: "Writes and Sends carry payload directly behind the DDP header.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "payload"
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=7 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read] "payload"
				> Send {echo "payload"}
				< Send {echo "payload"}
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
