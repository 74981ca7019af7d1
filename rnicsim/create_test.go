package rnicsim

import (
	"maps"
	"testing"
)

// V-035 V-036 V-038 V-039 V-040 V-042 V-044 V-059: a QP is created as asked. Query says so, its queues have that room,
// and each completes in its own CQ.
func TestCreatedAsAsked(t *testing.T) {
	w := newWorld(t)
	second := must(w.r.CreateCQ(4, 0))
	ids := map[uint32]bool{w.qp.ID(): true, w.beside.ID(): true, w.foreign.ID(): true}
	for _, change := range []func(*QPConfig){
		func(c *QPConfig) { c.SQ, c.RQ = 1, 8 },
		func(c *QPConfig) { c.SQ, c.RQ = 8, 1 },
		func(c *QPConfig) { c.RecvCQ, c.PD = second, w.other },
		func(c *QPConfig) { c.SendCQ, c.ORD, c.IRD = second, 4, 0 },
		func(c *QPConfig) { c.ORD, c.IRD, c.RemoteRead, c.Privileged = 0, 4, false, false },
	} {
		c := w.qp.config
		change(&c)
		q := must(w.r.CreateQP(c))
		if got := must(q.Query()); got != (QPAttributes{QPConfig: c, ID: q.ID(), State: Idle}) || ids[got.ID] || got.ID == 0 {
			t.Errorf("created with %+v, it is %+v", c, got)
		}
		ids[q.ID()] = true
		sends, receives := make([]WorkRequest, 9), make([]WorkRequest, 9)
		for i := range sends {
			sends[i].Op = OpSend
		}
		if n, err := q.PostSQ(sends...); n != c.SQ || err != ErrTooManyWRs {
			t.Errorf("SQ of %d: %d, %v", c.SQ, n, err)
		}
		if n, err := q.PostRQ(receives...); n != c.RQ || err != ErrTooManyWRs {
			t.Errorf("RQ of %d: %d, %v", c.RQ, n, err)
		}
		c.SendCQ.Modify(16)
		c.RecvCQ.Modify(16)
		q.Modify(Modification{State: Error})
		want := map[*CQ]map[Op]int{c.SendCQ: {OpSend: c.SQ}, c.RecvCQ: {OpReceive: c.RQ}}
		if c.SendCQ == c.RecvCQ {
			want[c.SendCQ] = map[Op]int{OpSend: c.SQ, OpReceive: c.RQ}
		}
		for cq, each := range want {
			if got := operations(cq, q); !maps.Equal(got, each) {
				t.Errorf("completed %v, want %v", got, each)
			}
		}
		q.Destroy()
	}
}

// operations counts the completions of a QP that are in a CQ, and takes all.
func operations(cq *CQ, q *QP) map[Op]int {
	n := map[Op]int{}
	for c := make([]Completion, 1); ; {
		if _, err := cq.Poll(c); err != nil {
			return n
		}
		if c[0].QP == q.ID() {
			n[c[0].Op]++
		}
	}
}

// V-045: with an S-RQ it does not matter how large an RQ was asked for.
func TestRQOfSRQ(t *testing.T) {
	w := newWorld(t)
	c := w.qp.config
	c.SRQ = must(w.r.CreateSRQ(SRQConfig{PD: w.pd, WRs: 4, SGEs: 1}))
	c.RQ, c.RecvSGEs = 1<<30, -1
	q := must(w.r.CreateQP(c))
	if got := must(q.Query()); got.RQ != 0 || got.RecvSGEs != 1 || got.SRQ != c.SRQ {
		t.Errorf("%+v", got)
	}
}

// V-138 V-139 V-044: each QP has ORD and IRD of its own, up to what Query says; more is refused.
func TestReadResources(t *testing.T) {
	for _, limit := range []int{0, 1, 4} {
		l := worldLimits
		l.ORD, l.IRD = limit, limit
		r := New(Config{Limits: l})
		if a := must(r.Query()); a.ORD != limit || a.IRD != limit || a.PooledORD != 0 || a.PooledIRD != 0 {
			t.Errorf("%+v", a)
		}
		cq := must(r.CreateCQ(1, 0))
		c := QPConfig{PD: must(r.AllocatePD()), SendCQ: cq, RecvCQ: cq, ORD: limit, IRD: limit}
		for range l.QPs - 1 {
			q := must(r.CreateQP(c))
			if got := must(q.Query()); got.ORD != limit || got.IRD != limit {
				t.Errorf("limit %d: %+v", limit, got)
			}
			if err := q.Modify(Modification{ORD: new(limit + 1)}); err != ErrORDLimit {
				t.Error(err)
			}
			if err := q.Modify(Modification{IRD: new(limit + 1)}); err != ErrIRDLimit {
				t.Error(err)
			}
		}
		more := c
		more.ORD++
		if _, err := r.CreateQP(more); err != ErrORDLimit {
			t.Error(err)
		}
		more.ORD, more.IRD = limit, limit+1
		if _, err := r.CreateQP(more); err != ErrIRDLimit {
			t.Error(err)
		}
	}
}

// The modifiers of Create QP, each with a Work Request without it and with it: its status, and the Terminate that its
// side sends or gets.
var modifiers = []struct {
	name   string
	own    bool // it is changed where the Work Request is posted; else at the peer
	change func(*QPConfig)
	work   func(a, b *side) WorkRequest
	status Status
	code   string
}{
	{"ORD", true, func(c *QPConfig) { c.ORD = 0 }, reads, ZeroReadResources, "0/0/00"},
	{"IRD", false, func(c *QPConfig) { c.IRD = 0 }, reads, Flushed, "1/2/02"},
	{"RemoteRead", false, func(c *QPConfig) { c.RemoteRead = false }, reads, Flushed, "1/2/02"},
	{"RemoteWrite", false, func(c *QPConfig) { c.RemoteWrite = false }, writes, Success, "1/1/00"},
	{"BindWindows", true, func(c *QPConfig) { c.BindWindows = false }, binds, AccessViolation, "0/0/00"},
	{"Privileged", true, func(c *QPConfig) { c.Privileged = false }, registers, NotPrivileged, "0/0/00"},
	{"Privileged, STag 0", true, func(c *QPConfig) { c.Privileged = false }, sendsPhysical, InvalidSTag, "0/0/00"},
}

func reads(a, b *side) WorkRequest {
	sink, source := a.region(make([]byte, 8), 0, allRights), b.region(make([]byte, 8), 0, allRights)
	return WorkRequest{Op: OpRead, Local: SGE{sink, 0, 8}, Remote: source}
}

func writes(a, b *side) WorkRequest {
	wr := reads(a, b)
	wr.Op, wr.SGL = OpWrite, []SGE{wr.Local}
	return wr
}

func binds(a, _ *side) WorkRequest {
	region := a.region(make([]byte, 8), 0, allRights)
	window := must(a.rnic.AllocateMW(a.pd))
	return WorkRequest{Op: OpBind, Bind: &Bind{Window: window, Region: region, Length: 8, Rights: RemoteRead}}
}

func registers(a, _ *side) WorkRequest {
	a.rnic.memory.Map(0x10000, make([]byte, memoryPage))
	pages := PBL{EntrySize: memoryPage, Entries: []uint64{0x10000}, Length: 8}
	stag := must(a.rnic.AllocateMR(a.pd, 1, true))
	return WorkRequest{Op: OpFastRegister, STag: stag, Registration: &Registration{PBL: pages, Rights: LocalRead}}
}

func sendsPhysical(a, b *side) WorkRequest {
	a.rnic.memory.Map(0x10000, make([]byte, memoryPage))
	must(b.qp.PostRQ(WorkRequest{SGL: []SGE{{b.region(make([]byte, 8), 0, allRights), 0, 8}}}))
	return WorkRequest{Op: OpSend, SGL: []SGE{{0, 0x10000, 8}}}
}

// V-009 V-033 V-037: the modifiers of Create QP take effect.
func TestModifiersCount(t *testing.T) {
	for _, c := range modifiers {
		for _, changed := range []bool{false, true} {
			oa, ob := defaults(), defaults()
			status, terminate := Success, ""
			if changed {
				status, terminate = c.status, c.code
				if c.own {
					c.change(&oa.qp)
				} else {
					c.change(&ob.qp)
				}
			}
			a, b := newPair(t, oa, ob)
			must(a.qp.PostSQ(c.work(a, b)))
			run(a, b)
			if got := a.poll(); len(got) != 1 || got[0].Status != status || code(a) != terminate {
				t.Errorf("%s, changed %v: %v and %q, want %v and %q", c.name, changed, got, code(a), status, terminate)
			}
		}
	}
}

// V-241: figure 21: the peer may do what both the QP and the STag allow.
func TestRightsOfQPAndSTag(t *testing.T) {
	for i := range 32 {
		reading, qpReads, qpWrites, stagReads, stagWrites := i&1 != 0, i&2 != 0, i&4 != 0, i&8 != 0, i&16 != 0
		o := defaults()
		o.qp.RemoteRead, o.qp.RemoteWrite = qpReads, qpWrites
		a, b := newPair(t, defaults(), o)
		rights, wr := LocalRead|LocalWrite, writes(a, b)
		if stagReads {
			rights |= RemoteRead
		}
		if stagWrites {
			rights |= RemoteWrite
		}
		allowed := qpWrites && stagWrites
		if reading {
			wr.Op, allowed = OpRead, qpReads && stagReads
		}
		wr.Remote = b.region(make([]byte, 8), 0, rights)
		must(a.qp.PostSQ(wr))
		if run(a, b); allowed != (code(a) == "") {
			t.Errorf("%v: QP reads %v writes %v, STag reads %v writes %v: %q", wr.Op, qpReads, qpWrites, stagReads, stagWrites, code(a))
		}
	}
}
