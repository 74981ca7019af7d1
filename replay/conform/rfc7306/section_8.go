package rfc7306

// Section 8: error processing.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section81 = about("8.1", "the Terminate for an error", func() []conform.Case {
	return []conform.Case{
		{Name: "own-reasons", Requirements: []string{"RDMAPX-8.1-1"}, Need: conform.Atomics | conform.Terminates,
			Says: "A Terminate for a reason of its own comes in place of what the peer would send, and has no headers.",
			Ask:  conform.Text(script(itsFetchAdd(), "> Send {terminate}", "< refuses local"))},
		{Name: "headers-for-a-request", Requirements: []string{"RDMAPX-8.1-2"}, Need: conform.Atomics,
			Says: "The Terminate for an Atomic Request has the DDP header, and not the 52 octets behind it.",
			Ask:  conform.Text(asks(fetchAdd(1, 0), 4) + "\n< refuses atomic-alignment")},
		{Name: "headers-for-a-later-request", Requirements: []string{"RDMAPX-8.1-2"}, Need: conform.Atomics,
			Says: "The Terminate has the header of the message that was wrong, not of one before it.",
			Ask: conform.Text(script(exchange(fetchAdd(1, 0), 0, 0), exchange(fetchAdd(1, 0), 0, 1), asks(fetchAdd(1, 0), 4),
				"< refuses atomic-alignment"))},
		{Name: "headers-for-a-response", Requirements: []string{"RDMAPX-8.1-2"}, Need: conform.Atomics,
			Says: "The Terminate for an Atomic Response has the DDP header, and not the 12 octets behind it.",
			Ask: conform.Text(script(itsFetchAdd(),
				"> Segment AtomicResponse MSN=5 OriginalRequestIdentifier=1", "< refuses atomic-response-msn"))},
	}
})

var section82 = about("8.2", "validation", func() []conform.Case {
	return append(targets(), []conform.Case{
		{Name: "mo-above-zero", Requirements: []string{"RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "An Atomic Request with an MO above zero is refused.",
			Ask: conform.Text(script(
				"> Segment AtomicRequest MO=4 "+request(fetchAdd(1, 0), "$data", "$data_to"), "< refuses read-mo"))},
		{Name: "opcode-unassigned", Requirements: []string{"RDMAPX-8.2-2", "V-284"},
			Says: "Opcodes above those of RFC 7306 are none.",
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
			Says: "An Atomic Request with the TO 0 is within bounds only where a region begins at it.",
			Ask:  conform.Text(script("> AtomicRequest "+request(fetchAdd(0, 0), "$foreign", "0x0"), "< refuses atomic-target"))},
	}...)
})

// targets returns cases with Atomic Requests of either kind for memory that they have no right to.
func targets() (cases []conform.Case) {
	for _, t := range []struct {
		name, says, stag, to string
		verbs                string // the requirement of the Verbs
		need                 conform.Need
	}{
		{"stag-revoked", "to memory that is not registered any more", "$revoked", "$revoked_to", "V-161", 0},
		{"stag-wrong-key", "with an STag of which one bit of the key is wrong", "$data+1", "$data_to", "V-183", 0},
		{"stag-unknown", "with an STag that the peer has not told", "0x5a5a5a5a", "$data_to", "V-161", 0},
		{"stag-zero", "with the STag 0", "0x0", "$data_to", "V-155", 0},
		{"beyond-the-end", "to the word behind the end of a region", "$data", "$data_to+65536", "V-294", 0},
		{"far-beyond-the-end", "to a word far behind a region", "$data", "$data_to+0x100000000000", "V-294", 0},
		{"before-the-begin", "to the word before the begin of a region", "$data", "$data_to+0xfffffffffffffff8", "V-294", 0},
		{"wrap", "to the last word of all TOs", "$data", "0xfffffffffffffff8", "V-213", 0},
		{"no-write-right", "to memory that may be read only", "$readonly", "$readonly_to", "V-241", 0},
		{"no-read-right", "to memory that may be written only", "$writeonly", "$writeonly_to", "V-241", 0},
		{"no-remote-right", "to memory without any remote right", "$local", "$local_to", "V-181", 0},
		{"other-domain", "to memory of another Protection Domain", "$foreign", "$foreign_to", "V-019", 0},
	} {
		add := "> AtomicRequest " + request(fetchAdd(1, 0), t.stag, t.to)
		swap := "> AtomicRequest " + request(cmpSwap(1, ones, 0, ones), t.stag, t.to)
		cases = append(cases, conform.Case{
			Name: t.name, Requirements: []string{"RDMAPX-8.2-5", "RDMAPX-9-1", t.verbs}, Need: conform.Atomics | t.need,
			Says: fmt.Sprintf("An Atomic Request %s is refused.", t.says),
			Ask:  conform.Texts(script(add, "< refuses atomic-target"), script(swap, "< refuses atomic-target")),
		})
	}
	return cases
}
