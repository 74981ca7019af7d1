package rnicsim

import (
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// A sender alone cuts messages into segments, counts MSNs for each queue, and says when a message ends.
func TestSender(t *testing.T) {
	r := New(Config{})
	a := newAccess(r, &QPConfig{PD: must(r.AllocatePD())})
	stag := must(r.RegisterOctets(a.pd, []byte("0123456789"), 0, LocalRead, 1))
	var s sender
	s.reset(1)
	send := WorkRequest{Op: OpSend, SGL: []SGE{{stag, 0, 6}, {stag, 6, 4}}}
	for msn := uint32(1); msn <= 2; msn++ {
		s.request(&send)
		for mo, want := range []string{"0123", "4567", "89"} {
			status := s.requestSegment(&send, &a, ddp.UntaggedLen+4)
			if status != Success || string(slices.Concat(s.parts[1:]...)) != want {
				t.Errorf("%q, %v", s.parts, status)
			}
			u, last := s.segment.Untagged, want == "89"
			if u != (ddp.Untagged{L: last, DV: 1, MSN: msn, MO: uint32(4 * mo)}) || (s.sent() == ofSQ) != last {
				t.Errorf("%+v", u)
			}
		}
	}
	s.request(&WorkRequest{Op: OpRead})
	if s.requestSegment(&WorkRequest{Op: OpRead}, &a, 1000); s.segment.Untagged.MSN != 1 || s.sent() != ofSQ {
		t.Errorf("%+v", s.segment)
	}
	r.Deallocate(stag)
	s.request(&send)
	if status := s.requestSegment(&send, &a, 1000); status != InvalidSTag {
		t.Errorf("without its memory: %v", status)
	}
}

// A Ready to Receive is the cheapest message that the peer accepts.
func TestReadyToReceive(t *testing.T) {
	for want, r := range map[rdmap.Opcode]rtr{
		rdmap.OpWrite: {send: true, write: true, read: true}, rdmap.OpReadRequest: {send: true, read: true}, rdmap.OpSend: {send: true},
	} {
		var s sender
		s.reset(1)
		s.out.kind = readyToReceive
		if s.rtrSegment(r); s.segment.Control.Opcode != want || !s.segment.L() || s.sent() != readyToReceive {
			t.Errorf("%+v: %v", r, s.segment.Control.Opcode)
		}
	}
}
