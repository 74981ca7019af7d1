package judge

// What shows that a cause is what it is, and where to look next.

import (
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// evidence is the segment that a finding is about, if its header was kept.
func (e *ending) evidence(f *record.Finding) record.Evidence {
	if t := f.Termination; t != nil {
		return record.Evidence{Span: t.Culprit.Span, Octets: t.Header}
	}
	if fault := e.blame.faults[f.Dir]; fault != nil && fault.Span == f.Span {
		n := ddp.HeaderLen(fault.header) + fault.opcode.RDMAPHeaderLen()
		return record.Evidence{Span: f.Span, Octets: fault.header[:min(n, len(fault.header))]}
	}
	return record.Evidence{}
}

// advice says where to look next for what led to a cause, and what to ask iwarp explain about it.
func advice(f *record.Finding) (text, explain string) {
	o := LookupObservation(f.Name)
	switch t := f.Termination; {
	case o == nil:
		return "The RNIC or driver of the sender made this. Compare its version with one that works, and see what its log says " +
			"at that time.", f.Name
	case t != nil && ownSink(t):
		return "Look at the sink buffer that the Read Request named: its STag, its length, and the right to write to it.", t.Code.String()
	case t != nil && wrongKey(t):
		return ObsWrongKey.Advice, t.Code.String()
	case t != nil && t.Code.String() == noBuffer && t.Blame != record.NoBlame:
		return noBufferAdvice(t), noBuffer
	case t != nil:
		if m := MeaningOf(t.Code); m.LookFor != "" {
			return "Look for " + strings.Replace(m.LookFor, "that is enclosed", "that the Terminate encloses", 1), t.Code.String()
		}
		return o.Advice, t.Code.String()
	}
	return o.Advice, o.ID
}

// noBufferAdvice speaks of the queue for which a refused message had no buffer.
func noBufferAdvice(t *record.Termination) string {
	switch {
	case !t.Opcode.ConsumesReceive():
		return "Look at " + lookAtReads
	case !slices.Contains(t.Situations, rules.SendTooLong):
		return "Look at " + lookAtSends
	case !slices.Contains(t.Situations, rules.SendNoBuffer):
		return "Look at " + lookAtLength
	}
	return "Look at " + lookAtSends + tooLongToo
}
