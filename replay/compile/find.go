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
	octets int // of the length; 0 if there is none
}

var forms = [...]form{{-8, 4, 4}, {-11, -3, 3}, {8, 4, 4}, {4, 0, 0}, {-8, 0, 0}}

// A find is a place where a side advertised memory.
type find struct {
	draft    *draft
	at       int // of the STag
	to       int // of the TO; -1 if there is none beside it
	base     uint64
	length   uint64 // 0 if it is not known
	encoding scenario.Encoding
}

// maxSearched is the most octets of a payload that are searched for STags.
const maxSearched = 64 << 10

// maxFinds is the most STags of one payload that are found.
const maxFinds = 1024

// weak is the smallest number that rarely has another meaning.
const weak = 1 << 16

// maxReach is how far behind an advertised TO, in octets, it still explains another one, if no length says more.
const maxReach = 16 << 20

// A wanted is how the other side uses an STag.
type wanted struct {
	tos []uint64 // at most maxTOs different ones
}

// maxTOs is the most TOs of an STag that are kept to recognise the advertised one.
const maxTOs = 64

func (w *wanted) note(to uint64) {
	if len(w.tos) < maxTOs && (len(w.tos) == 0 || w.tos[len(w.tos)-1] != to) {
		w.tos = append(w.tos, to)
	}
}

// A search finds the STags that are used.
type search struct {
	wanted map[uint32]*wanted
	low    [1 << 16 / 64]uint64 // which low halves they have: most octets need no look into the map
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
func (s *search) in(d *draft, found func(stag uint32, f find)) {
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

// at completes a find with a TO that stands beside the STag and explains those that are used.
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
