package rpc

// RDMA Reads and Writes, and the segments of Calls to which they belong.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// maxReads is how many RDMA Reads of a connection are followed at a time.
const maxReads = 1 << 10

// transfers follows the RDMA Reads and Writes of a connection, and the memory that its Calls offer to them.
type transfers struct {
	opts   *Options
	stream *stream
	out    *reports
	bufs   *buffers

	sides   [2]transferSide
	reads   map[*record.Transaction]pendingRead
	whole   []*call   // returned by tagged
	regions []*region // for reuse
}

// A transferSide is the memory of one side, and the operations of that side on the memory of the other.
type transferSide struct {
	memory  memory // offered by its Calls
	strayed stray  // where an RDMA Write that was reported continues
	early   *early
}

// reset prepares t for another connection, and keeps its memory.
func (t *transfers) reset() {
	for d := range t.sides {
		m := &t.sides[d].memory
		m.reset()
		t.sides[d] = transferSide{memory: *m}
	}
	clear(t.reads)
}

// A pendingRead is an RDMA Read in progress.
type pendingRead struct {
	read rdmap.ReadRequest
	dir  flow.Direction // of the Request
}

// request handles a Read or Atomic Request.
func (t *transfers) request(tr *record.Transaction) {
	read := &tr.Read
	if tr.Cut {
		t.stream.unmatched++
	}
	if tr.Kind != record.ReadTransaction || tr.Cut || read.RDMARDSZ == 0 || len(t.reads) >= maxReads {
		return // a Read of nothing may be a Ready to Receive (RFC 6581), and needs no segment
	}
	memory := &t.sides[1-tr.Dir].memory
	at, left := read.SrcTO, uint64(read.RDMARDSZ)
	for left > 0 {
		r, sure := memory.find(read.SrcSTag, at, false)
		if r == nil {
			o := &record.Origin{Conn: tr.Conn, Dir: tr.Dir, Span: tr.Request}
			t.stray(o, stray{read.SrcSTag, at, left, false}, sure, tr.Ahead)
			break
		}
		n := min(left, r.contains(at))
		t.out.join(r.call)
		r.call.moved = true
		r.begin(Move{Request: tr.Request, Offset: at})
		r.moving = false
		at, left = at+n, left-n
	}
	t.reads[tr] = pendingRead{*read, tr.Dir}
}

// tagged handles a tagged segment. It returns the Calls whose Read chunks have all been read, some perhaps before. The slice
// is valid until the next segment.
func (t *transfers) tagged(s *record.Segment, tr *record.Transaction) []*call {
	t.whole = t.whole[:0]
	n := uint64(s.RDMAP.PayloadLen(int(s.FPDU.ULPDULength)))
	if n == 0 {
		return nil
	}
	if s.Late {
		t.stream.unmatched++ // others that belong to it may be missing unnoticed
	}
	if s.RDMAP.Control.Opcode == rdmap.OpWrite {
		t.written(s, n)
	} else if p, ok := t.reads[tr]; ok {
		if tr.Doubt != rules.Seen {
			t.stream.unmatched++
		}
		t.readResponse(s, &p, n, tr.Doubt)
	} else {
		t.stream.unmatched++
	}
	return t.whole
}

// written handles a segment of an RDMA Write.
func (t *transfers) written(s *record.Segment, n uint64) {
	memory := &t.sides[1-s.Dir].memory
	stag, at, body := s.RDMAP.Tagged.STag, s.RDMAP.Tagged.TO, s.RDMAP.Body
	for n > 0 {
		r, sure := memory.find(stag, at, true)
		if r == nil {
			t.strayWrite(s, stray{stag, at, n, true}, sure)
			return
		}
		part := min(n, r.contains(at))
		t.out.join(r.call)
		r.call.moved = true
		if !r.moving || r.expected() != at {
			r.begin(Move{Offset: at})
		}
		t.move(r, s, at, part, body[:min(uint64(len(body)), part)])
		r.moving = !s.RDMAP.L()
		body = body[min(uint64(len(body)), part):]
		at, n = at+part, n-part
	}
}

// readResponse handles a segment of a Read Response. doubt is whether it answers p.
func (t *transfers) readResponse(s *record.Segment, p *pendingRead, n uint64, doubt rules.Doubt) {
	memory := &t.sides[1-p.dir].memory
	offset, body := s.RDMAP.Tagged.TO-p.read.SinkTO, s.RDMAP.Body
	if offset >= uint64(p.read.RDMARDSZ) {
		return // outside what was requested
	}
	n = min(n, uint64(p.read.RDMARDSZ)-offset)
	for at := p.read.SrcTO + offset; n > 0; {
		r, _ := memory.find(p.read.SrcSTag, at, false)
		if r == nil {
			return
		}
		c, part := r.call, min(n, r.contains(at))
		t.out.join(c)
		before := r.cover.octets()
		r.doubt = max(r.doubt, doubt)
		t.move(r, s, at, part, body[:min(uint64(len(body)), part)])
		body = body[min(uint64(len(body)), part):]
		at, n = at+part, n-part
		if c.unread -= r.cover.octets() - before; c.unread == 0 {
			t.whole = append(t.whole, c)
		}
	}
}

// begin begins a Move.
func (r *region) begin(m Move) {
	s := &r.call.segments[r.place]
	if len(s.Moves) < MaxMoves {
		s.Moves = append(s.Moves, m)
	}
}

// expected is the TO at which the latest Move of a Write continues.
func (r *region) expected() uint64 {
	if moves := r.call.segments[r.place].Moves; len(moves) > 0 {
		last := &moves[len(moves)-1]
		return last.Offset + last.Octets
	}
	return 0
}

// move records that n octets of a region were moved from TO at on. body has those that were captured.
func (t *transfers) move(r *region, s *record.Segment, at, n uint64, body []byte) {
	segment := &r.call.segments[r.place]
	segment.Moved += n
	if m := segment.find(at); m != nil {
		m.Data.Include(s.Span)
		m.Octets += n
	}
	from := at - r.Offset
	r.cover.add(interval{from, from + n})
	if uint64(len(body)) < n {
		r.keep = min(r.keep, int(min(from+uint64(len(body)), uint64(r.keep))))
	}
	r.data = t.bufs.put(r.data, from, body, r.keep)
}

// find returns the Move to which octets at a TO belong: the latest that begins there or before.
func (s *Segment) find(at uint64) *Move {
	for i := len(s.Moves) - 1; i >= 0; i-- {
		if m := &s.Moves[i]; m.Offset <= at || i == 0 {
			return m
		}
	}
	return nil
}

// done ends a Read or Atomic.
func (t *transfers) done(tr *record.Transaction) {
	if _, ok := t.reads[tr]; ok && tr.Outcome != record.Answered {
		t.stream.unmatched++
	}
	delete(t.reads, tr)
}

// A stray is an operation, or the rest of one, on memory that no open Call offers for it.
type stray struct {
	stag   uint32
	at     uint64 // TO
	octets uint64
	write  bool
}

func (x *stray) String() string {
	kind := "Read"
	if x.write {
		kind = "Write"
	}
	return fmt.Sprintf("an RDMA %s of %d octets at %#x of STag 0x%08x", kind, x.octets, x.at, x.stag)
}

// strayWrite is stray for a segment of an RDMA Write. It reports only the first of a message.
func (t *transfers) strayWrite(s *record.Segment, x stray, sure bool) {
	last := &t.sides[s.Dir].strayed
	goesOn := last.stag == x.stag && last.at == x.at
	*last = stray{}
	if !s.RDMAP.L() {
		*last = stray{stag: x.stag, at: x.at + x.octets}
	}
	if !goesOn {
		t.stray(&s.Origin, x, sure, s.Ahead)
	} else if t.sides[s.Dir].early != nil {
		t.remember(&s.Origin, x)
	}
}

// stray judges an operation on memory that no open Call offers for it. sure is false if one may offer it, ahead is
// true if its sender has got octets, and perhaps a Call, that the capture does not have yet.
func (t *transfers) stray(o *record.Origin, x stray, sure, ahead bool) {
	memory, gaps := &t.sides[1-o.Dir].memory, t.stream.gaps[1-o.Dir]
	r := memory.dead.find(x.stag, x.at)
	doubtful := ahead || r == nil && gaps > 0 || r != nil && r.gaps != gaps // a Call that was not seen may offer it
	hidden := r == nil && !sure                                             // there are too many regions to follow
	if doubtful || hidden {
		t.remember(o, x)
		if hidden || !t.stream.mayDefer(1-o.Dir) {
			return
		}
	}
	v := rpcrules.Region.Breach(t.stream.dialect, x.String(), memory.offers(&x))
	if r != nil {
		v = rpcrules.Late.Breach(t.stream.dialect, x.String(), r.end(o.Conn))
	}
	if doubtful {
		t.stream.deferUntilEnd(1-o.Dir, deferred{Origin: *o, Violation: v, missedAt: t.out.MissedAt(), move: x})
	} else {
		t.out.found(o, v)
	}
}

// offers describes what the memory offers instead of what x wants.
func (m *memory) offers(x *stray) string {
	switch r, _ := m.search(x.stag, x.at, !x.write); {
	case r == nil:
		for stag := range ulp.SameIndex(x.stag) {
			if near, _ := m.search(stag, x.at, x.write); near != nil {
				return fmt.Sprintf("STag 0x%08x of XID 0x%08x, which differs in its key alone", near.Handle, near.xid)
			}
		}
		return "a segment of an open Call"
	case x.write:
		return fmt.Sprintf("a segment that may be written: that of XID 0x%08x is to be read", r.xid)
	default:
		return fmt.Sprintf("a segment that may be read: that of XID 0x%08x is to be written", r.xid)
	}
}
