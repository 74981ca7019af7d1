package fleet

// The packets of a share, from all files.

import (
	"cmp"
	"context"
	"math"
	"slices"
)

// A merge reads the packets of a share in the order in which one process would read those of all files.
type merge struct {
	ctx     context.Context
	bus     *Bus
	task    *Task
	waiting []*reading
	asked   int // of those that wait, the first ones
	open    []*reading
	latest  *reading
	names   map[int]string                    // of files, by their places
	frame   uint64                            // of the latest packet
	places  index                             // of all packets up to now
	filled  bool                              // an agent has replaced payload in one of them
	users   map[string]int                    // how many of the lots that are to be read are in a message of several files, by subjects
	kept    map[string]func() ([]byte, error) // messages of those, for further lots
}

const (
	aheadParts = 32  // of so many files, the first message is asked for before its turn
	maxKept    = 256 // messages that are kept until the next file in them is read; others are asked for again
)

// A reading is a file that is being read, or will be.
type reading struct {
	part
	coming func() ([]byte, error) // the message with the next lot; nil after the last one
	rest   [][]byte               // parts of this lot
	in     *unpacker
	head   packet
}

func newMerge(ctx context.Context, b *Bus, t *Task) *merge {
	m := &merge{ctx: ctx, bus: b, task: t, names: make(map[int]string), users: make(map[string]int), kept: make(map[string]func() ([]byte, error))}
	for _, f := range t.Files {
		m.names[f.Place] = f.Name
		for i := range f.Parts {
			if l := &f.Parts[i]; l.Of != "" {
				m.users[l.subject(f.ID)]++
			}
		}
		m.waiting = append(m.waiting, &reading{part: f})
	}
	return m
}

// begin begins to read the file that waits first. Parts of those that follow have been asked for.
func (m *merge) begin() error {
	if m.asked < aheadParts/4 { // several at a time cost much less
		for ; m.asked < min(aheadParts, len(m.waiting)); m.asked++ {
			m.ask(m.waiting[m.asked])
		}
	}
	r := m.waiting[0]
	m.waiting, m.asked, m.open = m.waiting[1:], m.asked-1, append(m.open, r)
	return m.advance(r)
}

// ask asks for the next lot of a file.
func (m *merge) ask(r *reading) {
	if r.coming = nil; len(r.Parts) == 0 {
		return
	}
	l := &r.Parts[0]
	subject := l.subject(r.ID)
	if r.coming = m.kept[subject]; r.coming == nil {
		r.coming = m.bus.ask(m.ctx, subject)
	}
	if l.Of == "" {
		return
	}
	if m.users[subject]--; m.users[subject] > 0 && len(m.kept) < maxKept {
		m.kept[subject] = r.coming
	} else {
		delete(m.kept, subject)
	}
}

// next returns the next packet, numbered in the order of time; nil after the last one. It is valid until the next call.
func (m *merge) next() (*packet, error) {
	if m.latest != nil {
		if err := m.advance(m.latest); err != nil {
			return nil, err
		}
	}
	for {
		first := m.first()
		if len(m.waiting) > 0 && (first == nil || m.waiting[0].First <= first.head.turn) {
			if err := m.begin(); err != nil {
				return nil, err
			}
			continue
		}
		m.latest = first
		if first == nil {
			return nil, nil
		}
		p := &first.head
		if m.places.n == m.bus.room.packets {
			return nil, tooMuch{m.places.n, "packets"}
		}
		at := place{Turn: p.turn, origin: origin{first.Place, p.Frame}}
		p.Frame = m.number(p)
		m.places.add(p.Frame, &at)
		return p, nil
	}
}

// number is the number of a packet: its own if there is one file; else one that grows with its time, for results of several shares are
// compared by it.
func (m *merge) number(p *packet) uint64 {
	const ties = 10 // bits for packets of the same time
	if m.task.Single {
		m.frame = p.Frame
	} else {
		since := uint64(max(0, p.turn-m.task.Begin))
		m.frame = max(m.frame+1, min(since, math.MaxInt64>>ties)<<ties)
	}
	return m.frame
}

// first is the file whose turn it is; nil if none is open.
func (m *merge) first() *reading {
	if len(m.open) == 0 {
		return nil
	}
	return slices.MinFunc(m.open, func(a, b *reading) int {
		return cmp.Or(cmp.Compare(a.head.turn, b.head.turn), cmp.Compare(a.Place, b.Place))
	})
}

// advance reads the next packet of a file, or ends it.
func (m *merge) advance(r *reading) error {
	for {
		if r.in != nil {
			ok, err := r.in.next(&r.head)
			if ok || err != nil {
				r.head.Time, r.head.turn = shown(r.Clocks, r.head.Time), max(shown(r.Clocks, r.head.turn), r.First)
				return err
			}
		}
		switch more, err := m.part(r); {
		case err != nil:
			return err
		case !more:
			m.open = slices.DeleteFunc(m.open, func(o *reading) bool { return o == r })
			return nil
		}
	}
}

// part begins to read the next part of a file. It returns false after the last one.
func (m *merge) part(r *reading) (ok bool, err error) {
	for len(r.rest) == 0 {
		if r.coming == nil {
			return false, nil
		}
		message, err := r.coming()
		if err != nil {
			return false, err
		}
		if r.rest, err = r.Parts[0].cut(message); err != nil {
			return false, err
		}
		r.Parts = r.Parts[1:]
		m.ask(r)
	}
	if r.in, err = newUnpacker(r.rest[0]); err != nil {
		return false, err
	}
	r.rest = r.rest[1:]
	m.filled = m.filled || r.in.filled
	return true, nil
}

// replaced reports whether payload of the latest packet was replaced.
func (m *merge) replaced(uint64) bool { return m.latest != nil && m.latest.head.filled }

func (m *merge) name(frame uint64) (file string, number uint64) {
	o := m.places.of(frame).origin
	return m.names[o.File], o.Number
}
