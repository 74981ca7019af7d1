package rfc5041

// Section 5: messages, their segments, order and delivery.

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

var section52 = about("5.2", "messages and their segments", func() []conform.Case {
	return []conform.Case{
		{Name: "send-split", Requirements: []string{"DDP-5.2-5", "DDP-5.4-1", "DDP-5.4-2"},
			Says: "A message may be split into two segments at any octet.",
			Ask:  splitSends},
		{Name: "send-in-octets", Requirements: []string{"DDP-5.2-5", "DDP-5.4-1", "DDP-5.4-2"},
			Says: "A message may have a segment for each of its octets.",
			Ask:  conform.Text(inPieces("Send", "", "01000000"+counted(60), 1) + "< Send 01000000" + counted(60))},
		{Name: "write-split", Requirements: []string{"DDP-5.2-5"},
			Says: "A tagged message may be split into two segments at any octet.",
			Ask:  splitWrites},
		{Name: "write-in-octets", Requirements: []string{"DDP-5.2-5"},
			Says: "A tagged message may have a segment for each of its octets.",
			Ask: conform.Text(inPieces("Write", "STag=$data TO=$data_to+7", counted(64), 1) +
				"> Send {send 0 1 66 6 0}\n< Send 00" + counted(64) + "00")},
		{Name: "large-segments", Requirements: []string{"DDP-5.2-5"},
			Says: "A segment may be as long as MPA allows: 64768 octets.",
			Ask: conform.Text(`
				> Segment Write L=0 STag=$data TO=$data_to "a"*64754
				> Segment Write "b"*782
				> Send {send 0 1 65536 0 0}
				< Send "a"*64754 "b"*782`)},
		{Name: "longest-send", Requirements: []string{"DDP-5.2-5", "DDP-5.4-2", "DDP-7.1-4", "V-235"},
			Says: "A message that just fits its receive buffer is delivered, however it is split.",
			Ask:  longestSends},
		{Name: "mo-beyond-2-32", Requirements: []string{"DDP-5.2-3", "DDP-7.1-3"},
			Says: "A segment that reaches beyond 2^32 octets of its message is refused.",
			Ask: greeted(`
				> Segment Send MO=0xfffffffe "abcd"
				< refuses mo`, `
				> Segment Send L=0 MO=0xffffffff "a"
				< refuses mo`, `
				> Segment Send L=0 {echo "abcd"}
				> [bad] Segment Send MO=0xfffffff8 {quiet "abcd"}
				< refuses mo to [bad]`)},
		{Name: "nowhere", Requirements: []string{"DDP-5.2-11", "DDP-5.2-10", "V-200"},
			Says: "STag and TO of a tagged message of zero octets are not checked.",
			Ask: conform.Text(`
				> Segment Write STag=0 TO=0
				> Segment Write STag=0xffffffff TO=0xffffffffffffffff
				> Segment Write STag=$data+1 TO=$data_to
				> Segment Write STag=$data TO=$data_to+70000
				> Segment Write STag=$data TO=0xffffffffffffffff
				> Segment Write STag=$readonly TO=$readonly_to
				> Segment Write STag=$local TO=$local_to
				> Segment Write STag=$foreign TO=$foreign_to
				> Segment Write STag=$revoked TO=$revoked_to`)},
		{Name: "nowhere-first", Requirements: []string{"DDP-5.2-11"},
			Says: "A tagged message of zero octets may be the first of a connection.",
			Ask: conform.Text(`
				> Segment Write STag=0 TO=0
				> echoes "the second"`)},
		{Name: "empty-segment-within", Requirements: []string{"DDP-5.2-5", "DDP-5.4-2"},
			Says: "Segments without payload within a message change nothing.",
			Ask: conform.Text(`
				> Segment Send L=0 {echo "one, "}
				> Segment Send L=0
				> Segment Send "two"
				< Send {echo "one, two"}
				> Segment Send L=0 {echo "three"}
				> Segment Send
				< Send {echo "three"}
				> Segment Write L=0 STag=$data TO=$data_to "one, "
				> Segment Write L=0
				> Segment Write "two"
				> Send {send 0 1 10 0 0}
				< Send "one, two" 0000`)},
		{Name: "incomplete", Requirements: []string{"DDP-5.2-12", "DDP-5.2-4"},
			Says: "A sink may accept or refuse a message with a gap.",
			Ask: conform.Text(`
				> Segment Send L=0 {echo "abc"}
				> [odd] Segment Send MO=9 "xyz"` + either("mo", "Silence\nor "+`Send {echo "abc"} ?*2 "xyz"`))},
		{Name: "own-messages", Requirements: []string{"DDP-5.2-1", "DDP-5.2-4", "DDP-5.2-6", "DDP-5.2-8", "DDP-5.2-9"},
			Says: "The peer's own messages of any length are complete, and empty ones are one segment.",
			Ask:  ownMessages},
	}
})

// counted returns the octets 1 to n, in hexadecimal digits.
func counted(n int) string { return parts.Count(1, n, "%02x") }

// inPieces returns the segments of a message with a number of octets each. The octets are hexadecimal digits; place
// holds fields of the first segment's header.
func inPieces(name, place, octets string, size int) string {
	var s strings.Builder
	for len(octets) > 0 {
		n := min(2*size, len(octets))
		last := ""
		if n < len(octets) {
			last = "L=0 "
		}
		fmt.Fprintf(&s, "> Segment %s %s%s %s\n", name, last, place, octets[:n])
		octets, place = octets[n:], ""
	}
	return s.String()
}

// splitSends returns messages, split after each of their octets.
func splitSends(*conform.Setup) []string {
	var s strings.Builder
	octets := "01000000" + counted(28)
	for at := 2; at < len(octets); at += 2 {
		fmt.Fprintf(&s, "> Segment Send L=0 %s\n> Segment Send %s\n< Send %s\n", octets[:at], octets[at:], octets)
	}
	return []string{s.String()}
}

func splitWrites(*conform.Setup) []string {
	var s, all strings.Builder
	for at := 1; at < 16; at++ {
		octets := counted(15 + at)[2*(at-1):]
		fmt.Fprintf(&s, "> Segment Write L=0 STag=$data TO=$data_to+%d %s\n", 16*at, octets[:2*at])
		fmt.Fprintf(&s, "> Segment Write %s\n", octets[2*at:])
		all.WriteString(octets)
	}
	fmt.Fprintf(&s, "> Send {send 0 1 256 0 0}\n< Send 00*16 %s\n", all.String())
	return []string{s.String()}
}

// longestSends returns echoes as long as a Receive of the peer: in one segment, with the last octet alone, and in many.
func longestSends(setup *conform.Setup) []string {
	n := int(setup.Peer.Offer.ReceiveSize) - 4
	if n < 2 || n > 1<<14 {
		return nil
	}
	const piece = 250
	many := strings.Repeat(fmt.Sprintf("> Segment Send L=0 \"c\"*%d\n", piece), (n-1)/piece) +
		fmt.Sprintf("> Segment Send \"c\"*%d\n", (n-1)%piece+1)
	return []string{fmt.Sprintf(`
		> Segment Send {echo "a"*%[1]d}
		< Send {echo "a"*%[1]d}
		> Segment Send L=0 {echo "b"*%[2]d}
		> Segment Send "b"
		< Send {echo "b"*%[1]d}
		> Segment Send L=0 {echo}
		%[3]s
		< Send {echo "c"*%[1]d}`, n, n-1, many)}
}

func ownMessages(*conform.Setup) []string {
	var s strings.Builder
	s.WriteString(`> Write STag=$data TO=$data_to "a"*20000 "b"*20000 "c"*25536` + "\n")
	for _, n := range []int{0, 1, 2, 3, 4, 5, 127, 128, 1459, 1460, 1461, 4096, 9000, 20000} {
		octets := fmt.Sprintf(`"a"*%d`, n)
		switch n {
		case 0:
			octets = ""
		case 1:
			octets = `"a"`
		}
		fmt.Fprintf(&s, "> Send {send 0 1 %d 0 0}\n< Send %s\n", n, octets)
		if n > 0 {
			fmt.Fprintf(&s, "> Send {write 0x%x 0 0x1000 0x20000}\n< Write STag=0x1000 TO=0x20000 %s\n", n, octets)
		}
	}
	s.WriteString("> Send {write! 0 0 0x1000 0x20000}\n< OneOf\nor Write\n< Send {done write}\n")
	return []string{s.String()}
}

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
			Says: "A segment of an already complete message is refused.",
			Ask: greeted(`
				> echoes "a whole message"
				> [bad] Segment Send MSN=2 MO=19 "and more"
				< refuses send-msn to [bad]`)},
		{Name: "last-again", Requirements: []string{"DDP-5.3-5", "DDP-7.1-5"},
			Says: "The last segment of a message is refused when it is repeated.",
			Ask: greeted(`
				> Segment Send L=0 {echo "so far "}
				> Segment Send "so good"
				< Send {echo "so far so good"}
				> [bad] Segment Send MSN=2 MO=11 "so good"
				< refuses send-msn to [bad]`)},
		{Name: "next-before-last", Requirements: []string{"DDP-5.3-6", "DDP-4.1-3", "DDP-5.3-1", "DDP-5.4-1"},
			Says: "A message that begins before the end of the previous one is not delivered. The sink may refuse it.",
			Ask: greeted(`
				> Segment Send L=0 {echo "so far "}
				> [odd] Segment Send MSN=3 MO=0 {echo "the next one"}` + either("send-msn", "Silence"))},
		{Name: "descending", Requirements: []string{"DDP-5.3-2", "DDP-5.2-12"},
			Says: "A sink may accept or refuse segments of a message out of the order of their MOs.",
			Ask: conform.Text(`
				> [odd] Segment Send L=0 MO=4 "late"
				> Segment Send L=0 MO=0 {echo}
				> Segment Send MO=8 "r on"` + either("mo", `Send {echo "later on"}`))},
		{Name: "overlapping", Requirements: []string{"DDP-5.3-4", "DDP-5.2-12"},
			Says: "A sink may accept or refuse overlapping segments of a message.",
			Ask: conform.Text(`
				> Segment Send L=0 {echo "once or "}
				> [odd] Segment Send MO=9 "or twice"` + either("mo", `Send {echo "once or twice"}`))},
		{Name: "write-descending", Requirements: []string{"DDP-5.3-2", "DDP-5.2-8"},
			Says: "A sink may accept or refuse tagged segments out of the order of their TOs.",
			Ask: conform.Text(`
				> Segment Write L=0 STag=$data TO=$data_to+4 "late"
				> [odd] Segment Write STag=$data TO=$data_to "too "` + either("write-continuation", "Silence"))},
		{Name: "interleaved", Requirements: []string{"DDP-5.3-1"},
			Says: "Interleaved segments of two messages at most end the connection.",
			Ask: conform.Text(`
				> Segment Write L=0 STag=$data TO=$data_to "a message "
				> Send {echo "another"}
				> Segment Write "in two parts"
				< OneOf
				or Send {echo "another"}
				or Terminate
				< ends`)},
		{Name: "own-order", Requirements: []string{"DDP-5.3-1", "DDP-5.3-2", "V-249"},
			Says: "The peer sends messages in the order of the commands.",
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

var section54 = about("5.4", "delivery", func() []conform.Case {
	return []conform.Case{
		{Name: "length", Requirements: []string{"DDP-5.4-2", "V-235", "V-268"},
			Says: "The upper layer learns the length of each message.",
			Ask:  conform.Text(lengths(0))},
		{Name: "length-of-segments", Requirements: []string{"DDP-5.4-2", "V-235", "V-268"},
			Says: "The upper layer learns the length of a message of several segments: MO and payload of the last one.",
			Ask:  conform.Texts(lengths(1), lengths(3), lengths(100))},
		{Name: "writes-before", Requirements: []string{"DDP-5.4-1", "DDP-4.1-7", "V-252"},
			Says: "A message is delivered when all tagged messages before it are placed.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"*65536
				> Send {send 0 1 65536 0 0}
				< Send "a"*65536
				> Write STag=$data TO=$data_to+65535 "z"
				> Send {send 0 1 2 65534 0}
				< Send "az"
				> Write STag=$data TO=$data_to "b"*65536
				> Send {send 0 1 65536 0 0}
				< Send "b"*65536`)},
		{Name: "last-without-payload", Requirements: []string{"DDP-5.4-1", "DDP-5.4-2"},
			Says: "A message is delivered with its last segment, even an empty one, and not before.",
			Ask: conform.Text(`
				> Segment Send L=0 {echo "all of it"}
				< Silence
				> Segment Send
				< Send {echo "all of it"}`)},
	}
})

// lengths returns messages of many lengths, in segments of a given length, and the reports of them; 0 means one
// segment.
func lengths(size int) string {
	var s strings.Builder
	messages := 1
	for _, n := range []int{0, 1, 2, 3, 4, 5, 17, 18, 255, 256, 257, 300} {
		octets := bytes.Repeat([]byte{0xa5}, n)
		clear(octets[:min(n, 4)]) // {quiet}
		switch {
		case n == 0:
			s.WriteString("> Send\n")
		case size == 0:
			fmt.Fprintf(&s, "> Segment Send %x\n", octets)
		default:
			s.WriteString(inPieces("Send", "", fmt.Sprintf("%x", octets), size))
		}
		fmt.Fprintf(&s, "> Send {report}\n< Send %s\n", conform.Reported(messages, 0, "", octets))
		messages += 2
	}
	return s.String()
}
