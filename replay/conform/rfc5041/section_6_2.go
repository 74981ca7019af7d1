package rfc5041

// How a stream ends: gracefully, and abortively.

import "github.com/iwarpkit/iwarp/replay/conform"

var section621 = about("6.2.1", "graceful teardown", func() []conform.Case {
	return []conform.Case{
		{Name: "all-sent-before", Requirements: []string{"DDP-6.2.1-1", "V-102"},
			Says: "All that the upper layer had sent comes before the end of a connection that it closes.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"*65536
				> Send {write 65536 0 0x1000 0x20000}
				> Send {send 0 1 65536 0 0}
				> Send {close}
				< Write STag=0x1000 TO=0x20000 "a"*65536
				< Send "a"*65536
				< FIN
				> FIN`)},
		{Name: "closed-idle", Requirements: []string{"DDP-6.2.1-5", "V-071", "V-105"},
			Says: "A connection that is closed when all is done ends gracefully, without a Terminate.",
			Ask: conform.Text(`
				> Send {echo "all is done"}
				< Send {echo "all is done"}
				> FIN
				< FIN`)},
		{Name: "closed-behind-write", Requirements: []string{"DDP-6.2.1-5", "V-071"},
			Says: "A connection that is closed behind a Write ends gracefully.",
			Ask: conform.Text(greeting + `
				> Write STag=$data TO=$data_to "a"*65536
				> FIN
				< FIN`)},
		{Name: "closed-within-message", Requirements: []string{"DDP-6.2.1-1"},
			Says: "A connection that is closed within a message ends.",
			Ask: conform.Text(greeting + `
				> Segment Send L=0 {echo "so far"}
				> FIN
				< OneOf
				or FIN
				or Reset
				or Terminate`)},
	}
})

var section622 = about("6.2.2", "abortive teardown", func() []conform.Case {
	return []conform.Case{
		{Name: "terminate-comes",
			Requirements: []string{"DDP-6.2.2-1", "DDP-6.2.2-2", "DDP-7.1-15", "V-076", "V-083", "V-084"},
			Says:         "Behind a fatal error the upper layer may still send one message: the Terminate.",
			Ask: greeted(`
				> Segment Write STag=$data+1 TO=$data_to "to an STag that there is not"
				< refuses write-stag`)},
		{Name: "work-outstanding", Requirements: []string{"DDP-6.2.2-2", "V-082"},
			Says: "A fatal error ends a stream that has work outstanding too.",
			Ask: conform.Text(`
				> Send {reads! 2 100 0 0x2000 0x30000}
				< ReadRequest RDMARDSZ=100 SrcSTag=0x2000 SrcTO=0x30000
				< ReadRequest RDMARDSZ=100 SrcSTag=0x2000 SrcTO=0x30064
				> [bad] Segment Send MSN=9 {echo "too early"}
				< refuses send-msn to [bad]`)},
		{Name: "message-in-progress", Requirements: []string{"DDP-6.2.2-2"},
			Says: "A fatal error ends a stream on which a message has not come to its end.",
			Ask: greeted(`
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Write STag=$data+1 TO=$data_to "to an STag that there is not"
				< refuses write-stag to [bad]`)},
		{Name: "lost", Requirements: []string{"DDP-6.2.2-1", "V-080"},
			Says: "A connection that is reset does no harm to others.",
			Ask: conform.Texts(greeting+"> Reset", `
				> Segment Send L=0 {echo "so far "}
				> Reset`, `
				> Send {read 100 0 0x2000 0x30000}
				< ReadRequest RDMARDSZ=100 SrcSTag=0x2000 SrcTO=0x30000
				> Reset`)},
		{Name: "aborted", Requirements: []string{"V-079"},
			Says: "A connection that the upper layer aborts is reset, without a Terminate.",
			Ask: conform.Text(greeting + `
				> Send {abort}
				< OneOf
				or Reset
				may "an abort that closes the connection ends it as well" FIN
				> FIN`)},
	}
})
