package filter

// The fields that say what an event is, and how much of it there is.

import (
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// The values of "type" for events that are not RDMAP messages; their numbers follow the opcodes.
const (
	typeRequest = flow.NumOpcodes + iota
	typeReply
	typeTransaction
	typeUpper
	typeFinding
	typeControl // the first session control message over SCTP; the others follow
)

// controls are the session control messages, by their function codes.
var controls = slices.Collect(record.FunctionCode.Known)

// numTypes is how many types there are.
var numTypes = typeControl + len(controls)

func knownTypes(yield func(uint64) bool) {
	for v := range record.Opcode.Known {
		if !yield(v) {
			return
		}
	}
	for v := uint64(flow.NumOpcodes); v < uint64(numTypes) && yield(v); v++ {
	}
}

func eventTypes() []string {
	names := make([]string, numTypes)
	for v := range uint64(flow.NumOpcodes) {
		names[v] = record.Opcode.Names(v)
	}
	copy(names[typeRequest:], []string{"MPARequest", "MPAReply", "Transaction", "UpperMessage", "Finding"})
	for i, code := range controls {
		names[typeControl+i] = record.FunctionCode.Names(code)
	}
	return names
}

// eventType returns the type of an event, as an index of eventTypes.
func (e *Event) eventType() (v uint64, ok bool) {
	switch {
	case e.StartupFrame != nil && e.origin.Conn.Transport() == flow.OverSCTP:
		i := slices.Index(controls, uint64(e.StartupFrame.Control.FunctionCode))
		return uint64(typeControl + i), i >= 0
	case e.StartupFrame != nil && e.StartupFrame.MPA.Reply:
		return typeReply, true
	case e.StartupFrame != nil:
		return typeRequest, true
	case e.Segment != nil:
		return uint64(e.Segment.RDMAP.Control.Opcode), true
	case e.Message != nil:
		return uint64(e.Message.Opcode), true
	case e.Transaction != nil:
		return typeTransaction, true
	case e.Upper != nil:
		return typeUpper, true
	}
	return typeFinding, len(e.Findings) > 0
}

// length returns the octets of payload of an event.
func (e *Event) length() (n uint64, ok bool) {
	switch {
	case e.StartupFrame != nil:
		return uint64(e.StartupFrame.MPA.ULPPrivateDataLen()), true
	case e.Segment != nil:
		return uint64(e.Segment.RDMAP.PayloadLen(int(e.Segment.FPDU.ULPDULength))), true
	case e.Message != nil:
		return e.Message.Len, true
	case e.Transaction != nil:
		return e.Transaction.Octets, true
	case e.Upper != nil:
		return e.Upper.Len, true
	}
	return 0, false
}

// segmentCount returns the number of segments of a message.
func (e *Event) segmentCount() (n uint64, ok bool) {
	if e.Message == nil {
		return 0, false
	}
	return uint64(e.Message.Segments), true
}

// missing returns how many octets of an event the capture does not have.
func (e *Event) missing() (n uint64, ok bool) {
	switch {
	case e.StartupFrame != nil:
		f := &e.StartupFrame.MPA
		return uint64(max(0, int(f.PDLength)-len(f.PrivateData))), true
	case e.Segment != nil:
		return uint64(e.Segment.FPDU.Missing), true
	case e.Message != nil:
		return e.Message.Missing, true
	}
	return 0, false
}

// complete returns 1 if all of an event was captured, else 0.
func (e *Event) complete() (v uint64, ok bool) {
	missing, ok := e.missing()
	whole := missing == 0
	if e.Message != nil {
		whole = e.Message.Complete
	}
	if whole {
		v = 1
	}
	return v, ok
}

// crc returns the verdict about the CRCs of an event.
func (e *Event) crc() (v uint64, ok bool) {
	switch {
	case e.origin.Conn.Transport() == flow.OverSCTP:
		return 0, false
	case e.Segment != nil:
		return uint64(e.Segment.FPDU.Verdict), true
	case e.Message != nil:
		return uint64(e.Message.CRC), true
	}
	return 0, false
}

func messageFields() []*entry {
	complete := ownNumber("complete", "all of it was seen; alone: that it is so", 1, one((*Event).complete))
	complete.Type, complete.nonzero = Flag, true
	missing := ownOne("missing", "octets of it that the capture does not have; alone: that there are some", 64, (*Event).missing)
	missing.nonzero = true
	kind := ownEnum("type", "what it is; a segment is called after its message", eventTypes(), one((*Event).eventType))
	kind.variants[0].Known = knownTypes
	return []*entry{
		kind,
		ownOne("len", "octets of payload; of an MPA frame, Private Data that is the ULP's; of a transaction, data moved", 64, (*Event).length),
		ownOne("segments", "DDP segments of a message that were seen", 64, (*Event).segmentCount),
		complete,
		missing,
		ownEnum("crc", "verdict about its CRCs", record.CRCVerdicts, one((*Event).crc)),
	}
}
