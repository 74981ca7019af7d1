package filter

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// An Event is a Record, taken apart. What is nil or zero is unknown, and its fields are absent.
//
// Use one Event again and again, in one goroutine at a time: it keeps the memory in which headers are laid out.
type Event struct {
	// Start is when the first packet of the capture was captured, in nanoseconds since 1970-01-01 UTC: times that are
	// given in seconds count from it.
	Start int64

	// The event; at most one of these is set, except for the Transaction that a Message ends. It says whose it is and in
	// which frames.
	StartupFrame *record.Startup
	Segment      *record.Segment
	Message      *record.Message
	Transaction  *record.Transaction

	// Findings are those about the event, Upper is the message of an upper layer that it carries. If none of the four above
	// is set, Upper or else the first of Findings is the event itself.
	Findings []*record.Finding
	Upper    *record.Upper

	// The headers of upper layers are those of the Body of Upper, or else of Body, or else what a Layer reads in Payload
	// without knowing its connection. Payload is the ULP payload of a Send type from its first octet on, as far as it is
	// known, and PayloadLen its whole length in octets; less than len(Payload) stands for that. Neither is needed for a Segment that is
	// a whole Send.
	Body       record.Body
	Payload    []byte
	PayloadLen uint64

	// Request is the request of the exchange of an upper layer that the event belongs to: that it is, ends, answers, or
	// moves data of.
	Request *Request

	carried *record.Upper // as Upper, of an event that has a finding in the place of it
	origin  *record.Origin
	own     record.Origin // of what has none: a Transaction
	headers [groups][]field.Part
	laid    [groups]bool // headers is made
	views   [groups]record.View
	body    record.Body  // that views[upper] has laid out
	layers  []*ulp.Layer // that can read Payload; nil until there is one to read
}

// Reset forgets everything but Start, and keeps memory.
func (e *Event) Reset() {
	*e = Event{Start: e.Start, Findings: e.Findings[:0], views: e.views, layers: e.layers}
}

// begin prepares e for matching.
func (e *Event) begin() {
	e.laid = [groups]bool{}
	switch {
	case e.StartupFrame != nil:
		e.origin = &e.StartupFrame.Origin
	case e.Segment != nil:
		e.origin = &e.Segment.Origin
	case e.Message != nil:
		e.origin = &e.Message.Origin
	case e.Transaction != nil:
		e.origin = &e.own
		e.own = transactionOrigin(e.Transaction)
	case e.Upper != nil:
		e.origin = &e.Upper.Origin
	case len(e.Findings) > 0:
		e.origin = &e.Findings[0].Origin
	default:
		e.own = record.Origin{}
		e.origin = &e.own
	}
}

// isTransaction reports whether the event is a transaction, not a message that ends one.
func (e *Event) isTransaction() bool {
	return e.Transaction != nil && e.StartupFrame == nil && e.Segment == nil && e.Message == nil
}

// transactionOrigin returns the connection of a transaction, and its frames.
func transactionOrigin(t *record.Transaction) record.Origin {
	o := record.Origin{Conn: t.Conn, Dir: t.Dir, Span: t.Request}
	if t.Response.LastFrame != 0 {
		o.LastFrame, o.LastTime = t.Response.LastFrame, t.Response.LastTime
	}
	return o
}

// payload returns the payload that may hold headers of upper layers, and its whole length in octets.
func (e *Event) payload() (b []byte, length uint64) {
	if s := e.Segment; e.Payload == nil && s != nil && isSend(s) && s.RDMAP.L() && s.RDMAP.Untagged.MO == 0 {
		return s.RDMAP.Body, uint64(s.RDMAP.PayloadLen(int(s.FPDU.ULPDULength)))
	}
	return e.Payload, max(uint64(len(e.Payload)), e.PayloadLen)
}

// isSend reports whether a segment is one of a Send type, all headers of which are there.
func isSend(s *record.Segment) bool {
	return s.Err == nil && !s.RDMAP.T && s.RDMAP.Control.Opcode.IsSend()
}
