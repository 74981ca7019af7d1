package layers

// The layers of RPC-over-RDMA (RFC 8166 and the drafts of version 2): the transport headers of package rpcrdma, whose
// layouts stand there, in the shape of gopacket.

import (
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// rpcRDMAType tells which of the transport headers a message begins with.
func rpcRDMAType(message []byte) gopacket.LayerType {
	switch rpcrdma.DetectDialect(message, len(message)) {
	case rpcrdma.DialectVersion1:
		return LayerTypeRPCRDMA1
	case rpcrdma.DialectVersion2:
		return LayerTypeRPCRDMA2
	case rpcrdma.DialectDraft2022:
		return LayerTypeRPCRDMADraft2022
	}
	return gopacket.LayerTypePayload
}

// rpcType tells what stands behind a transport header: the header of the RPC message xid, or any other part of one.
func rpcType(payload []byte, xid uint32) gopacket.LayerType {
	switch {
	case rpcrdma.CheckRPC(payload, xid, false) == nil:
		return LayerTypeRPCCall
	case rpcrdma.CheckRPC(payload, xid, true) == nil:
		return LayerTypeRPCReply
	}
	return gopacket.LayerTypePayload
}

// RPCRDMA is an empty layer that leads a DecodingLayerParser from a Send to the right one of RPCRDMA1, RPCRDMA2,
// RPCRDMADraft2022 and gopacket.Payload.
type RPCRDMA struct{ layers.BaseLayer }

// LayerType returns LayerTypeRPCRDMA.
func (r *RPCRDMA) LayerType() gopacket.LayerType { return LayerTypeRPCRDMA }

// CanDecode returns LayerTypeRPCRDMA.
func (r *RPCRDMA) CanDecode() gopacket.LayerClass { return LayerTypeRPCRDMA }

// NextLayerType is told by the version and by what the drafts of version 2 do not have in common.
func (r *RPCRDMA) NextLayerType() gopacket.LayerType { return rpcRDMAType(r.Payload) }

// DecodeFromBytes takes all octets for the Payload. It never fails.
func (r *RPCRDMA) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	r.BaseLayer = layers.BaseLayer{Contents: data[:0], Payload: data}
	return nil
}

// decodeRPCRDMA decodes a message in a whole packet, where the empty layer has no place.
func decodeRPCRDMA(data []byte, p gopacket.PacketBuilder) error {
	return rpcRDMAType(data).Decode(data, p)
}

// RPCRDMA1 is a transport header of version 1 (RFC 8166, section 4.1.2).
type RPCRDMA1 struct {
	layers.BaseLayer
	rpcrdma.Version1
}

// LayerType returns LayerTypeRPCRDMA1.
func (h *RPCRDMA1) LayerType() gopacket.LayerType { return LayerTypeRPCRDMA1 }

// CanDecode returns LayerTypeRPCRDMA1.
func (h *RPCRDMA1) CanDecode() gopacket.LayerClass { return LayerTypeRPCRDMA1 }

// NextLayerType is LayerTypeRPCCall or LayerTypeRPCReply if an RPC message with this XID begins behind the header,
// else gopacket.LayerTypePayload.
func (h *RPCRDMA1) NextLayerType() gopacket.LayerType { return rpcType(h.Payload, h.XID) }

// DecodeFromBytes fails if the header is not whole (field.ErrShort) or a word that says whether a list goes on says
// neither yes nor no (field.ErrValue).
func (h *RPCRDMA1) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return decodeHeader(LayerTypeRPCRDMA1, &h.Version1, &h.BaseLayer, data, df)
}

// SerializeTo writes the header in front of what b holds.
func (h *RPCRDMA1) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return prepend(b, &h.Version1)
}

// RPCRDMA2 is a transport header of version 2 (draft-ietf-nfsv4-rpcrdma-version-two-01, section 6).
type RPCRDMA2 struct {
	layers.BaseLayer
	rpcrdma.Version2
}

// LayerType returns LayerTypeRPCRDMA2.
func (h *RPCRDMA2) LayerType() gopacket.LayerType { return LayerTypeRPCRDMA2 }

// CanDecode returns LayerTypeRPCRDMA2.
func (h *RPCRDMA2) CanDecode() gopacket.LayerClass { return LayerTypeRPCRDMA2 }

// NextLayerType is LayerTypeRPCCall or LayerTypeRPCReply if an RPC message with this XID begins behind the header,
// else gopacket.LayerTypePayload.
func (h *RPCRDMA2) NextLayerType() gopacket.LayerType { return rpcType(h.Payload, h.XID) }

// DecodeFromBytes fails if the header is not whole (field.ErrShort) or a word that says whether a list goes on says
// neither yes nor no (field.ErrValue).
func (h *RPCRDMA2) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return decodeHeader(LayerTypeRPCRDMA2, &h.Version2, &h.BaseLayer, data, df)
}

// SerializeTo writes the header in front of what b holds.
func (h *RPCRDMA2) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return prepend(b, &h.Version2)
}

// RPCRDMADraft2022 is a transport header of version 2 in the draft of March 2022.
type RPCRDMADraft2022 struct {
	layers.BaseLayer
	rpcrdma.Draft2022
}

// LayerType returns LayerTypeRPCRDMADraft2022.
func (h *RPCRDMADraft2022) LayerType() gopacket.LayerType { return LayerTypeRPCRDMADraft2022 }

// CanDecode returns LayerTypeRPCRDMADraft2022.
func (h *RPCRDMADraft2022) CanDecode() gopacket.LayerClass { return LayerTypeRPCRDMADraft2022 }

// NextLayerType is LayerTypeRPCCall or LayerTypeRPCReply if an RPC message with this XID begins behind the header,
// else gopacket.LayerTypePayload.
func (h *RPCRDMADraft2022) NextLayerType() gopacket.LayerType { return rpcType(h.Payload, h.XID) }

// DecodeFromBytes fails if the header is not whole (field.ErrShort) or a word that says whether a list goes on says
// neither yes nor no (field.ErrValue).
func (h *RPCRDMADraft2022) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	return decodeHeader(LayerTypeRPCRDMADraft2022, &h.Draft2022, &h.BaseLayer, data, df)
}

// SerializeTo writes the header in front of what b holds.
func (h *RPCRDMADraft2022) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return prepend(b, &h.Draft2022)
}
