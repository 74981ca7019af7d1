package fuzz

// Memory Regions and Windows of an RNIC, and what a peer can do with them: package rnicsim. The model of what must come of
// it is in rnicsim_memorymodel_test.go.

import (
	"bytes"
	"encoding/binary"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// FuzzRNICMemory registers, shares, binds, invalidates and deallocates as the fuzzer says, while a peer writes, reads and
// does Atomics with STags, TOs and lengths that are nearly right. All that a simple model allows succeeds and changes the
// octets that it says; all else is refused and changes nothing, least of all octets that were never registered.
func FuzzRNICMemory(f *testing.F) {
	const (
		region    = "\x00\x00\x1f\x00\x00\x11\x02\x01\x02\x03\x18\x05\x00" // of 24 octets, with all rights
		window    = "\x04\x00"
		bind      = "\x05\x01\x00\x22\x0c\x04\x08\x00" // the second STag to the first one
		write     = "\x07\x01\x00\x00\x04\x08"         // to the second STag, and so on
		read      = "\x07\x00\x02\x00\x05\x04"
		add       = "\x07\x00\x03\x00\x09\x00"
		invalid0  = "\x06\x00\x00\x00"
		invalid1  = "\x06\x01\x01\x00" // by the peer
		share     = "\x02\x00\x1f\x00\x01\x00\x00\x33"
		anew      = "\x0b\x00\x01\x1f\x00\x00\x44\x02\x04\x06\x00\x20\x00\x00" // a Fast-Register
		again     = "\x01\x00\x00\x03\x00\x00\x55\x01\x07\x00\x10\x00\x00"
		gone      = "\x03\x00\x00"
		allocated = "\x0a\x04\x00"
	)
	for _, seed := range []string{
		"",
		region + window + bind + write + read + add + invalid0 + gone + again + invalid1 + write + invalid0 + read + anew + read,
		region + share + read + write + invalid0 + again + window + gone,
		region + again + read + gone + allocated + window + anew + read,
	} {
		f.Add([]byte(seed))
	}
	every := make([]byte, 400)
	for i := range every {
		every[i] = byte(i * 37)
	}
	f.Add(every)
	f.Fuzz(func(t *testing.T, script []byte) {
		w := newMemoryWorld(t, script)
		for len(w.script) > 0 && w.steps < 200 {
			w.step()
			w.checkMemory()
		}
	})
}

// The arena is the memory that can be registered: pages of 16 octets, with octets around them that nothing may touch.
const (
	arenaPage  = 16
	arenaPages = 16
	arenaAt    = 0x1000
	arenaGuard = 64
)

// An memoryWorld is an RNIC with the arena, and a client that is connected to it.
type memoryWorld struct {
	t      *testing.T
	script []byte
	steps  int

	around []byte // the arena and its guards
	shadow []byte // what the arena must hold
	server *rnicsim.RNIC
	pds    [2]*rnicsim.PD // the connection's, and another
	cqs    [2]*rnicsim.CQ // of the server and the client
	qps    [2]*rnicsim.QP
	ends   [2]*rnicsim.Stream

	own      []byte // memory of the client
	ownSTag  rnicsim.STag
	modelled []*modelSTag
}

func newMemoryWorld(t *testing.T, script []byte) *memoryWorld {
	w := &memoryWorld{t: t, script: script, own: make([]byte, 256)}
	w.around = bytes.Repeat([]byte{0xaa}, arenaGuard+arenaPage*arenaPages+arenaGuard)
	w.shadow = bytes.Clone(w.arena())
	limits := rnicsim.DefaultLimits
	limits.PageSizes, limits.MRs, limits.MWs, limits.PBLEntries = arenaPage, 8, 8, 4
	memory := new(rnicsim.Memory)
	w.no(memory.Map(arenaAt, w.arena()))
	w.server = rnicsim.New(rnicsim.Config{Limits: limits, Memory: memory})
	client := rnicsim.New(rnicsim.Config{})
	w.pds[1] = must(w.server.AllocatePD())
	for i, r := range []*rnicsim.RNIC{w.server, client} {
		pd := must(r.AllocatePD())
		w.cqs[i] = must(r.CreateCQ(64, 0))
		w.qps[i] = must(r.CreateQP(rnicsim.QPConfig{
			PD: pd, SendCQ: w.cqs[i], RecvCQ: w.cqs[i], SQ: 4, RQ: 4, RemoteRead: true, RemoteWrite: true,
			BindWindows: true, Privileged: true, SendSGEs: 1, WriteSGEs: 1, RecvSGEs: 1, ORD: 1, IRD: 1,
		}))
		if i == 0 {
			w.pds[0] = pd
		} else {
			w.ownSTag = must(r.RegisterOctets(pd, w.own, 0, allRNICRights, 0))
		}
	}
	w.connect()
	return w
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func (w *memoryWorld) no(err error) {
	w.t.Helper()
	if err != nil {
		w.t.Fatal(err)
	}
}

func (w *memoryWorld) arena() []byte { return w.around[arenaGuard : len(w.around)-arenaGuard] }

// connect brings both QPs to RTS on new streams.
func (w *memoryWorld) connect() {
	w.t.Helper()
	for i := range w.ends {
		w.ends[i] = rnicsim.New(rnicsim.Config{}).NewStream(rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true})
		w.ends[i].SetEMSS(160)
	}
	w.no(w.ends[0].Listen())
	w.no(w.ends[1].Connect(nil))
	w.pump()
	w.no(w.ends[0].Accept(nil))
	w.pump()
	for i, q := range w.qps {
		w.no(q.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: w.ends[i]}))
	}
	if _, err := w.qps[0].PostRQ(rnicsim.WorkRequest{}); err != nil {
		w.t.Fatal(err)
	}
}

// pump moves octets until none move any more.
func (w *memoryWorld) pump() {
	var told [2]mpa.Ending
	for moved := true; moved; {
		moved = false
		for i, s := range w.ends {
			peer := w.ends[1-i]
			if b := s.AppendTransmit(nil, 1); len(b) > 0 {
				peer.Input(b)
				moved = true
			} else if e := s.Ending(); e != told[i] {
				told[i], moved = e, true
				if e == mpa.EndsFIN {
					peer.InputFIN()
				} else {
					peer.InputReset()
				}
			}
		}
	}
}

// execute posts a Work Request and returns how it ended. A connection that it has cost is made anew.
func (w *memoryWorld) execute(by int, wr rnicsim.WorkRequest) (c rnicsim.Completion) {
	w.t.Helper()
	wr.ID = uint64(w.steps)
	if _, err := w.qps[by].PostSQ(wr); err != nil {
		w.t.Fatalf("%v: %v", wr.Op, err)
	}
	w.pump()
	for i, cq := range w.cqs {
		var all [8]rnicsim.Completion
		n, _ := cq.Poll(all[:])
		for _, got := range all[:n] {
			if i == by && got.Op == wr.Op {
				c = got
			}
		}
	}
	if a := must(w.qps[0].Query()); a.State == rnicsim.RTS {
		if wr.Op == rnicsim.OpSendInvalidate {
			w.qps[0].PostRQ(rnicsim.WorkRequest{})
		}
		return c
	}
	if c.Status == rnicsim.Success {
		c.Status = rnicsim.Flushed // a Write or Send is done before it can fail
	}
	for _, q := range w.qps {
		switch a := must(q.Query()); a.State {
		case rnicsim.Error:
			w.no(q.Modify(rnicsim.Modification{State: rnicsim.Idle}))
		case rnicsim.Idle: // the other side was not yet allowed to send a Terminate
		default:
			w.t.Fatalf("a QP is in %v", a.State)
		}
	}
	w.connect()
	return c
}

// checkMemory compares the arena with what it must hold, and looks at its guards.
func (w *memoryWorld) checkMemory() {
	w.t.Helper()
	if !bytes.Equal(w.arena(), w.shadow) {
		w.t.Fatalf("the memory holds\n% x\nwant\n% x", w.arena(), w.shadow)
	}
	guards := append(bytes.Clone(w.around[:arenaGuard]), w.around[len(w.around)-arenaGuard:]...)
	if !bytes.Equal(guards, bytes.Repeat([]byte{0xaa}, 2*arenaGuard)) {
		w.t.Fatal("octets outside have changed")
	}
}

// write, read and add are what the peer does with n octets of an STag. ok is what the model says of it.
func (w *memoryWorld) write(s rnicsim.STag, to uint64, n int, at []int, ok bool) {
	for i := range n {
		w.own[i] = byte(w.steps + i)
	}
	c := w.execute(1, rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{{STag: w.ownSTag, Len: uint32(n)}}, Remote: s, RemoteTO: to})
	w.expect("Write", c, ok)
	for i := range n {
		if ok {
			w.shadow[at[i]] = w.own[i]
		}
	}
}

func (w *memoryWorld) read(s rnicsim.STag, to uint64, n int, at []int, ok bool) {
	local := rnicsim.SGE{STag: w.ownSTag, Len: uint32(n)}
	c := w.execute(1, rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: local, Remote: s, RemoteTO: to})
	w.expect("Read", c, ok)
	for i := range n {
		if ok && w.own[i] != w.shadow[at[i]] {
			w.t.Fatalf("octet %d of a Read is %x, want %x", i, w.own[i], w.shadow[at[i]])
		}
	}
}

func (w *memoryWorld) add(s rnicsim.STag, to uint64, at []int, ok bool) {
	ok = ok && at[0]%8 == 0
	c := w.execute(1, rnicsim.WorkRequest{Op: rnicsim.OpFetchAdd, Remote: s, RemoteTO: to, Data: uint64(w.steps)})
	w.expect("FetchAdd", c, ok)
	if ok {
		b := w.shadow[at[0] : at[0]+8]
		if old := binary.LittleEndian.Uint64(b); c.Data != old {
			w.t.Fatalf("a FetchAdd found %x, want %x", c.Data, old)
		}
		binary.LittleEndian.PutUint64(b, c.Data+uint64(w.steps))
	}
}

func (w *memoryWorld) expect(what string, c rnicsim.Completion, ok bool) {
	w.t.Helper()
	if (c.Status == rnicsim.Success) != ok {
		w.t.Fatalf("step %d: %s ends with %v, and should succeed: %v", w.steps, what, c.Status, ok)
	}
}
