package fuzz

// The ends of FuzzRNIC: what they consist of, and what is done with them.

import (
	"bytes"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// An rnicEnd is one end. Its memory has areas of a page each, with guards around them that nobody may touch.
type rnicEnd struct {
	t     *testing.T
	rnic  *rnicsim.RNIC
	pd    *rnicsim.PD
	cq    *rnicsim.CQ
	srq   *rnicsim.SRQ // nil for RQs of the QPs' own
	links []*rnicLink

	memory  []byte
	regions [rnicAreas]rnicsim.STag
	window  rnicsim.STag
	shared  rnicShared

	next     uint64        // ID of the next Work Request
	receives []rnicReceive // that are outstanding, in order: of the S-RQ, or of the only RQ
	slots    [rnicDepth]bool
}

// An rnicLink is one end of a stream.
type rnicLink struct {
	end     *rnicEnd
	qp      *rnicsim.QP
	id      uint32
	stream  *rnicsim.Stream
	small   bool
	wire    []byte // that the peer has still to take
	ended   mpa.Ending
	tainted bool // not all that went out is the RNIC's

	pending  []rnicsim.WorkRequest // of the SQ, in order
	failures int                   // completions since RTS that are neither Success nor Flushed
	sends    [][]byte              // payload of the Sends that the peer has not received
	adds     uint64                // that were completed
}

// An rnicReceive is a Receive that is outstanding.
type rnicReceive struct {
	id     uint64
	slot   int  // in areaReceive
	passed bool // a later one was completed, so this one was taken
}

// An rnicShared is what is known of an S-RQ.
type rnicShared struct {
	depth, limit int
	armed        bool
	raised       bool // in this step
	done         int  // Receives that were completed in this step
	failed       bool
	late         int // Receives that have succeeded since
}

// The areas.
const (
	areaSource = iota // a pattern, for the peer to read
	areaSink          // for the peer to write to, always what is at the same place of its source
	areaReceive
	areaRead
	areaWord // for Atomics
	areaGone // is invalidated now and then
	rnicAreas

	areaLen  = 4096
	guardLen = 64

	rnicDepth   = 24 // Work Requests in a queue
	rnicStreams = 3  // with an S-RQ
	slotLen     = areaLen / rnicDepth

	areaBase = 0x10000
)

// area is the octets of one.
func (e *rnicEnd) area(i int) []byte {
	at := i*(areaLen+guardLen) + guardLen
	return e.memory[at : at+areaLen]
}

func newRNICEnd(t *testing.T, fill byte, options uint8) *rnicEnd {
	e := &rnicEnd{t: t, rnic: rnicsim.New(rnicConfig(fill, options))}
	e.pd, _ = e.rnic.AllocatePD()
	e.cq, _ = e.rnic.CreateCQ(1<<16, 0)
	links := 1
	if options&optionShared != 0 {
		links = rnicStreams
		e.shared = rnicShared{depth: rnicDepth, limit: 2, armed: true}
		e.srq, _ = e.rnic.CreateSRQ(rnicsim.SRQConfig{PD: e.pd, WRs: rnicDepth, SGEs: 2, Limit: 2})
		e.rnic.SetAsyncEventHandler(e.event)
	}
	for range links {
		e.links = append(e.links, newRNICLink(e, options))
	}
	e.register(fill)
	return e
}

// rnicConfig is what the options say of an RNIC.
func rnicConfig(seed byte, options uint8) rnicsim.Config {
	return rnicsim.Config{Profile: peers.Profiles[int(options>>profileShift&7)%len(peers.Profiles)], Seed: [32]byte{seed}}
}

func newRNICLink(e *rnicEnd, options uint8) *rnicLink {
	qp, err := e.rnic.CreateQP(rnicsim.QPConfig{
		PD: e.pd, SendCQ: e.cq, RecvCQ: e.cq, SRQ: e.srq, SQ: rnicDepth, RQ: rnicDepth, RemoteRead: true, RemoteWrite: true,
		BindWindows: true, SendSGEs: 4, WriteSGEs: 4, RecvSGEs: 4, ORD: 2 + int(options&optionORD/optionORD), IRD: 3,
	})
	if err != nil {
		e.t.Fatal(err)
	}
	l := &rnicLink{end: e, qp: qp, id: qp.ID(), stream: rnicsim.New(rnicsim.Config{}).NewStream(streamConfig(options)), small: options&optionSmall != 0}
	l.stream.SetEMSS(1448)
	if l.small {
		l.stream.SetEMSS(100)
	}
	return l
}

// streamConfig is what the options say of MPA.
func streamConfig(options uint8) rnicsim.StreamConfig {
	c := rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true, Markers: options&optionMarkers != 0}
	if options&optionEnhanced != 0 {
		c.Rev, c.Enhanced = mpa.Rev2, &mpa.Enhanced{A: true, C: true, D: true, IRD: 3, ORD: 3}
	}
	return c
}

// register makes the areas.
func (e *rnicEnd) register(fill byte) {
	e.memory = bytes.Repeat([]byte{0xa5}, rnicAreas*(areaLen+guardLen)+guardLen)
	const all = rnicsim.LocalRead | rnicsim.LocalWrite | rnicsim.RemoteRead | rnicsim.RemoteWrite | rnicsim.BindWindows
	rights := [rnicAreas]rnicsim.Rights{rnicsim.LocalRead | rnicsim.RemoteRead, rnicsim.LocalWrite | rnicsim.RemoteWrite,
		rnicsim.LocalWrite, rnicsim.LocalWrite | rnicsim.RemoteWrite, all, all}
	for i := range e.regions {
		b := e.area(i)
		clear(b)
		var err error
		if e.regions[i], err = e.rnic.RegisterOctets(e.pd, b, areaBase, rights[i], fill); err != nil {
			e.t.Fatal(err)
		}
	}
	for i := range e.area(areaSource) {
		e.area(areaSource)[i] = byte(i*7+i>>8) | 1 // never zero
	}
	e.window, _ = e.rnic.AllocateMW(e.pd)
}

// receive posts a Receive of two elements, to the S-RQ or to the RQ of a link. Each that is outstanding has a place of
// its own in the area.
func (e *rnicEnd) receive(l *rnicLink, first, n uint32) {
	slot := 0
	for slot < rnicDepth-1 && e.slots[slot] {
		slot++
	}
	to := areaBase + uint64(slot*slotLen)
	first, n = first%slotLen, n%slotLen
	first = min(first, n)
	wr := rnicsim.WorkRequest{ID: e.next, SGL: []rnicsim.SGE{
		{STag: e.regions[areaReceive], TO: to, Len: first}, {STag: e.regions[areaReceive], TO: to + uint64(first), Len: n - first}}}
	post := l.qp.PostRQ
	if e.srq != nil {
		post = e.srq.PostRQ
	}
	done, err := post(wr)
	if full := e.srq != nil && len(e.receives) >= e.shared.depth; e.srq != nil && full == (done == 1) {
		e.t.Fatalf("the S-RQ has %d of %d Receives: %v", len(e.receives), e.shared.depth, err)
	}
	if done == 1 {
		e.next++
		e.slots[slot] = true
		e.receives = append(e.receives, rnicReceive{id: wr.ID, slot: slot})
	}
}

// limit changes the limit of the S-RQ, or arms it, and the QP RQ Limit of a link.
func (e *rnicEnd) limit(l *rnicLink, limit int, how byte) {
	if e.srq == nil {
		return
	}
	arm := how&1 != 0
	if how&2 != 0 {
		l.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, RQLimit: new(int(how >> 2 & 1)), ArmRQLimit: true})
	}
	limit %= e.shared.depth + 1
	if err := e.srq.Modify(rnicsim.SRQModification{Limit: &limit, Arm: arm}); err != nil {
		e.t.Fatal(err)
	}
	e.shared.limit, e.shared.armed = limit, e.shared.armed || arm
}

// resize changes the size of the S-RQ.
func (e *rnicEnd) resize(depth int) {
	s := &e.shared
	if e.srq == nil {
		return
	}
	err := e.srq.Modify(rnicsim.SRQModification{WRs: &depth})
	refused := depth < 1 || depth < len(e.receives) || s.armed && s.limit > depth
	if refused != (err != nil) {
		e.t.Fatalf("%d Receives of %d, now %d, limit %d: %v", len(e.receives), s.depth, depth, s.limit, err)
	}
	if err == nil {
		s.depth = depth
	}
}

// failShared makes the S-RQ fail.
func (e *rnicEnd) failShared() {
	if e.srq != nil {
		e.srq.Fail()
		e.shared.failed = true
	}
}

// post posts to the SQ.
func (l *rnicLink) post(wr rnicsim.WorkRequest) {
	wr.ID = l.end.next
	l.pending = append(l.pending, wr)
	l.end.next++
	if done, _ := l.qp.PostSQ(wr); done == 0 {
		l.pending = l.pending[:len(l.pending)-1]
		return
	}
	switch wr.Op {
	case rnicsim.OpSend, rnicsim.OpSendSE, rnicsim.OpSendInvalidate, rnicsim.OpSendSEInvalidate:
		l.sends = append(l.sends, l.end.sent(wr.SGL))
	case rnicsim.OpImmediate, rnicsim.OpImmediateSE:
		l.sends = append(l.sends, nil)
	}
}

// sent is the payload of a list over the source.
func (e *rnicEnd) sent(sgl []rnicsim.SGE) (b []byte) {
	for _, s := range sgl {
		if s.Len > 0 {
			b = append(b, e.area(areaSource)[s.TO-areaBase:][:s.Len]...)
		}
	}
	return b
}

// modify changes the state.
func (l *rnicLink) modify(s rnicsim.State) {
	m := rnicsim.Modification{State: s}
	if s == rnicsim.RTS {
		m.Stream = l.stream
	}
	l.qp.Modify(m)
}

// lose ends the connection in one of the ways that TCP knows.
func (l *rnicLink) lose(peer *rnicLink, how byte) {
	switch how % 4 {
	case 0:
		l.wire = nil
		peer.stream.InputReset()
	case 1:
		peer.stream.InputFIN()
	case 2:
		l.stream.Lost()
	case 3:
		l.stream.Abort()
	}
}

// move moves octets, or the end, of an end to its peer.
func (l *rnicLink) move(peer *rnicLink) bool {
	before := len(l.wire)
	limit := 1000
	if l.small {
		limit = 1 // one FPDU
	}
	l.wire = l.stream.AppendTransmit(l.wire, limit)
	took := peer.stream.Input(l.wire)
	moved := took > 0 || len(l.wire) > before
	l.wire = l.wire[took:]
	if how := l.stream.Ending(); !moved && how != l.ended && len(l.wire) == 0 {
		l.ended = how
		if how == mpa.EndsFIN {
			peer.stream.InputFIN()
		} else {
			peer.stream.InputReset()
		}
		return true
	}
	return moved
}
