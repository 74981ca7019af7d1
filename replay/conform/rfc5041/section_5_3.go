package rfc5041

// The order of messages and of their segments.

import (
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section53 = about("5.3", "the order of messages", func() []conform.Case {
	return []conform.Case{
		{Name: "in-order", Requirements: []string{"DDP-5.3-6", "V-251"},
			Says: "Messages are delivered in the order in which they were sent.",
			Ask:  burst},
		{Name: "once", Requirements: []string{"DDP-5.3-5", "V-234"},
			Says: "A message is delivered once, whatever the number of its segments.",
			Ask: conform.Text(`
				> Segment Send L=0 00
				> Segment Send L=0 00
				> Segment Send L=0 00
				> Segment Send 00
				> Send {report}
				< Send ` + conform.Reported(1, 0, "", make([]byte, 4)) + `
				> Segment Send L=0
				> Segment Send 0000000000
				> Send {report}
				< Send ` + conform.Reported(3, 0, "", make([]byte, 5)))},
		{Name: "behind-last", Requirements: []string{"DDP-5.3-5", "DDP-4.1-4", "DDP-4.1-5", "DDP-7.1-5"},
			Says: "A segment of a message whose last segment has come is refused.",
			Ask: greeted(`
				> Send {echo "a whole message"}
				< Send {echo "a whole message"}
				> [bad] Segment Send MSN=2 MO=19 "and more"
				< refuses send-msn to [bad]`)},
		{Name: "last-again", Requirements: []string{"DDP-5.3-5", "DDP-7.1-5"},
			Says: "The last segment of a message is refused when it comes again.",
			Ask: greeted(`
				> Segment Send L=0 {echo "so far "}
				> Segment Send "so good"
				< Send {echo "so far so good"}
				> [bad] Segment Send MSN=2 MO=11 "so good"
				< refuses send-msn to [bad]`)},
		{Name: "next-before-last", Requirements: []string{"DDP-5.3-6", "DDP-4.1-3", "DDP-5.3-1", "DDP-5.4-1"},
			Says: "A message that begins before the end of the one before it is refused.",
			Ask: greeted(`
				> Segment Send L=0 {echo "so far "}
				> [bad] Segment Send MSN=3 MO=0 {echo "the next one"}
				< refuses send-msn to [bad]`)},
		{Name: "descending", Requirements: []string{"DDP-5.3-2", "DDP-5.2-12"},
			Says: "A sink need not mind segments of a message in another order than that of their MOs, and may refuse them.",
			Ask: conform.Text(`
				> [odd] Segment Send L=0 MO=4 "late"
				> Segment Send L=0 MO=0 {echo}
				> Segment Send MO=8 "r on"` + either("mo", `Send {echo "later on"}`))},
		{Name: "overlapping", Requirements: []string{"DDP-5.3-4", "DDP-5.2-12"},
			Says: "A sink need not mind segments of a message that overlap, and may refuse them.",
			Ask: conform.Text(`
				> Segment Send L=0 {echo "once or "}
				> [odd] Segment Send MO=9 "or twice"` + either("mo", `Send {echo "once or twice"}`))},
		{Name: "write-descending", Requirements: []string{"DDP-5.3-2", "DDP-5.2-8"},
			Says: "A sink need not mind tagged segments in another order than that of their TOs, and may refuse them.",
			Ask: listening(conform.Text(`
				> Segment Write L=0 STag=$data TO=$data_to+4 "late"
				> [odd] Segment Write STag=$data TO=$data_to "too "` + either("write-continuation", "Silence QUIET")))},
		{Name: "interleaved", Requirements: []string{"DDP-5.3-1"},
			Says: "Segments of a message between those of another one do no more than end the connection.",
			Ask: conform.Text(`
				> Segment Write L=0 STag=$data TO=$data_to "a message "
				> Send {echo "another"}
				> Segment Write "in two parts"
				< OneOf
				or Send {echo "another"}
				or Terminate
				< ends`)},
		{Name: "own-order", Requirements: []string{"DDP-5.3-1", "DDP-5.3-2", "V-249"},
			Says: "The peer sends messages in the order in which it was told to.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"*10000 "b"*10000
				> Send {write 10000 0 0x1000 0x20000}
				> Send {send 0 1 10000 10000 0}
				> Send {write 1 0 0x1000 0x20000}
				> Send {send 0 1 1 10000 0}
				< Write STag=0x1000 TO=0x20000 "a"*10000
				< Send "b"*10000
				< Write STag=0x1000 TO=0x20000 "a"
				< Send "b"`)},
	}
})

// burst returns as many messages as there are Receives, at once.
func burst(setup *conform.Setup) []string {
	last := int(min(setup.Peer.Offer.Receives, 64)) - 1
	return []string{parts.Count(0, last, "> Send {echo %08x}\n") + parts.Count(0, last, "< Send {echo %08x}\n")}
}
