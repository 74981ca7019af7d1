package verbs

// Section 6.2.2: what ends RTS.

import "github.com/iwarpkit/iwarp/replay/conform"

var section622 = about("6.2.2", "out of RTS", func() []conform.Case {
	return []conform.Case{
		{Name: "posted-before", Requirements: []string{"V-067"}, Role: conform.AsResponder,
			Says: "What the Initiator's upper layer has posted as the connection began goes out first, and all else behind it.",
			Ask:  conform.Text("> Send {echo \"first\"}\n> Send {echo \"second\"}\n< Send {echo \"first\"}\n< Send {echo \"second\"}")},
		{Name: "fin-while-idle", Requirements: []string{"V-071", "V-105"},
			Says: "A FIN of the other side where nothing is outstanding is answered with a FIN, and no Terminate.",
			Ask:  conform.Text("> FIN\n< FIN")},
		{Name: "fin-after-work", Requirements: []string{"V-071", "V-105"},
			Says: "A FIN where all that was asked for is done is answered with a FIN, and no Terminate.",
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
			Says: "A peer that closes sends a FIN, and no Terminate.",
			Ask:  conform.Text("> Send {close}\n< FIN\n> FIN")},
		{Name: "close-after-work", Requirements: []string{"V-073", "V-105"},
			Says: "A peer that closes sends what was asked for before, then a FIN, and no Terminate.",
			Ask: conform.Text(`
				> Send {write 65536 0 0x1000 0x20000}
				> Send {close}
				< Write STag=0x1000 TO=0x20000 00*65536
				< FIN
				> FIN`)},
		{Name: "terminate", Requirements: []string{"V-075", "V-136"}, Need: conform.Terminates,
			Says: "A Terminate that the upper layer asks for is a Local Catastrophic Error of RDMAP, without headers.",
			Ask:  conform.Text("> Send {terminate}\n< refuses local")},
		{Name: "terminate-while-reading", Requirements: []string{"V-075", "V-136", "V-133"}, Need: conform.Terminates,
			Says: "A Terminate that the upper layer asks for blames no message, though one is outstanding.",
			Ask:  conform.Text(reading + "> Send {terminate}\n< refuses local")},
		{Name: "abort", Requirements: []string{"V-079", "V-137"},
			Says: "A peer that gives up resets the connection, without a Terminate.",
			Ask:  demanded("> Send {abort}", "Reset", "FIN")},
		{Name: "abort-while-reading", Requirements: []string{"V-079", "V-137"},
			Says: "A peer that gives up while it waits for a Read Response resets the connection, without a Terminate.",
			Ask:  demanded(reading+"> Send {abort}", "Reset", "FIN")},
		{Name: "reset", Requirements: []string{"V-080", "V-137"},
			Says: "A reset ends a connection, while the peer waits for an answer too, and others go on.",
			Ask:  conform.Texts("> Reset", reading+"> Reset", "> Segment Send L=0 \"half\"\n> Reset")},
	}
})

// reading makes the peer wait for a Read Response.
const reading = `
	> Send {read 4 0 0x1000 0x20000}
	< [read] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
`
