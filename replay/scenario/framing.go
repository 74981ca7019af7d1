package scenario

// From actions to octets: MPA frames and FPDUs.

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

func (f *Frame) table() *field.Table { return (&mpa.Frame{Reply: f.Reply}).Fields() }

// headers returns the header of the frame, with a PD_Length of zero, and its Enhanced word, or nil if it has none.
func (f *Frame) headers() (header, word []byte) {
	wire := mpa.Frame{Reply: f.Reply, M: f.M, C: f.C, R: f.R, S: f.S, Res: f.Res & 15, Rev: f.Rev}
	header, _ = wire.AppendBinary(nil) // every value fits
	if f.Enhanced != nil {
		word, _ = f.Enhanced.AppendBinary(make([]byte, 0, mpa.EnhancedLen)) // Check finds values that do not fit
		word = word[:mpa.EnhancedLen]
	}
	return header, word
}

// canBeAny reports whether a field of an MPA frame can be a wildcard: it is a number, and not PD_Length, which
// determines the end of the frame.
func canBeAny(f *field.Field) bool { return f.Base != field.Octets && f.Label != "PD_Length" }

// Wire returns the frame as codec/mpa represents it.
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

// FPDU appends the octets of f to dst, in the stream of a Framer. It fails like Segment, and if ULPDU or PAD are too long
// for an FPDU.
func (s *Sender) FPDU(dst []byte, f *FPDU, framer *mpa.Framer, values Values) ([]byte, error) {
	ulpdu, err := s.Segment(nil, &f.Segment, values)
	if err != nil {
		return dst, err
	}
	if len(ulpdu) > math.MaxUint16 {
		return dst, errors.New("the ULPDU is longer than ULPDU_Length can express")
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
	if f.Markers != RightMarkers && framer.Markers {
		f.Markers.corrupt(fpdu, pos)
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

// corrupt gives the Markers of an FPDU the fault m. The FPDU begins at pos in its stream.
func (m Markers) corrupt(fpdu []byte, pos uint64) {
	first := int(-pos % mpa.MarkerSpacing)
	for at := first; at+mpa.MarkerLen+4 <= len(fpdu); at += mpa.MarkerSpacing {
		marker := fpdu[at : at+mpa.MarkerLen]
		word := binary.BigEndian.Uint32(marker)
		switch m {
		case BadMarkers:
			word = word&^0xffff | (word+4)&0xffff
		case ReservedMarkers:
			word |= 0xffff0000
		case LowMarkers:
			word |= 3
		}
		binary.BigEndian.PutUint32(marker, word)
	}
}
