package framing_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

// sends is n Sends in an FPDU each, with 7 octets of payload more from one to the next.
func sends(o mpa.Options, n int) (b []byte) {
	framer := mpa.Framer{Options: o}
	for i := range n {
		h := ddp.Untagged{L: true, DV: 1, RsvdULP: 0x43 << 32, MSN: uint32(i + 1)}
		header, _ := h.AppendBinary(nil)
		b, _ = framer.Append(b, header, make([]byte, 7*i))
	}
	return b
}

// A feed is a Direction that is fed piece by piece, and what it has found: "1" for the FPDU with MSN 1, else notes.
type feed struct {
	framing.Direction
	offset uint64
	frame  uint64
	found  []string
	last   framing.Output
}

func newFeed() *feed {
	f := new(feed)
	f.Init(new(framing.Shared), new(framing.Direction))
	return f
}

func (f *feed) push(octets []byte) {
	f.piece(&reassembly.Piece{Data: octets})
	f.offset += uint64(len(octets))
}

func (f *feed) hole(n int) {
	f.piece(&reassembly.Piece{Hole: uint64(n)})
	f.offset += uint64(n)
}

func (f *feed) piece(p *reassembly.Piece) {
	f.frame++
	p.Offset, p.Frame = f.offset, f.frame
	f.Push(p)
	f.drain()
}

func (f *feed) begin(t framing.Terms) {
	f.Begin(&t)
	f.drain()
}

func (f *feed) drain() {
	for f.Next(&f.last) {
		switch f.last.Kind {
		case framing.FPDU:
			f.found = append(f.found, fmt.Sprint(f.last.Segment.RDMAP.Header.Untagged.MSN))
		case framing.Overflow:
			f.found = append(f.found, "overflow")
		default:
			f.found = append(f.found, fmt.Sprintf("(%v %d)", f.last.Note.Kind, f.last.Note.Octets))
		}
	}
}

func (f *feed) close() {
	if f.Close(&f.last) {
		f.found = append(f.found, fmt.Sprintf("(%v %d)", f.last.Note.Kind, f.last.Note.Octets))
	}
}

func (f *feed) expect(t *testing.T, want string) {
	t.Helper()
	if got := strings.Join(f.found, " "); got != want {
		t.Errorf("found %s, want %s", got, want)
	}
}

// agreed is what MPA frames fix.
func agreed(o mpa.Options) (t framing.Terms) {
	t.CRC.Set(framing.SettingOf(o.CRC), flow.Negotiated)
	t.Markers.Set(framing.SettingOf(o.Markers), flow.Negotiated)
	t.RDMAC.Set(framing.Off, flow.Negotiated)
	return t
}

// TestWaiting lets FPDUs wait until it is known how they are to be read. However they are cut into pieces, each is found,
// in its place.
func TestWaiting(t *testing.T) {
	const frameLen = 20
	for _, o := range []mpa.Options{{}, {CRC: true}, {Markers: true}, {CRC: true, Markers: true}} {
		stream := sends(o, 40)
		for _, cut := range []int{1, 7, 100, 1448, len(stream)} {
			f := newFeed()
			f.offset = frameLen
			f.Await(frameLen, flow.At(1, 0))
			half := len(stream) / 2
			f.push(stream[:half])
			f.expect(t, "")
			if offset, ok := f.Front(); !ok || offset != frameLen {
				t.Errorf("%v: waits at %d, %v", o, offset, ok)
			}
			f.begin(agreed(o))
			for rest := stream[half:]; len(rest) > 0; rest = rest[min(cut, len(rest)):] {
				f.push(rest[:min(cut, len(rest))])
			}
			f.close()
			if len(f.found) != 40 || f.found[39] != "40" {
				t.Errorf("%v, %d octets at a time: %v", o, cut, f.found)
			}
			if end := f.last.Segment.Place.End; end != frameLen+uint64(len(stream)) {
				t.Errorf("%v: the last FPDU ends at %d of %d", o, end, len(stream))
			}
		}
	}
}

// TestHole loses octets: within a payload the FPDU is known to end, within headers framing is found again.
func TestHole(t *testing.T) {
	o := mpa.Options{CRC: true}
	stream := sends(o, 30)
	whole := newFeed()
	whole.Await(0, flow.Span{})
	whole.begin(agreed(o))
	var ends []int
	for i := range stream {
		if whole.push(stream[i : i+1]); len(whole.found) > len(ends) {
			ends = append(ends, i+1)
		}
	}
	for _, tc := range []struct {
		from, to int
		want     string
	}{
		{ends[9] + 25, ends[9] + 40, "10 11 12"},
		{ends[9] - 2, ends[9] + 3, "10 (framing lost 5) (framing found 93) 12"},
	} {
		f := newFeed()
		f.Await(0, flow.Span{})
		f.begin(agreed(o))
		f.push(stream[:tc.from])
		f.hole(tc.to - tc.from)
		f.push(stream[tc.to:])
		f.close()
		want := strings.Replace(strings.Join(whole.found, " "), "10 11 12", tc.want, 1)
		f.expect(t, want)
		if f.Missing() != uint64(tc.to-tc.from) {
			t.Errorf("without octets %d to %d: %d octets are missing", tc.from, tc.to, f.Missing())
		}
	}
}

// TestHoleAtBegin loses the first octets of a stream of which it is not known whether it has Markers: no CRC is called wrong, for what
// it covers may be missing.
func TestHoleAtBegin(t *testing.T) {
	for _, markers := range []bool{false, true} {
		for fpdus := 1; fpdus < 5; fpdus++ {
			stream := sends(mpa.Options{CRC: true, Markers: markers}, fpdus)
			for n := 1; n < len(stream); n++ {
				f := newFeed()
				f.Terms.CRC.Set(framing.On, flow.Negotiated)
				f.Await(0, flow.Span{})
				f.hole(n)
				f.push(stream[n:])
				f.Search(true)
				for f.Next(&f.last) {
					if f.last.Kind == framing.FPDU && f.last.Segment.FPDU.Verdict == mpa.Bad {
						t.Errorf("Markers %v, %d of %d octets missing: a CRC is wrong", markers, n, len(stream))
					}
				}
			}
		}
	}
}

// TestPassive looks for FPDUs among octets of which nothing is known.
func TestPassive(t *testing.T) {
	for _, o := range []mpa.Options{{}, {CRC: true}, {CRC: true, Markers: true}} {
		f := newFeed()
		f.Unknown = true
		f.push([]byte("ignored as long as nobody listens"))
		f.Listen()
		f.push([]byte(strings.Repeat("streaming octets", 3)))
		stream := sends(o, 40)
		for at := 0; at < len(stream); at += 1448 {
			f.push(stream[at:min(at+1448, len(stream))])
		}
		f.Search(true)
		f.drain()
		if len(f.found) != 41 || f.found[0] != "(locked on 48)" || f.found[40] != "40" {
			t.Fatalf("%v: found %v", o, f.found)
		}
		if d := f.ReadTerms(); d.CRC != (framing.Term{Setting: framing.SettingOf(o.CRC), From: flow.Inferred}) || d.Markers.Setting != framing.SettingOf(o.Markers) {
			t.Errorf("%v: read with %+v", o, d)
		}
	}
}

// TestGivesUp pushes octets that are not FPDUs.
func TestGivesUp(t *testing.T) {
	f := newFeed()
	f.Listen()
	f.Unknown = true
	octets := []byte(strings.Repeat("\xffnothing", 1000))
	for range 40 {
		f.push(octets)
	}
	if _, ok := f.Front(); ok || f.Listened() != 40*len(octets) {
		t.Errorf("%d octets were pushed, and %d waited", 40*len(octets), f.Listened())
	}
	f.Await(f.offset, flow.At(f.frame, 0))
	f.Unknown = false
	for range 40 {
		f.push(octets)
	}
	f.expect(t, strings.TrimSuffix(strings.Repeat("overflow ", len(f.found)), " "))
	if len(f.found) == 0 {
		t.Error("more waits for an MPA frame than may")
	}
	var held uint64
	for p := range f.Held() {
		held += uint64(len(p.Data))
	}
	if n := f.Abandon(); n != held || n == 0 || f.IsOn() {
		t.Errorf("%d octets waited, %d are abandoned", held, n)
	}
}

// TestClose ends a direction within an FPDU.
func TestClose(t *testing.T) {
	stream := sends(mpa.Options{CRC: true}, 2)
	f := newFeed()
	f.Await(0, flow.Span{})
	f.begin(agreed(mpa.Options{CRC: true}))
	f.push(stream[:len(stream)-3])
	f.close()
	f.expect(t, "1 (unfinished 29)")
	if f.Undecoded() != 29 || f.last.Note.FPDU.ULPDULength != 25 {
		t.Errorf("%d octets are undecoded, of a ULPDU of %d", f.Undecoded(), f.last.Note.FPDU.ULPDULength)
	}
}

// TestMarkersNotAsAgreed reads streams whose Markers are as the MPA frames say or contradict them. However little of the first
// FPDU comes first, that shows.
func TestMarkersNotAsAgreed(t *testing.T) {
	for i := range 8 {
		o := mpa.Options{CRC: i&1 > 0, Markers: i&2 > 0}
		terms, want := o, ""
		if i&4 > 0 {
			terms.Markers = !o.Markers
			want = map[bool]string{false: "(Markers missing 0) ", true: "(Markers unasked 0) "}[o.Markers]
		}
		stream := sends(o, 3)
		for cut := 1; cut < 80; cut++ {
			for _, step := range []int{1, 7, len(stream)} {
				f := newFeed()
				f.Await(0, flow.Span{})
				f.begin(agreed(terms))
				f.push(stream[:cut])
				for rest := stream[cut:]; len(rest) > 0; rest = rest[min(step, len(rest)):] {
					f.push(rest[:min(step, len(rest))])
				}
				f.expect(t, want+"1 2 3")
			}
		}
	}
}

// TestShortFPDUNotAsAgreed begins with a whole FPDU that has no Markers, contrary to the MPA frames, and is shorter than the header
// of a Send. It waits for nothing if its CRC is good.
func TestShortFPDUNotAsAgreed(t *testing.T) {
	for _, crc := range []bool{true, false} {
		framer := mpa.Framer{Options: mpa.Options{CRC: crc}}
		h := ddp.Tagged{L: true, DV: 1, RsvdULP: 0x40, STag: 1}
		header, _ := h.AppendBinary(nil)
		write, _ := framer.Append(nil, header, nil)
		f := newFeed()
		f.Await(0, flow.Span{})
		f.begin(agreed(mpa.Options{CRC: crc, Markers: true}))
		f.push(write)
		f.expect(t, map[bool]string{true: "(Markers missing 0) 0", false: ""}[crc])
	}
}

// TestShared lets two directions wait for more than all may hold.
func TestShared(t *testing.T) {
	var s framing.Shared
	s.Hold(framing.MaxHeldInAll)
	f := new(feed)
	f.Init(&s, new(framing.Direction))
	f.Await(0, flow.Span{})
	f.push(make([]byte, 100))
	f.expect(t, "overflow")
	if f.Discard(); s.Full() {
		t.Error("what was discarded still counts")
	}
}

// The first FPDU lies whole in a TCP segment; the second is cut.
func ExampleDirection() {
	stream := sends(mpa.Options{CRC: true}, 2)
	var d framing.Direction
	d.Init(new(framing.Shared), new(framing.Direction))
	d.Await(20, flow.At(4, 0)) // an MPA Reply of 20 octets, in frame 4

	var terms framing.Terms // as both MPA frames say
	terms.CRC.Set(framing.On, flow.Negotiated)
	terms.Markers.Set(framing.Off, flow.Negotiated)
	d.Begin(&terms)

	var out framing.Output
	d.Push(&reassembly.Piece{Offset: 20, Data: stream[:40], Frame: 5})
	for d.Next(&out) {
		fmt.Println("frame", out.Segment.Frame, out.Segment.RDMAP.Header.Control.Opcode, out.Segment.FPDU.Verdict)
	}
	if d.Close(&out) {
		fmt.Println(out.Note.Kind, out.Note.Octets)
	}
	// Output:
	// frame 5 Send good
	// unfinished 16
}
