package layers

// The layers that are headers of the codecs, and the numbers and names under which gopacket knows all layers.

import (
	"errors"
	"fmt"

	"github.com/google/gopacket"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// ReadRequest is the header of an RDMA Read Request, 28 octets (RFC 5040, section 4.4).
type ReadRequest = HeaderLayer[rdmap.ReadRequest, *rdmap.ReadRequest]

// Immediate is the header of Immediate Data and Immediate Data with SE, 8 octets (RFC 7306, section 6.2).
type Immediate = HeaderLayer[rdmap.Immediate, *rdmap.Immediate]

// AtomicRequest is the header of an Atomic Operation Request, 52 octets (RFC 7306, section 5.2.1).
type AtomicRequest = HeaderLayer[rdmap.AtomicRequest, *rdmap.AtomicRequest]

// AtomicResponse is the header of an Atomic Operation Response, 12 octets (RFC 7306, section 5.2.2).
type AtomicResponse = HeaderLayer[rdmap.AtomicResponse, *rdmap.AtomicResponse]

// RPCRDMA1 is a transport header of RPC-over-RDMA version 1 (RFC 8166, section 4.1.2).
type RPCRDMA1 = HeaderLayer[rpcrdma.Version1, *rpcrdma.Version1]

// RPCRDMA2 is a transport header of version 2 (draft-ietf-nfsv4-rpcrdma-version-two-01, section 6).
type RPCRDMA2 = HeaderLayer[rpcrdma.Version2, *rpcrdma.Version2]

// RPCRDMADraft2022 is a transport header of version 2 in the draft of March 2022.
type RPCRDMADraft2022 = HeaderLayer[rpcrdma.Draft2022, *rpcrdma.Draft2022]

// RPCCall is the header of a Call (RFC 5531, section 9). Its Payload has the arguments of the procedure.
type RPCCall = HeaderLayer[oncrpc.Call, *oncrpc.Call]

// RPCReply is the header of a Reply (RFC 5531, section 9). Its Payload has the results of the procedure.
type RPCReply = HeaderLayer[oncrpc.Reply, *oncrpc.Reply]

// The layer types. gopacket leaves the numbers 1000 to 1999, which it keeps in an array, to applications, and nobody assigns
// them. This package uses 1740 to 1759. If another package uses one of these, gopacket panics when the program starts.
const (
	LayerTypeMPA              gopacket.LayerType = 1740 + iota // what TCP carries: an MPA frame, FPDUs or other octets
	LayerTypeMPAFrame                                          // MPA Request or Reply
	LayerTypeFPDU                                              // MPA FPDU
	LayerTypeDDP                                               // DDP header, tagged or untagged
	LayerTypeRDMAP                                             // RDMAP control field and Invalidate STag
	LayerTypeReadRequest                                       // RDMAP header of an RDMA Read Request
	LayerTypeTerminate                                         // RDMAP header of a Terminate
	LayerTypeImmediate                                         // RDMAP header of Immediate Data
	LayerTypeAtomicRequest                                     // RDMAP header of an Atomic Operation Request
	LayerTypeAtomicResponse                                    // RDMAP header of an Atomic Operation Response
	LayerTypeRPCRDMA                                           // what a Send of RPC-over-RDMA carries, in any version
	LayerTypeRPCRDMA1                                          // RPC-over-RDMA transport header of version 1
	LayerTypeRPCRDMA2                                          // RPC-over-RDMA transport header of version 2, draft 01
	LayerTypeRPCRDMADraft2022                                  // RPC-over-RDMA transport header of version 2, draft of 2022
	LayerTypeRPCCall                                           // ONC RPC header of a Call
	LayerTypeRPCReply                                          // ONC RPC header of a Reply
)

func init() {
	for t, meta := range map[gopacket.LayerType]gopacket.LayerTypeMetadata{
		LayerTypeMPA:              {Name: "MPA", Decoder: Decoder{}},
		LayerTypeMPAFrame:         {Name: "MPAFrame", Decoder: decoderOf[MPAFrame]()},
		LayerTypeFPDU:             {Name: "FPDU", Decoder: Decoder{FPDUs: true}},
		LayerTypeDDP:              {Name: "DDP", Decoder: decoderOf[DDP]()},
		LayerTypeRDMAP:            {Name: "RDMAP", Decoder: gopacket.DecodeFunc(decodeRDMAP)},
		LayerTypeReadRequest:      {Name: "RDMAPReadRequest", Decoder: decoderOf[ReadRequest]()},
		LayerTypeTerminate:        {Name: "RDMAPTerminate", Decoder: decoderOf[Terminate]()},
		LayerTypeImmediate:        {Name: "RDMAPImmediate", Decoder: decoderOf[Immediate]()},
		LayerTypeAtomicRequest:    {Name: "RDMAPAtomicRequest", Decoder: decoderOf[AtomicRequest]()},
		LayerTypeAtomicResponse:   {Name: "RDMAPAtomicResponse", Decoder: decoderOf[AtomicResponse]()},
		LayerTypeRPCRDMA:          {Name: "RPCRDMA", Decoder: gopacket.DecodeFunc(decodeRPCRDMA)},
		LayerTypeRPCRDMA1:         {Name: "RPCRDMA1", Decoder: decoderOf[RPCRDMA1]()},
		LayerTypeRPCRDMA2:         {Name: "RPCRDMA2", Decoder: decoderOf[RPCRDMA2]()},
		LayerTypeRPCRDMADraft2022: {Name: "RPCRDMADraft2022", Decoder: decoderOf[RPCRDMADraft2022]()},
		LayerTypeRPCCall:          {Name: "RPCCall", Decoder: decoderOf[RPCCall]()},
		LayerTypeRPCReply:         {Name: "RPCReply", Decoder: decoderOf[RPCReply]()},
	} {
		gopacket.RegisterLayerType(int(t), meta)
	}
}

// LayerType returns the layer type of the header: LayerTypeReadRequest for a ReadRequest.
func (l *HeaderLayer[H, P]) LayerType() gopacket.LayerType {
	switch header(P(&l.Header)).(type) {
	case *rdmap.ReadRequest:
		return LayerTypeReadRequest
	case *rdmap.Immediate:
		return LayerTypeImmediate
	case *rdmap.AtomicRequest:
		return LayerTypeAtomicRequest
	case *rdmap.AtomicResponse:
		return LayerTypeAtomicResponse
	case *rpcrdma.Version1:
		return LayerTypeRPCRDMA1
	case *rpcrdma.Version2:
		return LayerTypeRPCRDMA2
	case *rpcrdma.Draft2022:
		return LayerTypeRPCRDMADraft2022
	case *oncrpc.Call:
		return LayerTypeRPCCall
	case *oncrpc.Reply:
		return LayerTypeRPCReply
	}
	return gopacket.LayerTypeZero
}

// headerTypes are the layers of RDMAP headers, by the table of the header.
var headerTypes = map[*field.Table]gopacket.LayerType{
	rdmap.ReadRequestFields:    LayerTypeReadRequest,
	rdmap.TerminateFields:      LayerTypeTerminate,
	rdmap.ImmediateFields:      LayerTypeImmediate,
	rdmap.FetchAddFields:       LayerTypeAtomicRequest,
	rdmap.AtomicResponseFields: LayerTypeAtomicResponse,
}

// layer is the interface of every layer of this package.
type layer interface {
	gopacket.Layer
	gopacket.DecodingLayer
}

// decoderOf makes the decoder of a layer for whole packets.
func decoderOf[T any, L interface {
	*T
	layer
}]() gopacket.DecodeFunc {
	return func(data []byte, p gopacket.PacketBuilder) error { return decode(L(new(T)), data, p) }
}

// decode adds l to the packet and continues with its payload.
func decode(l layer, data []byte, p gopacket.PacketBuilder) error {
	if err := l.DecodeFromBytes(data, p); err != nil {
		return err
	}
	p.AddLayer(l)
	if next := l.NextLayerType(); next != gopacket.LayerTypeZero {
		return p.NextDecoder(next)
	}
	return nil
}

// failed returns the error of a layer whose decoding failed with err at octet n of data.
func failed(t gopacket.LayerType, n int, data []byte, df gopacket.DecodeFeedback, err error) error {
	if errors.Is(err, field.ErrShort) {
		df.SetTruncated()
	}
	return fmt.Errorf("%v: at octet %d of %d: %w", t, n, len(data), err)
}

// prepend serializes h before the contents of b.
func prepend(b gopacket.SerializeBuffer, h header) error {
	octets, err := b.PrependBytes(h.Len())
	if err != nil {
		return err
	}
	_, err = h.AppendBinary(octets[:0:len(octets)])
	return err
}
