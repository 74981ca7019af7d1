package rfc5040

// Sections 5.3 and 1.2: Sends, their buffers, and the STags that they invalidate.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section53 = about("5.3", "Send Message types", func() []conform.Case {
	return []conform.Case{
		{Name: "sizes", Requirements: []string{"RDMAP-5.3-3", "RDMAP-3.2-2", "RDMAP-3.1-5", "V-235", "V-268"},
			Says: "A Send may have any length up to that of the receive buffer, and the ULP gets its length and octets.",
			Ask:  sizes},
		{Name: "of-a-whole-buffer-in-segments", Requirements: []string{"RDMAP-5.3-2", "RDMAP-5.3-3", "RDMAP-3.1-3", "V-234"},
			Says: "A Send in many segments that fills the receive buffer is legal, and is one message.",
			Ask:  func(s *conform.Setup) []string { return []string{filled(s, "") + reported(1, filling(s))} }},
		{Name: "too-long", Requirements: []string{"RDMAP-5.3-4", "RDMAP-5.3-7", "RDMAP-3.2-1", "RDMAP-7.1-3", "V-235"},
			Says: "A Send one octet longer than the receive buffer is refused.",
			Ask: func(s *conform.Setup) []string {
				return []string{filled(s, "L=0") + "> Segment Send 00\n< refuses send-too-long"}
			}},
		{Name: "no-octets", Requirements: []string{"RDMAP-5.3-10", "RDMAP-5.3-11"},
			Says: "Sends of zero octets are legal messages.",
			Ask: conform.Text(`
				> Send
				> SendSE
				> Send {report}
				< Send 00000002 00000000 ?*12`)},
		{Name: "no-octets-invalidating", Need: conform.Volatile,
			Requirements: []string{"RDMAP-5.3-10", "RDMAP-5.3-11", "RDMAP-5.3-14"},
			Says:         "Sends with Invalidate of zero octets are legal, and invalidate.",
			Ask: conform.Each(`
				> %s InvalidateSTag=$volatile
				> Send {report}
				< Send 00000001 00000000 ?*12
				> Write STag=$volatile TO=$volatile_to 00
				< refuses write-stag`, "SendInvalidate", "SendSEInvalidate")},
		{Name: "takes-one-buffer", Requirements: []string{"RDMAP-5.3-2", "V-234"},
			Says: "Each Send consumes one receive buffer, however many segments it has, and when none is left the next Send is " +
				"refused.",
			Ask: used(`> Segment Send L=0 {quiet "in"}`+"\n"+`> Segment Send "two"`, `{echo "one more"}`)},
		{Name: "takes-a-buffer-for-no-octets", Requirements: []string{"RDMAP-5.3-11", "RDMAP-5.3-2", "V-234"},
			Says: "Each Send of zero octets consumes a receive buffer, and when none is left the next Send is refused.",
			Ask:  used("> Send", `{echo "one more"}`)},
		{Name: "no-octets-need-a-buffer", Requirements: []string{"RDMAP-5.3-11", "RDMAP-7.1-3"},
			Says: "A Send of zero octets is refused if no receive buffer is left.", Ask: used("> Send {quiet}", "")},
		{Name: "writes-and-reads-take-no-buffer",
			Requirements: []string{"RDMAP-5.3-2", "RDMAP-5.1-2", "RDMAP-5.2.1-4", "V-237"},
			Says:         "Writes and Reads continue when no receive buffer is left.", Ask: func(s *conform.Setup) []string {
				return []string{held(s, "> Send {quiet}") + `
					> Write STag=$data TO=$data_to "abcd"
					> reads 4 $data "abcd"
					> FIN
					< FIN`}
			}},

		{Name: "delivered-in-order", Requirements: []string{"RDMAP-5.3-5", "RDMAP-5.5-10", "RDMAP-5.5-16", "V-116", "V-251"},
			Says: "Sends of different lengths are delivered in the order in which they arrive.", Ask: inTurn},
		{Name: "all-receives", Requirements: []string{"RDMAP-5.3-2", "RDMAP-5.3-5"},
			Says: "As many Sends at once as the peer has Receives are all delivered.", Ask: flood},
		{Name: "solicited-event", Requirements: []string{"RDMAP-5.3-6", "RDMAP-3.2-2", "V-272"}, Need: conform.Solicited,
			Says: "A Send with Solicited Event causes an Event, and a Send does not.",
			Ask: conform.Text(`
				> SendSE {quiet "a"}
				> Send {report}
				< Send 00000001 00000005 01 ?*11
				> Send {quiet "b"}
				> Send {report}
				< Send 00000003 00000005 00 ?*11`)},
		{Name: "invalidated-stag-is-told", Need: conform.Volatile | conform.Invalidates,
			Requirements: []string{"RDMAP-3.2-2", "RDMAP-5.3-14", "V-268"},
			Says:         "The ULP learns which STag a Send with Invalidate invalidated.",
			Ask: conform.Text(`
				> SendInvalidate InvalidateSTag=$volatile {quiet "a"}
				> Send {report}
				< Send 00000001 00000005 02 ?*3 $volatile:be32 ?*4`)},
		{Name: "solicited-and-invalidated",
			Requirements: []string{"RDMAP-3.2-2", "RDMAP-5.3-6", "RDMAP-5.3-14", "V-268", "V-272"},
			Need:         conform.Volatile | conform.Invalidates | conform.Solicited,
			Says:         "A Send with Solicited Event and Invalidate does both.",
			Ask: conform.Text(`
				> SendSEInvalidate InvalidateSTag=$volatile {quiet "a"}
				> Send {report}
				< Send 00000001 00000005 03 ?*3 $volatile:be32 ?*4`)},
		{Name: "invalidating-in-segments", Requirements: []string{"RDMAP-5.3-14", "RDMAP-3.1-3"}, Need: conform.Volatile,
			Says: "A Send with Invalidate in several segments invalidates once, when it is complete.",
			Ask: conform.Text(`
				> Segment SendInvalidate L=0 InvalidateSTag=$volatile {echo "in "}
				> Segment SendInvalidate L=0 InvalidateSTag=$volatile "three "
				> Segment SendInvalidate InvalidateSTag=$volatile "parts"
				< Send {echo "in three parts"}
				> Write STag=$volatile TO=$volatile_to 00
				< refuses write-stag`)},
		{Name: "not-invalidated-before-delivery", Requirements: []string{"RDMAP-5.3-14"}, Need: conform.Volatile,
			Says: "A Send with Invalidate does not affect a Write before it, because it invalidates when it is delivered.",
			Ask: conform.Text(`
				> Write STag=$volatile TO=$volatile_to 5a*4096
				> SendInvalidate InvalidateSTag=$volatile {echo "done"}
				< Send {echo "done"}`)},

		{Name: "invalidate-unknown-stag",
			Requirements: []string{"RDMAP-5.3-7", "RDMAP-5.3-13", "RDMAP-7.2-4", "V-208", "V-279"},
			Says:         "A Send with Invalidate is refused if its STag is not valid.",
			Ask:          invalidate("invalidate-stag", "$revoked", "0xdeadbeef", "0xffffffff")},
		{Name: "invalidate-stag-0", Requirements: []string{"RDMAP-7.2-4", "V-156"},
			Says: "A Send with Invalidate is refused if its STag is 0.", Ask: invalidate("invalidate-stag", "0")},
		{Name: "invalidate-with-wrong-key", Requirements: []string{"RDMAP-7.2-4", "V-206"}, Need: conform.Volatile,
			Says: "A Send with Invalidate is refused if one bit of its STag's key is flipped.",
			Ask:  invalidate("invalidate-stag", "$volatile+1", "$volatile+16", "$volatile+128")},
		{Name: "invalidate-foreign-stag",
			Requirements: []string{
				"RDMAP-5.3-13", "RDMAP-5.3-14", "RDMAP-7.2-5", "V-206", "V-279", "RDMAP-8.1.1-1", "RDMAP-4.8-14", "RDMAP-4.8-19",
			},
			Says: "A Send with Invalidate is refused if its STag belongs to another Protection Domain.",
			Ask:  invalidate("invalidate-association", "$foreign")},
		{Name: "invalidate-local-stag", Requirements: []string{"RDMAP-5.3-7", "V-191", "V-207", "V-279"},
			Says: "A Send with Invalidate is refused if its STag has no remote access rights.",
			Ask:  invalidate("invalidate-access", "$local")},

		{Name: "sizes-of-the-peers-sends",
			Requirements: []string{"RDMAP-5.3-1", "RDMAP-5.3-8", "RDMAP-5.3-10", "RDMAP-3.1-3", "RDMAP-1.2-1"},
			Says:         "The peer's Send is one message in queue 0, of the length that its ULP gives.",
			Ask: bySize(`
				> Send {send! 0 1 %[1]d 0 0}
				< Send %[2]s
				< Send {done send}`, 0, 1, 2, 3, 4, 5, 1429, 1430, 1442, 1443, 1444, 1445, 4096, 8192, 65535, 65536)},
		{Name: "order-of-the-peers-sends", Requirements: []string{"RDMAP-5.3-2", "RDMAP-5.3-9", "RDMAP-5.5-13", "V-249"},
			Says: "The peer's Sends have MSNs from 1 on, in the order in which its ULP posts them.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "abcdef"
				> Send {send 0 3 1 0 0}
				> Send {send 2 2 2 1 0}
				> Send {send! 0 1 3 3 0}
				< Send "a"
				< Send "a"
				< Send "a"
				< SendSE "bc"
				< SendSE "bc"
				< Send "def"
				< Send {done send}`)},
		{Name: "types-of-the-peers-sends", Requirements: []string{"RDMAP-5.3-1", "RDMAP-5.3-8", "RDMAP-5.3-12", "RDMAP-4.1-3"},
			Says: "The peer's Sends of all types may have several segments, each with the STag to invalidate.",
			Ask: conform.Text(`
				> Send {send! 0 1 10000 0 0}
				< Send 00*10000
				< Send {done send}
				> Send {send! 2 1 10000 0 0}
				< SendSE 00*10000
				< Send {done send}
				> Send {send! 4 1 10000 0 0xfedcba98}
				< SendInvalidate InvalidateSTag=0xfedcba98 00*10000
				< Send {done send}
				> Send {send! 6 1 10000 0 0x89abcdef}
				< SendSEInvalidate InvalidateSTag=0x89abcdef 00*10000
				< Send {done send}`)},
	}
})

// segmented is the length in octets of the segments of a long Send.
const segmented = 1000

// filling returns the octets of a quiet message as long as a receive buffer.
func filling(s *conform.Setup) []byte { return make([]byte, s.Peer.Offer.ReceiveSize) }

// filled fills a receive buffer with a quiet message in segments, the last of which has other fields.
func filled(s *conform.Setup, last string) string {
	before := int(s.Peer.Offer.ReceiveSize) - 1
	return strings.Repeat(fmt.Sprintf("> Segment Send L=0 00*%d\n", segmented), before/segmented) +
		fmt.Sprintf("> Segment Send %s 00*%d\n", last, before%segmented+1)
}

// reported asks what the ULP learned of the latest message, whose number is given, and checks the answer.
func reported(messages int, latest []byte) string {
	return "> Send {report}\n< Send " + conform.Reported(messages, 0, "", latest) + "\n"
}

// sizes sends quiet messages of many lengths.
func sizes(s *conform.Setup) []string {
	var b strings.Builder
	most := int(s.Peer.Offer.ReceiveSize)
	for i, n := range []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 100, 1429, 1430, 1442, 1443, 1444, 1445, most - 1, most} {
		octets := make([]byte, min(n, most))
		for k := 4; k < len(octets); k++ {
			octets[k] = byte(k * 7)
		}
		fmt.Fprintf(&b, "> Send %x\n%s", octets, reported(2*i+1, octets))
	}
	return []string{b.String()}
}

// used makes the peer stop posting Receives, uses up the rest, checks that the messages have arrived, and sends one
// more, which is refused.
func used(message, more string) func(*conform.Setup) []string {
	return func(s *conform.Setup) []string {
		return []string{held(s, message) + "> Send " + more + "\n< refuses send-no-buffer"}
	}
}

// held uses up all receive buffers of the peer with a message, the last one with an echo.
func held(s *conform.Setup, message string) string {
	n := int(s.Peer.Offer.Receives)
	hold := fmt.Sprintf("> Send {hold!}\n< Send {answer hold 0 %d}\n", n)
	return hold + strings.Repeat(message+"\n", n-1) + "> Send {echo}\n< Send {echo}\n"
}

// echoed is the length in octets of the command and number of an echo.
const echoed = 6

// inTurn sends echoes of different lengths at once.
func inTurn(s *conform.Setup) []string {
	var out, in strings.Builder
	for i := range min(20, int(s.Peer.Offer.Receives)) {
		octets := fmt.Sprintf("Send {echo \"%02d\" %s}\n", i, zeros(i*i*17%3000%int(s.Peer.Offer.ReceiveSize-echoed)))
		out.WriteString("> " + octets)
		in.WriteString("< " + octets)
	}
	return []string{out.String() + in.String()}
}

// flood sends as many quiet messages at once as the peer has Receives.
func flood(s *conform.Setup) []string {
	before := int(s.Peer.Offer.Receives) - 1 // the report takes one, too
	if before == 0 {
		return []string{reported(0, nil)}
	}
	octets := make([]byte, min(500, s.Peer.Offer.ReceiveSize))
	return []string{strings.Repeat("> Send "+zeros(len(octets))+"\n", before) + reported(before, octets)}
}

// invalidate has a connection for each STag and each type of Send that invalidates it; all are refused.
func invalidate(situation string, stags ...string) func(*conform.Setup) []string {
	var words []string
	for _, s := range stags {
		words = append(words, "SendInvalidate InvalidateSTag="+s, "SendSEInvalidate InvalidateSTag="+s)
	}
	return conform.Each("> [bad] %s {echo \"abcd\"}"+refusedInvalidation(situation), words...)
}

// invalidated invalidates volatile, and makes sure that the Send was delivered.
const invalidated = `
	> SendInvalidate InvalidateSTag=$volatile {echo "gone"}
	< Send {echo "gone"}`

var section12 = about("1.2", "STags that a Send has invalidated", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.Volatile}, []conform.Case{
		{Name: "write-to-invalidated-stag",
			Requirements: []string{"RDMAP-1.2-2", "RDMAP-8.1.1-6", "V-203", "V-205", "V-256"},
			Says:         "After a Send with Invalidate no Write reaches the buffer of its STag.",
			Ask: conform.Text(invalidated + `
				> Write STag=$volatile TO=$volatile_to "late"
				< refuses write-stag`)},
		{Name: "read-from-invalidated-stag", Requirements: []string{"RDMAP-1.2-2", "V-203", "V-205", "V-256"},
			Says: "After a Send with Invalidate no Read reaches the buffer of its STag.",
			Ask: conform.Text(invalidated + `
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$volatile SrcTO=$volatile_to
				< refuses read-stag`)},
		{Name: "write-after-solicited-invalidation", Requirements: []string{"RDMAP-1.2-2", "RDMAP-5.3-14"},
			Says: "A Send with Solicited Event and Invalidate ends remote access like one without the Event.",
			Ask: conform.Text(`
				> SendSEInvalidate InvalidateSTag=$volatile {echo "gone"}
				< Send {echo "gone"}
				> Write STag=$volatile TO=$volatile_to "late"
				< refuses write-stag`)},
		{Name: "invalidated-stag-of-no-octets",
			Requirements: []string{"RDMAP-5.1-8", "RDMAP-5.2.1-14", "RDMAP-5.2.1-15", "V-200"},
			Says:         "A Write and a Read of zero octets may name an invalidated STag.",
			Ask: conform.Text(invalidated + `
				> Write STag=$volatile TO=$volatile_to
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=0 SrcSTag=$volatile SrcTO=$volatile_to
				< ReadResponse to [read]`)},
		{Name: "other-stags-stay", Requirements: []string{"RDMAP-5.3-14", "V-192"},
			Says: "A Send with Invalidate invalidates the STag that it names, and no other one.",
			Ask: conform.Text(invalidated + `
				> Write STag=$data TO=$data_to "still here"
				> reads 10 $data "still here"
				> reads 4 $readonly 00010203`)},
		{Name: "invalidated-again", Requirements: []string{"RDMAP-7.2-4", "V-203"},
			Says: "A Send with Invalidate of an already invalid STag is refused or, as the RDMA " +
				"Protocol Verbs allow, changes nothing.",
			Ask: conform.Text(invalidated + `
				> [again] SendInvalidate InvalidateSTag=$volatile {echo "again"}
				< OneOf
				or Refusal invalidate-stag to [again]
				or Send {echo "again"}
				< ends`)},
	})
})
