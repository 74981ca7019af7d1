package judge

// What a Terminate is about, in sentences.

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// describe fills in what a Termination says of the culprit.
func (k *culprit) describe(cause *record.Termination, stags *stags) {
	cause.Culprit, cause.Opcode, cause.Header = k.Origin, k.opcode, k.Header
	if k.fault != nil && k.fault.framing {
		cause.Message = "FPDU in " + frames(k.Conn, k.Span)
		return
	}
	var s rdmap.Segment
	s.Decode(k.Header)
	cause.Octets = k.octets(&s)
	cause.Message, cause.Target = sentence("%v in %s", k.opcode, frames(k.Conn, k.Span)), target(&s)
	if stag, _, ok := memoryOf(&s); ok {
		cause.Unadvertised = k.opcode != rdmap.OpReadResponse && stags.unadvertised(k.Conn, k.Dir)
		cause.Invalidated = stags.invalidatedBefore(k.Dir, stag, k.opcode.HasInvalidateSTag())
	}
}

// target is what a segment names: where it goes, or what it asks for.
func target(s *rdmap.Segment) string {
	stag, to, _ := memoryOf(s)
	switch o := s.Control.Opcode; {
	case s.T:
		return sentence("STag 0x%08x, TO %#x", stag, to)
	case o == rdmap.OpReadRequest && len(s.Body) >= rdmap.ReadRequestLen:
		return sentence("%s of STag 0x%08x at TO %#x", quantity.Count(askedBy(s), "octet"), stag, to)
	case o == rdmap.OpAtomicRequest && len(s.Body) >= rdmap.AtomicRequestLen:
		var a rdmap.AtomicRequest
		a.Decode(s.Body)
		return sentence("%v at STag 0x%08x, TO %#x", a.AOpCode, stag, to)
	case o.HasInvalidateSTag():
		return sentence("MSN %d, invalidates STag 0x%08x", s.Untagged.MSN, stag)
	}
	if s.Untagged.MO > 0 {
		return sentence("MSN %d, MO %d", s.Untagged.MSN, s.Untagged.MO)
	}
	return sentence("MSN %d", s.Untagged.MSN)
}

// enclosed is what a Terminate encloses of a segment: "Write (STag 0x1, TO 0x0)"; empty if that is nothing.
func enclosed(t *rdmap.Terminate) string {
	if !t.HasHeader {
		return ""
	}
	s := rdmap.Segment{Header: t.Header}
	if t.HasReadRequest {
		s.Body, _ = t.ReadRequest.AppendBinary(nil)
	}
	return sentence("%v (%s)", s.Control.Opcode, target(&s))
}

// memoryOf is the memory of the receiver that a segment names: the STag, and the TO; of a Send with Invalidate, the STag alone. ok is false if it
// names none, or was cut short.
func memoryOf(s *rdmap.Segment) (stag uint32, to uint64, ok bool) {
	switch o := s.Control.Opcode; {
	case s.T:
		return s.Tagged.STag, s.Tagged.TO, true
	case o == rdmap.OpReadRequest && len(s.Body) >= rdmap.ReadRequestLen:
		var r rdmap.ReadRequest
		r.Decode(s.Body)
		return r.SrcSTag, r.SrcTO, true
	case o == rdmap.OpAtomicRequest && len(s.Body) >= rdmap.AtomicRequestLen:
		var a rdmap.AtomicRequest
		a.Decode(s.Body)
		return a.RemoteSTag, a.RemoteTaggedOffset, true
	}
	return s.InvalidateSTag, 0, s.Control.Opcode.HasInvalidateSTag()
}

// askedBy is how many octets a Read Request asks for; 0 if a segment is none.
func askedBy(s *rdmap.Segment) uint32 {
	if s.Control.Opcode != rdmap.OpReadRequest || len(s.Body) < rdmap.ReadRequestLen {
		return 0
	}
	var r rdmap.ReadRequest
	r.Decode(s.Body)
	return r.RDMARDSZ
}

// targetOf is [memoryOf] for a header.
func targetOf(header []byte) (stag uint32, to uint64, ok bool) {
	var s rdmap.Segment
	if _, err := s.Decode(header); err != nil {
		return 0, 0, false
	}
	return memoryOf(&s)
}

// isLocal reports whether a code is one for errors that no message has caused.
func isLocal(c rdmap.Code) bool {
	return c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPLocalCatastrophic
}

// isAboutDepths reports whether a code is one with which an Initiator refuses the IRD and ORD of a Reply.
func isAboutDepths(c rdmap.Code) bool { return ofStartup(c) && c.ErrorCode == 0x06 }

// isCRC reports whether a code is one for an FPDU with a bad CRC.
func isCRC(c rdmap.Code) bool {
	return c.Layer == rdmap.LayerLLP && c.EType == rdmap.LLPMPA && c.ErrorCode == 2
}

// isCatastrophic reports whether a code is one for the failure of a stream, or of all of an RNIC, which no message has caused.
func isCatastrophic(c rdmap.Code) bool {
	return c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPRemoteOperation && (c.ErrorCode == 7 || c.ErrorCode == 8)
}

// about is " about the Write in frame 7 (...)", given the subject; empty if the culprit is not known.
func about(cause *record.Termination, subject string) string {
	switch cause.Blame {
	case record.NoBlame:
		return ""
	case record.BlameByPosition:
		return ", probably about " + subject
	}
	return " about " + subject
}

// situationsText says what may have gone wrong: "the STag of a Write is unknown or invalid, or ...". If it can be one thing only, for
// which the RFCs have another code, it has that too.
func situationsText(cause *record.Termination) string {
	var texts []string
	for _, s := range cause.Situations[:min(3, len(cause.Situations))] {
		texts = append(texts, s.TextFor(cause.Opcode))
	}
	text := strings.Join(texts, ", or ")
	if len(cause.Situations) == 1 {
		d := &rules.Situations[cause.Situations[0]]
		if code, ok := d.RFC.Codes.First(); ok && !d.RFC.Codes.Accepts(cause.Code) && !d.Also.Accepts(cause.Code) {
			text += sentence(", for which the RFCs define %s", codeName(code))
		}
	}
	return text
}

// refusal says what a Terminate is about, and why it was sent as far as its code tells.
func refusal(t *record.Termination) statement {
	by := flow.Sender(t.Terminate.Dir)
	with := sentence("a Terminate (%s) in %s", codeName(t.Code), frames(t.Terminate.Conn, t.Terminate.Span))
	subject := t.SubjectOf(flow.Sender(t.Culprit.Dir))
	if ownSink(t) || wrongSTag(t) {
		subject = sentence("the %v's %s", flow.Sender(t.Culprit.Dir), t.Message)
	}
	var says statement
	switch t.Blame {
	case record.NoBlame:
		says = endedBy(t)
		if fin := &t.Terminate.Conn.FIN[1-t.Terminate.Dir]; fin.Frame != 0 && fin.Frame < t.Terminate.Frame {
			says.what += sentence(", after the %v had closed its side in %s", flow.Sender(1-t.Terminate.Dir), frames(t.Terminate.Conn, *fin))
		}
		switch {
		case t.Enclosed != "":
			says.what += sentence(", which encloses the header of a %s that the capture does not show before it", t.Enclosed)
		case isLocal(t.Code):
			says.what += ", for an error of its own"
			return says
		case isCRC(t.Code) && t.Terminate.Conn.Traffic[1-t.Terminate.Dir].Spoiled.First > 0:
			says.what += sentence(": the TCP checksum is wrong, too, in %s from the %v",
				frame(t.Terminate.Conn, t.Terminate.Conn.Traffic[1-t.Terminate.Dir].Spoiled.First), flow.Sender(1-t.Terminate.Dir))
		case t.Unfounded:
			says.what += sentence(", although the CRCs of all FPDUs of the %v are right in the capture", flow.Sender(1-t.Terminate.Dir))
		}
	case record.BlameByPosition:
		says = stated("The %v refused what was probably %s with %s", by, subject, with)
	default:
		says = stated("The %v refused %s with %s", by, subject, with)
	}
	switch {
	case t.Rule != nil:
	case t.Invalidated != 0:
		says.what += sentence(": the SendInvalidate in %s had invalidated its STag", frame(t.Terminate.Conn, t.Invalidated))
	case t.Blame == record.BlameByReply && isAboutDepths(t.Code):
		says = says.and(depthsText(t.Terminate.Conn))
	case t.Blame == record.BlameByReply:
		says = says.and(readyText(t.Terminate.Conn))
	case ownSink(t):
		says.what += sentence(", although it goes to the buffer that the %v's own Read Request named: %s", by, t.Target)
	case wrongSTag(t):
		says.what += ": " + advertisedText(t)
		says = says.and(advertisedTOText(t))
	default:
		what := situationsText(t)
		if len(t.Situations) > 1 {
			what = "either " + what + "; the capture alone does not show which"
		}
		says = says.and(what).and(advertisedText(t))
	}
	if t.Unadvertised && t.Invalidated == 0 && slices.ContainsFunc(t.Situations, isUnknownSTag) {
		says = says.and("no advertisement of this STag is in the capture")
	}
	return says
}

// endedBy says that a Terminate ended the connection, and not what it is about.
func endedBy(t *record.Termination) statement {
	return stated("The %v ended the connection with a Terminate (%s) in %s", flow.Sender(t.Terminate.Dir), codeName(t.Code), frames(t.Terminate.Conn, t.Terminate.Span))
}

// terminateHeadline is the Headline of a Verdict whose cause is a Terminate.
func terminateHeadline(t *record.Termination) string {
	what := about(t, t.Subject())
	if wrongSTag(t) {
		what = about(t, "the "+t.Message) + ": " + advertisedText(t)
	}
	return sentence("Terminate %s from the %v%s.", codeName(t.Code), flow.Sender(t.Terminate.Dir), what)
}

// isExplained reports whether a Terminate, with what was seen before, tells the error itself.
func isExplained(t *record.Termination) bool {
	return t.Rule != nil || t.Invalidated != 0 || t.Blame == record.BlameByReply || ownSink(t) || wrongSTag(t) || lengthText(t) != ""
}

// ownSink reports whether a Terminate refuses a Read Response in which nothing is wrong: its sender named the sink buffer itself.
func ownSink(t *record.Termination) bool {
	return t.Opcode == rdmap.OpReadResponse && t.Rule == nil && t.Blame == record.BlameByHeader && t.Code.Layer == rdmap.LayerDDP
}

// ownReceive reports whether a Terminate is about a receive buffer of its sender.
func ownReceive(t *record.Termination) bool {
	return len(t.Situations) == 1 && t.Situations[0] == rules.ReceiveSGE
}

// isUnknownSTag reports whether a situation is that the STag of a request is not known.
func isUnknownSTag(s rules.Situation) bool { return s == rules.WriteSTag || s == rules.ReadSTag }

// text says what a Terminate is about, which rule that breaks, and what the capture does not show. isShown says that another finding
// has the error.
func (b *blame) text(t *record.Termination, isShown bool) string {
	says := refusal(t)
	switch {
	case t.Rule != nil:
		v := &b.faults[1-t.Terminate.Dir].violation
		says.what += sentence(", which breaks %s: %s, expected %s", v.Name, v.Seen, v.Expected)
	case t.Blame == record.NoBlame, isExplained(t), len(t.Situations) > 1, isShown:
	case t.Grade == rules.Wrong:
		says = says.and("no error that this message can have is reported so")
	default:
		says = says.and(unseen)
	}
	return says.String()
}

// unseen is said of a segment that is refused for something that its octets do not tell.
const unseen = "The capture does not show the error itself"
