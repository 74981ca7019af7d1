package match

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

// A PayloadPool holds the buffers of all connections.
type PayloadPool struct {
	Most   int      // octets kept of one Send
	idle   [][]byte // to be used again
	octets int      // that joins hold, in all
}

// Held returns how many octets the Sends in progress take.
func (p *PayloadPool) Held() int { return p.octets }

// A Payload is that of the Send in progress in one direction.
type Payload struct {
	current Join
	cut     Join // of the Send that the current one interrupted; its Message comes next
}

// A Join is payload that is put together.
type Join struct {
	active bool
	whole  bool // nothing is missing up to next
	owned  bool // octets is a buffer of the pool; else they are those of a Segment
	opcode rdmap.Opcode
	msn    uint32
	next   uint32 // MO that the next segment has to have
	Octets []byte // as far as they were captured and fit
}

// Add takes a segment of a Send. A Send in one segment is not copied.
func (p *Payload) Add(pool *PayloadPool, s *record.Segment) {
	h, j := &s.RDMAP.Untagged, &p.current
	disordered := s.Message != nil && s.Message.Disordered
	if j.active && !j.belongs(s.RDMAP.Control.Opcode, h.MSN) {
		p.cut.Drop(pool)
		p.cut, *j = *j, Join{}
	}
	if !j.active {
		*j = Join{active: true, whole: h.MO == 0 || disordered, opcode: s.RDMAP.Control.Opcode, msn: h.MSN}
		if h.MO == 0 && h.L {
			j.Octets = s.RDMAP.Body[:min(len(s.RDMAP.Body), pool.Most)]
			return
		}
	}
	switch {
	case disordered && j.whole:
		j.place(pool, h.MO, s.RDMAP.Body)
	case j.whole && h.MO == j.next:
		j.append(pool, s.RDMAP.Body)
	default:
		j.whole = false
	}
	j.whole = j.whole && s.FPDU.Missing == 0
	j.next = h.MO + uint32(int(s.FPDU.ULPDULength)-s.RDMAP.Header.Len())
}

// belongs reports whether a segment or Message with this opcode and MSN is of the same Send.
func (j *Join) belongs(o rdmap.Opcode, msn uint32) bool { return j.opcode == o && j.msn == msn }

// append adds octets, as far as there is room.
func (j *Join) append(pool *PayloadPool, b []byte) {
	if room := pool.Most - len(j.Octets); len(b) > room {
		b, j.whole = b[:room], false
	}
	need := len(j.Octets) + len(b)
	if need > cap(j.Octets) && !j.grow(pool, need) {
		j.whole = false
		return
	}
	j.Octets = append(j.Octets, b...)
}

// place puts octets at an MO, as far as there is room.
func (j *Join) place(pool *PayloadPool, at uint32, b []byte) {
	end := uint64(at) + uint64(len(b))
	if end > uint64(pool.Most) || int(end) > cap(j.Octets) && !j.grow(pool, int(end)) {
		j.whole = false
		return
	}
	if before := len(j.Octets); int(end) > before {
		j.Octets = j.Octets[:end]
		clear(j.Octets[before:])
	}
	copy(j.Octets[at:], b)
}

// grow makes room for need octets.
func (j *Join) grow(pool *PayloadPool, need int) bool {
	old := j.Octets
	if n := len(pool.idle); n > 0 && !j.owned && cap(pool.idle[n-1]) >= need {
		j.Octets, pool.idle = pool.idle[n-1], pool.idle[:n-1]
	} else {
		size := max(minPayload, min(2*need, pool.Most))
		if pool.octets+size > maxPayloadInAll {
			return false
		}
		j.Octets = make([]byte, 0, size)
	}
	pool.octets += cap(j.Octets)
	j.Octets = append(j.Octets[:0], old...)
	if j.owned {
		pool.octets -= cap(old)
	}
	j.owned = true
	return true
}

// Drop forgets the payload and gives back its buffer.
func (j *Join) Drop(pool *PayloadPool) {
	if j.owned {
		pool.octets -= cap(j.Octets)
		if len(pool.idle) < maxIdlePayloads {
			pool.idle = append(pool.idle, j.Octets[:0])
		}
	}
	*j = Join{}
}

// Of is the payload of a Message; nil if nothing was kept of it.
func (p *Payload) Of(m *record.Message) *Join {
	if m.First.T || m.First.Untagged.QN != rdmap.QNSend {
		return nil
	}
	for _, j := range []*Join{&p.cut, &p.current} {
		if j.active && j.belongs(m.Opcode, m.First.Untagged.MSN) {
			if m.Disordered && !(m.Complete && j.whole) { // there are holes
				j.Octets = j.Octets[:0]
			}
			return j
		}
	}
	return nil
}

// Gap says that segments may have been missed.
func (p *Payload) Gap() { p.current.whole = false }

// Drop forgets both.
func (p *Payload) Drop(pool *PayloadPool) {
	p.current.Drop(pool)
	p.cut.Drop(pool)
}
