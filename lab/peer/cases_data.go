package main

// Data in all directions. The side that writes or sends announces it with a message of one octet, and the other side
// answers when it has verified the data; so each size is verified alone.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// sizes are lengths of messages in octets: none, around a word, around what fits one FPDU of an Ethernet (1424 octets of a
// Send, 1428 of a Write), and many FPDUs.
var sizes = []int{0, 1, 2, 3, 4, 5, 64, 1424, 1425, 1428, 1429, 4096, 65536, 1 << 20}

// readAt is the offset from which n octets are read.
func readAt(n int) int { return min(7, 1<<20-n) }

// A transfer is one way to move data.
type transfer struct {
	name string
	text string
	siw  func(n, round int) string // what siwtest does for n octets
	ours func(e *end, n int)       // what we do
}

var transfers = []transfer{
	{"write-ours", "we write, siwtest verifies its memory",
		func(n, round int) string { return fmt.Sprintf("recvwait:%d,check:%d,send:1", round, n) },
		func(e *end, n int) {
			e.do(e.writeWR(n, 0))
			e.do(e.sendWR(1))
			e.received(1)
		}},
	{"write-siw", "siw writes, we verify our memory",
		func(n, round int) string { return fmt.Sprintf("write:%d,send:1,recvwait:%d", n, round) },
		func(e *end, n int) {
			e.received(1)
			e.verifyWritten(n)
			e.do(e.sendWR(1))
		}},
	{"read-ours", "we read siwtest's memory and verify it",
		func(n, round int) string { return fmt.Sprintf("recvwait:%d,send:1", round) },
		func(e *end, n int) {
			e.do(e.readWR(n, uint64(readAt(n))))
			e.verifyRead(n, readAt(n))
			e.do(e.sendWR(1))
			e.received(1)
		}},
	{"read-siw", "siw reads our memory, siwtest verifies it",
		func(n, round int) string {
			return fmt.Sprintf("read:%d:%d:v,send:1,recvwait:%d", n, readAt(n), round)
		},
		func(e *end, n int) {
			e.received(1)
			e.do(e.sendWR(1))
		}},
	{"send-ours", "we send, siwtest verifies the message",
		func(n, round int) string { return fmt.Sprintf("recvwait:%d,send:1", round) },
		func(e *end, n int) {
			e.do(e.sendWR(n))
			e.received(1)
		}},
	{"send-siw", "siw sends, we verify the message",
		func(n, round int) string { return fmt.Sprintf("send:%d,recvwait:%d", n, round) },
		func(e *end, n int) {
			e.received(n)
			e.do(e.sendWR(1))
		}},
}

// big is the size of the largest message, and few is the number of Receives that suffice.
const big = 1 << 20

var few = 2

// run moves data of some sizes, a round each, and numbers the rounds by the messages that siwtest has in all. The first
// message is the Initiator's, whoever it is: a Responder must not begin (RFC 5044, section 7.1.2).
func (x *transfer) run(t *T, who role, c endConfig, sizes []int) {
	first, ops := 1, []string{"send:1"}
	if who == weConnect {
		first, ops = 2, []string{"recvwait:1"}
	}
	for i, n := range sizes {
		ops = append(ops, x.siw(n, first+i))
	}
	c.ReceiveSize, c.Receives = big, &few
	e, p := t.connect(who, c, "-z", fmt.Sprint(big), "-r", fmt.Sprint(few), "-o", strings.Join(ops, ","))
	if who == weConnect {
		e.do(e.sendWR(1))
	} else {
		e.received(1)
	}
	for _, n := range sizes {
		x.ours(e, n)
	}
	e.finish(who, p)
	p.ends(0, "failed 0")
}

func dataCases() (all []testCase) {
	for i := range transfers {
		x := &transfers[i]
		for _, who := range roles {
			for _, crc := range []bool{true, false} {
				c := endConfig{Stream: enhanced(rnicsim.StreamConfig{Rev: 2, CRC: crc})}
				name, text := "crc", "CRCs on"
				if !crc {
					name, text = "nocrc", "CRCs off"
				}
				all = append(all, testCase{
					Name: fmt.Sprintf("data/%s/%s/%s", x.name, name, who),
					Text: x.text + "; " + text,
					Siw:  settings{CRC: crc},
					Run:  func(t *T) { x.run(t, who, c, sizes) },
				})
			}
		}
	}
	return all
}
