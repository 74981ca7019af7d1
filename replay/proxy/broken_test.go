package proxy

// Faults of the system at every use of a connection of the Proxy.

import (
	"fmt"
	"io"
	"net"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/internal/link"
)

// A broken link fails at its n-th use and from then on, or is silent until it is reset.
type broken struct {
	link.Link
	n      int64
	silent bool
	uses   atomic.Int64
	once   sync.Once
	over   chan struct{}
}

// fault returns the error of a use that fails.
func (b *broken) fault() error {
	if b.uses.Add(1) < b.n {
		return nil
	}
	if b.silent {
		<-b.over
	}
	return syscall.ECONNRESET
}

func (b *broken) Receive(r link.Room) (int, error) {
	if err := b.fault(); err != nil {
		return 0, err
	}
	return b.Link.Receive(r)
}

func (b *broken) Send(octets []byte) (int, error) {
	if err := b.fault(); err != nil {
		return 0, err
	}
	return b.Link.Send(octets)
}

func (b *broken) SendSome(octets []byte) (int, error) {
	if err := b.fault(); err != nil {
		return 0, err
	}
	return b.Link.SendSome(octets)
}

func (b *broken) Reset() {
	b.once.Do(func() { close(b.over) })
	b.Link.Reset()
}

// TestBrokenLinks breaks the link to one side at its first uses, one after the other: the connection ends, by the idle limit if it must, and the
// next one is served.
func TestBrokenLinks(t *testing.T) {
	for _, side := range []Side{Client, Server} {
		for _, silent := range []bool{false, true} {
			for n := range int64(8) {
				t.Run(fmt.Sprintf("%v, silent %v, use %d", side, silent, n+1), func(t *testing.T) {
					t.Parallel()
					breakAt(t, side, &broken{n: n + 1, silent: silent, over: make(chan struct{})})
				})
			}
		}
	}
}

func breakAt(t *testing.T, side Side, b *broken) {
	var first sync.Once
	ended := make(chan Ending, 1)
	c := Config{Ended: func(_ *Conn, e *Ending) { ended <- *e }, Opened: func(c *Conn) {
		first.Do(func() {
			c.mu.Lock()
			defer c.mu.Unlock()
			if c.over.Load() { // it was idle for too long, on a slow machine
				return
			}
			b.Link = c.ends[side].link
			c.ends[side].link, c.ends[side].relay.from, c.ends[1-side].relay.to = b, b, b
		})
	}}
	if b.silent {
		c.Idle = 100 * time.Millisecond
	}
	address := serve(t, loopback, echo(t), c)
	if err, e := roundTrip(address), <-ended; (err != nil) != (e != Ending{}) {
		t.Errorf("the client has %v, the proxy %+v", err, e)
	}
	for roundTrip(address) != nil { // which may be idle for too long on a slow machine
		<-ended
	}
}

// echo serves connections until the end of the test, and returns its address.
func echo(t *testing.T) string {
	l, err := net.Listen("tcp", loopback)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	go func() {
		for nc, err := l.Accept(); err == nil; nc, err = l.Accept() {
			go func() {
				io.Copy(nc, nc)
				nc.Close()
			}()
		}
	}()
	return l.Addr().String()
}

// roundTrip sends octets to an address, and wants as many back.
func roundTrip(address string) error {
	const octets = 1 << 20
	nc, err := net.Dial("tcp", address)
	if err != nil {
		return err
	}
	defer nc.Close()
	nc.SetDeadline(time.Now().Add(patience))
	go func() {
		nc.Write(make([]byte, octets))
		nc.(*net.TCPConn).CloseWrite()
	}()
	n, err := io.Copy(io.Discard, nc)
	if err == nil && n != octets {
		err = io.ErrUnexpectedEOF
	}
	return err
}
