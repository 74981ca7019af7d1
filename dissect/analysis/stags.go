package analysis

// STags in use: which message named one last, and which ones a Send with Invalidate has taken back.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
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
	invalidated uint64 // frame of the Send with Invalidate that took it back; 0 if it may be used
	earlier     uint64 // frame of one that had done so before; 0 if there was none
	stag        uint32
	sends       uint32 // side.sends of the owner when it was invalidated
	dir         record.Direction
	opcode      rdmap.Opcode // of the latest message that used it
	told        bool         // that it was used since it was invalidated has been reported
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
func (t *stagTable) find(conn int, d record.Direction, stag uint32) *stagUse {
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
func (t *stagTable) advertise(conn int, d record.Direction, stag uint32) {
	u := t.find(conn, d, stag)
	u.invalidated, u.earlier, u.told = 0, 0, false
}

// use notes that a segment uses an STag of the other side, and reports it if that was taken back.
func (c *connection) use(s *record.Segment, stag uint32) {
	u := c.a.stags.find(s.Conn.ID, s.Dir, stag)
	if c.takenBack(u) && !u.told {
		u.told = true
		c.observe(&s.Origin, ObsSTagInvalidated,
			"The %v in %s uses STag %#x, which the SendInvalidate in frame %d took back%s. "+
				"No new advertisement of it was seen: the %v has to refuse it.",
			s.RDMAP.Control.Opcode, frames(&s.Span), stag, u.invalidated, lastUse(u), record.Sender(1-s.Dir))
	}
	u.used, u.opcode = s.LastFrame, s.RDMAP.Control.Opcode
}

// write looks at the STag of an RDMA Write, once a message. One without payload may name any (RFC 5041, section 5.2).
func (c *connection) write(s *record.Segment) {
	side, h := &c.sides[s.Dir], &s.RDMAP.Tagged
	if begins := !side.writing || side.stag != h.STag; begins && int(s.FPDU.ULPDULength) > s.RDMAP.Header.Len() {
		c.use(s, h.STag)
	}
	side.writing, side.stag = !h.L, h.STag
}

// begunSend looks at the first segment of a Send.
func (c *connection) begunSend(s *record.Segment) {
	side := &c.sides[s.Dir]
	if int(s.FPDU.ULPDULength) > s.RDMAP.Header.Len() {
		side.sends++
	}
	if !s.RDMAP.Control.Opcode.HasInvalidateSTag() {
		return
	}
	stag := s.RDMAP.InvalidateSTag
	u := c.a.stags.find(s.Conn.ID, s.Dir, stag)
	u.earlier = 0
	if c.takenBack(u) {
		u.earlier = u.invalidated
		c.observe(&s.Origin, ObsSTagInvalidated,
			"The %v in %s takes back STag %#x, which the SendInvalidate in frame %d has taken back already%s.",
			s.RDMAP.Control.Opcode, frames(&s.Span), stag, u.invalidated, lastUse(u))
	}
	u.invalidated, u.told, u.sends = s.LastFrame, false, c.sides[1-s.Dir].sends
}

// lastUse is ", after its last use by the Write in frame 7".
func lastUse(u *stagUse) string {
	if u.used == 0 {
		return ""
	}
	return sentence(", after its last use by the %v in frame %d", u.opcode, u.used)
}

// takenBack tells whether an STag was taken back and cannot have been advertised anew. If the upper layer is not
// understood any Send of its owner may have done that.
func (c *connection) takenBack(u *stagUse) bool {
	if u.invalidated != 0 && !c.advertises && c.sides[1-u.dir].sends != u.sends {
		u.invalidated, u.earlier, u.told = 0, 0, false
	}
	return u.invalidated != 0
}

// Advertise implements Advertiser.
func (c *connection) Advertise(d record.Direction, stag uint32) {
	c.advertises = true
	c.a.stags.advertise(c.conn.ID, d, stag)
}
