package layers_test

import (
	"fmt"

	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	iwarp "github.com/iwarpkit/iwarp/dissect/layers"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// Every RDMA Read Request of a capture.
func Example() {
	capture, err := samples.Open("rping")
	if err != nil {
		fmt.Println(err)
		return
	}
	for packet := range gopacket.NewPacketSource(capture, layers.LinkTypeEthernet).Packets() {
		tcp, ok := packet.TransportLayer().(*layers.TCP)
		if !ok {
			continue
		}
		for _, l := range gopacket.NewPacket(tcp.Payload, iwarp.LayerTypeMPA, gopacket.NoCopy).Layers() {
			if r, ok := l.(*iwarp.ReadRequest); ok {
				fmt.Printf("%d octets from STag %#08x, TO %#x\n", r.Header.RDMARDSZ, r.Header.SrcSTag, r.Header.SrcTO)
			}
		}
	}
	// Output:
	// 64 octets from STag 0x9996e800, TO 0x5634372b8f90
	// 64 octets from STag 0x9996e800, TO 0x5634372b8f90
	// 64 octets from STag 0x9996e800, TO 0x5634372b8f90
	// 64 octets from STag 0x9996e800, TO 0x5634372b8f90
	// 64 octets from STag 0x9996e800, TO 0x5634372b8f90
}

// The first Calls of an NFS mount.
func ExampleDecoder() {
	capture, err := samples.Open("nfs-small-v4.1-inl4096-crc1")
	if err != nil {
		fmt.Println(err)
		return
	}
	source := gopacket.NewPacketSource(capture, layers.LinkTypeEthernet)
	decoder := iwarp.Decoder{Send: iwarp.LayerTypeRPCRDMA}
	for frame := 1; frame <= 20; frame++ {
		packet, err := source.NextPacket()
		if err != nil {
			fmt.Println(err)
			return
		}
		segment := gopacket.NewPacket(packet.TransportLayer().LayerPayload(), decoder, gopacket.NoCopy)
		if call, ok := segment.Layer(iwarp.LayerTypeRPCCall).(*iwarp.RPCCall); ok {
			fmt.Printf("frame %d: %v\n", frame, call.Header.Procedure())
			var args nfs.CompoundArgs
			var ops nfs.Operations
			off, _ := args.Decode(call.Payload)
			for ops.Reset(call.Payload, off, &args); ops.Next(); {
				fmt.Println("  ", ops.Name())
			}
		}
	}
	// Output:
	// frame 8: NFSv4 NULL
	// frame 10: NFSv4 COMPOUND
	//    EXCHANGE_ID
	// frame 14: NFSv4 COMPOUND
	//    EXCHANGE_ID
	// frame 18: NFSv4 COMPOUND
	//    CREATE_SESSION
	// frame 20: NFSv4 COMPOUND
	//    SEQUENCE
	//    RECLAIM_COMPLETE
}

// A parser that goes from the link to RDMAP and allocates nothing, whatever the ports are.
func ExampleTCP() {
	var (
		eth   layers.Ethernet
		ip    layers.IPv4
		tcp   iwarp.TCP
		fpdu  iwarp.FPDU
		ddp   iwarp.DDP
		rdmap iwarp.RDMAP
	)
	first := gopacket.NewDecodingLayerParser(layers.LayerTypeEthernet, &eth, &ip, &tcp)
	each := gopacket.NewDecodingLayerParser(iwarp.LayerTypeFPDU, &fpdu, &ddp, &rdmap)
	first.IgnoreUnsupported, each.IgnoreUnsupported = true, true

	capture, err := samples.Open("sendinv-crc1")
	if err != nil {
		fmt.Println(err)
		return
	}
	var decoded []gopacket.LayerType
	for frame := 1; ; frame++ {
		data, _, err := capture.ZeroCopyReadPacketData()
		if err != nil {
			return
		}
		if err := first.DecodeLayers(data, &decoded); err != nil || len(decoded) < 3 || tcp.NextLayerType() != iwarp.LayerTypeFPDU {
			continue
		}
		for octets := tcp.Payload; len(octets) > 0; octets = iwarp.Rest(octets) {
			if err := each.DecodeLayers(octets, &decoded); err != nil {
				fmt.Println(err)
				break
			}
			crc, _ := fpdu.VerifyCRC()
			fmt.Printf("frame %d: %v, %d octets, MSN %d, CRC %v\n", frame, rdmap.Opcode, len(ddp.Payload), ddp.MSN, crc)
		}
	}
	// Output:
	// frame 8: Write, 100 octets, MSN 0, CRC good
	// frame 10: SendInvalidate, 64 octets, MSN 1, CRC good
}

// A Send is made, and shown as gopacket shows it.
func ExampleFPDU_SerializeTo() {
	buf := gopacket.NewSerializeBuffer()
	err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true},
		&iwarp.FPDU{},
		&iwarp.DDP{L: true, DV: 1, MSN: 1},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpSend},
		gopacket.Payload("hello"),
	)
	if err != nil {
		fmt.Println(err)
	}
	fmt.Print(gopacket.NewPacket(buf.Bytes(), iwarp.LayerTypeMPA, gopacket.Default))
	// Output:
	// PACKET: 32 bytes
	// - Layer 1 (02 bytes) = FPDU	{Contents=[0, 23] Payload=[..23..] ULPDULength=23 PAD=[0, 0, 0] CRC=212963513 Missing=0}
	// - Layer 2 (18 bytes) = DDP	{Contents=[..18..] Payload=[..5..] T=false L=true Rsvd=0 DV=1 RsvdULP=287762808832 STag=0 TO=0 QN=0 MSN=1 MO=0}
	// - Layer 3 (05 bytes) = RDMAP	{Contents=[..5..] Payload=[..5..] RV=1 Rsv=0 Opcode=Send InvalidateSTag=0}
	// - Layer 4 (05 bytes) = Payload	5 byte(s)
}
