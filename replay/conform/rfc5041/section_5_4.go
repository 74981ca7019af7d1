package rfc5041

// When a message is delivered, and what is told of it.

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section54 = about("5.4", "delivery", func() []conform.Case {
	return []conform.Case{
		{Name: "length", Requirements: []string{"DDP-5.4-2", "V-235", "V-268"},
			Says: "The upper layer is told how long each message is.",
			Ask:  conform.Text(lengths(0))},
		{Name: "length-of-segments", Requirements: []string{"DDP-5.4-2", "V-235", "V-268"},
			Says: "The upper layer is told how long a message of several segments is: MO and payload of the last one.",
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
			Says: "A message is delivered with its last segment even if that has no payload, and not before.",
			Ask: listening(conform.Text(`
				> Segment Send L=0 {echo "all of it"}
				< Silence QUIET
				> Segment Send
				< Send {echo "all of it"}`))},
	}
})

// lengths returns messages of many lengths and the reports of them, in segments of so many octets; 0 is for one segment.
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
