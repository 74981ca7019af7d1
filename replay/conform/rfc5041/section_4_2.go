package rfc5041

// The header of tagged segments: STag and TO.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section42 = about("4.2", "the header of tagged segments", func() []conform.Case {
	return []conform.Case{
		{Name: "arbitrary-to", Requirements: []string{"DDP-4.2-9", "DDP-5.2-5"},
			Says: "A tagged message may begin at any TO of its buffer, and is placed there and nowhere else.",
			Ask:  arbitraryTO},
		{Name: "first-and-last-octet", Requirements: []string{"DDP-4.2-9", "DDP-5.2-5", "V-294"},
			Says: "The first and the last octet of a buffer can be written.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "f"
				> Write STag=$data TO=$data_to+65535 "l"
				> Send {send 0 1 2 0 0}
				< Send "f" 00
				> Send {send 0 1 2 65534 0}
				< Send 00 "l"`)},
		{Name: "whole-buffer", Requirements: []string{"DDP-5.2-5", "DDP-4.2-5", "V-294"},
			Says: "All of a buffer can be written at once.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"*20000 "b"*20000 "c"*25536
				> Send {send 0 1 65536 0 0}
				< Send "a"*20000 "b"*20000 "c"*25536`)},
		{Name: "each-buffer", Requirements: []string{"DDP-4.2-5", "DDP-5.2-5"}, Need: conform.Volatile,
			Says: "The STag of each buffer that may be written is valid.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to 00*4096
				> Write STag=$writeonly TO=$writeonly_to 00*4096
				> Write STag=$volatile TO=$volatile_to 00*4096`)},
		{Name: "written-again", Requirements: []string{"DDP-4.2-9", "DDP-5.2-5"},
			Says: "A tagged buffer can be written again and again, and has what was written last.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to+100 "the first time."
				> Write STag=$data TO=$data_to+104 "second"
				> Send {send 0 1 15 100 0}
				< Send "the secondtime."`)},
		{Name: "stag-changes", Requirements: []string{"DDP-4.2-8", "DDP-5.2-12"},
			Says: "A sink need not mind a message whose segments name several buffers, and may refuse it.",
			Ask: listening(conform.Text(`
				> Segment Write L=0 STag=$data TO=$data_to "here"
				> [odd] Segment Write STag=$writeonly TO=$writeonly_to "there"` + either("write-continuation", "Silence QUIET")))},
		{Name: "own-tagged", Requirements: []string{"DDP-4.2-6", "DDP-4.2-8", "DDP-5.2-8", "DDP-5.2-4"},
			Says: "The peer's own tagged segments have the STag that was asked for, and TOs that go on.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to "a"*20000 "b"*20000 "c"*25536
				> Send {write! 65536 0 0xfedcba98 0x1234567812345678}
				< Write STag=0xfedcba98 TO=0x1234567812345678 "a"*20000 "b"*20000 "c"*25536
				< Send {done write}`)},
	}
})

// arbitraryTO writes octets at many TOs, and has a look at each and at its neighbours.
func arbitraryTO(*conform.Setup) []string {
	var writes, looks strings.Builder
	for i, at := range []int{1, 3, 6, 10, 15, 21, 31, 63, 127, 255, 511, 1023, 2047, 4095, 8191, 16383, 32767, 65533} {
		fmt.Fprintf(&writes, "> Write STag=$data TO=$data_to+%d %02x\n", at, i+1)
		fmt.Fprintf(&looks, "> Send {send 0 1 3 %d 0}\n< Send 00%02x00\n", at-1, i+1)
	}
	return []string{writes.String() + looks.String()}
}
