package layers

// The layers of the RDMAP headers behind the DDP header (RFC 5040, section 4, and RFC 7306): each is the header of
// package rdmap, whose bit layouts stand there, in the shape of gopacket. Octets behind a header, which the protocol
// does not allow, are its Payload.

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// decodeHeader decodes h and sets base.
func decodeHeader(t gopacket.LayerType, h header, base *layers.BaseLayer, data []byte, df gopacket.DecodeFeedback) error {
	n, err := h.Decode(data)
	if err != nil {
		return failed(t, n, data, df, err)
	}
	*base = layers.BaseLayer{Contents: data[:n], Payload: data[n:]}
	return nil
}

// ReadRequest is the header of an RDMA Read Request, 28 octets (RFC 5040, section 4.4).
type ReadRequest struct {
	layers.BaseLayer
	rdmap.ReadRequest
}

// LayerType returns LayerTypeReadRequest.
func (h *ReadRequest) LayerType() gopacket.LayerType { return LayerTypeReadRequest }

// CanDecode returns LayerTypeReadRequest.
func (h *ReadRequest) CanDecode() gopacket.LayerClass { return LayerTypeReadRequest }

// NextLayerType returns gopacket.LayerTypePayload.
func (h *ReadRequest) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes fails, with an error that wraps field.ErrShort, if data is shorter than 28 octets.
func (h *ReadRequest) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return decodeHeader(LayerTypeReadRequest, &h.ReadRequest, &h.BaseLayer, data, df)
}

// SerializeTo writes the header in front of what b holds.
func (h *ReadRequest) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return prepend(b, &h.ReadRequest)
}

// Immediate is the header of Immediate Data and Immediate Data with SE, 8 octets (RFC 7306, section 6.2).
type Immediate struct {
	layers.BaseLayer
	rdmap.Immediate
}

// LayerType returns LayerTypeImmediate.
func (h *Immediate) LayerType() gopacket.LayerType { return LayerTypeImmediate }

// CanDecode returns LayerTypeImmediate.
func (h *Immediate) CanDecode() gopacket.LayerClass { return LayerTypeImmediate }

// NextLayerType returns gopacket.LayerTypePayload.
func (h *Immediate) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes fails, with an error that wraps field.ErrShort, if data is shorter than 8 octets.
func (h *Immediate) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return decodeHeader(LayerTypeImmediate, &h.Immediate, &h.BaseLayer, data, df)
}

// SerializeTo writes the header in front of what b holds.
func (h *Immediate) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return prepend(b, &h.Immediate)
}

// AtomicRequest is the header of an Atomic Operation Request, 52 octets (RFC 7306, section 5.2.1).
type AtomicRequest struct {
	layers.BaseLayer
	rdmap.AtomicRequest
}

// LayerType returns LayerTypeAtomicRequest.
func (h *AtomicRequest) LayerType() gopacket.LayerType { return LayerTypeAtomicRequest }

// CanDecode returns LayerTypeAtomicRequest.
func (h *AtomicRequest) CanDecode() gopacket.LayerClass { return LayerTypeAtomicRequest }

// NextLayerType returns gopacket.LayerTypePayload.
func (h *AtomicRequest) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes fails, with an error that wraps field.ErrShort, if data is shorter than 52 octets.
func (h *AtomicRequest) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return decodeHeader(LayerTypeAtomicRequest, &h.AtomicRequest, &h.BaseLayer, data, df)
}

// SerializeTo writes the header in front of what b holds. It fails, with an error that wraps field.ErrRange, if a
// value exceeds its field.
func (h *AtomicRequest) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return prepend(b, &h.AtomicRequest)
}

// AtomicResponse is the header of an Atomic Operation Response, 12 octets (RFC 7306, section 5.2.2).
type AtomicResponse struct {
	layers.BaseLayer
	rdmap.AtomicResponse
}

// LayerType returns LayerTypeAtomicResponse.
func (h *AtomicResponse) LayerType() gopacket.LayerType { return LayerTypeAtomicResponse }

// CanDecode returns LayerTypeAtomicResponse.
func (h *AtomicResponse) CanDecode() gopacket.LayerClass { return LayerTypeAtomicResponse }

// NextLayerType returns gopacket.LayerTypePayload.
func (h *AtomicResponse) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes fails, with an error that wraps field.ErrShort, if data is shorter than 12 octets.
func (h *AtomicResponse) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return decodeHeader(LayerTypeAtomicResponse, &h.AtomicResponse, &h.BaseLayer, data, df)
}

// SerializeTo writes the header in front of what b holds.
func (h *AtomicResponse) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return prepend(b, &h.AtomicResponse)
}

// Terminate is the header of a Terminate, 4 octets and more (RFC 5040, section 4.8): all of its segment. The embedded
// Terminate is read as the RFC says.
type Terminate struct {
	layers.BaseLayer
	rdmap.Terminate
	Reading rdmap.Reading // the bit order in which the octets make sense; siw has its own
	Meant   rdmap.Code    // the error that the sender meant: Code, unless Reading is swapped or ambiguous
}

// LayerType returns LayerTypeTerminate.
func (h *Terminate) LayerType() gopacket.LayerType { return LayerTypeTerminate }

// CanDecode returns LayerTypeTerminate.
func (h *Terminate) CanDecode() gopacket.LayerClass { return LayerTypeTerminate }

// NextLayerType returns gopacket.LayerTypeZero: the header reaches to the end of the segment.
func (h *Terminate) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// DecodeFromBytes fails, with an error that wraps field.ErrShort, if data is shorter than 4 octets.
func (h *Terminate) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if err := decodeHeader(LayerTypeTerminate, &h.Terminate, &h.BaseLayer, data, df); err != nil {
		return err
	}
	h.Reading, h.Meant = rdmap.ReadingOf(data), h.Code
	if h.Reading == rdmap.ReadingSwapped || h.Reading == rdmap.ReadingAmbiguous {
		var meant rdmap.Terminate
		meant.DecodeSwapped(data)
		h.Meant = meant.Code
	}
	return nil
}

// SerializeTo writes the embedded Terminate, in the RFC's bit order, in front of what b holds. It fails, with an error
// that wraps field.ErrRange, if a value exceeds its field.
func (h *Terminate) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return prepend(b, &h.Terminate)
}
