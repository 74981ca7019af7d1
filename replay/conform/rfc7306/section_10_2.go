package rfc7306

// Section 10.2: the registry of queue numbers.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/conform"
)

var section102 = about("10.2", "queue numbers", func() []conform.Case {
	return []conform.Case{
		{Name: "queue-unassigned", Requirements: []string{"RDMAPX-10.2-1", "V-284"},
			Says: "A queue that is not assigned is refused, whatever the message.",
			Ask: conform.EachOf(func(qn uint32) string {
				return fmt.Sprintf("> Segment Send QN=%d {quiet}\n< refuses qn-undefined", qn)
			}, 4, 5, 255, 256, 0x80000000, 0xffffffff)},
		{Name: "queue-unassigned-extensions", Requirements: []string{"RDMAPX-10.2-1", "V-284"},
			Need: conform.Atomics | conform.Immediate,
			Says: "A queue that is not assigned is refused for the messages of RFC 7306 too.",
			Ask: func(*conform.Setup) (scripts []string) {
				for _, x := range extensions() {
					for _, qn := range []uint32{4, 0xffffffff} {
						scripts = append(scripts, fmt.Sprintf("> Segment %v QN=%d %s\n< refuses qn-undefined", x.opcode, qn, x.fields))
					}
				}
				return scripts
			}},
		{Name: "queue-of-the-response", Requirements: []string{"RDMAPX-10.2-1", "RDMAPX-8.2-1"}, Need: conform.Atomics,
			Says: "Queue 3 is that of Atomic Responses alone.",
			Ask:  conform.Texts(inQueue3(rdmap.OpSend, "{quiet}"), inQueue3(rdmap.OpReadRequest, "RDMARDSZ=0"))},
	}
})

// inQueue3 returns a script with a message in the queue of Atomic Responses.
func inQueue3(o rdmap.Opcode, rest string) string {
	return fmt.Sprintf("> Segment %v QN=3 %s\n< refuses qn-opcode", o, rest)
}
