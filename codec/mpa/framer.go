package mpa

import "encoding/binary"

// A Framer writes the FPDUs of one direction into a stream, with Markers and CRCs as its Options say. The zero value
// writes no Markers, and zero in the CRC field.
type Framer struct {
	Options
	pos uint64 // place in the stream of the next octet
}

// Reset makes f ready for a new stream.
func (f *Framer) Reset(opts Options) { *f = Framer{Options: opts} }

// Pos returns the place in the stream, from its first octet, where the next FPDU will begin.
func (f *Framer) Pos() uint64 { return f.pos }

// Append appends to b the FPDU around one ULPDU, given in parts so that the caller need not join a header and its
// payload; any part may be empty. A Marker is written only together with the FPDU that it belongs to, never after it. If
// the ULPDU is empty or longer than MaxULPDU, the error wraps field.ErrValue.
func (f *Framer) Append(b []byte, parts ...[]byte) ([]byte, error) {
	ulpdu := 0
	for _, p := range parts {
		ulpdu += len(p)
	}
	switch {
	case ulpdu == 0:
		return b, errULPDULengthZero
	case ulpdu > MaxULPDU:
		return b, errULPDULength
	}
	return f.AppendAs(b, uint16(ulpdu), make([]byte, Pad(ulpdu), 3), parts...), nil
}

// AppendAs appends to b an FPDU with the given ULPDU_Length and PAD, right or wrong. The CRC, its last 4 octets, is that
// of the octets before it, or zero if CRCs are off.
func (f *Framer) AppendAs(b []byte, ulpduLength uint16, pad []byte, parts ...[]byte) []byte {
	begin := len(b)
	if f.Markers && f.pos%MarkerSpacing == 0 {
		b = append(b, 0, 0, 0, 0)
		f.pos += MarkerLen
	}
	w := stream{b: b, markers: f.Markers, pos: f.pos, fpdu: f.pos}
	var length [2]byte
	order.PutUint16(length[:], ulpduLength)
	w.write(length[:])
	for _, p := range parts {
		w.write(p)
	}
	w.write(pad)
	w.marker()
	var crc uint32
	if f.CRC {
		crc = CRC(w.b[begin:])
	}
	f.pos = w.pos + crcLen
	return binary.LittleEndian.AppendUint32(w.b, crc)
}

// Skip says that the next n octets of the stream come from elsewhere.
func (f *Framer) Skip(n uint64) { f.pos += n }

// stream appends the octets of one FPDU with the Markers between them.
type stream struct {
	b       []byte
	markers bool
	pos     uint64 // place in the stream of the next octet
	fpdu    uint64 // place in the stream of the FPDU's ULPDU_Length
}

func (s *stream) write(p []byte) {
	for s.markers && len(p) > 0 {
		s.marker()
		n := min(len(p), MarkerSpacing-int(s.pos%MarkerSpacing))
		s.b = append(s.b, p[:n]...)
		s.pos += uint64(n)
		p = p[n:]
	}
	s.b = append(s.b, p...)
	s.pos += uint64(len(p))
}

// marker writes a Marker if one is due. The length of an FPDU is a multiple of four, so no Marker is ever due right after
// it.
func (s *stream) marker() {
	if s.markers && s.pos%MarkerSpacing == 0 && s.pos != s.fpdu {
		s.b = order.AppendUint16(append(s.b, 0, 0), uint16(s.pos-s.fpdu))
		s.pos += MarkerLen
	}
}
