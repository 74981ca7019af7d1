package layers

// The layer of DDP (RFC 5041). The bit layouts of its two headers are in package ddp.

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// DDP is the header of a DDP segment, 14 or 18 octets (RFC 5041, sections 4.2 and 4.3). The fields of the other
// header are zero.
//
// Its Payload follows the header. LayerPayload, which RDMAP decodes, is the whole segment, because the RDMAP control field is
// within the header.
type DDP struct {
	layers.BaseLayer
	T       bool   // tagged
	L       bool   // last segment of its message
	Rsvd    uint8  // 4 bits, zero on transmit
	DV      uint8  // 2 bits, DDP protocol version
	RsvdULP uint64 // of the upper layer: 8 bits if tagged, else 40

	STag uint32 // tagged: steering tag
	TO   uint64 // tagged: tagged offset, in octets

	QN  uint32 // untagged: queue number
	MSN uint32 // untagged: message sequence number
	MO  uint32 // untagged: message offset, in octets

	segment []byte
}

// LayerType returns LayerTypeDDP.
func (d *DDP) LayerType() gopacket.LayerType { return LayerTypeDDP }

// CanDecode returns LayerTypeDDP.
func (d *DDP) CanDecode() gopacket.LayerClass { return LayerTypeDDP }

// NextLayerType returns LayerTypeRDMAP.
func (d *DDP) NextLayerType() gopacket.LayerType { return LayerTypeRDMAP }

// LayerPayload is the whole segment, header included: see [DDP].
func (d *DDP) LayerPayload() []byte { return d.segment }

// DecodeFromBytes decodes a DDP segment, which is all of data. It fails, with an error that wraps field.ErrShort, if
// the header is not whole.
func (d *DDP) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if ddp.IsTagged(data) {
		var h ddp.Tagged
		n, err := h.Decode(data)
		if err != nil {
			return failed(LayerTypeDDP, n, data, df, err)
		}
		*d = DDP{T: true, L: h.L, Rsvd: h.Rsvd, DV: h.DV, RsvdULP: uint64(h.RsvdULP), STag: h.STag, TO: h.TO}
	} else {
		var h ddp.Untagged
		n, err := h.Decode(data)
		if err != nil {
			return failed(LayerTypeDDP, n, data, df, err)
		}
		*d = DDP{L: h.L, Rsvd: h.Rsvd, DV: h.DV, RsvdULP: h.RsvdULP, QN: h.QN, MSN: h.MSN, MO: h.MO}
	}
	n := d.headerLen()
	d.Contents, d.Payload, d.segment = data[:n], data[n:], data
	return nil
}

func (d *DDP) headerLen() int {
	if d.T {
		return ddp.TaggedLen
	}
	return ddp.UntaggedLen
}

// errRsvdULP is for a RsvdULP that does not fit in a tagged header.
var errRsvdULP = ddp.TaggedFields.Err("iwarp_ddp.rsvdulp", field.ErrRange, "")

// tagged is the header if T is set.
func (d *DDP) tagged() ddp.Tagged {
	return ddp.Tagged{L: d.L, Rsvd: d.Rsvd, DV: d.DV, RsvdULP: uint8(d.RsvdULP), STag: d.STag, TO: d.TO}
}

// untagged is the header if T is not set.
func (d *DDP) untagged() ddp.Untagged {
	return ddp.Untagged{L: d.L, Rsvd: d.Rsvd, DV: d.DV, RsvdULP: d.RsvdULP, QN: d.QN, MSN: d.MSN, MO: d.MO}
}

// Check is the Check of ddp.Tagged or ddp.Untagged.
func (d *DDP) Check() error {
	if d.T {
		h := d.tagged()
		return h.Check()
	}
	h := d.untagged()
	return h.Check()
}

// SerializeTo writes the header before the contents of b. RsvdULP is that of the RDMAP layer in b, if there is one, else the
// field. It fails, with an error that wraps field.ErrRange, if a value exceeds its field.
func (d *DDP) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if inner := b.Layers(); len(inner) > 0 && inner[len(inner)-1] == LayerTypeRDMAP {
		return d.aroundRDMAP(b)
	}
	if d.T {
		if d.RsvdULP > 0xff {
			return errRsvdULP
		}
		h := d.tagged()
		return prepend(b, &h)
	}
	h := d.untagged()
	return prepend(b, &h)
}

// aroundRDMAP writes the header over and before the octets that an RDMAP layer has written.
func (d *DDP) aroundRDMAP(b gopacket.SerializeBuffer) error {
	h := rdmap.Header{T: d.T}
	if d.T {
		h.Tagged = d.tagged()
	} else {
		h.Untagged = d.untagged()
	}
	h.Control, h.InvalidateSTag = serializedRDMAP(b.Bytes())
	n := d.headerLen()
	if _, err := b.PrependBytes(n - rsvdULPLen); err != nil {
		return err
	}
	_, err := h.AppendBinary(b.Bytes()[:0:n])
	return err
}
