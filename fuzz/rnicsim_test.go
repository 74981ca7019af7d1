package fuzz

import (
	"bytes"
	"encoding/binary"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// FuzzRNIC drives two RNICs that are connected with verbs, octets, losses and time as the input says. Whatever happens,
// memory that was not granted stays as it is, each Work Request is completed once, in its order, and what arrives is
// what was sent.
func FuzzRNIC(f *testing.F) {
	for _, seed := range []string{
		"\x00\x00\x05\x10\x01\x00\x20\x40\x10\x00\x00\x00\x02\x00\x10\x20\x10\x00\x00\x00\x03\x01\x10\x20\x10\x00\x00\x00",
		"\x07\x01\x00\x00\x04\x00\x01\x00\x10\x00\x00\x00\x0d\x00\x00\x00\x10\x00\x00\x00",
		"\x05\x00\x33\x21\x0c\x00\x02\x00\x10\x00\x00\x00\x11\x01\x22\x33\x10\x00\x00\x00\x12\x00\x00\x00\x10\x00\x00\x00",
		"\x09\x00\x10\x08\x02\x00\x10\x08\x0a\x00\x00\x00\x10\x00\x00\x00\x0e\x01\x41\x43\x10\x00\x00\x00",
		"\x06\x00\x03\x00\x06\x01\x03\x00\x10\x00\x00\x00\x0b\x00\x00\x00\x0c\x01\x03\x00\x13\x00\x00\x00",
	} {
		f.Add(uint8(0), []byte(seed))
		f.Add(uint8(0xff), []byte(seed))
	}
	f.Fuzz(func(t *testing.T, options uint8, input []byte) {
		if len(input) > 4096 {
			return
		}
		w := newRNICPair(t, options)
		for ; len(input) >= 4; input = input[4:] {
			w.step(input[:4])
			w.check()
		}
		w.finish()
	})
}

// An rnicPair is both ends, and what is known of them.
type rnicPair struct {
	t       *testing.T
	ends    [2]*rnicEnd
	now     time.Duration
	tainted bool // somebody has put messages between: what arrives need not be what was sent
}

// An rnicEnd is one end. Its memory has areas of a page each, with guards around them that nobody may touch.
type rnicEnd struct {
	rnic   *rnicsim.RNIC
	pd     *rnicsim.PD
	cq     *rnicsim.CQ
	qp     *rnicsim.QP
	stream *rnicsim.Stream

	memory  []byte
	regions [rnicAreas]rnicsim.STag
	window  rnicsim.STag
	wire    []byte // that the peer has still to take
	ended   rnicsim.Ending

	next     uint64                   // ID of the next Work Request
	pending  [2][]rnicsim.WorkRequest // of SQ and RQ, in order
	failures int                      // completions since RTS that are neither Success nor Flushed
	sends    [][]byte                 // payload of the Sends that the peer has not received
	adds     uint64                   // that were completed
	receives uint64                   // that were posted
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

	rnicDepth = 24 // Work Requests in a queue
	slotLen   = areaLen / rnicDepth

	areaBase = 0x10000
)

// area is the octets of one.
func (e *rnicEnd) area(i int) []byte {
	at := i*(areaLen+guardLen) + guardLen
	return e.memory[at : at+areaLen]
}

func newRNICPair(t *testing.T, options uint8) *rnicPair {
	w := &rnicPair{t: t}
	profile := &rules.Profiles[int(options>>4)%len(rules.Profiles)]
	for i := range w.ends {
		w.ends[i] = newRNICEnd(t, byte(i+1), options, profile)
	}
	a, b := w.ends[0], w.ends[1]
	b.stream.Listen()
	a.stream.Connect([]byte("private data"))
	w.pump(1 << 16)
	b.stream.Accept(nil)
	w.pump(1 << 16)
	for _, e := range w.ends {
		e.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: e.stream})
	}
	return w
}

func newRNICEnd(t *testing.T, fill byte, options uint8, profile *rules.Profile) *rnicEnd {
	e := &rnicEnd{rnic: rnicsim.New(rnicsim.Config{Profile: profile, Seed: [32]byte{fill}})}
	e.pd, _ = e.rnic.AllocatePD()
	e.cq, _ = e.rnic.CreateCQ(1<<16, 0)
	qp, err := e.rnic.CreateQP(rnicsim.QPConfig{
		PD: e.pd, SendCQ: e.cq, RecvCQ: e.cq, SQ: rnicDepth, RQ: rnicDepth, RemoteRead: true, RemoteWrite: true, BindWindows: true,
		SendSGEs: 4, WriteSGEs: 4, RecvSGEs: 4, ORD: 2 + int(options>>2&1), IRD: 3,
	})
	if err != nil {
		t.Fatal(err)
	}
	e.qp = qp
	c := rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true, Markers: options&1 != 0}
	if options&2 != 0 {
		c.Rev, c.Enhanced = mpa.Rev2, &mpa.Enhanced{A: true, C: true, D: true, IRD: 3, ORD: 3}
	}
	e.stream = rnicsim.NewStream(c)
	e.stream.SetEMSS([]int{1448, 200}[options>>3&1])
	e.memory = bytes.Repeat([]byte{0xa5}, rnicAreas*(areaLen+guardLen)+guardLen)
	const all = rnicsim.LocalRead | rnicsim.LocalWrite | rnicsim.RemoteRead | rnicsim.RemoteWrite | rnicsim.BindWindows
	rights := [rnicAreas]rnicsim.Rights{rnicsim.LocalRead | rnicsim.RemoteRead, rnicsim.LocalWrite | rnicsim.RemoteWrite,
		rnicsim.LocalWrite, rnicsim.LocalWrite | rnicsim.RemoteWrite, all, all}
	for i := range e.regions {
		b := e.area(i)
		clear(b)
		e.regions[i], err = e.rnic.RegisterOctets(e.pd, b, areaBase, rights[i], fill)
		if err != nil {
			t.Fatal(err)
		}
	}
	for i := range e.area(areaSource) {
		e.area(areaSource)[i] = byte(i*7+i>>8) | 1 // never zero
	}
	e.window, _ = e.rnic.AllocateMW(e.pd)
	return e
}

// step does what four octets say: what, who, and two numbers.
func (w *rnicPair) step(s []byte) {
	who := int(s[1] & 1)
	e, peer := w.ends[who], w.ends[1-who]
	at, n := uint64(s[2])*13%3000, uint32(s[3])*4
	sge := rnicsim.SGE{STag: e.regions[areaSource], TO: areaBase + at, Len: n}
	wr := rnicsim.WorkRequest{Unsignaled: s[1]&2 != 0, ReadFence: s[1]&4 != 0, LocalFence: s[1]&8 != 0, SGL: []rnicsim.SGE{sge}}
	switch what := s[0] % 20; what {
	case 0, 1:
		e.receive(uint32(s[2]), n)
	case 2:
		wr.Op = rnicsim.OpSend + rnicsim.Op(s[1]>>4&1)
		e.post(wr)
	case 3:
		wr.Op, wr.Remote, wr.RemoteTO = rnicsim.OpWrite, peer.regions[areaSink], sge.TO
		e.post(wr)
	case 4:
		wr.Op = rnicsim.OpRead
		wr.Local = rnicsim.SGE{STag: e.regions[areaRead], TO: sge.TO, Len: n}
		wr.Remote, wr.RemoteTO = peer.regions[areaSource], sge.TO
		e.post(wr)
	case 5:
		wr.Op, wr.Data, wr.Remote, wr.RemoteTO = rnicsim.OpFetchAdd, 1, peer.regions[areaWord], areaBase
		e.post(wr)
	case 6:
		wr.Op, wr.Data = rnicsim.OpImmediate, uint64(s[2])
		e.post(wr)
	case 7: // something that cannot be right
		wr.Op, wr.Remote, wr.RemoteTO = rnicsim.OpWrite, peer.regions[s[2]%rnicAreas]+rnicsim.STag(s[3]&1), areaBase+areaLen-1
		wr.SGL[0].Len = 2
		e.post(wr)
	case 8:
		wr.Op, wr.STag = rnicsim.OpSendInvalidate, peer.regions[areaGone]
		e.post(wr)
	case 9:
		wr.Op, wr.STag = rnicsim.OpInvalidate, []rnicsim.STag{e.regions[areaGone], e.window}[s[2]&1]
		e.post(wr)
	case 10:
		wr.Op = rnicsim.OpBind
		wr.Bind = &rnicsim.Bind{Window: e.window, Region: e.regions[areaGone], VA: areaBase + at, Length: uint64(n),
			Rights: rnicsim.RemoteRead, ZeroBased: s[1]&16 != 0}
		e.post(wr)
	case 11:
		wr.Op, wr.SGL = rnicsim.Op(s[2]), make([]rnicsim.SGE, s[3]%6)
		e.post(wr)
	case 12:
		w.modify(e, rnicsim.State(s[2]%6))
	case 13:
		w.now += time.Duration(s[2]) * 100 * time.Millisecond
		for _, e := range w.ends {
			e.stream.Advance(w.now)
		}
	case 14:
		w.inject(e, peer, s)
	case 15:
		w.lose(e, peer, s[2])
	default:
		w.pump(int(what-15) * 20)
	}
}

// receive posts a Receive of two elements. Each that can be outstanding has a place of its own in the area.
func (e *rnicEnd) receive(first, n uint32) {
	to := areaBase + e.receives%rnicDepth*slotLen
	first, n = first%slotLen, n%slotLen
	first = min(first, n)
	wr := rnicsim.WorkRequest{ID: e.next, SGL: []rnicsim.SGE{
		{STag: e.regions[areaReceive], TO: to, Len: first}, {STag: e.regions[areaReceive], TO: to + uint64(first), Len: n - first}}}
	if done, _ := e.qp.PostRQ(wr); done == 1 {
		e.next++
		e.receives++
		e.pending[1] = append(e.pending[1], wr)
	}
}

// post posts to the SQ.
func (e *rnicEnd) post(wr rnicsim.WorkRequest) {
	wr.ID = e.next
	e.pending[0] = append(e.pending[0], wr)
	e.next++
	if done, _ := e.qp.PostSQ(wr); done == 0 {
		e.pending[0] = e.pending[0][:len(e.pending[0])-1]
		return
	}
	if wr.Op == rnicsim.OpSend || wr.Op == rnicsim.OpSendSE || wr.Op == rnicsim.OpSendInvalidate {
		e.sends = append(e.sends, sentBy(e, wr.SGL))
	}
	if wr.Op == rnicsim.OpImmediate || wr.Op == rnicsim.OpImmediateSE {
		e.sends = append(e.sends, nil)
	}
	if wr.Op == rnicsim.OpSendSEInvalidate {
		e.sends = append(e.sends, sentBy(e, wr.SGL))
	}
}

// sentBy is the payload of a list over the source.
func sentBy(e *rnicEnd, sgl []rnicsim.SGE) (b []byte) {
	for _, s := range sgl {
		if s.Len > 0 {
			b = append(b, e.area(areaSource)[s.TO-areaBase:][:s.Len]...)
		}
	}
	return b
}

// modify changes the state.
func (w *rnicPair) modify(e *rnicEnd, s rnicsim.State) {
	m := rnicsim.Modification{State: s}
	if s == rnicsim.RTS {
		m.Stream = e.stream
	}
	e.qp.Modify(m)
}

// inject lets a ULPDU come from an end that its RNIC has not sent, or octets that are damaged.
func (w *rnicPair) inject(e, peer *rnicEnd, s []byte) {
	if s[1]&2 != 0 && len(e.wire) > 0 {
		e.wire[int(s[2])%len(e.wire)] ^= s[3]
		w.tainted = true
		return
	}
	ulpdu := make([]byte, int(s[3])%90)
	for i := range ulpdu {
		ulpdu[i] = s[2] * byte(i&1)
	}
	if len(ulpdu) > 18 {
		copy(ulpdu, []byte{0x41 | s[2]&0xc0, 0x40 | s[2]&0x0f})
		binary.BigEndian.PutUint32(ulpdu[2:], uint32(peer.regions[s[3]%rnicAreas]))
	}
	f := mpa.Framer{Options: mpa.Options{CRC: true}}
	b, err := f.Append(nil, ulpdu)
	if err == nil {
		e.wire = append(e.wire, b...)
		w.tainted = true
	}
}

// lose ends the connection in one of the ways that TCP knows.
func (w *rnicPair) lose(e, peer *rnicEnd, how byte) {
	switch how % 4 {
	case 0:
		e.wire = nil
		peer.stream.InputReset()
	case 1:
		peer.stream.InputFIN()
	case 2:
		e.stream.Lost()
	case 3:
		e.stream.Abort()
	}
}

// pump moves octets, at most so many pieces.
func (w *rnicPair) pump(pieces int) {
	for quiet := 0; pieces > 0 && quiet < 2; pieces-- {
		e, peer := w.ends[pieces&1], w.ends[1-pieces&1]
		if e.move(peer) {
			quiet = 0
		} else {
			quiet++
		}
	}
}

// move moves octets, or the end, of an end to its peer.
func (e *rnicEnd) move(peer *rnicEnd) bool {
	before := len(e.wire)
	e.wire = e.stream.AppendTransmit(e.wire, 1000)
	took := peer.stream.Input(e.wire)
	moved := took > 0 || len(e.wire) > before
	e.wire = e.wire[took:]
	if how := e.stream.Ending(); !moved && how != e.ended && len(e.wire) == 0 {
		e.ended = how
		if how == rnicsim.EndsFIN {
			peer.stream.InputFIN()
		} else {
			peer.stream.InputReset()
		}
		return true
	}
	return moved
}

// check polls and checks what there is.
func (w *rnicPair) check() {
	for i, e := range w.ends {
		var c [8]rnicsim.Completion
		for {
			n, err := e.cq.Poll(c[:])
			if err != nil {
				break
			}
			for j := range c[:n] {
				w.completed(e, w.ends[1-i], &c[j])
			}
		}
		e.guards(w.t)
		if w.tainted {
			continue
		}
		source := w.ends[1-i].area(areaSource)
		for at, octet := range e.area(areaSink) {
			if octet != 0 && octet != source[at] {
				w.t.Fatalf("octet %d of the sink is %#x, want %#x", at, octet, source[at])
			}
		}
	}
}

// guards checks that nothing between the areas was touched.
func (e *rnicEnd) guards(t *testing.T) {
	for i := range rnicAreas + 1 {
		at := i * (areaLen + guardLen)
		for _, octet := range e.memory[at : at+guardLen] {
			if octet != 0xa5 {
				t.Fatal("memory was touched that nobody has granted")
			}
		}
	}
}

// completed checks a completion against what was posted.
func (w *rnicPair) completed(e, peer *rnicEnd, c *rnicsim.Completion) {
	queue := 0
	if c.Op == rnicsim.OpReceive {
		queue = 1
	}
	for len(e.pending[queue]) > 0 && e.pending[queue][0].ID != c.WRID {
		if !e.pending[queue][0].Unsignaled {
			w.t.Fatalf("%v %d was completed before %d", c.Op, c.WRID, e.pending[queue][0].ID)
		}
		w.succeeded(e, peer, &e.pending[queue][0], nil)
		e.pending[queue] = e.pending[queue][1:]
	}
	if len(e.pending[queue]) == 0 {
		w.t.Fatalf("%v %d was completed, which is not outstanding", c.Op, c.WRID)
	}
	wr := e.pending[queue][0]
	e.pending[queue] = e.pending[queue][1:]
	switch c.Status {
	case rnicsim.Success:
		if queue == 1 {
			w.received(e, peer, &wr, c)
		} else {
			w.succeeded(e, peer, &wr, c)
		}
	case rnicsim.Flushed:
	default:
		if e.failures++; e.failures > 1 {
			w.t.Fatalf("a second failure: %v %v", c.Op, c.Status)
		}
	}
}

// succeeded checks what a Work Request of the SQ has done. It has no completion if it is unsignaled.
func (w *rnicPair) succeeded(e, peer *rnicEnd, wr *rnicsim.WorkRequest, c *rnicsim.Completion) {
	if wr.Op == rnicsim.OpFetchAdd {
		if c != nil && c.Data != e.adds && !w.tainted {
			w.t.Fatalf("the %d. addition found %d", e.adds, c.Data)
		}
		e.adds++
	}
	if wr.Op == rnicsim.OpRead && !w.tainted && wr.Local.Len > 0 {
		at := wr.Local.TO - areaBase
		if !bytes.Equal(e.area(areaRead)[at:][:wr.Local.Len], peer.area(areaSource)[at:][:wr.Local.Len]) {
			w.t.Fatal("a Read has read something else")
		}
	}
}

// received checks what a Receive has received: the next Send of the peer.
func (w *rnicPair) received(e, peer *rnicEnd, wr *rnicsim.WorkRequest, c *rnicsim.Completion) {
	if w.tainted {
		return
	}
	if len(peer.sends) == 0 {
		w.t.Fatal("a Receive without a Send")
	}
	want := peer.sends[0]
	peer.sends = peer.sends[1:]
	if c.Immediate {
		return // its Data is not in a buffer
	}
	if int(c.Length) != len(want) {
		w.t.Fatalf("received %d octets, want %d", c.Length, len(want))
	}
	if got := e.area(areaReceive)[wr.SGL[0].TO-areaBase:][:len(want)]; !bytes.Equal(got, want) {
		w.t.Fatal("received something else than was sent")
	}
}

// finish ends all that there is, and checks that nothing is outstanding then.
func (w *rnicPair) finish() {
	for range 4 {
		w.pump(1 << 12)
		w.check()
		w.now += time.Minute
		for _, e := range w.ends {
			e.stream.Advance(w.now)
		}
	}
	for _, e := range w.ends {
		if a, _ := e.qp.Query(); a.State == rnicsim.RTS || a.State == rnicsim.Idle {
			if err := e.qp.Modify(rnicsim.Modification{State: rnicsim.Error}); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	w.check()
	for _, e := range w.ends {
		if a, _ := e.qp.Query(); a.State != rnicsim.Error {
			w.t.Fatalf("the QP is in %v", a.State)
		}
		for _, queue := range e.pending {
			for i := range queue {
				if !queue[i].Unsignaled {
					w.t.Fatalf("%v %d was never completed", queue[i].Op, queue[i].ID)
				}
			}
		}
		if err := e.rnic.Close(); err != nil {
			w.t.Fatal(err)
		}
		e.guards(w.t)
	}
}
