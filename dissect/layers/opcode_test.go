package layers_test

// Every message of RDMAP, written from layers and read into layers, against octets written by hand.

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	iwarp "github.com/iwarpkit/iwarp/dissect/layers"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

var octets = codectest.Octets

// stack is the layers of an FPDU but the FPDU.
func stack(l ...gopacket.SerializableLayer) []gopacket.SerializableLayer { return l }

func payload(s string) *gopacket.Payload {
	p := gopacket.Payload(s)
	return &p
}

var opcodes = []struct {
	opcode rdmap.Opcode
	layers []gopacket.SerializableLayer
	wire   string // FPDU with CRC 0
}{
	{rdmap.OpWrite, stack(
		&iwarp.DDP{T: true, L: true, DV: 1, STag: 0xa1b2c301, TO: 0x1000},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpWrite},
		payload("abcde"),
	), "0013 c140a1b2c3010000000000001000 6162636465 000000 00000000"},
	{rdmap.OpReadRequest, stack(
		&iwarp.DDP{L: true, DV: 1, QN: 1, MSN: 7},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpReadRequest},
		&iwarp.ReadRequest{Header: rdmap.ReadRequest{SinkSTag: 0xcafe0001, SinkTO: 0x2000, RDMARDSZ: 24, SrcSTag: 0xbeef0002, SrcTO: 0x7f0000004000}},
	), "002e 4141000000000000000100000007 00000000 cafe000100000000000020000000 0018beef000200007f0000004000 00000000"},
	{rdmap.OpReadResponse, stack(
		&iwarp.DDP{T: true, DV: 1, STag: 0xcafe0001, TO: 0x2000},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpReadResponse},
		payload("ab"),
	), "0010 8142cafe00010000000000002000 6162 0000 00000000"},
	{rdmap.OpSend, stack(
		&iwarp.DDP{L: true, DV: 1, MSN: 1},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpSend},
		payload("abcd"),
	), "0016 4143000000000000000000000001 00000000 61626364 00000000"},
	{rdmap.OpSendInvalidate, stack(
		&iwarp.DDP{L: true, DV: 1, MSN: 2},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpSendInvalidate, InvalidateSTag: 0x11223344},
		payload("a"),
	), "0013 4144112233440000000000000002 00000000 61 000000 00000000"},
	{rdmap.OpSendSE, stack(
		&iwarp.DDP{L: true, DV: 1, MSN: 3},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpSendSE}, // without payload
	), "0012 4145000000000000000000000003 00000000 00000000"},
	{rdmap.OpSendSEInvalidate, stack(
		&iwarp.DDP{DV: 1, MSN: 4, MO: 1448},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpSendSEInvalidate, InvalidateSTag: 0x11223344},
		payload("abc"),
	), "0015 0146112233440000000000000004 000005a8 616263 00 00000000"},
	{rdmap.OpTerminate, stack(
		&iwarp.DDP{L: true, DV: 1, QN: 2, MSN: 1},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpTerminate},
		&iwarp.Terminate{
			Header: rdmap.Terminate{
				Code: rdmap.Code{Layer: rdmap.LayerDDP, EType: rdmap.DDPTaggedBuffer},
				M:    true, HasSegmentLength: true, SegmentLength: 18,
				D: true, HasHeader: true, Header: rdmap.Header{
					T: true, Tagged: ddp.Tagged{L: true, DV: 1, RsvdULP: 0x40, STag: 0xa1b2c301, TO: 0x1000},
					Control: rdmap.Control{RV: 1, Opcode: rdmap.OpWrite},
				},
			},
			Meant: rdmap.Code{Layer: rdmap.LayerDDP, EType: rdmap.DDPTaggedBuffer},
		},
	), "0026 4147000000000000000200000001 00000000 1100c000 0012 c140a1b2c3010000000000001000 00000000"},
	{rdmap.OpImmediate, stack(
		&iwarp.DDP{L: true, DV: 1, MSN: 5},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpImmediate},
		&iwarp.Immediate{Header: rdmap.Immediate{ImmediateData: 0x0011223344556677}},
	), "001a 4148000000000000000000000005 00000000 0011223344556677 00000000"},
	{rdmap.OpImmediateSE, stack(
		&iwarp.DDP{L: true, DV: 1, MSN: 6},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpImmediateSE},
		&iwarp.Immediate{Header: rdmap.Immediate{ImmediateData: 1}},
	), "001a 4149000000000000000000000006 00000000 0000000000000001 00000000"},
	{rdmap.OpAtomicRequest, stack(
		&iwarp.DDP{L: true, DV: 1, QN: 1, MSN: 2},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpAtomicRequest},
		&iwarp.AtomicRequest{Header: rdmap.AtomicRequest{AOpCode: rdmap.CmpSwap, RequestIdentifier: 8, RemoteSTag: 0xbeef0002,
			RemoteTaggedOffset: 0x7f0000004008, AddOrSwapData: 0xaaaa, AddOrSwapMask: 0xffff, CompareData: 0x1234, CompareMask: 0xff00}},
	), `0046 414a000000000000000100000002 00000000 0000000200000008beef000200007f0000004008
		000000000000aaaa000000000000ffff0000000000001234000000000000ff00 00000000`},
	{rdmap.OpAtomicResponse, stack(
		&iwarp.DDP{L: true, DV: 1, QN: 3, MSN: 1},
		&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpAtomicResponse},
		&iwarp.AtomicResponse{Header: rdmap.AtomicResponse{OriginalRequestIdentifier: 0x701, OriginalRemoteDataValue: 0x0123456789abcdef}},
	), "001e 414b000000000000000300000001 00000000 000007010123456789abcdef 00000000"},
	{14, stack( // no message at all: its body is payload
		&iwarp.DDP{L: true, DV: 1, QN: 9, MSN: 1},
		&iwarp.RDMAP{RV: 1, Rsv: 2, Opcode: 14},
		payload("ab"),
	), "0014 416e000000000000000900000001 00000000 6162 0000 00000000"},
}

// fixLengths leaves CRCs alone.
var fixLengths = gopacket.SerializeOptions{FixLengths: true}

// sameFields compares layers except for where they stand, and for RsvdULP of DDP, of which RDMAP is another view.
var sameFields = cmp.Options{
	cmpopts.IgnoreTypes(layers.BaseLayer{}),
	cmpopts.IgnoreUnexported(iwarp.FPDU{}, iwarp.DDP{}, iwarp.RDMAP{}),
	cmpopts.IgnoreFields(iwarp.DDP{}, "RsvdULP"),
	cmpopts.EquateEmpty(),
}

func TestOpcodes(t *testing.T) {
	buf := gopacket.NewSerializeBuffer()
	for _, tc := range opcodes {
		wire := octets(t, tc.wire)
		fpdu := &iwarp.FPDU{}
		written := append(stack(fpdu), tc.layers...)
		if err := gopacket.SerializeLayers(buf, fixLengths, written...); err != nil {
			t.Errorf("%v: %v", tc.opcode, err)
			continue
		}
		if diff := cmp.Diff(wire, buf.Bytes()); diff != "" {
			t.Errorf("%v: written (-want +got):\n%s", tc.opcode, diff)
		}

		packet := gopacket.NewPacket(wire, iwarp.LayerTypeFPDU, gopacket.Default)
		if failure := packet.ErrorLayer(); failure != nil || packet.Metadata().Truncated {
			t.Errorf("%v: %v", tc.opcode, packet)
			continue
		}
		var read []gopacket.SerializableLayer
		for _, l := range packet.Layers() {
			read = append(read, l.(gopacket.SerializableLayer))
		}
		if diff := cmp.Diff(written, read, sameFields); diff != "" {
			t.Errorf("%v: read (-want +got):\n%s", tc.opcode, diff)
		}
		if known := iwarp.TypeOf(wire) == iwarp.LayerTypeFPDU; known != tc.opcode.Known() {
			t.Errorf("%v: recognised: %v", tc.opcode, known)
		}
	}
}

// TestComputeChecksums checks that a CRC is the one the codec expects, that of any other octet is not, and that
// lengths stay as they are unless they are to be fixed.
func TestComputeChecksums(t *testing.T) {
	buf := gopacket.NewSerializeBuffer()
	for _, tc := range opcodes {
		fpdu := &iwarp.FPDU{}
		both := gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}
		if err := gopacket.SerializeLayers(buf, both, append(stack(fpdu), tc.layers...)...); err != nil {
			t.Fatal(err)
		}
		wire := buf.Bytes()
		var d mpa.Deframer
		d.Reset(mpa.Options{CRC: true})
		d.Push(wire)
		var f mpa.Deframed
		if !d.Next(&f) || f.Verdict != mpa.Good || f.CRC != fpdu.CRC {
			t.Errorf("%v: the Deframer says %+v of % x", tc.opcode, f, wire)
		}
		var read iwarp.FPDU
		for i := range wire {
			wire[i] ^= 0x10
			if err := read.DecodeFromBytes(wire, gopacket.NilDecodeFeedback); err != nil {
				t.Fatal(err)
			}
			if verdict, _ := read.VerifyCRC(); verdict == mpa.Good {
				t.Errorf("%v: octet %d changed: CRC %v", tc.opcode, i, verdict)
			}
			wire[i] ^= 0x10
		}
	}

	wrong := &iwarp.FPDU{ULPDULength: 9, PAD: []byte{1}, CRC: 0x04030201}
	if err := gopacket.SerializeLayers(buf, gopacket.SerializeOptions{}, wrong, payload("abc")); err != nil {
		t.Fatal(err)
	}
	if want := octets(t, "0009 616263 01 01020304"); !cmp.Equal(buf.Bytes(), want) {
		t.Errorf("written % x, want % x", buf.Bytes(), want)
	}
}

// TestDDPAlone writes DDP without RDMAP: then RsvdULP is its own.
func TestDDPAlone(t *testing.T) {
	buf := gopacket.NewSerializeBuffer()
	for _, tc := range []struct {
		header iwarp.DDP
		wire   string
	}{
		{iwarp.DDP{T: true, Rsvd: 5, DV: 2, RsvdULP: 0xee, STag: 1, TO: 2}, "96ee00000001 0000000000000002 78"},
		{iwarp.DDP{L: true, Rsvd: 10, DV: 3, RsvdULP: 0xaabbccddee, QN: 1, MSN: 2, MO: 3}, "6baabbccddee 000000010000000200000003 78"},
	} {
		if err := gopacket.SerializeLayers(buf, fixLengths, &tc.header, payload("x")); err != nil {
			t.Fatal(err)
		}
		wire := octets(t, tc.wire)
		if !cmp.Equal(buf.Bytes(), wire) {
			t.Errorf("written % x, want % x", buf.Bytes(), wire)
		}
		var read iwarp.DDP
		if err := read.DecodeFromBytes(wire, gopacket.NilDecodeFeedback); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tc.header, read, cmpopts.IgnoreTypes(layers.BaseLayer{}), cmpopts.IgnoreUnexported(iwarp.DDP{})); diff != "" {
			t.Error(diff)
		}
		if string(read.Payload) != "x" || len(read.Contents) != len(wire)-1 || len(read.LayerPayload()) != len(wire) {
			t.Errorf("Contents % x, Payload % x, LayerPayload % x", read.Contents, read.Payload, read.LayerPayload())
		}
	}
}
