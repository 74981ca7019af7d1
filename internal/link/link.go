// Package link is a net.Conn as those use it who must never wait for a peer: octets are read only when there are some, so
// that a connection which is silent needs no buffer, and writes take what TCP takes at once. TCP sockets are driven so
// where the system allows it, which is Linux; on all others, and with any other net.Conn, reads and writes wait.
package link

import (
	"errors"
	"io"
	"net"
	"syscall"
	"time"
)

// A Link carries octets both ways. One goroutine may receive at a time, and one may send.
type Link interface {
	// Receive waits for octets and puts them where there is room, n of them at its begin. It returns io.EOF behind a FIN.
	Receive(r Room) (n int, err error)
	// AwaitReset waits behind a FIN until the peer resets the connection. It is false when the Link is closed at this end,
	// or cannot tell.
	AwaitReset() bool
	// Send sends as many octets as go without waiting; none if the Link cannot tell.
	Send(b []byte) (n int, err error)
	// SendSome waits until it can send octets, and sends as many as go.
	SendSome(b []byte) (n int, err error)
	// Finish sends a FIN.
	Finish()
	// Reset closes the Link with a RST, and Close as the system does; both end what waits.
	Reset()
	Close()
	// Until ends a Receive that waits, at that time.
	Until(t time.Time)
	// Segment is how many octets fit a TCP segment; 0 if that is not known.
	Segment() int
}

// Room is where octets are received to.
type Room interface {
	// Take is the place; nil if there is none now.
	Take() []byte
	// Leave says that there is nothing to be received yet: the place may be used otherwise until the next Take.
	Leave()
	// Await waits until Take has a place, behind one that had none.
	Await()
	// Keep is a place for who cannot leave it as long as it waits for octets.
	Keep() []byte
}

// New makes the Link that fits a net.Conn.
func New(nc net.Conn) Link {
	if t, ok := nc.(*net.TCPConn); ok {
		t.SetNoDelay(true)
		if l := newTCP(t); l != nil {
			return l
		}
	}
	return &plain{nc: nc}
}

// plain is any net.Conn.
type plain struct {
	nc net.Conn
}

func (l *plain) Receive(r Room) (n int, err error) {
	n, err = l.nc.Read(r.Keep())
	if n > 0 {
		err = nil
	}
	return n, err
}

func (l *plain) AwaitReset() bool { return false }

func (l *plain) Send([]byte) (int, error) { return 0, nil }

func (l *plain) SendSome(b []byte) (int, error) { return l.nc.Write(b) }

// Finish closes all of a net.Conn that cannot close one side of itself.
func (l *plain) Finish() {
	if half, ok := l.nc.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
		return
	}
	l.nc.Close()
}

func (l *plain) Reset() {
	if t, ok := l.nc.(*net.TCPConn); ok {
		t.SetLinger(0)
	}
	l.nc.Close()
}

func (l *plain) Close() { l.nc.Close() }

func (l *plain) Until(t time.Time) { l.nc.SetReadDeadline(t) }

func (l *plain) Segment() int { return 0 }

// A Departure is how a peer has gone.
type Departure uint8

// The departures.
const (
	ByFIN   Departure = iota
	ByReset           // or what was sent has met one
	ByLoss            // whatever else ends a connection
)

// DepartureBy tells what an error of a Link means.
func DepartureBy(err error) Departure {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe), errors.Is(err, net.ErrClosed):
		return ByFIN
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return ByReset
	}
	return ByLoss
}
