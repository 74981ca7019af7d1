package rnicsim

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// V-232 V-233: the Work Requests of a list before the first mistake are posted, in order. A queue accepts its
// operations only.
func TestLists(t *testing.T) {
	o := defaults()
	a, b := newPair(t, o, o)
	n, err := a.qp.PostSQ(WorkRequest{ID: 1, Op: OpSend}, WorkRequest{ID: 2, Op: OpSend}, WorkRequest{Op: OpReceive},
		WorkRequest{ID: 3, Op: OpSend})
	if n != 2 || err != ErrInvalidOperation {
		t.Error(n, err)
	}
	n, err = b.qp.PostRQ(WorkRequest{ID: 4}, WorkRequest{ID: 5}, WorkRequest{Op: OpSend}, WorkRequest{ID: 6})
	if n != 2 || err != ErrInvalidOperation {
		t.Error(n, err)
	}
	s := must(b.rnic.CreateSRQ(SRQConfig{PD: b.pd, WRs: 4}))
	n, err = s.PostRQ(WorkRequest{Op: OpReceive}, WorkRequest{Op: OpSend}, WorkRequest{})
	if n != 1 || err != ErrInvalidOperation || s.elements.len() != 1 {
		t.Error(n, err, s.elements.len())
	}
	run(a, b)
	x, y := a.poll(), b.poll()
	if len(x) != 2 || len(y) != 2 || x[0].WRID != 1 || x[1].WRID != 2 || y[0].WRID != 4 || y[1].WRID != 5 {
		t.Error(x, y)
	}
}

// V-247: posting does not wait. A Send is not done before its octets were taken.
func TestPostingDoesNotWait(t *testing.T) {
	a, b := newPair(t, defaults(), defaults())
	must(b.qp.PostRQ(WorkRequest{}))
	if n, err := a.qp.PostSQ(WorkRequest{Op: OpSend}); n != 1 || err != nil || a.cq.count != 0 {
		t.Error(n, err, a.cq.count)
	}
	if run(a, b); a.cq.count != 1 {
		t.Error(a.cq.count)
	}
}

// V-248: in which states a QP takes Work Requests.
func TestStatesToPostIn(t *testing.T) {
	for s := Idle; s <= Error; s++ {
		var want error
		if s == Error {
			want = ErrInvalidState
		}
		a, b := newPair(t, defaults(), defaults())
		reach(t, a, b, s)
		if _, err := a.qp.PostRQ(WorkRequest{}); err != want {
			t.Errorf("PostRQ in %v: %v", s, err)
		}
		if _, err := a.qp.PostSQ(WorkRequest{Op: OpSend}); err != want {
			t.Errorf("PostSQ in %v: %v", s, err)
		}
	}
}

// V-238: four elements can be sent from and received into, and a message is as long as they are together.
func TestElements(t *testing.T) {
	if l := must(New(Config{}).Query()); l.SendSGEs < 4 || l.WriteSGEs < 1 {
		t.Error(l.SendSGEs, l.WriteSGEs)
	}
	a, b := newPair(t, defaults(), defaults())
	octets := make([]byte, 8)
	src, dst := a.region([]byte("abcdefgh"), 0, allRights), b.region(octets, 0, allRights)
	must(b.qp.PostRQ(WorkRequest{SGL: []SGE{{dst, 0, 1}, {dst, 1, 3}, {dst, 4, 0}, {dst, 4, 4}}}, WorkRequest{}))
	must(a.qp.PostSQ(WorkRequest{Op: OpSend, SGL: []SGE{{src, 6, 2}, {src, 4, 2}, {src, 2, 2}, {src, 0, 2}}},
		WorkRequest{Op: OpSend, SGL: make([]SGE, 4)}))
	run(a, b)
	if got := b.poll(); len(got) != 2 || got[0].Length != 8 || got[1].Length != 0 || string(octets) != "ghefcdab" {
		t.Errorf("%v, %q", got, octets)
	}
}

// V-244: a Read has one source and one sink; a list is not looked at.
func TestReadHasOneSink(t *testing.T) {
	a, b := newPair(t, defaults(), defaults())
	wr := reads(a, b)
	wr.SGL = []SGE{{0xdead00, 0, 1}, {0xbeef00, 0, 1}}
	var sent []byte
	a.pulled = func(octets []byte) { sent = bytes.Clone(octets) }
	must(a.qp.PostSQ(wr))
	run(a, b)
	var g rdmap.Segment
	g.Decode(sent[2:])
	var h rdmap.ReadRequest
	h.Decode(g.Body)
	want := rdmap.ReadRequest{SinkSTag: uint32(wr.Local.STag), RDMARDSZ: 8, SrcSTag: uint32(wr.Remote)}
	if got := a.poll(); h != want || len(got) != 1 || got[0].Status != Success {
		t.Errorf("%+v, want %+v; %v", h, want, got)
	}
}

// V-236: a message has up to 2^32-1 octets. Its begin and its end are looked at; all octets are the same 2 MiB.
func TestLongestMessage(t *testing.T) {
	const longest, page, near = 1<<32 - 1, 1 << 21, 100
	a, _ := newPair(t, defaults(), defaults())
	a.rnic.memory.Map(page, make([]byte, page))
	pages := make([]uint64, 1<<32/page)
	for i := range pages {
		pages[i] = page
	}
	list := PBL{EntrySize: page, Entries: pages, Length: longest}
	stag := must(a.rnic.RegisterMR(a.pd, Registration{PBL: list, VA: page, Rights: LocalRead}))
	must(a.qp.PostSQ(WorkRequest{Op: OpSend, SGL: []SGE{{stag, page, longest}}}))
	segment := func() (g rdmap.Segment) {
		g.Decode(a.stream.AppendTransmit(nil, 0)[2:])
		return g
	}
	if g := segment(); g.Untagged.MO != 0 || g.L() {
		t.Errorf("%+v", g.Header)
	}
	a.qp.sender.out.at = longest - near
	if g := segment(); g.Untagged.MO != longest-near || !g.L() || a.cq.count != 1 {
		t.Errorf("%+v", g.Header)
	}
	if got := a.poll(); len(got) != 1 || got[0].Status != Success {
		t.Error(got)
	}
}

// The memory of a Work Request can be reused as soon as it is posted.
func TestPostedIsCopied(t *testing.T) {
	w := newWorld(t)
	bind := Bind{Window: w.window.WithKey(0x22), Region: w.region, VA: worldBase, Length: 8, Rights: RemoteRead}
	registration := w.registration()
	sgl := []SGE{{w.region, worldBase, 1}}
	must(w.qp.PostSQ(
		WorkRequest{Op: OpBind, Bind: &bind},
		WorkRequest{Op: OpFastRegister, STag: w.allocated.WithKey(0x33), Registration: &registration},
		WorkRequest{Op: OpSend, SGL: sgl},
	))
	must(w.qp.PostRQ(WorkRequest{SGL: sgl}))
	bind, sgl[0] = Bind{}, SGE{}
	clear(registration.Entries)
	registration.Rights = 0
	for w.qp.sq.begun < 2 {
		e := w.qp.sq.next()
		if s := w.qp.access.execute(&e.WorkRequest); s != Success {
			t.Errorf("%v: %v", e.Op, s)
		}
		w.qp.sq.begin()
	}
	want := SGE{w.region, worldBase, 1}
	if got := w.qp.sq.next().SGL; len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
	if got := w.qp.rq.elements.at(0).sgl; len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
}

// Work that is posted in Idle and sends nothing is done as soon as the QP is in RTS.
func TestPostedInIdle(t *testing.T) {
	a, b := newSide(t, defaults(), nil), newSide(t, defaults(), nil)
	window := must(a.rnic.AllocateMW(a.pd)).WithKey(1)
	region := a.region(make([]byte, 8), 0x1000, allRights)
	must(a.qp.PostSQ(WorkRequest{ID: 5, Op: OpBind,
		Bind: &Bind{Window: window, Region: region, VA: 0x1000, Length: 8, Rights: RemoteRead}}))
	if err := join(a, b); err != nil {
		t.Fatal(err)
	}
	if got := a.poll(); len(got) != 0 {
		t.Error(got)
	}
	if err := a.qp.Modify(Modification{State: RTS, Stream: a.stream}); err != nil {
		t.Fatal(err)
	}
	if got := a.poll(); len(got) != 1 || got[0].WRID != 5 || got[0].Status != Success {
		t.Error(got)
	}
}

// V-010 V-103: a close succeeds after Work Requests that were refused, and without any.
func TestRefusedInClosing(t *testing.T) {
	a, _ := newPair(t, defaults(), defaults())
	a.qp.Modify(Modification{State: Closing})
	none, nothing := a.qp.PostSQ()
	refused, err := a.qp.PostSQ(WorkRequest{Op: OpReceive})
	if none+refused != 0 || nothing != nil || err != ErrInvalidOperation || a.qp.life.state != Closing || len(a.events) != 0 {
		t.Error(none, nothing, refused, err, a.qp.life.state, a.events)
	}
}
