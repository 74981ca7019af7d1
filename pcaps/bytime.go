package pcaps

// Several files in chronological order.

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"
)

// maxOpen is how many files are merged at a time, or as many as the system opens. Where more overlap, the others wait until one has ended.
const maxOpen = 64

// A merger reads files in chronological order, and merges those whose times overlap. Each file keeps its own order.
type merger struct {
	waiting []*part // by the times of their first packets
	open    []*part
	most    int       // of them
	latest  *part     // whose packet was returned last
	spare   []*Reader // of files that have ended
	overlap bool      // two files were open at a time
}

// A part is one file of several.
type part struct {
	index  int   // among the files
	first  int64 // time of its first packet
	reader *Reader
	file   *os.File
	head   Record // its next packet
}

// OpenByTime opens the named files, which must be regular ones, to be read in chronological order: a file whose first
// packet is earlier comes first, and packets of files whose times overlap are merged. A file without times, or without
// a packet, stays after the one that is named before it. [Capture.Files] tells the order, and [Capture.Overlap]
// whether files were merged. At most 64 files are kept open at a time, fewer if the system opens no more.
//
// Errors are those of [Open].
func OpenByTime(names ...string) (*Capture, error) {
	if len(names) == 0 {
		return nil, errNoFile
	}
	c := &Capture{reader: new(Reader), merger: &merger{most: maxOpen}}
	latest := int64(0)
	for i, name := range names {
		first, err := c.reader.peekTime(name)
		if err != nil {
			return nil, err
		}
		latest = cmp.Or(first, latest)
		p := &part{index: i, first: latest}
		c.merger.waiting = append(c.merger.waiting, p)
	}
	slices.SortStableFunc(c.merger.waiting, func(a, b *part) int { return cmp.Compare(a.first, b.first) })
	for i, p := range c.merger.waiting {
		c.names = append(c.names, names[p.index])
		p.index = i
	}
	return c, nil
}

// nextByTime reads the next packet of all files.
func (c *Capture) nextByTime(rec *Record) error {
	m := c.merger
	if p := m.latest; p != nil {
		m.latest = nil
		c.advance(p)
	}
	for {
		first := m.first()
		if len(m.waiting) > 0 && (first == nil || m.waiting[0].first <= first.head.Time && len(m.open) < m.most) {
			p := m.waiting[0]
			m.waiting = m.waiting[1:]
			c.begin(p)
			continue
		}
		if first == nil {
			return io.EOF
		}
		*rec = first.head
		m.latest = first
		c.count(first.index, rec)
		return nil
	}
}

// first returns the open file with the earliest packet; nil if none is open.
func (m *merger) first() *part {
	if len(m.open) == 0 {
		return nil
	}
	return slices.MinFunc(m.open, func(a, b *part) int {
		return cmp.Or(cmp.Compare(a.head.Time, b.head.Time), cmp.Compare(a.index, b.index))
	})
}

// begin opens a file, and reads its first packet. If the system opens no more files, it waits until one has ended.
func (c *Capture) begin(p *part) {
	m, name := c.merger, c.names[p.index]
	file, err := os.Open(name)
	if errors.Is(err, syscall.EMFILE) && len(m.open) > 0 {
		m.most = len(m.open)
		m.waiting = slices.Insert(m.waiting, 0, p)
		return
	}
	if n := len(m.spare); n > 0 {
		p.reader, m.spare = m.spare[n-1], m.spare[:n-1]
	} else {
		p.reader = new(Reader)
	}
	if err == nil {
		p.file = file
		err = p.reader.reset(name, file)
	}
	m.open = append(m.open, p)
	if err != nil {
		c.end(p, fmt.Errorf("%w; it was skipped", err))
		return
	}
	c.advance(p)
	m.overlap = m.overlap || len(m.open) > 1
}

// advance reads the next packet of a file, or ends it.
func (c *Capture) advance(p *part) {
	if err := p.reader.Next(&p.head); err != nil {
		c.end(p, err)
	}
}

// end closes a file that has ended or is damaged.
func (c *Capture) end(p *part, err error) {
	if err != io.EOF {
		c.damage = append(c.damage, err)
	}
	c.fileBytes += p.reader.FileBytes()
	c.merger.close(p)
}

func (m *merger) close(p *part) {
	if p.file != nil {
		p.file.Close() // only read
	}
	m.open = slices.DeleteFunc(m.open, func(o *part) bool { return o == p })
	m.spare = append(m.spare, p.reader)
}
