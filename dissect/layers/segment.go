package layers

// From the payload of a TCP segment to its MPA frames and FPDUs, and back.

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// TypeOf returns the type of the layer with which aligned octets begin:
//
//   - LayerTypeMPAFrame: the Key of a Request or Reply.
//   - LayerTypeFPDU: an FPDU, recognised by its DDP and RDMAP headers, which must be whole and break no rule. One in about
//     8000 random strings passes.
//   - gopacket.LayerTypePayload: anything else, such as a segment that is not aligned. To decode an FPDU that breaks rules
//     use LayerTypeFPDU, which treats all octets except frames as FPDUs.
func TypeOf(octets []byte) gopacket.LayerType {
	switch {
	case hasKey(octets):
		return LayerTypeMPAFrame
	case plausible(octets):
		return LayerTypeFPDU
	}
	return gopacket.LayerTypePayload
}

func hasKey(octets []byte) bool {
	const n = len(mpa.RequestKey)
	return len(octets) >= n && (string(octets[:n]) == mpa.RequestKey || string(octets[:n]) == mpa.ReplyKey)
}

// plausible reports whether octets begin with an FPDU whose headers break no rule. Its payload may be cut.
func plausible(octets []byte) bool {
	var f mpa.FPDU
	f.Decode(octets)
	var s rdmap.Segment
	if _, err := s.Decode(f.ULPDU); err != nil || f.ULPDULength > mpa.MaxULPDU || s.DV() != s.Control.RV {
		return false
	}
	if len(f.ULPDU) < int(f.ULPDULength) {
		return s.Header.Check() == nil
	}
	return s.Check() == nil
}

// Rest returns what follows the first MPA frame or FPDU of aligned octets; nil if nothing does, or if that is cut. It is
// always shorter than octets.
func Rest(octets []byte) []byte {
	n := fpduLen(octets)
	if hasKey(octets) {
		n = frameLen(octets)
	}
	if n >= len(octets) {
		return nil
	}
	return octets[n:]
}

func frameLen(octets []byte) int {
	var f mpa.Frame
	n, _ := f.Decode(octets)
	return n
}

func fpduLen(octets []byte) int {
	var f mpa.FPDU
	n, _ := f.Decode(octets)
	return n
}

// A Decoder decodes aligned octets for [gopacket.NewPacket]: MPA frames and FPDUs, as many as there are, or a Payload
// if they are neither. The zero Decoder is what LayerTypeMPA uses.
type Decoder struct {
	FPDUs bool               // treat all octets except frames as FPDUs, as LayerTypeFPDU does
	Send  gopacket.LayerType // what Sends carry: LayerTypeRPCRDMA or another upper layer; Payload if it is zero
}

// Decode adds the layers of data to p. It ends at the first header that cannot be decoded.
func (d Decoder) Decode(data []byte, p gopacket.PacketBuilder) error {
	b := &builder{PacketBuilder: p, send: d.Send}
	for fpdus := d.FPDUs; len(data) > 0; {
		t := LayerTypeFPDU
		if !fpdus || hasKey(data) {
			t = TypeOf(data)
		}
		var err error
		n := len(data)
		switch t {
		case LayerTypeMPAFrame:
			n = frameLen(data)
			err = decode(new(MPAFrame), data, b)
		case LayerTypeFPDU:
			fpdus = true // an FPDU is followed by another
			n = fpduLen(data)
			err = decode(new(FPDU), data, b)
		default:
			err = t.Decode(data, b)
		}
		if err != nil {
			return err
		}
		data = data[n:]
	}
	return nil
}

// A builder decodes the contents of a layer at once, even in lazy packets: these remember only one next decoder, too few
// where another FPDU follows.
type builder struct {
	gopacket.PacketBuilder
	last gopacket.Layer
	send gopacket.LayerType
}

func (b *builder) AddLayer(l gopacket.Layer) {
	b.last = l
	b.PacketBuilder.AddLayer(l)
}

func (b *builder) NextDecoder(next gopacket.Decoder) error {
	if data := b.last.LayerPayload(); len(data) > 0 {
		return next.Decode(data, b)
	}
	return nil
}

// A selector is an empty layer that only selects the next one.
type selector struct{ layers.BaseLayer }

// DecodeFromBytes makes all octets the Payload. It never fails.
func (s *selector) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	s.BaseLayer = layers.BaseLayer{Contents: data[:0], Payload: data}
	return nil
}

// MPA is an empty layer that leads a DecodingLayerParser from TCP to the right one of MPAFrame, FPDU and
// gopacket.Payload.
type MPA struct{ selector }

// LayerType returns LayerTypeMPA.
func (m *MPA) LayerType() gopacket.LayerType { return LayerTypeMPA }

// CanDecode returns LayerTypeMPA.
func (m *MPA) CanDecode() gopacket.LayerClass { return LayerTypeMPA }

// NextLayerType returns the [TypeOf] the octets.
func (m *MPA) NextLayerType() gopacket.LayerType { return TypeOf(m.Payload) }

// TCP is gopacket's TCP layer, except that the octets of its payload decide what follows, not the ports. Put it into a
// DecodingLayerParser in place of the other.
type TCP struct{ layers.TCP }

// NextLayerType returns the [TypeOf] the payload.
func (t *TCP) NextLayerType() gopacket.LayerType { return TypeOf(t.Payload) }

// SerializeSegment is gopacket.SerializeLayers for a segment with any number of FPDUs: first the layers that enclose them all,
// such as IP and TCP, then the layers of each FPDU.
func SerializeSegment(w gopacket.SerializeBuffer, opts gopacket.SerializeOptions, all ...gopacket.SerializableLayer) error {
	if err := w.Clear(); err != nil {
		return err
	}
	one := gopacket.NewSerializeBuffer()
	end := len(all)
	for begin := end - 1; begin >= 0; begin-- {
		if t := all[begin].LayerType(); t != LayerTypeFPDU && t != LayerTypeMPAFrame {
			continue
		}
		if err := gopacket.SerializeLayers(one, opts, all[begin:end]...); err != nil {
			return err
		}
		octets, err := w.PrependBytes(len(one.Bytes()))
		if err != nil {
			return err
		}
		copy(octets, one.Bytes())
		for _, t := range one.Layers() {
			w.PushLayer(t)
		}
		end = begin
	}
	for i := end - 1; i >= 0; i-- {
		if err := all[i].SerializeTo(w, opts); err != nil {
			return err
		}
		w.PushLayer(all[i].LayerType())
	}
	return nil
}
