// Package layers gives gopacket the layers of iWARP: MPA frames and FPDUs, DDP, RDMAP and its headers, and RPC-over-RDMA
// with ONC RPC above them. No TCP port means MPA, so gopacket stops at TCP. Give it what TCP carries:
//
//	packet := gopacket.NewPacket(tcp.Payload, layers.LayerTypeMPA, gopacket.NoCopy)
//	for _, l := range packet.Layers() {
//		if r, ok := l.(*layers.ReadRequest); ok {
//			fmt.Println(r.Header.RDMARDSZ)
//		}
//	}
//
// A segment may hold several FPDUs; a packet has the layers of all. A [Decoder] in the place of [LayerTypeMPA] says which
// upper layer Sends carry.
//
// A [gopacket.DecodingLayerParser] that begins with [LayerTypeFPDU] decodes one FPDU without allocating. [Rest] is what
// follows it, and [TypeOf] tells frames, FPDUs and other octets apart. [TCP] in the place of gopacket's layer leads a parser
// to MPA whatever the ports are; if they are known, RegisterTCPPortLayerType(7174, layers.LayerTypeMPA) of gopacket's layers
// package does.
//
// The octets must be aligned: they begin with an MPA frame or an FPDU, as most TCP segments of an RNIC do, and hold no
// Markers. These layers keep no state. Package dissect follows streams with Markers, loss and negotiation.
//
// The RDMAP control field is part of the DDP header (RsvdULP). [RDMAP] therefore decodes the whole ULPDU, and its
// Contents lie within those of [DDP]. Serialize RDMAP directly inside DDP.
//
// An error wraps that of the codec: errors.Is(err, field.ErrShort) works. A header that is cut also sets Truncated; an
// FPDU or frame that lacks only octets after its headers is decoded, and sets Truncated.
package layers
