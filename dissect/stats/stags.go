package stats

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// An STag sums up what the peer did to a memory region.
type STag struct {
	Conn         int    `json:"conn"`
	Dir          string `json:"dir"` // of the Writes and Read Requests: the STag belongs to the other end
	STag         string `json:"stag"`
	WrittenBytes uint64 `json:"written_bytes"` // by RDMA Writes
	ReadBytes    uint64 `json:"read_bytes"`    // by RDMA Reads that were answered
	MissedBytes  uint64 `json:"missed_bytes"`  // at most so many more
}

const (
	maxSTags = 256 // STags that are counted at a time
	topSTags = 20  // STags that are reported
)

// busiest finds the STags with the most octets in the memory of a few (the Space-Saving algorithm): an STag for which there
// is no room replaces the least busy one, and inherits its octets as ones that it may have had before.
type busiest struct {
	index  map[stagKey]int // places in counts
	counts []stagCount
}

type stagKey struct {
	conn int
	dir  flow.Direction
	stag uint32
}

type stagCount struct {
	stagKey
	written, read uint64
	missed        uint64 // octets that it may have had before it was counted
}

func (c *stagCount) total() uint64 { return c.written + c.read + c.missed }

func byTotal(a, b stagCount) int { return cmp.Compare(a.total(), b.total()) }

func (b *busiest) add(key stagKey, written, read uint64) {
	if written+read == 0 {
		return
	}
	i, ok := b.index[key]
	if !ok {
		i = b.place(key)
	}
	b.counts[i].written += written
	b.counts[i].read += read
}

// place makes room for a key.
func (b *busiest) place(key stagKey) int {
	if b.index == nil {
		b.index = make(map[stagKey]int, maxSTags)
	}
	i := len(b.counts)
	if i < maxSTags {
		b.counts = append(b.counts, stagCount{stagKey: key})
	} else {
		i = b.least()
		delete(b.index, b.counts[i].stagKey)
		b.counts[i] = stagCount{stagKey: key, missed: b.counts[i].total()}
	}
	b.index[key] = i
	return i
}

// least returns the place of the least busy one.
func (b *busiest) least() (place int) {
	for i := range b.counts {
		if byTotal(b.counts[i], b.counts[place]) < 0 {
			place = i
		}
	}
	return place
}

// report returns the busiest STags, those with the most certain octets first.
func (b *busiest) report() []STag {
	counts := slices.Clone(b.counts)
	slices.SortFunc(counts, func(x, y stagCount) int {
		return cmp.Or(cmp.Compare(y.written+y.read, x.written+x.read), x.conn-y.conn, cmp.Compare(x.stag, y.stag), int(x.dir)-int(y.dir))
	})
	top := []STag{}
	for _, c := range counts[:min(len(counts), topSTags)] {
		top = append(top, STag{
			Conn: c.conn, Dir: c.dir.String(), STag: fmt.Sprintf("0x%08x", c.stag),
			WrittenBytes: c.written, ReadBytes: c.read, MissedBytes: c.missed,
		})
	}
	return top
}
