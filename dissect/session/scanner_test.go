package session

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/dissect/reassembly"
)

// TestScanner finds an MPA frame, however the stream is cut into pieces, and tells what is around it.
func TestScanner(t *testing.T) {
	request := mpa.Frame{Rev: 1, PDLength: 5, PrivateData: []byte("hello")}
	frame, err := request.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, before := range []string{"", "MPA ID", "an upper layer that says MPA ID Re now and then "} {
		stream := append([]byte(before), frame...)
		for cut := 1; cut <= len(stream); cut++ {
			var s scanner
			var early []byte
			var r scan
			for at := 0; at < len(stream) && !r.found; at += cut {
				data := stream[at:min(at+cut, len(stream))]
				s.scan(&reassembly.Piece{Offset: uint64(at), Data: data, Frame: uint64(at + 1)}, false, &r)
				early = append(early, r.early...)
				if want := uint64(len(early)); r.earlyEnd != want {
					t.Errorf("%q in pieces of %d: octets end at %d, want %d", before, cut, r.earlyEnd, want)
				}
			}
			if !r.found || string(early) != before || !bytes.Equal(r.octets, frame) || r.end != uint64(len(stream)) {
				t.Errorf("%q in pieces of %d: found %v, behind %q", before, cut, r.found, early)
			}
			if first := r.span.Frame; first > uint64(len(before)+1) || first+uint64(cut) <= uint64(len(before)+1) {
				t.Errorf("%q in pieces of %d: found from frame %d on", before, cut, first)
			}
		}
	}
}

// TestScannerBelieves shows what is not an MPA frame in the middle of a stream.
func TestScannerBelieves(t *testing.T) {
	encode := func(f mpa.Frame) string {
		b, err := f.AppendBinary(nil)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	reply, request := encode(mpa.Frame{Rev: 1, Reply: true}), encode(mpa.Frame{Rev: 1})
	for _, tc := range []struct {
		octets            string
		isAwaited, wanted bool
	}{
		{reply, false, true},
		{"text " + reply, false, false},
		{"text " + reply, true, true},
		{"text " + request, false, true},
		{"text " + request + "text", false, false},
		{"text " + encode(mpa.Frame{Rev: 9}), false, false},
		{request[:12], false, false},
	} {
		var s scanner
		var r scan
		if s.scan(&reassembly.Piece{Data: []byte(tc.octets)}, tc.isAwaited, &r); r.found != tc.wanted {
			t.Errorf("%q, awaited %v: found %v", tc.octets, tc.isAwaited, r.found)
		}
	}
}

// TestScannerHole loses Private Data, in a hole that is shorter or longer than that.
func TestScannerHole(t *testing.T) {
	request := mpa.Frame{Rev: 1, PDLength: 50, PrivateData: make([]byte, 50)}
	frame, err := request.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	const have = 30
	for _, hole := range []uint64{10, 40, 60} {
		var s scanner
		var r scan
		s.scan(&reassembly.Piece{Data: frame[:have]}, false, &r)
		s.scan(&reassembly.Piece{Offset: have, Hole: hole}, false, &r)
		if !r.found || r.end != uint64(len(frame)) || len(r.octets) != have || r.rest.Hole != max(hole, 40)-40 {
			t.Errorf("a hole of %d: found %v up to %d, and a hole of %d", hole, r.found, r.end, r.rest.Hole)
		}
		rest := reassembly.Piece{Offset: have + hole, Data: make([]byte, 100)}
		captured := s.leavePrivateData(&rest)
		if want := 40 - int(min(hole, 40)); captured != want || len(rest.Data) != 100-want {
			t.Errorf("a hole of %d: %d octets of Private Data behind it, want %d", hole, captured, want)
		}
	}
	var s scanner
	var r scan
	s.scan(&reassembly.Piece{Data: frame[:12]}, false, &r)
	if s.scan(&reassembly.Piece{Offset: 12, Hole: 8}, false, &r); r.found || string(r.early) != string(frame[:12]) {
		t.Errorf("a Key alone: found %v, behind %q", r.found, r.early)
	}
}
