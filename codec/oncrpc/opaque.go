package oncrpc

// Variable-length opaque data, RFC 4506, section 4.10:
//
//	   4 octets      length octets        0 to 3 octets
//	+-----------+-----------------------+----------------+
//	|  length   |         data          | fill, all zero |
//	+-----------+-----------------------+----------------+

import "github.com/iwarpkit/iwarp/codec/field"

// lengthLen is the length in octets of a length, and of any other XDR integer.
const lengthLen = 4

// Fill returns how many octets, 0 to 3, fill n octets of opaque data up to a multiple of four (RFC 4506, section 4.10).
func Fill(n int) int { return -n & 3 }

// Opaque is variable-length opaque data or a string (RFC 4506, sections 4.10 and 4.11), a part of several headers.
type Opaque struct {
	Length uint32 // octets of data, as stated
	Data   []byte // aliases the input of Decode; nil if empty
	Fill   []byte // 0 to 3 octets, zero on transmit; aliases the input of Decode; nil if empty
}

var zeros [3]byte

// Set makes o hold data, with its length and fill. It aliases data.
func (o *Opaque) Set(data []byte) {
	*o = Opaque{Length: uint32(len(data)), Data: data, Fill: zeros[:Fill(len(data)):3]}
}

// Len returns the number of octets that o takes: 4, those of the data and those of the fill.
func (o *Opaque) Len() int { return lengthLen + len(o.Data) + len(o.Fill) }

// OpaqueErrors are the errors about one opaque part of one header.
type OpaqueErrors struct {
	shortLength, shortData, shortFill error
	mismatch, limit, fill             error
}

// NewOpaqueErrors makes the errors for the opaque part of a header, whose length and data are fields of the table. limit is
// the rule about its longest length.
func NewOpaqueErrors(table *field.Table, length, data, limit string) *OpaqueErrors {
	fill := table.Lookup(data).Label + " fill"
	return &OpaqueErrors{
		shortLength: table.Short(table.Lookup(length).Octet()),
		shortData:   table.Err(data, field.ErrShort, ""),
		shortFill:   &field.Error{Header: table.Name, Field: fill, Reason: field.ErrShort},
		mismatch:    table.Err(length, field.ErrValue, "differs from the length of the data (RFC 4506, section 4.10)"),
		limit:       table.Err(length, field.ErrValue, limit),
		fill: &field.Error{Header: table.Name, Field: fill, Reason: field.ErrValue,
			Rule: "must be as many zero octets as make the data a multiple of four (RFC 4506, section 4.10)"},
	}
}

// Decode reads opaque data at the beginning of b and returns its length with the fill. If b ends first, it returns
// len(b), and Data is the part that is there.
func (o *Opaque) Decode(b []byte, errs *OpaqueErrors) (n int, err error) {
	*o = Opaque{}
	if len(b) < lengthLen {
		return len(b), errs.shortLength
	}
	o.Length = order.Uint32(b)
	if o.Length == 0 {
		return lengthLen, nil
	}
	data := b[lengthLen:]
	if uint64(len(data)) < uint64(o.Length) {
		o.Data = data
		return len(b), errs.shortData
	}
	end := int(o.Length)
	o.Data = data[:end:end]
	if fill := Fill(end); fill > 0 {
		if len(data) < end+fill {
			return len(b), errs.shortFill
		}
		o.Fill = data[end : end+fill : end+fill]
		end += fill
	}
	return lengthLen + end, nil
}

// Append appends o as it is.
func (o *Opaque) Append(b []byte) []byte {
	b = order.AppendUint32(b, o.Length)
	b = append(b, o.Data...)
	return append(b, o.Fill...)
}

// Check reports what a sender must not send: more than limit octets of data, or a wrong length or fill.
func (o *Opaque) Check(limit int, errs *OpaqueErrors) error {
	switch {
	case uint64(o.Length) != uint64(len(o.Data)):
		return errs.mismatch
	case len(o.Data) > limit:
		return errs.limit
	case len(o.Fill) != Fill(len(o.Data)) || !field.AllZero(o.Fill):
		return errs.fill
	}
	return nil
}
