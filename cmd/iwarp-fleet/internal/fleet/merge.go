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
	names   map[int]string // of files, by their places
	frame   uint64         // of the latest packet
	places  index          // of all packets up to now
	filled  bool           // an agent has replaced payload in one of them
}

// aheadParts is of how many files the first part is asked for before its turn.
const aheadParts = 32

// A reading is a file that is being read, or will be.
type reading struct {
	part
	coming <-chan answered // the next part; nil after the last one
	in     *unpacker
	head   packet
}

func newMerge(ctx context.Context, b *Bus, t *Task) *merge {
	m := &merge{ctx: ctx, bus: b, task: t, names: make(map[int]string)}
	for _, f := range t.Files {
		m.names[f.Place] = f.Name
		m.waiting = append(m.waiting, &reading{part: f})
	}
	return m
}

// begin begins to read the file that waits first. Of those that follow, parts are on their way.
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

// ask asks for the next part of a file.
func (m *merge) ask(r *reading) {
	r.coming = nil
	if len(r.Parts) > 0 {
		r.coming, r.Parts = m.bus.ask(m.ctx, packetSubject+r.ID+"."+r.Parts[0]), r.Parts[1:]
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
		if r.coming == nil {
			m.open = slices.DeleteFunc(m.open, func(o *reading) bool { return o == r })
			return nil
		}
		part := <-r.coming
		if part.err != nil {
			return part.err
		}
		m.ask(r)
		var err error
		if r.in, err = newUnpacker(part.octets); err != nil {
			return err
		}
		m.filled = m.filled || r.in.filled
	}
}

func (m *merge) name(frame uint64) (file string, number uint64) {
	o := m.places.of(frame).origin
	return m.names[o.File], o.Number
}
