package rnicsim

// The peer's access to memory: placing Writes and Read Responses, reading for Reads, and Atomics (Verbs, sections 7.6.3
// and 7.10.6; RFC 7306, section 5).

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
)

// remote finds n octets that the peer names, which need the given rights. If n is 0, nothing is checked (Verbs,
// sections 7.6.3 and 7.10.6.2). The caller checks remoteRead and remoteWrite.
func (a *access) remote(stag STag, to, n uint64, rights Rights) (p *place, offset uint64, f fault) {
	if n == 0 {
		return nil, 0, faultless
	}
	s := a.rnic.lookup(stag)
	switch {
	case s == nil || !s.valid || s.key != stag.Key():
		return nil, 0, faultSTag
	case s.window && s.user != a, !s.window && s.pd != a.pd:
		return nil, 0, faultPD
	case !s.rights.has(rights):
		return nil, 0, faultRights
	}
	return s.locate(to, n)
}

// tolerated finds octets like remote. It ignores a wrong PD or wrong rights if a quirk suppresses the problem.
func (a *access) tolerated(stag STag, to, n uint64, rights Rights, problems *faults) (*place, uint64, fault) {
	p, offset, f := a.remote(stag, to, n, rights)
	if (f == faultPD || f == faultRights) && a.rnic.quirks.Ignores(problems[f].situation) {
		return a.rnic.lookup(stag).locate(to, n)
	}
	return p, offset, f
}

// source finds n octets of the source of a Read Request. wraps is set if TO and length exceed 64 bits, as the Profile
// counts it.
func (a *access) source(stag STag, to, n uint64, wraps bool) (*place, uint64, fault) {
	p, offset, f := a.tolerated(stag, to, n, RemoteRead, &sourceProblems)
	return p, offset, f.wrapped(wraps)
}

// wrapped returns f, or faultWrap if wraps is set, which comes before faultBounds.
func (f fault) wrapped(wraps bool) fault {
	if wraps && (f == faultless || f == faultBounds) {
		return faultWrap
	}
	return f
}

// place copies the payload of a tagged segment into the memory that it names.
func (a *access) place(s *rdmap.Segment, wraps bool) (p problem, bad bool) {
	if len(s.Body) == 0 {
		return p, false // STag and TO mean nothing
	}
	to, offset, f := a.tolerated(STag(s.Tagged.STag), s.Tagged.TO, uint64(len(s.Body)), RemoteWrite, &sinkProblems)
	f = f.wrapped(wraps)
	switch {
	case (f == faultless || f >= faultRights) && !a.remoteWrite:
		return writeDisabled, true
	case f != faultless:
		return sinkProblems[f], true
	}
	to.put(offset, s.Body)
	return p, false
}

// atomicLen is the length in octets of the operand of an Atomic.
const atomicLen = 8

// target finds the memory of an Atomic Request. It needs the rights to read and to write, since RFC 7306 defines no right
// of its own.
func (a *access) target(h *rdmap.AtomicRequest) (*place, uint64, problem, bool) {
	if !a.remoteWrite {
		p := atomicProblems[faultRights]
		p.event = RemoteWriteNotEnabled
		return nil, 0, p, true
	}
	stag := STag(h.RemoteSTag)
	to, offset, f := a.tolerated(stag, h.RemoteTaggedOffset, atomicLen, RemoteRead|RemoteWrite, &atomicProblems)
	if (f == faultless || f == faultWrap || f == faultBounds) && !a.rnic.lookup(stag).aligned(h.RemoteTaggedOffset) {
		return nil, 0, problem{situation: rules.AtomicAlignment, event: events[rules.AtomicAlignment]}, true
	}
	return to, offset, atomicProblems[f], f != faultless
}

// atomic executes an Atomic Request and returns the value before it. Values in memory are little-endian, as on nearly
// all hosts of RNICs; on the wire they are big-endian (RFC 7306, section 5).
func (a *access) atomic(h *rdmap.AtomicRequest) (old uint64, p problem, bad bool) {
	to, offset, p, bad := a.target(h)
	if bad {
		return 0, p, true
	}
	var octets [atomicLen]byte
	old = binary.LittleEndian.Uint64(to.append(octets[:0], offset, atomicLen))
	result, _ := h.Apply(old)
	binary.LittleEndian.PutUint64(octets[:], result)
	to.put(offset, octets[:])
	return old, p, false
}

// checkRequest checks that the memory of a Read or Atomic Request can be used.
func (a *access) checkRequest(s *rdmap.Segment, wraps bool) (p problem, bad bool) {
	if s.Control.Opcode == rdmap.OpAtomicRequest {
		var h rdmap.AtomicRequest
		h.Decode(s.Body)
		_, _, p, bad = a.target(&h)
		return p, bad
	}
	var h rdmap.ReadRequest
	h.Decode(s.Body)
	_, _, f := a.source(STag(h.SrcSTag), h.SrcTO, uint64(h.RDMARDSZ), wraps)
	return sourceProblems[f], f != faultless
}
