package framing

// FPDUs within others, where a ULPDU_Length is wrong or a part of an FPDU was never sent.

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// maxInner is how many octets are looked into for one FPDU within another.
const maxInner = 1 << 20

// inner finds the first whole FPDU with a good CRC behind the ULPDU_Length of b, the octets of an FPDU without Markers. It
// returns how many octets stand before it; 0 if there is none.
func inner(b []byte) int {
	for at, effort := 2, 0; at+wordLen <= len(b) && effort < maxInner; at++ {
		if !beginsFPDU(b[at:]) || !isHeader(b[at:]) {
			continue
		}
		n := mpa.FPDULen(int(word(b[at:]) >> 16))
		if at+n > len(b) {
			continue
		}
		crc := at + n - 4
		if mpa.CRC(b[at:crc]) == binary.LittleEndian.Uint32(b[crc:]) {
			return at
		}
		effort += n
	}
	return 0
}

// begun is inner, with the header of the FPDU before; nil if that is not whole.
func begun(b []byte) (n int, h *rdmap.Header) {
	if n = inner(b); n > wordLen {
		h = new(rdmap.Header)
		if _, err := h.Decode(b[2:n]); err != nil {
			h = nil
		}
	}
	return n, h
}

// innerOf is the same of an FPDU that was cut out of the stream.
func innerOf(f *mpa.Deframed) int {
	b := binary.BigEndian.AppendUint16(nil, f.ULPDULength)
	b = append(append(b, f.ULPDU...), f.PAD...)
	return inner(binary.LittleEndian.AppendUint32(b, f.CRC))
}
