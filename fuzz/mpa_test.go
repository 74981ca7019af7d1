package fuzz

// MPA frames and streams of FPDUs of any octets: package mpa.

import (
	"bytes"
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/internal/codectest"
)

// FuzzMPA decodes any octets as a Request or Reply, as an Enhanced word and as an FPDU. What is decoded is encoded to
// the same octets; what is not is an error that says why.
func FuzzMPA(f *testing.F) {
	for _, seed := range []string{
		"",
		"MPA ID Req Frame\x40\x01\x00\x00",
		"MPA ID Req Frame\x50\x02\x00\x08\x80\x20\xc0\x10ulp!",
		"MPA ID Rep Frame\xff\x81\x00\x03abc and more",
		"MPA ID Rep Frame\x00\x00\xff\xff",
		"MPA ID Rex",
		"\x00\x0e\xc1\x40\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\xa3\x05\x72\xab",
		"\x00\x03abc\x00\x00\x00\x01\x02\x03\x04",
		"\xff\xff",
	} {
		f.Add([]byte(seed))
	}
	for _, seed := range captured(f).frames {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		var frame mpa.Frame
		var fpdu mpa.FPDU
		reencodes(t, &frame, b)
		reencodes(t, &fpdu, b)
		decodesAsTable(t, new(mpa.Enhanced), mpa.EnhancedFields, b)
		var e mpa.Enhanced
		if frame.Enhanced(&e) && len(frame.ULPPrivateData()) != len(frame.PrivateData)-mpa.EnhancedLen {
			t.Errorf("%d octets of Private Data, %d of the upper layer", len(frame.PrivateData), len(frame.ULPPrivateData()))
		}
	})
}

// reencodes decodes a header of variable length.
func reencodes(t *testing.T, h codectest.Header, b []byte) {
	t.Helper()
	n, err := h.Decode(b)
	if n > len(b) {
		t.Fatalf("%T: %d octets of %d, %v", h, n, len(b), err)
	}
	if err != nil {
		if short := errors.Is(err, field.ErrShort); short != (n == len(b)) || !short && !errors.Is(err, field.ErrValue) {
			t.Errorf("%T: %v at %d of %d", h, err, n, len(b))
		}
		return
	}
	if out, err := h.AppendBinary(nil); err != nil || !bytes.Equal(out, b[:n]) || h.Len() != n {
		t.Errorf("%T: %v\n got % x\nwant % x", h, err, out, b[:n])
	}
}

// FuzzDeframer cuts any octets into FPDUs: all at once, and in pieces that other octets say. Both ways give the same.
// Then some pieces are skipped: nothing may break, and every octet must be accounted for.
func FuzzDeframer(f *testing.F) {
	for _, opts := range []byte{0, 1, 2, 3} {
		framer := mpa.Framer{Options: options(opts)}
		var wire []byte
		for _, n := range []int{18, 600, 42, 1442, 1, 2000} {
			wire, _ = framer.Append(wire, bytes.Repeat([]byte{byte(n)}, n), nil)
		}
		f.Add(opts, wire, []byte{1, 200, 3, 255, 0, 77})
		f.Add(opts, wire[:300], []byte{255})
	}
	f.Add(byte(3), []byte{0, 0, 0, 0, 0xff, 0xff}, []byte{5})
	f.Fuzz(func(t *testing.T, opts byte, wire, cuts []byte) {
		atOnce, _ := deframe(options(opts), [][]byte{wire}, nil)
		pieces := cutUp(wire, cuts)
		inPieces, left := deframe(options(opts), pieces, nil)
		if len(atOnce) != len(inPieces) {
			t.Fatalf("%d FPDUs at once, %d in pieces", len(atOnce), len(inPieces))
		}
		end := uint64(0)
		for i := range atOnce {
			a, b := &atOnce[i], &inPieces[i]
			if !bytes.Equal(a.ULPDU, b.ULPDU) || a.Start != b.Start || a.End != b.End || a.Verdict != b.Verdict ||
				a.Markers != b.Markers || a.BadMarkers != b.BadMarkers || a.CRC != b.CRC {
				t.Fatalf("FPDU %d\n at once: %+v\nin pieces: %+v", i, a, b)
			}
			if a.Start != end || int(a.ULPDULength) != len(a.ULPDU) || a.Missing != 0 {
				t.Fatalf("FPDU %d begins at %d, not %d: %+v", i, a.Start, end, a)
			}
			end = a.End
		}
		if end+uint64(left) != uint64(len(wire)) {
			t.Fatalf("FPDUs up to %d, %d octets left, of %d", end, left, len(wire))
		}
		reframe(t, options(opts), atOnce, wire)

		withHoles, _ := deframe(options(opts), pieces, cuts)
		end = 0
		for i := range withHoles {
			a := &withHoles[i]
			if a.Start < end || a.End <= a.Start || a.Missing > int(a.End-a.Start) || len(a.ULPDU) > int(a.ULPDULength) {
				t.Fatalf("FPDU %d after %d: %+v", i, end, a)
			}
			if a.Missing > 0 && a.Verdict != mpa.Unchecked {
				t.Fatalf("FPDU %d lacks octets, its CRC is %v", i, a.Verdict)
			}
			end = a.End
		}
	})
}

// options are bit 0 for Markers, bit 1 for CRCs.
func options(b byte) mpa.Options { return mpa.Options{Markers: b&1 != 0, CRC: b&2 != 0} }

// cutUp cuts b into pieces of up to 510 octets.
func cutUp(b, cuts []byte) (pieces [][]byte) {
	for i := 0; len(b) > 0; i++ {
		n := len(b)
		if len(cuts) > 0 {
			n = min(n, 2*int(cuts[i%len(cuts)])+1)
		}
		pieces, b = append(pieces, b[:n]), b[n:]
	}
	return pieces
}

// deframe pushes pieces, or skips those that an odd octet of holes says, and returns copies of the FPDUs and how many
// octets wait for more.
func deframe(opts mpa.Options, pieces [][]byte, holes []byte) (fpdus []mpa.Deframed, left int) {
	var d mpa.Deframer
	d.Reset(opts)
	for i, p := range pieces {
		if len(holes) > 0 && holes[i%len(holes)]&1 != 0 {
			d.Skip(uint64(len(p)))
		} else {
			if d.Lost() && i%3 == 0 {
				d.Resume()
			}
			d.Push(p)
		}
		var f mpa.Deframed
		for d.Next(&f) {
			f.ULPDU, f.PAD = bytes.Clone(f.ULPDU), bytes.Clone(f.PAD)
			fpdus = append(fpdus, f)
		}
	}
	return fpdus, d.Pending()
}

// reframe writes FPDUs again with a Framer: as far as all of them are as a Framer makes them, the octets are the same.
func reframe(t *testing.T, opts mpa.Options, fpdus []mpa.Deframed, wire []byte) {
	t.Helper()
	framer := mpa.Framer{Options: opts}
	var out []byte
	for i := range fpdus {
		f := &fpdus[i]
		if f.Check() != nil || f.BadMarkers != 0 || opts.CRC && f.Verdict != mpa.Good || !opts.CRC && f.CRC != 0 {
			return
		}
		var err error
		if out, err = framer.Append(out, f.ULPDU, nil); err != nil {
			t.Fatal(err)
		}
		if got, want := out[f.Start:], wire[f.Start:f.End]; !markersAside(opts) && !bytes.Equal(got, want) {
			t.Fatalf("FPDU %d\n got % x\nwant % x", i, got, want)
		}
		if framer.Pos() != f.End {
			t.Fatalf("FPDU %d ends at %d, not %d", i, framer.Pos(), f.End)
		}
	}
}

// markersAside reports that octets need not agree: the reserved half of a Marker and the lowest bits of its FPDUPTR are
// not checked on reception.
func markersAside(opts mpa.Options) bool { return opts.Markers }
