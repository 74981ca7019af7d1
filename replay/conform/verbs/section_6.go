package verbs

// Section 6: states of a QP, and errors.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section621 = about("6.2.1.2", "from Idle to RTS", func() []conform.Case {
	return []conform.Case{
		{Name: "fresh-numbers", Requirements: []string{"V-063"},
			Says: "A connection begins with MSN 1 in each queue, whatever the MSNs of the previous one.",
			Ask:  conform.Texts(strings.Repeat(everyQueue, 8), everyQueue)},
		{Name: "fresh-numbers-after-error", Requirements: []string{"V-063"},
			Says: "A connection begins with MSN 1 in each queue, even after one that ended with an error.",
			Ask:  conform.Texts(everyQueue+"> Segment Send MSN=1 {quiet}\n< refuses send-msn", everyQueue)},
		{Name: "fresh-markers", Requirements: []string{"V-063"}, Need: conform.Markers, Begin: conform.Begin{Markers: true},
			Says: "Marker positions count from the start of each connection.",
			Ask:  conform.Texts(everyQueue+everyQueue, everyQueue)},
		{Name: "at-once", Requirements: []string{"V-065"},
			If: func(s *conform.Setup) bool { return s.Peer.Offer.Receives != 1 }, For: "a peer with more than one Receive",
			Says: "Octets right after the MPA frames are not lost.",
			Ask: func(s *conform.Setup) []string {
				n := int(s.Peer.Offer.Receives) - 1
				return []string{strings.Repeat("> Send {quiet}\n", n) + "> Send {report}\n< Send " +
					conform.Reported(n, 0, "", make([]byte, 4))}
			}},
	}
})

// everyQueue has the peer send a message in each queue of RFC 5040, and receive one.
const everyQueue = `
	> echoes "in queue 0"
	> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=600 SrcSTag=$data SrcTO=$data_to
	< ReadResponse to [r] 00*600
	> Send {read 4 0 0x1000 0x20000}
	< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
	> ReadResponse to [r] 00000000
`

var section622 = about("6.2.2", "out of RTS", func() []conform.Case {
	return []conform.Case{
		{Name: "posted-before", Requirements: []string{"V-067"}, Role: conform.AsResponder,
			Says: "The Initiator's messages are sent in the order of posting, from connection set-up on.",
			Ask:  conform.Text("> Send {echo \"first\"}\n> Send {echo \"second\"}\n< Send {echo \"first\"}\n< Send {echo \"second\"}")},
		{Name: "fin-while-idle", Requirements: []string{"V-071", "V-105"},
			Says: "Our FIN without outstanding work is answered with a FIN, without a Terminate.",
			Ask:  conform.Text("> FIN\n< FIN")},
		{Name: "fin-after-work", Requirements: []string{"V-071", "V-105"},
			Says: "Our FIN after completed work is answered with a FIN, without a Terminate.",
			Ask:  conform.Text(everyQueue + "> FIN\n< FIN")},
		{Name: "fin-while-reading", Requirements: []string{"V-072", "V-133"},
			Says: "A FIN while the peer waits for a Read Response is answered with the Terminate for it, which has no headers.",
			Ask:  terminated(reading)},
		{Name: "fin-while-fetching", Requirements: []string{"V-072"}, Need: conform.Atomics,
			Says: "A FIN while the peer waits for an Atomic Response is answered with the Terminate for it, which has no headers.",
			Ask: terminated(`
				> Send {fetchadd 0 0x1000 0x20000 1 0}
				< AtomicRequest AOpCode=FetchAdd RemoteSTag=0x1000 RemoteTaggedOffset=0x20000 AddData=1 CompareMask=0xffffffffffffffff`)},
		{Name: "close", Requirements: []string{"V-073", "V-105"},
			Says: "A peer that closes sends a FIN, without a Terminate.",
			Ask:  conform.Text("> Send {close}\n< FIN\n> FIN")},
		{Name: "close-after-work", Requirements: []string{"V-073", "V-105"},
			Says: "A peer that closes first completes earlier work, then sends a FIN, without a Terminate.",
			Ask: conform.Text(`
				> Send {write 65536 0 0x1000 0x20000}
				> Send {close}
				< Write STag=0x1000 TO=0x20000 00*65536
				< FIN
				> FIN`)},
		{Name: "terminate", Requirements: []string{"V-075", "V-136"}, Need: conform.Terminates,
			Says: "A Terminate requested by the upper layer is a Local Catastrophic Error of RDMAP, without headers.",
			Ask:  conform.Text("> Send {terminate}\n< refuses local")},
		{Name: "terminate-while-reading", Requirements: []string{"V-075", "V-136", "V-133"}, Need: conform.Terminates,
			Says: "A Terminate requested by the upper layer is about no message, even if one is outstanding.",
			Ask:  conform.Text(reading + "> Send {terminate}\n< refuses local")},
		{Name: "abort", Requirements: []string{"V-079", "V-137"},
			Says: "A peer that aborts resets the connection, without a Terminate.",
			Ask:  demanded("> Send {abort}", "Reset", "FIN")},
		{Name: "abort-while-reading", Requirements: []string{"V-079", "V-137"},
			Says: "A peer that aborts while it waits for a Read Response resets the connection, without a Terminate.",
			Ask:  demanded(reading+"> Send {abort}", "Reset", "FIN")},
		{Name: "reset", Requirements: []string{"V-080", "V-137"},
			Says: "A reset ends a connection, even while the peer waits for an answer, and others continue.",
			Ask:  conform.Texts("> Reset", reading+"> Reset", "> Segment Send L=0 \"half\"\n> Reset")},
	}
})

// reading makes the peer wait for a Read Response.
const reading = `
	> Send {read 4 0 0x1000 0x20000}
	< [read] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
`

var section623 = about("6.2.3", "the state Terminate", func() []conform.Case {
	return []conform.Case{
		{Name: "queue-stops", Requirements: []string{"V-082", "V-083"}, Need: conform.Terminates,
			Says: "After its Terminate a peer sends nothing that its upper layer posts.",
			Ask: conform.Text(reading + `
				> Send {terminate}
				> Send {echo "too late"}
				< refuses local`)},
		{Name: "not-closed", Requirements: []string{"V-085"}, Role: conform.AsInitiator, Patient: true,
			Says: "A peer that has sent a Terminate resets the connection after a timeout, if the other side does not close it.",
			Ask:  demanded("> [bad] Segment Send MSN=0x80000009 {quiet}\n< Refusal send-msn to [bad]\n< FIN", "Reset", "Silence 50s")},
	}
})

var section625 = about("6.2.5", "the state Closing", func() []conform.Case {
	return []conform.Case{
		{Name: "message-behind-close", Requirements: []string{"V-099", "V-103", "V-104"},
			Says: "A message after the peer's FIN is not accepted: the connection is reset.",
			Ask:  unanswered("> Send {close}\n< FIN\n> Send {echo}")},
		{Name: "read-behind-close", Requirements: []string{"V-099", "V-103", "V-104"},
			Says: "A Read Request after the peer's FIN is not answered: the connection is reset.",
			Ask:  unanswered("> Send {close}\n< FIN\n> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to")},
		{Name: "write-behind-close", Requirements: []string{"V-103", "V-104"},
			Says: "A Write after the peer's FIN makes it reset the connection.",
			Ask:  unanswered("> Send {close}\n< FIN\n> Write STag=$data TO=$data_to \"too late\"")},
	}
})

var section64 = about("6.4", "errors and the Terminate", func() []conform.Case {
	return []conform.Case{
		{Name: "terminate-behind-whole-segments", Requirements: []string{"V-127"}, Need: conform.Terminates,
			Says: "A Terminate follows the last segment sent before it, complete and in its own FPDU.",
			Ask: conform.Text(`
				> Send {write! 65536 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 00*65536
				< Send {done write}
				> Send {terminate}
				< refuses local`)},
		{Name: "first-error-decides", Requirements: []string{"V-134", "V-129"},
			Says: "Of two wrong messages, the first one gets the Terminate.",
			Ask: conform.Texts(
				twice("Write STag=$revoked TO=$revoked_to 00*4",
					"ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$local SrcTO=$local_to", "write-stag"),
				twice("ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$revoked SrcTO=$revoked_to",
					"Write STag=$readonly TO=$readonly_to 00*4", "read-stag"),
				twice("Segment Send MSN=0x80000007 {quiet}", "Segment Opcode14", "send-msn"))},
		{Name: "nothing-behind-an-error", Requirements: []string{"V-129"},
			Says: "Messages after a wrong one are not answered.",
			Ask: conform.Text(`
				> [bad] Write STag=$revoked TO=$revoked_to 00*4
				> Send {echo "too late"}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to
				< refuses write-stag to [bad]`)},
		{Name: "error-while-reading", Requirements: []string{"V-135"},
			Says: "The Terminate has the header of the wrong message, even while the peer waits for a Read Response.",
			Ask: conform.Text(reading + `
				> [bad] Write STag=$readonly TO=$readonly_to 00*4
				< refuses write-access to [bad]`)},
	}
})

// twice returns a script with two wrong messages, the first of which is refused.
func twice(first, second, situation string) string {
	return fmt.Sprintf("> [bad] %s\n> %s\n< refuses %s to [bad]", first, second, situation)
}

var section65 = about("6.5", "RDMA Reads in and out", func() []conform.Case {
	return []conform.Case{
		{Name: "all-at-once", Requirements: []string{"V-032", "V-254"},
			Says: "As many Read Requests at once as the peer's IRD allows are accepted, and answered in order.",
			Ask: func(s *conform.Setup) []string {
				var ours, theirs string
				for i := range min(s.Peer.IRD, 64) {
					ours += fmt.Sprintf("> [r%[1]d] ReadRequest SinkSTag=0x1000 SinkTO=%[1]d RDMARDSZ=1 "+
						"SrcSTag=$readonly SrcTO=$readonly_to+%[1]d\n", i)
					theirs += fmt.Sprintf("< ReadResponse to [r%d] %02x\n", i, i)
				}
				return []string{ours + theirs}
			}},
		{Name: "long-then-short", Requirements: []string{"V-254"},
			Says: "A short Read after a long one is answered after it.",
			If:   func(s *conform.Setup) bool { return s.Peer.IRD >= 2 },
			Ask: conform.Text(`
				> [long] ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
				> [short] ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$readonly SrcTO=$readonly_to+250
				< ReadResponse to [long] 00*65536
				< ReadResponse to [short] fa`)},
		{Name: "again-and-again", Requirements: []string{"V-032"},
			Says: "Each answer makes room in the queue for another Read Request.",
			Ask: func(*conform.Setup) []string {
				script := ""
				for i := range 200 {
					script += fmt.Sprintf("> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$readonly SrcTO=$readonly_to+%d\n", i) +
						fmt.Sprintf("< ReadResponse to [r] %02x%02x\n", i, i+1)
				}
				return []string{script}
			}},
		{Name: "ord-one", Requirements: []string{"V-140", "V-141"}, Need: conform.Enhanced, Begin: conform.Begin{IRD: 1},
			Says: "With an ORD of 1 the next Read Request waits for the Read Response before it, and everything after it waits, too.",
			If:   func(s *conform.Setup) bool { return s.Peer.ORD >= 1 },
			Ask: conform.Text(`
				> Send {reads! 3 4 0 0x1000 0x20000}
				< [a] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				< Silence
				> ReadResponse to [a] "one "
				< [b] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20004
				> ReadResponse to [b] "two "
				< [c] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20008
				> ReadResponse to [c] "tree"
				< Send {done reads}
				> reads 12 $data "one two tree"`)},
		{Name: "ord-zero", Requirements: []string{"V-142", "V-140"}, Need: conform.Enhanced, Begin: conform.Begin{IRD: -1},
			Says: "With an ORD of 0 no Read Request is sent: the upper layer gets an error.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x20000}
				< OneOf
				or Send {answer read 1 0}
				or Send {answer read 2 0}`)},
	}
})

var section661 = about("6.6.1", "once iWARP has begun", func() []conform.Case {
	return []conform.Case{
		{Name: "nothing-but-fpdus", Requirements: []string{"V-149", "V-148"},
			Says: "A connection begins with MPA frames; after them all octets of the peer are FPDUs of complete messages.",
			Ask: conform.Text(everyQueue + `
				> Send {write! 65536 0 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 00*65536
				< Send {done write}
				> Send {send 0 4 3000 0 0}
				< Send 00*3000
				< Send 00*3000
				< Send 00*3000
				< Send 00*3000
				> Send {close}
				< FIN
				> FIN`)},
	}
})
