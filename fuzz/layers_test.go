package fuzz

// Octets of any kind as the payload of a TCP segment: package dissect/layers.

import (
	"bytes"
	"slices"
	"testing"

	"github.com/google/gopacket"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/layers"
)

// FuzzLayers decodes any octets as a segment, recognised or taken for FPDUs, at once or lazily, and lets a parser walk
// over it; Sends carry RPC-over-RDMA. Nothing may panic, all ways must show the same, and what was decoded whole is
// written as the same octets.
func FuzzLayers(f *testing.F) {
	var segment []byte
	framer := mpa.Framer{Options: mpa.Options{CRC: true}}
	for _, ulpdu := range append(rdmapSeeds(f, rdmapMessages), terminates(f)...) {
		one, err := framer.Append(nil, ulpdu, nil)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(one, false)
		f.Add(one[:len(one)-5], true)
		segment = append(segment, one...)
	}
	for _, message := range rdmapSeeds(f, rpcMessages) {
		header := []byte("\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00")
		one, err := framer.Append(nil, header, message)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(one, false)
		segment = append(segment, one...)
	}
	f.Add(segment, false)
	f.Add([]byte("MPA ID Req Frame\x50\x02\x00\x08\x80\x20\xc0\x10ulp!"), false)
	f.Add(append([]byte("MPA ID Rep Frame\x40\x01\x00\x00"), segment...), false)
	f.Add(append([]byte("MPA ID Rep Frame\x40\x01\x00\x00"), segment...), true)
	f.Add([]byte("\x00\x00\x00\x00\x00\x00\x00\x00\x00"), true)

	f.Fuzz(func(t *testing.T, octets []byte, fpdus bool) {
		decoder := layers.Decoder{FPDUs: fpdus, Send: layers.LayerTypeRPCRDMA}
		packet := gopacket.NewPacket(octets, decoder, gopacket.DecodeOptions{NoCopy: true, SkipDecodeRecovery: true})
		lazy := gopacket.NewPacket(octets, decoder, gopacket.DecodeOptions{NoCopy: true, SkipDecodeRecovery: true, Lazy: true})
		if a, b := packet.String(), lazy.String(); a != b {
			t.Fatalf("at once: %s\n lazily: %s", a, b)
		}
		for _, l := range packet.Layers() {
			gopacket.LayerGoString(l)
		}
		writesSame(t, packet, octets)
		parsesSame(t, packet, octets, fpdus)
	})
}

// Messages of RPC-over-RDMA, in every dialect: Calls and Replies in them, chunk lists, errors, properties.
const rpcMessages = `
11223344000000010000002000000000 000000000000000000000000 112233440000000000000002000186a300000004000000010000000100000005616263646500000000000000 0000000061726773
11223344000000010000002000000001 00000001000000000000cafe0000004000000000000010000000000000000001000000010000beef00000040 0000000000002000 0000000000000000
1122334400000001000000200000000400000001 0000000100000001
1122334400000002001000080000000000000001 00000000000000000000000000000000 112233440000000100000000000000000000000000000000646f6e65
1122334400000002001000080000000500000000 00000000
1122334400000002000000090000000d00000000 112233440000000100000000000000000000000000000000646f6e65
`

// terminates are ULPDUs of Terminates.
func terminates(f *testing.F) (ulpdus [][]byte) {
	for _, seed := range rdmapSeeds(f, rdmapTerminates) {
		ulpdus = append(ulpdus, append([]byte("\x41\x47\x00\x00\x00\x00\x00\x00\x00\x02\x00\x00\x00\x01\x00\x00\x00\x00"), seed...))
	}
	return ulpdus
}

// writesSame serializes the layers of a packet in which nothing is missing and nothing failed.
func writesSame(t *testing.T, packet gopacket.Packet, octets []byte) {
	if packet.ErrorLayer() != nil || packet.Metadata().Truncated {
		return
	}
	var all []gopacket.SerializableLayer
	for _, l := range packet.Layers() {
		all = append(all, l.(gopacket.SerializableLayer))
	}
	buf := gopacket.NewSerializeBuffer()
	if err := layers.SerializeSegment(buf, gopacket.SerializeOptions{}, all...); err != nil || !bytes.Equal(buf.Bytes(), octets) {
		t.Fatalf("%v\n got % x\nwant % x\n%v", err, buf.Bytes(), octets, packet)
	}
}

// parsesSame walks over the octets with parsers, whose layers must be those of the packet.
func parsesSame(t *testing.T, packet gopacket.Packet, octets []byte, fpdus bool) {
	control := new(layers.RDMAP)
	control.SetSend(layers.LayerTypeRPCRDMA)
	each := []gopacket.DecodingLayer{
		new(layers.MPA), new(layers.MPAFrame), new(layers.FPDU), new(layers.DDP), control, new(layers.ReadRequest),
		new(layers.Terminate), new(layers.Immediate), new(layers.AtomicRequest), new(layers.AtomicResponse), new(gopacket.Payload),
		new(layers.RPCRDMA), new(layers.RPCRDMA1), new(layers.RPCRDMA2), new(layers.RPCRDMADraft2022), new(layers.RPCCall), new(layers.RPCReply),
	}
	ofAny := gopacket.NewDecodingLayerParser(layers.LayerTypeMPA, each...)
	ofFPDUs := gopacket.NewDecodingLayerParser(layers.LayerTypeFPDU, each...)
	ofAny.IgnorePanic, ofFPDUs.IgnorePanic = true, true

	shown := packet.Layers()
	var decoded []gopacket.LayerType
	for rest := octets; len(rest) > 0; {
		typ := layers.TypeOf(rest)
		fpdus = fpdus || typ == layers.LayerTypeFPDU
		parser := ofAny
		if fpdus && typ != layers.LayerTypeMPAFrame {
			parser = ofFPDUs
		}
		err := parser.DecodeLayers(rest, &decoded)
		decoded = slices.DeleteFunc(decoded, func(t gopacket.LayerType) bool { // empty layers, which packets do not show
			return t == layers.LayerTypeMPA || t == layers.LayerTypeRPCRDMA
		})
		for _, typ := range decoded {
			if len(shown) == 0 || shown[0].LayerType() != typ {
				t.Fatalf("the parser shows %v at %d of %d, the packet %v", decoded, len(octets)-len(rest), len(octets), packet)
			}
			shown = shown[1:]
		}
		if failure := packet.ErrorLayer(); err != nil {
			if failure == nil || failure.Error().Error() != err.Error() {
				t.Fatalf("the parser fails, %v, the packet does not: %v", err, packet)
			}
			return
		}
		if decoded[0] == gopacket.LayerTypePayload {
			break // all of the rest
		}
		next := layers.Rest(rest)
		if len(next) >= len(rest) {
			t.Fatalf("%d octets behind %d", len(next), len(rest))
		}
		rest = next
	}
	if len(shown) > 0 {
		t.Fatalf("the packet has %d layers more than the parser: %v", len(shown), packet)
	}
}
