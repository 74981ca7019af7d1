package verbs

// Section 8.2.2: in which order Work Requests are done.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section822 = about("8.2.2", "ordering", func() []conform.Case {
	return []conform.Case{
		{Name: "posting-order", Requirements: []string{"V-249"},
			Says: "What the upper layer posts goes out in its order: Writes, Sends and Read Requests.",
			Ask: conform.Text(`
				> Send {write 100 0 0x1000 0x20000}
				> Send {echo "a"}
				> Send {read 4 0 0x1000 0x30000}
				> Send {write 100 0 0x1000 0x40000}
				> Send {send 0 1 8 0 0}
				< Write STag=0x1000 TO=0x20000 00*100
				< Send {echo "a"}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x30000
				< Write STag=0x1000 TO=0x40000 00*100
				< Send 00*8
				> ReadResponse to [r] 00000000`)},
		{Name: "completions-in-order", Requirements: []string{"V-249", "V-255"},
			Says: "A Write behind an RDMA Read may go out before that has its Response, but it is not complete before it.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x20000}
				> Send {write! 4 16 0x1000 0x30000}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				< Write STag=0x1000 TO=0x30000 00*4
				> Send {echo "is either complete?"}
				< Send {echo "is either complete?"}
				> ReadResponse to [r] "read"
				< Send {done read}
				< Send {done write}`)},
		{Name: "receives-in-order", Requirements: []string{"V-251"},
			Says: "Messages are delivered in the order of their MSNs, be they long or short.",
			Ask: func(s *conform.Setup) []string {
				var ours, theirs string
				for i, n := range []int{1, 4000, 0, 2500, 3, 8, 1000, 2} {
					ours += fmt.Sprintf("> Send {echo %02x*%d}\n", i+1, n+1)
					theirs += fmt.Sprintf("< Send {echo %02x*%d}\n", i+1, n+1)
				}
				return []string{ours + theirs}
			}},
		{Name: "write-then-send", Requirements: []string{"V-252"},
			Says: "When a Send is delivered the Writes before it are in memory, to the last octet.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 11*65536
				> Write STag=$data TO=$data_to+65000 22*536
				> Send {write 1000 64536 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 11*464 22*536`)},
		{Name: "write-then-read", Requirements: []string{"V-253"},
			Says: "A Read Request is answered with what Writes before it have put into memory.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 11*65536
				> Write STag=$data TO=$data_to+65535 22
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r] 11*65535 22`)},
		{Name: "empty-read-as-fence", Requirements: []string{"V-261"},
			Says: "A Read of no octets is answered, whatever its STag: by then the Writes before it are in memory.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 33*65536
				> [fence] ReadRequest SinkSTag=0x1000 SinkTO=0x7 RDMARDSZ=0 SrcSTag=0x5a5a5a5a SrcTO=0xffffffffffffffff
				< ReadResponse to [fence]
				> Send {write 4 65532 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 33*4`)},
		{Name: "invalidation-behind-payload", Requirements: []string{"V-256"}, Need: conform.Volatile,
			Says: "An STag is invalid when the Send that has invalidated it is delivered, and valid for all before that.",
			Ask: conform.Text(`
				> Write STag=$volatile TO=$volatile_to "before"
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=6 SrcSTag=$volatile SrcTO=$volatile_to
				< ReadResponse to [r] "before"
				> SendInvalidate InvalidateSTag=$volatile {echo 00*3000}
				< Send {echo 00*3000}
				> Write STag=$volatile TO=$volatile_to "behind"
				< refuses write-stag`)},
	}
})
