package rfc7306

// Section 5.2: Atomic Requests share queue, MSNs, IRD and ORD with Read Requests.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section52 = about("5.2", "one queue with Read Requests", func() []conform.Case {
	return []conform.Case{
		{Name: "msn-shared", Requirements: []string{"RDMAPX-5.2-1", "RDMAPX-5.2.1-2", "RDMAPX-5.2.1-8"}, Need: conform.Atomics,
			Says: "Atomic and Read Requests are numbered together.",
			Ask: conform.Text(script(
				read8(0, 0), exchange(fetchAdd(1, 0), 8, 0), read8(0, 0), exchange(cmpSwap(3, ones, 1, ones), 8, 1), holds(8, 3)))},
		{Name: "msn-not-shared", Requirements: []string{"RDMAPX-5.2-1", "RDMAPX-5.2.1-2"}, Need: conform.Atomics,
			Says: "An Atomic Request behind a Read Request that has its MSN is refused.",
			Ask: conform.Text(script(read8(0, 0),
				"> Segment AtomicRequest MSN=1 "+request(fetchAdd(1, 0), "$data", "$data_to"), "< refuses read-msn"))},
		{Name: "msn-left-out", Requirements: []string{"RDMAPX-5.2.1-2", "RDMAPX-8.2-1", "V-287"}, Need: conform.Atomics,
			Says: "An Atomic Request before which one is missing is refused.",
			Ask:  conform.Texts(misnumbered(2, 3, 0x80000000, 0xffffffff)...)},
		{Name: "msn-zero", Requirements: []string{"RDMAPX-5.2.1-2", "RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "An Atomic Request with MSN 0 as the first one is refused.",
			Ask:  conform.Texts(misnumbered(0)...)},
		{Name: "msn-of-the-peer", Requirements: []string{"RDMAPX-5.2-1", "RDMAPX-5.2.1-2"}, Need: conform.Atomics,
			Says: "The peer numbers its own Atomic and Read Requests together, in the order of its upper layer.",
			Ask: conform.Text(script(`
				> Send {read 4 0 0x1000 0x20000}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> ReadResponse to [r] "read"
				> Send {cmpswap 0 0x1000 0x20000 1 2 3 4}`, theirs("r", cmpSwap(1, 2, 3, 4), 0x1000, 0x20000), `
				> AtomicResponse to [r] OriginalRemoteDataValue=0x5
				> Send {read! 4 0 0x1000 0x20000}
				< [r] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x20000
				> ReadResponse to [r] "read"
				< Send {done read}`))},
		{Name: "ord", Requirements: []string{"RDMAPX-5.2-1", "V-140", "V-141"}, Need: conform.Atomics | conform.Enhanced,
			Begin: conform.Begin{IRD: 2},
			Says:  "No more Atomic and Read Requests together are outstanding than was agreed on.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.ORD < 2 {
					return nil
				}
				return []string{script(`
					> Send {fetchadd 0 0x1000 0x20000 1 0}
					> Send {read 4 8 0x1000 0x30000}
					> Send {fetchadd! 16 0x1000 0x20008 1 0}`, theirs("a", fetchAdd(1, 0), 0x1000, 0x20000), `
					< [b] ReadRequest RDMARDSZ=4 SrcSTag=0x1000 SrcTO=0x30000`, fmt.Sprintf("< Silence %v", s.Quiet), `
					> AtomicResponse to [a] OriginalRemoteDataValue=0x1`, theirs("c", fetchAdd(1, 0), 0x1000, 0x20008), `
					> ReadResponse to [b] "read"
					> AtomicResponse to [c] OriginalRemoteDataValue=0x2
					< Send {answer fetchadd 0 2}`)}
			}},
		{Name: "ird", Requirements: []string{"RDMAPX-5.2-1", "RDMAPX-5.2.2-4"}, Need: conform.Atomics,
			Says: "As many Atomic Requests as the peer's IRD can be outstanding.",
			Ask: func(s *conform.Setup) []string {
				return []string{outstanding(s.Peer.IRD, func(int) bool { return true })}
			}},
		{Name: "ird-mixed", Requirements: []string{"RDMAPX-5.2-1", "RDMAPX-5.2.2-4", "RDMAPX-7-4"}, Need: conform.Atomics,
			Says: "As many Atomic and Read Requests together as the peer's IRD can be outstanding, and are answered in order.",
			Ask: func(s *conform.Setup) []string {
				return []string{outstanding(s.Peer.IRD, func(i int) bool { return i%2 == 0 })}
			}},
	}
})

// misnumbered returns scripts with an Atomic Request, the first in its queue, of each MSN.
func misnumbered(msns ...uint32) (scripts []string) {
	for _, msn := range msns {
		scripts = append(scripts, script(
			fmt.Sprintf("> Segment AtomicRequest MSN=%d %s", msn, request(fetchAdd(1, 0), "$data", "$data_to")), "< refuses read-msn"))
	}
	return scripts
}

// outstanding returns a script with n requests before any answer, at most 64: Atomics, and Reads of what they have left. Each
// Atomic adds to the same word.
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
