package nvme

// The Private Data of MPA Request and Reply with which host and controller set up a queue: NVM Express over Fabrics 1.1,
// section 7.3.

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// connectRequest describes the Private Data of an MPA Request.
var connectRequest = field.NewTable("NVMe RDMA_CM_REQUEST Private Data", proto, transportSource,
	word("nvme-rdma.cm.req.recfmt", "RECFMT", 0, field.Dec),
	word("nvme-rdma.cm.req.qid", "QID", 2, field.Dec),
	word("nvme-rdma.cm.req.hrqsize", "HRQSIZE", 4, field.Dec),
	word("nvme-rdma.cm.req.hsqsize", "HSQSIZE", 6, field.Dec),
	word("nvme-rdma.cm.req.cntlid", "CNTLID", 8, field.Hex).To(field.ToRun),
	opaque("nvme-rdma.cm.req.reserved", "Reserved", 10, 22),
)

// connectAccept describes the Private Data of an MPA Reply that accepts.
var connectAccept = field.NewTable("NVMe RDMA_CM_ACCEPT Private Data", proto, transportSource,
	word("nvme-rdma.cm.rsp.recfmt", "RECFMT", 0, field.Dec),
	word("nvme-rdma.cm.rsp.crqsize", "CRQSIZE", 2, field.Dec),
	opaque("nvme-rdma.cm.rsp.reserved", "Reserved", 4, 28),
)

// connectReject describes the Private Data of an MPA Reply that rejects.
var connectReject = field.NewTable("NVMe RDMA_CM_REJECT Private Data", proto, transportSource,
	word("nvme-rdma.cm.rej.recfmt", "RECFMT", 0, field.Dec),
	word("nvme-rdma.cm.rej.status", "STS", 2, field.Hex).Of(&rejections),
)

// rejections are the names of STS.
var rejections = field.Enum{Values: []field.Value{
	{Number: 1, Name: "Invalid Private Data Length"},
	{Number: 2, Name: "Invalid RECFMT"},
	{Number: 3, Name: "Invalid QID"},
	{Number: 4, Name: "Invalid HSQSIZE"},
	{Number: 5, Name: "Invalid HRQSIZE"},
	{Number: 6, Name: "No Resources"},
	{Number: 7, Name: "Invalid IRD"},
	{Number: 8, Name: "Invalid ORD"},
	{Number: 9, Name: "Invalid CNTLID"},
}}

// private recognises the Private Data of NVMe in an MPA frame. In a Reply it counts only if the Request has some too.
func private(c *flow.Conn, f *mpa.Frame) (p record.Private, ok bool) {
	var r ConnectRequest
	b := f.ULPPrivateData()
	switch {
	case f.Reply && !r.find(c), !f.Reply && !r.Decode(b):
		return p, false
	case !f.Reply:
		p.Part.Table = connectRequest
	case f.R:
		p.Part.Table, p.Reason = connectReject, &connectReject.Fields[1]
		p.Advice = rejectAdvice[p.Reason.Number(b)]
	default:
		p.Part.Table = connectAccept
	}
	p.ULP, p.Part.Octets, p.Part.Off = ulpName, b, len(f.PrivateData)-len(b)
	return p, true
}

// A ConnectRequest is what a host asks for when it sets up a queue.
type ConnectRequest struct {
	RecordFormat uint16 // 0; the rest has another layout otherwise
	QueueID      uint16 // 0 is the Admin Queue
	HRQSize      uint16 // entries of the host's receive queue
	HSQSize      uint16 // entries of the host's send queue, less one
	ControllerID uint16
}

// Decode reads the Private Data of the upper layer in an MPA Request. ok is false if it is not that of NVMe: it has another
// length or format, a queue without entries, or reserved octets that are not zero.
func (r *ConnectRequest) Decode(b []byte) (ok bool) {
	if len(b) != connectRequest.Len() {
		return false
	}
	for i, to := range []*uint16{&r.RecordFormat, &r.QueueID, &r.HRQSize, &r.HSQSize, &r.ControllerID} {
		*to = uint16(connectRequest.Fields[i].Number(b))
	}
	return r.RecordFormat == 0 && r.HRQSize > 0 && r.HSQSize > 0 && zero(b[10:])
}

// find decodes the Private Data of a connection's MPA Request. ok is false if this or that of the Reply is not NVMe's. On Port a controller
// may reject what it does not understand.
func (r *ConnectRequest) find(c *flow.Conn) (ok bool) {
	if !c.Requested || !c.Replied {
		return false
	}
	ok = r.Decode(c.Request.ULPPrivateData())
	reply := c.Reply.ULPPrivateData()
	if c.Reply.R {
		known := ok || c.Server.Port() == Port && rejections.Has(connectReject.Fields[1].Number(reply))
		return known && len(reply) == connectReject.Len() && connectReject.Fields[0].Number(reply) == 0
	}
	return ok && len(reply) == connectAccept.Len() && connectAccept.Fields[0].Number(reply) == 0 &&
		connectAccept.Fields[1].Number(reply) > 0 && zero(reply[4:])
}
