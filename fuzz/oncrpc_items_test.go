package fuzz

// DDP-eligible items of NFS messages of any octets: package oncrpc.

import (
	"encoding/binary"
	"testing"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// FuzzONCRPCItems walks along the items of any octets as a Call and as a Reply of every version of NFS. The walk ends, goes
// forward, and stays within the message.
func FuzzONCRPCItems(f *testing.F) {
	for _, line := range []string{
		"5a000003 00000000 00000002 000186a3 00000003 00000007 00000000 00000000 00000000 00000000 00000008 01020304 05060708 00000000 00000000 0000000e 00000000 0000000e",
		"5a000004 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000009 00000001 00000009",
		"5a000005 00000000 00000002 000186a3 00000004 00000001 00000000 00000000 00000000 00000000 00000000 00000001 00000003 00000016 00000000 00000026 00000000000000000000000000000000 0000000000000000 00000000 00000004 01020304 00000019 00000000000000000000000000000000 0000000000000000 00001000",
		"5a000005 00000001 00000000 00000000 00000000 00000000 00000000 00000000 00000003 00000016 00000000 00000019 00000000 00000001 00000007 00000019 00000000 00000001 00000003 01020300",
	} {
		f.Add(hexOctets(line), uint32(72), uint64(7))
	}
	f.Fuzz(func(t *testing.T, message []byte, position uint32, returned uint64) {
		items := nfs.Items{Positions: []uint32{position, position + 40}, Returned: []uint64{returned, 0, 1}}
		items.ResetCall(message)
		walkItems(t, &items, message, false)
		for version := range uint32(5) {
			for number := range uint32(14) {
				p := oncrpc.Procedure{Program: oncrpc.ProgramNFS, Version: version, Number: number}
				items.ResetReply(message, oncrpc.Exchange{Procedure: p})
				walkItems(t, &items, message, true)
			}
		}
	})
}

func walkItems(t *testing.T, items *nfs.Items, message []byte, reply bool) {
	t.Helper()
	last := -1
	for items.Next() {
		i := &items.Item
		if reply && !i.Result || i.Index < 0 {
			t.Fatalf("%+v", *i)
		}
		if i.Result && !reply {
			continue // it is yet to come
		}
		if i.Off <= last || i.Off+4 > len(message) || uint64(binary.BigEndian.Uint32(message[i.Off:])) != i.Length || i.Position < uint64(i.Off)+4 {
			t.Fatalf("%+v behind %d of %d octets", *i, last, len(message))
		}
		last = i.Off
	}
	if end, ok := items.End(); end < 0 || end > len(message) || ok && end <= last {
		t.Fatalf("the walk ends at %d of %d octets", end, len(message))
	}
}
