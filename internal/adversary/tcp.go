package adversary

// TCP segments, and the packets that carry them.

import (
	"math/rand/v2"

	"github.com/iwarpkit/iwarp/pcaps"
)

// A Segmenter puts the octets of both sides into TCP segments.
type Segmenter struct {
	MSS    int
	Packed bool // FPDUs share segments, and are cut where one is full; else each begins a segment
	Ragged bool // segments are cut anywhere
	Acks   int  // one of so many segments is followed by an acknowledgement of its own
	Repeat int  // one of so many segments is sent again later; 0 for none
	Swap   int  // one of so many segments changes places with the next; 0 for none
	IPv6   bool
	VLAN   bool
	Ports  [2]uint16
	Begin  [2]uint32 // sequence numbers of the SYNs
}

// newSegmenter draws a Segmenter for a connection to a port.
func newSegmenter(r *rand.Rand, port uint16) Segmenter {
	s := Segmenter{
		MSS: pick(r, 128, 536, 1440, 1448, 1460, 8948), Acks: pick(r, 1, 2, 10, 1000),
		Packed: r.IntN(2) == 0, Ragged: r.IntN(4) == 0, IPv6: r.IntN(4) == 0, VLAN: r.IntN(8) == 0,
		Ports: [2]uint16{uint16(32768 + r.IntN(28000)), port},
		Begin: [2]uint32{r.Uint32(), pick(r, r.Uint32(), 0xffffff00, 0xffffffff)},
	}
	if r.IntN(3) == 0 {
		s.Repeat = pick(r, 5, 20)
	}
	if r.IntN(3) == 0 {
		s.Swap = pick(r, 5, 20)
	}
	return s
}

// TCP flags.
const (
	fin = 0x01
	syn = 0x02
	rst = 0x04
	psh = 0x08
	ack = 0x10
)

// A wire is a connection as its packets show it.
type wire struct {
	*Segmenter
	r       *rand.Rand
	next    [2]uint32
	packets []pcaps.Record
	streams [2]stream
	pending [2][]byte // what is laid out and not sent
}

// Packets lays out the Conversation: the same packets each time.
func (c *Conversation) Packets() []pcaps.Record {
	w := &wire{Segmenter: &c.TCP, r: rand.New(rand.NewPCG(c.Seed, 2)), next: c.TCP.Begin, streams: c.streams()}
	w.packet(Initiator, syn, nil)
	w.packet(Responder, syn|ack, nil)
	w.packet(Initiator, ack, nil)
	for i, u := range c.Units {
		if u.Frame {
			w.pending[u.From] = append(w.pending[u.From], u.Octets...)
		} else {
			w.pending[u.From] = append(w.pending[u.From], w.streams[u.From].fpdu(u.Octets, u.Fault)...)
		}
		last := i+1 == len(c.Units) || c.Units[i+1].From != u.From
		if last || !w.Packed && (u.Frame || !w.Ragged) || len(w.pending[u.From]) > 16*w.MSS {
			w.flush(u.From)
		}
	}
	w.close(c.Abort)
	return w.packets
}

// Sent is what a side sends after its MPA frame.
func (c *Conversation) Sent(from Side) (b []byte) {
	s := c.streams()[from]
	for _, u := range c.Units {
		if u.From == from && !u.Frame {
			b = append(b, s.fpdu(u.Octets, u.Fault)...)
		}
	}
	return b
}

// close ends the connection from the side that did not speak last, or resets it.
func (w *wire) close(abort bool) {
	w.packet(Responder, ack, nil)
	w.packet(Initiator, ack, nil)
	if abort {
		w.packet(Initiator, rst|ack, nil)
		return
	}
	w.packet(Initiator, fin|ack, nil)
	w.packet(Responder, fin|ack, nil)
	w.packet(Initiator, ack, nil)
}

// flush sends what is laid out of a side. Segments that were sent again or overtook others stay together with those that
// came before the other side spoke: it may have answered them.
func (w *wire) flush(from Side) {
	first := len(w.packets)
	for b := w.pending[from]; len(b) > 0; {
		n := min(len(b), w.MSS)
		if w.Ragged {
			n = 1 + w.r.IntN(n)
		}
		w.packet(from, ack|psh, b[:n])
		b = b[n:]
	}
	w.pending[from] = w.pending[from][:0]
	for i := first; i < len(w.packets); i++ {
		if w.Swap > 0 && i > first && w.r.IntN(w.Swap) == 0 {
			w.swap(i-1, i)
		}
		if w.Repeat > 0 && w.r.IntN(w.Repeat) == 0 {
			again := w.packets[first+w.r.IntN(i+1-first)]
			w.record(again.Data)
		}
	}
	if w.r.IntN(w.Acks) == 0 {
		w.packet(1-from, ack, nil)
	}
}

// swap exchanges what two packets carry; their times stay.
func (w *wire) swap(i, j int) {
	a, b := &w.packets[i], &w.packets[j]
	a.Data, b.Data, a.OrigLen, b.OrigLen = b.Data, a.Data, b.OrigLen, a.OrigLen
}

// packet records a TCP segment, with Ethernet, VLAN and IP headers as the Segmenter says. Checksums are zero.
func (w *wire) packet(from Side, flags byte, payload []byte) {
	acknowledged := w.next[1-from]
	if flags&ack == 0 {
		acknowledged = 0
	}
	tcp := octets(w.Ports[from], w.Ports[1-from], w.next[from], acknowledged, byte(5<<4), flags, uint16(0xffff), uint32(0), payload)
	w.next[from] += uint32(len(payload))
	if flags&(syn|fin) != 0 {
		w.next[from]++
	}
	const protocol = 6
	b := make([]byte, 12)
	if w.VLAN {
		b = append(b, octets(uint16(0x8100), uint16(100))...)
	}
	if w.IPv6 {
		host := func(s Side) []byte { return octets(uint64(0xfd00)<<48, uint64(s+1)) }
		b = append(b, octets(uint16(0x86dd), uint32(6<<28), uint16(len(tcp)), byte(protocol), byte(64), host(from), host(1-from))...)
	} else {
		host := func(s Side) []byte { return []byte{10, 0, 0, byte(s + 1)} }
		b = append(b, octets(uint16(0x0800), uint16(0x4500), uint16(20+len(tcp)), uint32(0x4000), byte(64), byte(protocol), uint16(0),
			host(from), host(1-from))...)
	}
	w.record(append(b, tcp...))
}

// record adds a packet a tenth of a millisecond after the latest.
func (w *wire) record(b []byte) {
	n := len(w.packets)
	w.packets = append(w.packets, pcaps.Record{
		Frame: uint64(n + 1), Time: 1_800_000_000e9 + int64(n)*1e5, LinkType: pcaps.LinkTypeEthernet, Data: b, OrigLen: len(b),
	})
}
