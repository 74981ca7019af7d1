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

// errLongPD is for Private Data whose length PD_Length cannot state.
var errLongPD = mpa.RequestFields.Err("iwarp_mpa.pdlength", field.ErrRange, "")

// SerializeTo writes the frame with its PrivateData. FixLengths fills PDLength. It fails, with an error that wraps
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
	PAD         []byte // 0 to 3 octets behind the ULPDU
	CRC         uint32 // CRC32c, least significant octet first on the wire; any value if CRCs are off
	Missing     int    // octets that the data lacked: the FPDU goes on in another segment, or was cut

	octets []byte // all of the FPDU but its CRC; nil if something is missing
}

// LayerType returns LayerTypeFPDU.
func (f *FPDU) LayerType() gopacket.LayerType { return LayerTypeFPDU }

// CanDecode returns LayerTypeFPDU.
func (f *FPDU) CanDecode() gopacket.LayerClass { return LayerTypeFPDU }

// NextLayerType returns LayerTypeDDP.
func (f *FPDU) NextLayerType() gopacket.LayerType { return LayerTypeDDP }

// DecodeFromBytes decodes the FPDU with which data begins; [Rest] is what stands behind it. It fails if there is no
// ULPDU_Length (field.ErrShort); that other octets are missing only sets Truncated. The CRC is not checked.
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

// VerifyCRC compares the CRC field with the CRC32c of the octets from which the FPDU was decoded, want. The verdict is
// mpa.Unchecked, and want zero, if some are missing. Where CRCs are off, which only the MPA frames tell, it means
// nothing: siw sends zero then.
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

// errLong is for a ULPDU that ULPDU_Length cannot state.
var errLong = mpa.FPDUFields.Err("iwarp_mpa.ulpdulength", field.ErrRange, "")

// zeros is what PAD consists of.
var zeros [3]byte

// SerializeTo writes the FPDU around what b holds, its ULPDU. FixLengths fills ULPDULength and PAD, ComputeChecksums
// fills the CRC; without them all three are written as they are. With FixLengths it fails, with an error that wraps
// field.ErrRange, if the ULPDU is longer than 65535 octets.
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
