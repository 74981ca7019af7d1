package rfc7306

// Section 5: Atomic Operations.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section5 = about("5", "Atomic Operations", func() []conform.Case {
	return []conform.Case{
		{Name: "both-operations", Requirements: []string{"RDMAPX-5-3", "RDMAPX-5.2.1-11", "RDMAPX-5.2.1-8"}, Need: conform.Atomics,
			Says: "A peer with Atomic Operations has both FetchAdd and CmpSwap.",
			Ask: conform.Text(
				exchange(fetchAdd(7, 0), 0, 0),
				exchange(cmpSwap(9, ones, 7, ones), 0, 7),
				holds(0, 9))},
		{Name: "without-negotiation", Requirements: []string{"RDMAPX-5-3", "RDMAPX-5.2.1-8"}, Need: conform.Atomics,
			Role: conform.AsInitiator, Begin: conform.Begin{Rev: 1},
			Says: "Atomic Operations do not depend on MPA: they work with revision 1, too.",
			Ask:  conform.Text(exchange(fetchAdd(7, 0), 0, 0), exchange(cmpSwap(9, ones, 7, ones), 0, 7), holds(0, 9))},
		{Name: "other-region", Requirements: []string{"RDMAPX-5-3", "RDMAPX-8.2-5"}, Need: conform.Atomics | conform.Volatile,
			Says: "Atomic Operations work on any memory that may be read and written.",
			Ask: conform.Text(`
				> Write STag=$volatile TO=$volatile_to+8 0200000000000002
				> [r] AtomicRequest RemoteSTag=$volatile RemoteTaggedOffset=$volatile_to+8 AddData=1 CompareMask=0xffffffffffffffff
				< AtomicResponse to [r] OriginalRemoteDataValue=0x0200000000000002
				> [r] AtomicRequest RemoteSTag=$volatile RemoteTaggedOffset=$volatile_to+8 CompareMask=0xffffffffffffffff
				< AtomicResponse to [r] OriginalRemoteDataValue=0x0200000000000003`)},
		{Name: "msn-of-responses", Requirements: []string{"RDMAPX-5-5", "RDMAPX-5.2-2", "RDMAPX-5.2.2-3"}, Need: conform.Atomics,
			Says: "Atomic Responses have a queue and MSNs of their own: Reads between the Requests do not count.",
			Ask: conform.Text(
				exchange(fetchAdd(1, 0), 0, 0), read8(8, 0),
				exchange(fetchAdd(1, 0), 0, 1), read8(8, 0), read8(8, 0),
				exchange(fetchAdd(1, 0), 0, 2))},
		{Name: "msn-of-responses-taken", Requirements: []string{"RDMAPX-5-5", "RDMAPX-5.2-1"}, Need: conform.Atomics,
			Says: "After alternating Atomic and Read Requests, the MSNs of Atomic Responses count these alone.",
			Ask: conform.Text(itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1
				< Send {answer fetchadd 0 1}
				> Send {read 4 0 0x1000 0x20000}
				< [b] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> ReadResponse to [b] "read"`, itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x2
				< Send {answer fetchadd 0 2}`)},
	}
})

var section511 = about("5.1.1", "FetchAdd", func() []conform.Case {
	return append(sums(), conform.Alike(conform.Case{Need: conform.Atomics}, []conform.Case{
		{Name: "by-chance", Requirements: []string{"RDMAPX-5.1.1-1"},
			Says: "FetchAdd adds any values in fields of any length.",
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
		{Name: "byte-order", Requirements: []string{"RDMAPX-5.1.1-6"},
			Says: "A value is in the byte order of the memory there, and in network byte order in the Response.",
			Ask: conform.Text(put(0, 0x0102030405060708), holds(0, 0x0102030405060708), `
				> [r] ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$data SrcTO=$data_to
				< OneOf
				or ReadResponse to [r] 0807060504030201
				or ReadResponse to [r] 0102030405060708`)},
		{Name: "written-word", Requirements: []string{"RDMAPX-5.1.1-6", "RDMAPX-5.4-3"},
			Says: "FetchAdd adds to the octets of a Write as a value in the byte order of the memory.",
			Ask: conform.Text(`
				> Write STag=$data TO=$data_to ff000000000000ff`,
				exchange(fetchAdd(1, 0), 0, 0xff000000000000ff),
				holds(0, 0xff00000000000100))},
		{Name: "neighbours", Requirements: []string{"RDMAPX-5.1.1-1"},
			Says: "FetchAdd changes 8 octets, and no other.",
			Ask: conform.Text(
				put(8, ones), exchange(fetchAdd(1, 0), 8, ones), holds(8, 0),
				put(16, 1), exchange(fetchAdd(ones, 0), 16, 1),
				read8(0, 0), read8(8, 0), read8(16, 0), read8(24, 0))},
		{Name: "last-word", Requirements: []string{"RDMAPX-5.1.1-1", "RDMAPX-5.2.1-13"},
			Says: "The last 8 octets of a region can be added to.",
			Ask:  conform.Text(put(dataLen-8, 3), holds(dataLen-8, 3))},
		{Name: "unaligned", Requirements: []string{"RDMAPX-5.1.1-2", "RDMAPX-5.1.1-3", "RDMAPX-5.2.1-13", "RDMAPX-8.2-4"},
			Says: "A FetchAdd at an address that is not a multiple of 8 is refused with a Terminate.",
			Ask:  unaligned(fetchAdd(1, 0))},
		{Name: "compare-ignored", Requirements: []string{"RDMAPX-5.2.1-14"},
			Says: "Compare Data and Compare Mask of a FetchAdd are ignored.",
			Ask: conform.Text(put(0, 5),
				exchange(rdmap.AtomicRequest{RequestIdentifier: 2, AddOrSwapData: 1, CompareData: 9, CompareMask: ones}, 0, 5),
				exchange(rdmap.AtomicRequest{RequestIdentifier: 3, AddOrSwapData: 1, CompareData: 0, CompareMask: 0}, 0, 6),
				holds(0, 7))},
	})...)
})

// unaligned returns the Ask of a case with an Atomic at each octet of a word but the first.
func unaligned(h rdmap.AtomicRequest) func(*conform.Setup) []string {
	return conform.EachOf(func(at int) string { return script(asks(h, at), "< refuses atomic-alignment") }, 1, 2, 3, 4, 5, 6, 7)
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
		{"mask-bit-63", "A mask of only the highest bit has no effect.", ones, 2, 0x8000000000000000, 1},
		{"two-fields", "The carry out of the lower of two fields is dropped.", 0x00000000ffffffff, 1, 0x0000000080000000, 0},
		{"two-fields-wrap", "Two fields wrap independently.", ones, 0x0000000100000001, 0x8000000080000000, 0},
		{"field-top-bit", "The carry out of a field's highest bit is dropped.", 0x80000000, 0x80000000, 0x80000000, 0},
		{"octet-fields", "Eight fields of one octet are added independently.", 0xff01ff01ff01ff01, 0x0101010101010101, 0x8080808080808080,
			0x0002000200020002},
		{"low-field", "The lowest field ends at the only bit of the mask.", 0x000000000001ffff, 2, 0x8000,
			0x0000000000010001},
		{"uneven-fields", "Fields have any length: 12, 20 and 32 bits.", 0x00000000ffffffff, 0x1001, 0x80000800, 0},
		{"subtract-in-field", "All ones in a field subtract one from it.", 0x0005000500050005, 0xffff, 0x8000800080008000,
			0x0005000500050004},
		{"field-of-one-bit", "A field can be one bit: the lowest one only flips.", 1, 1, 1, 0},
		{"exclusive-or", "With a mask of all ones each bit is a field, and adding is exclusive or.",
			0xf0f0f0f0f0f0f0f0, 0xff00ff00ff00ff00, ones, 0x0ff00ff00ff00ff0},
		{"mask-no-and", "The mask separates fields, and does not mask the added value.", 0, 0x00ff00ff00ff00ff, 0x0000000000000100,
			0x00ff00ff00ff00ff},
	} {
		requirements := []string{"RDMAPX-5.1.1-1"}
		if c.mask == 0 {
			requirements = append(requirements, "RDMAPX-5.1.1-5")
		}
		cases = append(cases, conform.Case{
			Name: c.name, Requirements: requirements, Says: fmt.Sprintf("FetchAdd: %s", c.says), Need: conform.Atomics,
			Ask: conform.Text(put(64, c.old), exchange(fetchAdd(c.add, c.mask), 64, c.old), holds(64, c.new)),
		})
	}
	return cases
}

var section512 = about("5.1.2", "CmpSwap", func() []conform.Case {
	return append(swaps(), []conform.Case{
		{Name: "by-chance", Requirements: []string{"RDMAPX-5.1.2-1", "RDMAPX-5.1.2-2"}, Need: conform.Atomics,
			Says: "CmpSwap compares and swaps any values under any masks; half of the comparisons fail.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for i := range 64 {
					old, mask := s.Rand.Uint64(), s.Rand.Uint64()
					compare := old ^ s.Rand.Uint64()&^mask // it is equal where it counts
					if i%2 == 1 {
						compare ^= mask & -mask // except one bit
					}
					h := cmpSwap(s.Rand.Uint64(), s.Rand.Uint64(), compare, mask)
					result, _ := h.Apply(old)
					lines = append(lines, put(8*i, old), exchange(h, 8*i, old), holds(8*i, result))
				}
				return []string{script(lines...)}
			}},
		{Name: "each-bit", Requirements: []string{"RDMAPX-5.1.2-1"}, Need: conform.Atomics,
			Says: "Any bit that differs under the Compare Mask makes a CmpSwap change nothing.",
			Ask: func(*conform.Setup) []string {
				lines := []string{put(0, 0x5555555555555555)}
				for bit := range 64 {
					lines = append(lines, exchange(cmpSwap(0, ones, 0x5555555555555555^1<<bit, ones), 0, 0x5555555555555555))
				}
				return []string{script(append(lines, holds(0, 0x5555555555555555))...)}
			}},
		{Name: "neighbours", Requirements: []string{"RDMAPX-5.1.2-1"}, Need: conform.Atomics,
			Says: "CmpSwap changes 8 octets, and no other.",
			Ask:  conform.Text(exchange(cmpSwap(ones, ones, 0, ones), 8, 0), read8(0, 0), read8(8, ones), read8(16, 0))},
		{Name: "chain", Requirements: []string{"RDMAPX-5.1.2-1", "RDMAPX-5.1.2-2", "RDMAPX-5.2.1-7"}, Need: conform.Atomics,
			Says: "A CmpSwap sees the result of the previous one.",
			Ask: conform.Text(
				exchange(cmpSwap(1, ones, 0, ones), 0, 0), exchange(cmpSwap(2, ones, 1, ones), 0, 1),
				exchange(cmpSwap(9, ones, 1, ones), 0, 2), exchange(cmpSwap(3, ones, 2, ones), 0, 2), holds(0, 3))},
		{Name: "unaligned", Need: conform.Atomics,
			Requirements: []string{"RDMAPX-5.1.2-3", "RDMAPX-5.1.2-4", "RDMAPX-5.1.2-5", "RDMAPX-5.2.1-13", "RDMAPX-8.2-4"},
			Says:         "A CmpSwap at an address that is not a multiple of 8 is not executed, and refused with a Terminate.",
			Ask:          unaligned(cmpSwap(1, ones, 0, ones))},
		{Name: "unaligned-in-vain", Requirements: []string{"RDMAPX-5.1.2-3", "RDMAPX-5.1.2-5", "RDMAPX-8.2-4"}, Need: conform.Atomics,
			Says: "A CmpSwap at an address that is not a multiple of 8 is refused even if it would change nothing.",
			Ask:  unaligned(cmpSwap(1, ones, 7, ones))},
	}...)
})

type swap struct {
	name, says                                     string
	old, swap, swapMask, compare, compareMask, new uint64
}

func swaps() (cases []conform.Case) {
	const beef = 0xdeadbeefcafe1234
	for _, c := range []swap{
		{"equal", "Equal values are swapped.", 0x1111, 0x2222, ones, 0x1111, ones, 0x2222},
		{"unequal", "Different values stay.", 0x1112, 0x2222, ones, 0x1111, ones, 0x1112},
		{"compare-mask", "Only bits of the Compare Mask are compared, only those of the Swap Mask are swapped.",
			beef, 0xaaaa, 0xffff, 0x1200, 0xff00, 0xdeadbeefcafeaaaa},
		{"compare-mask-unequal", "A difference under the Compare Mask counts.",
			beef + 0x100, 0xaaaa, 0xffff, 0x1200, 0xff00, beef + 0x100},
		{"compare-mask-zero", "With a Compare Mask of zero it always swaps.", beef, 0x5555555555555555, 0xff000000000000ff, 0x77, 0,
			0x55adbeefcafe1255},
		{"swap-mask-zero", "With a Swap Mask of zero nothing is changed.", beef, 0x5555555555555555, 0, beef, ones, beef},
		{"swap-outside-mask", "Bits of Swap Data outside of the Swap Mask do not count.", 0xf0, ones, 0x0f, 0xf0, 0xff0, 0xff},
		{"compare-outside-mask", "Bits of Compare Data outside of the Compare Mask do not count.",
			0x1234, 1, 0xff, 0xff34, 0xff, 0x1201},
		{"clear", "Bits are cleared too.", ones, 0, 0x00ff00ff00ff00ff, ones, ones, 0xff00ff00ff00ff00},
		{"top-bit", "The highest bit is compared and swapped.", 1 << 63, 0, ones, 1 << 63, 1 << 63, 0},
		{"top-bit-unequal", "A difference in the highest bit alone counts.", 1 << 63, 5, ones, 0, ones, 1 << 63},
	} {
		cases = append(cases, conform.Case{
			Name: c.name, Requirements: []string{"RDMAPX-5.1.2-1", "RDMAPX-5.1.2-2"}, Need: conform.Atomics,
			Says: fmt.Sprintf("CmpSwap: %s", c.says),
			Ask: conform.Text(put(64, c.old), exchange(cmpSwap(c.swap, c.swapMask, c.compare, c.compareMask), 64, c.old),
				holds(64, c.new)),
		})
	}
	return cases
}

var section52 = about("5.2", "one queue with Read Requests", func() []conform.Case {
	return []conform.Case{
		{Name: "msn-shared", Requirements: []string{"RDMAPX-5.2-1", "RDMAPX-5.2.1-2", "RDMAPX-5.2.1-8"}, Need: conform.Atomics,
			Says: "Atomic and Read Requests are numbered together.",
			Ask: conform.Text(
				read8(0, 0), exchange(fetchAdd(1, 0), 8, 0), read8(0, 0), exchange(cmpSwap(3, ones, 1, ones), 8, 1), holds(8, 3))},
		{Name: "msn-not-shared", Requirements: []string{"RDMAPX-5.2-1", "RDMAPX-5.2.1-2"}, Need: conform.Atomics,
			Says: "An Atomic Request with the MSN of the previous Read Request is refused.",
			Ask: conform.Text(read8(0, 0),
				"> Segment AtomicRequest MSN=1 "+request(fetchAdd(1, 0), "$data", "$data_to"), "< refuses read-msn")},
		{Name: "msn-left-out", Requirements: []string{"RDMAPX-5.2.1-2", "RDMAPX-8.2-1", "V-287"}, Need: conform.Atomics,
			Says: "An Atomic Request that skips an MSN is refused.",
			Ask:  misnumbered(2, 3, 0x80000000, 0xffffffff)},
		{Name: "msn-zero", Requirements: []string{"RDMAPX-5.2.1-2", "RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "A first Atomic Request with MSN 0 is refused.",
			Ask:  misnumbered(0)},
		{Name: "msn-of-the-peer", Requirements: []string{"RDMAPX-5.2-1", "RDMAPX-5.2.1-2"}, Need: conform.Atomics,
			Says: "The peer numbers its own Atomic and Read Requests together, in the order of its upper layer.",
			Ask: conform.Text(`
				> Send {read 4 0 0x1000 0x20000}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> ReadResponse to [r] "read"
				> Send {cmpswap 0 0x1000 0x20000 1 2 3 4}`, theirs("r", cmpSwap(1, 2, 3, 4), 0x1000, 0x20000), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x5
				> Send {read! 4 0 0x1000 0x20000}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> ReadResponse to [r] "read"
				< Send {done read}`)},
		{Name: "ord", Requirements: []string{"RDMAPX-5.2-1", "V-140", "V-141"}, Need: conform.Atomics | conform.Enhanced,
			Begin: conform.Begin{IRD: 2},
			Says:  "The peer keeps to the agreed number of outstanding Atomic and Read Requests together.",
			If:    func(s *conform.Setup) bool { return s.Peer.ORD >= 2 },
			Ask: conform.Text(`
				> Send {fetchadd 0 0x1000 0x20000 1 0}
				> Send {read 4 8 0x1000 0x30000}
				> Send {fetchadd! 16 0x1000 0x20008 1 0}`, theirs("a", fetchAdd(1, 0), 0x1000, 0x20000), `
				< [b] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x30000
				< Silence
				> AtomicResponse to [a] OriginalRemoteDataValue=0x1`, theirs("c", fetchAdd(1, 0), 0x1000, 0x20008), `
				> ReadResponse to [b] "read"
				> AtomicResponse to [c] OriginalRemoteDataValue=0x2
				< Send {answer fetchadd 0 2}`)},
		{Name: "ird", Requirements: []string{"RDMAPX-5.2-1", "RDMAPX-5.2.2-4"}, Need: conform.Atomics,
			Says: "As many Atomic Requests as the peer's IRD allows can be outstanding.",
			Ask: func(s *conform.Setup) []string {
				return []string{outstanding(s.Peer.IRD, func(int) bool { return true })}
			}},
		{Name: "ird-mixed", Requirements: []string{"RDMAPX-5.2-1", "RDMAPX-5.2.2-4", "RDMAPX-7-4"}, Need: conform.Atomics,
			Says: "As many Atomic and Read Requests together as the peer's IRD allows can be outstanding, and are answered in order.",
			Ask: func(s *conform.Setup) []string {
				return []string{outstanding(s.Peer.IRD, func(i int) bool { return i%2 == 0 })}
			}},
	}
})

// misnumbered returns the Ask of a case with an Atomic Request, the first in its queue, of each MSN.
func misnumbered(msns ...uint32) func(*conform.Setup) []string {
	return conform.Each(script("> Segment AtomicRequest MSN=%d "+request(fetchAdd(1, 0), "$data", "$data_to"), "< refuses read-msn"), msns...)
}

// outstanding returns a script with n requests before any answer, at most 64: Atomics that add to the same word, and
// Reads of the result.
func outstanding(n int, atomic func(i int) bool) string {
	const step = 0x0100000000000001 // the same from both ends
	var ours, theirs []string
	value := uint64(0)
	for i := range min(n, 64) {
		if atomic(i) {
			h := fetchAdd(step, 0)
			h.RequestIdentifier = uint32(i)
			ours, theirs = append(ours, asks(h, 0)), append(theirs, answers(h.RequestIdentifier, value))
			value += step
			continue
		}
		ours = append(ours,
			fmt.Sprintf("> [read%d] ReadRequest SinkSTag=0x1000 SinkTO=%d RDMARDSZ=8 SrcSTag=$data SrcTO=$data_to", i, 8*i))
		theirs = append(theirs, fmt.Sprintf("< ReadResponse to [read%d] %016x", i, value))
	}
	return script(append(ours, theirs...)...)
}

var section521 = about("5.2.1", "the Atomic Request", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.Atomics}, []conform.Case{
		{Name: "aopcode-unassigned", Requirements: []string{"RDMAPX-5.2.1-4", "RDMAPX-10.1-1"},
			Says: "An Atomic Operation Code that is reserved or not assigned is refused.",
			Ask: func(*conform.Setup) (scripts []string) {
				for code := range rdmap.AOpCode(16) {
					if code.Known() {
						continue
					}
					h := cmpSwap(1, ones, 0, ones)
					h.AOpCode = code
					scripts = append(scripts, script(ofCode(h), "< refuses atomic-aopcode"))
				}
				return scripts
			}},
		{Name: "reserved-ignored", Requirements: []string{"RDMAPX-5.2.1-10"},
			Says: "The 28 reserved bits before the Atomic Operation Code are ignored.",
			Ask: conform.Text(
				"> Segment AtomicRequest Reserved=0xfffffff "+request(fetchAdd(3, 0), "$data", "$data_to"),
				"< AtomicResponse OriginalRequestIdentifier=1 OriginalRemoteDataValue=0x0",
				"> Segment AtomicRequest Reserved=0x1 "+request(cmpSwap(4, ones, 3, ones), "$data", "$data_to"),
				"< AtomicResponse OriginalRequestIdentifier=1 OriginalRemoteDataValue=0x3", holds(0, 4))},
		{Name: "identifiers", Requirements: []string{"RDMAPX-5.2.1-12"},
			Says: "The Response has the Request Identifier, whatever it is.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for i, id := range []uint32{0, 1, 0x80000000, 0xffffffff, 0, s.Rand.Uint32(), s.Rand.Uint32()} {
					h := fetchAdd(1, 0)
					h.RequestIdentifier = id
					lines = append(lines, exchange(h, 0, uint64(i)))
				}
				return []string{script(lines...)}
			}},
		{Name: "identifiers-alike", Requirements: []string{"RDMAPX-5.2.1-12"},
			Says: "Identifiers matter to the sender only: several requests may have the same one.",
			Ask:  conform.Text(exchange(fetchAdd(1, 0), 0, 0), exchange(fetchAdd(1, 0), 0, 1), exchange(fetchAdd(1, 0), 8, 0))},
		{Name: "any-offset", Requirements: []string{"RDMAPX-5.2.1-13"},
			Says: "The target may be any word of a region.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				const words = dataLen / 8
				for _, at := range []int{1, words / 2, words - 1, 2 + s.Rand.IntN(words/2-2)} {
					lines = append(lines, put(8*at, uint64(at)), holds(8*at, uint64(at)))
				}
				return []string{script(lines...)}
			}},
		{Name: "not-delivered", Requirements: []string{"RDMAPX-5.2.1-3", "V-237"},
			Says: "Atomic Requests consume no Receive, and are not reported to the upper layer.",
			Ask: conform.Text(
				exchange(fetchAdd(1, 0), 0, 0), exchange(fetchAdd(1, 0), 0, 1), "> Send {quiet \"abcd\"}",
				exchange(cmpSwap(1, ones, 2, ones), 0, 2), reports(1, 0, "\x00\x00\x00\x00abcd"))},
		{Name: "too-short", Requirements: []string{"RDMAPX-5.2.1-9", "RDMAPX-8.2-1"},
			Says: "An Atomic Request of fewer than 52 octets is refused.",
			Ask:  conform.Texts(octetsAfter(rdmap.OpAtomicRequest, "atomic-short", 0, 1, 16, 44, 51)...)},
		{Name: "too-long", Requirements: []string{"RDMAPX-5.2.1-9", "RDMAPX-4.2-1", "RDMAPX-8.2-1"},
			Says: "An Atomic Request of more than 52 octets is refused.",
			Ask: conform.EachOf(func(more int) string {
				return script(
					fmt.Sprintf("> Segment AtomicRequest %s 00*%d", request(fetchAdd(1, 0), "$data", "$data_to"), more),
					"< refuses atomic-long")
			}, 1, 4, 8, 52)},
		{Name: "in-order", Requirements: []string{"RDMAPX-5.2.1-7", "RDMAPX-5.2.2-8", "RDMAPX-5.4-8", "RDMAPX-7-5"},
			Says: "Simultaneous Atomic Requests are executed and answered in order.",
			Ask: func(s *conform.Setup) []string {
				var ours, theirs []string
				for i := range uint64(min(s.Peer.IRD, 64)) {
					h := cmpSwap(i+1, ones, i, ones) // each needs the previous one
					h.RequestIdentifier = uint32(100 - i)
					ours, theirs = append(ours, asks(h, 0)), append(theirs, answers(h.RequestIdentifier, i))
				}
				return []string{script(append(ours, theirs...)...)}
			}},
		{Name: "fields-of-the-peer",
			Requirements: []string{"RDMAPX-5.2.1-9", "RDMAPX-5.2.1-10", "RDMAPX-5.2.1-14", "RDMAPX-5.2.1-5"},
			Says:         "The peer's own requests are correct in each field: in a FetchAdd, Compare Data is zero and Compare Mask all ones.",
			Ask: conform.Text(`
				> Send {fetchadd 64 0xfffefd00 0xfffffffffffffff0 0x0102030405060708 0x8000000080000000}`,
				theirs("r", fetchAdd(0x0102030405060708, 0x8000000080000000), 0xfffefd00, 0xfffffffffffffff0), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1
				> Send {cmpswap 64 0x1 0x8 0x1112131415161718 0xffffffff00000000 0x2122232425262728 0x00000000ffffffff}`,
				theirs("r", cmpSwap(0x1112131415161718, 0xffffffff00000000, 0x2122232425262728, 0x00000000ffffffff), 0x1, 0x8), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x2`)},
	})
})

// ofCode returns an Atomic Request with any code. Its fields are named as those of CmpSwap.
func ofCode(h rdmap.AtomicRequest) string {
	b, _ := h.AppendBinary(nil)
	return fmt.Sprintf("> Segment AtomicRequest %x $data:be32 $data_to:be64 %x", b[:8], b[20:])
}

var section522 = about("5.2.2", "the Atomic Response", func() []conform.Case {
	return conform.Alike(conform.Case{Need: conform.Atomics}, []conform.Case{
		{Name: "taken", Requirements: []string{"RDMAPX-5.2.2-6", "RDMAPX-5.1.1-6"},
			Says: "The requester gets the value of a Response, converted from network byte order.",
			Ask: conform.Text(itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1122334455667788
				< Send {answer fetchadd 0 0x1122334455667788}
				> reads 8 $data+16 1122334455667788`)},
		{Name: "all-outstanding", Requirements: []string{"RDMAPX-5.2.2-5"},
			Says: "With the agreed number of Atomic Requests outstanding, the peer accepts all Responses at once.",
			Ask:  itsOutstanding},
		{Name: "both-directions", Requirements: []string{"RDMAPX-5.2.2-1", "RDMAPX-5.2.2-8"},
			Says: "The directions are independent: the peer answers while its own request is outstanding.",
			Ask: conform.Text(itsFetchAdd(), exchange(fetchAdd(5, 0), 0, 0), holds(0, 5), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x9
				< Send {answer fetchadd 0 9}`)},
		{Name: "unasked", Requirements: []string{"RDMAPX-5.2.2-7", "RDMAPX-8.2-1"},
			Says: "An Atomic Response without any request is refused.",
			Ask:  conform.Text("> AtomicResponse OriginalRequestIdentifier=1\n< refuses atomic-response")},
		{Name: "second", Requirements: []string{"RDMAPX-5.2.2-7"},
			Says: "A second Atomic Response to the same request is refused.",
			Ask: conform.Text(itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1
				< Send {answer fetchadd 0 1}
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1
				< refuses atomic-response`)},
		{Name: "to-a-read", Requirements: []string{"RDMAPX-5.2.2-7"},
			Says: "An Atomic Response where a Read Response is due is refused.",
			Ask: conform.Text(`
				> Send {read 4 0 0x1000 0x20000}
				< ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> AtomicResponse OriginalRequestIdentifier=1
				< refuses atomic-response`)},
		{Name: "read-response-instead", Requirements: []string{"RDMAPX-5.2.2-7"},
			Says: "A Read Response where an Atomic Response is due is refused.",
			Ask: conform.Text(itsFetchAdd(), `
				> ReadResponse STag=$data TO=$data_to+16 00*8
				< refuses response-unexpected`)},
		{Name: "too-short", Requirements: []string{"RDMAPX-5.2.2-7", "RDMAPX-5.2.2-9"},
			Says: "An Atomic Response of fewer than 12 octets is refused.",
			Ask:  responses("> Segment AtomicResponse 00*%d", "atomic-response", 4, 8, 11)},
		{Name: "empty", Requirements: []string{"RDMAPX-5.2.2-7", "RDMAPX-5.2.2-9"},
			Says: "An Atomic Response without its header is refused.",
			Ask:  conform.Text(itsFetchAdd(), "> Segment AtomicResponse", "< refuses atomic-response")},
		{Name: "too-long", Requirements: []string{"RDMAPX-5.2.2-7", "RDMAPX-5.2.2-9", "RDMAPX-4-1", "RDMAPX-4.2-1"},
			Says: "An Atomic Response of more than 12 octets is refused, up to 32.",
			Ask:  responses("> Segment AtomicResponse 00*%d", "atomic-response", 13, 16, 32)},
		{Name: "msn-wrong", Requirements: []string{"RDMAPX-5-5", "RDMAPX-8.2-1"},
			Says: "An Atomic Response with an MSN other than the next is refused.",
			Ask:  responses("> Segment AtomicResponse MSN=%d 00*12", "atomic-response-msn", 0, 2, 0xffffffff)},
		{Name: "msn-repeated", Requirements: []string{"RDMAPX-5-5", "RDMAPX-8.2-1"},
			Says: "An Atomic Response with the MSN of the previous one is refused.",
			Ask: conform.Text(itsFetchAdd(), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1
				< Send {answer fetchadd 0 1}`, itsFetchAdd(), `
				> Segment AtomicResponse MSN=1 00*12
				< refuses atomic-response-msn`)},
	})
})

// responses returns the Ask of a case in which the peer's own FetchAdd is answered, with each of some numbers in the line, and
// refuses the answer.
func responses(line, situation string, numbers ...uint32) func(*conform.Setup) []string {
	return conform.Each(script(itsFetchAdd(), line, "< refuses "+situation), numbers...)
}

// itsOutstanding returns one script, in which the peer sends as many FetchAdds as its ORD allows, at most 16, before it
// gets an answer.
func itsOutstanding(s *conform.Setup) []string {
	var commands, requests, ours []string
	n := max(1, min(s.Peer.ORD, 16))
	for i := range n {
		commands = append(commands, fmt.Sprintf("> Send {fetchadd 0 0x1000 0x%x 1 0}", 0x20000+8*i))
		requests = append(requests, theirs(fmt.Sprintf("r%d", i), fetchAdd(1, 0), 0x1000, 0x20000+8*uint64(i)))
		ours = append(ours, fmt.Sprintf("> AtomicResponse to [r%d] OriginalRemoteDataValue=0x%x", i, i))
	}
	return []string{script(append(append(commands, requests...), ours...)...)}
}

var section54 = about("5.4", "the order of Atomics", func() []conform.Case {
	return []conform.Case{
		{Name: "behind-a-write", Requirements: []string{"RDMAPX-5.4-3", "RDMAPX-5.4-5", "RDMAPX-7-2"}, Need: conform.Atomics,
			Says: "An Atomic Request after a Write sees its octets.",
			Ask: conform.Text(
				"> Write STag=$data TO=$data_to 0100000000000001", asks(fetchAdd(0, 0), 0), answers(1, 0x0100000000000001))},
		{Name: "behind-a-long-write", Requirements: []string{"RDMAPX-5.4-3", "RDMAPX-5.4-5", "RDMAPX-7-2"}, Need: conform.Atomics,
			Says: "An Atomic Request after a Write of many segments sees its last octets.",
			Ask: conform.Text(
				"> Write STag=$data TO=$data_to 77*65536", asks(cmpSwap(5, ones, 0x7777777777777777, ones), 65528),
				answers(1, 0x7777777777777777), holds(65528, 5), holds(65520, 0x7777777777777777))},
		{Name: "behind-many-writes", Requirements: []string{"RDMAPX-5.4-3", "RDMAPX-5.4-5", "RDMAPX-7-2"}, Need: conform.Atomics,
			Says: "An Atomic Request after Writes to the same word sees the latest of them.",
			Ask: conform.Text(
				"> Write STag=$data TO=$data_to 11*8", "> Write STag=$data TO=$data_to 22*8", "> Write STag=$data TO=$data_to 33*8",
				asks(fetchAdd(0, 0), 0), answers(1, 0x3333333333333333))},
		{Name: "before-a-read", Requirements: []string{"RDMAPX-7-4"}, Need: conform.Atomics, If: takesTwo,
			Says: "A Read after an Atomic Request returns its result.",
			Ask: conform.Text(asks(fetchAdd(0x0500000000000005, 0), 0), `
				> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$data SrcTO=$data_to`, answers(1, 0), `
				< ReadResponse to [read] 0500000000000005`)},
	}
})
