package rpctext_test

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
)

func ExampleNull() {
	fmt.Println("> Send " + rpctext.Null(0x101, 100003, 3))
	fmt.Println("< Send " + rpctext.NullReply(0x101, rpctext.Success))
	// Output:
	// > Send 00000101 00000001 00000020 00000000 00000000 00000000 00000000 00000101 00000000 00000002 000186a3 00000003 00000000 00000000 00000000 00000000 00000000
	// < Send 00000101 00000001 ?*4 00000000 00000000 00000000 00000000 00000101 00000001 00000000 00000000 00000000 00000000
}

func ExampleChunks() {
	read := rpctext.ReadSegment{Position: 56, Segment: rpctext.Segment{Handle: 0x5001, Length: 8, Offset: 0x10000}}
	fmt.Println(rpctext.Chunks{Reads: []rpctext.ReadSegment{read}})
	// Output: 00000001 00000038 00005001 00000008 0000000000010000 00000000 00000000 00000000
}

func ExampleItems() {
	a := rpctext.Item{Data: []byte("abcde")}
	fmt.Println(rpctext.Items(a, rpctext.Item{Absent: true}, a.InChunk()))
	fmt.Println(rpctext.Position(0, a), rpctext.Position(2, a, rpctext.Item{Absent: true}, a))
	// Output:
	// 00000003 00000001 00000005 6162636465 000000 00000000 00000001 00000005
	// 52 72
}
