package adversary

// DDP segments: RFC 5041, sections 4 and 5.

// Bits of the DDP control octet, and the values of a version 1 stream.
const (
	ddpTagged  = 0x80
	ddpLast    = 0x40
	ddpVersion = 0x01
	rdmapRV    = 0x40 // in the RDMAP control octet
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
	control := byte(ddpVersion)
	if last {
		control |= ddpLast
	}
	if m.Tagged() {
		return octets(control|ddpTagged, rdmapRV|m.Opcode, m.STag, m.TO+uint64(offset))
	}
	return octets(control, rdmapRV|m.Opcode, m.STag, m.QN, m.MSN, uint32(offset))
}

// say cuts a message into segments with at most room octets of Body, and sends them. Between two of them the other side may
// say something of its own.
func (t *talk) say(m *Message, room int) *Message {
	t.Messages, m.room = append(t.Messages, m), room
	for offset := 0; ; offset += room {
		rest := m.Body[offset:]
		last := len(rest) <= room
		if !last {
			rest = rest[:room]
		}
		t.unit(&Unit{From: m.From, Octets: append(m.header(offset, last), rest...), Message: m})
		if last {
			return m
		}
		t.interrupt(1 - m.From)
	}
}
