package dissect

// Packets that were damaged on the way to the point of capture. Their receiver's TCP discards them, and they are sent again. Somebody
// who edited a capture may not have updated the checksum; such a packet is acknowledged and not sent again.

import (
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

// The limits of the damaged packets that wait. Others are taken as they are.
const (
	maxDamaged  = 1 << 20 // octets of memory, of all connections
	mostDamaged = 256     // packets of one direction, so that each acknowledgement costs little
	damagedHeld = 256     // octets of memory of a packet, besides its payload
)

// A damaged packet waits until its octets are acknowledged: either they came again by then, or it was taken as it is.
type damaged struct {
	segment tcpip.Segment
	frame   uint64
	time    int64
}

// end is the sequence number after it.
func (p *damaged) end() uint32 { return p.segment.Seq + uint32(p.segment.Len()) }

// held is how many octets of memory it takes.
func (p *damaged) held() int { return damagedHeld + len(p.segment.Payload) + len(p.segment.Options()) }

// damages are the damaged packets of a direction.
type damages struct {
	waiting []damaged
	sound   bool // a packet with a right checksum, or with none, was seen
	unsound bool // the first one was wrong: checksums of this sender say nothing
}

// keeps reports whether a packet with payload is damaged, and has to wait, if checksums say something.
func (h *half) keeps(s *tcpip.Segment, rec *pcaps.Record) bool {
	l, all := &h.damages, &h.pair.flows.damaged
	switch {
	case h.checks(s):
		return false
	case !s.IsDamaged():
		l.sound = true
		return false
	case !l.sound:
		l.unsound = true
		return false
	case len(l.waiting) == mostDamaged, *all+damagedHeld+len(s.Payload)+len(s.Options()) > maxDamaged:
		return false
	}
	kept := damaged{segment: s.Clone(), frame: rec.Frame, time: rec.Time}
	l.waiting = append(l.waiting, kept)
	*all += kept.held()
	h.wait()
	return true
}

// checks reports whether the CRCs of the FPDUs in a packet show that it is not damaged. That spares its checksum, which would
// cost as much.
func (h *half) checks(s *tcpip.Segment) bool {
	return s.Missing == 0 && s.Seq == h.asm.NextSeq() && h.asm.Held() == 0 && h.Check(s.Payload)
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
		h.pair.flows.damaged -= p.held()
		if h.asm.Started() && int32(h.asm.NextSeq()-p.end()) >= 0 {
			h.Wire.Damaged++
			h.tracking.sendDamaged(p)
		} else {
			h.take(&p.segment, &pcaps.Record{Frame: p.frame, Time: p.time})
		}
	}
	h.wait()
}
