package judge

// Where to look next for a cause, and what shows that. The general advice is in observations.go and, for the codes of Terminates, in meanings.go.

import (
	"cmp"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// evidence is the segment that a finding is about, if its header was kept.
func (w *writer) evidence(f *record.Finding) record.Evidence {
	if t := f.Termination; t != nil {
		return record.Evidence{Span: t.Culprit.Span, Octets: t.Header}
	}
	if fault := w.blame.faults[f.Dir]; fault != nil && fault.Span == f.Span {
		n := ddp.HeaderLen(fault.header) + fault.opcode.RDMAPHeaderLen()
		return record.Evidence{Span: f.Span, Octets: fault.header[:min(n, len(fault.header))]}
	}
	return record.Evidence{}
}

// advice says where to look next for what led to a cause, and what to ask iwarp explain about it.
func (w *writer) advice(f *record.Finding) (text, explain string) {
	o := LookupObservation(f.Name)
	switch t := f.Termination; {
	case f.Deviation != nil:
		return sentence("This is a known deviation: %s. %s See whether another version does it too.", f.Deviation.Why, cmp.Or(f.Deviation.Remedy, "Avoid what brings it about.")), f.Name
	case w.isStrange(f):
		return sentence("See which service the client means, at which address and port the server has it, and what the server runs here: one side "+
			"speaks %s, the other does not.", w.verdict.ULP), f.Name
	case o == nil && f.Rule != nil && f.Rule.Upper:
		return sentence("The %v layer of the %v made this, not its RNIC. Compare its version with one that works, and see what its log says at "+
			"that time.", w.verdict.ULP, flow.Sender(f.Dir)), f.Name
	case f.Rule == rules.RuleFPDUCRC:
		return "The RNIC or driver of the sender computed it wrong, a program changed its buffer while that was sent, or octets " +
			"changed on the way without the checksum of TCP: in memory, an adapter or a middlebox. If all FPDUs of the sender are wrong (see iwarp stats), it is the sender; if few are, capture at both ends and compare.", f.Name
	case o == nil:
		return "The RNIC or driver of the sender made this. Compare its version with one that works, and see what its log says " +
			"at that time.", f.Name
	case o == ObsUnansweredUpper && !w.lossy(1-f.Dir) && w.progress[1-f.Dir].latest.LastFrame < f.LastFrame:
		return nothingCameAdvice(flow.Sender(1 - f.Dir)), o.ID
	case o == ObsUnreachable && w.conn.Traffic[f.Dir].ICMP.MTU > 0:
		return sentence("Set the MTU of both hosts to at most %d, or clamp the MSS on the way, and see why the %v does not send smaller packets after the "+
			"ICMP error.", w.conn.Traffic[f.Dir].ICMP.MTU, flow.Sender(f.Dir)), o.ID
	case o == ObsUnreachable && w.conn.Traffic[f.Dir].ICMP.Kind == flow.Prohibited:
		return sentence("A firewall on %v, which may be a router on the way, rejects what the %v sends: let connections to port %d pass.",
			w.conn.Traffic[f.Dir].ICMP.From, flow.Sender(f.Dir), w.conn.Server.Port()), o.ID
	case o == ObsRejected && asksWithinIRD(w.conn):
		return "The application on the server refused, or ended before it answered: see its log." + reasonText(w.conn), o.ID
	case t != nil && ownSink(t):
		return sentence("Look at the program on the %v: at the sink buffer that its Read Request named, its STag, its length, and the right to write to it.",
			flow.Sender(t.Terminate.Dir)), t.Code.String()
	case t != nil && ownReceive(t):
		return sentence("Look at how the program on the %v registers its receive buffers, and with which STags it posts them.", flow.Sender(t.Terminate.Dir)), t.Code.String()
	case t != nil && wrongSTag(t):
		return sentence("Look at where the program on the %v takes the STag from. %s", flow.Sender(t.Culprit.Dir), newSTagEachTime), t.Code.String()
	case t != nil && t.Advertised != nil && slices.Contains(t.Situations, rules.WriteAccess):
		return sentence("The STag is the advertised one, and nothing in the capture invalidated it: look at whether the program on the %v registered the memory "+
			"for remote writes, and whether it is still registered.", flow.Sender(t.Terminate.Dir)), t.Code.String()
	case t != nil && t.Code.String() == noBuffer && t.Blame != record.NoBlame:
		return noBufferAdvice(t) + w.alsoSent(t), noBuffer
	case t != nil:
		if lengthText(t) != "" {
			return sentence("Look at where the program on the %v takes the length of the %v from: what was advertised seems to be shorter.",
				flow.Sender(t.Culprit.Dir), strings.TrimSuffix(t.Opcode.String(), "Request")), t.Code.String()
		}
		m := meaningFor(t.Code, t.Opcode)
		if c := &m.compare; c.fields != "" && t.Blame != record.NoBlame {
			return sentence("Compare %s of the %s with %s", c.fields, cmp.Or(c.of, t.Opcode.String()), c.with), t.Code.String()
		}
		if look := m.LookFor(); look != "" {
			in := strings.NewReplacer("that is enclosed", "that the Terminate encloses", "the host that sent it", sentence("the %v", flow.Sender(t.Terminate.Dir)))
			return "Look for " + in.Replace(look) + w.alsoSent(t), t.Code.String()
		}
		return o.Advice, t.Code.String()
	}
	return o.Advice, o.ID
}

// remarks are those about a cause, of the peers that the side may be whose doing it is.
func (w *writer) remarks(cause *candidate) string {
	d := direction(w.verdict.Culprit)
	switch {
	case w.verdict.Culprit == flow.Nobody:
		return ""
	case cause.Name == ObsCRCsRefused.Name:
		d = flow.C2S // the Reply that it is about came from the other side
	}
	about, _, _ := strings.Cut(cause.statement.about, ",") // the rest of a status is what it is about
	return w.blame.who[d].remarks(cause.Name) + w.blame.who[d].remarks(about)
}

// alsoSent says where RNICs, of those that the sender of a Terminate may be, send its code although the RFCs have another. If one situation alone is
// possible, the finding says it.
func (w *writer) alsoSent(t *record.Termination) (text string) {
	possible, op := t.Situations, t.Opcode
	var h rdmap.Header
	switch _, err := h.Decode(w.blame.sought[t.Terminate.Dir]); {
	case len(possible) == 1:
		return ""
	case t.Blame == record.NoBlame && err == nil:
		op = h.Control.Opcode
		possible = slices.Collect(rules.Hidden(op))
	}
	for _, p := range w.blame.who[t.Terminate.Dir].candidates(flow.RNIC) {
		for _, s := range possible {
			if d := &rules.Situations[s]; p.Answer(s).Codes.Accepts(t.Code) && !d.RFC.Codes.Accepts(t.Code) && !d.Also.Accepts(t.Code) {
				text += sentence(" %s also sends this code if %s.", p.Called(), s.TextFor(op))
			}
		}
	}
	return text
}

// newSTagEachTime says why an STag has another key than expected.
const newSTagEachTime = "Every registration of the memory gets a new STag; an old one is no longer valid."

// nothingCameAdvice speaks of a request of an upper layer after which the other side sent nothing.
func nothingCameAdvice(silent flow.Party) string {
	return sentence("The %[1]v sent no message after the request, not even an RDMA Read or Write for it: it is waiting, or has dropped the request. See "+
		"what the %[1]v waits for, such as a daemon, a disk or a lock.", silent)
}

// asksWithinIRD reports whether the MPA frames show that the client's ORD does not exceed the server's IRD.
func asksWithinIRD(c *flow.Conn) bool {
	asked, offered, ok := enhanced(c)
	return ok && offered.IRD|offered.ORD != 0 && asked.ORD <= offered.IRD
}

// reasonText says that the Private Data of a rejection may have the reason; empty if there is none.
func reasonText(c *flow.Conn) string {
	if c.Reply.ULPPrivateDataLen() == 0 {
		return ""
	}
	return " The Private Data of the MPA Reply may have the reason too."
}

// noBufferAdvice speaks of the queue for which a refused message had no buffer.
func noBufferAdvice(t *record.Termination) string {
	switch {
	case !t.Opcode.ConsumesReceive():
		return "Look at " + lookAtReads
	case slices.Contains(t.Situations, rules.SendTooLong) && !slices.Contains(t.Situations, rules.SendNoBuffer):
		return "Look at " + lookAtLength
	}
	return "Look at " + lookAtSends
}
