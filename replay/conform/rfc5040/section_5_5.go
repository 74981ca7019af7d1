package rfc5040

// Section 5.5 and appendix B: the order in which messages take effect.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section55 = about("5.5", "Ordering and completions", func() []conform.Case {
	return []conform.Case{
		{Name: "send-behind-a-write", Requirements: []string{"RDMAP-5.5-10", "RDMAP-5.5-16", "V-252"},
			Says: "When a Send is delivered, earlier Writes are placed.",
			Ask: oneByOne(`
				> Write STag=$data TO=$data_to "%[1]s"
				> Send {send 0 1 8 0 0}
				< Send "%[1]s"`, "first---", "second--", "third---", "fourth--", "fifth---", "sixth---", "seventh-", "eighth--")},
		{Name: "send-behind-a-long-write", Requirements: []string{"RDMAP-5.5-10", "RDMAP-5.5-16", "V-252"},
			Says: "When a Send is delivered, a long Write before it is completely placed.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 5a*65536
				> Send {send 0 1 65536 0 0}
				< Send 5a*65536`)},
		{Name: "send-behind-many-writes", Requirements: []string{"RDMAP-5.5-10", "RDMAP-5.1-6", "V-252"},
			Says: "When a Send is delivered, all Writes before it are placed.",
			Ask:  conform.Text(scattered("> Send {send 0 1 64 0 0}\n< Send"))},
		{Name: "read-behind-a-write",
			Requirements: []string{"RDMAP-5.5-12", "RDMAP-5.5-12b", "RDMAP-5.5-17", "RDMAP-B-2", "V-253"},
			Says:         "A Read after a Write to the same buffer returns what was written.",
			Ask: oneByOne(`
				> Write STag=$data TO=$data_to "%[1]s"
				> [r%[2]d] ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [r%[2]d] "%[1]s"`, "first---", "second--", "third---", "fourth--", "fifth---", "sixth---",
				"seventh-", "eighth--")},
		{Name: "read-behind-a-long-write", Requirements: []string{"RDMAP-5.5-12b", "RDMAP-5.5-17", "RDMAP-B-2", "V-253"},
			Says: "A Read after a long Write returns all of its octets.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 5a*65536
				> reads 16 $data+65520 5a*16`)},
		{Name: "read-behind-many-writes", Requirements: []string{"RDMAP-5.5-12b", "RDMAP-5.5-17", "RDMAP-B-2", "V-253"},
			Says: "A Read after many Writes returns the octets of all of them.",
			Ask: conform.Text(scattered(`> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=64 SrcSTag=$data SrcTO=$data_to
				< ReadResponse to [read]`))},
		{Name: "read-behind-a-write-in-segments", Requirements: []string{"RDMAP-5.5-12b", "RDMAP-5.5-17", "RDMAP-B-2"},
			Says: "A Read after a Write in several segments returns the octets of all of them.",
			Ask: conform.Text(`
				> Segment Write L=0 STag=$data TO=$data_to "one "
				> Segment Write L=0 "two "
				> Segment Write "three"
				> reads 13 $data "one two three"`)},
		{Name: "empty-read-behind-a-write", Requirements: []string{"RDMAP-5.5-12", "RDMAP-5.5-12b", "V-261"},
			Says: "A Read of zero octets is answered after the Writes before it.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "here"
				> [fence] ReadRequest SinkSTag=0x1000 RDMARDSZ=0
				< ReadResponse to [fence]
				> reads 4 $data "here"`)},
		{Name: "write-behind-a-read", Requirements: []string{"RDMAP-5.5-12c"},
			Says: "A Read before a Write to the same octet returns the old octet or the new one.",
			Ask: conform.Text(`
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=1 SrcSTag=$data SrcTO=$data_to
				> Write STag=$data TO=$data_to 5a
				< OneOf
				or Segment ReadResponse L STag=0x1000 TO=0 00
				or Segment ReadResponse L STag=0x1000 TO=0 5a`)},
		{Name: "write-behind-its-fence", Requirements: []string{"RDMAP-5.5-12c", "RDMAP-5.5-20"},
			Says: "A Write that waits for the Response to a Read does not affect it.",
			Ask: conform.Text(`
				> reads 4096 $data 00*4096
				> Write STag=$data TO=$data_to 5a*4096
				> reads 4096 $data 5a*4096`)},
		{Name: "sends-in-order", Requirements: []string{"RDMAP-5.5-10", "RDMAP-5.3-5", "V-116"},
			Says: "Sends of all types are delivered in the order in which they arrive.",
			Ask: conform.Text(`
				> Send {echo "1"}
				> SendSE {echo "2"}
				> Send {echo "3" 5a*4000}
				> Send {echo "4"}
				> SendSE {echo "5" 5a*2000}
				< Send {echo "1"}
				< Send {echo "2"}
				< Send {echo "3" 5a*4000}
				< Send {echo "4"}
				< Send {echo "5" 5a*2000}`)},
		{Name: "send-while-a-read-is-answered", Requirements: []string{"RDMAP-5.5-18"},
			Says: "A Send after Reads is delivered, whether they are answered or not.", Ask: overtaken},
		{Name: "responses-in-order", Requirements: []string{"RDMAP-5.5-20", "RDMAP-B-3", "V-254"},
			Says: "Responses are in the order of the Requests, even if a later one would be ready sooner.",
			Ask:  queued(65536, 0, 1, 30_000, 0, 2)},
		{Name: "order-of-the-peers-messages", Requirements: []string{"RDMAP-5.5-13", "RDMAP-5.5-15", "V-249", "V-255"},
			Says: "The peer sends Writes, Reads and Sends in the order in which its ULP posts them.",
			Ask: conform.Text(`
				> Send {write 3000 0 0x1000 0x2000}
				> Send {send 0 1 5 0 0}
				> Send {write 5 0 0x1000 0x3000}
				> Send {send! 2 1 3000 0 0}
				< Write STag=0x1000 TO=0x2000 00*3000
				< Send 00*5
				< Write STag=0x1000 TO=0x3000 00*5
				< SendSE 00*3000
				< Send {done send}`)},
		{Name: "peers-operations-complete-in-order", Requirements: []string{"RDMAP-5.5-15", "RDMAP-5.5-19", "V-255"},
			Says: "Operations of the peer after a fenced Read wait for its Response.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x2000}
				< [request] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x2000
				> Send {write! 4 100 0x1000 0x3000}
				< Write STag=0x1000 TO=0x3000 00*4
				> [probe] ReadRequest SinkSTag=0x1000 RDMARDSZ=0
				< ReadResponse to [probe]
				> ReadResponse to [request] "abcd"
				< Send {done read}
				< Send {done write}`)},
	}
})

// scattered writes 64 octets in reverse order, octet by octet, and reads them back.
func scattered(ask string) string {
	const octets = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-+"
	var b strings.Builder
	for i := len(octets) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "> Write STag=$data TO=$data_to+%d \"%c\"\n", i, octets[i])
	}
	return b.String() + ask + ` "` + octets + `"`
}

// overtaken sends Reads, followed by a Send that the peer does not answer.
func overtaken(s *conform.Setup) []string {
	n := inbound(s)
	if n == 0 {
		return nil
	}
	var out, in strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "> [r%d] ReadRequest SinkSTag=0x%x RDMARDSZ=20000 SrcSTag=$data SrcTO=$data_to\n", i, i+1)
		fmt.Fprintf(&in, "< ReadResponse to [r%d] 00*20000\n", i)
	}
	return []string{out.String() + "> Send {quiet}\n" + in.String() + "> Send {report}\n< Send 00000001 ?*16"}
}

var appendixB = about("B", "Ordering and completion table", func() []conform.Case {
	return []conform.Case{
		{Name: "read-behind-an-invalidating-send", Need: conform.Volatile,
			Requirements: []string{"RDMAP-B-1", "RDMAP-5.5-12", "RDMAP-5.5-17", "RDMAP-1.2-2", "V-253"},
			Says:         "A Read right after a Send with Invalidate finds its STag invalidated.",
			Ask: conform.Each(`
				> %s InvalidateSTag=$volatile
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$volatile SrcTO=$volatile_to
				< refuses read-stag`, "SendInvalidate", "SendSEInvalidate")},
		{Name: "send-then-read", Requirements: []string{"RDMAP-B-1", "RDMAP-5.5-12"},
			Says: "A Read after a Send is answered, and the ULP gets the Send.",
			Ask: conform.Text(`
				> Send {quiet "abcd"}
				> reads 4 $readonly 00010203
				> Send {report}
				< Send 00000001 00000008 ?*12`)},
	}
})
