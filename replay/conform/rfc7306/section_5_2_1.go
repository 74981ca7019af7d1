package rfc7306

// Section 5.2.1: the Atomic Request.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section521 = about("5.2.1", "the Atomic Request", func() []conform.Case {
	return []conform.Case{
		{Name: "aopcode-unassigned", Requirements: []string{"RDMAPX-5.2.1-4", "RDMAPX-10.1-1"}, Need: conform.Atomics,
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
		{Name: "reserved-ignored", Requirements: []string{"RDMAPX-5.2.1-10"}, Need: conform.Atomics,
			Says: "The 28 reserved bits before the Atomic Operation Code are ignored.",
			Ask: conform.Text(script(
				"> Segment AtomicRequest Reserved=0xfffffff "+request(fetchAdd(3, 0), "$data", "$data_to"),
				"< AtomicResponse OriginalRequestIdentifier=1 OriginalRemoteDataValue=0x0",
				"> Segment AtomicRequest Reserved=0x1 "+request(cmpSwap(4, ones, 3, ones), "$data", "$data_to"),
				"< AtomicResponse OriginalRequestIdentifier=1 OriginalRemoteDataValue=0x3", holds(0, 4)))},
		{Name: "identifiers", Requirements: []string{"RDMAPX-5.2.1-12"}, Need: conform.Atomics,
			Says: "The Request Identifier comes back in the Response, whatever it is.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				for i, id := range []uint32{0, 1, 0x80000000, 0xffffffff, 0, s.Rand.Uint32(), s.Rand.Uint32()} {
					h := fetchAdd(1, 0)
					h.RequestIdentifier = id
					lines = append(lines, exchange(h, 0, uint64(i)))
				}
				return []string{script(lines...)}
			}},
		{Name: "identifiers-alike", Requirements: []string{"RDMAPX-5.2.1-12"}, Need: conform.Atomics,
			Says: "Identifiers are the sender's alone: several requests may have the same one.",
			Ask:  conform.Text(script(exchange(fetchAdd(1, 0), 0, 0), exchange(fetchAdd(1, 0), 0, 1), exchange(fetchAdd(1, 0), 8, 0)))},
		{Name: "any-offset", Requirements: []string{"RDMAPX-5.2.1-13"}, Need: conform.Atomics,
			Says: "The target may be any word of a region.",
			Ask: func(s *conform.Setup) []string {
				var lines []string
				const words = dataLen / 8
				for _, at := range []int{1, words / 2, words - 1, 2 + s.Rand.IntN(words/2-2)} {
					lines = append(lines, put(8*at, uint64(at)), holds(8*at, uint64(at)))
				}
				return []string{script(lines...)}
			}},
		{Name: "not-delivered", Requirements: []string{"RDMAPX-5.2.1-3", "V-237"}, Need: conform.Atomics,
			Says: "Atomic Requests take no Receive of the peer's, and its upper layer hears of none.",
			Ask: conform.Text(script(
				exchange(fetchAdd(1, 0), 0, 0), exchange(fetchAdd(1, 0), 0, 1), "> Send {quiet \"abcd\"}",
				exchange(cmpSwap(1, ones, 2, ones), 0, 2), reports(1, 0, "\x00\x00\x00\x00abcd")))},
		{Name: "too-short", Requirements: []string{"RDMAPX-5.2.1-9", "RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "An Atomic Request of fewer than 52 octets is refused.",
			Ask:  conform.Texts(octetsBehind(rdmap.OpAtomicRequest, "atomic-short", 0, 1, 16, 44, 51)...)},
		{Name: "too-long", Requirements: []string{"RDMAPX-5.2.1-9", "RDMAPX-4.2-1", "RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "An Atomic Request with something behind its 52 octets is refused.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, more := range []int{1, 4, 8, 52} {
					scripts = append(scripts, script(
						fmt.Sprintf("> Segment AtomicRequest %s 00*%d", request(fetchAdd(1, 0), "$data", "$data_to"), more),
						"< refuses atomic-long"))
				}
				return scripts
			}},
		{Name: "in-order", Need: conform.Atomics,
			Requirements: []string{"RDMAPX-5.2.1-7", "RDMAPX-5.2.2-8", "RDMAPX-5.4-8", "RDMAPX-7-5"},
			Says:         "Atomic Requests that come at once are done and answered in the order in which they came.",
			Ask: func(s *conform.Setup) []string {
				var ours, theirs []string
				for i := range uint64(min(s.Peer.IRD, 64)) {
					h := cmpSwap(i+1, ones, i, ones) // each needs the one before it
					h.RequestIdentifier = uint32(100 - i)
					ours, theirs = append(ours, asks(h, 0)), append(theirs, answers(h.RequestIdentifier, i))
				}
				return []string{script(append(ours, theirs...)...)}
			}},
		{Name: "fields-of-the-peer", Requirements: []string{"RDMAPX-5.2.1-9", "RDMAPX-5.2.1-10", "RDMAPX-5.2.1-14", "RDMAPX-5.2.1-5"},
			Need: conform.Atomics,
			Says: "The peer's own requests are right in each field: of a FetchAdd Compare Data is zero, and Compare Mask is all ones.",
			Ask: conform.Text(script(`
				> Send {fetchadd 64 0xfffefd00 0xfffffffffffffff0 0x0102030405060708 0x8000000080000000}`,
				theirs("r", fetchAdd(0x0102030405060708, 0x8000000080000000), 0xfffefd00, 0xfffffffffffffff0), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x1
				> Send {cmpswap 64 0x1 0x8 0x1112131415161718 0xffffffff00000000 0x2122232425262728 0x00000000ffffffff}`,
				theirs("r", cmpSwap(0x1112131415161718, 0xffffffff00000000, 0x2122232425262728, 0x00000000ffffffff), 0x1, 0x8), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x2`))},
	}
})

// ofCode returns an Atomic Request whose code may be one that there is not. Its fields are named as those of CmpSwap.
func ofCode(h rdmap.AtomicRequest) string {
	b, _ := h.AppendBinary(nil)
	return fmt.Sprintf("> Segment AtomicRequest %x $data:be32 $data_to:be64 %x", b[:8], b[20:])
}
