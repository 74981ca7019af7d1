package rules

// The demands on every header: its length, its versions, its reserved bits, and the agreement of opcode, T bit and QN.

import (
	"fmt"
	"math/bits"
	"strconv"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

var (
	ruleDDPShort = newRule("ddp-short", Error,
		"A ULPDU must hold a complete DDP header: 14 octets if its T bit is set, 18 if it is clear.",
		"DDP-4.4-1", "DDP-4.2-1", "DDP-4.3-1", "RDMAP-3.1-1").situation(DDPShort)
	ruleDDPVersionTagged = newRule("ddp-version-tagged", Error,
		"The DDP version of a tagged segment must be the one agreed on, the same in all segments of both directions.",
		"DDP-4.1-10", "DDP-4.1-11", "MPA-3-9", "MPA-C.1-1", "MPA-C.2.5-1").situation(DDPVersionTagged)
	ruleDDPVersionUntagged = newRule("ddp-version-untagged", Error,
		"The DDP version of an untagged segment must be the one agreed on, the same in all segments of both directions.",
		"DDP-4.1-10", "DDP-4.1-11", "MPA-3-9", "MPA-C.1-1", "MPA-C.2.5-1").situation(DDPVersionUntagged)
	ruleRDMAPVersion = newRule("rdmap-version", Error,
		"The RDMAP version must be the DDP version.",
		"RDMAP-4.1-7", "MPA-C.1-1", "MPA-3-9", "D00-6.1-1").situation(RDMAPVersion)
	ruleRDMACVersion = newRule("rdmac-version", Note,
		"The version of DDP and RDMAP must be 1.", "DDP-4.1-10", "RDMAP-4.1-7").in("iwarp_ddp.dv", "iwarp_rdma.version").
		lighter("Version 0 is that of the RDMA Consortium, which peers may agree on (RFC 5044, appendix C); the profile rdmac " +
			"checks against its documents.")
	ruleOpcode = newRule("opcode", Error,
		"The opcode must be assigned, and defined in the version of the stream.",
		"RDMAP-4.1-5", "RDMAPX-4.1-1", "RDMAPX-4.1-2", "IANA-3.4-1", "RDMAP-4.1-1").situation(OpcodeUnknown)
	ruleOpcodeT = newRule("opcode-t", Error,
		"The T bit must fit the opcode: set in a Write and a Read Response, clear otherwise.",
		"RDMAP-4.1-4", "RDMAP-5.1-1", "RDMAP-5.2.1-1", "RDMAP-5.2.2-2", "RDMAP-5.3-1",
		"RDMAPX-4.1-2", "RDMAPX-5.2.1-1", "RDMAPX-5.2.2-2", "RDMAPX-6.3-1").situation(OpcodeT)
	ruleQNUndefined = newRule("qn-undefined", Error,
		"The QN must be one that RDMAP uses: 0 to 3.",
		"RDMAP-3.1-2", "RDMAPX-10.2-1", "DDP-7.1-1").situation(QNUndefined)
	ruleQNOpcode = newRule("qn-opcode", Error,
		"The QN must fit the opcode: 0 for Sends and Immediate Data, 1 for Read and Atomic Requests, 3 for Atomic Responses.",
		"RDMAP-4.1-6", "RDMAP-5.2.1-6", "RDMAP-5.3-8", "DDP-4.3-6",
		"RDMAPX-4.1-5", "RDMAPX-5-5", "RDMAPX-5.2-1", "RDMAPX-5.2-2", "RDMAPX-5.2.1-5", "RDMAPX-5.2.2-3", "RDMAPX-6.3-4").situation(QNOpcode)
	ruleDDPReserved = newRule("ddp-reserved", Error,
		"The reserved bits of the DDP control octet must be zero.", "DDP-4.1-8").in("iwarp_ddp.rsvd")
	ruleRDMAPReserved = newRule("rdmap-reserved", Error,
		"The reserved bits of the RDMAP control octet must be zero.", "RDMAP-4.1-8", "RDMAPX-4.1-5").in("iwarp_rdma.rsv")
	ruleReservedSTag = newRule("reserved-stag", Error,
		"The Invalidate STag field of a message that invalidates nothing must be zero.", "RDMAP-4.1-10", "RDMAPX-4.1-3").
		in("iwarp_rdma.inval_stag")
	ruleInvalidateNone = newRule("invalidate-none", Note,
		"A Send with Invalidate must name the STag that it invalidates.", "RDMAP-4.1-3").in("iwarp_rdma.inval_stag").
		lighter("An STag may be 0, but no RNIC is known to hand it out, and some senders forget to set the field.")
)

// A demand is what an opcode demands of a segment.
type demand struct {
	tagged      bool
	invalidates bool
	asks        bool // it is a request
	answers     bool // it is a response
	qn          uint32
	header      int // octets of its RDMAP header
	place       places
}

// demands is indexed by opcode.
var demands = func() (all [16]demand) {
	for i := range all {
		op := rdmap.Opcode(i)
		d := demand{tagged: op.Tagged(), invalidates: op.HasInvalidateSTag(), header: op.RDMAPHeaderLen()}
		d.asks, d.answers = op.Descriptor().Answer != 0, op.IsResponse()
		if qn, ok := op.QN(); ok {
			d.qn, d.place = qn, 1<<qn
		}
		switch op {
		case rdmap.OpWrite:
			d.place = placeWrite
		case rdmap.OpReadResponse:
			d.place = placeResponse
		}
		all[i] = d
	}
	return all
}()

// cleanHeader reports whether a header alone is correct.
func (r *Receiver) cleanHeader(s *rdmap.Segment, d *demand) bool {
	if r.assigned>>(s.Control.Opcode&15)&1 == 0 || s.T != d.tagged || s.Control.RV != r.version || s.Control.Rsv != 0 {
		return false
	}
	if s.T {
		return s.Tagged.DV == r.version && s.Tagged.Rsvd == 0
	}
	return s.Untagged.DV == r.version && s.Untagged.Rsvd == 0 && s.Untagged.QN == d.qn &&
		(s.InvalidateSTag != 0) == d.invalidates
}

// badHeader appends the violations of a header. ok is false if it does not show which message the segment belongs to.
func (r *Receiver) badHeader(s *rdmap.Segment, d *demand, ulpduLen int, v []Violation) (_ []Violation, ok bool) {
	if ulpduLen < s.Header.Len() {
		r.Gap()
		if ulpduLen == 0 {
			return v, false // CheckFPDU reports that
		}
		return ruleDDPShort.broken(v, octets(ulpduLen), octets(s.Header.Len())), false
	}
	v = r.checkVersions(s, v)
	op := s.Control.Opcode
	switch {
	case r.assigned>>(op&15)&1 == 0:
		v = ruleOpcode.broken(v, opcodeName(op)+" in version "+digit(r.version), r.opcodesText())
	case s.T != d.tagged:
		v = opcodeRule(op, ruleOpcodeT).broken(v, "T "+flag(s.T)+" in a "+op.String(), "T "+flag(d.tagged))
	case !s.T && s.Untagged.QN >= queues:
		v = opcodeRule(op, ruleQNUndefined).broken(v, qn(s.Untagged.QN), qn(d.qn)+" for a "+op.String())
	case !s.T && s.Untagged.QN != d.qn:
		v = opcodeRule(op, ruleQNOpcode).broken(v, qn(s.Untagged.QN), qn(d.qn)+" for a "+op.String())
	default:
		ok = true
	}
	if !ok {
		r.Gap()
		r.terminated = op == rdmap.OpTerminate
	}
	return r.checkReserved(s, d, v), ok
}

// opcodeRule returns the rule that a segment of an opcode breaks: no Terminate answers a Terminate.
func opcodeRule(op rdmap.Opcode, rule *Rule) *Rule {
	if op == rdmap.OpTerminate {
		return ruleTerminateQueue
	}
	return rule
}

// checkVersions checks DV and RV. A segment entirely of another version has one fault: DDP checks its version first. A
// wrong pair that recurs is reported once.
func (r *Receiver) checkVersions(s *rdmap.Segment, v []Violation) []Violation {
	dv, rv := s.DV(), s.Control.RV
	if r.version == unknownVersion {
		r.learnVersion(dv, rv)
	}
	pair := uint16(1) << (dv<<2&12 | rv&3)
	if dv == r.version && rv == r.version || r.reported&pair != 0 {
		return v
	}
	r.reported |= pair
	want := "1"
	if r.version != unknownVersion {
		want = digit(r.version)
	}
	if dv != r.version {
		rule := ruleDDPVersionUntagged
		if s.T {
			rule = ruleDDPVersionTagged
		}
		v = rule.broken(v, "DV "+digit(dv), "DV "+want)
	}
	if rv != r.version && rv != dv {
		v = ruleRDMAPVersion.broken(v, "RV "+digit(rv), "RV "+want)
	}
	return v
}

// checkReserved checks the bits that a receiver ignores.
func (r *Receiver) checkReserved(s *rdmap.Segment, d *demand, v []Violation) []Violation {
	rsvd := s.Untagged.Rsvd
	if s.T {
		rsvd = s.Tagged.Rsvd
	}
	if rsvd != 0 {
		v = ruleDDPReserved.broken(v, fmt.Sprintf("Rsvd %04b", rsvd), "Rsvd 0000")
	}
	if s.Control.Rsv != 0 {
		v = ruleRDMAPReserved.broken(v, fmt.Sprintf("Rsv %02b", s.Control.Rsv), "Rsv 00")
	}
	if s.InvalidateSTag != 0 && !d.invalidates && !d.tagged && s.Control.Opcode.Known() {
		v = ruleReservedSTag.broken(v, hex32(s.InvalidateSTag)+" in a "+s.Control.Opcode.String(), hex32(0))
	}
	if s.InvalidateSTag == 0 && d.invalidates && !s.T && s.Untagged.MO == 0 {
		v = ruleInvalidateNone.broken(v, "STag "+hex32(0), "an STag")
	}
	return v
}

// checkRDMAC reports once per stream that it has the version of the RDMA Consortium.
func (r *Receiver) checkRDMAC(v []Violation) []Violation {
	const pair = 1 << (rdmap.VersionRDMAC<<2 | rdmap.VersionRDMAC)
	if r.reported&pair != 0 || r.profile.Edition != IETF {
		return v
	}
	r.reported |= pair
	return ruleRDMACVersion.broken(v, "version 0", "version 1")
}

func (r *Receiver) opcodesText() string {
	return "an opcode from 0 to " + strconv.Itoa(bits.Len16(r.assigned)-1)
}

func opcodeName(op rdmap.Opcode) string {
	if op == rdmap.OpExperimental {
		return "experimental opcode 15"
	}
	if op.Known() {
		return fmt.Sprintf("opcode %d, %v,", op, op)
	}
	return fmt.Sprintf("opcode %d", op)
}

// How a Violation writes values.

func octets[N int | int64](n N) string { return fmt.Sprintf("%d octets", n) }

func qn(n uint32) string { return fmt.Sprintf("QN %d", n) }

func hex32(n uint32) string { return fmt.Sprintf("0x%08x", n) }

func hex64(n uint64) string { return fmt.Sprintf("0x%016x", n) }

func digit(n uint8) string { return fmt.Sprintf("%d", n) }

func flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}
