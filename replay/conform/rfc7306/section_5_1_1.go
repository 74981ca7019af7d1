package rfc7306

// Section 5.1.1: FetchAdd.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section511 = about("5.1.1", "FetchAdd", func() []conform.Case {
	return append(sums(), []conform.Case{
		{Name: "by-chance", Requirements: []string{"RDMAPX-5.1.1-1"}, Need: conform.Atomics,
			Says: "FetchAdd adds any values in fields of any lengths.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for i := range 64 {
					old, add, mask := s.Rand.Uint64(), s.Rand.Uint64(), s.Rand.Uint64()&s.Rand.Uint64()&s.Rand.Uint64()
					h := fetchAdd(add, mask)
					sum, _ := h.Apply(old)
					lines = append(lines, put(8*i, old), exchange(h, 8*i, old), holds(8*i, sum))
				}
				return []string{script(lines...)}
			}},
		{Name: "byte-order", Requirements: []string{"RDMAPX-5.1.1-6"}, Need: conform.Atomics,
			Says: "A value goes into memory in its byte order, whole, and is in network byte order in the Response.",
			Ask: conform.Text(script(put(0, 0x0102030405060708), holds(0, 0x0102030405060708), `
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$data SrcTO=$data_to
				< OneOf
				or ReadResponse to [r] 0807060504030201
				or ReadResponse to [r] 0102030405060708`))},
		{Name: "written-word", Requirements: []string{"RDMAPX-5.1.1-6", "RDMAPX-5.4-3"}, Need: conform.Atomics,
			Says: "What a Write has put into memory is a value in the byte order of that memory, to which FetchAdd adds.",
			Ask: conform.Text(script(`
				> Write STag=$data TO=$data_to ff000000000000ff`,
				exchange(fetchAdd(1, 0), 0, 0xff000000000000ff),
				holds(0, 0xff00000000000100)))},
		{Name: "neighbours", Requirements: []string{"RDMAPX-5.1.1-1"}, Need: conform.Atomics,
			Says: "FetchAdd changes 8 octets, and no other.",
			Ask: conform.Text(script(
				put(8, ones), exchange(fetchAdd(1, 0), 8, ones), holds(8, 0),
				put(16, 1), exchange(fetchAdd(ones, 0), 16, 1),
				read8(0, 0), read8(8, 0), read8(16, 0), read8(24, 0)))},
		{Name: "last-word", Requirements: []string{"RDMAPX-5.1.1-1", "RDMAPX-5.2.1-13"}, Need: conform.Atomics,
			Says: "The last 8 octets of a region can be added to.",
			Ask:  conform.Text(script(put(dataLen-8, 3), holds(dataLen-8, 3)))},
		{Name: "unaligned", Need: conform.Atomics,
			Requirements: []string{"RDMAPX-5.1.1-2", "RDMAPX-5.1.1-3", "RDMAPX-5.2.1-13", "RDMAPX-8.2-4"},
			Says:         "A FetchAdd at an address that is no multiple of 8 is refused with a Terminate.",
			Ask:          conform.Texts(unaligned(fetchAdd(1, 0))...)},
		{Name: "compare-ignored", Requirements: []string{"RDMAPX-5.2.1-14"}, Need: conform.Atomics,
			Says: "Compare Data and Compare Mask of a FetchAdd are ignored.",
			Ask: conform.Text(script(put(0, 5),
				exchange(rdmap.AtomicRequest{RequestIdentifier: 2, AddOrSwapData: 1, CompareData: 9, CompareMask: ones}, 0, 5),
				exchange(rdmap.AtomicRequest{RequestIdentifier: 3, AddOrSwapData: 1, CompareData: 0, CompareMask: 0}, 0, 6),
				holds(0, 7)))},
	}...)
})

// unaligned returns scripts with an Atomic at each octet of a word but the first.
func unaligned(h rdmap.AtomicRequest) (scripts []string) {
	for at := 1; at < 8; at++ {
		scripts = append(scripts, script(asks(h, at), "< refuses atomic-alignment"))
	}
	return scripts
}

type sum struct {
	name, says          string
	old, add, mask, new uint64
}

func sums() (cases []conform.Case) {
	for _, c := range []sum{
		{"add-zero", "Adding zero changes nothing.", 0x123456789abcdef0, 0, 0, 0x123456789abcdef0},
		{"add-one", "One is added.", 0, 1, 0, 1},
		{"mask-zero", "Without a mask it is one field: carries cross all octets.", 0x00000000ffffffff, 1, 0, 0x0000000100000000},
		{"overflow", "The carry out of bit 63 is dropped.", ones, 1, 0, 0},
		{"add-negative", "Adding all ones subtracts one.", 5, ones, 0, 4},
		{"octet-carries", "A carry goes through every octet of a word.", 0x00ffffffffffffff, 1, 0, 0x0100000000000000},
		{"mask-bit-63", "A mask of the highest bit alone is no mask.", ones, 2, 0x8000000000000000, 1},
		{"two-fields", "The carry out of the lower of two fields is dropped.", 0x00000000ffffffff, 1, 0x0000000080000000, 0},
		{"two-fields-wrap", "Two fields wrap for themselves.", ones, 0x0000000100000001, 0x8000000080000000, 0},
		{"field-top-bit", "The sum of two highest bits of a field leaves the field.", 0x80000000, 0x80000000, 0x80000000, 0},
		{"octet-fields", "Eight fields of an octet each are added alone.", 0xff01ff01ff01ff01, 0x0101010101010101, 0x8080808080808080,
			0x0002000200020002},
		{"low-field", "The lowest field ends at the only bit of the mask.", 0x000000000001ffff, 2, 0x8000,
			0x0000000000010001},
		{"uneven-fields", "Fields have any lengths: 12, 20 and 32 bits.", 0x00000000ffffffff, 0x1001, 0x80000800, 0},
		{"subtract-in-field", "All ones in a field subtract one from it.", 0x0005000500050005, 0xffff, 0x8000800080008000,
			0x0005000500050004},
		{"field-of-one-bit", "A field can be one bit: the lowest one only flips.", 1, 1, 1, 0},
		{"exclusive-or", "With a mask of all ones each bit is a field, and adding is exclusive or.",
			0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, ones, 0x0ff00ff00ff00ff0},
		{"mask-no-and", "The mask ends fields, and takes no bits out of what is added.", 0, 0x00ff00ff00ff00ff, 0x0000000000000100,
			0x00ff00ff00ff00ff},
	} {
		requirements := []string{"RDMAPX-5.1.1-1"}
		if c.mask == 0 {
			requirements = append(requirements, "RDMAPX-5.1.1-5")
		}
		cases = append(cases, conform.Case{
			Name: c.name, Requirements: requirements, Says: fmt.Sprintf("FetchAdd: %s", c.says), Need: conform.Atomics,
			Ask: conform.Text(script(put(64, c.old), exchange(fetchAdd(c.add, c.mask), 64, c.old), holds(64, c.new))),
		})
	}
	return cases
}
