package layers

// The layer of RDMAP (RFC 5040): the contents of RsvdULP in the DDP header. Its bit layout is in package rdmap.

import (
	"encoding/binary"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// RDMAP is the RDMAP control field and, in untagged segments, the Invalidate STag (RFC 5040, section 4.1). Its
// Contents are these 1 or 5 octets, its Payload is what follows the DDP header: ULP payload or an RDMAP header.
type RDMAP struct {
	layers.BaseLayer
	RV             uint8        // 2 bits, RDMAP version
	Rsv            uint8        // 2 bits, zero on transmit
	Opcode         rdmap.Opcode // 4 bits
	InvalidateSTag uint32       // valid if Opcode.HasInvalidateSTag, else zero on transmit

	first bool               // untagged, and the first segment of its message
	send  gopacket.LayerType // what Sends carry
}

// SetSend sets what Sends carry from now on: LayerTypeRPCRDMA or another upper layer. The default is gopacket.Payload. For
// whole packets [Decoder] does it.
func (r *RDMAP) SetSend(t gopacket.LayerType) { r.send = t }

// LayerType returns LayerTypeRDMAP.
func (r *RDMAP) LayerType() gopacket.LayerType { return LayerTypeRDMAP }

// CanDecode returns LayerTypeRDMAP.
func (r *RDMAP) CanDecode() gopacket.LayerClass { return LayerTypeRDMAP }

// NextLayerType returns the layer of the opcode's RDMAP header, the layer given to SetSend for the first segment of a Send,
// or gopacket.LayerTypePayload.
func (r *RDMAP) NextLayerType() gopacket.LayerType {
	if t, ok := headerTypes[r.Opcode.Descriptor().Header(nil)]; ok {
		return t
	}
	if r.first && r.send != gopacket.LayerTypeZero && r.Opcode.IsSend() {
		return r.send
	}
	return gopacket.LayerTypePayload
}

// DecodeFromBytes decodes the RDMAP fields of a DDP segment, which is all of data, DDP header included. It fails, with
// an error that wraps field.ErrShort, if that header is not whole.
func (r *RDMAP) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	var h rdmap.Header
	n, err := h.Decode(data)
	if err != nil {
		return failed(LayerTypeRDMAP, n, data, df, err)
	}
	end := rdmap.ControlOff + rsvdULPLen
	if h.T {
		end = rdmap.ControlOff + rdmap.ControlLen
	}
	r.BaseLayer = layers.BaseLayer{Contents: data[rdmap.ControlOff:end], Payload: data[n:]}
	r.RV, r.Rsv, r.Opcode, r.InvalidateSTag = h.Control.RV, h.Control.Rsv, h.Control.Opcode, h.InvalidateSTag
	r.first = !h.T && h.Untagged.MO == 0
	return nil
}

// decodeRDMAP decodes the layer in a whole packet.
func decodeRDMAP(data []byte, p gopacket.PacketBuilder) error {
	r := new(RDMAP)
	if b, ok := p.(*builder); ok {
		r.send = b.send
	}
	return decode(r, data, p)
}

// control is the control octet.
func (r *RDMAP) control() rdmap.Control { return rdmap.Control{RV: r.RV, Rsv: r.Rsv, Opcode: r.Opcode} }

// Check is the Check of rdmap.Control. Use rdmap.Segment on the ULPDU for the rules that bind DDP and RDMAP together.
func (r *RDMAP) Check() error {
	c := r.control()
	return c.Check()
}

// rsvdULPLen is the length in octets of the RDMAP fields in an untagged header.
const rsvdULPLen = 5

// SerializeTo writes control field and Invalidate STag, 5 octets, before the contents of b. They are not a segment by
// themselves: a DDP layer around them puts them into its header. It fails, with an error that wraps field.ErrRange, if a
// value exceeds its field.
func (r *RDMAP) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	stag, err := b.PrependBytes(rsvdULPLen - rdmap.ControlLen)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(stag, r.InvalidateSTag)
	c := r.control()
	return prepend(b, &c)
}

// serializedRDMAP reads what SerializeTo has written.
func serializedRDMAP(b []byte) (c rdmap.Control, invalidateSTag uint32) {
	n, _ := c.Decode(b)
	return c, binary.BigEndian.Uint32(b[n:])
}
