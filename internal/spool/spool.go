// Package spool puts items in the order of their keys, however many there are: what does not fit in memory waits in a
// temporary file.
package spool

import (
	"bufio"
	"cmp"
	"container/heap"
	"encoding/binary"
	"io"
	"os"
	"slices"
)

// A Spool holds items. The zero value is empty. Close it after use.
type Spool struct {
	Memory int // octets of items that wait in memory; default 8 MiB

	held   []item // not in the file yet
	octets int    // that held takes
	create func() (temporary, error)
	file   temporary
	named  bool    // the file has a name: it could not be removed while it is open
	runs   []int64 // where the runs in the file end; each has its items in order
	err    error   // the first one that writing has met
}

// A temporary is the file, of which the system's are *os.File.
type temporary interface {
	io.ReaderAt
	io.WriteCloser
	Name() string
}

// An item is octets with a key.
type item struct {
	key    uint64
	octets []byte
}

// itemCost is what an item in memory takes beside its octets.
const itemCost = 48

// runBuffer is how many octets of each run are read at a time.
const runBuffer = 4 << 10

// Add adds a copy of octets. Items with the same key keep their order. All returns the error if the temporary file cannot be written.
func (s *Spool) Add(key uint64, octets []byte) {
	if s.err != nil {
		return
	}
	s.held = append(s.held, item{key, slices.Clone(octets)})
	if s.octets += len(octets) + itemCost; s.octets > cmp.Or(s.Memory, 8<<20) {
		s.err = s.spill()
	}
}

// spill moves what is in memory to the file.
func (s *Spool) spill() error {
	if s.file == nil {
		create := s.create
		if create == nil {
			create = func() (temporary, error) { return os.CreateTemp("", "iwarp-") }
		}
		file, err := create()
		if err != nil {
			return err
		}
		s.file = file
		s.named = os.Remove(s.file.Name()) != nil
	}
	s.sort()
	end := int64(0)
	if n := len(s.runs); n > 0 {
		end = s.runs[n-1]
	}
	w := bufio.NewWriterSize(s.file, 64<<10)
	for _, i := range s.held {
		head := binary.AppendUvarint(binary.AppendUvarint(w.AvailableBuffer(), i.key), uint64(len(i.octets)))
		w.Write(head)
		w.Write(i.octets)
		end += int64(len(head) + len(i.octets))
	}
	s.runs = append(s.runs, end)
	clear(s.held)
	s.held, s.octets = s.held[:0], 0
	return w.Flush()
}

func (s *Spool) sort() {
	slices.SortStableFunc(s.held, func(a, b item) int { return cmp.Compare(a.key, b.key) })
}

// All calls yield with the key and the octets of each item, in the order of the keys; the octets are valid until it returns. It returns the first error of
// yield or of the temporary file.
func (s *Spool) All(yield func(key uint64, octets []byte) error) error {
	if s.err != nil {
		return s.err
	}
	s.sort()
	var all cursors
	from := int64(0)
	for i, end := range s.runs {
		in := bufio.NewReaderSize(io.NewSectionReader(s.file, from, end-from), runBuffer)
		all, from = append(all, &cursor{run: i, in: in}), end
	}
	all = append(all, &cursor{run: len(s.runs), held: s.held})
	for _, c := range all {
		c.next()
	}
	heap.Init(&all)
	for ; all[0].err == nil; heap.Fix(&all, 0) {
		if err := yield(all[0].key, all[0].octets); err != nil {
			return err
		}
		all[0].next()
	}
	if all[0].err == io.EOF {
		return nil
	}
	return all[0].err
}

// Close removes the temporary file.
func (s *Spool) Close() error {
	if s.file == nil {
		return nil
	}
	err := s.file.Close()
	if s.named {
		err = cmp.Or(err, os.Remove(s.file.Name()))
	}
	return err
}

// A cursor reads the items of a run, or those in memory.
type cursor struct {
	run  int
	in   *bufio.Reader // nil for those in memory
	held []item
	item
	err error // io.EOF after the last one
}

// next reads the next item.
func (c *cursor) next() {
	if c.in == nil {
		if c.err = io.EOF; len(c.held) > 0 {
			c.item, c.held, c.err = c.held[0], c.held[1:], nil
		}
		return
	}
	if c.key, c.err = binary.ReadUvarint(c.in); c.err != nil {
		return
	}
	var n uint64
	if n, c.err = binary.ReadUvarint(c.in); c.err == nil {
		c.octets = slices.Grow(c.octets[:0], int(n))[:n]
		_, c.err = io.ReadFull(c.in, c.octets)
	}
	if c.err == io.EOF {
		c.err = io.ErrUnexpectedEOF
	}
}

// cursors are a heap: errors first, then by key, those at their end last.
type cursors []*cursor

func (s cursors) Len() int      { return len(s) }
func (s cursors) Swap(i, j int) { s[i], s[j] = s[j], s[i] }
func (s cursors) Push(any)      {} // all are there from the start
func (s cursors) Pop() any      { return nil }

func (s cursors) Less(i, j int) bool {
	a, b := s[i], s[j]
	switch {
	case a.err != nil || b.err != nil:
		return a.rank() < b.rank()
	case a.key != b.key:
		return a.key < b.key
	}
	return a.run < b.run
}

// rank is that of a failed cursor, then of one with an item, then of one at its end.
func (c *cursor) rank() int {
	switch c.err {
	case nil:
		return 1
	case io.EOF:
		return 2
	}
	return 0
}
