package rnicsim

import (
	"bytes"
	"strings"
	"testing"
)

// V-108 V-113 V-114 V-117: an S-RQ is there as long as QPs use it, can be resized, and gets its slots back however a QP
// ends.
func TestSRQ(t *testing.T) {
	o := defaults()
	b := newSide(t, o, nil)
	s := must(b.rnic.CreateSRQ(SRQConfig{PD: b.pd, WRs: 2, SGEs: 1}))
	o.qp.PD, o.qp.SRQ, o.emss = b.pd, s, 142
	a, c := newSide(t, smallSegments(), nil), newSide(t, o, b.rnic)
	if err := join(a, c); err != nil {
		t.Fatal(err)
	}
	for _, e := range []*side{c, a} {
		if err := e.qp.Modify(Modification{State: RTS, Stream: e.stream}); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Destroy(); err != ErrSRQInUse {
		t.Error(err)
	}
	if err := s.Modify(SRQModification{WRs: new(3), Limit: new(1), Arm: true}); err != nil {
		t.Error(err)
	}
	if got, armed, err := s.Query(); got != (SRQConfig{PD: b.pd, WRs: 3, SGEs: 1, Limit: 1}) || !armed || err != nil {
		t.Error(got, armed, err)
	}
	if err := s.Modify(SRQModification{Limit: new(0)}); err != nil {
		t.Error("no limit:", err)
	}
	octets := make([]byte, 300)
	sink, source := c.region(octets, 0, allRights), a.region(octets, 0, allRights)
	must(s.PostRQ(WorkRequest{SGL: []SGE{{sink, 0, 300}}}, WorkRequest{}, WorkRequest{}))
	must(a.qp.PostSQ(WorkRequest{Op: OpSend, SGL: []SGE{{source, 0, 300}}}))
	a.move() // the first segment of three
	if s.elements.len() != 2 || s.queue.used != 3 {
		t.Error(s.elements.len(), s.queue.used)
	}
	if small, all := s.Modify(SRQModification{WRs: new(2)}), s.Modify(SRQModification{WRs: new(3)}); small != ErrShrink || all != nil {
		t.Error(small, all)
	}
	if err := c.qp.Destroy(); err != nil {
		t.Fatal(err)
	}
	if s.elements.len() != 2 || s.queue.used != 2 {
		t.Error(s.elements.len(), s.queue.used)
	}
	if err := s.Destroy(); err != nil {
		t.Error(err)
	}
	if _, _, err := s.Query(); err != ErrInvalidSRQ {
		t.Error(err)
	}
}

// smallSegments returns defaults for small segments.
func smallSegments() options {
	o := defaults()
	o.emss = 142
	return o
}

// V-111: the SQ of a QP with an S-RQ sends what that of another does, octet by octet.
func TestSendQueueBesideSRQ(t *testing.T) {
	talk := func(shared bool) (sent []byte) {
		o := smallSegments()
		on := New(Config{})
		o.qp.PD = must(on.AllocatePD())
		if shared {
			o.qp.SRQ = must(on.CreateSRQ(SRQConfig{PD: o.qp.PD, WRs: 4, SGEs: 1}))
		}
		a, b := newSide(t, o, on), newSide(t, smallSegments(), nil)
		a.pulled = func(octets []byte) { sent = append(sent, octets...) }
		if err := join(a, b); err != nil {
			t.Fatal(err)
		}
		for _, e := range []*side{b, a} {
			if err := e.qp.Modify(Modification{State: RTS, Stream: e.stream}); err != nil {
				t.Fatal(err)
			}
		}
		octets := []byte(strings.Repeat("0123456789", 50))
		mine, theirs := a.region(octets, 0, allRights), b.region(make([]byte, 500), 0, allRights)
		all := []SGE{{mine, 0, 500}}
		must(b.qp.PostRQ(WorkRequest{SGL: []SGE{{theirs, 0, 500}}}))
		must(a.qp.PostSQ(WorkRequest{Op: OpWrite, SGL: all, Remote: theirs}, WorkRequest{Op: OpSend, SGL: all},
			WorkRequest{Op: OpRead, Local: all[0], Remote: theirs}, WorkRequest{Op: OpWrite, ReadFence: true}))
		run(a, b)
		if got := a.poll(); len(got) != 4 || got[3].Status != Success {
			t.Fatal(got)
		}
		return sent
	}
	if with, without := talk(true), talk(false); !bytes.Equal(with, without) || len(with) < 1000 {
		t.Errorf("%d octets with an S-RQ, %d without, and they differ", len(with), len(without))
	}
}
