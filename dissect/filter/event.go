package filter

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// An Event is what is known of something that happened: the event of dissect or dissect/judge, and what goes with
// it. What is nil or zero is not known, and the fields that it would have are absent.
//
// An Event is meant to be used again and again, by one goroutine at a time: it keeps the memory in which headers are
// laid out.
type Event struct {
	// Start is when the first packet of the capture was captured, in nanoseconds since 1970-01-01 UTC: times that are
	// given in seconds count from it.
	Start int64

	// The event; at most one of these is set, but for the Transaction that a Message ends. It says whose it is and in
	// which frames.
	StartupFrame *record.Startup
	Segment      *record.Segment
	Message      *record.Message
	Transaction  *record.Transaction

	// Findings are those about the event, Upper is the message of an upper layer that it carries; the headers of NVMe,
	// iSER and SMB Direct are looked for in its Body. If none of the four above is set, Upper or else the first of
	// Findings is the event itself.
	Findings []*record.Finding
	Upper    *record.Upper

	// Payload is the ULP payload of a Send type from its first octet on, as far as it is known: the headers of
	// RPC-over-RDMA and RPC are looked for in it. PayloadLen is its whole length in octets; less than len(Payload)
	// stands for that. Of a Segment that is a Send of its own the payload is known without.
	Payload    []byte
	PayloadLen uint64

	// Dialect is the form of RPC-over-RDMA in which Payload is read; DialectUnknown looks whether it has one of them.
	// RPC is the RPC message if it did not come in Payload but in chunks, joined. Exchange is what the Call of a Reply
	// says, without which the results of NFS cannot be read; a Call needs none.
	Dialect  rpcrdma.Dialect
	RPC      []byte
	Exchange oncrpc.Exchange

	// Request is the request of the exchange of an upper layer that the event belongs to: that it is, ends, answers, or
	// moves data of.
	Request *Request

	carried *record.Upper // as Upper, of an event that has a finding in the place of it
	origin  *record.Origin
	own     record.Origin // of what has none: a Transaction
	headers [groups][]field.Part
	laid    [groups]bool // headers is made
	scratch [maxScratch]byte
	places  []uint32 // positions of Read chunks
	view    record.View
	context oncrpc.MessageContext
}

// Reset makes e an Event of which nothing is known but Start. It keeps memory.
func (e *Event) Reset() {
	*e = Event{
		Start: e.Start, Findings: e.Findings[:0],
		headers: e.headers, places: e.places,
		view: e.view,
	}
}

// begin makes e ready to be matched.
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

// transactionOrigin is whose a transaction is, and from which frame to which it lasted.
func transactionOrigin(t *record.Transaction) record.Origin {
	o := record.Origin{Conn: t.Conn, Dir: t.Dir, Span: t.Request}
	if t.Response.LastFrame != 0 {
		o.LastFrame, o.LastTime = t.Response.LastFrame, t.Response.LastTime
	}
	return o
}

// payload is the payload in which headers of upper layers are looked for, and its whole length in octets.
func (e *Event) payload() (b []byte, length int) {
	b, length = e.Payload, max(len(e.Payload), int(min(e.PayloadLen, maxLength)))
	if s := e.Segment; b == nil && s != nil && isSend(s) && s.RDMAP.L() && s.RDMAP.Untagged.MO == 0 {
		b, length = s.RDMAP.Body, s.RDMAP.PayloadLen(int(s.FPDU.ULPDULength))
	}
	return b[:min(len(b), maxPayload)], length
}

// isSend reports whether a segment is one of a Send type, all headers of which are there.
func isSend(s *record.Segment) bool {
	return s.Err == nil && !s.RDMAP.T && s.RDMAP.Control.Opcode.IsSend()
}
