package scenario

// From actions to octets: MPA frames and FPDUs.

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// Wire is the frame as codec/mpa has it.
func (f *Frame) Wire(values Values) (*mpa.Frame, error) {
	var private []byte
	var err error
	if f.Enhanced != nil {
		if private, err = f.Enhanced.AppendBinary(nil); err != nil {
			return nil, err
		}
	}
	if private, err = f.PrivateData.AppendOctets(private, values); err != nil {
		return nil, err
	}
	length := uint16(len(private))
	if f.PDLength != nil {
		length = *f.PDLength
	}
	return &mpa.Frame{
		Reply: f.Reply, M: f.M, C: f.C, R: f.R, S: f.S, Res: f.Res, Rev: f.Rev, PDLength: length, PrivateData: private,
	}, nil
}

// FPDU appends the octets of f to dst, in the stream of a Framer. It fails as Segment does, and if ULPDU or PAD are too
// long for an FPDU.
func (s *Sender) FPDU(dst []byte, f *FPDU, framer *mpa.Framer, values Values) ([]byte, error) {
	ulpdu, err := s.Segment(nil, &f.Segment, values)
	if err != nil {
		return dst, err
	}
	if len(ulpdu) > math.MaxUint16 {
		return dst, errLong
	}
	length, pad := uint16(len(ulpdu)), make([]byte, mpa.Pad(len(ulpdu)))
	if f.ULPDULength != nil {
		length = *f.ULPDULength
	}
	if f.PAD != nil {
		pad = f.PAD
	}
	from, pos := len(dst), framer.Pos()
	dst = framer.AppendAs(dst, length, pad, ulpdu)
	fpdu := dst[from:]
	if f.BadMarkers && framer.Markers {
		misdirect(fpdu, pos)
		if framer.CRC {
			binary.LittleEndian.PutUint32(fpdu[len(fpdu)-4:], mpa.CRC(fpdu[:len(fpdu)-4]))
		}
	}
	crc := fpdu[len(fpdu)-4:]
	switch {
	case f.CRC != nil:
		binary.LittleEndian.PutUint32(crc, *f.CRC)
	case f.BadCRC:
		binary.LittleEndian.PutUint32(crc, ^binary.LittleEndian.Uint32(crc))
	}
	return dst, nil
}

// misdirect makes the Markers of an FPDU, which begins at pos in its stream, point elsewhere.
func misdirect(fpdu []byte, pos uint64) {
	first := int(-pos % mpa.MarkerSpacing)
	for at := first; at+mpa.MarkerLen+4 <= len(fpdu); at += mpa.MarkerSpacing {
		pointer := fpdu[at+2 : at+4]
		binary.BigEndian.PutUint16(pointer, binary.BigEndian.Uint16(pointer)+4)
	}
}

var errLong = errors.New("the ULPDU is longer than an FPDU can say")
