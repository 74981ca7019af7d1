package player_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// begun returns a Scenario that begins with MPA and continues with some steps.
func begun(t testing.TB, steps string) *scenario.Conn {
	t.Helper()
	return parsed(t, `scenario "test"
connection c0
  1 client MPARequest C Rev=1
  2 server after 1 MPAReply C Rev=1
`+steps).Conns[0]
}

// replied returns a Player of the client that has received its Reply, and a Framer of FPDUs for it.
func replied(t testing.TB, c *scenario.Conn, o player.Options) (*player.Player, *mpa.Framer) {
	t.Helper()
	p := player.New(c, scenario.Client, o)
	if b := p.AppendTransmit(nil, 1000); len(b) != mpa.FrameLen {
		t.Fatalf("the MPA Request has %d octets", len(b))
	}
	reply, err := (&mpa.Frame{Reply: true, C: true, Rev: 1}).AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	p.Input(reply)
	return p, &mpa.Framer{Options: mpa.Options{CRC: true}}
}

// fpdu appends the FPDU of a tagged or untagged segment.
func fpdu(t testing.TB, b []byte, f *mpa.Framer, h rdmap.Header, payload []byte) []byte {
	t.Helper()
	if h.Control.RV = 1; h.T {
		h.Tagged.DV = ddp.Version
	} else {
		h.Untagged.DV = ddp.Version
	}
	ulpdu, err := h.AppendBinary(nil)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = f.Append(b, ulpdu, payload); err != nil {
		t.Fatal(err)
	}
	return b
}

// send returns the header of a segment of a Send.
func send(msn, mo uint32, last bool) (h rdmap.Header) {
	h.Control.Opcode = rdmap.OpSend
	h.Untagged.L, h.Untagged.MSN, h.Untagged.MO = last, msn, mo
	return h
}

// TestMemory gives a Player a message that does not end. It keeps no more than it expects.
func TestMemory(t *testing.T) {
	c := begun(t, `  3 server after 1 Send 00*100`)
	p, f := replied(t, c, player.Options{})
	payload := make([]byte, 32<<10)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var b []byte
	for i := range 2000 {
		b = fpdu(t, b[:0], f, send(1, uint32(i*len(payload)), false), payload)
		p.Input(b)
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if grown := int64(after.HeapAlloc) - int64(before.HeapAlloc); grown > 1<<20 {
		t.Errorf("%d octets are held", grown)
	}
	p.Input(fpdu(t, nil, f, send(1, uint32(2000*len(payload)), true), nil))
	s := p.Outcome().Steps[2]
	if want := fmt.Sprintf("the payload has %d octets, expected 100", 2000*len(payload)); s.Verdict != outcome.Mismatched || s.Reason != want {
		t.Errorf("%v: %s", s.Verdict, s.Reason)
	}
	if !p.Done() {
		t.Error("it is not done")
	}
}

// TestUnexpected gives a Player messages that no step expects. It gives up after some.
func TestUnexpected(t *testing.T) {
	c := begun(t, `  3 server after 1 ReadRequest`)
	p, f := replied(t, c, player.Options{})
	for i := range uint32(1000) {
		p.Input(fpdu(t, nil, f, send(i+1, 0, i%2 == 0), []byte("surprise")))
	}
	o := p.Outcome()
	if n := len(o.Steps) - len(c.Steps); n != player.MaxUnexpected || !p.Done() || p.Ending() != mpa.EndsReset {
		t.Errorf("%d entries, done %t, ending %v", n, p.Done(), p.Ending())
	}
	if s := o.Summary(); s.Mismatched != player.MaxUnexpected || s.NotReached != 1 || s.Passed() {
		t.Errorf("%+v", s)
	}
}

// TestInterleaving mixes the segments of two Writes, a Send and two Read Responses. All are assembled.
func TestInterleaving(t *testing.T) {
	c := begun(t, `  3 client after 2 ReadRequest SinkSTag=0x10 SinkTO=0 RDMARDSZ=40 SrcSTag=0x99
  4 client ReadRequest SinkSTag=0x11 SinkTO=0 RDMARDSZ=40 SrcSTag=0x99
  5 server after 4 ReadResponse to 3 "a"*40
  6 server ReadResponse to 4 "b"*40
  7 server Write STag=0x20 TO=0x100 "c"*40
  8 server Write STag=0x20 TO=0x200 "d"*40
  9 server Send "e"*40
`)
	p, f := replied(t, c, player.Options{})
	for len(p.AppendTransmit(nil, 1000)) > 0 {
		continue
	}
	var b []byte
	for at := 0; at < 40; at += 10 {
		last := at == 30
		tagged := func(o rdmap.Opcode, stag uint32, to int, letter string) {
			h := rdmap.Header{T: true, Control: rdmap.Control{Opcode: o}}
			h.Tagged.L, h.Tagged.STag, h.Tagged.TO = last, stag, uint64(to+at)
			b = fpdu(t, b, f, h, []byte(strings.Repeat(letter, 10)))
		}
		tagged(rdmap.OpReadResponse, 0x10, 0, "a")
		tagged(rdmap.OpReadResponse, 0x11, 0, "b")
		tagged(rdmap.OpWrite, 0x20, 0x100, "c")
		tagged(rdmap.OpWrite, 0x20, 0x200, "d")
		b = fpdu(t, b, f, send(1, uint32(at), last), []byte(strings.Repeat("e", 10)))
	}
	p.Input(b)
	if s := p.Outcome().Summary(); s.Exact != 6 || !p.Done() {
		t.Errorf("%+v", s)
	}
}

// TestAllocations checks that an FPDU in the middle of a message allocates nothing, in either direction.
func TestAllocations(t *testing.T) {
	const octets = 64 << 20
	c := begun(t, fmt.Sprintf("  3 client after 2 Write STag=1 TO=0 00*%d\n  4 server after 1 Send ?*%d\n", octets, octets))
	p, f := replied(t, c, player.Options{})
	payload, mo := make([]byte, 1400), 0
	var in, out []byte
	allocations := testing.AllocsPerRun(2000, func() {
		in = in[:0]
		h := send(1, uint32(mo), false)
		h.Control.RV, h.Untagged.DV = 1, ddp.Version
		in, _ = h.AppendBinary(in)
		in = append(in, payload...)
		mo += len(payload)
		framed, err := f.Append(out[:0], in)
		if err != nil {
			t.Fatal(err)
		}
		out = framed
		p.Input(out)
		if out = p.AppendTransmit(out[:0], 1460); len(out) == 0 {
			t.Fatal("nothing is sent")
		}
	})
	if allocations > 0.5 {
		t.Errorf("%v allocations for an FPDU in each direction", allocations)
	}
}

// TestPace checks that steps are sent at their recorded times, on the clock of the caller.
func TestPace(t *testing.T) {
	const begin = 50 * time.Second
	c := parsed(t, `scenario "pace"
connection c0
  1 client @0.5 Octets "one"
  2 client @2.0 Octets "two"
`).Conns[0]
	p := player.New(c, scenario.Client, player.Options{Speed: 0.5, Begin: begin})
	for _, want := range []struct {
		at     time.Duration
		octets string
	}{{begin + time.Second, "one"}, {begin + 4*time.Second, "two"}} {
		if b := p.AppendTransmit(nil, 100); len(b) > 0 {
			t.Fatalf("%q is sent too early", b)
		}
		at, ok := p.NextDeadline()
		if !ok || at != want.at {
			t.Fatalf("the deadline is %v, want %v", at, want.at)
		}
		p.Advance(at - 1)
		if b := p.AppendTransmit(nil, 100); len(b) > 0 {
			t.Fatalf("%q is sent too early", b)
		}
		p.Advance(at)
		if b := p.AppendTransmit(nil, 100); string(b) != want.octets {
			t.Fatalf("%q is sent", b)
		}
	}
	if !p.Done() {
		t.Error("it is not done")
	}
}

// TestTimeout checks that a Player gives up when nothing comes, later if the recorded side was slow, and that a few octets
// now and then do not delay that.
func TestTimeout(t *testing.T) {
	c := begun(t, "  3 server @30.0 after 1 Send 00*1000\n")
	p, f := replied(t, c, player.Options{StepTimeout: time.Second})
	b := fpdu(t, nil, f, send(1, 0, true), make([]byte, 1000))
	now := time.Duration(0)
	for i := 0; !p.Done(); i++ {
		if now > time.Minute {
			t.Fatal("it still waits")
		}
		if i < len(b)/2 {
			p.Input(b[i : i+1])
		}
		now += 100 * time.Millisecond
		p.Advance(now)
	}
	if now != 31*time.Second {
		t.Errorf("it gave up at %v", now)
	}
	if p.Ending() != mpa.EndsReset {
		t.Error("it does not reset the connection")
	}
	if s := p.Outcome().Steps[2]; s.Verdict != outcome.Mismatched {
		t.Errorf("%v: %s", s.Verdict, s.Reason)
	}
}

// TestSplits checks that octets are sent up to where TCP segments are to end.
func TestSplits(t *testing.T) {
	c := begun(t, `  3 client after 2 FPDU split=2,20 Send "ping"
  4 client Send 00*5000
  5 client Octets split=1,3 "octets"
`)
	p, _ := replied(t, c, player.Options{EMSS: 1000})
	var lengths []int
	for b := p.AppendTransmit(nil, 2100); len(b) > 0; b = p.AppendTransmit(nil, 2100) {
		lengths = append(lengths, len(b))
	}
	var all bytes.Buffer
	fmt.Fprint(&all, lengths)
	if all.String() != "[2 18 8 2000 2000 1144 1 2 3]" {
		t.Error(lengths)
	}
}

// TestLate checks that nothing changes anything after the end.
func TestLate(t *testing.T) {
	p, f := replied(t, begun(t, "  3 server after 1 Send 41\n"), player.Options{})
	p.Input(fpdu(t, nil, f, send(1, 0, true), []byte("A")))
	want := p.Outcome().Summary()
	p.InputFIN()
	p.Input(fpdu(t, nil, f, send(2, 0, true), []byte("B")))
	p.InputReset()
	p.Advance(time.Hour)
	if got := p.Outcome().Summary(); got != want || got.Exact != 2 {
		t.Errorf("%+v", got)
	}
	if _, ok := p.NextDeadline(); ok || !p.Done() {
		t.Error("it waits for something")
	}
}
