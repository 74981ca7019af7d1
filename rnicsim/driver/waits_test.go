package driver

// Peers that make others wait are reset.

import (
	"errors"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A Request that nobody accepts does not wait forever.
func TestNobodyAccepts(t *testing.T) {
	const peers = 3
	d := open(t, Config{})
	l := listen(t, d, ListenConfig{Stream: rnicsim.StreamConfig{Rev: mpa.Rev1, Timeout: patient}, Backlog: 1})
	crowd := knock(t, l, peers)
	for _, c := range crowd {
		c.Write(session())
	}
	for waiting := false; !waiting; time.Sleep(time.Millisecond) { // one, when there is no room for the others
		d.mu.Lock()
		for c := range d.conns {
			waiting = d.serial == peers && len(d.conns) == 1 && c.answerBy > 0
		}
		d.mu.Unlock()
	}
	shorten(d, func(w *waits) { w.answerBy = 1 })
	for _, c := range crowd {
		c.SetReadDeadline(time.Now().Add(patient))
		if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNRESET) {
			t.Error(err)
		}
	}
	gone(t, d)
}

// A peer that leaves an FPDU unfinished is reset in the end; one that only sends nothing is not, unless that is
// limited too.
func TestStall(t *testing.T) {
	const stall = 100 * time.Millisecond
	d, l := server(t, Config{Stall: stall}, rnicsim.StreamConfig{})
	unfinished, quiet := knock(t, l, 1)[0], knock(t, l, 1)[0]
	for _, c := range []net.Conn{unfinished, quiet} {
		c.Write(session())
	}
	begin := time.Now()
	unfinished.SetReadDeadline(begin.Add(patient))
	time.Sleep(stall / 2)
	unfinished.Write(writes(1)[:9])
	for err := error(nil); err == nil; {
		_, err = unfinished.Read(make([]byte, 100))
	}
	if took := time.Since(begin); took < stall {
		t.Error(took)
	}
	left := func() int {
		d.mu.Lock()
		defer d.mu.Unlock()
		return len(d.conns)
	}
	for end := time.Now().Add(patient); left() > 1 && time.Now().Before(end); time.Sleep(time.Millisecond) {
	}
	time.Sleep(2 * stall)
	if n := left(); n != 1 {
		t.Error(n)
	}
}

// A peer that sends or takes in octet by octet what is due is reset, though something always moves; with Markers too.
func TestStallOfTrickle(t *testing.T) {
	for _, markers := range []bool{false, true} {
		d, l := server(t, Config{Stall: 200 * time.Millisecond}, rnicsim.StreamConfig{Rev: mpa.Rev1, CRC: true, Markers: markers})
		c := knock(t, l, 1)[0]
		establish(t, []net.Conn{c})
		fpdu := append([]byte{0x10, 0}, make([]byte, 4000)...)
		if markers {
			fpdu = append(make([]byte, mpa.MarkerLen), fpdu...)
		}
		var err error
		for i := 0; i < len(fpdu) && err == nil; i++ {
			_, err = c.Write(fpdu[i : i+1])
			time.Sleep(5 * time.Millisecond)
		}
		if err == nil {
			t.Errorf("Markers %v: the whole FPDU was taken", markers)
		}
		gone(t, d)
	}
}

// A peer that does not read what it has requested is reset too.
func TestStallOfReader(t *testing.T) {
	d, l := server(t, Config{Stall: -1}, rnicsim.StreamConfig{})
	deaf(t, l, 1)
	serves(t, l)
	shorten(d, func(w *waits) { w.stall = 100 * time.Millisecond })
	gone(t, d)
}

// deaf opens connections that request much and read nothing until they are closed.
func deaf(t testing.TB, l *Listener, n int) (all []*Conn) {
	t.Helper()
	d := open(t, Config{Tap: func(x Traffic) {
		if !x.Sent && len(x.Octets) > 1000 {
			<-x.Conn.Done()
		}
	}})
	for range n {
		c, err := d.Dial(testContext(t), "tcp", l.Addr().String(), ConnConfig{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Abort() })
		reply := c.Reply()
		stag, to := advertised(reply.ULPPrivateData())
		into := region(t, c, make([]byte, memoryLen))
		for range 128 {
			c.Post(rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: into, Remote: stag, RemoteTO: to})
		}
		all = append(all, c)
	}
	return all
}

// A connection that receives nothing is reset if Idle says so.
func TestIdle(t *testing.T) {
	s := setup{}
	s.device[1].Idle = patient
	a, b := s.connect(t)
	idleAt := func() time.Duration {
		defer b.d.lock()()
		return b.idleAt()
	}
	before := idleAt()
	exercise(t, a, b, 100)
	if idleAt() <= before {
		t.Error("what comes in does not count")
	}
	before = idleAt()
	b.Post(rnicsim.WorkRequest{Op: rnicsim.OpWrite}) // which nothing answers
	wait(t, b, 1)
	if idleAt() <= before {
		t.Error("what goes out does not count")
	}
	shorten(b.d, func(w *waits) { w.idle = 50 * time.Millisecond })
	if err := over(t, b); !errors.Is(err, ErrIdle) {
		t.Error(err)
	}
	if err := over(t, a); !errors.Is(err, rnicsim.ErrReset) {
		t.Error(err)
	}
}

// The octets that peers leave unread are limited: the peer that has stalled longest is reset, and good peers never.
func TestMaxHeld(t *testing.T) {
	const limit = 4 * bufferLen
	d, l := server(t, Config{MaxHeld: limit, Stall: -1}, rnicsim.StreamConfig{})
	readers := deaf(t, l, 10)
	serves(t, l)
	for end := time.Now().Add(patient); ; time.Sleep(time.Millisecond) {
		d.mu.Lock()
		held, conns := d.held.octets, len(d.conns)
		d.mu.Unlock()
		if held <= limit && held > limit/2 && conns <= 4 {
			break
		}
		if time.Now().After(end) {
			t.Fatalf("%d octets held for %d connections", held, conns)
		}
	}
	serves(t, l)
	for _, c := range readers {
		c.Abort()
	}
	gone(t, d)
}
