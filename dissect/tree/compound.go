package tree

// The operations of NFSv4 COMPOUNDs, and their results.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// context is what is known of the RPC that a message belongs to: of says it, or if that is nil a Call itself.
func context(of any, message []byte) *rpc.Context {
	if c, ok := of.(*rpc.Context); ok {
		return c
	}
	var call oncrpc.Call
	if oncrpc.IsReply(message) {
		return new(rpc.Context)
	}
	if _, err := call.Decode(message); err != nil {
		return new(rpc.Context)
	}
	return &rpc.Context{Exchange: call.Exchange()}
}

// isResult tells whether a table is that of the results of operations, which a walk along them prints.
func isResult(t *field.Table) bool { return t == oncrpc.ResultFields || t == oncrpc.CBResultFields }

// operations prints the operations of a COMPOUND or CB_COMPOUND, the Call of which is message, at offset off.
func (p *Printer) operations(c *rpc.Context, message []byte, off int) {
	var h oncrpc.Call
	n, err := h.Decode(message)
	body, at, ok := c.Protection.Unwrap(message[n:])
	if err != nil || !ok {
		return
	}
	at += n
	ops := &p.ops
	ops.Positions = c.Positions
	table := oncrpc.OperationFields
	var args oncrpc.CompoundArgs
	var cbArgs oncrpc.CBCompoundArgs
	switch procedure := c.Procedure; {
	case procedure.IsCompound():
		n, err = args.Decode(body)
		ops.Reset(message[:at+len(body)], at+n, &args)
	case procedure.IsCBCompound():
		table = oncrpc.CBOperationFields
		n, err = cbArgs.Decode(body)
		ops.ResetCB(message[:at+len(body)], at+n, &cbArgs)
	default:
		return
	}
	for err == nil && ops.Next() {
		p.header(table, fmt.Sprintf(" [%d]", ops.Index))
		part := ops.Part()
		p.fields(&part, off)
	}
}

// results prints the results of a COMPOUND or CB_COMPOUND, the Reply to which is message, at offset off.
func (p *Printer) results(c *rpc.Context, message []byte, off int) {
	procedure := c.Procedure
	if !procedure.IsCompound() && !procedure.IsCBCompound() {
		return
	}
	var h oncrpc.Reply
	var res oncrpc.CompoundRes
	n, err := h.Decode(message)
	body, at, ok := c.Protection.Unwrap(message[n:])
	if err != nil || !ok || !h.Succeeded() {
		return
	}
	at += n
	if n, err = res.Decode(body); err != nil {
		return
	}
	table := oncrpc.ResultFields
	if procedure.IsCBCompound() {
		table = oncrpc.CBResultFields
	}
	results, end := &p.opResults, 0
	results.Returned = c.Returned
	for results.Reset(message[:at+len(body)], at+n, &res, procedure.IsCBCompound()); results.Next(); {
		p.result(end, results.Off, off)
		p.header(table, fmt.Sprintf(" [%d]", results.Index))
		end = results.Off + oncrpc.ResultLen
		p.fields(&field.Part{Table: table, Octets: message[results.Off:end], Off: results.Off}, off)
	}
	p.result(end, results.Off, off)
}

// result prints where in a message, which is at offset off, the rest of a result is.
func (p *Printer) result(from, to, off int) {
	if from == 0 || to <= from {
		return
	}
	line := append(place(p.line[:0], off+from, to-from, ""), "the rest of the result, "...)
	p.line = append(quantity.AppendCount(line, uint64(to-from), "octet"), '\n')
	p.out.Write(p.line)
}
