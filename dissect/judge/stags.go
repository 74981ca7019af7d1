package judge

// STags in use: which message named one last, and which ones a Send with Invalidate has invalidated.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// stagSlots is how many STags are remembered, of all connections together. An STag has one slot; of two that share it
// the later drives out the earlier, so that some misuse may go unseen, and none is made up.
const stagSlots = 1 << stagBits

const stagBits = 13

// A stagUse is what is known of an STag. It belongs to the end that messages of direction dir go to.
type stagUse struct {
	conn        int
	used        uint64 // frame of the latest message of dir that used it; 0 if none was seen
	invalidated uint64 // frame of the Send with Invalidate that invalidated it; 0 if it may be used
	earlier     uint64 // frame of one that had done so before; 0 if there was none
	stag        uint32
	sends       uint32 // stags.sends of the owner when it was invalidated
	dir         flow.Direction
	opcode      rdmap.Opcode // of the latest message that used it
	reported    bool         // its use since then
}

// A stagTable holds the latest STags. What is known of them lies together, in the order in which their slots were first
// used, so that few STags take little memory.
type stagTable struct {
	slots *[stagSlots]uint16 // which of uses is theirs, counted from 1; 0 if there is none
	uses  [stagSlots / stagPage]*[stagPage]stagUse
	n     int // of uses that are in use
}

// stagPage is how many uses are allocated at a time.
const stagPage = 1 << 7

// find is the slot of an STag, empty if nothing is known of it.
func (t *stagTable) find(conn int, d flow.Direction, stag uint32) *stagUse {
	if t.slots == nil {
		t.slots = new([stagSlots]uint16)
	}
	hash := (stag ^ uint32(conn)*0x85ebca6b ^ uint32(d)<<31) * 0x9e3779b1
	slot := &t.slots[hash>>(32-stagBits)]
	fresh := *slot == 0
	if fresh {
		*slot = t.add()
	}
	at := int(*slot - 1)
	u := &t.uses[at/stagPage][at%stagPage]
	if fresh || u.conn != conn || u.stag != stag || u.dir != d {
		*u = stagUse{conn: conn, stag: stag, dir: d}
	}
	return u
}

// add takes the next of uses, and says which one it is.
func (t *stagTable) add() uint16 {
	if page := &t.uses[t.n/stagPage]; *page == nil {
		*page = new([stagPage]stagUse)
	}
	t.n++
	return uint16(t.n)
}

// advertise notes that the owner has told the other side of an STag: it may be used again.
func (t *stagTable) advertise(conn int, d flow.Direction, stag uint32) {
	u := t.find(conn, d, stag)
	u.invalidated, u.earlier, u.reported = 0, 0, false
}

// stags is what one connection knows of the STags of both its ends.
type stags struct {
	table      *stagTable
	conn       int       // Conn.ID
	sends      [2]uint32 // by direction: Sends, and gaps that may hide some: what may have advertised STags
	writing    [2]bool   // by direction: an RDMA Write is in progress
	target     [2]uint32 // its STag
	advertises bool      // the upper layer tells which STags are advertised
}

// What records the use of an STag by a segment returns what is known of that STag if the segment must not name it, since it
// was invalidated and not advertised again: once for each STag that is used, each time for one that is invalidated again.

// request records the STags of a Read or Atomic Request.
func (t *stags) request(s *record.Segment) (misused *stagUse) {
	if s.RDMAP.Control.Opcode == rdmap.OpAtomicRequest {
		var a rdmap.AtomicRequest
		a.Decode(s.RDMAP.Body)
		return t.use(s, a.RemoteSTag)
	}
	var r rdmap.ReadRequest
	if r.Decode(s.RDMAP.Body); r.RDMARDSZ == 0 {
		return nil
	}
	t.table.advertise(t.conn, 1-s.Dir, r.SinkSTag)
	return t.use(s, r.SrcSTag)
}

// use records that a segment uses an STag of the other side.
func (t *stags) use(s *record.Segment, stag uint32) (misused *stagUse) {
	u := t.table.find(t.conn, s.Dir, stag)
	if t.invalidated(u) && !u.reported {
		u.reported = true
		misused = new(*u)
	}
	u.used, u.opcode = s.LastFrame, s.RDMAP.Control.Opcode
	return misused
}

// write records the STag of an RDMA Write of n octets, once a message. One without payload may name any STag (RFC 5041,
// section 5.2).
func (t *stags) write(s *record.Segment, n int) (misused *stagUse) {
	h := &s.RDMAP.Tagged
	if begins := !t.writing[s.Dir] || t.target[s.Dir] != h.STag; begins && n > 0 {
		misused = t.use(s, h.STag)
	}
	t.writing[s.Dir], t.target[s.Dir] = !h.L, h.STag
	return misused
}

// send records the first segment of a Send of n octets or more, and the STag that it invalidates.
func (t *stags) send(s *record.Segment, n int) (misused *stagUse) {
	if n > 0 {
		t.sends[s.Dir]++
	}
	if !s.RDMAP.Control.Opcode.HasInvalidateSTag() {
		return nil
	}
	u := t.table.find(t.conn, s.Dir, s.RDMAP.InvalidateSTag)
	u.earlier = 0
	if t.invalidated(u) {
		misused = new(*u)
		u.earlier = u.invalidated
	}
	u.invalidated, u.reported, u.sends = s.LastFrame, false, t.sends[1-s.Dir]
	return misused
}

// gap says that segments of a direction may have been missed, and Sends that advertise STags among them.
func (t *stags) gap(d flow.Direction) { t.sends[d]++ }

// invalidated reports whether an STag was invalidated and cannot have been advertised again. If the upper layer is not
// understood, any Send of its owner may have advertised it.
func (t *stags) invalidated(u *stagUse) bool {
	if u.invalidated != 0 && !t.advertises && t.sends[1-u.dir] != u.sends {
		u.invalidated, u.earlier, u.reported = 0, 0, false
	}
	return u.invalidated != 0
}

// invalidatedBefore returns the frame of the SendInvalidate that took away the STag named by a segment of direction d, or
// 0. again means that the segment is itself a SendInvalidate, and an earlier one is looked for.
func (t *stags) invalidatedBefore(d flow.Direction, stag uint32, again bool) uint64 {
	u := t.table.find(t.conn, d, stag)
	if again {
		return u.earlier
	}
	return u.invalidated
}

// unadvertised reports whether the capture shows that nothing was sent that could have told the sender of direction d of an
// STag: neither Private Data nor a Send.
func (t *stags) unadvertised(c *flow.Conn, d flow.Direction) bool {
	return c.Requested && c.Agreed && t.sends[1-d] == 0 && frameOf(c, 1-d).ULPPrivateDataLen() == 0
}

// advertise says that the upper layer of the sender of direction 1-d has told the other side of an STag.
func (t *stags) advertise(d flow.Direction, stag uint32) {
	t.advertises = true
	t.table.advertise(t.conn, d, stag)
}

// misuse says what a segment does to an STag that was invalidated.
func (u *stagUse) misuse(s *record.Segment) statement {
	last := ""
	if u.used != 0 {
		last = sentence(", after its last use by the %v in %s", u.opcode, frame(s.Conn, u.used))
	}
	o := s.RDMAP.Control.Opcode
	if o.HasInvalidateSTag() {
		return stated("The %v in %s invalidates STag 0x%08x, which the SendInvalidate in %s has already invalidated%s",
			o, frames(s.Conn, s.Span), u.stag, frame(s.Conn, u.invalidated), last)
	}
	return stated("The %v in %s uses STag 0x%08x, which the SendInvalidate in %s invalidated%s", o, frames(s.Conn, s.Span), u.stag,
		frame(s.Conn, u.invalidated), last).
		and(sentence("No new advertisement of it was seen: the %v has to refuse it", flow.Sender(1-s.Dir)))
}
