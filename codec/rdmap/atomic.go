package rdmap

// The Atomic Operation Request header, RFC 7306, section 5.2.1, and the Atomic Operation Response header, section
// 5.2.2:
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------------------------------+-------+
//	|                  Reserved (Not Used)                  |AOpCode|
//	+-------------------------------------------------------+-------+
//	|                      Request Identifier                       |
//	+---------------------------------------------------------------+
//	|                          Remote STag                          |
//	+---------------------------------------------------------------+
//	|                 Remote Tagged Offset (64 bits)                |
//	+---------------------------------------------------------------+
//	|                   Add or Swap Data (64 bits)                  |
//	+---------------------------------------------------------------+
//	|                   Add or Swap Mask (64 bits)                  |
//	+---------------------------------------------------------------+
//	|                     Compare Data (64 bits)                    |
//	+---------------------------------------------------------------+
//	|                     Compare Mask (64 bits)                    |
//	+---------------------------------------------------------------+
//
//	+---------------------------------------------------------------+
//	|                  Original Request Identifier                  |
//	+---------------------------------------------------------------+
//	|              Original Remote Data Value (64 bits)             |
//	+---------------------------------------------------------------+

import "github.com/iwarpkit/iwarp/codec/field"

// aopcodeOff is the octet of an Atomic Request header whose low 4 bits are the AOpCode.
const aopcodeOff = 3

// AOpCode says what an Atomic Request does. It has 4 bits on the wire.
type AOpCode uint8

// The Atomic Operation Codes of RFC 7306, section 5.2.1 (figure 5).
const (
	FetchAdd AOpCode = 0
	CmpSwap  AOpCode = 2
)

var aopcodes = field.Enum{Kind: "AOpCode", Values: []field.Value{{0, "FetchAdd"}, {2, "CmpSwap"}}}

// Known reports whether RFC 7306 assigns the code.
func (a AOpCode) Known() bool { return aopcodes.Has(uint64(a)) }

// String returns "FetchAdd", "CmpSwap", or the number of an unknown code, "AOpCode1".
func (a AOpCode) String() string { return aopcodes.Name(uint64(a)) }

// newAtomicRequestFields makes one of the forms of the header. compare is what is usual of Compare Data and Mask.
func newAtomicRequestFields(name, label string, compare uint64) *field.Table {
	return field.NewTable("RDMAP Atomic Request header", proto, "RFC 7306, section 5.2.1",
		field.Field{Name: "iwarp_rdma.atomic.reserved", Label: "Reserved", Off: 0, Width: 28, Base: field.Hex, Usual: field.Zero},
		field.Field{Name: "iwarp_rdma.atomic.opcode", Label: "AOpCode", Off: 28, Width: 4, Base: field.Dec,
			Names: aopcodes.Name, Known: aopcodes.Known()},
		field.Field{Name: "iwarp_rdma.atomic.request_identifier", Label: "Request Identifier", Off: 32, Width: 32, Base: field.Dec, Refers: field.ToRun},
		field.Field{Name: "iwarp_rdma.atomic.remote_stag", Label: "Remote STag", Off: 64, Width: 32, Base: field.Hex, Refers: field.ToPeerSTag},
		field.Field{Name: "iwarp_rdma.atomic.remote_tagged_offset", Label: "Remote Tagged Offset", Off: 96, Width: 64, Base: field.Hex, Refers: field.ToPeerTO},
		field.Field{Name: "iwarp_rdma.atomic." + name + "_data", Label: label + " Data", Off: 160, Width: 64, Base: field.Hex},
		field.Field{Name: "iwarp_rdma.atomic." + name + "_mask", Label: label + " Mask", Off: 224, Width: 64, Base: field.Hex},
		field.Field{Name: "iwarp_rdma.atomic.compare_data", Label: "Compare Data", Off: 288, Width: 64, Base: field.Hex, Usual: compare},
		field.Field{Name: "iwarp_rdma.atomic.compare_mask", Label: "Compare Mask", Off: 352, Width: 64, Base: field.Hex, Usual: compare},
	)
}

// Fields describes the Atomic Request header for the AOpCode: [FetchAddFields] for FetchAdd, else [CmpSwapFields].
func (a AOpCode) Fields() *field.Table {
	if a == FetchAdd {
		return FetchAddFields
	}
	return CmpSwapFields
}

// AtomicRequest is the header of an Atomic Operation Request (RFC 7306, section 5.2.1).
type AtomicRequest struct {
	Reserved           uint32  // 28 bits, zero on transmit, ignored on receive
	AOpCode            AOpCode // 4 bits
	RequestIdentifier  uint32  // the requester's choice, comes back in the response
	RemoteSTag         uint32  // STag of the tagged buffer at the responder
	RemoteTaggedOffset uint64  // TO in it; names a ULP buffer address that is a multiple of 8
	AddOrSwapData      uint64
	AddOrSwapMask      uint64 // FetchAdd: the most significant bit of each field; CmpSwap: the bits to replace
	CompareData        uint64 // CmpSwap only, else zero on transmit and ignored on receive
	CompareMask        uint64 // CmpSwap only, else all ones on transmit and ignored on receive
}

var (
	errAtomicReservedRange = FetchAddFields.Err("iwarp_rdma.atomic.reserved", field.ErrRange, "")
	errAOpCodeRange        = FetchAddFields.Err("iwarp_rdma.atomic.opcode", field.ErrRange, "")
)

// Decode reads the first 52 octets of b and returns their number. If b is shorter, it returns len(b) and an error
// that wraps field.ErrShort and names the first incomplete field; the fields before it are valid.
func (h *AtomicRequest) Decode(b []byte) (n int, err error) {
	if len(b) < AtomicRequestLen {
		var whole [AtomicRequestLen]byte
		copy(whole[:], b)
		h.decode(&whole)
		return len(b), h.AOpCode.Fields().Short(len(b))
	}
	h.decode((*[AtomicRequestLen]byte)(b))
	return AtomicRequestLen, nil
}

func (h *AtomicRequest) decode(b *[AtomicRequestLen]byte) {
	word := order.Uint32(b[0:])
	h.Reserved, h.AOpCode = word>>4, AOpCode(word&15)
	h.RequestIdentifier = order.Uint32(b[4:])
	h.RemoteSTag = order.Uint32(b[8:])
	h.RemoteTaggedOffset = order.Uint64(b[12:])
	h.AddOrSwapData = order.Uint64(b[20:])
	h.AddOrSwapMask = order.Uint64(b[28:])
	h.CompareData = order.Uint64(b[36:])
	h.CompareMask = order.Uint64(b[44:])
}

// AppendBinary appends the header to b. It fails, with an error that wraps field.ErrRange, only if Reserved or
// AOpCode exceeds its field.
func (h *AtomicRequest) AppendBinary(b []byte) ([]byte, error) {
	switch {
	case h.Reserved >= 1<<28:
		return b, errAtomicReservedRange
	case h.AOpCode >= 1<<4:
		return b, errAOpCodeRange
	}
	b = order.AppendUint32(b, h.Reserved<<4|uint32(h.AOpCode))
	b = order.AppendUint32(b, h.RequestIdentifier)
	b = order.AppendUint32(b, h.RemoteSTag)
	b = order.AppendUint64(b, h.RemoteTaggedOffset)
	b = order.AppendUint64(b, h.AddOrSwapData)
	b = order.AppendUint64(b, h.AddOrSwapMask)
	b = order.AppendUint64(b, h.CompareData)
	return order.AppendUint64(b, h.CompareMask), nil
}

// Len returns the number of octets that AppendBinary writes: 52.
func (h *AtomicRequest) Len() int { return AtomicRequestLen }

// Apply is what the operation makes of the 64 bits old in the responder's memory (RFC 7306, sections 5.1.1 and
// 5.1.2); old is also what the response carries. It is false, and returns old, if the AOpCode is not assigned.
//
// FetchAdd adds fields independently: a bit set in the mask is the most significant of its field, out of which no
// carry goes. CmpSwap replaces the bits of its swap mask if all bits of its compare mask are equal.
func (h *AtomicRequest) Apply(old uint64) (result uint64, ok bool) {
	data, mask := h.AddOrSwapData, h.AddOrSwapMask
	switch h.AOpCode {
	case FetchAdd:
		return (old&^mask + data&^mask) ^ (old^data)&mask, true
	case CmpSwap:
		if (h.CompareData^old)&h.CompareMask == 0 {
			return old&^mask | data&mask, true
		}
		return old, true
	}
	return old, false
}

// AtomicResponse is the header of an Atomic Operation Response (RFC 7306, section 5.2.2).
type AtomicResponse struct {
	OriginalRequestIdentifier uint32 // Request Identifier of the request
	OriginalRemoteDataValue   uint64 // what was in the responder's memory before the operation
}

// Decode reads the first 12 octets of b and returns their number. If b is shorter, it returns len(b) and an error
// that wraps field.ErrShort and names the first incomplete field; the fields before it are valid.
func (h *AtomicResponse) Decode(b []byte) (n int, err error) {
	if len(b) < AtomicResponseLen {
		var whole [AtomicResponseLen]byte
		copy(whole[:], b)
		h.decode(&whole)
		return len(b), AtomicResponseFields.Short(len(b))
	}
	h.decode((*[AtomicResponseLen]byte)(b))
	return AtomicResponseLen, nil
}

func (h *AtomicResponse) decode(b *[AtomicResponseLen]byte) {
	h.OriginalRequestIdentifier = order.Uint32(b[0:])
	h.OriginalRemoteDataValue = order.Uint64(b[4:])
}

// AppendBinary appends the header to b. It never fails.
func (h *AtomicResponse) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint32(b, h.OriginalRequestIdentifier)
	return order.AppendUint64(b, h.OriginalRemoteDataValue), nil
}

// Len returns the number of octets that AppendBinary writes: 12.
func (h *AtomicResponse) Len() int { return AtomicResponseLen }
