package rfc7306

// Section 7: the table of what may pass what.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
)

var section7 = about("7", "ordering and completions", func() []conform.Case {
	return []conform.Case{
		{Name: "write-then-atomic", Requirements: []string{"RDMAPX-7-2", "RDMAPX-5.4-3"}, Need: conform.Atomics,
			Says: "Writes and Atomic Requests by turns, all sent at once: each Atomic Request sees the Writes before it.",
			Ask: func(s *conform.Setup) []string {
				var ours, theirs []string
				for i := range min(s.Peer.IRD, 32) {
					h := fetchAdd(0, 0)
					h.RequestIdentifier = uint32(i)
					ours = append(ours, fmt.Sprintf("> Write STag=$data TO=%s %02x*8", dataAt(8*i), i+1), asks(h, 8*i))
					theirs = append(theirs, answers(uint32(i), uint64(i+1)*0x0101010101010101))
				}
				return []string{script(append(ours, theirs...)...)}
			}},
		{Name: "invalidate-then-atomic", Requirements: []string{"RDMAPX-7-1", "V-256"}, Need: conform.Atomics | conform.Volatile,
			Says: "An Atomic Request behind a Send that has invalidated its target is refused: the Send is complete before it.",
			Ask: conform.Text(script("> SendInvalidate InvalidateSTag=$volatile {quiet}",
				"> AtomicRequest "+request(fetchAdd(1, 0), "$volatile", "$volatile_to"), "< refuses atomic-target"))},
		{Name: "invalidate-then-read", Requirements: []string{"RDMAPX-7-1", "V-256"}, Need: conform.Volatile,
			Says: "A Read Request behind a Send that has invalidated its source is refused: the Send is complete before it.",
			Ask: conform.Text(`
				> SendSEInvalidate InvalidateSTag=$volatile {quiet}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$volatile SrcTO=$volatile_to
				< refuses read-stag`)},
		{Name: "read-then-atomic", Requirements: []string{"RDMAPX-7-4"}, Need: conform.Atomics,
			Says: "A long Read and an Atomic Request on its last word behind it: the Atomic Response is not before the Read Response.",
			Ask: func(s *conform.Setup) []string {
				if s.Peer.IRD < 2 {
					return nil
				}
				return []string{script(put(65528, ones),
					"> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to",
					asks(cmpSwap(0, ones, ones, ones), 65528),
					"< ReadResponse to [read] 00*65528 ff*8", answers(1, ones), holds(65528, 0))}
			}},
		{Name: "atomic-then-atomic", Requirements: []string{"RDMAPX-7-5", "RDMAPX-5.4-8"}, Need: conform.Atomics,
			Says: "Atomic Requests on one word, all sent at once: each finds what the one before it has left.",
			Ask: func(s *conform.Setup) []string {
				return []string{outstanding(s.Peer.IRD, func(int) bool { return true })}
			}},
		{Name: "atomic-by-turns", Requirements: []string{"RDMAPX-7-4", "RDMAPX-7-5"}, Need: conform.Atomics,
			Says: "Read and Atomic Requests by turns, all sent at once: each Read finds what the Atomic Requests before it have left.",
			Ask: func(s *conform.Setup) []string {
				return []string{outstanding(s.Peer.IRD, func(i int) bool { return i%2 == 1 })}
			}},
	}
})
