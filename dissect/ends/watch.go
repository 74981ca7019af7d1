package ends

// What both captures show of the connections that are judged: which field was changed, and where time went.

import (
	"cmp"
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/dissect/transit"
)

// Watch returns a Sink between the judge of what a Merge gives and another Sink. It notes for [Merge.Ends] what the
// Records tell of changed octets, and where the time of transactions went. If both captures are shown, it says in Records when
// the other end had their octets.
func (m *Merge) Watch(sink record.Sink) record.Sink {
	return record.SinkFunc(func(r *record.Record) {
		w := m.watched(r.Conn, r.LastTime)
		r.Elsewhere = transit.Sighting{}
		if w != nil && m.both {
			r.Elsewhere = w.elsewhere(m, r)
		}
		switch {
		case w == nil:
		case r.Kind == record.KindSegment:
			s := r.Segment
			if start := int64(s.Place.End) - int64(s.FPDU.End-s.FPDU.Start); s.Conn.Transport() == flow.OverTCP && s.Err == nil {
				w.place(m, &s.Origin, s.RDMAP.Control.Opcode.String(), start, int64(s.Place.End), s, &s.FPDU)
			}
		case r.Kind == record.KindStartup && r.Conn.Transport() == flow.OverTCP:
			f := r.Startup
			w.place(m, &f.Origin, f.Name(), int64(f.Place.End)-int64(len(f.Octets)), int64(f.Place.End), f, nil)
		}
		if w != nil {
			for _, t := range r.Over {
				w.share(m, t)
			}
		}
		sink.Record(r)
		if r.Kind == record.KindEnd {
			delete(m.conns, r.Conn)
		}
	})
}

// A watched is a connection that is judged.
type watched struct {
	*Connection
	turned   int // 1 if direction 0 of the Connection is that of the server
	ends     transit.Ends
	arrivals [2][2][]arrival // by capture and direction
	view     record.View
	first    [2]*packet // with octets that the Merge gave, by direction of the Connection; nil if not looked for yet
	latest   [2]int64   // place of the last octet of the latest segment, by direction of the Connection
}

// A begun is a connection that both captures show, and the time of its first packet in either, by the clock of the base.
type begun struct {
	*Connection
	at int64
}

// beginnings are the connections by their ends in the base, those between the same ends in the order of time.
func (c *Comparison) beginnings(base int) map[tuple][]begun {
	all := map[tuple][]begun{}
	if c.SamePlace() {
		return all
	}
	for _, p := range c.Connections {
		own := p.both[base]
		b := begun{p, own.from()}
		if other := c.timeIn(base, 1-base, p.both[1-base].from()); b.at == 0 || other != 0 && other < b.at {
			b.at = other
		}
		for d, from := range own.ends {
			f := tuple{from, own.ends[1-d]}
			all[f] = append(all[f], b)
		}
	}
	for _, same := range all {
		slices.SortStableFunc(same, func(a, b begun) int { return cmp.Compare(a.at, b.at) })
	}
	return all
}

// watched is what is known of a connection, which goes on at a time; nil if only one capture has it.
func (m *Merge) watched(c *flow.Conn, at int64) *watched {
	w, ok := m.conns[c]
	if !ok {
		w = m.watch(c, at)
		m.conns[c] = w
	}
	return w
}

// watch finds the connection of both captures that is judged as c: of those between the same ports the latest that has begun.
func (m *Merge) watch(c *flow.Conn, at int64) *watched {
	same := m.begun[tuple{c.Client, c.Server}]
	after, _ := slices.BinarySearchFunc(same, at+1, func(b begun, at int64) int { return cmp.Compare(b.at, at) })
	if after == 0 {
		return nil
	}
	w := &watched{Connection: same[after-1].Connection}
	if w.both[m.base].ends[0] != c.Client {
		w.turned = 1
	}
	return w
}

// Ends is what both captures show of a connection: for judge.Options.Ends.
func (m *Merge) Ends(c *flow.Conn) *transit.Ends {
	w := m.watched(c, c.Latest)
	if w == nil {
		return nil
	}
	e, k := &w.ends, m.c.Clock
	if e.Ahead, e.Within, e.Drift = k.Ahead, k.Within, k.Drift; m.c.Ends[0] == flow.Server {
		e.Ahead, e.Drift = -e.Ahead, -e.Drift
	}
	for d := range e.Ways {
		e.Ways[d] = w.Ways[d^w.turned]
		y := &e.Ways[d]
		m.locate(&y.Forged)
		m.locate(&y.Unheard)
		for i := range y.Lost {
			m.locate(&y.Lost[i].Sent)
		}
		for i := range y.Changes {
			m.locate(&y.Changes[i].Sent)
			m.locate(&y.Changes[i].Arrived)
		}
	}
	return e
}

// locate says where in the Merge a packet is.
func (m *Merge) locate(s *transit.Sighting) {
	if s.Own == 0 {
		return
	}
	view := m.c.At(s.At)
	if frame := m.Frame(view, s.Own); frame > 0 {
		s.Span = flow.At(frame, m.c.timeIn(m.base, view, s.Clock))
	}
}

// place notes which part of a message changes are in. The message takes the places from start to end, counted as in a
// record.Place, and is laid out as body.
func (w *watched) place(m *Merge, o *record.Origin, name string, start, end int64, body record.Body, fpdu *mpa.Deframed) {
	d := int(o.Dir) ^ w.turned
	changes := w.Ways[d].Changes
	if len(changes) == 0 {
		return
	}
	origin := w.origin(m, d)
	start, end = start+origin, end+origin
	first := slices.IndexFunc(changes, func(c transit.Change) bool { return c.Pos >= start && c.Pos < end && c.Message == "" })
	if first < 0 {
		return
	}
	layers := w.view.Lay(body)
	var within []*transit.Change
	for i := range changes {
		if c := &changes[i]; c.Pos >= start && c.Pos < end {
			c.Message, c.Offset = name, int(c.Pos-start)
			c.Field, c.IsCRC = fieldAt(layers[0], c.Offset), fpdu != nil && c.Pos >= end-crcLen
			within = append(within, c)
		}
	}
	if fpdu == nil || fpdu.Verdict == mpa.Unchecked || fpdu.Markers > 0 || fpdu.Missing > 0 {
		return
	}
	sent := within[0].Sent.At == m.c.Ends[m.base]
	witness := witnessOf(fpdu, within, sent)
	for _, c := range within {
		c.CRC = witness
	}
}

// origin is the place from which a [record.Place] counts: that of the first octet of a direction that the Merge has given.
func (w *watched) origin(m *Merge, d int) int64 {
	if w.first[d] == nil {
		earliest := m.n + 1
		for view, c := range w.both {
			if p, frame := m.firstOf(view, &c.streams[d]); p != nil && frame < earliest {
				w.first[d], earliest = p, frame
			}
		}
	}
	switch p := w.first[d]; {
	case p == nil:
		return 0
	case p.flags.Has(tcpip.SYN):
		return p.pos + 1
	default:
		return p.pos
	}
}

// firstOf is the first packet with octets that the Merge has given of a stream, and its number in the Merge; nil if there is none.
func (m *Merge) firstOf(view int, s *stream) (*packet, uint64) {
	for i := range s.packets {
		p := &s.packets[i]
		if !p.carries() {
			continue
		}
		if frame := m.Frame(view, uint64(p.frame)); frame > 0 {
			return p, frame
		}
	}
	return nil, 0
}

// fieldAt names the field at an octet of a message.
func fieldAt(l record.Layer, off int) string {
	if d := l.Data; off >= d.Off && off < d.Off+d.Len {
		return "ULP payload"
	}
	for i := range l.Parts {
		p := &l.Parts[i]
		for f := range p.Fields() {
			if off >= p.Off+f.Octet() && off < p.Off+f.End(len(p.Octets)) {
				return f.Label
			}
		}
	}
	return "padding"
}

const crcLen = 4 // octets

// witnessOf compares the CRC of an FPDU with that which it has with the octets of the other end. sent says that it is as it left.
func witnessOf(f *mpa.Deframed, changes []*transit.Change, sent bool) transit.Witness {
	b := binary.BigEndian.AppendUint16(nil, f.ULPDULength)
	b = append(append(b, f.ULPDU...), f.PAD...)
	b = binary.LittleEndian.AppendUint32(b, f.CRC)
	for _, c := range changes {
		other := c.Left
		if sent {
			other = c.Came
		}
		if c.Len > len(other) || c.Offset+len(other) > len(b) {
			return transit.NoWitness
		}
		copy(b[c.Offset:], other)
	}
	n := len(b) - crcLen
	left, came := f.Verdict == mpa.Good, mpa.CRC(b[:n]) == binary.LittleEndian.Uint32(b[n:])
	if !sent {
		left, came = came, left
	}
	switch {
	case !left:
		return transit.Unhealed
	case came:
		return transit.Covered
	}
	return transit.Exposed
}

// share adds where the time of a transaction went.
func (w *watched) share(m *Merge, t *record.Transaction) {
	if !t.Timed() {
		return
	}
	d := int(t.Dir) ^ w.turned
	near := d ^ w.Near // the capture of the requester
	asked, ok := w.placeOf(m, d, t.Request.LastFrame)
	answered, ok2 := w.placeOf(m, 1-d, t.Response.LastFrame)
	if !ok || !ok2 {
		return
	}
	left, came := w.seen(near, d, asked), w.seen(1-near, d, asked)
	back, got := w.seen(1-near, 1-d, answered), w.seen(near, 1-d, answered)
	total, there := got.time-left.time, back.time-came.time
	if total < there || there < 0 || left.time == 0 || came.time == 0 || back.time == 0 || got.time == 0 {
		return
	}
	s := &w.ends.Shares[t.Dir][t.Kind]
	s.Count++
	s.Total += total
	s.Network += total - there
	if total > s.Slowest.Total {
		s.Slowest = transit.Slow{Name: t.Name, Request: t.Request, Total: total, Network: total - there}
	}
}

// placeOf is the place of the last octet of a packet that the Merge has given.
func (w *watched) placeOf(m *Merge, d int, frame uint64) (place int64, ok bool) {
	view, own := m.Locate(frame)
	packets := w.both[view].streams[d].packets
	i, ok := slices.BinarySearchFunc(packets, own, func(p packet, own uint64) int { return cmp.Compare(uint64(p.frame), own) })
	if !ok || packets[i].len == 0 {
		return 0, false
	}
	return packets[i].tail() - 1, true
}

// elsewhere is where the other capture has the last octet of an MPA frame, a segment or a whole message.
func (w *watched) elsewhere(m *Merge, r *record.Record) (s transit.Sighting) {
	if r.Conn.Transport() != flow.OverTCP {
		return s
	}
	d := int(r.Dir) ^ w.turned
	switch {
	case r.Kind == record.KindStartup:
		w.latest[d] = w.origin(m, d) + int64(r.Startup.Place.End) - 1
	case r.Kind == record.KindSegment:
		w.latest[d] = w.origin(m, d) + int64(r.Segment.Place.End) - 1
	case r.Kind != record.KindMessage || !r.Message.Complete:
		return s
	}
	view, _ := m.Locate(r.LastFrame)
	s.At = m.c.Ends[1-view]
	if n := w.seen(1-view, d, w.latest[d]); n.time != 0 {
		t := m.c.timeIn(m.base, 1-view, n.time)
		s.Own, s.Clock, s.Time, s.LastTime = uint64(n.frame), n.time, t, t
	}
	return s
}

// seen is the packet in which a capture shows an octet for the first time; zero if it does not.
func (w *watched) seen(view, d int, place int64) (first arrival) {
	if w.arrivals[view][d] == nil {
		w.arrivals[view][d] = w.both[view].streams[d].arrivals()
	}
	all := w.arrivals[view][d]
	i, found := slices.BinarySearchFunc(all, place, func(a arrival, place int64) int { return cmp.Compare(a.from, place) })
	if !found {
		i--
	}
	if i < 0 || place >= all[i].to {
		return first
	}
	return all[i]
}
