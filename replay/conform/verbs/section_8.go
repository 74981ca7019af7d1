package verbs

// Sections 8 to 10: Work Requests, completions, and streams that misbehave.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section812 = about("8.1.2", "Sends and Receives", func() []conform.Case {
	return []conform.Case{
		{Name: "each-takes-one", Requirements: []string{"V-234"},
			Says: "Each Send of any type consumes one Receive: as many Sends as Receives are accepted, and one more is refused.",
			Ask: conform.EachWith(func(s *conform.Setup, kind string) string {
				return withoutReceives(s, kind) + "> " + kind + " {quiet}\n< refuses send-no-buffer"
			}, "Send", "SendSE")},
		{Name: "others-take-none", Requirements: []string{"V-237"},
			Says: "Writes and Reads consume no Receive: they work when none is left.",
			Ask: func(s *conform.Setup) []string {
				return []string{withoutReceives(s, "Send") + `
					> Write STag=$data TO=$data_to "data"
					> reads 4 $data "data"
					> FIN
					< FIN`}
			}},
		{Name: "longest", Requirements: []string{"V-235"},
			Says: "A Send as long as the Receive is accepted, and its length is reported.",
			Ask: func(s *conform.Setup) []string {
				n := int(s.Peer.Offer.ReceiveSize)
				return []string{fmt.Sprintf("> Send 00*%d\n> Send {report}\n< Send %s", n, conform.Reported(1, 0, "", make([]byte, n)))}
			}},
		{Name: "too-long", Requirements: []string{"V-235", "V-278"},
			Says: "A Send longer than the Receive is refused.",
			Ask: func(s *conform.Setup) []string {
				return []string{fmt.Sprintf("> Send 00*%d\n< refuses send-too-long", s.Peer.Offer.ReceiveSize+1)}
			}},
	}
})

// withoutReceives leaves the peer without Receives: it stops posting them, and messages of a kind use up the rest.
func withoutReceives(s *conform.Setup, kind string) string {
	return "> Send {hold!}\n< Send {done hold}\n" + strings.Repeat("> "+kind+" {quiet}\n", int(s.Peer.Offer.Receives))
}

var section822 = about("8.2.2", "ordering", func() []conform.Case {
	return []conform.Case{
		{Name: "posting-order", Requirements: []string{"V-249"},
			Says: "Writes, Sends and Read Requests are sent in the order of posting.",
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
			Says: "A Write after an RDMA Read may be sent before its Response arrives, but does not complete before it.",
			Ask: conform.Text(`
				> Send {read! 4 0 0x1000 0x20000}
				> Send {write! 4 16 0x1000 0x30000}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				< Write STag=0x1000 TO=0x30000 00*4
				> echoes "is either complete?"
				> ReadResponse to [r] "read"
				< Send {done read}
				< Send {done write}`)},
		{Name: "receives-in-order", Requirements: []string{"V-251"},
			Says: "Messages are delivered in the order of their MSNs, whatever their lengths.",
			Ask: func(s *conform.Setup) []string {
				var ours, theirs string
				for i, n := range []int{1, 4000, 0, 2500, 3, 8, 1000, 2} {
					ours += fmt.Sprintf("> Send {echo %02x*%d}\n", i+1, n+1)
					theirs += fmt.Sprintf("< Send {echo %02x*%d}\n", i+1, n+1)
				}
				return []string{ours + theirs}
			}},
		{Name: "write-then-send", Requirements: []string{"V-252"},
			Says: "When a Send is delivered, the Writes before it are in memory, to the last octet.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 11*65536
				> Write STag=$data TO=$data_to+65000 22*536
				> Send {write 1000 64536 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 11*464 22*536`)},
		{Name: "write-then-read", Requirements: []string{"V-253"},
			Says: "A Read Response has the octets of earlier Writes.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 11*65536
				> Write STag=$data TO=$data_to+65535 22
				> reads 65536 $data 11*65535 22`)},
		{Name: "empty-read-as-fence", Requirements: []string{"V-261"},
			Says: "A Read of zero octets is answered, whatever its STag: by then the Writes before it are in memory.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 33*65536
				> [fence] ReadRequest SinkSTag=0x1000 SinkTO=0x7 RDMARDSZ=0 SrcSTag=0x5a5a5a5a SrcTO=0xffffffffffffffff
				< ReadResponse to [fence]
				> Send {write 4 65532 0x1000 0x20000}
				< Write STag=0x1000 TO=0x20000 33*4`)},
		{Name: "invalidation-behind-payload", Requirements: []string{"V-256"}, Need: conform.Volatile,
			Says: "An STag is invalid when the Send that invalidates it is delivered, and valid for all earlier messages.",
			Ask: conform.Text(`
				> Write STag=$volatile TO=$volatile_to "before"
				> reads 6 $volatile "before"
				> SendInvalidate InvalidateSTag=$volatile {echo 00*3000}
				< Send {echo 00*3000}
				> Write STag=$volatile TO=$volatile_to "behind"
				< refuses write-stag`)},
	}
})

var section825 = about("8.2.5", "Solicited Events", func() []conform.Case {
	return []conform.Case{
		{Name: "those-that-solicit", Requirements: []string{"V-272"}, Need: conform.Solicited,
			Says: "A Send with Solicited Event causes one, and no other Send does.",
			Ask: conform.Text(`
				> SendSE {quiet "a"}
				> Send {report}
				> Send {quiet "b"}
				> Send {report}
				> SendSE {quiet}
				> Send {report}
				< Send ` + conform.Reported(1, 1, "", []byte("\x00\x00\x00\x00a")) + `
				< Send ` + conform.Reported(3, 0, "", []byte("\x00\x00\x00\x00b")) + `
				< Send ` + conform.Reported(5, 1, "", []byte("\x00\x00\x00\x00")))},
		{Name: "with-invalidation", Requirements: []string{"V-272"}, Need: conform.Solicited | conform.Invalidates | conform.Volatile,
			Says: "A Send with Solicited Event and Invalidate causes one, and one with Invalidate alone does not.",
			Ask: conform.Texts(`
				> SendSEInvalidate InvalidateSTag=$volatile {quiet "a"}
				> Send {report}
				< Send `+conform.Reported(1, 3, "$volatile:be32", []byte("\x00\x00\x00\x00a")), `
				> SendInvalidate InvalidateSTag=$volatile {quiet "a"}
				> Send {report}
				< Send `+conform.Reported(1, 2, "$volatile:be32", []byte("\x00\x00\x00\x00a")))},
	}
})

var section832 = about("8.3.2", "errors and their Terminates", func() []conform.Case {
	return []conform.Case{
		{Name: "segment-size", Requirements: []string{"V-285"},
			Says: "A segment shorter than its header is refused.",
			Ask: conform.EachOf(func(octets string) string {
				return fmt.Sprintf(parts.Greeting+"> Segment %s\n< refuses ddp-short", octets)
			}, "41", "4143", "4143 00*15", "c140 00*11")},
		{Name: "crc", Requirements: []string{"V-285"},
			Says: "An FPDU with a wrong CRC is refused.",
			Ask:  conform.Text("> FPDU CRC=bad Send {quiet}\n< refuses fpdu-crc")},
		{Name: "read-without-l", Requirements: []string{"V-284"},
			Says: "A Read Request without L is refused.",
			Ask:  conform.Text("> Segment ReadRequest L=0 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to\n< refuses l-missing")},
		{Name: "msn", Requirements: []string{"V-288", "V-287"},
			Says: "A message whose MSN is not the next one of its queue is refused.",
			Ask: conform.Texts(
				"> Segment Send MSN=0x80000002 {quiet}\n< refuses send-msn",
				"> Segment Send MSN=0 {quiet}\n< refuses send-msn",
				"> Segment ReadRequest MSN=2 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to\n< refuses read-msn",
				"> Segment ReadRequest MSN=0 SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$data SrcTO=$data_to\n< refuses read-msn")},
		{Name: "wrap", Requirements: []string{"V-213", "V-286", "V-287"},
			Says: "A TO and a length that exceed 64 bits are refused.",
			Ask: conform.Texts(
				"> Write STag=$data TO=0xffffffffffffffff 0000\n< refuses write-wrap",
				"> ReadRequest SinkSTag=0x1000 RDMARDSZ=2 SrcSTag=$data SrcTO=0xffffffffffffffff\n< refuses read-wrap")},
	}
})

var section9321 = about("9.3.2.1", "contents of completions", func() []conform.Case {
	return []conform.Case{
		{Name: "length", Requirements: []string{"V-268"},
			Says: "The upper layer learns the length of each message.",
			Ask: conform.Text(`
				> Send 00
				> Send {report}
				< Send ` + conform.Reported(1, 0, "", make([]byte, 1)) + `
				> Send
				> Send {report}
				< Send ` + conform.Reported(3, 0, "", nil) + `
				> Send 00*8191
				> Send {report}
				< Send ` + conform.Reported(5, 0, "", make([]byte, 8191)))},
		{Name: "invalidated", Requirements: []string{"V-268", "V-256"}, Need: conform.Invalidates | conform.Volatile,
			Says: "The upper layer learns that an STag was invalidated, and which one.",
			Ask: conform.Text(`
				> SendInvalidate InvalidateSTag=$volatile {quiet "abc"}
				> Send {report}
				> Send {report}
				< Send ` + conform.Reported(1, 2, "$volatile:be32", []byte("\x00\x00\x00\x00abc")) + `
				< Send ` + conform.Reported(2, 0, "", []byte("\x02\x00\x00\x00")))},
	}
})

var section10 = about("10.3", "isolation", func() []conform.Case {
	return []conform.Case{
		{Name: "others-unharmed", Requirements: []string{"V-295"},
			Says: "A connection is not affected by how earlier ones ended.",
			Ask: conform.Texts(
				"> Write STag=$revoked TO=$revoked_to 00*4\n< refuses write-stag", everyQueue,
				"> ReadRequest SinkSTag=0x1000 RDMARDSZ=4 SrcSTag=$local SrcTO=$local_to\n< refuses read-access", everyQueue,
				parts.Greeting+"> Segment Opcode14\n< refuses opcode", everyQueue,
				"> FPDU CRC=bad Send {quiet}\n< refuses fpdu-crc", everyQueue,
				"> Segment Send MSN=0x80000007 {quiet}\n< refuses send-msn", everyQueue,
				"> Reset", everyQueue)},
		{Name: "misplaced-one", Requirements: []string{"V-294", "V-295"},
			Says: "A Write that begins within a region and ends beyond it is refused to the octet, and other connections go on.",
			Ask:  conform.Texts("> Write STag=$writeonly TO=$writeonly_to+4090 ff*7\n< refuses write-bounds", everyQueue)},
	}
})
