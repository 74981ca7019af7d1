package layers_test

// What the layers say of values that must not be, and of values that do not fit.

import (
	"errors"
	"testing"

	"github.com/google/gopacket"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	iwarp "github.com/iwarpkit/iwarp/dissect/layers"
)

func TestCheck(t *testing.T) {
	fpdu := new(iwarp.FPDU)
	if err := fpdu.DecodeFromBytes(octets(t, "0003 616263 00 0000 00000000"), gopacket.NilDecodeFeedback); err != nil {
		t.Fatal(err)
	}
	if err := fpdu.Check(); err != nil {
		t.Error(err)
	}
	fpdu.PAD[0] = 1
	for _, tc := range []struct {
		layer interface{ Check() error }
		field string // that is wrong; empty if none
	}{
		{fpdu, "PAD"},
		{&iwarp.FPDU{}, "ULPDU_Length"},
		{&iwarp.DDP{DV: 1}, ""},
		{&iwarp.DDP{DV: 2}, "DV"},
		{&iwarp.DDP{T: true, DV: 1}, ""},
		{&iwarp.DDP{T: true, Rsvd: 1, DV: 1}, "Rsvd"},
		{&iwarp.RDMAP{RV: 1, Opcode: rdmap.OpSend}, ""},
		{&iwarp.RDMAP{RV: 1, Opcode: 14}, "Opcode"},
		{&iwarp.MPAFrame{Frame: mpa.Frame{R: true}}, "R"},
	} {
		err := tc.layer.Check()
		var detail *field.Error
		if errors.As(err, &detail); err == nil != (tc.field == "") || err != nil && detail.Field != tc.field {
			t.Errorf("%+v: %v, want an error about %q", tc.layer, err, tc.field)
		}
	}
}

// TestRange serializes values that exceed their fields.
func TestRange(t *testing.T) {
	long := gopacket.Payload(make([]byte, 0x10000))
	send := &iwarp.RDMAP{RV: 1, Opcode: rdmap.OpSend}
	for _, layers := range [][]gopacket.SerializableLayer{
		{&iwarp.MPAFrame{Frame: mpa.Frame{Res: 16}}},
		{&iwarp.MPAFrame{Frame: mpa.Frame{PrivateData: long}}},
		{&iwarp.FPDU{}, long},
		{&iwarp.DDP{DV: 4}},
		{&iwarp.DDP{T: true, DV: 4}},
		{&iwarp.DDP{T: true, RsvdULP: 0x100}},
		{&iwarp.DDP{RsvdULP: 1 << 40}},
		{&iwarp.DDP{DV: 4}, send},
		{&iwarp.DDP{T: true}, &iwarp.RDMAP{InvalidateSTag: 1}}, // a tagged header has no room for it
		{&iwarp.DDP{}, &iwarp.RDMAP{Opcode: 16}},
		{&iwarp.AtomicRequest{Header: rdmap.AtomicRequest{AOpCode: 16}}},
		{&iwarp.Terminate{Header: rdmap.Terminate{Reserved: 1 << 13}}},
	} {
		if err := gopacket.SerializeLayers(gopacket.NewSerializeBuffer(), fixLengths, layers...); !errors.Is(err, field.ErrRange) {
			t.Errorf("%+v: %v", layers[0], err)
		}
		if err := iwarp.SerializeSegment(gopacket.NewSerializeBuffer(), fixLengths, layers...); !errors.Is(err, field.ErrRange) {
			t.Errorf("as a segment: %+v: %v", layers[0], err)
		}
	}
	whole := &iwarp.FPDU{}
	if err := gopacket.SerializeLayers(gopacket.NewSerializeBuffer(), fixLengths, whole, long[:0xffff]); err != nil || len(whole.PAD) != 3 {
		t.Errorf("65535 octets: %v, PAD % x", err, whole.PAD)
	}
}

// TestSend looks which segments SetSend and Decoder.Send hand to the upper layer: those that begin a Send.
func TestSend(t *testing.T) {
	const upper = iwarp.LayerTypeMPAFrame // any layer of our own does
	for _, tc := range []struct {
		ulpdu string
		want  gopacket.LayerType
	}{
		{"4143000000000000000000000001 00000000 78", upper},
		{"0146112233440000000000000004 00000000 78", upper},
		{"4143000000000000000000000001 00000001 78", gopacket.LayerTypePayload}, // MO 1
		{"c140a1b2c3010000000000000000 78", gopacket.LayerTypePayload},
		{"414e000000000000000000000001 00000000 78", gopacket.LayerTypePayload}, // no opcode
		{"4148000000000000000000000005 00000000 0011223344556677", iwarp.LayerTypeImmediate},
	} {
		var r iwarp.RDMAP
		r.SetSend(upper)
		if err := r.DecodeFromBytes(octets(t, tc.ulpdu), gopacket.NilDecodeFeedback); err != nil || r.NextLayerType() != tc.want {
			t.Errorf("%s: %v, %v, want %v", tc.ulpdu, r.NextLayerType(), err, tc.want)
		}
	}
	packet := gopacket.NewPacket([]byte("\x00\x26\x41\x43\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x01\x00\x00\x00\x00"+
		"MPA ID Req Frame\x40\x01\x00\x00\x00\x00\x00\x00"), iwarp.Decoder{Send: upper}, gopacket.Lazy)
	if l := packet.Layer(upper); l == nil {
		t.Errorf("no upper layer: %v", packet)
	}
}
