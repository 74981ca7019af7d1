package fleet

// What a judge keeps of a share, and the limits of that.

import (
	"cmp"
	"fmt"
	"slices"
)

const (
	maxPackets = 16 << 20  // of a share
	maxEvents  = 256 << 10 // of a share
	maxResult  = 64 << 20  // octets of a result before it is compressed
)

// A room is how much of a share a judge has room for.
type room struct{ packets, events int }

// has reports whether there is room for what was found.
func (r *room) has(of *result) bool { return max(len(of.Events), len(of.Endings)) <= r.events }

// A tooMuch is an error: a share has more than there is room for.
type tooMuch struct {
	most int
	what string
}

func (e tooMuch) Error() string {
	return fmt.Sprintf("it has more than %d %s; check fewer captures at a time", e.most, e.what)
}

// An index has the places of packets by their numbers, which grow.
type index struct {
	blocks [][]entry // all but the last one have blockLen
	n      int
}

// An entry has 24 octets. What is said of a file fits into a message, so it has far fewer than 4 Gi packets.
type entry struct {
	frame  uint64
	turn   int64
	file   uint32
	number uint32 // in the file
}

const blockLen = 4096

func (x *index) add(frame uint64, at *place) {
	if x.n%blockLen == 0 {
		x.blocks = append(x.blocks, make([]entry, 0, blockLen))
	}
	b := &x.blocks[len(x.blocks)-1]
	*b = append(*b, entry{frame, at.Turn, uint32(at.File), uint32(at.Number)})
	x.n++
}

// of is the place of a packet; zero if it was not added.
func (x *index) of(frame uint64) place {
	i, _ := slices.BinarySearchFunc(x.blocks, frame, func(b []entry, frame uint64) int {
		switch {
		case b[len(b)-1].frame < frame:
			return -1
		case b[0].frame > frame:
			return 1
		}
		return 0
	})
	if i == len(x.blocks) {
		return place{}
	}
	j, ok := slices.BinarySearchFunc(x.blocks[i], frame, func(e entry, frame uint64) int { return cmp.Compare(e.frame, frame) })
	if !ok {
		return place{}
	}
	e := &x.blocks[i][j]
	return place{Turn: e.turn, origin: origin{int(e.file), uint64(e.number)}}
}
