package dissect

// Packets that were damaged on the way to the point of capture. Their receiver's TCP discards them, and they are sent again. A packet that
// is acknowledged and not sent again was sound when it arrived: the file was damaged, or edited, and its octets count as missing. A
// packet larger than any sound one is an exception: hardware has joined several (LRO), and has not computed a checksum.

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
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
	right   bool // the first one had a right checksum, not none
	unsound bool // the first one was wrong: checksums of this sender say nothing
	largest int  // octets of payload in the largest sound packet
}

// keeps reports whether a packet is damaged, and has to wait or, without payload, is of no use.
func (h *half) keeps(s *tcpip.Segment, rec *pcaps.Record) bool {
	l, all := &h.damages, &h.pair.flows.damaged
	switch {
	case l.unsound:
		return false
	case s.Len() == 0 && !l.sound:
		l.right = s.IsRight()
		l.sound = l.right
		return false
	case s.Len() == 0:
		return s.IsDamaged()
	}
	switch whole := l.sound && h.checks(s); {
	case whole, !s.IsDamaged():
		if l.right = l.right || !l.sound && s.IsRight(); l.right && s.Missing == 0 {
			h.compare(s, rec, whole)
		}
		l.sound, l.largest = true, max(l.largest, s.Len())
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
			h.spoil(p)
			h.take(&p.segment, &pcaps.Record{Frame: p.frame, Time: p.time})
		}
	}
	h.wait()
}

// spoil leaves out the octets of a packet that is not what its receiver got, unless it is one that hardware has joined. If there was a
// Terminate, perhaps an RNIC that does not look at checksums has found an error in it.
func (h *half) spoil(p *damaged) {
	if c := h.pair.Conn; c != nil && c.End == flow.EndTerminate {
		return
	}
	left := p.segment.Len() <= h.damages.largest
	h.Wire.Spoiled.Add(p.frame, left)
	if left {
		p.segment.Missing, p.segment.Payload = p.segment.Len(), nil
		p.segment.Flags &^= tcpip.SYN | tcpip.FIN | tcpip.RST
	}
}
