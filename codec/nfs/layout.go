package nfs

import (
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// MaxParts is the largest number of parts that [AppendLayout] appends beside operations and results.
const MaxParts = oncrpc.MaxParts + 4

// A MessageContext is what it takes to read a message beside its octets.
type MessageContext struct {
	oncrpc.Exchange          // of the Call, whether the message is that or the Reply
	Positions       []uint32 // as [Operations.Positions]
	Returned        []uint64 // as [Results.Returned]
}

// AppendLayout appends to dst the parts of an RPC message, as far as they are there, in the order of the wire: those of
// [oncrpc.AppendLayout], and for COMPOUND and CB_COMPOUND what the arguments or results begin with, and each operation or
// the result of each. Operations and results go as far as [Operations] and [Results] can walk.
//
// With room in dst for [MaxParts], and as many more as there are operations or results, it does not allocate.
func AppendLayout(dst []field.Part, message []byte, c *MessageContext) []field.Part {
	parts, body := oncrpc.AppendLayout(dst, message, c.Exchange)
	if len(body) == 0 || !c.Procedure.IsCompound() && !c.Procedure.IsCBCompound() {
		return parts
	}
	var l layout // a composite literal would be copied
	l.Parts, l.Off = parts, parts[len(parts)-1].End()
	l.Message = message[:l.Off+len(body)]
	if oncrpc.IsReply(message) {
		l.results(c)
	} else {
		l.arguments(c)
	}
	return l.Parts
}

type layout struct{ field.Layout }

// tag adds a tag and its fill.
func (l *layout) tag(o *oncrpc.Opaque) bool {
	return l.Add(TagFields, TagFields.Len()+len(o.Data)) && uint64(len(o.Data)) == uint64(o.Length) &&
		l.Add(oncrpc.FillFields, oncrpc.Fill(len(o.Data)))
}

// arguments adds the arguments of COMPOUND and CB_COMPOUND.
func (l *layout) arguments(c *MessageContext) {
	ops, table := Operations{Positions: c.Positions}, OperationFields
	begin := l.Off
	if c.Procedure.IsCBCompound() {
		var args CBCompoundArgs
		table = CBOperationFields
		n, err := args.Decode(l.Message[begin:])
		if l.tag(&args.Tag) && l.Add(CBCompoundFields, CBCompoundFields.Len()) && err == nil {
			ops.ResetCB(l.Message, begin+n, &args)
		}
	} else {
		var args CompoundArgs
		n, err := args.Decode(l.Message[begin:])
		if l.tag(&args.Tag) && l.Add(CompoundFields, CompoundFields.Len()) && err == nil {
			ops.Reset(l.Message, begin+n, &args)
		}
	}
	for ops.Next() {
		l.AddElement(table, 4+len(ops.Args), 1, uint32(ops.Index))
	}
}

// results adds the results of COMPOUND and CB_COMPOUND.
func (l *layout) results(c *MessageContext) {
	var res CompoundRes
	begin := l.Off
	n, err := res.Decode(l.Message[begin:])
	if !l.Add(CompoundResFields, CompoundResFields.Len()) || !l.tag(&res.Tag) || !l.Add(NumResFields, NumResFields.Len()) || err != nil {
		return
	}
	results, table := Results{Returned: c.Returned}, ResultFields
	callback := c.Procedure.IsCBCompound()
	if callback {
		table = CBResultFields
	}
	for results.Reset(l.Message, begin+n, &res, callback); results.Next(); {
		l.AddElement(table, results.c.at-results.Off, 1, uint32(results.Index))
	}
}
