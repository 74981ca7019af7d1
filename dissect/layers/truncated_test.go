package layers_test

// Octets that are missing, and octets that are not an FPDU.

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/gopacket"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	iwarp "github.com/iwarpkit/iwarp/dissect/layers"
)

// feedback notes whether a layer reported that octets are missing.
type feedback bool

func (f *feedback) SetTruncated() { *f = true }

// TestShortHeaders cuts every header at every octet. Each layer must say so and wrap the codec's error.
func TestShortHeaders(t *testing.T) {
	for _, tc := range []struct {
		layer  gopacket.DecodingLayer
		octets string
		length int // of the part that must be there
	}{
		{new(iwarp.MPAFrame), mpa.RequestKey + "\x40\x01\x00\x02pd", 20},
		{new(iwarp.FPDU), "\x00\x02ab\x00\x00\x00\x00", 2},
		{new(iwarp.DDP), "\xc1\x40" + strings.Repeat("\x00", 12) + "x", 14},
		{new(iwarp.DDP), "\x41\x43" + strings.Repeat("\x00", 16) + "x", 18},
		{new(iwarp.RDMAP), "\xc1\x40" + strings.Repeat("\x00", 12) + "x", 14},
		{new(iwarp.RDMAP), "\x41\x43" + strings.Repeat("\x00", 16) + "x", 18},
		{new(iwarp.ReadRequest), strings.Repeat("r", 29), 28},
		{new(iwarp.Terminate), strings.Repeat("t", 5), 4},
		{new(iwarp.Immediate), strings.Repeat("i", 9), 8},
		{new(iwarp.AtomicRequest), strings.Repeat("a", 53), 52},
		{new(iwarp.AtomicResponse), strings.Repeat("a", 13), 12},
	} {
		name := tc.layer.CanDecode().LayerTypes()[0].String()
		for n := range len(tc.octets) + 1 {
			var cut feedback
			err := tc.layer.DecodeFromBytes([]byte(tc.octets[:n]), &cut)
			var detail *field.Error
			switch {
			case n >= tc.length && err != nil:
				t.Errorf("%s: %d octets: %v", name, n, err)
			case n < tc.length && (!errors.Is(err, field.ErrShort) || !errors.As(err, &detail) || !bool(cut)):
				t.Errorf("%s: %d octets: %v, truncated: %v", name, n, err, cut)
			case n < tc.length && !strings.HasPrefix(err.Error(), name+": at octet "):
				t.Errorf("%s: %d octets: %v", name, n, err)
			case n == len(tc.octets) && bool(cut):
				t.Errorf("%s: whole, but truncated", name)
			}
		}
	}
	err := new(iwarp.MPAFrame).DecodeFromBytes([]byte("MPA ID Rex Frame...."), gopacket.NilDecodeFeedback)
	if want := "MPAFrame: at octet 9 of 20: "; !errors.Is(err, field.ErrValue) || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("neither Key: %v, want %q and more", err, want)
	}
}

// TestCutFPDU cuts a segment of two Sends at every octet: headers that are there are shown, the rest is reported.
func TestCutFPDU(t *testing.T) {
	one := octets(t, "0016 4143000000000000000000000001 00000000 61626364 00000000")
	two := append(one[:len(one):len(one)], one...)
	for n := 1; n <= len(two); n++ {
		packet := gopacket.NewPacket(two[:n], iwarp.LayerTypeFPDU, gopacket.Default)
		last := n % len(one) // octets of the FPDU that is cut
		if got, want := packet.Metadata().Truncated, last != 0; got != want {
			t.Errorf("%d octets: truncated: %v", n, got)
		}
		layersOf := map[bool]int{true: 4, false: 0}[n > len(one)]
		failure := false
		switch {
		case last == 1: // half a ULPDU_Length
			layersOf, failure = layersOf+1, true
		case last == 2:
			layersOf++
		case last > 2 && last < 20: // header of DDP
			layersOf, failure = layersOf+2, true
		case last == 20:
			layersOf += 3
		default:
			layersOf += 4
		}
		if got := packet.ErrorLayer() != nil; len(packet.Layers()) != layersOf || got != failure {
			t.Errorf("%d octets: want %d layers, failure %v:\n%v", n, layersOf, failure, packet)
		}
		if last == 0 {
			continue
		}
		fpdu := new(iwarp.FPDU)
		if fpdu.DecodeFromBytes(two[n-last:n], gopacket.NilDecodeFeedback) != nil {
			continue
		}
		if verdict, _ := fpdu.VerifyCRC(); fpdu.Missing != len(one)-last || verdict != mpa.Unchecked {
			t.Errorf("%d octets: %d missing, CRC %v", n, fpdu.Missing, verdict)
		}
	}
}

// TestTypeOf tries what comes close to an FPDU or frame.
func TestTypeOf(t *testing.T) {
	const send = "0016 4143000000000000000000000001 00000000 61626364 00000000"
	for _, tc := range []struct {
		what, octets string
		want         gopacket.LayerType
	}{
		{"nothing", "", gopacket.LayerTypePayload},
		{"Send", send, iwarp.LayerTypeFPDU},
		{"payload cut", "0016 4143000000000000000000000001 00000000 61", iwarp.LayerTypeFPDU},
		{"header cut", "0016 4143000000000000000000000001 000000", gopacket.LayerTypePayload},
		{"no ULPDU", "0000 4143000000000000000000000001 00000000", gopacket.LayerTypePayload},
		{"ULPDU too long", "fffe 4143000000000000000000000001 00000000", gopacket.LayerTypePayload},
		{"reserved bit", "0016 4543000000000000000000000001 00000000", gopacket.LayerTypePayload},
		{"DDP version 2", "0016 4243000000000000000000000001 00000000", gopacket.LayerTypePayload},
		{"versions of RDMAC", "0016 4003000000000000000000000001 00000000 61626364 00000000", iwarp.LayerTypeFPDU},
		{"DDP version 0, RDMAP version 1", "0016 4043000000000000000000000001 00000000 61626364 00000000", gopacket.LayerTypePayload},
		{"opcode 14", "0016 414e000000000000000000000001 00000000", gopacket.LayerTypePayload},
		{"QN 1", "0016 4143000000000000000100000001 00000000", gopacket.LayerTypePayload},
		{"T", "0016 c143000000000000000000000001 00000000", gopacket.LayerTypePayload},
		{"Read Request of 4 octets", "0016 4141000000000000000100000001 00000000 61626364 00000000", gopacket.LayerTypePayload},
		{"Read Request cut", "002e 4141000000000000000100000001 00000000 61626364", iwarp.LayerTypeFPDU},
	} {
		if got := iwarp.TypeOf(octets(t, tc.octets)); got != tc.want {
			t.Errorf("%s: %v, want %v", tc.what, got, tc.want)
		}
	}
	for key, want := range map[string]gopacket.LayerType{
		mpa.RequestKey: iwarp.LayerTypeMPAFrame, mpa.ReplyKey: iwarp.LayerTypeMPAFrame,
		mpa.RequestKey[:15]: gopacket.LayerTypePayload, "MPA ID Rxq Frame": gopacket.LayerTypePayload,
	} {
		if got := iwarp.TypeOf([]byte(key)); got != want {
			t.Errorf("%q: %v, want %v", key, got, want)
		}
	}
}

// TestFrameThenFPDU decodes a segment with a Reply and an FPDU, and one with a Reply and octets that are none.
func TestFrameThenFPDU(t *testing.T) {
	reply := mpa.ReplyKey + "\x40\x01\x00\x02pd"
	send := string(octets(t, "0016 4143000000000000000000000001 00000000 61626364 00000000"))
	for segment, want := range map[string]string{
		reply + send:                        "MPAFrame FPDU DDP RDMAP Payload",
		reply + "x" + send:                  "MPAFrame Payload",
		send + "\x00\x02xx\x00\x00\x00\x00": "FPDU DDP RDMAP Payload FPDU DecodeFailure",
	} {
		var got []string
		for _, l := range gopacket.NewPacket([]byte(segment), iwarp.LayerTypeMPA, gopacket.Default).Layers() {
			got = append(got, l.LayerType().String())
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%v, want %s", got, want)
		}
	}
	if rest := iwarp.Rest([]byte(reply + send)); string(rest) != send {
		t.Errorf("behind the Reply: % x", rest)
	}
}
