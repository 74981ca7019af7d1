package rfc7306

// Section 5.1.2: CmpSwap.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section512 = about("5.1.2", "CmpSwap", func() []conform.Case {
	return append(swaps(), []conform.Case{
		{Name: "by-chance", Requirements: []string{"RDMAPX-5.1.2-1", "RDMAPX-5.1.2-2"}, Need: conform.Atomics,
			Says: "CmpSwap compares and swaps any values under any masks, half of them in vain.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for i := range 64 {
					old, mask := s.Rand.Uint64(), s.Rand.Uint64()
					compare := old ^ s.Rand.Uint64()&^mask // it fits where it counts
					if i%2 == 1 {
						compare ^= mask & -mask // but for one bit
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
			Ask:  conform.Text(script(exchange(cmpSwap(ones, ones, 0, ones), 8, 0), read8(0, 0), read8(8, ones), read8(16, 0)))},
		{Name: "chain", Requirements: []string{"RDMAPX-5.1.2-1", "RDMAPX-5.1.2-2", "RDMAPX-5.2.1-7"}, Need: conform.Atomics,
			Says: "A CmpSwap sees what the one before it has put in place.",
			Ask: conform.Text(script(
				exchange(cmpSwap(1, ones, 0, ones), 0, 0), exchange(cmpSwap(2, ones, 1, ones), 0, 1),
				exchange(cmpSwap(9, ones, 1, ones), 0, 2), exchange(cmpSwap(3, ones, 2, ones), 0, 2), holds(0, 3)))},
		{Name: "unaligned", Need: conform.Atomics,
			Requirements: []string{"RDMAPX-5.1.2-3", "RDMAPX-5.1.2-4", "RDMAPX-5.1.2-5", "RDMAPX-5.2.1-13", "RDMAPX-8.2-4"},
			Says:         "A CmpSwap at an address that is no multiple of 8 is not done, and refused with a Terminate.",
			Ask:          conform.Texts(unaligned(cmpSwap(1, ones, 0, ones))...)},
		{Name: "unaligned-in-vain", Requirements: []string{"RDMAPX-5.1.2-3", "RDMAPX-5.1.2-5", "RDMAPX-8.2-4"}, Need: conform.Atomics,
			Says: "A CmpSwap at an address that is no multiple of 8 is refused even if it would change nothing.",
			Ask:  conform.Texts(unaligned(cmpSwap(1, ones, 7, ones))...)},
	}...)
})

type swap struct {
	name, says                                     string
	old, swap, swapMask, compare, compareMask, new uint64
}

func swaps() (cases []conform.Case) {
	const beef = 0xdeadbeefcafe1234
	for _, c := range []swap{
		{"equal", "What is equal is swapped.", 0x1111, 0x2222, ones, 0x1111, ones, 0x2222},
		{"unequal", "What is not equal stays.", 0x1112, 0x2222, ones, 0x1111, ones, 0x1112},
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
			Ask: conform.Text(script(put(64, c.old), exchange(cmpSwap(c.swap, c.swapMask, c.compare, c.compareMask), 64, c.old),
				holds(64, c.new))),
		})
	}
	return cases
}
