package compile

// Finding the STags and TOs that a side advertised. They are written in one of these forms, with all numbers in the same
// byte order; L is the length of the buffer:
//
//	TO 8, STag 4, L 4     rping, SMB Direct, rsocket
//	TO 8, L 3, STag 4     NVMe over Fabrics
//	STag 4, L 4, TO 8     RPC-over-RDMA
//	STag 4, TO 8          iSER
//	TO 8, STag 4

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A form is an arrangement of STag, TO and length: offsets in octets from the STag.
type form struct {
	to     int
	length int
	octets int // 0 if none
}

var forms = [...]form{{-8, 4, 4}, {-11, -3, 3}, {8, 4, 4}, {4, 0, 0}, {-8, 0, 0}}

// A find is a place where a side advertised memory.
type find struct {
	draft    *draft
	at       int // of the STag
	to       int // -1 if none is next to it
	base     uint64
	length   uint64 // 0 if unknown
	encoding scenario.Encoding
}

// maxSearched limits the octets of a payload that are searched for STags.
const maxSearched = 64 << 10

// maxFinds limits the STags found in one payload.
const maxFinds = 1024

// weak is the smallest number that is unlikely to mean something else.
const weak = 1 << 16

// maxReach is how far after an advertised TO, in octets, another TO still belongs to it, if no length says more.
const maxReach = 16 << 20

// A wanted is the other side's use of an STag.
type wanted struct {
	tos []uint64 // at most maxTOs different ones
}

// maxTOs limits the TOs of an STag that are kept to recognise the advertised one.
const maxTOs = 64

func (w *wanted) note(to uint64) {
	if len(w.tos) < maxTOs && (len(w.tos) == 0 || w.tos[len(w.tos)-1] != to) {
		w.tos = append(w.tos, to)
	}
}

// A search finds the STags that are used.
type search struct {
	wanted map[uint32]*wanted
	low    [1 << 16 / 64]uint64 // their low halves: most octets need no map lookup
}

func newSearch(w map[uint32]*wanted) *search {
	s := &search{wanted: w}
	for stag := range w {
		s.low[uint16(stag)/64] |= 1 << (uint16(stag) % 64)
	}
	return s
}

// lookup returns the use of an STag; nil if it is not used.
func (s *search) lookup(stag uint32) *wanted {
	if s.low[uint16(stag)/64]>>(uint16(stag)%64)&1 == 0 {
		return nil
	}
	return s.wanted[stag]
}

// in calls found for each place in the payload of a draft that has a used STag.
func (s *search) in(d *draft, found func(stag uint32, f find) bool) {
	octets := d.body.octets
	if len(s.wanted) == 0 {
		return
	}
	finds := 0
	for at := 0; at+4 <= min(len(octets), maxSearched) && finds < maxFinds; at++ {
		for _, little := range [...]bool{false, true} {
			e := scenario.Encoding{Octets: 4, LittleEndian: little}
			stag := uint32(number(octets[at:], e))
			w := s.lookup(stag)
			if w == nil || little && stag == uint32(number(octets[at:], scenario.Encoding{Octets: 4})) {
				continue
			}
			finds++
			found(stag, w.at(octets, stag, find{draft: d, at: at, to: -1, encoding: e}))
		}
	}
}

// at completes a find with a TO next to the STag that explains the used ones.
func (w *wanted) at(octets []byte, stag uint32, f find) find {
	best := uint64(maxReach)
	for _, form := range forms {
		to := f.at + form.to
		if to < 0 || to+8 > len(octets) || form.octets > 0 && f.at+form.length+form.octets > len(octets) {
			continue
		}
		base := number(octets[to:], scenario.Encoding{Octets: 8, LittleEndian: f.encoding.LittleEndian})
		if stag < weak && base < weak {
			continue // such pairs of numbers are everywhere
		}
		for _, used := range w.tos {
			if far := used - base; far < best {
				best = far
				f.to, f.base, f.length = to, base, 0
				if form.octets > 0 {
					f.length = number(octets[f.at+form.length:], scenario.Encoding{Octets: form.octets, LittleEndian: f.encoding.LittleEndian})
				}
			}
		}
	}
	return f
}

// number reads a number at the beginning of b.
func number(b []byte, e scenario.Encoding) (n uint64) {
	switch {
	case e.Octets == 4 && e.LittleEndian:
		return uint64(binary.LittleEndian.Uint32(b))
	case e.Octets == 4:
		return uint64(binary.BigEndian.Uint32(b))
	case e.Octets == 8 && e.LittleEndian:
		return binary.LittleEndian.Uint64(b)
	case e.Octets == 8:
		return binary.BigEndian.Uint64(b)
	case e.LittleEndian:
		return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16
	}
	return uint64(b[0])<<16 | uint64(b[1])<<8 | uint64(b[2])
}
