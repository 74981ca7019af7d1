package layers

// The layers of MPA (RFC 5044): the Request or Reply Frame and the FPDU. Their bit layouts are in package mpa.

import (
	"encoding/binary"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// MPAFrame is an MPA Request or Reply (RFC 5044, section 7.1.1). Its Contents include the Private Data; it has no
// Payload.
type MPAFrame struct {
	layers.BaseLayer
	mpa.Frame
}

// LayerType returns LayerTypeMPAFrame.
func (f *MPAFrame) LayerType() gopacket.LayerType { return LayerTypeMPAFrame }

// CanDecode returns LayerTypeMPAFrame.
func (f *MPAFrame) CanDecode() gopacket.LayerClass { return LayerTypeMPAFrame }

// NextLayerType returns gopacket.LayerTypeZero: nothing is inside a frame.
func (f *MPAFrame) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// DecodeFromBytes decodes the frame with which data begins. It fails if one of the first 20 octets is missing
// (field.ErrShort) or if the Key is neither of the two (field.ErrValue); missing Private Data only sets Truncated.
func (f *MPAFrame) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	n, err := f.Frame.Decode(data)
	switch {
	case err != nil && n < mpa.FrameLen:
		return failed(LayerTypeMPAFrame, n, data, df, err)
	case err != nil:
		df.SetTruncated()
	}
	f.BaseLayer = layers.BaseLayer{Contents: data[:n]}
	return nil
}

// errLongPD is for Private Data too long for PD_Length.
var errLongPD = mpa.RequestFields.Err("iwarp_mpa.pdlength", field.ErrRange, "")

// SerializeTo writes the frame with its PrivateData. FixLengths sets PDLength. It fails, with an error that wraps
// field.ErrRange, if a value exceeds its field.
func (f *MPAFrame) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if opts.FixLengths {
		if len(f.PrivateData) > 0xffff {
			return errLongPD
		}
		f.PDLength = uint16(len(f.PrivateData))
	}
	return prepend(b, &f.Frame)
}

// FPDU is an FPDU without Markers (RFC 5044, section 4.1). Its Contents are the 2 octets of ULPDU_Length, its Payload
// is the ULPDU.
type FPDU struct {
	layers.BaseLayer
	ULPDULength uint16 // octets of the ULPDU, as stated
	PAD         []byte // 0 to 3 octets after the ULPDU
	CRC         uint32 // CRC32c, least significant octet first on the wire; any value if CRCs are off
	Missing     int    // octets missing from data: the FPDU continues in another segment, or was cut

	octets []byte // the FPDU without its CRC; nil if octets are missing
}

// LayerType returns LayerTypeFPDU.
func (f *FPDU) LayerType() gopacket.LayerType { return LayerTypeFPDU }

// CanDecode returns LayerTypeFPDU.
func (f *FPDU) CanDecode() gopacket.LayerClass { return LayerTypeFPDU }

// NextLayerType returns LayerTypeDDP.
func (f *FPDU) NextLayerType() gopacket.LayerType { return LayerTypeDDP }

// DecodeFromBytes decodes the FPDU with which data begins; [Rest] returns what follows it. It fails if there is no
// ULPDU_Length (field.ErrShort). Other missing octets only set Truncated. It does not check the CRC.
func (f *FPDU) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	var h mpa.FPDU
	n, err := h.Decode(data)
	if err != nil && n < lengthLen {
		return failed(LayerTypeFPDU, n, data, df, err)
	}
	*f = FPDU{
		BaseLayer:   layers.BaseLayer{Contents: data[:lengthLen], Payload: h.ULPDU},
		ULPDULength: h.ULPDULength,
		PAD:         h.PAD,
		CRC:         h.CRC,
	}
	if err != nil {
		df.SetTruncated()
		f.Missing = mpa.FPDULen(int(h.ULPDULength)) - n
	} else {
		f.octets = data[:n-crcLen]
	}
	return nil
}

// The lengths in octets of ULPDU_Length and CRC.
const (
	lengthLen = 2
	crcLen    = 4
)

// VerifyCRC compares the CRC field with want, the CRC32c of the octets from which the FPDU was decoded. If octets are missing,
// the verdict is mpa.Unchecked and want is zero. The verdict means nothing if CRCs are off, which only the MPA frames tell.
// Some RNICs send zero then.
func (f *FPDU) VerifyCRC() (verdict mpa.Verdict, want uint32) {
	if f.octets == nil {
		return mpa.Unchecked, 0
	}
	want = mpa.CRC(f.octets)
	if want != f.CRC {
		return mpa.Bad, want
	}
	return mpa.Good, want
}

// Check is the Check of mpa.FPDU, with the Payload for the ULPDU.
func (f *FPDU) Check() error {
	h := mpa.FPDU{ULPDULength: f.ULPDULength, ULPDU: f.Payload, PAD: f.PAD, CRC: f.CRC}
	return h.Check()
}

// errLong is for a ULPDU too long for ULPDU_Length.
var errLong = mpa.FPDUFields.Err("iwarp_mpa.ulpdulength", field.ErrRange, "")

// zeros is the PAD.
var zeros [3]byte

// SerializeTo writes the FPDU around its ULPDU, the contents of b. FixLengths sets ULPDULength and PAD, ComputeChecksums sets
// the CRC; without them all three are written as they are. With FixLengths it fails, with an error that wraps field.ErrRange,
// if the ULPDU is longer than 65535 octets.
func (f *FPDU) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	ulpdu := len(b.Bytes())
	if opts.FixLengths {
		if ulpdu > 0xffff {
			return errLong
		}
		f.ULPDULength = uint16(ulpdu)
		f.PAD = zeros[:mpa.Pad(ulpdu):mpa.Pad(ulpdu)]
	}
	front, err := b.PrependBytes(lengthLen)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint16(front, f.ULPDULength)
	back, err := b.AppendBytes(len(f.PAD) + crcLen)
	if err != nil {
		return err
	}
	crc := back[copy(back, f.PAD):]
	if opts.ComputeChecksums {
		octets := b.Bytes()
		f.CRC = mpa.CRC(octets[:len(octets)-crcLen])
	}
	binary.LittleEndian.PutUint32(crc, f.CRC)
	return nil
}
