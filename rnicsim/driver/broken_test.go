package driver

// Faults of the system at every call: each n-th read and write fails, or never ends, and each n-th connection gets no descriptor.

import (
	"fmt"
	"net"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/iwarpkit/iwarp/internal/crowd"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// A broken net.Conn fails at its n-th use and from then on, or is silent until it is closed; with n 0 it counts.
type broken struct {
	net.Conn
	n      int
	uses   atomic.Int64
	silent bool
}

// fault returns the error of a use that fails.
func (b *broken) fault() error {
	if uses := int(b.uses.Add(1)); b.n == 0 || uses < b.n {
		return nil
	}
	if b.silent {
		for _, err := b.Conn.Read(make([]byte, 1<<10)); err == nil; _, err = b.Conn.Read(make([]byte, 1<<10)) {
		}
	}
	return syscall.ECONNRESET
}

func (b *broken) Read(p []byte) (int, error) {
	n, err := b.Conn.Read(p)
	if fault := b.fault(); fault != nil {
		return 0, fault
	}
	return n, err
}

func (b *broken) Write(p []byte) (int, error) {
	if err := b.fault(); err != nil {
		return 0, err
	}
	return b.Conn.Write(p)
}

// A fullTable is a net.Listener whose n-th Accept finds no descriptor.
type fullTable struct {
	*switchboard
	n int
}

func (f *fullTable) Accept() (net.Conn, error) {
	if f.n--; f.n == 0 {
		return nil, syscall.EMFILE
	}
	return f.switchboard.Accept()
}

// TestBrokenConnections breaks one end of a connection that writes, reads and closes. Both ends end, by their time limits if they must, and
// the next peer is served.
func TestBrokenConnections(t *testing.T) {
	for _, end := range []string{"initiator", "responder"} {
		for _, silent := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, silent %v", end, silent), func(t *testing.T) {
				uses := 0
				synctest.Test(t, func(t *testing.T) { uses = breakAt(t, end, silent, 0) })
				if uses < 5 {
					t.Fatal(uses, "uses")
				}
				for n := 1; n <= uses; n++ {
					synctest.Test(t, func(t *testing.T) { breakAt(t, end, silent, n) })
				}
			})
		}
	}
}

// breakAt breaks one end at its n-th use, and returns how many there were.
func breakAt(t *testing.T, end string, silent bool, n int) int {
	calls := &switchboard{calls: make(chan net.Conn), over: make(chan struct{})}
	l, err := open(t, Config{Idle: time.Minute}).listen(t.Context(), calls, ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	acceptAll(l)
	here, there := net.Pipe()
	b := &broken{n: n, silent: silent}
	if end == "initiator" {
		b.Conn, here = here, b
	} else {
		b.Conn, there = there, b
	}
	calls.calls <- there
	d := open(t, Config{Idle: time.Minute})
	if c, err := d.Initiate(testContext(t), here, ConnConfig{}); err == nil {
		reply := c.Reply()
		stag, to := advertised(reply.ULPPrivateData())
		octets := region(t, c, make([]byte, 1<<12))
		c.Post( // which fails if the connection has
			rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{octets}, Remote: stag, RemoteTO: to},
			rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: octets, Remote: stag, RemoteTO: to},
		)
		c.Close()
		over(t, c)
	}
	for end := time.Now().Add(patient); ; time.Sleep(time.Second) {
		if now := l.d.tally(); now == ([crowd.Activities]int{}) {
			break
		} else if time.Now().After(end) {
			t.Fatalf("%s, use %d: the server still has %v", end, n, now)
		}
	}
	serves(t, l)
	return int(b.uses.Load())
}

// TestNoDescriptor makes some Accepts fail: every peer is still served.
func TestNoDescriptor(t *testing.T) {
	for n := 1; n <= 3; n++ {
		synctest.Test(t, func(t *testing.T) {
			calls := &fullTable{&switchboard{calls: make(chan net.Conn), over: make(chan struct{})}, n}
			l, err := open(t, Config{}).listen(t.Context(), calls, ListenConfig{})
			if err != nil {
				t.Fatal(err)
			}
			acceptAll(l)
			for range 3 {
				here, there := net.Pipe()
				calls.calls <- there
				c, err := open(t, Config{}).Initiate(testContext(t), here, ConnConfig{})
				if err != nil {
					t.Fatal(n, err)
				}
				reads(t, c)
			}
		})
	}
}
