package filter

// Laying out the headers of an event: which field tables apply to which octets.

import (
	"cmp"
	"encoding/binary"
	"math"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/sctp"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
)

// Limits of what is looked into.
const (
	maxPayload = 64 << 10 // octets of a payload; a Send is seldom longer than 4 KiB
	maxRPC     = 64 << 10 // octets of an RPC message
	maxLength  = math.MaxInt32
	maxScratch = 64 // octets of headers that do not lie in one piece, or not in wire format
)

// A group is headers that are laid out together.
type group uint8

const (
	transport group = iota // MPA or the adaptation layer of SCTP, DDP and RDMAP
	inPayload              // RPC-over-RDMA, RPC and NFS, looked for in the payload
	inBody                 // NVMe, iSER and SMB Direct, as an analysis has found them
	groups
)

// needsOf is what fields of a group need.
var needsOf = [groups]Needs{inPayload: {Payload: true}, inBody: {Analysis: true}}

// layout is the headers of a group, laid out when they are first asked for.
func (e *Event) layout(g group) []field.Part {
	if e.laid[g] {
		return e.headers[g]
	}
	e.laid[g] = true
	e.headers[g] = e.headers[g][:0]
	switch {
	case g != transport && e.isTransaction():
		e.layRequest(g)
	case g == inPayload:
		e.layPayload()
	case g == inBody:
		e.layBody()
	case e.StartupFrame != nil:
		e.layStartupFrame()
	case e.Segment != nil:
		e.laySegment()
	case e.Message != nil:
		e.layULPDU(e.Message.Header, e.Message.ULPDU)
	case e.Transaction != nil:
		e.layTransaction()
	}
	return e.headers[g]
}

// lay adds a header of a group.
func (e *Event) lay(g group, table *field.Table, octets []byte) {
	e.headers[g] = append(e.headers[g], field.Part{Table: table, Octets: octets})
}

func (e *Event) layStartupFrame() {
	f := &e.StartupFrame.MPA
	e.lay(transport, e.StartupFrame.Fields(), e.StartupFrame.Octets)
	var enhanced mpa.Enhanced
	if f.Enhanced(&enhanced) {
		e.lay(transport, mpa.EnhancedFields, f.PrivateData)
	}
	if p := e.StartupFrame.Private; p != nil {
		e.headers[transport] = append(e.headers[transport], p.Part)
	}
}

// transport is what carries the connection of the event.
func (e *Event) transport() record.Transport {
	if e.origin == nil || e.origin.Conn == nil {
		return record.OverTCP
	}
	return e.origin.Conn.Transport()
}

// layULPDU lays out a ULPDU of the given length, of which b is there, with the length before it if it came in
// an FPDU.
func (e *Event) layULPDU(b []byte, length int) {
	if e.transport() == record.OverTCP {
		e.lay(transport, mpa.FPDUFields, binary.BigEndian.AppendUint16(e.scratch[:0], uint16(length)))
	}
	e.headers[transport] = rdmap.AppendLayout(e.headers[transport], b, length)
}

func (e *Event) laySegment() {
	f := &e.Segment.FPDU
	if e.transport() == record.OverSCTP {
		e.lay(transport, sctp.SegmentFields, binary.BigEndian.AppendUint16(e.scratch[:0], e.Segment.Chunk.DDPSSN))
		e.layULPDU(f.ULPDU, int(f.ULPDULength))
		return
	}
	e.layULPDU(f.ULPDU, int(f.ULPDULength))
	if f.Missing == 0 {
		const behind = 2 // octets of scratch that ULPDU_Length takes
		trailer := append(e.scratch[behind:behind], f.PAD...)
		trailer = binary.LittleEndian.AppendUint32(trailer, f.CRC)
		e.lay(transport, mpa.TrailerFields(int(f.ULPDULength)), trailer)
	}
}

// layTransaction lays out the request, which has no octets of its own.
func (e *Event) layTransaction() {
	switch t := e.Transaction; t.Kind {
	case record.ReadTransaction:
		b, _ := t.Read.AppendBinary(e.scratch[:0]) // never fails
		e.lay(transport, rdmap.ReadRequestFields, b)
	case record.AtomicTransaction:
		if b, err := t.Atomic.AppendBinary(e.scratch[:0]); err == nil {
			e.lay(transport, rdmap.AtomicRequestFields(t.Atomic.AOpCode), b)
		}
	}
}

// layBody lays out a message of an upper layer.
func (e *Event) layBody() {
	u := cmp.Or(e.Upper, e.carried)
	if u == nil || u.Body == nil {
		return
	}
	for _, l := range e.view.Upper(u) {
		e.headers[inBody] = append(e.headers[inBody], l.Parts...)
	}
}

// layPayload lays out what the payload begins with, and the RPC message in it or in chunks.
func (e *Event) layPayload() {
	message, length := e.payload()
	h := rpcrdma.AppendLayout(e.headers[inPayload], message, length, e.dialect(message, length))
	e.headers[inPayload], e.places = h, e.places[:0]
	behind := 0 // the headers
	for i := range h {
		e.place(&h[i])
		behind = h[i].End()
	}
	rpc := e.RPC
	if rpc == nil && behind > 0 && behind < len(message) {
		rpc = message[behind:]
	}
	e.layRPC(rpc[:min(len(rpc), maxRPC)])
}

// dialect is in which form of RPC-over-RDMA to read a message, unknown if it is in none.
func (e *Event) dialect(message []byte, length int) rpcrdma.Dialect {
	if e.Dialect != rpcrdma.DialectUnknown {
		return e.Dialect.Of(message, length)
	}
	if d, ok := rpcrdma.Recognize(message, length); ok {
		return d
	}
	return rpcrdma.DialectUnknown
}

var positionField = rpcrdma.ReadSegmentFields.Lookup("rpcordma.position")

// place notes the position of a Read chunk, which takes octets out of the arguments of a Call.
func (e *Event) place(p *field.Part) {
	if p.Table != rpcrdma.ReadSegmentFields {
		return
	}
	position, ok := positionField.Get(p.Octets)
	at := uint32(position)
	if ok && at != 0 && (len(e.places) == 0 || e.places[len(e.places)-1] != at) {
		e.places = append(e.places, at)
	}
}

// layRPC lays out an RPC message with its operations, if it is one.
func (e *Event) layRPC(message []byte) {
	x := e.Exchange
	switch {
	case oncrpc.IsCall(message):
		var call oncrpc.Call
		call.Decode(message) // what could not be decoded is empty
		x = call.Exchange()
	case !oncrpc.IsReply(message):
		return
	}
	e.context = oncrpc.MessageContext{Exchange: x, Positions: e.places}
	e.headers[inPayload] = oncrpc.AppendLayout(e.headers[inPayload], message, &e.context)
}

// isNFS reports whether the event is, or has, an RPC message of NFS, of any version. Messages of NFSv3 need not have header
// fields of NFS.
func (e *Event) isNFS() bool {
	if e.isTransaction() {
		x, ok := e.Transaction.Upper.(*rpc.Exchange)
		return ok && x.Procedure.Program == oncrpc.ProgramNFS
	}
	for _, h := range e.layout(inPayload) {
		switch {
		case h.Table.Proto == "nfs":
			return true
		case h.Table == oncrpc.ReplyFields:
			return e.Exchange.Procedure.Program == oncrpc.ProgramNFS
		}
		if f := h.Table.Lookup("rpc.program"); f != nil {
			program, _ := h.Value(f)
			return oncrpc.Program(program) == oncrpc.ProgramNFS
		}
	}
	return false
}
