package judge

// The search for the segment that a Terminate is about.

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/match"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A culprit is the segment that a Terminate is about.
type culprit struct {
	rules.Culprit
	record.Origin
	opcode  rdmap.Opcode
	number  int            // in the history; 0 if it is known only as a request, or as a fault
	fault   *fault         // the error that was found in it; nil if none was
	request *match.Request // it is the request of this Transaction, which is not over; else nil
}

// culprit finds the segment of direction d that a Terminate is about; nil if there is none, or none is found.
func (b *blame) culprit(d flow.Direction, t *rdmap.Terminate, cause *record.Termination) *culprit {
	if t.HasHeader {
		if k := b.byHeader(d, &t.Header); k != nil {
			cause.Blame = record.BlameByHeader
			return k
		}
	}
	if t.HasReadRequest {
		if k := b.byRequest(d, &t.ReadRequest); k != nil {
			cause.Blame = record.BlameByRequest
			return k
		}
	}
	k := b.byPosition(d, t)
	if k != nil {
		cause.Blame = record.BlameByPosition
	}
	return k
}

// byHeader finds the latest segment with a DDP header.
func (b *blame) byHeader(d flow.Direction, h *rdmap.Header) *culprit {
	want, err := h.AppendBinary(nil)
	if err != nil {
		return nil
	}
	if f := b.faults[d]; f != nil && bytes.HasPrefix(f.header, want) {
		return b.faulty(f)
	}
	for p, number := range b.history.back(b.latest[d]) {
		if bytes.Equal(p.header(), want) {
			return b.past(d, p, number)
		}
	}
	return nil
}

// byRequest finds the Read Request that is not over and has an RDMAP header, if need be with the octets that were
// answered already taken off it.
func (b *blame) byRequest(d flow.Direction, h *rdmap.ReadRequest) *culprit {
	for r := range b.requests.All(d) {
		if n := r.Read.RDMARDSZ - h.RDMARDSZ; r.Kind == record.ReadTransaction && n <= r.Read.RDMARDSZ && *h == r.Read.Advanced(n) {
			return b.asked(r)
		}
	}
	return nil
}

// byPosition is the first segment with an error, or the latest that can have the one that is reported.
func (b *blame) byPosition(d flow.Direction, t *rdmap.Terminate) *culprit {
	if isLocal(t.Code) || isCatastrophic(t.Code) || ofStartup(t.Code) {
		return nil
	}
	f := b.faults[d]
	if llp := t.Code.Layer == rdmap.LayerLLP; f != nil && (!llp || f.framing) {
		return b.faulty(f)
	} else if llp {
		return nil
	}
	if t.HasHeader {
		for p, number := range b.history.back(b.latest[d]) {
			if p.opcode() == t.Header.Control.Opcode {
				return b.past(d, p, number)
			}
		}
	}
	for p, number := range b.history.back(b.latest[d]) {
		if mayHave(t.Code, p.opcode()) {
			return b.past(d, p, number)
		}
	}
	return nil
}

// mayHave reports whether a code is one for errors of messages with an opcode (RFC 5040, figure 10).
func mayHave(code rdmap.Code, o rdmap.Opcode) bool {
	switch {
	case code.Layer == rdmap.LayerDDP && code.EType == rdmap.DDPTaggedBuffer:
		return o.Tagged()
	case code.Layer == rdmap.LayerDDP && code.EType == rdmap.DDPUntaggedBuffer:
		return !o.Tagged()
	case code.Layer == rdmap.LayerRDMAP && code.EType == rdmap.RDMAPRemoteProtection:
		return o.IsRequest() || o.HasInvalidateSTag()
	}
	return true
}

// inRange reports whether the TO of a Read Request or tagged segment, and its length, are known not to wrap.
func (k *culprit) inRange() bool {
	var s rdmap.Segment
	if _, err := s.Decode(k.Header); err != nil {
		return false
	}
	_, to, _ := memoryOf(&s)
	n := k.octets(&s)
	return (s.T || n > 0) && to+n >= to
}

// octets is how many octets the culprit, decoded as s, places or asks for.
func (k *culprit) octets(s *rdmap.Segment) uint64 {
	if s.T {
		return uint64(max(k.ULPDU-ddp.TaggedLen, 0))
	}
	return uint64(askedBy(s))
}

// faulty makes a culprit of a segment in which an error was found.
func (b *blame) faulty(f *fault) *culprit {
	return &culprit{
		Culprit: rules.Culprit{Header: f.header, ULPDU: f.ulpdu, Violations: []rules.Violation{f.violation}},
		Origin:  f.Origin, opcode: f.opcode, fault: f, request: b.requestOf(f.Dir, f.header),
	}
}

// past makes a culprit of a past segment.
func (b *blame) past(d flow.Direction, p *past, number int) *culprit {
	k := &culprit{
		Culprit: rules.Culprit{Header: bytes.Clone(p.header()), ULPDU: int(p.ulpdu)},
		Origin:  record.Origin{Conn: b.conn, Dir: d, Span: p.span}, opcode: p.opcode(), number: number,
	}
	if k.request = b.requestOf(d, k.Header); k.request != nil {
		k.enclose()
	}
	return k
}

// asked makes a culprit of a Read Request.
func (b *blame) asked(r *match.Request) *culprit {
	version := b.conn.Agreement.DDPVersion
	h := rdmap.Header{
		Control:  rdmap.Control{RV: version, Opcode: rdmap.OpReadRequest},
		Untagged: ddp.Untagged{L: true, DV: version, QN: rdmap.QNReadRequest, MSN: r.MSN},
	}
	k := &culprit{
		Origin: record.Origin{Conn: b.conn, Dir: r.Dir, Span: r.Request}, opcode: rdmap.OpReadRequest, request: r,
	}
	k.Header, _ = h.AppendBinary(nil)
	k.ULPDU = len(k.Header) + rdmap.ReadRequestLen
	k.enclose()
	return k
}

// enclose puts the RDMAP header of the request after the DDP header, if it was captured.
func (k *culprit) enclose() {
	if k.request.Cut {
		return
	}
	if k.request.Kind == record.ReadTransaction {
		k.Header, _ = k.request.Read.AppendBinary(k.Header)
	} else {
		k.Header, _ = k.request.Atomic.AppendBinary(k.Header)
	}
	k.Answered = k.request.Octets
}

// requestOf is the Transaction, if it is not over, whose request begins with these octets; else nil.
func (b *blame) requestOf(d flow.Direction, header []byte) *match.Request {
	var h rdmap.Header
	if _, err := h.Decode(header); err != nil || h.T {
		return nil
	}
	kind := record.ReadTransaction
	switch h.Control.Opcode {
	case rdmap.OpReadRequest:
	case rdmap.OpAtomicRequest:
		kind = record.AtomicTransaction
	default:
		return nil
	}
	for r := range b.requests.All(d) {
		if r.Kind == kind && r.MSN == h.Untagged.MSN {
			return r
		}
	}
	return nil
}
