package dissect

// Packets that were damaged on the way to the point of capture. Their receiver's TCP discards them, and they are sent again. Who
// changed a capture by hand may have left the checksum as it was; that packet is acknowledged, and nothing like it comes again.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// maxDamaged is how many octets the damaged packets that wait have at most, those of all connections together.
const maxDamaged = 1 << 20

// A damaged packet waits until its octets are acknowledged: either they came again by then, or it was taken as it is.
type damaged struct {
	segment tcpip.Segment
	frame   uint64
	time    int64
}

// end is the sequence number behind it.
func (p *damaged) end() uint32 { return p.segment.Seq + uint32(p.segment.Len()) }

// damages are the damaged packets of a direction.
type damages struct {
	waiting []damaged
	sound   bool // a packet with a right checksum, or with none, was seen
	unsound bool // the first one was wrong: who knows what its sender puts there
}

// keeps reports whether a packet is damaged, and has to wait.
func (h *half) keeps(s *tcpip.Segment, rec *pcaps.Record) bool {
	l, all := &h.damages, &h.pair.flows.damaged
	switch {
	case s.Len() == 0 || l.unsound:
		return false
	case !s.IsDamaged():
		l.sound = true
		return false
	case !l.sound:
		l.unsound = true
		return false
	case *all+s.Len() > maxDamaged:
		return false
	}
	kept := damaged{segment: *s, frame: rec.Frame, time: rec.Time}
	kept.segment.Payload, kept.segment.Options = bytes.Clone(s.Payload), bytes.Clone(s.Options)
	l.waiting = append(l.waiting, kept)
	*all += s.Len()
	return true
}

// settleDamaged takes the damaged packets up to an acknowledgement whose octets did not come again, and forgets the others.
func (h *half) settleDamaged(ack uint32) {
	all := h.damages.waiting
	h.damages.waiting = all[:0]
	for i := range all {
		p := &all[i]
		if int32(ack-p.end()) < 0 {
			h.damages.waiting = append(h.damages.waiting, *p)
			continue
		}
		h.pair.flows.damaged -= p.segment.Len()
		if h.asm.Started() && int32(h.asm.NextSeq()-p.end()) >= 0 {
			h.Wire.Damaged++
		} else {
			h.take(&p.segment, &pcaps.Record{Frame: p.frame, Time: p.time})
		}
	}
}
