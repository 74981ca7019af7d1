package adversary

// DDP segments: RFC 5041, sections 4 and 5.

// Bits of the two control octets.
const (
	ddpTagged    = 0x80
	ddpLast      = 0x40
	rdmapOpcode  = 0x0f
	rdmapVersion = 1 << 6 // DDP's is in the lowest bits of its octet
)

// Octets of the DDP headers.
const (
	taggedHeader   = 14
	untaggedHeader = 18
)

// The queues of RDMAP: RFC 5040, section 4.1, and RFC 7306, section 5.2.2.
const (
	queueSend = iota
	queueRequest
	queueTerminate
	queueAtomic
	queues
)

// header is the DDP header of the segment of m that begins at an offset of its Body, with the RDMAP control octet.
func (m *Message) header(offset int, last bool) []byte {
	control, rdmap := byte(1), byte(rdmapVersion)
	if m.consortium {
		control, rdmap = 0, 0
	}
	if last {
		control |= ddpLast
	}
	if m.Tagged() {
		return octets(control|ddpTagged, rdmap|m.Opcode, m.STag, m.TO+uint64(offset))
	}
	return octets(control, rdmap|m.Opcode, m.STag, m.QN, m.MSN, uint32(offset))
}

// segments are those of a message, with at most room octets of Body each.
func (m *Message) segments() (all []*Unit) {
	for offset := 0; ; offset += m.room {
		rest := m.Body[offset:]
		last := len(rest) <= m.room
		if !last {
			rest = rest[:m.room]
		}
		all = append(all, &Unit{From: m.From, Octets: append(m.header(offset, last), rest...), Message: m})
		if last {
			return all
		}
	}
}

// only is the one segment of a message that is not cut.
func (c *Conversation) only(m *Message) *Unit {
	m.room, m.consortium = len(m.Body), c.Terms.Rev == 0
	return m.segments()[0]
}

// say cuts a message into segments with at most room octets of Body, and sends them. Between two of them the other side may
// say something of its own.
func (t *talk) say(m *Message, room int) *Message {
	t.Messages, m.room, m.consortium = append(t.Messages, m), room, t.Terms.Rev == 0
	for i, u := range m.segments() {
		if i > 0 {
			t.interrupt(1 - m.From)
		}
		t.Units = append(t.Units, u)
	}
	return m
}
