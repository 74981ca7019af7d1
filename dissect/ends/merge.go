package ends

// Reading both captures as one.

import (
	"cmp"
	"errors"
	"io"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A Merge gives all packets of one capture, and those of the other that hold what the first one lacks: octets, resets,
// whole connections, and acknowledgements from before its first or after its last packet of a connection. All times are
// by the clock of the first one; frames are numbered anew, and [Merge.Locate] says where they are from. What was sent
// between translated addresses is not filled in.
type Merge struct {
	c     *Comparison
	base  int
	both  bool            // what the base lacks is filled in
	fill  []uint32        // frames of the other capture, in order
	skip  map[uint64]bool // frames of the base that arrived damaged, and once more as they had left: TCP has dropped them
	heads [2]head
	given *head // whose packet was given last
	n     uint64
	runs  []run
	runOf [2][]int          // indices of runs, by capture
	begun map[tuple][]begun // connections that can be judged, by both directions
	conns map[*flow.Conn]*watched
}

// A head is the next packet of a capture.
type head struct {
	src  Source
	rec  pcaps.Record
	time int64 // by the clock of the base, never less than that of the packet before
	over bool
}

// A run is frames of one capture that follow each other.
type run struct {
	at    uint64 // number of the first one in the Merge
	frame uint64 // in its capture
	view  int
}

// Merge begins to read both captures. base is the capture of which all is given; what it lacks is filled in if fill is set.
// Close the Merge after use.
func (c *Comparison) Merge(base int, fill bool) (*Merge, error) {
	m := &Merge{c: c, base: base, both: fill, skip: make(map[uint64]bool), begun: c.beginnings(base), conns: make(map[*flow.Conn]*watched)}
	if fill {
		m.fill = c.fillers(base)
	}
	for _, p := range c.Connections {
		for _, w := range p.Ways {
			for _, x := range w.Changes {
				if x.Again && c.At(x.Arrived.At) == base {
					m.skip[x.Arrived.Own] = true
				}
			}
		}
	}
	for view := range m.heads {
		src, err := c.open(view)
		if err != nil {
			m.Close()
			return nil, err
		}
		m.heads[view].src = src
		if err := m.advance(view); err != nil {
			m.Close()
			return nil, err
		}
	}
	return m, nil
}

// Close closes both captures, if they can be closed.
func (m *Merge) Close() error {
	for i := range m.heads {
		closeSource(m.heads[i].src)
	}
	return nil
}

// Next gives the next packet. Its Data is valid until the next call. The error is io.EOF at the end of both.
func (m *Merge) Next(rec *pcaps.Record) error {
	for view := range m.heads {
		if m.given == &m.heads[view] {
			m.given = nil
			if err := m.advance(view); err != nil {
				return err
			}
		}
	}
	view := m.base
	if other := &m.heads[1-view]; !other.over && (m.heads[view].over || other.time < m.heads[view].time) {
		view = 1 - view
	}
	h := &m.heads[view]
	if h.over {
		return io.EOF
	}
	m.given = h
	m.n++
	*rec = h.rec
	if latest := len(m.runs) - 1; latest < 0 || m.runs[latest].view != view || m.runs[latest].frame+m.n-m.runs[latest].at != rec.Frame {
		m.runOf[view] = append(m.runOf[view], len(m.runs))
		m.runs = append(m.runs, run{m.n, rec.Frame, view})
	}
	rec.Frame, rec.Time = m.n, m.c.timeIn(m.base, view, rec.Time)
	return nil
}

// advance reads the next packet that is wanted of a capture.
func (m *Merge) advance(view int) error {
	h := &m.heads[view]
	for !h.over {
		err := h.src.Next(&h.rec)
		switch {
		case errors.Is(err, io.EOF), err != nil && errors.As(err, new(*pcaps.Error)):
			h.over = true
		case err != nil:
			return err
		case view == m.base && !m.skip[h.rec.Frame], view != m.base && m.wanted(h.rec.Frame):
			h.time = max(h.time, m.c.timeIn(m.base, view, h.rec.Time))
			return nil
		}
	}
	return nil
}

// wanted reports whether a frame of the other capture is to be filled in.
func (m *Merge) wanted(frame uint64) bool {
	for len(m.fill) > 0 && uint64(m.fill[0]) < frame {
		m.fill = m.fill[1:]
	}
	return len(m.fill) > 0 && uint64(m.fill[0]) == frame
}

// Locate says which capture a frame of the Merge is from, and its number there; 0 if the Merge has not given it.
func (m *Merge) Locate(frame uint64) (view int, own uint64) {
	i, found := slices.BinarySearchFunc(m.runs, frame, func(r run, frame uint64) int { return cmp.Compare(r.at, frame) })
	if !found {
		i--
	}
	if i < 0 || frame > m.n {
		return 0, 0
	}
	return m.runs[i].view, m.runs[i].frame + frame - m.runs[i].at
}

// Frame is the number in the Merge of a frame of one capture; 0 if the Merge has not given it.
func (m *Merge) Frame(view int, own uint64) uint64 {
	runs := m.runOf[view]
	after, _ := slices.BinarySearchFunc(runs, own+1, func(i int, frame uint64) int { return cmp.Compare(m.runs[i].frame, frame) })
	if after == 0 {
		return 0
	}
	i, until := runs[after-1], m.n+1
	if i+1 < len(m.runs) {
		until = m.runs[i+1].at
	}
	if frame := m.runs[i].at + own - m.runs[i].frame; frame < until {
		return frame
	}
	return 0
}

// timeIn is what the clock of one capture shows when that of another shows t.
func (c *Comparison) timeIn(base, view int, t int64) int64 {
	switch {
	case t == 0 || base == view:
		return t
	case base == 0:
		return c.Clock.First(t)
	}
	return t + c.Clock.ahead(t)
}

// fillers are the frames of the other capture that hold what the base lacks.
func (c *Comparison) fillers(base int) (frames []uint32) {
	paired := map[*conn]*conn{}
	for _, p := range c.Connections {
		paired[p.both[1-base]] = p.both[base]
		if p.Translated {
			paired[p.both[1-base]] = nil
		}
	}
	for _, other := range c.views[1-base].connections {
		own, ok := paired[other]
		switch {
		case !ok:
			own = new(conn)
		case own == nil:
			continue
		}
		for d := range other.streams {
			frames = c.fillStream(frames, base, own, &own.streams[d], &other.streams[d])
		}
	}
	slices.Sort(frames)
	return frames
}

// fillStream adds the frames of another view of a direction that hold what the own view lacks.
func (c *Comparison) fillStream(frames []uint32, base int, whole *conn, own, other *stream) []uint32 {
	has, from, to := union(own.packets, 0), whole.from(), whole.until()
	reset := slices.ContainsFunc(own.packets, func(p packet) bool { return p.flags.Has(tcpip.RST) })
	for i := range other.packets {
		p := &other.packets[i]
		at := c.timeIn(base, 1-base, p.time)
		if lacks := at < from || at > to || len(own.packets) == 0; p.flags.Has(tcpip.RST) && !reset ||
			p.size() > 0 && !contains(has, stretch{p.pos, p.end()}) || p.size() == 0 && lacks {
			frames = append(frames, p.frame)
		}
	}
	return frames
}

// from is the time of the first packet; 0 if there is none.
func (c *conn) from() (t int64) {
	for d := range c.streams {
		if s := c.streams[d].packets; len(s) > 0 && (t == 0 || s[0].time < t) {
			t = s[0].time
		}
	}
	return t
}

// until is the time of the last packet; 0 if there is none.
func (c *conn) until() (t int64) {
	for d := range c.streams {
		if s := c.streams[d].packets; len(s) > 0 {
			t = max(t, s[len(s)-1].time)
		}
	}
	return t
}
