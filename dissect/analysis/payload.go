package analysis

// The payload of Sends, put together from their segments for upper layers.

import (
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Limits of the memory for payload, in octets and in buffers.
const (
	maxPayloadInAll = 64 << 20 // of all Sends in progress
	maxIdlePayloads = 8        // buffers kept to be used again
	minPayload      = 16 << 10 // of a buffer
)

// A payloadPool holds the buffers of all connections.
type payloadPool struct {
	most   int      // octets kept of one Send
	idle   [][]byte // to be used again
	octets int      // that joins hold, in all
}

// A payload is that of the Send in progress in one direction.
type payload struct {
	current join
	cut     join // of the Send that the current one interrupted; its Message comes next
}

// A join is payload that is put together.
type join struct {
	active bool
	whole  bool // nothing is missing up to next
	owned  bool // octets is a buffer of the pool; else they are those of a Segment
	opcode rdmap.Opcode
	msn    uint32
	next   uint32 // MO that the next segment has to have
	octets []byte
}

// add takes a segment of a Send. A Send in one segment is not copied.
func (p *payload) add(pool *payloadPool, s *record.Segment) {
	h, j := &s.RDMAP.Untagged, &p.current
	if j.active && !j.belongs(s.RDMAP.Control.Opcode, h.MSN) {
		p.cut.drop(pool)
		p.cut, *j = *j, join{}
	}
	if !j.active {
		*j = join{active: true, whole: h.MO == 0, opcode: s.RDMAP.Control.Opcode, msn: h.MSN}
		if j.whole && h.L {
			j.octets = s.RDMAP.Body[:min(len(s.RDMAP.Body), pool.most)]
			return
		}
	}
	if j.whole = j.whole && h.MO == j.next; j.whole {
		j.append(pool, s.RDMAP.Body)
	}
	j.whole = j.whole && s.FPDU.Missing == 0
	j.next = h.MO + uint32(int(s.FPDU.ULPDULength)-s.RDMAP.Header.Len())
}

// belongs tells whether a segment or Message with this opcode and MSN is of the same Send.
func (j *join) belongs(o rdmap.Opcode, msn uint32) bool { return j.opcode == o && j.msn == msn }

// append adds octets, as far as there is room.
func (j *join) append(pool *payloadPool, b []byte) {
	if room := pool.most - len(j.octets); len(b) > room {
		b, j.whole = b[:room], false
	}
	need := len(j.octets) + len(b)
	if need > cap(j.octets) && !j.grow(pool, need) {
		j.whole = false
		return
	}
	j.octets = append(j.octets, b...)
}

// grow makes room for so many octets.
func (j *join) grow(pool *payloadPool, need int) bool {
	old := j.octets
	if n := len(pool.idle); n > 0 && !j.owned && cap(pool.idle[n-1]) >= need {
		j.octets, pool.idle = pool.idle[n-1], pool.idle[:n-1]
	} else {
		size := max(minPayload, min(2*need, pool.most))
		if pool.octets+size > maxPayloadInAll {
			return false
		}
		j.octets = make([]byte, 0, size)
	}
	pool.octets += cap(j.octets)
	j.octets = append(j.octets[:0], old...)
	if j.owned {
		pool.octets -= cap(old)
	}
	j.owned = true
	return true
}

// drop forgets the payload and gives back its buffer.
func (j *join) drop(pool *payloadPool) {
	if j.owned {
		pool.octets -= cap(j.octets)
		if len(pool.idle) < maxIdlePayloads {
			pool.idle = append(pool.idle, j.octets[:0])
		}
	}
	*j = join{}
}

// of is the payload of a Message; nil if nothing was kept of it.
func (p *payload) of(m *record.Message) *join {
	if m.First.T || m.First.Untagged.QN != rdmap.QNSend {
		return nil
	}
	for _, j := range []*join{&p.cut, &p.current} {
		if j.active && j.belongs(m.Opcode, m.First.Untagged.MSN) {
			return j
		}
	}
	return nil
}

// gap says that segments may have been missed.
func (p *payload) gap() { p.current.whole = false }

// drop forgets both.
func (p *payload) drop(pool *payloadPool) {
	p.current.drop(pool)
	p.cut.drop(pool)
}
