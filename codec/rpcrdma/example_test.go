package rpcrdma_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// A Call of the Linux NFS client, that writes 3900 octets which the server is to read by itself.
func ExampleVersion1_Decode() {
	send := []byte("\x73\x21\x8e\xf8\x00\x00\x00\x01\x00\x00\x00\x80\x00\x00\x00\x00" +
		"\x00\x00\x00\x01\x00\x00\x00\xb0\x93\x06\xa1\x06\x00\x00\x0f\x3c\x73\x21\x8e\xf8\x0e\x24\x70\x00" +
		"\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x73\x21\x8e\xf8\x00\x00\x00\x00")
	var h rpcrdma.Version1
	n, err := h.Decode(send)
	fmt.Printf("%s %#x, credits %d, header of %d octets, %v\n", h.Proc, h.XID, h.Credit, n, err)
	for s := range h.Reads.Segments() {
		fmt.Printf("at %d: %d octets of STag %#x from TO %#x\n", s.Position, s.Length, s.Handle, s.Offset)
	}
	// Output:
	// RDMA_MSG 0x73218ef8, credits 128, header of 52 octets, <nil>
	// at 176: 3900 octets of STag 0x9306a106 from TO 0x73218ef80e247000
}

// A Call of version 2 that offers a Write chunk, and lets the Reply invalidate it.
func ExampleVersion2_AppendBinary() {
	h := rpcrdma.Version2{
		XID: 0x6b000004, Vers: rpcrdma.Vers2, CreditMax: 8, CreditGrant: 1,
		HType:     rpcrdma.HTypeMsg,
		InvHandle: 0x2200bb01,
	}
	h.Writes = h.Writes.Append(rpcrdma.Segment{Handle: 0x2200bb01, Length: 4096, Offset: 0x7f0020000000})
	send, err := h.AppendBinary(nil)
	fmt.Printf("% x\n% x\n% x\n% x %v\n", send[:20], send[20:28], send[28:52], send[52:], err)
	// Output:
	// 6b 00 00 04 00 00 00 02 00 08 00 01 00 00 00 00 00 00 00 00
	// 22 00 bb 01 00 00 00 00
	// 00 00 00 01 00 00 00 01 22 00 bb 01 00 00 10 00 00 00 7f 00 20 00 00 00
	// 00 00 00 00 00 00 00 00 <nil>
}

func ExampleReadList_Positions() {
	var reads rpcrdma.ReadList
	reads = reads.Append(100, rpcrdma.Segment{Handle: 0xa, Length: 4096, Offset: 0x1000})
	reads = reads.Append(40, rpcrdma.Segment{Handle: 0xb, Length: 12})
	reads = reads.Append(100, rpcrdma.Segment{Handle: 0xa, Length: 904, Offset: 0x8000})
	for position := range reads.Positions() {
		fmt.Printf("Read chunk of %d octets at %d:", reads.Length(position), position)
		for s := range reads.Chunk(position) {
			fmt.Printf(" %#x+%d", s.Offset, s.Length)
		}
		fmt.Println()
	}
	// Output:
	// Read chunk of 12 octets at 40: 0x0+12
	// Read chunk of 5000 octets at 100: 0x1000+4096 0x8000+904
}

func ExampleWriteList_Chunks() {
	var writes rpcrdma.WriteList
	writes = writes.Append(rpcrdma.Segment{Handle: 1, Length: 4096}, rpcrdma.Segment{Handle: 2, Length: 904})
	writes = writes.Append() // the empty chunk: the result comes inline
	for chunk := range writes.Chunks() {
		fmt.Printf("Write chunk of %d octets:", chunk.Length())
		for s := range chunk.Segments() {
			fmt.Printf(" STag %d", s.Handle)
		}
		fmt.Println()
	}
	// Output:
	// Write chunk of 5000 octets: STag 1 STag 2
	// Write chunk of 0 octets:
}

func ExamplePropSet_Properties() {
	h := rpcrdma.Version2{XID: 1, Vers: rpcrdma.Vers2, CreditMax: 8, CreditGrant: 4, HType: rpcrdma.HTypeConnProp}
	h.Props = h.Props.AppendUint32(rpcrdma.PropRBSIZ, 8192)
	h.Props = h.Props.Append(rpcrdma.PropRCSIZ, nil)
	for p := range h.Props.Properties() {
		v, ok := p.Uint32()
		fmt.Println(p.Which, v, ok)
	}
	// Output:
	// RBSIZ 8192 true
	// RCSIZ 16 true
}

// The answer of a server that knows version 1 only to the first message of version 2.
func ExampleDialect_Of() {
	send := []byte("\xc0\x00\x00\x01\x00\x00\x00\x02\x00\x00\x00\x20\x00\x00\x00\x04\x00\x00\x00\x01\x00\x00\x00\x01\x00\x00\x00\x01")
	d := rpcrdma.DialectVersion2.Of(send, len(send))
	var h rpcrdma.Version1
	_, err := h.Decode(send)
	fmt.Println(d, h.Proc, h.Err, h.VersLow, h.VersHigh, err)
	// Output: version1 RDMA_ERROR ERR_VERS 1 1 <nil>
}

func ExampleAppendLayout() {
	send := []byte("\x42\x21\x8e\xf8\x00\x00\x00\x01\x00\x00\x00\x40\x00\x00\x00\x01\x00\x00\x00\x00\x00\x00\x00\x00" +
		"\x00\x00\x00\x01\x00\x00\x00\x01\x7e\xd7\x4e\x01\x00\x00\x00\x5c\x42\x21\x8e\xf8\x0d\x18\xa0\x00")
	for _, part := range rpcrdma.AppendLayout(nil, send, len(send), rpcrdma.DetectDialect(send, len(send))) {
		fmt.Printf("%*s%s\n", 2*part.Depth, "", part.Table.Name)
		for i := range part.Table.Fields {
			f := &part.Table.Fields[i]
			fmt.Printf("%*s  %s %s\n", 2*part.Depth, "", f.Label, part.AppendValue(nil, f))
		}
	}
	// Output:
	// RPC-over-RDMA version 1 header
	//   rdma_xid 0x42218ef8
	//   rdma_vers 1
	//   rdma_credit 64
	//   rdma_proc 1
	// RPC-over-RDMA Read list
	//   rdma_reads 0
	// RPC-over-RDMA Write list
	//   rdma_writes 0
	// RPC-over-RDMA Reply chunk
	//   rdma_reply 1
	//   RPC-over-RDMA Write chunk
	//     target 1
	//     RPC-over-RDMA segment
	//       Handle 0x7ed74e01
	//       Length 92
	//       Offset 0x42218ef80d18a000
}
