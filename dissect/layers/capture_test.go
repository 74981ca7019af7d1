package layers_test

// The layers against the codecs, over every segment of every sample.

import (
	"bytes"
	"io"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/gopacket"
	"github.com/google/gopacket/layers"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	iwarp "github.com/iwarpkit/iwarp/dissect/layers"
	"github.com/iwarpkit/iwarp/pcaps/samples"
)

// packets calls f for every packet of a sample that has a TCP payload.
func packets(t testing.TB, sample string, f func(frame int, data []byte, tcp *layers.TCP)) {
	t.Helper()
	capture, err := samples.Open(sample)
	if err != nil {
		t.Fatal(err)
	}
	for frame := 1; ; frame++ {
		data, _, err := capture.ReadPacketData()
		if err == io.EOF {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		packet := gopacket.NewPacket(data, layers.LinkTypeEthernet, gopacket.NoCopy)
		if tcp, ok := packet.TransportLayer().(*layers.TCP); ok && len(tcp.Payload) > 0 {
			f(frame, data, tcp)
		}
	}
}

// samplesWithFPDUs says how many FPDUs begin in aligned segments of some samples, counted with tshark.
var samplesWithFPDUs = map[string]int{"rping": 35, "sendinv-crc1": 2}

func TestCaptures(t *testing.T) {
	for _, name := range samples.Names() {
		t.Run(name, func(t *testing.T) {
			fpdus := 0
			packets(t, name, func(frame int, _ []byte, tcp *layers.TCP) {
				switch iwarp.TypeOf(tcp.Payload) {
				case iwarp.LayerTypeFPDU:
					fpdus += checkFPDUs(t, frame, tcp.Payload)
				case iwarp.LayerTypeMPAFrame:
					checkFrame(t, frame, tcp.Payload)
				}
			})
			if want, ok := samplesWithFPDUs[name]; ok && fpdus != want {
				t.Errorf("%d FPDUs, want %d", fpdus, want)
			}
		})
	}
}

// checkFPDUs compares the layers of an aligned segment with what the codecs say, and writes them again.
func checkFPDUs(t *testing.T, frame int, segment []byte) (fpdus int) {
	packet := gopacket.NewPacket(segment, iwarp.LayerTypeMPA, gopacket.NoCopy)
	lazy := gopacket.NewPacket(segment, iwarp.LayerTypeMPA, gopacket.DecodeOptions{Lazy: true, NoCopy: true})
	if got, want := lazy.Layers(), packet.Layers(); len(got) != len(want) {
		t.Errorf("frame %d: %d layers if lazy, else %d", frame, len(got), len(want))
	}
	all := packet.Layers()
	whole := true
	for rest := segment; len(rest) > 0; {
		var f mpa.FPDU
		n, err := f.Decode(rest)
		rest = rest[n:]
		whole = err == nil
		var s rdmap.Segment
		if _, err := s.Decode(f.ULPDU); err != nil {
			checkCutHeader(t, frame, packet, all)
			return fpdus
		}
		fpdus++
		fpdu, ddp, control := all[0].(*iwarp.FPDU), all[1].(*iwarp.DDP), all[2].(*iwarp.RDMAP)
		all = all[3:]
		if fpdu.ULPDULength != f.ULPDULength || fpdu.CRC != f.CRC || !bytes.Equal(fpdu.PAD, f.PAD) || fpdu.Missing > 0 == whole {
			t.Errorf("frame %d: %+v, want %+v", frame, fpdu, f)
		}
		if ddp.T != s.T || ddp.L != s.L() || ddp.DV != s.DV() || ddp.STag != s.Tagged.STag || ddp.TO != s.Tagged.TO ||
			ddp.QN != s.Untagged.QN || ddp.MSN != s.Untagged.MSN || ddp.MO != s.Untagged.MO || !bytes.Equal(ddp.Payload, s.Body) {
			t.Errorf("frame %d: %+v, want %+v", frame, ddp, s)
		}
		if control.RV != s.Control.RV || control.Opcode != s.Control.Opcode || control.InvalidateSTag != s.InvalidateSTag ||
			!bytes.Equal(control.Payload, s.Body) {
			t.Errorf("frame %d: %+v, want %+v", frame, control, s)
		}
		if len(s.Body) > 0 {
			checkBody(t, frame, all[0], &s)
			all = all[1:]
		}
	}
	if len(all) > 0 {
		t.Errorf("frame %d: %d layers more: %v", frame, len(all), packet)
	}
	if truncated := packet.Metadata().Truncated; truncated == whole {
		t.Errorf("frame %d: truncated: %v, whole: %v", frame, truncated, whole)
	}
	if whole {
		checkRewritten(t, frame, packet, segment)
	}
	return fpdus
}

// checkCutHeader checks that the header of which a segment holds the start only is reported, after its FPDU.
func checkCutHeader(t *testing.T, frame int, packet gopacket.Packet, all []gopacket.Layer) {
	if packet.ErrorLayer() == nil || !packet.Metadata().Truncated || len(all) > 2 {
		t.Errorf("frame %d: cut header: %v", frame, packet)
	}
}

// checkBody compares the layer after RDMAP.
func checkBody(t *testing.T, frame int, l gopacket.Layer, s *rdmap.Segment) {
	var got, want any
	switch h := l.(type) {
	case *gopacket.Payload:
		if !bytes.Equal(*h, s.Body) {
			t.Errorf("frame %d: payload % x, want % x", frame, *h, s.Body)
		}
	case *iwarp.ReadRequest:
		var r rdmap.ReadRequest
		r.Decode(s.Body)
		got, want = h.Header, r
	case *iwarp.Terminate:
		var r rdmap.Terminate
		r.Decode(s.Body)
		got, want = h.Header, r
		if h.Reading != rdmap.ReadingOf(s.Body, len(s.Body)) {
			t.Errorf("frame %d: reading %v", frame, h.Reading)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("frame %d: %v: %s", frame, l.LayerType(), diff)
	}
}

// checkFrame compares an MPA Request or Reply.
func checkFrame(t *testing.T, frame int, segment []byte) {
	var want mpa.Frame
	if _, err := want.Decode(segment); err != nil {
		t.Fatal(err)
	}
	packet := gopacket.NewPacket(segment, iwarp.LayerTypeMPA, gopacket.NoCopy)
	f, ok := packet.Layer(iwarp.LayerTypeMPAFrame).(*iwarp.MPAFrame)
	if !ok {
		t.Fatalf("frame %d: %v", frame, packet)
	}
	if diff := cmp.Diff(want, f.Frame); diff != "" {
		t.Errorf("frame %d: %s", frame, diff)
	}
	checkRewritten(t, frame, packet, segment)
}

// checkRewritten writes the layers of a packet: what a kernel has sent has right lengths, and a CRC that is right or
// zero. siw fills some PAD with other octets than zero, which FixLengths would not repeat.
func checkRewritten(t *testing.T, frame int, packet gopacket.Packet, segment []byte) {
	var all []gopacket.SerializableLayer
	crcs, zeroPAD := true, true
	for _, l := range packet.Layers() {
		all = append(all, l.(gopacket.SerializableLayer))
		if fpdu, ok := l.(*iwarp.FPDU); ok {
			verdict, _ := fpdu.VerifyCRC()
			crcs = crcs && verdict == mpa.Good
			zeroPAD = zeroPAD && len(bytes.Trim(fpdu.PAD, "\x00")) == 0
			if verdict != mpa.Good && fpdu.CRC != 0 {
				t.Errorf("frame %d: CRC %08x: %v", frame, fpdu.CRC, verdict)
			}
		}
	}
	buf := gopacket.NewSerializeBuffer()
	for _, opts := range []gopacket.SerializeOptions{{ComputeChecksums: crcs}, {FixLengths: true}, {}} {
		if opts.FixLengths && !zeroPAD {
			continue
		}
		if err := iwarp.SerializeSegment(buf, opts, all...); err != nil {
			t.Fatalf("frame %d: %v", frame, err)
		}
		if !bytes.Equal(buf.Bytes(), segment) {
			t.Errorf("frame %d: %+v\n got % x\nwant % x", frame, opts, buf.Bytes(), segment)
		}
	}
}

// TestRegisteredPort checks that gopacket's own TCP goes on to MPA where a port is registered, in packets and parsers.
func TestRegisteredPort(t *testing.T) {
	const port = 7174
	layers.RegisterTCPPortLayerType(port, iwarp.LayerTypeMPA)
	defer layers.RegisterTCPPortLayerType(port, 0)
	in := &layers.TCP{SrcPort: 5000, DstPort: port, ACK: true}
	buf := gopacket.NewSerializeBuffer()
	send := opcodes[3]
	two := append(append(stack(in, &iwarp.FPDU{}), send.layers...), append(stack(&iwarp.FPDU{}), send.layers...)...)
	if err := iwarp.SerializeSegment(buf, fixLengths, two...); err != nil {
		t.Fatal(err)
	}

	packet := gopacket.NewPacket(buf.Bytes(), layers.LayerTypeTCP, gopacket.DecodeStreamsAsDatagrams)
	var types []gopacket.LayerType
	for _, l := range packet.Layers() {
		types = append(types, l.LayerType())
	}
	fpdu := []gopacket.LayerType{iwarp.LayerTypeFPDU, iwarp.LayerTypeDDP, iwarp.LayerTypeRDMAP, gopacket.LayerTypePayload}
	if want := append(append([]gopacket.LayerType{layers.LayerTypeTCP}, fpdu...), fpdu...); !cmp.Equal(types, want) {
		t.Errorf("packet: %v, want %v", types, want)
	}

	var tcp layers.TCP
	parser := gopacket.NewDecodingLayerParser(layers.LayerTypeTCP, append(parts(), &tcp, new(iwarp.MPA))...)
	if err := parser.DecodeLayers(buf.Bytes(), &types); err != nil {
		t.Error(err)
	}
	if want := append([]gopacket.LayerType{layers.LayerTypeTCP, iwarp.LayerTypeMPA}, fpdu...); !cmp.Equal(types, want) {
		t.Errorf("parser: %v, want %v", types, want)
	}
}

// parts is one of each layer, for parsers.
func parts() []gopacket.DecodingLayer {
	return []gopacket.DecodingLayer{
		new(iwarp.MPAFrame), new(iwarp.FPDU), new(iwarp.DDP), new(iwarp.RDMAP), new(iwarp.ReadRequest), new(iwarp.Terminate),
		new(iwarp.Immediate), new(iwarp.AtomicRequest), new(iwarp.AtomicResponse), new(gopacket.Payload),
	}
}
