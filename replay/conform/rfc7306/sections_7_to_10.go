package rfc7306

// Sections 7 to 10: ordering, errors, and queue numbers.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section7 = about("7", "ordering and completions", func() []conform.Case {
	return []conform.Case{
		{Name: "write-then-atomic", Requirements: []string{"RDMAPX-7-2", "RDMAPX-5.4-3"}, Need: conform.Atomics,
			Says: "Alternating Writes and Atomic Requests, all sent at once: each Atomic Request sees the Writes before it.",
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
			Says: "An Atomic Request after a Send that invalidates its target is refused: the Send completes before it.",
			Ask: conform.Text("> SendInvalidate InvalidateSTag=$volatile {quiet}",
				"> AtomicRequest "+request(fetchAdd(1, 0), "$volatile", "$volatile_to"), "< refuses atomic-target")},
		{Name: "invalidate-then-read", Requirements: []string{"RDMAPX-7-1", "V-256"}, Need: conform.Volatile,
			Says: "A Read Request after a Send that invalidates its source is refused: the Send completes before it.",
			Ask: conform.Text(`
				> SendSEInvalidate InvalidateSTag=$volatile {quiet}
				> ReadRequest SinkSTag=0x1000 RDMARDSZ=8 SrcSTag=$volatile SrcTO=$volatile_to
				< refuses read-stag`)},
		{Name: "read-then-atomic", Requirements: []string{"RDMAPX-7-4"}, Need: conform.Atomics, If: takesTwo,
			Says: "After a long Read, an Atomic Request on its last word: the Atomic Response follows the Read Response.",
			Ask: conform.Text(put(65528, ones),
				"> [read] ReadRequest SinkSTag=0x1000 RDMARDSZ=65536 SrcSTag=$data SrcTO=$data_to",
				asks(cmpSwap(0, ones, ones, ones), 65528),
				"< ReadResponse to [read] 00*65528 ff*8", answers(1, ones), holds(65528, 0))},
		{Name: "atomic-then-atomic", Requirements: []string{"RDMAPX-7-5", "RDMAPX-5.4-8"}, Need: conform.Atomics,
			Says: "Atomic Requests on one word, all sent at once: each sees the result of the previous one.",
			Ask: func(s *conform.Setup) []string {
				return []string{outstanding(s.Peer.IRD, func(int) bool { return true })}
			}},
		{Name: "atomic-by-turns", Requirements: []string{"RDMAPX-7-4", "RDMAPX-7-5"}, Need: conform.Atomics,
			Says: "Alternating Read and Atomic Requests, all sent at once: each Read returns the result of earlier Atomic Requests.",
			Ask: func(s *conform.Setup) []string {
				return []string{outstanding(s.Peer.IRD, func(i int) bool { return i%2 == 1 })}
			}},
	}
})

var section81 = about("8.1", "the Terminate for an error", func() []conform.Case {
	return []conform.Case{
		{Name: "own-reasons", Requirements: []string{"RDMAPX-8.1-1"}, Need: conform.Atomics | conform.Terminates,
			Says: "A Terminate for a local reason replaces the peer's pending messages, and has no headers.",
			Ask:  conform.Text(itsFetchAdd(), "> Send {terminate}", "< refuses local")},
		{Name: "headers-for-a-request", Requirements: []string{"RDMAPX-8.1-2"}, Need: conform.Atomics,
			Says: "The Terminate for an Atomic Request has the DDP header, without the 52 octets after it.",
			Ask:  conform.Text(asks(fetchAdd(1, 0), 4) + "\n< refuses atomic-alignment")},
		{Name: "headers-for-a-later-request", Requirements: []string{"RDMAPX-8.1-2"}, Need: conform.Atomics,
			Says: "The Terminate has the header of the wrong message, not of an earlier one.",
			Ask: conform.Text(exchange(fetchAdd(1, 0), 0, 0), exchange(fetchAdd(1, 0), 0, 1), asks(fetchAdd(1, 0), 4),
				"< refuses atomic-alignment")},
		{Name: "headers-for-a-response", Requirements: []string{"RDMAPX-8.1-2"}, Need: conform.Atomics,
			Says: "The Terminate for an Atomic Response has the DDP header, without the 12 octets after it.",
			Ask: conform.Text(itsFetchAdd(),
				"> Segment AtomicResponse MSN=5 OriginalRequestIdentifier=1", "< refuses atomic-response-msn")},
	}
})

var section82 = about("8.2", "validation", func() []conform.Case {
	return append(targets(), []conform.Case{
		{Name: "mo-above-zero", Requirements: []string{"RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "An Atomic Request with an MO above zero is refused.",
			Ask: conform.Text(
				"> Segment AtomicRequest MO=4 "+request(fetchAdd(1, 0), "$data", "$data_to"), "< refuses read-mo")},
		{Name: "opcode-unassigned", Requirements: []string{"RDMAPX-8.2-2", "V-284"},
			Says: "Opcodes above those of RFC 7306 are refused.",
			Ask: func(*conform.Setup) (scripts []string) {
				for o := rdmap.OpWrite; o < rdmap.OpExperimental; o++ {
					if o.Known() {
						continue
					}
					scripts = append(scripts, fmt.Sprintf(greeting+"> Segment %v 00*52\n< refuses opcode", o))
				}
				return scripts
			}},
		{Name: "zero-based-bounds", Requirements: []string{"RDMAPX-8.2-5", "RDMAPX-9-1", "V-294"}, Need: conform.Atomics,
			Says: "An Atomic Request with TO 0 is within bounds only if a region begins there.",
			Ask:  conform.Text("> AtomicRequest "+request(fetchAdd(0, 0), "$foreign", "0x0"), "< refuses atomic-target")},
	}...)
})

// targets returns cases with Atomic Requests of either kind for memory without access rights.
func targets() (cases []conform.Case) {
	for _, t := range []struct {
		name, says, stag, to string
		verbs                string // the requirement of the Verbs
	}{
		{"stag-revoked", "to deregistered memory", "$revoked", "$revoked_to", "V-161"},
		{"stag-wrong-key", "with an STag with one wrong bit in its key", "$data+1", "$data_to", "V-183"},
		{"stag-unknown", "with an STag that the peer has not advertised", "0x5a5a5a5a", "$data_to", "V-161"},
		{"stag-zero", "with the STag 0", "0x0", "$data_to", "V-155"},
		{"beyond-the-end", "to the word after a region", "$data", "$data_to+65536", "V-294"},
		{"far-beyond-the-end", "to a word far beyond a region", "$data", "$data_to+0x100000000000", "V-294"},
		{"before-the-begin", "to the word before a region", "$data", "$data_to+0xfffffffffffffff8", "V-294"},
		{"wrap", "to the highest TO of a word", "$data", "0xfffffffffffffff8", "V-213"},
		{"no-write-right", "to read-only memory", "$readonly", "$readonly_to", "V-241"},
		{"no-read-right", "to write-only memory", "$writeonly", "$writeonly_to", "V-241"},
		{"no-remote-right", "to memory without remote access rights", "$local", "$local_to", "V-181"},
		{"other-domain", "to memory of another Protection Domain", "$foreign", "$foreign_to", "V-019"},
	} {
		add := "> AtomicRequest " + request(fetchAdd(1, 0), t.stag, t.to)
		swap := "> AtomicRequest " + request(cmpSwap(1, ones, 0, ones), t.stag, t.to)
		cases = append(cases, conform.Case{
			Name: t.name, Requirements: []string{"RDMAPX-8.2-5", "RDMAPX-9-1", t.verbs}, Need: conform.Atomics,
			Says: fmt.Sprintf("An Atomic Request %s is refused.", t.says),
			Ask:  conform.Texts(script(add, "< refuses atomic-target"), script(swap, "< refuses atomic-target")),
		})
	}
	return cases
}

var section102 = about("10.2", "queue numbers", func() []conform.Case {
	return []conform.Case{
		{Name: "queue-unassigned", Requirements: []string{"RDMAPX-10.2-1", "V-284"},
			Says: "An unassigned queue is refused, whatever the message.",
			Ask: conform.EachOf(func(qn uint32) string {
				return fmt.Sprintf("> Segment Send QN=%d {quiet}\n< refuses qn-undefined", qn)
			}, 4, 5, 255, 256, 0x80000000, 0xffffffff)},
		{Name: "queue-unassigned-extensions", Requirements: []string{"RDMAPX-10.2-1", "V-284"},
			Need: conform.Atomics | conform.Immediate,
			Says: "An unassigned queue is refused for the messages of RFC 7306, too.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, x := range extensions() {
					for _, qn := range []uint32{4, 0xffffffff} {
						scripts = append(scripts, fmt.Sprintf("> Segment %v QN=%d %s\n< refuses qn-undefined", x.opcode, qn, x.fields))
					}
				}
				return scripts
			}},
		{Name: "queue-of-the-response", Requirements: []string{"RDMAPX-10.2-1", "RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "Queue 3 is for Atomic Responses only.",
			Ask:  conform.Texts(inQueue3(rdmap.OpSend, "{quiet}"), inQueue3(rdmap.OpReadRequest, "RDMARDSZ=0"))},
	}
})

// inQueue3 returns a script with a message in the queue of Atomic Responses.
func inQueue3(o rdmap.Opcode, rest string) string {
	return fmt.Sprintf("> Segment %v QN=3 %s\n< refuses qn-opcode", o, rest)
}
