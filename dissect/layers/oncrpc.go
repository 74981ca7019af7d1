package layers

// The layers of ONC RPC (RFC 5531): the headers of package oncrpc, whose layouts stand there, in the shape of gopacket.

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
)

// RPCCall is the header of a Call (RFC 5531, section 9). Its Payload are the arguments of the procedure.
type RPCCall struct {
	layers.BaseLayer
	oncrpc.Call
}

// LayerType returns LayerTypeRPCCall.
func (h *RPCCall) LayerType() gopacket.LayerType { return LayerTypeRPCCall }

// CanDecode returns LayerTypeRPCCall.
func (h *RPCCall) CanDecode() gopacket.LayerClass { return LayerTypeRPCCall }

// NextLayerType returns gopacket.LayerTypePayload.
func (h *RPCCall) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes fails if the header is not whole (field.ErrShort) or is none of a Call (field.ErrValue).
func (h *RPCCall) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return decodeHeader(LayerTypeRPCCall, &h.Call, &h.BaseLayer, data, df)
}

// SerializeTo writes the header in front of what b holds. FixLengths fills the lengths of credential and verifier.
func (h *RPCCall) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if opts.FixLengths {
		h.Cred.Body.Set(h.Cred.Body.Data)
		h.Verf.Body.Set(h.Verf.Body.Data)
	}
	return prepend(b, &h.Call)
}

// RPCReply is the header of a Reply (RFC 5531, section 9). Its Payload are the results of the procedure, which the Call names.
type RPCReply struct {
	layers.BaseLayer
	oncrpc.Reply
}

// LayerType returns LayerTypeRPCReply.
func (h *RPCReply) LayerType() gopacket.LayerType { return LayerTypeRPCReply }

// CanDecode returns LayerTypeRPCReply.
func (h *RPCReply) CanDecode() gopacket.LayerClass { return LayerTypeRPCReply }

// NextLayerType returns gopacket.LayerTypePayload.
func (h *RPCReply) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes fails if the header is not whole (field.ErrShort) or is none of a Reply (field.ErrValue).
func (h *RPCReply) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return decodeHeader(LayerTypeRPCReply, &h.Reply, &h.BaseLayer, data, df)
}

// SerializeTo writes the header in front of what b holds. FixLengths fills the lengths of verifier.
func (h *RPCReply) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if opts.FixLengths {
		h.Verf.Body.Set(h.Verf.Body.Data)
	}
	return prepend(b, &h.Reply)
}
