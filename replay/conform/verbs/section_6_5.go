package verbs

// Section 6.5: the queue of Read Requests that come in, and how many go out.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section65 = about("6.5", "RDMA Reads in and out", func() []conform.Case {
	return []conform.Case{
		{Name: "all-at-once", Requirements: []string{"V-032", "V-254"},
			Says: "As many Read Requests as the peer's IRD are taken in at once, and answered in their order.",
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
			Says: "A short Read behind a long one is answered behind it.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.IRD < 2 {
					return nil
				}
				return []string{`
					> [long] ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
					> [short] ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$readonly SrcTO=$readonly_to+250
					< ReadResponse to [long] 00*65536
					< ReadResponse to [short] fa`}
			}},
		{Name: "again-and-again", Requirements: []string{"V-032"},
			Says: "An answer makes room in the queue for the next Read Request, any number of times.",
			Ask: func(*conform.Setup) []string {
				script := ""
				for i := range 200 {
					script += fmt.Sprintf("> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$readonly SrcTO=$readonly_to+%d\n", i) +
						fmt.Sprintf("< ReadResponse to [r] %02x%02x\n", i, i+1)
				}
				return []string{script}
			}},
		{Name: "ord-one", Requirements: []string{"V-140", "V-141"}, Need: conform.Enhanced, Begin: conform.Begin{IRD: 1},
			Says: "With an ORD of 1 the next Read Request waits for the Read Response before it, and so does all behind it.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.ORD < 1 {
					return nil
				}
				return []string{fmt.Sprintf(`
					> Send {reads! 3 4 0 0x1000 0x20000}
					< [a] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
					< Silence %v
					> ReadResponse to [a] "one "
					< [b] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20004
					> ReadResponse to [b] "two "
					< [c] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20008
					> ReadResponse to [c] "tree"
					< Send {done reads}
					> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=12 SrcSTag=$data SrcTO=$data_to
					< ReadResponse to [r] "one two tree"`, s.Quiet)}
			}},
		{Name: "ord-zero", Requirements: []string{"V-142", "V-140"}, Need: conform.Enhanced, Begin: conform.Begin{IRD: -1},
			Says: "With an ORD of 0 no Read Request goes out: the upper layer is told that there can be none.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x20000}
				< OneOf
				or Send {answer read 1 0}
				or Send {answer read 2 0}`)},
	}
})
