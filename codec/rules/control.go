package rules

// Messages that consist of an RDMAP header without ULP payload: their length and their fields.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

var (
	// The documents do not forbid to split these messages, but each fits in the smallest MULPDU, of 128 octets. The
	// Verbs forbid it, and peers do not accept it.
	ruleLMissing = newRule("l-missing", Warning,
		"A message that is a header only must be one segment, with L set.",
		"MPA-4.5-4", "RDMAP-3.1-3", "DDP-4.1-3").situation(LMissing)
	ruleReadShort = newRule("read-short", Error,
		"A Read Request must have a header of 28 octets.", "RDMAP-4.2-1", "RDMAP-4.4-1").situation(ReadShort)
	ruleReadLong = newRule("read-long", Error,
		"A Read Request must carry nothing after its header of 28 octets.",
		"RDMAP-4.2-2", "RDMAP-4.4-1", "DDP-7.1-4").situation(ReadLong)
	ruleReadWrap = newRule("read-wrap", Error,
		"The source TO of a Read Request and the length asked for must not exceed 64 bits.", "RDMAP-7.2-13").situation(ReadWrap)
	ruleReadEnd = newRule("read-end", Note,
		"The source TO of a Read Request and the length asked for must stay below 2^64.", "RDMAP-7.2-13").situation(ReadWrap).
		lighter(exactly64)
	ruleImmediateLength = newRule("immediate-length", Error,
		"Immediate Data must be 8 octets long.", "RDMAPX-6.3-5", "RDMAPX-6.2-1", "RDMAPX-4.2-1").situation(ImmediateLength)
	ruleAtomicShort = newRule("atomic-short", Error,
		"An Atomic Request must have a header of 52 octets.", "RDMAPX-5.2.1-9", "RDMAPX-4.2-1").situation(AtomicShort)
	ruleAtomicLong = newRule("atomic-long", Error,
		"An Atomic Request must carry nothing after its header of 52 octets.",
		"RDMAPX-4.2-1", "RDMAPX-5.2.1-9", "DDP-7.1-4").situation(AtomicLong)
	ruleAtomicResponseLength = newRule("atomic-response-length", Error,
		"An Atomic Response must be a header of 12 octets.", "RDMAPX-5.2.2-9", "RDMAPX-4.2-1").
		in("iwarp_mpa.ulpdulength").situation(AtomicResponse)
	ruleAtomicAOpCode = newRule("atomic-aopcode", Error,
		"The AOpCode of an Atomic Request must be 0, FetchAdd, or 2, CmpSwap.",
		"RDMAPX-10.1-1", "RDMAPX-5.2.1-9").situation(AtomicAOpCode)

	ruleAtomicAlignment = newRule("atomic-alignment", Warning,
		"The target of an Atomic Request must be aligned to 64 bits.",
		"RDMAPX-5.2.1-13", "RDMAPX-5.1.1-2", "RDMAPX-5.1.2-3").situation(AtomicAlignment).
		lighter("The address must be aligned, of which the TO shows only an offset if the buffer " +
			"is zero-based.")
	ruleAtomicReserved = newRule("atomic-reserved", Error,
		"The reserved bits of an Atomic Request must be zero.", "RDMAPX-5.2.1-10").in("iwarp_rdma.atomic.reserved")

	ruleAtomicIgnored = newRule("atomic-ignored", Error,
		"A FetchAdd must have Compare Data zero and Compare Mask all ones.", "RDMAPX-5.2.1-14").
		in("iwarp_rdma.atomic.compare_data", "iwarp_rdma.atomic.compare_mask")
)

// control checks a segment of a message that is only a header: any but Sends and the Terminate.
func (r *Receiver) control(s *rdmap.Segment, d *demand, payload int, v []Violation) []Violation {
	q := &r.queues[d.qn]
	u := &s.Untagged
	op := s.Control.Opcode
	if op.IsRequest() && u.L {
		v = r.request(s, v)
	}
	// The rest was reported with the first segment.
	rest := q.known && u.MO != 0 && u.MO == q.mo
	if !q.follows(s) {
		v = r.misplaced(q, s, d, v)
	}
	length := int64(payload)
	if rest {
		length += int64(u.MO)
	}
	switch {
	case !u.L && !rest:
		v = ruleLMissing.broken(v, "L 0", "L 1 in a "+op.String())
	case u.L && length != int64(d.header) && (rest || u.MO == 0):
		v = lengthRule(op, length < int64(d.header)).broken(v, octets(length)+" after the DDP header", octets(d.header))
	case op == rdmap.OpAtomicRequest:
		v = checkAtomic(s, v)
	case op == rdmap.OpReadRequest:
		v = r.checkSource(s, v)
	}
	if op == rdmap.OpAtomicResponse && u.L {
		v = r.atomicResponse(s, v)
	}
	r.scattered = r.scattered && d.qn != rdmap.QNSend
	r.advance(q, s, d, payload)
	return v
}

// lengthRule returns the rule about the header's length. Each message that control checks has one.
func lengthRule(op rdmap.Opcode, short bool) *Rule {
	switch {
	case op == rdmap.OpReadRequest && short:
		return ruleReadShort
	case op == rdmap.OpReadRequest:
		return ruleReadLong
	case op == rdmap.OpAtomicRequest && short:
		return ruleAtomicShort
	case op == rdmap.OpAtomicRequest:
		return ruleAtomicLong
	case op == rdmap.OpAtomicResponse:
		return ruleAtomicResponseLength
	case op.IsImmediate():
		return ruleImmediateLength
	}
	return nil
}

// checkSource checks that the source of a Read ends within 64 bits. The source of a Read of zero octets means nothing
// (RFC 5040, section 5.2.1).
func (r *Receiver) checkSource(s *rdmap.Segment, v []Violation) []Violation {
	var h rdmap.ReadRequest
	if _, err := h.Decode(s.Body); err != nil || s.Untagged.MO != 0 {
		return v
	}
	end := h.SrcTO + uint64(h.RDMARDSZ)
	switch {
	case end >= h.SrcTO:
	case end > 0:
		v = ruleReadWrap.broken(v, reach(h.SrcTO, uint64(h.RDMARDSZ)), "at most 2^64")
	case r.profile.wrapsAt64():
		v = ruleReadEnd.broken(v, reach(h.SrcTO, uint64(h.RDMARDSZ)), "less than 2^64")
	}
	return v
}

// checkAtomic checks the fields of an Atomic Request.
func checkAtomic(s *rdmap.Segment, v []Violation) []Violation {
	var h rdmap.AtomicRequest
	if _, err := h.Decode(s.Body); err != nil || s.Untagged.MO != 0 {
		return v
	}
	if !h.AOpCode.Known() {
		v = ruleAtomicAOpCode.broken(v, fmt.Sprintf("AOpCode %d", h.AOpCode), "AOpCode 0 or 2")
	}
	if h.RemoteTaggedOffset%8 != 0 {
		v = ruleAtomicAlignment.broken(v, "TO "+hex64(h.RemoteTaggedOffset), "a multiple of 8")
	}
	if h.Reserved != 0 {
		v = ruleAtomicReserved.broken(v, fmt.Sprintf("Reserved 0x%07x", h.Reserved), "Reserved 0")
	}
	if h.AOpCode == rdmap.FetchAdd && (h.CompareData != 0 || h.CompareMask != 1<<64-1) {
		seen := "Compare Data " + hex64(h.CompareData) + " Mask " + hex64(h.CompareMask)
		v = ruleAtomicIgnored.broken(v, seen, "Data 0, Mask all ones")
	}
	return v
}
