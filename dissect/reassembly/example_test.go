package reassembly_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

// The second and third segment of a stream arrive in the wrong order, and the snaplen has cut the fourth.
func Example() {
	half := reassembly.NewHalf(nil)
	defer half.Close()

	for _, s := range []reassembly.Segment{
		{Frame: 1, Seq: 999, SYN: true},
		{Frame: 3, Seq: 1000, Data: []byte("Bytes ")},
		{Frame: 4, Seq: 1009, Data: []byte("the wire")},
		{Frame: 5, Seq: 1006, Data: []byte("on ")},
		{Frame: 6, Seq: 1017, Data: []byte(", and"), Missing: 20, FIN: true},
	} {
		half.Push(&s)
		for p := (reassembly.Piece{}); half.Next(&p); {
			if p.Data == nil {
				fmt.Printf("frame %d, offset %2d: %d octets missing\n", p.Frame, p.Offset, p.Hole)
				continue
			}
			fmt.Printf("frame %d, offset %2d: %q\n", p.Frame, p.Offset, p.Data)
		}
	}
	fmt.Println("finished:", half.Finished())
	// Output:
	// frame 3, offset  0: "Bytes "
	// frame 5, offset  6: "on "
	// frame 4, offset  9: "the wire"
	// frame 6, offset 17: ", and"
	// frame 6, offset 22: 20 octets missing
	// finished: true
}

// A gap that the other side has acknowledged was lost by the capture. It becomes a hole when it has been waited for
// long enough.
func ExampleHalf_Acked() {
	half := reassembly.NewHalf(nil)
	defer half.Close()

	half.Push(&reassembly.Segment{Seq: 99, SYN: true})
	half.Push(&reassembly.Segment{Seq: 104, Data: []byte("wire")})
	half.Acked(108)
	for frame := uint64(1); ; frame++ {
		half.Push(&reassembly.Segment{Seq: 108, Frame: frame})
		for p := (reassembly.Piece{}); half.Next(&p); {
			fmt.Printf("after %d segments: offset %d, hole of %d, data %q\n", frame, p.Offset, p.Hole, p.Data)
		}
		if half.NextSeq() == 108 {
			return
		}
	}
	// Output:
	// after 32 segments: offset 0, hole of 4, data ""
	// after 32 segments: offset 4, hole of 0, data "wire"
}
