package rdmap_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

func ExampleSegment_Decode() {
	ulpdu := []byte("\x41\x44\x11\x22\x33\x44\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x00payload")
	var s rdmap.Segment
	if _, err := s.Decode(ulpdu); err != nil {
		fmt.Println(err)
	}
	fmt.Printf("%s of %#x, MSN %d, %q\n", s.Control.Opcode, s.InvalidateSTag, s.Untagged.MSN, s.Body)
	// Output: SendInvalidate of 0x11223344, MSN 2, "payload"
}

func ExampleSegment_AppendBinary() {
	s := rdmap.Segment{
		Header: rdmap.Header{
			Untagged: ddp.Untagged{L: true, DV: ddp.Version, QN: rdmap.QNReadRequest, MSN: 1},
			Control:  rdmap.Control{RV: rdmap.Version, Opcode: rdmap.OpReadRequest},
		},
	}
	request := rdmap.ReadRequest{SinkSTag: 0xcafe0001, SinkTO: 0x2000, RDMARDSZ: 64, SrcSTag: 0xbeef0002, SrcTO: 0x4000}
	s.Body, _ = request.AppendBinary(nil)
	ulpdu, err := s.AppendBinary(nil)
	fmt.Printf("% x\n% x %v\n", ulpdu[:18], ulpdu[18:], err)
	// Output:
	// 41 41 00 00 00 00 00 00 00 01 00 00 00 01 00 00 00 00
	// ca fe 00 01 00 00 00 00 00 00 20 00 00 00 00 40 be ef 00 02 00 00 00 00 00 00 40 00 <nil>
}

func ExampleTerminate_Decode() {
	header := []byte("\x11\x00\xc0\x00\x00\x12\xc1\x40\xa1\xb2\xc3\x01\x00\x00\x00\x00\x00\x00\x10\x00")
	var t rdmap.Terminate
	if _, err := t.Decode(header); err != nil {
		fmt.Println(err)
	}
	fmt.Println(t.Code, t.Code.Describe())
	fmt.Printf("%s to STag %#x, %s\n", t.Header.Control.Opcode, t.Header.Tagged.STag, t.Form())
	// Output:
	// 1/1/00 DDP Tagged Buffer Error: Invalid STag
	// Write to STag 0xa1b2c301, well-formed
}

// The first four octets of this Terminate are in the bit order of the Linux siw driver.
func ExampleReadingOf() {
	header := []byte("\x21\x02\x03\x00\x00\x40\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00")
	var t rdmap.Terminate
	t.Decode(header)
	fmt.Println("by the RFC:", t.Code, t.Code.Describe())
	if rdmap.ReadingOf(header, len(header)) == rdmap.ReadingSwapped {
		t.DecodeSwapped(header)
		fmt.Println("meant:", t.Code, t.Code.Describe())
	}
	// Output:
	// by the RFC: 2/1/02 LLP EType1: unregistered code 02
	// meant: 1/2/02 DDP Untagged Buffer Error: Invalid MSN - no buffer available
}

func ExampleAppendLayout() {
	ulpdu := []byte("\xc1\x40\xa1\xb2\xc3\x01\x00\x00\x00\x00\x00\x00\x10\x00payload")
	for _, part := range rdmap.AppendLayout(nil, ulpdu, len(ulpdu)) {
		fmt.Println(part.Table.Name)
		for f := range part.Fields() {
			fmt.Printf("  %s %s\n", f.Label, part.AppendValue(nil, f))
		}
	}
	// Output:
	// DDP tagged header
	//   T 1
	//   L 1
	//   Rsvd 0x0
	//   DV 1
	//   STag 0xa1b2c301
	//   TO 0x0000000000001000
	// RDMAP control field
	//   RV 1
	//   Rsv 0x0
	//   Opcode 0x0
}

func ExampleAtomicRequest_Apply() {
	add := rdmap.AtomicRequest{AOpCode: rdmap.FetchAdd, AddOrSwapData: 1, AddOrSwapMask: 1 << 31} // two counters of 32 bits
	result, ok := add.Apply(0x00000005_ffffffff)
	fmt.Printf("%#016x %v\n", result, ok)
	// Output: 0x0000000500000000 true
}
