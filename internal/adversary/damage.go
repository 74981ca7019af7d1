package adversary

// What a capture may lack.

import (
	"math/rand/v2"
	"slices"

	"github.com/iwarpkit/iwarp/pcaps"
)

// A Damage takes something from the packets of a capture, or moves them, and leaves those that it is given as they are.
type Damage struct {
	Name string
	Do   func(r *rand.Rand, packets []pcaps.Record) []pcaps.Record
}

// Damages are all kinds of damage.
var Damages = []Damage{
	{"1 % lost", lose(0.01)},
	{"5 % lost", lose(0.05)},
	{"one lost", func(r *rand.Rand, packets []pcaps.Record) []pcaps.Record {
		i := r.IntN(len(packets))
		return slices.Delete(slices.Clone(packets), i, i+1)
	}},
	{"snapped", snap},
	{"no TCP handshake", func(_ *rand.Rand, packets []pcaps.Record) []pcaps.Record { return packets[3:] }},
	{"begin missing", func(r *rand.Rand, packets []pcaps.Record) []pcaps.Record { return packets[r.IntN(len(packets)):] }},
	{"end missing", func(r *rand.Rand, packets []pcaps.Record) []pcaps.Record { return packets[:1+r.IntN(len(packets))] }},
	{"one direction", func(r *rand.Rand, packets []pcaps.Record) []pcaps.Record {
		side := Side(r.IntN(2))
		return slices.DeleteFunc(slices.Clone(packets), func(p pcaps.Record) bool { return sender(&p) == side })
	}},
	{"one direction late", delay},
	{"an MPA frame missing", func(r *rand.Rand, packets []pcaps.Record) []pcaps.Record {
		side, gone := Side(r.IntN(2)), false
		return slices.DeleteFunc(slices.Clone(packets), func(p pcaps.Record) bool {
			first := !gone && sender(&p) == side && payload(&p) > 0
			gone = gone || first
			return first
		})
	}},
}

// lose takes packets away with a probability.
func lose(probability float64) func(*rand.Rand, []pcaps.Record) []pcaps.Record {
	return func(r *rand.Rand, packets []pcaps.Record) []pcaps.Record {
		return slices.DeleteFunc(slices.Clone(packets), func(pcaps.Record) bool { return r.Float64() < probability })
	}
}

// snap cuts all packets to a snaplen.
func snap(r *rand.Rand, packets []pcaps.Record) []pcaps.Record {
	packets = slices.Clone(packets)
	length := pick(r, 64, 96, 128, 256, 54+r.IntN(1400))
	for i := range packets {
		packets[i].Data = packets[i].Data[:min(length, len(packets[i].Data))]
	}
	return packets
}

// delay moves the packets of one side after up to three of the other.
func delay(r *rand.Rand, packets []pcaps.Record) []pcaps.Record {
	side, late := Side(r.IntN(2)), 1+r.IntN(3)
	var out, held []pcaps.Record
	var due []int // how many more packets of the other side come before one that is held
	for _, p := range packets {
		if sender(&p) == side {
			held, due = append(held, p), append(due, late)
			continue
		}
		out = append(out, p)
		for i := range due {
			due[i]--
		}
		for len(due) > 0 && due[0] <= 0 {
			out, held, due = append(out, held[0]), held[1:], due[1:]
		}
	}
	return append(out, held...)
}

// ip is the offset of the IP header.
func ip(p *pcaps.Record) int {
	if p.Data[12] == 0x81 {
		return 18
	}
	return 14
}

// sender is who sent a packet of Packets.
func sender(p *pcaps.Record) Side {
	b := p.Data[ip(p):]
	if b[0]>>4 == 6 {
		return Side(b[8+15] - 1)
	}
	return Side(b[12+3] - 1)
}

// payload is how many octets of TCP payload a packet of Packets had.
func payload(p *pcaps.Record) int {
	if at := ip(p); p.Data[at]>>4 == 6 {
		return p.OrigLen - at - 40 - 20
	}
	return p.OrigLen - ip(p) - 20 - 20
}
