package mpa_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
)

// The FPDUs that RFC 5044, section 4.4, prints (figures 5 and 6): a leading Marker, and a Marker inside.
const (
	figure5 = "00000000 002a 4143 00000000 00000000 00000001 00000000 000000000000000000000000000000000000000000000000 52239983"
	figure6 = "002a 4143 00000000 00000000 00000002 00000000 00000014 000000000000000000000000000000000000000000000000 84925898"
)

func TestGoldenVectors(t *testing.T) {
	segment := func(msn byte) []byte {
		return append(octets(t, "4143 00000000 00000000 000000"), append([]byte{msn}, make([]byte, 28)...)...)
	}
	var f mpa.Framer
	f.Reset(mpa.Options{Markers: true, CRC: true})
	got, err := f.Append(nil, segment(1)[:18], segment(1)[18:])
	if want := octets(t, figure5); err != nil || !bytes.Equal(got, want) {
		t.Errorf("figure 5: %v\n got % x\nwant % x", err, got, want)
	}
	// The FPDU of figure 6 begins at 0x1ec: a first one of 440 octets fills the stream up to there.
	if got, err = f.Append(nil, make([]byte, 434), nil); err != nil || f.Pos() != 0x1ec {
		t.Fatalf("filled with %d octets up to %#x, %v", len(got), f.Pos(), err)
	}
	got, err = f.Append(nil, segment(2), nil)
	if want := octets(t, figure6); err != nil || !bytes.Equal(got, want) {
		t.Errorf("figure 6: %v\n got % x\nwant % x", err, got, want)
	}
}

// TestMarkerPlaces works through the places of Markers that are easy to get wrong: at the beginning, inside a DDP header,
// between two FPDUs, between PAD and CRC, several in one FPDU, and none although many FPDUs follow each other.
func TestMarkerPlaces(t *testing.T) {
	for _, tc := range []struct {
		name    string
		ulpdus  []int
		markers map[int]uint16 // place: FPDUPTR
		crcs    []uint64       // places of the CRCs
	}{
		{"at the beginning", []int{42}, map[int]uint16{0: 0}, []uint64{48}},
		{"inside the DDP header", []int{498, 42}, map[int]uint16{0: 0, 512: 4}, []uint64{504, 556}},
		{"between two FPDUs", []int{502, 1000}, map[int]uint16{0: 0, 512: 0, 1024: 508}, []uint64{508, 1524}},
		{"between PAD and CRC", []int{506}, map[int]uint16{0: 0, 512: 508}, []uint64{516}},
		{"several in one FPDU", []int{1442, 100}, map[int]uint16{0: 0, 512: 508, 1024: 1020, 1536: 76}, []uint64{1456, 1568}},
		{"the longest FPDU", []int{64768}, map[int]uint16{0: 0, 512: 508, 65024: 0xfdfc}, []uint64{65284}},
		{"many small FPDUs", slices.Repeat([]int{42}, 12), map[int]uint16{0: 0, 512: 28},
			[]uint64{48, 96, 144, 192, 240, 288, 336, 384, 432, 480, 532, 580}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			f := mpa.Framer{Options: mpa.Options{Markers: true, CRC: true}}
			var wire []byte
			for i, n := range tc.ulpdus {
				var err error
				if wire, err = f.Append(wire, bytes.Repeat([]byte{0xee}, n), nil); err != nil {
					t.Fatal(err)
				}
				if got := f.Pos() - 4; got != tc.crcs[i] {
					t.Errorf("CRC %d at %d, want %d", i, got, tc.crcs[i])
				}
			}
			for at, ptr := range tc.markers {
				if got := binary.BigEndian.Uint32(wire[at:]); got != uint32(ptr) {
					t.Errorf("Marker at %d is %#x, want FPDUPTR %#x", at, got, ptr)
				}
			}
			checkStream(t, wire, mpa.Options{Markers: true, CRC: true}, tc.ulpdus)
		})
	}
}

// checkStream deframes wire in one piece and compares the lengths of its ULPDUs.
func checkStream(t *testing.T, wire []byte, opts mpa.Options, ulpdus []int) {
	t.Helper()
	var d mpa.Deframer
	var f mpa.Deframed
	d.Reset(opts)
	d.Push(wire)
	for i, n := range ulpdus {
		if !d.Next(&f) {
			t.Fatalf("FPDU %d of %d is missing", i, len(ulpdus))
		}
		if len(f.ULPDU) != n || f.Verdict == mpa.Bad || f.BadMarkers != 0 || f.Check() != nil {
			t.Errorf("FPDU %d: %d octets, CRC %v, %d bad Markers, %v", i, len(f.ULPDU), f.Verdict, f.BadMarkers, f.Check())
		}
	}
	if d.Next(&f) || d.Pending() != 0 {
		t.Errorf("%d octets are left", d.Pending())
	}
}

// TestDeframer writes random FPDUs and reads them back in random pieces.
func TestDeframer(t *testing.T) {
	rnd := rand.New(rand.NewPCG(1, 2))
	for trial := range 2000 {
		opts := mpa.Options{Markers: trial&1 != 0, CRC: trial&2 != 0}
		var wire []byte
		var ulpdus [][]byte
		var starts []uint64
		framer := mpa.Framer{Options: opts}
		for range 1 + rnd.IntN(20) {
			u := make([]byte, 1+rnd.IntN(1<<(1+rnd.IntN(13))))
			for i := range u {
				u[i] = byte(rnd.Uint32())
			}
			header := rnd.IntN(len(u) + 1)
			starts = append(starts, framer.Pos())
			var err error
			if wire, err = framer.Append(wire, u[:header], u[header:]); err != nil {
				t.Fatal(err)
			}
			ulpdus = append(ulpdus, u)
		}
		if framer.Pos() != uint64(len(wire)) {
			t.Fatalf("Pos = %d behind %d octets", framer.Pos(), len(wire))
		}

		var d mpa.Deframer
		var f mpa.Deframed
		d.Reset(opts)
		got := 0
		for rest := wire; len(rest) > 0; {
			n := 1 + rnd.IntN(min(len(rest), 1<<(1+rnd.IntN(12))))
			d.Push(rest[:n])
			rest = rest[n:]
			for d.Next(&f) {
				if !bytes.Equal(f.ULPDU, ulpdus[got]) {
					t.Fatalf("trial %d: ULPDU %d differs", trial, got)
				}
				if f.Start != starts[got] || f.BadMarkers != 0 || (f.Verdict == mpa.Good) != opts.CRC || f.Missing != 0 {
					t.Fatalf("trial %d: ULPDU %d: %+v", trial, got, f)
				}
				got++
			}
		}
		if got != len(ulpdus) || d.Pending() != 0 || d.Pos() != uint64(len(wire)) {
			t.Fatalf("trial %d: %d of %d ULPDUs, %d octets pending", trial, got, len(ulpdus), d.Pending())
		}
	}
}

// TestCheckAhead gives streams with damage to two Deframers, one of which checks each push before. Both find the same, and the check is
// right.
func TestCheckAhead(t *testing.T) {
	rnd := rand.New(rand.NewPCG(9, 10))
	right := map[bool]int{}
	for trial := range 200 {
		opts := mpa.Options{Markers: trial&1 != 0, CRC: trial&2 != 0}
		framer := mpa.Framer{Options: opts}
		var plain, checking mpa.Deframer
		var want, got mpa.Deframed
		plain.Reset(opts)
		checking.Reset(opts)
		for push := []byte(nil); framer.Pos() < 1<<14; push = push[:0] {
			for range 1 + rnd.IntN(3) {
				push, _ = framer.Append(push, make([]byte, 1+rnd.IntN(1500)), nil)
			}
			if rnd.IntN(8) == 0 {
				push[len(push)-1-rnd.IntN(4)] ^= 1 // of the last CRC
			}
			for cut := len(push) - rnd.IntN(2)*rnd.IntN(len(push)); len(push) > 0; cut = len(push) {
				_, begun := checking.InProgress()
				checks, good := checking.Check(push[:cut]), opts.CRC && !begun
				plain.Push(push[:cut])
				checking.Push(push[:cut])
				for plain.Next(&want) {
					if !checking.Next(&got) || !reflect.DeepEqual(got, want) {
						t.Fatalf("trial %d: %+v, want %+v", trial, got, want)
					}
					good = good && got.Verdict == mpa.Good
				}
				_, begun = plain.InProgress()
				if good = good && !begun; checking.Next(&got) || checks != good {
					t.Fatalf("trial %d: Check says %v, want %v", trial, checks, good)
				}
				right[checks]++
				push = push[cut:]
			}
		}
	}
	if right[true] < 100 || right[false] < 100 {
		t.Error(right)
	}
}

// TestSkip takes holes out of a stream: FPDUs whose ULPDU_Length is there are all found, and what is there of their
// ULPDU is right.
func TestSkip(t *testing.T) {
	rnd := rand.New(rand.NewPCG(3, 4))
	for trial := range 1000 {
		opts := mpa.Options{Markers: trial&1 != 0, CRC: true}
		framer := mpa.Framer{Options: opts}
		var d mpa.Deframer
		var f mpa.Deframed
		d.Reset(opts)
		for i := range 20 {
			u := make([]byte, 40+rnd.IntN(3000))
			for i := range u {
				u[i] = byte(rnd.Uint32())
			}
			wire, err := framer.Append(nil, u, nil)
			if err != nil {
				t.Fatal(err)
			}
			// A leading Marker, ULPDU_Length and 10 more octets at least are there.
			from := 16 + rnd.IntN(len(wire)-16)
			to := from + rnd.IntN(len(wire)-from+1)
			found := 0
			take := func() {
				for d.Next(&f) {
					found++
				}
			}
			d.Push(wire[:from])
			take()
			d.Skip(uint64(to - from))
			take()
			d.Push(wire[to:])
			take()
			if found != 1 || d.Lost() {
				t.Fatalf("trial %d, FPDU %d: found %d, lost %v", trial, i, found, d.Lost())
			}
			if int(f.ULPDULength) != len(u) || f.Missing != to-from || !bytes.HasPrefix(u, f.ULPDU) || f.End-f.Start != uint64(len(wire)) {
				t.Fatalf("trial %d, FPDU %d: hole %d to %d of %d: %+v", trial, i, from, to, len(wire), f)
			}
			if to > from && f.Verdict != mpa.Unchecked {
				t.Fatalf("trial %d, FPDU %d: a CRC over missing octets is %v", trial, i, f.Verdict)
			}
			if f.BadMarkers != 0 {
				t.Fatalf("trial %d, FPDU %d: %d bad Markers", trial, i, f.BadMarkers)
			}
		}
	}
}

// TestLost takes a hole over an ULPDU_Length and resumes behind it.
func TestLost(t *testing.T) {
	framer := mpa.Framer{Options: mpa.Options{CRC: true}}
	var fpdus [][]byte
	for i := range 4 {
		b, _ := framer.Append(nil, bytes.Repeat([]byte{byte(i)}, 50), nil)
		fpdus = append(fpdus, b)
	}
	var d mpa.Deframer
	var f mpa.Deframed
	d.Reset(framer.Options)
	d.Push(fpdus[0][:1])
	if n := d.Due(); d.Next(&f) || n > 0 {
		t.Fatalf("half a ULPDU_Length says that %d octets are due", n)
	}
	d.Push(fpdus[0][1:40])
	if n := d.Due(); d.Next(&f) || n > 0 {
		t.Fatalf("%d octets are due before any was taken in", n)
	}
	if n := d.Due(); n != len(fpdus[0])-40 || d.Pending() != 40 {
		t.Fatalf("%d octets are due", n)
	}
	d.Skip(uint64(len(fpdus[0]) - 40 + 7))
	if !d.Next(&f) || f.Missing != len(fpdus[0])-40 {
		t.Fatalf("the FPDU that a hole cuts: %+v", f)
	}
	if d.Next(&f) || !d.Lost() {
		t.Fatal("the ULPDU_Length of the second FPDU is missing, yet the Deframer goes on")
	}
	d.Push(fpdus[1][7:])
	if d.Next(&f) || d.Passed() != uint64(len(fpdus[1])-7) {
		t.Fatalf("passed over %d octets, want %d", d.Passed(), len(fpdus[1])-7)
	}
	d.Resume()
	d.Push(fpdus[2])
	if !d.Next(&f) || f.Verdict != mpa.Good || f.ULPDU[0] != 2 || f.Start != uint64(2*len(fpdus[0])) {
		t.Fatalf("behind the hole: %+v", f)
	}
	// One octet of ULPDU_Length, then a hole.
	d.Push(fpdus[3][:1])
	d.Next(&f)
	d.Skip(3)
	if d.Next(&f) || !d.Lost() || d.Pending() != 0 {
		t.Fatal("half a ULPDU_Length was enough")
	}
}

// TestPartial looks into an FPDU before it is whole, gives it up, and goes on behind it.
func TestPartial(t *testing.T) {
	framer := mpa.Framer{Options: mpa.Options{Markers: true, CRC: true}}
	first, _ := framer.Append(nil, bytes.Repeat([]byte{1}, 600), nil)
	second, _ := framer.Append(nil, bytes.Repeat([]byte{2}, 20), nil)
	var d mpa.Deframer
	var f mpa.Deframed
	d.Reset(framer.Options)
	if d.Partial(&f) {
		t.Error("there is part of an FPDU before the first octet")
	}
	d.Push(first[:530])
	if d.Next(&f) || !d.Partial(&f) {
		t.Fatal("no part of an FPDU")
	}
	if f.ULPDULength != 600 || !bytes.Equal(f.ULPDU, bytes.Repeat([]byte{1}, 530-4-2-4)) || f.Markers != 2 || f.Verdict != mpa.Unchecked {
		t.Errorf("%+v", f)
	}
	d.ResetAt(framer.Options, uint64(len(first)))
	d.Push(second)
	if !d.Next(&f) || f.Verdict != mpa.Good || f.ULPDU[0] != 2 {
		t.Errorf("%+v", f)
	}
}

func TestDamage(t *testing.T) {
	opts := mpa.Options{Markers: true, CRC: true}
	framer := mpa.Framer{Options: opts}
	b, _ := framer.Append(nil, make([]byte, 1200), nil)
	for _, tc := range []struct {
		name       string
		at         int
		verdict    mpa.Verdict
		badMarkers int
		reserved   int
	}{
		{"untouched", -1, mpa.Good, 0, 0},
		{"payload", 100, mpa.Bad, 0, 0},
		{"CRC", len(b) - 1, mpa.Bad, 0, 0},
		{"FPDUPTR of the leading Marker", 2, mpa.Bad, 1, 0},
		{"FPDUPTR of the second Marker", 514, mpa.Bad, 1, 0},
		{"the reserved half of a Marker", 1024, mpa.Bad, 0, 1},
	} {
		damaged := bytes.Clone(b)
		if tc.at >= 0 {
			damaged[tc.at] ^= 0x40
		}
		var d mpa.Deframer
		var f mpa.Deframed
		d.Reset(opts)
		d.Push(damaged)
		if !d.Next(&f) || f.Verdict != tc.verdict || f.BadMarkers != tc.badMarkers || f.ReservedMarkers != tc.reserved || f.Markers != 3 {
			t.Errorf("%s: CRC %v, Markers %d, bad %d, reserved bits in %d", tc.name, f.Verdict, f.Markers, f.BadMarkers, f.ReservedMarkers)
		}
		if tc.verdict == mpa.Bad && (f.WantCRC == f.CRC) {
			t.Errorf("%s: CRC is %#x and should be %#x", tc.name, f.CRC, f.WantCRC)
		}
	}
	// The two lowest bits of FPDUPTR are to be ignored.
	b[515] |= 3
	binary.LittleEndian.PutUint32(b[len(b)-4:], mpa.CRC(b[:len(b)-4]))
	var d mpa.Deframer
	var f mpa.Deframed
	d.Reset(opts)
	d.Push(b)
	if !d.Next(&f) || f.Verdict != mpa.Good || f.BadMarkers != 0 || f.ReservedMarkers != 1 {
		t.Errorf("low bits of FPDUPTR: %+v", f)
	}
}

func TestFramerRefuses(t *testing.T) {
	var f mpa.Framer
	if b, err := f.Append([]byte("kept"), nil, nil); !errors.Is(err, field.ErrValue) || string(b) != "kept" || f.Pos() != 0 {
		t.Errorf("empty ULPDU: %q, %v", b, err)
	}
	if _, err := f.Append(nil, nil, make([]byte, mpa.MaxULPDU+1)); !errors.Is(err, field.ErrValue) {
		t.Errorf("ULPDU too long: %v", err)
	}
}

// TestNoAllocation checks that a stream whose FPDUs are split at odd places is written and read without allocating,
// once the first FPDUs have shaped the buffers.
func TestNoAllocation(t *testing.T) {
	for _, opts := range []mpa.Options{{}, {CRC: true}, {Markers: true, CRC: true}} {
		framer := mpa.Framer{Options: opts}
		wire := make([]byte, 0, 16384)
		header, payload := make([]byte, 14), make([]byte, 1430)
		if allocs := testing.AllocsPerRun(100, func() { wire, _ = framer.Append(wire[:0], header, payload) }); allocs != 0 {
			t.Errorf("%+v: Append allocates %v times", opts, allocs)
		}
		framer.Reset(opts)
		wire = wire[:0]
		for range 8 {
			wire, _ = framer.Append(wire, header, payload)
		}
		var d mpa.Deframer
		var f mpa.Deframed
		if allocs := testing.AllocsPerRun(100, func() {
			d.Reset(opts)
			for rest := wire; len(rest) > 0; {
				n := min(1000, len(rest))
				d.Push(rest[:n])
				for d.Next(&f) {
					if f.BadMarkers != 0 {
						t.Error("bad Marker")
					}
				}
				rest = rest[n:]
			}
		}); allocs != 0 {
			t.Errorf("%+v: Next allocates %v times", opts, allocs)
		}
	}
}

func ExampleDeframer() {
	opts := mpa.Options{Markers: true, CRC: true}
	framer := mpa.Framer{Options: opts}
	var wire []byte
	for _, ulpdu := range []string{"one DDP segment", "and another"} {
		wire, _ = framer.Append(wire, nil, []byte(ulpdu))
	}

	var d mpa.Deframer
	var f mpa.Deframed
	d.Reset(opts)
	for len(wire) > 0 { // as from a socket, a few octets at a time
		n := min(10, len(wire))
		d.Push(wire[:n])
		for d.Next(&f) {
			fmt.Printf("%q CRC %v, octets %d to %d of the stream\n", f.ULPDU, f.Verdict, f.Start, f.End)
		}
		wire = wire[n:]
	}
	// Output:
	// "one DDP segment" CRC good, octets 0 to 28 of the stream
	// "and another" CRC good, octets 28 to 48 of the stream
}

func ExampleFramer() {
	f := mpa.Framer{Options: mpa.Options{CRC: true}}
	b, err := f.Append(nil, []byte("\xc1\x40\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"), nil)
	fmt.Printf("% x %v\n", b, err)
	// Output: 00 0e c1 40 00 00 00 00 00 00 00 00 00 00 00 00 a3 05 72 ab <nil>
}

func BenchmarkDeframer(b *testing.B) {
	for _, opts := range []mpa.Options{{}, {CRC: true}, {Markers: true, CRC: true}} {
		b.Run(fmt.Sprintf("markers=%v/crc=%v", opts.Markers, opts.CRC), func(b *testing.B) {
			framer := mpa.Framer{Options: opts}
			var wire []byte
			for range 64 {
				wire, _ = framer.Append(wire, make([]byte, 14), make([]byte, 1426))
			}
			var d mpa.Deframer
			var f mpa.Deframed
			b.SetBytes(int64(len(wire)))
			for b.Loop() {
				d.Reset(opts)
				d.Push(wire)
				for d.Next(&f) {
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/64, "ns/FPDU")
		})
	}
}

func BenchmarkFramer(b *testing.B) {
	for _, opts := range []mpa.Options{{}, {CRC: true}, {Markers: true, CRC: true}} {
		b.Run(fmt.Sprintf("markers=%v/crc=%v", opts.Markers, opts.CRC), func(b *testing.B) {
			f := mpa.Framer{Options: opts}
			header, payload, buf := make([]byte, 14), make([]byte, 1426), make([]byte, 0, 2048)
			b.SetBytes(int64(len(header) + len(payload)))
			for b.Loop() {
				f.Append(buf, header, payload)
			}
		})
	}
}

func BenchmarkHeaders(b *testing.B) {
	request, word := octets(b, requestKey+"50 02 0004 8020 c010"), octets(b, "8020 c010")
	fpdu := octets(b, wholeFPDUs[0])
	buf := make([]byte, 0, 64)
	var frame mpa.Frame
	var enhanced mpa.Enhanced
	var f mpa.FPDU
	for name, run := range map[string]func(){
		"Decode/Frame":          func() { frame.Decode(request) },
		"Decode/Enhanced":       func() { enhanced.Decode(word) },
		"Decode/FPDU":           func() { f.Decode(fpdu) },
		"AppendBinary/Frame":    func() { frame.AppendBinary(buf) },
		"AppendBinary/Enhanced": func() { enhanced.AppendBinary(buf) },
		"AppendBinary/FPDU":     func() { f.AppendBinary(buf) },
	} {
		frame.Decode(request)
		f.Decode(fpdu)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				run()
			}
		})
	}
}
