package rules

// The situations that a capture cannot show, because they depend on what only the receiver of a message knows.

import (
	"iter"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// hiddenSituations lists them, with the messages in which each is possible, the most specific first.
var hiddenSituations = []struct {
	possible func(rdmap.Opcode) bool
	those    []Situation
}{
	{is(rdmap.OpWrite, rdmap.OpReadResponse), []Situation{
		WriteSTag, WriteBounds, WriteAssociation, WriteAccess, WriteWrap}},
	{is(rdmap.OpReadRequest), []Situation{
		ReadSTag, ReadBounds, ReadAccess, ReadAssociation, ReadWrap, ReadIRD, ReadDisabled,
		ReadSourceLost}},
	{rdmap.Opcode.HasInvalidateSTag, []Situation{
		InvalidateSTag, InvalidateAssociation, InvalidateAccess, InvalidateShared, InvalidateWindows}},
	{rdmap.Opcode.ConsumesReceive, []Situation{SendNoBuffer, SendTooLong, ReceiveSGE}},
	{is(rdmap.OpAtomicRequest), []Situation{AtomicTarget, AtomicAlignment, AtomicAOpCode, ReadIRD}},
	{func(o rdmap.Opcode) bool { return !o.Known() || o.Extension() }, []Situation{OpcodeUnknown}},
	{func(rdmap.Opcode) bool { return true }, []Situation{LocalError, QueueError, RNICError}},
}

func is(opcodes ...rdmap.Opcode) func(rdmap.Opcode) bool {
	return func(o rdmap.Opcode) bool { return slices.Contains(opcodes, o) }
}

// Hidden yields every situation that a message with an opcode may be in and that a capture does not show.
func Hidden(o rdmap.Opcode) iter.Seq[Situation] {
	return func(yield func(Situation) bool) {
		for i := range hiddenSituations {
			h := &hiddenSituations[i]
			if !h.possible(o) {
				continue
			}
			for _, s := range h.those {
				if !yield(s) {
					return
				}
			}
		}
	}
}

// hidden reports whether the cause of a Terminate about a message with an opcode may lie in what only its sender knows:
// buffers, STags and resources.
func hidden(c rdmap.Code, o rdmap.Opcode) bool {
	switch {
	case protection(c):
		return protected(o)
	case c.Layer == rdmap.LayerRDMAP && c.EType == rdmap.RDMAPRemoteOperation:
		return c.ErrorCode >= catastrophic
	case c.Layer == rdmap.LayerDDP && c.EType == rdmap.DDPTaggedBuffer:
		return o.Tagged() && c.ErrorCode != ddpTaggedVersion
	case c.Layer == rdmap.LayerDDP && c.EType == rdmap.DDPUntaggedBuffer:
		return !o.Tagged() && (c.ErrorCode == noBuffer || c.ErrorCode == tooLong)
	}
	return c.Layer != rdmap.LayerLLP
}

// explains reports whether a cause that a capture does not show may make a receiver send a code about a message with an
// opcode. What the Profile's peer does in a situation is unknown in places; then the code need only be one of those for
// hidden causes.
func (p *Profile) explains(c rdmap.Code, o rdmap.Opcode) bool {
	if c.Layer == rdmap.LayerRDMAP && c.ErrorCode == unspecified && hidden(c, o) {
		return true // it stands for whatever has no code
	}
	for s := range Hidden(o) {
		if g := p.Grade(s, c); g >= Accepted || g == Unjudged && hidden(c, o) {
			return true
		}
	}
	return false
}
