package layers_test

// RPC-over-RDMA and ONC RPC: written and read against octets written by hand, and counted in a capture.

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	iwarp "github.com/iwarpkit/iwarp/dissect/layers"
)

// call and reply are RPC messages with the XID of the transport headers below.
var (
	call = stack(&iwarp.RPCCall{Header: oncrpc.Call{
		XID: 0x11223344, RPCVers: 2, Prog: oncrpc.ProgramNFS, Vers: 4, Proc: 1,
		Cred: oncrpc.OpaqueAuth{Flavor: oncrpc.AuthSys, Body: oncrpc.Opaque{Data: []byte("abcde")}},
	}}, payload("args"))
	reply = stack(&iwarp.RPCReply{Header: oncrpc.Reply{XID: 0x11223344}}, payload("done"))
)

const (
	callWire = "11223344 00000000 00000002 000186a3 00000004 00000001 00000001 00000005 6162636465000000" +
		"00000000 00000000 61726773"
	replyWire = "11223344 00000001 00000000 00000000 00000000 00000000 646f6e65"
)

var rpcMessages = []struct {
	name   string
	layers []gopacket.SerializableLayer
	wire   string
}{
	{"version 1, Call", append(stack(&iwarp.RPCRDMA1{Header: rpcrdma.Version1{
		XID: 0x11223344, Vers: 1, Credit: 32, Proc: rpcrdma.ProcMsg,
	}}), call...), "11223344 00000001 00000020 00000000 00000000 00000000 00000000" + callWire},
	{"version 1, Reply chunk", stack(&iwarp.RPCRDMA1{Header: rpcrdma.Version1{
		XID: 0x11223344, Vers: 1, Credit: 32, Proc: rpcrdma.ProcNoMsg,
		Reply: rpcrdma.WriteChunk(nil).Append(rpcrdma.Segment{Handle: 0xcafe, Length: 64, Offset: 0x1000}),
	}}), "11223344 00000001 00000020 00000001 00000000 00000000 00000001 00000001 0000cafe 00000040 0000000000001000"},
	{"version 2, Reply", append(stack(&iwarp.RPCRDMA2{Header: rpcrdma.Version2{
		XID: 0x11223344, Vers: 2, CreditMax: 16, CreditGrant: 8, HType: rpcrdma.HTypeMsg, Flags: rpcrdma.FlagResponse,
	}}), reply...), "11223344 00000002 00100008 00000000 00000001 00000000 00000000 00000000 00000000" + replyWire},
	{"version 2, continuation", stack(&iwarp.RPCRDMA2{Header: rpcrdma.Version2{
		XID: 0x11223344, Vers: 2, CreditGrant: 1, HType: rpcrdma.HTypeMsg,
	}}, payload("more of it")), "11223344 00000002 00000001 00000000 00000000 00000000 00000000 00000000 00000000" + "6d6f7265206f66206974"},
	{"draft of 2022, Reply", append(stack(&iwarp.RPCRDMADraft2022{Header: rpcrdma.Draft2022{
		XID: 0x11223344, Vers: 2, Credit: 9, HType: rpcrdma.HType2022ReplyInline,
	}}), reply...), "11223344 00000002 00000009 0000000d 00000000" + replyWire},
}

func TestRPC(t *testing.T) {
	buf := gopacket.NewSerializeBuffer()
	for _, tc := range rpcMessages {
		wire := octets(t, tc.wire)
		if err := gopacket.SerializeLayers(buf, fixLengths, tc.layers...); err != nil {
			t.Errorf("%s: %v", tc.name, err)
		}
		if diff := cmp.Diff(wire, buf.Bytes()); diff != "" {
			t.Errorf("%s: written (-want +got):\n%s", tc.name, diff)
		}
		var read []gopacket.SerializableLayer
		for _, l := range gopacket.NewPacket(wire, iwarp.LayerTypeRPCRDMA, gopacket.Default).Layers() {
			read = append(read, l.(gopacket.SerializableLayer))
		}
		if diff := cmp.Diff(tc.layers, read, cmpopts.IgnoreTypes(layers.BaseLayer{}), cmpopts.EquateEmpty()); diff != "" {
			t.Errorf("%s: read (-want +got):\n%s", tc.name, diff)
		}
	}
	packet := gopacket.NewPacket([]byte("no message of RPC-over-RDMA"), iwarp.LayerTypeRPCRDMA, gopacket.Default)
	if l := packet.Layers(); len(l) != 1 || l[0].LayerType() != gopacket.LayerTypePayload {
		t.Errorf("other octets: %v", packet)
	}
}

// TestRPCParser lets a parser go from an FPDU to RPC without allocating, and gives it every beginning of a message.
func TestRPCParser(t *testing.T) {
	control := new(iwarp.RDMAP)
	control.SetSend(iwarp.LayerTypeRPCRDMA)
	parser := gopacket.NewDecodingLayerParser(iwarp.LayerTypeFPDU, append(append(parts(), rpcParts()...), control)...)
	decoded := make([]gopacket.LayerType, 0, 8)
	buf := gopacket.NewSerializeBuffer()
	for _, tc := range rpcMessages {
		all := append(stack(&iwarp.FPDU{}), opcodes[3].layers[:2]...) // those of a Send
		all = append(all, tc.layers...)
		if err := gopacket.SerializeLayers(buf, fixLengths, all...); err != nil {
			t.Fatal(err)
		}
		var err error
		allocs := testing.AllocsPerRun(100, func() { err = parser.DecodeLayers(buf.Bytes(), &decoded) })
		if err != nil || allocs != 0 {
			t.Errorf("%s: %v allocations, %v", tc.name, allocs, err)
		}
		want := []gopacket.LayerType{iwarp.LayerTypeFPDU, iwarp.LayerTypeDDP, iwarp.LayerTypeRDMAP, iwarp.LayerTypeRPCRDMA}
		for _, l := range tc.layers {
			want = append(want, l.LayerType())
		}
		if diff := cmp.Diff(want, decoded); diff != "" {
			t.Errorf("%s: %s", tc.name, diff)
		}
		for n := range buf.Bytes() {
			if err := parser.DecodeLayers(buf.Bytes()[:n], &decoded); err != nil && strings.Contains(err.Error(), "panic") {
				t.Fatalf("%s: %d octets: %v", tc.name, n, err)
			}
		}
	}
}

// rpcParts is one of each layer of RPC, for parsers.
func rpcParts() []gopacket.DecodingLayer {
	return []gopacket.DecodingLayer{
		new(iwarp.RPCRDMA), new(iwarp.RPCRDMA1), new(iwarp.RPCRDMA2), new(iwarp.RPCRDMADraft2022), new(iwarp.RPCCall), new(iwarp.RPCReply),
	}
}

// TestNFS counts what tshark finds in a capture: 555 Calls, answered by 421 Replies in Sends and 134 in Reply chunks.
func TestNFS(t *testing.T) {
	var calls, replies, chunks int
	decoder := iwarp.Decoder{Send: iwarp.LayerTypeRPCRDMA}
	packets(t, "nfs-small-v4.1-inl4096-crc1", func(frame int, _ []byte, tcp *layers.TCP) {
		packet := gopacket.NewPacket(tcp.Payload, decoder, gopacket.NoCopy)
		for _, l := range packet.Layers() {
			switch l := l.(type) {
			case *iwarp.RPCCall:
				calls++
			case *iwarp.RPCReply:
				replies++
			case *iwarp.RPCRDMA1:
				if h := &l.Header; h.Proc == rpcrdma.ProcNoMsg && h.Reply.Present() && !h.Reads.Has(0) {
					chunks++
				}
			}
		}
		if failure := packet.ErrorLayer(); failure != nil {
			t.Errorf("frame %d: %v", frame, failure.Error())
		}
	})
	if calls != 555 || replies != 421 || chunks != 134 {
		t.Errorf("%d Calls, %d Replies, %d in Reply chunks", calls, replies, chunks)
	}
}
