package layers

// The layers that are headers of the codecs: of RDMAP messages (RFC 5040 and RFC 7306), of RPC-over-RDMA (RFC 8166 and the
// drafts of version 2) and of ONC RPC (RFC 5531).

import (
	"encoding/binary"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// header is what the headers of the codecs have in common.
type header interface {
	Decode(b []byte) (n int, err error)
	AppendBinary(b []byte) ([]byte, error)
	Len() int
}

// A HeaderLayer is a header of the codecs as a layer of gopacket. Its Payload is what follows the header, even where the
// protocol allows nothing.
type HeaderLayer[H any, P interface {
	*H
	header
}] struct {
	layers.BaseLayer
	Header H
}

// CanDecode returns the same as LayerType.
func (l *HeaderLayer[H, P]) CanDecode() gopacket.LayerClass { return l.LayerType() }

// NextLayerType returns LayerTypeRPCCall or LayerTypeRPCReply if the header of an RPC message follows a transport header of
// RPC-over-RDMA with the same XID, else gopacket.LayerTypePayload.
func (l *HeaderLayer[H, P]) NextLayerType() gopacket.LayerType {
	switch header(P(&l.Header)).(type) {
	case *rpcrdma.Version1, *rpcrdma.Version2, *rpcrdma.Draft2022:
		return rpcType(l.Payload, binary.BigEndian.Uint32(l.Contents)) // each begins with its XID
	}
	return gopacket.LayerTypePayload
}

// DecodeFromBytes decodes the header with which data begins. It fails like Decode of the header, with an error that wraps
// field.ErrShort if the header is not whole.
func (l *HeaderLayer[H, P]) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	n, err := P(&l.Header).Decode(data)
	if err != nil {
		return failed(l.LayerType(), n, data, df, err)
	}
	l.BaseLayer = layers.BaseLayer{Contents: data[:n], Payload: data[n:]}
	return nil
}

// SerializeTo writes the header before the contents of b. FixLengths sets the lengths of credential and verifier in an RPC
// header. It fails, with an error that wraps field.ErrRange, if a value exceeds its field.
func (l *HeaderLayer[H, P]) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	h := header(P(&l.Header))
	if opts.FixLengths {
		switch h := h.(type) {
		case *oncrpc.Call:
			h.Cred.Body.Set(h.Cred.Body.Data)
			h.Verf.Body.Set(h.Verf.Body.Data)
		case *oncrpc.Reply:
			h.Verf.Body.Set(h.Verf.Body.Data)
		}
	}
	return prepend(b, h)
}

// Terminate is the header of a Terminate, 4 octets and more (RFC 5040, section 4.8): all of its segment. Header is read in
// the RFC's bit order.
type Terminate struct {
	layers.BaseLayer
	Header  rdmap.Terminate
	Reading rdmap.Reading // the bit order in which the octets make sense
	Meant   rdmap.Code    // the error that the sender meant: Header.Code, unless Reading is swapped or ambiguous
}

// LayerType returns LayerTypeTerminate.
func (t *Terminate) LayerType() gopacket.LayerType { return LayerTypeTerminate }

// CanDecode returns LayerTypeTerminate.
func (t *Terminate) CanDecode() gopacket.LayerClass { return LayerTypeTerminate }

// NextLayerType returns gopacket.LayerTypeZero: the header reaches to the end of the segment.
func (t *Terminate) NextLayerType() gopacket.LayerType { return gopacket.LayerTypeZero }

// DecodeFromBytes fails, with an error that wraps field.ErrShort, if data is shorter than 4 octets.
func (t *Terminate) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	n, err := t.Header.Decode(data)
	if err != nil {
		return failed(LayerTypeTerminate, n, data, df, err)
	}
	t.BaseLayer = layers.BaseLayer{Contents: data[:n], Payload: data[n:]}
	t.Reading, t.Meant = rdmap.ReadingOf(data, len(data)), t.Header.Code
	if t.Reading == rdmap.ReadingSwapped || t.Reading == rdmap.ReadingAmbiguous {
		var meant rdmap.Terminate
		meant.DecodeSwapped(data)
		t.Meant = meant.Code
	}
	return nil
}

// SerializeTo writes Header, in the RFC's bit order, before the contents of b. It fails, with an error that wraps
// field.ErrRange, if a value exceeds its field.
func (t *Terminate) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	return prepend(b, &t.Header)
}

// rpcRDMAType is the layer type of the transport header with which a message begins.
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

// rpcType is the layer type of what follows a transport header: the header of the RPC message xid, or a payload.
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
type RPCRDMA struct{ selector }

// LayerType returns LayerTypeRPCRDMA.
func (r *RPCRDMA) LayerType() gopacket.LayerType { return LayerTypeRPCRDMA }

// CanDecode returns LayerTypeRPCRDMA.
func (r *RPCRDMA) CanDecode() gopacket.LayerClass { return LayerTypeRPCRDMA }

// NextLayerType tells the versions apart, and the two drafts of version 2.
func (r *RPCRDMA) NextLayerType() gopacket.LayerType { return rpcRDMAType(r.Payload) }

// decodeRPCRDMA decodes a message in a whole packet, which omits the empty layer.
func decodeRPCRDMA(data []byte, p gopacket.PacketBuilder) error {
	return rpcRDMAType(data).Decode(data, p)
}
