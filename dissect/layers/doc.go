// Package layers gives gopacket the layers of iWARP: MPA frames and FPDUs, DDP, RDMAP and its headers, and
// RPC-over-RDMA with ONC RPC above them.
//
// # Aligned segments only
//
// The octets given must be aligned: they begin with an MPA Request or Reply or with an FPDU, as the payload of most
// TCP segments of an RNIC does, and hold no Markers. These layers keep no state from one packet to the next. Streams
// whose FPDUs are spread over segments, Markers, retransmissions, loss and negotiation are the business of package
// dissect.
//
// # Whole packets
//
// A segment may hold several FPDUs. [gopacket.NewPacket] shows all of them, one behind the other:
//
//	FPDU DDP RDMAP RDMAPReadRequest FPDU DDP RDMAP Payload ...
//
// No TCP port means MPA, so gopacket stops at TCP. Give it what TCP carries:
//
//	packet := gopacket.NewPacket(tcp.Payload, layers.LayerTypeMPA, gopacket.NoCopy)
//
// [LayerTypeMPA] tells frames, FPDUs and other octets apart by themselves, see [TypeOf]. A [Decoder] in its place says
// what the upper layer is. If the ports are known,
//
//	RegisterTCPPortLayerType(7174, layers.LayerTypeMPA)
//
// of gopacket's own layers package makes its TCP go on to MPA, in packets decoded with
// [gopacket.DecodeStreamsAsDatagrams] and in a DecodingLayerParser. That is a table of the whole process without a lock:
// write it before the first packet is decoded.
//
// # Parsers
//
// A [gopacket.DecodingLayerParser] decodes the first FPDU of a segment without allocating; [Rest] is what stands behind
// it. With a parser that begins with [LayerTypeFPDU]:
//
//	if layers.TypeOf(tcp.Payload) == layers.LayerTypeFPDU {
//		for octets := tcp.Payload; len(octets) > 0; octets = layers.Rest(octets) {
//			err := parser.DecodeLayers(octets, &decoded)
//			...
//		}
//	}
//
// With [TCP] in the place of gopacket's layer, one parser goes from the link to RDMAP whatever the ports are.
//
// # Where DDP ends and RDMAP begins
//
// The RDMAP control field stands within the DDP header (RsvdULP). So the Contents of [RDMAP] lie within those of
// [DDP], and what RDMAP decodes, the LayerPayload of DDP, is the whole ULPDU; the field Payload of both is what is
// behind the header. When serialized, RDMAP stands directly inside DDP and its values replace RsvdULP.
//
// # Errors and cuts
//
// An error wraps that of the codec, so that errors.Is(err, field.ErrShort) and errors.As with *field.Error work; a
// header that is not whole also sets Truncated. An FPDU or frame that lacks octets behind its headers only sets
// Truncated: its headers are decoded. Nothing is judged: CRCs are looked at by [FPDU.VerifyCRC], other values by the
// Check methods.
package layers
