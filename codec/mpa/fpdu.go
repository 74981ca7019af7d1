package mpa

// The FPDU, RFC 5044, section 4.1 (Markers not shown):
//
//	 0                   1                   2                   3
//	 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
//	+-------------------------------+-------------------------------+
//	|         ULPDU_Length          |                               |
//	+-------------------------------+                               +
//	~                             ULPDU                             ~
//	|               +-----------------------------------------------+
//	|               |          PAD (0-3 octets)                     |
//	+---------------+-----------------------------------------------+
//	|                              CRC                              |
//	+---------------------------------------------------------------+

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/field"
)

// FPDUFields describes the fixed part of an FPDU; TrailerFields describes its end.
var FPDUFields = field.NewTable("MPA FPDU", "iwarp_mpa", "RFC 5044, section 4.1",
	field.Field{Name: "iwarp_mpa.ulpdulength", Label: "ULPDU_Length", Off: 0, Width: 16, Base: field.Dec, Refers: field.ToSegment},
).Asked("iwarp_mpa.fpdu").LeftOut()

// trailers describes PAD and CRC, by the number of octets of PAD.
var trailers = [4]*field.Table{trailer(0), trailer(1), trailer(2), trailer(3)}

func trailer(pad int) *field.Table {
	var fields []field.Field
	if pad > 0 {
		fields = append(fields, field.Field{Name: "iwarp_mpa.pad", Label: "PAD", Width: 8 * pad, Base: field.Octets})
	}
	fields = append(fields, field.Field{Name: "iwarp_mpa.crc", Label: "CRC", Off: 8 * pad, Width: 32, Base: field.Hex, Refers: field.ToSegment})
	return field.NewTable("MPA FPDU trailer", "iwarp_mpa", "RFC 5044, section 4.1", fields...)
}

// TrailerFields returns the table of the octets after a ULPDU of the given length: PAD and CRC. The CRC is shown in the
// order of its octets on the wire, as packet analysers do.
func TrailerFields(ulpdu int) *field.Table { return trailers[Pad(ulpdu)] }

// An FPDU is a framed ULPDU (RFC 5044, section 4.1), without Markers.
type FPDU struct {
	ULPDULength uint16 // octets of the ULPDU, as stated
	ULPDU       []byte // one DDP segment; aliases the input of Decode
	PAD         []byte // 0 to 3 octets, zero on transmit, not checked on receive; aliases the input of Decode
	CRC         uint32 // CRC32c, least significant octet first on the wire; any value if CRCs are off
}

var (
	errULPDULengthZero = FPDUFields.Err("iwarp_mpa.ulpdulength", field.ErrValue, "an FPDU without ULPDU is not allowed (RFC 5044, section 3)")
	errULPDULength     = FPDUFields.Err("iwarp_mpa.ulpdulength", field.ErrValue, "a ULPDU is at most 64768 octets (RFC 5044, section 3)")
	errULPDUMismatch   = FPDUFields.Err("iwarp_mpa.ulpdulength", field.ErrValue, "differs from the length of the ULPDU (RFC 5044, section 4.1)")
	errPAD             = trailers[1].Err("iwarp_mpa.pad", field.ErrValue, "must be as many zero octets as make the FPDU a multiple of four (RFC 5044, section 4.1)")

	errShortULPDU = &field.Error{Header: FPDUFields.Name, Field: "ULPDU", Reason: field.ErrShort}
	errShortPAD   = &field.Error{Header: FPDUFields.Name, Field: "PAD", Reason: field.ErrShort}
	errShortCRC   = &field.Error{Header: FPDUFields.Name, Field: "CRC", Reason: field.ErrShort}
)

// Decode reads an FPDU from the start of b and returns its length in octets. ULPDU and PAD alias b. The CRC is read, not
// checked. If b ends before the FPDU does, Decode returns len(b) and an error that wraps field.ErrShort and names the
// first incomplete field; the fields before it are valid, and ULPDU holds what is there of it.
func (f *FPDU) Decode(b []byte) (n int, err error) {
	*f = FPDU{}
	if len(b) < 2 {
		return len(b), FPDUFields.Short(len(b))
	}
	f.ULPDULength = order.Uint16(b)
	end := 2 + int(f.ULPDULength)
	if len(b) < end {
		f.ULPDU = b[2:]
		return len(b), errShortULPDU
	}
	f.ULPDU = b[2:end:end]
	crc := end + Pad(int(f.ULPDULength))
	if len(b) < crc {
		return len(b), errShortPAD
	}
	f.PAD = b[end:crc:crc]
	if len(b) < crc+crcLen {
		return len(b), errShortCRC
	}
	f.CRC = binary.LittleEndian.Uint32(b[crc:])
	return crc + crcLen, nil
}

// AppendBinary appends the FPDU to b as the struct says, even if lengths, padding or CRC are wrong. It never fails. Use a
// [Framer] to write a stream of correct FPDUs.
func (f *FPDU) AppendBinary(b []byte) ([]byte, error) {
	b = order.AppendUint16(b, f.ULPDULength)
	b = append(b, f.ULPDU...)
	b = append(b, f.PAD...)
	return binary.LittleEndian.AppendUint32(b, f.CRC), nil
}

// Len returns the number of octets that AppendBinary writes.
func (f *FPDU) Len() int { return 2 + len(f.ULPDU) + len(f.PAD) + crcLen }

// Check reports what a sender must not send. It ignores the CRC, which counts only if it was negotiated. The error wraps
// field.ErrValue and names the field.
func (f *FPDU) Check() error {
	switch {
	case f.ULPDULength == 0:
		return errULPDULengthZero
	case f.ULPDULength > MaxULPDU:
		return errULPDULength
	case int(f.ULPDULength) != len(f.ULPDU):
		return errULPDUMismatch
	case len(f.PAD) != Pad(len(f.ULPDU)) || !field.AllZero(f.PAD):
		return errPAD
	}
	return nil
}
