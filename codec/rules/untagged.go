package rules

// Untagged messages: segments are consecutive in a message, and messages in a queue.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

var (
	ruleSendMSN = newRule("send-msn", Error,
		"The MSNs of Sends and Immediate Data must begin with 1 and increase by one with each message.",
		"DDP-4.3-7", "DDP-4.3-8", "DDP-4.3-9", "DDP-4.3-10", "DDP-5.3-1", "DDP-7.1-5", "RDMAP-3.1-3",
		"RDMAP-5.3-2", "RDMAPX-6.3-2").successive().situation(SendMSN)
	ruleReadMSN = newRule("read-msn", Error,
		"The MSNs of Read and Atomic Requests, counted together, must begin with 1 and increase by one with each request.",
		"DDP-4.3-7", "DDP-4.3-8", "DDP-4.3-9", "DDP-4.3-10", "DDP-7.1-5", "RDMAP-5.2.1-2", "RDMAPX-5.2-1",
		"RDMAPX-5.2.1-2").successive().situation(ReadMSN)
	ruleAtomicResponseMSN = newRule("atomic-response-msn", Error,
		"The MSNs of Atomic Responses must begin with 1 and increase by one with each, whatever the MSNs of their requests.",
		"RDMAPX-5-5", "DDP-4.3-7", "DDP-4.3-8", "DDP-4.3-9").successive().situation(AtomicResponseMSN)
	ruleMO = newRule("mo", Error,
		"The MO of a segment must be the number of octets of its message before it: 0 in the first.",
		"DDP-5.2-6", "DDP-4.3-11", "DDP-5.2-4", "DDP-5.3-2", "DDP-4.1-6", "DDP-7.1-3").successive().situation(SendMO)
	ruleReadMO = newRule("read-mo", Error,
		"The MO of a Read or Atomic Request must be 0.", "DDP-4.3-11", "DDP-5.2-6").successive().situation(ReadMO)
	ruleSendEnd = newRule("send-end", Error,
		"A message must end with a segment that has L set, before the next one begins.",
		"DDP-4.1-3", "RDMAP-3.1-3").in("iwarp_ddp.msn", "iwarp_ddp.last_flag").successive().situation(SendMSN)
	ruleSendOver = newRule("send-over", Error,
		"The last segment of a message must have L set, and no other.", "DDP-4.1-4", "DDP-4.1-5", "RDMAP-3.1-3").in("iwarp_ddp.last_flag").successive().situation(SendMSN)
	ruleSendChanged = newRule("send-changed", Error,
		"All segments of an untagged message must have the same opcode and Invalidate STag.",
		"DDP-4.3-4", "RDMAP-3.1-3").in("iwarp_rdma.opcode", "iwarp_rdma.inval_stag").successive().grave()

	// No buffer is as long: the Terminate is that of a bounds violation.
	ruleMessageLength = newRule("message-length", Error,
		"A message must be shorter than 2^32 octets.", "DDP-5.2-3", "RDMAP-1.1-1").in("iwarp_ddp.mo", "iwarp_ddp.tagged_offset")

	ruleEmptySegment = newRule("empty-segment", Warning,
		"A segment that is not the only one of its message should carry payload.", "MPA-4.5-4", "DDP-5.2-1").in("iwarp_mpa.ulpdulength")
	ruleEmptyMessage = newRule("empty-message", Error,
		"A message without payload must be one segment.", "DDP-5.2-9").in("iwarp_mpa.ulpdulength").successive()

	// A forgotten L bit looks the same.
	ruleInterleaved = newRule("interleaved", Error,
		"A message must begin after all segments of the previous one.", "DDP-5.3-1", "DDP-4.1-3", "DDP-5.2-4").in("iwarp_rdma.opcode").successive().grave()
)

// maxMessage is the length of the longest message (RFC 5041, section 5.2).
const maxMessage = 1<<32 - 1

// A queue is the state of the untagged messages of a QN.
type queue struct {
	msn    uint32 // of the message in progress, else of the next one
	mo     uint32 // of the next segment; 0 where a message begins
	last   uint32 // length of the previous message
	stag   uint32 // Invalidate STag of the message in progress
	opcode rdmap.Opcode
	known  bool // msn and mo are
	empty  bool // the message in progress began without payload
	tail   bool // the first segment received of the message in progress, else of the previous one, was not its first: a gap may hold that
}

// follows reports whether a segment is the next one of its queue.
func (q *queue) follows(s *rdmap.Segment) bool {
	u := &s.Untagged
	return q.known && u.MSN == q.msn && u.MO == q.mo &&
		(u.MO == 0 || s.Control.Opcode == q.opcode && s.InvalidateSTag == q.stag)
}

// send checks a segment of a Send type.
func (r *Receiver) send(s *rdmap.Segment, d *demand, payload int, v []Violation) []Violation {
	q := &r.queues[d.qn]
	u := &s.Untagged
	if q.known && q.mo == 0 && !q.empty && u.MSN == q.msn-1 && u.MO < q.last && q.tail {
		return r.reopen(q, s, d, payload, v)
	}
	if r.scattered || !q.follows(s) {
		v = r.misplaced(q, s, d, v)
		if q.known && u.MSN == q.msn && (r.scattered || u.MO != q.mo) {
			return r.scatter(q, s, d, payload, v)
		}
		r.scattered = false
	}
	if payload == 0 && (u.MO != 0 || !u.L || q.empty) {
		v = emptySegment(q.empty && u.MO == 0 && u.L, v)
	}
	if end := uint64(u.MO) + uint64(payload); end > maxMessage {
		v = ruleMessageLength.broken(v, fmt.Sprintf("%d octets", end), "less than 2^32 octets")
	}
	r.advance(q, s, d, payload)
	return v
}

// emptySegment reports a segment without payload that is not alone in its message; whole says that the message has no
// payload at all.
func emptySegment(whole bool, v []Violation) []Violation {
	if whole {
		return ruleEmptyMessage.broken(v, "a segment without payload after another", "one segment with L")
	}
	return ruleEmptySegment.broken(v, "no payload", "payload, or one segment with L and MO 0")
}

// advance updates the queue after a segment.
func (r *Receiver) advance(q *queue, s *rdmap.Segment, d *demand, payload int) {
	u := &s.Untagged
	if r.missed != 0 {
		next := q.mo == 0 && !q.empty && u.MSN == q.msn
		if q.known && (u.L || next) || u.L && u.MO == 0 {
			r.missed = 0 // all of the next message comes after the gap
		}
	}
	if !q.known && u.MO > 0 && d.header == 0 {
		q.tail = true
		r.scatteredSends().from = u.MO
	} else if u.MO == 0 || u.MSN != q.msn {
		q.tail = false
	}
	q.known = true
	if u.L {
		q.msn, q.mo, q.last, q.empty = u.MSN+1, 0, u.MO+uint32(payload), false
		r.open &^= d.place
		r.cut &^= d.place
		return
	}
	q.msn, q.mo = u.MSN, u.MO+uint32(payload)
	q.empty = q.mo == 0
	q.opcode, q.stag = s.Control.Opcode, s.InvalidateSTag
	r.open |= d.place
}

// misplaced reports a segment that is not the next one of its queue.
func (r *Receiver) misplaced(q *queue, s *rdmap.Segment, d *demand, v []Violation) []Violation {
	u := &s.Untagged
	within := q.mo != 0 || q.empty
	switch {
	case !q.known:
		return v
	case u.MSN == q.msn && d.header == 0 && (r.open&d.place == 0 || s.Control.Opcode == q.opcode && s.InvalidateSTag == q.stag):
		return v // scatter checks where it belongs
	case u.MSN == q.msn && (u.MO == q.mo || d.header == 0):
		return ruleSendChanged.broken(v, messageText(s.Control.Opcode, s.InvalidateSTag), messageText(q.opcode, q.stag))
	case u.MSN == q.msn:
		return moRule(d).broken(v, mo(u.MO), mo(q.mo))
	case r.scattered && d.qn == rdmap.QNSend && u.MSN == q.msn+1:
		if r.sends.doubt {
			return v
		}
		v = ruleMO.broken(v, fmt.Sprintf("MSN %d begins", u.MSN), fmt.Sprintf("MO %d of MSN %d, which never arrived", r.sends.Hole(), q.msn))
		v[len(v)-1].Situation = SendMSN
		return v
	case within && u.MSN == q.msn+1 && (u.MO == 0 || r.missed&d.place != 0):
		want := fmt.Sprintf("L after %d octets of MSN %d", q.mo, q.msn)
		v = ruleSendEnd.broken(v, fmt.Sprintf("MSN %d begins", u.MSN), want)
		r.doubtEnd(d.place, v[len(v)-1:])
		r.missed = 0
		return v
	case !within && u.MSN == q.msn-1 && u.MO == q.last && u.MO != 0:
		seen := fmt.Sprintf("MSN %d goes on at MO %d", u.MSN, u.MO)
		return ruleSendOver.broken(v, seen, fmt.Sprintf("MSN %d: L was set", q.msn))
	}
	return msnRule(d).broken(v, msn(u.MSN), msn(q.msn))
}

// msnRule returns the rule for the MSNs of a queue.
func msnRule(d *demand) *Rule {
	switch d.qn {
	case rdmap.QNReadRequest:
		return ruleReadMSN
	case rdmap.QNAtomicResponse:
		return ruleAtomicResponseMSN
	}
	return ruleSendMSN
}

// moRule returns the rule for the MOs of a queue.
func moRule(d *demand) *Rule {
	if d.qn == rdmap.QNReadRequest {
		return ruleReadMO
	}
	return ruleMO
}

// interrupts handles a segment that arrives while a message of another place is in progress. It returns the demands on
// the message that the segment belongs to. A Terminate may interrupt a message, which is then never finished.
func (r *Receiver) interrupts(s *rdmap.Segment, d *demand, v []Violation) (*demand, []Violation) {
	op := s.Control.Opcode
	others, found := r.open&^r.cut&^d.place, len(v)
	if other := r.otherTagged(s, d); other != nil {
		v = ruleTaggedChanged.broken(v, op.String(), "the rest of the "+r.openText(other.place))
		r.doubtEnd(others, v[found:])
		return other, v
	}
	// The continuation of an interrupted message is the same mistake.
	if op != rdmap.OpTerminate && r.cut&d.place == 0 {
		v = ruleInterleaved.broken(v, "a segment of a "+op.String(), "the rest of the "+r.openText(others))
	}
	if r.doubtEnd(others, v[found:]) && op != rdmap.OpTerminate {
		r.Gap() // as if it had ended: nothing else was received since the last one
		r.missed = 0
	}
	r.cut |= others & r.open
	return d, v
}

// doubtEnd marks violations that rest on a message in one of some places being without its end, and reports whether a gap may
// hold that.
func (r *Receiver) doubtEnd(in places, v []Violation) bool {
	missed := r.missed&in != 0
	if missed {
		Doubtful(v, Lost)
	}
	return missed
}

// otherTagged returns the demands on the other kind of tagged message, if a segment continues one in progress.
func (r *Receiver) otherTagged(s *rdmap.Segment, d *demand) *demand {
	switch {
	case d.place == placeWrite && r.answer.active && r.answer.follows(s):
		return &demands[rdmap.OpReadResponse]
	case d.place == placeResponse && r.write.active && r.write.follows(s):
		return &demands[rdmap.OpWrite]
	}
	return nil
}

// openText names a message in progress in one of some places.
func (r *Receiver) openText(in places) string {
	switch {
	case in&placeWrite != 0:
		return rdmap.OpWrite.String()
	case in&placeResponse != 0:
		return rdmap.OpReadResponse.String()
	}
	for i := range r.queues {
		if in>>i&1 != 0 {
			return fmt.Sprintf("%v with MSN %d", r.queues[i].opcode, r.queues[i].msn)
		}
	}
	return "previous message"
}

func messageText(op rdmap.Opcode, stag uint32) string {
	if op.HasInvalidateSTag() {
		return op.String() + " of " + hex32(stag)
	}
	return op.String()
}

func msn(n uint32) string { return fmt.Sprintf("MSN %d", n) }

func mo(n uint32) string { return fmt.Sprintf("MO %d", n) }
