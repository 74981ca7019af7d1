package fuzz

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// FuzzRNIC drives two RNICs that are connected with verbs, octets, losses and time as the input says: by one stream
// whose QPs have RQs of their own, or by three whose QPs have one S-RQ at either end. Whatever happens, memory that was
// not granted stays as it is, each Work Request is completed once, in its order, and what arrives is what was sent.
func FuzzRNIC(f *testing.F) {
	for _, seed := range []string{
		"\x00\x00\x05\x10\x01\x00\x20\x40\x10\x00\x00\x00\x02\x00\x10\x20\x10\x00\x00\x00\x03\x01\x10\x20\x10\x00\x00\x00",
		"\x07\x01\x00\x00\x04\x00\x01\x00\x10\x00\x00\x00\x0d\x00\x00\x00\x10\x00\x00\x00",
		"\x05\x00\x33\x21\x0c\x00\x02\x00\x10\x00\x00\x00\x11\x01\x22\x33\x10\x00\x00\x00\x12\x00\x00\x00\x10\x00\x00\x00",
		"\x09\x00\x10\x08\x02\x00\x10\x08\x0a\x00\x00\x00\x10\x00\x00\x00\x0e\x01\x41\x43\x10\x00\x00\x00",
		"\x06\x00\x03\x00\x06\x01\x03\x00\x10\x00\x00\x00\x0b\x00\x00\x00\x0c\x01\x03\x00\x13\x00\x00\x00",
		// A Send on one stream stops in its middle, one on another is received, and then the first stream is lost.
		"\x00\x01\x20\x28\x00\x01\x20\x28\x00\x01\x20\x28\x02\x00\x10\x28\x17\x00\x00\x00" +
			"\x02\x20\x20\x28\x17\x20\x00\x00\x17\x20\x00\x00\x0f\x00\x00\x00",
		// The limit of the S-RQ is reached, armed and reached again; then the S-RQ is resized and fails.
		"\x00\x01\x20\x28\x00\x01\x20\x28\x02\x00\x10\x28\x10\x00\x00\x00\x14\x01\x01\x01\x02\x20\x10\x28\x10\x00\x00\x00",
		"\x00\x01\x20\x28\x15\x01\x02\x00\x00\x01\x20\x28\x00\x01\x20\x28\x15\x01\x01\x00\x02\x20\x10\x28\x16\x01\x00\x00\x10\x00\x00\x00",
	} {
		for _, options := range []uint8{0, 0x7f, 0x88, 0x83} {
			f.Add(options, []byte(seed))
		}
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
	steps   int
	tainted bool // somebody has put messages between: memory that was granted may hold anything
}

// What the options choose.
const (
	optionMarkers  = 1 << iota
	optionEnhanced // MPA of revision 2
	optionORD      // more requests are sent than are taken in
	optionSmall    // small TCP segments, one at a time
	optionShared   = 1 << 7
	profileShift   = 4 // three bits
)

func newRNICPair(t *testing.T, options uint8) *rnicPair {
	w := &rnicPair{t: t}
	for i := range w.ends {
		w.ends[i] = newRNICEnd(t, byte(i+1), options)
	}
	a, b := w.ends[0], w.ends[1]
	for i := range a.links {
		b.links[i].stream.Listen()
		a.links[i].stream.Connect([]byte("private data"))
	}
	w.pump(0, 1<<10)
	for i := range b.links {
		b.links[i].stream.Accept(nil)
	}
	w.pump(0, 1<<10)
	for _, e := range w.ends {
		for _, l := range e.links {
			l.qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: l.stream})
		}
	}
	return w
}

// step does what four octets say: what, who on which stream and how, and two numbers.
func (w *rnicPair) step(s []byte) {
	who := int(s[1] & 1)
	e, peer := w.ends[who], w.ends[1-who]
	stream := int(s[1]>>5) % len(e.links)
	l := e.links[stream]
	switch what := s[0] % 24; what {
	case 0, 1:
		e.receive(l, uint32(s[2]), uint32(s[3])*4)
	case 11: // an operation as the number says, without octets
		l.post(rnicsim.WorkRequest{Op: rnicsim.Op(s[2]), Unsignaled: s[1]&2 != 0, SGL: make([]rnicsim.SGE, s[3]%6)})
	case 12:
		l.modify(rnicsim.State(s[2] % 6))
	case 13:
		w.advance(time.Duration(s[2]) * 100 * time.Millisecond)
	case 14:
		w.inject(l, peer, s)
	case 15:
		l.lose(peer.links[stream], s[2])
	case 16, 17, 18, 19:
		w.pump(stream, int(what-15)*20)
	case 20: // limits
		e.limit(l, int(s[2]), s[3])
	case 21: // the size of the S-RQ
		e.resize(int(s[2]) % (rnicDepth + 2))
	case 22:
		e.failShared()
	case 23:
		w.pump(stream, 1+int(s[2])%8)
	default:
		l.post(workRequest(e, peer, stream, s))
	}
}

// workRequest is what four octets say that is to be posted to the SQ.
func workRequest(e, peer *rnicEnd, stream int, s []byte) rnicsim.WorkRequest {
	at, n := uint64(s[2])*13%3000, uint32(s[3])*4
	sge := rnicsim.SGE{STag: e.regions[areaSource], TO: areaBase + at, Len: n}
	wr := rnicsim.WorkRequest{Unsignaled: s[1]&2 != 0, ReadFence: s[1]&4 != 0, LocalFence: s[1]&8 != 0, SGL: []rnicsim.SGE{sge}}
	switch s[0] % 24 {
	case 2:
		wr.Op = rnicsim.OpSend + rnicsim.Op(s[1]>>4&1)
	case 3:
		wr.Op, wr.Remote, wr.RemoteTO = rnicsim.OpWrite, peer.regions[areaSink], sge.TO
	case 4:
		wr.Op = rnicsim.OpRead
		wr.Local = rnicsim.SGE{STag: e.regions[areaRead], TO: sge.TO, Len: n}
		wr.Remote, wr.RemoteTO = peer.regions[areaSource], sge.TO
	case 5: // each stream has a word of its own
		wr.Op, wr.Data, wr.Remote, wr.RemoteTO = rnicsim.OpFetchAdd, 1, peer.regions[areaWord], areaBase+8*uint64(stream)
	case 6:
		wr.Op, wr.Data = rnicsim.OpImmediate, uint64(s[2])
	case 7: // something that cannot be right
		wr.Op, wr.Remote, wr.RemoteTO = rnicsim.OpWrite, peer.regions[s[2]%rnicAreas]+rnicsim.STag(s[3]&1), areaBase+areaLen-1
		wr.SGL[0].Len = 2
	case 8:
		wr.Op, wr.STag = rnicsim.OpSendInvalidate, peer.regions[areaGone]
	case 9:
		wr.Op, wr.STag = rnicsim.OpInvalidate, []rnicsim.STag{e.regions[areaGone], e.window}[s[2]&1]
	case 10:
		wr.Op = rnicsim.OpBind
		wr.Bind = &rnicsim.Bind{Window: e.window, Region: e.regions[areaGone], VA: areaBase + at, Length: uint64(n),
			Rights: rnicsim.RemoteRead, ZeroBased: s[1]&16 != 0}
	}
	return wr
}

// advance lets time pass.
func (w *rnicPair) advance(by time.Duration) {
	w.now += by
	for _, e := range w.ends {
		for _, l := range e.links {
			l.stream.Advance(w.now)
		}
	}
}

// inject lets a ULPDU come from an end that its RNIC has not sent, or octets that are damaged.
func (w *rnicPair) inject(l *rnicLink, peer *rnicEnd, s []byte) {
	if s[1]&2 != 0 && len(l.wire) > 0 {
		l.wire[int(s[2])%len(l.wire)] ^= s[3]
		w.tainted, l.tainted = true, true
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
		l.wire = append(l.wire, b...)
		w.tainted, l.tainted = true, true
	}
}

// pump moves octets, at most so many pieces: by turns of both ends, and of one stream after the other.
func (w *rnicPair) pump(first, pieces int) {
	links := len(w.ends[0].links)
	for i, quiet := 0, 0; i < pieces && quiet < 2*links; i++ {
		e, peer := w.ends[i&1], w.ends[1-i&1]
		at := (first + i/2) % links
		if e.links[at].move(peer.links[at]) {
			quiet = 0
		} else {
			quiet++
		}
	}
}

// finish ends all that there is, and checks that nothing is outstanding then.
func (w *rnicPair) finish() {
	for range 4 {
		w.pump(0, 1<<12)
		w.check()
		w.advance(time.Minute)
	}
	for _, e := range w.ends {
		for _, l := range e.links {
			if a, _ := l.qp.Query(); a.State == rnicsim.RTS || a.State == rnicsim.Idle {
				if err := l.qp.Modify(rnicsim.Modification{State: rnicsim.Error}); err != nil {
					w.t.Fatal(err)
				}
			}
		}
	}
	w.check()
	for _, e := range w.ends {
		w.ended(e)
		w.memory()
		if err := e.rnic.Close(); err != nil {
			w.t.Fatal(err)
		}
	}
}
