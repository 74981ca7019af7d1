package nfs_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// nfsCall is a Call with AUTH_NONE, whose header has 40 octets.
func nfsCall(t *testing.T, version, procedure int, arguments string) []byte {
	return xdr(t, fmt.Sprintf("=1 =0 =2 =100003 =%d =%d =0 =0 =0 =0 %s", version, procedure, arguments))
}

// nfsReply is a Reply that succeeded, whose header has 24 octets.
func nfsReply(t *testing.T, results string) []byte { return xdr(t, "=1 =1 =0 =0 =0 =0 "+results) }

// walked writes what Items finds: one word an item, then where the walk ends.
func walked(i *nfs.Items) string {
	var words []string
	for i.Next() {
		word := fmt.Sprintf("%d@%d/%d", i.Length, i.Off, i.Position)
		if i.Result {
			word = fmt.Sprintf("r%d:%s", i.Index, word)
		}
		if i.Reduced {
			word += "!"
		}
		if i.Op != 0 {
			word = i.Op.String() + "=" + word
		}
		words = append(words, word)
	}
	end, ok := i.End()
	return strings.Join(append(words, fmt.Sprint(end, ok)), " ")
}

func TestItemsOfCalls(t *testing.T) {
	for _, tc := range []struct {
		what      string
		call      []byte
		positions []uint32
		want      string
	}{
		{"NFSv3 WRITE", nfsCall(t, 3, 7, "o8 8 4 4 o5"), nil, "5@68/72 80 true"},
		{"NFSv3 WRITE with its data in a chunk", nfsCall(t, 3, 7, "o8 8 4 4 =5"), []uint32{72}, "5@68/72! 72 true"},
		{"NFSv3 WRITE of nothing", nfsCall(t, 3, 7, "o8 8 4 4 =0"), nil, "0@68/72 72 true"},
		{"NFSv3 WRITE whose data is cut", nfsCall(t, 3, 7, "o8 8 4 4 =5"), nil, "5@68/72 72 false"},
		{"NFSv3 SYMLINK", nfsCall(t, 3, 10, "o8 o3 =1 4 =0 =0 =1 8 =2 8 =1 o9"), nil, "9@104/108 120 true"},
		{"NFSv3 READ", nfsCall(t, 3, 6, "o8 8 =8192"), nil, "r0:8192@0/0 64 true"},
		{"NFSv3 READLINK", nfsCall(t, 3, 5, "o8"), nil, "r0:0@0/0 52 true"},
		{"NFSv3 GETATTR", nfsCall(t, 3, 1, "o8"), nil, "40 false"},
		{"NFSv2 WRITE", nfsCall(t, 2, 8, "32 4 4 4 o100"), nil, "100@84/88 188 true"},
		{"NFSv2 SYMLINK", nfsCall(t, 2, 13, "32 o4 o7 32"), nil, "7@80/84 124 true"},
		{"NFSv2 READ", nfsCall(t, 2, 6, "32 4 =512 4"), nil, "r0:512@0/0 84 true"},
		{"NFSv2 READLINK", nfsCall(t, 2, 5, "32"), nil, "r0:0@0/0 72 true"},
		{"NFSv4 WRITE and READ and READLINK", nfsCall(t, 4, 1, "=0 =1 =5 =22 o4 =38 16 8 4 o6 =25 16 8 =100 =27 =9 b1"), nil,
			"WRITE=6@96/100 READ=r0:100@0/0 READLINK=r1:0@0/0 156 true"},
		{"NFSv4 WRITEs in chunks", nfsCall(t, 4, 1, "=0 =1 =3 =38 16 8 4 =6 =38 16 8 4 =10 =9 b0"), []uint32{88, 132},
			"WRITE=6@84/88! WRITE=10@120/132! 132 true"},
		{"NFSv4 CREATE of a link", nfsCall(t, 4, 1, "=0 =1 =1 =6 =5 o7 o3 b0 o0"), nil, "CREATE=7@60/64 88 true"},
		{"NFSv4 CREATE of a directory", nfsCall(t, 4, 1, "=0 =1 =1 =6 =2 o3 b0 o0"), nil, "76 true"},
		{"NFSv4 with an unknown operation", nfsCall(t, 4, 1, "=0 =1 =2 =99 =25 16 8 =100"), nil, "56 false"},
	} {
		items := nfs.Items{Positions: tc.positions}
		items.ResetCall(tc.call)
		if d := cmp.Diff(tc.want, walked(&items)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.what, d)
		}
	}
}

func TestItemsOfReplies(t *testing.T) {
	procedure := func(version, number uint32) oncrpc.Exchange {
		return oncrpc.Exchange{Procedure: oncrpc.Procedure{Program: oncrpc.ProgramNFS, Version: version, Number: number}}
	}
	for _, tc := range []struct {
		what     string
		x        oncrpc.Exchange
		reply    []byte
		returned []uint64
		want     string
	}{
		{"NFSv3 READ", procedure(3, 6), nfsReply(t, "=0 =1 84 =5 =1 o5"), nil, "r0:5@124/128 136 true"},
		{"NFSv3 READ with its data in a chunk", procedure(3, 6), nfsReply(t, "=0 =0 =5 =1 =5"), []uint64{5}, "r0:5@40/44! 44 true"},
		{"NFSv3 READ with an unused chunk", procedure(3, 6), nfsReply(t, "=0 =0 =5 =1 o5"), []uint64{0}, "r0:5@40/44 52 true"},
		{"NFSv3 READ that fails", procedure(3, 6), nfsReply(t, "=70 =1 84"), nil, "116 true"},
		{"NFSv3 READLINK", procedure(3, 5), nfsReply(t, "=0 =0 o9"), nil, "r0:9@32/36 48 true"},
		{"NFSv3 WRITE", procedure(3, 7), nfsReply(t, "=0 =0 =0 4 4 8"), nil, "28 false"},
		{"NFSv2 READ", procedure(2, 6), nfsReply(t, "=0 68 o4"), nil, "r0:4@96/100 104 true"},
		{"NFSv2 READLINK that fails", procedure(2, 5), nfsReply(t, "=2"), nil, "28 true"},
		{"NFSv4 of two READs, the first in a chunk", procedure(4, 1), nfsReply(t, "=0 =0 =3 =53 =0 36 =25 =0 =1 =7 =25 =0 =1 o3"), []uint64{7, 0},
			"READ=r0:7@92/96! READ=r1:3@108/120 116 true"},
		{"NFSv4 of READs that fail", procedure(4, 1), nfsReply(t, "=5 =0 =2 =25 =5 =25 =0 =1 =3"), []uint64{0, 3}, "READ=r1:3@56/60! 60 true"},
		{"NFSv4 READLINK", procedure(4, 1), nfsReply(t, "=0 =0 =1 =27 =0 o5"), nil, "READLINK=r0:5@44/48 56 true"},
		{"a Call that is denied", procedure(4, 1), xdr(t, "=1 =1 =1 =1 =5"), nil, "0 false"},
	} {
		items := nfs.Items{Returned: tc.returned}
		items.ResetReply(tc.reply, tc.x)
		if d := cmp.Diff(tc.want, walked(&items)); d != "" {
			t.Errorf("%s: (-want +got)\n%s", tc.what, d)
		}
	}
}

// TestItemsOfProtected checks whether encrypted arguments are left alone, and those with a checksum are not.
func TestItemsOfProtected(t *testing.T) {
	call := func(service int, rest string) []byte {
		return xdr(t, fmt.Sprintf("=1 =0 =2 =100003 =3 =7 =6 =20 =1 =0 =7 =%d =0 =0 =0 %s", service, rest))
	}
	var items nfs.Items
	items.ResetCall(call(3, "o64"))
	if got := walked(&items); got != "0 false" {
		t.Error(got)
	}
	items.ResetCall(call(2, "=48 =7 o8 8 4 4 o5 o20"))
	if got := walked(&items); got != "5@96/100 108 true" {
		t.Error(got)
	}
}

func ExampleItems() {
	call := []byte{
		0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0x86, 0xa3, 0, 0, 0, 3, 0, 0, 0, 7, // NFSv3 WRITE
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, // no authentication
		0, 0, 0, 4, 1, 2, 3, 4, // file handle
		0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 16, 0, 0, 0, 0, 0, // offset, count, stable
		0, 0, 16, 0, // length of the data, which is in a Read chunk
	}
	items := nfs.Items{Positions: []uint32{68}}
	for items.ResetCall(call); items.Next(); {
		fmt.Println(items.Length, items.Position, items.Reduced)
	}
	// Output: 4096 68 true
}
