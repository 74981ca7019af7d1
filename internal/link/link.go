// Package link wraps a net.Conn for programs that must never wait for a peer. It reads only when there are octets, so that a
// silent connection needs no buffer, and writes only what TCP accepts at once. This works for TCP sockets on Linux. On other
// systems, and with any other net.Conn, reads and writes wait.
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
	// Receive waits for octets and puts n of them at the start of the room. It returns io.EOF after a FIN.
	Receive(r Room) (n int, err error)
	// AwaitReset waits after a FIN until the peer resets the connection. It returns false if this end closes the Link, or
	// if the Link cannot tell.
	AwaitReset() bool
	// Send sends as many octets as it can without waiting; none if the Link cannot tell.
	Send(b []byte) (n int, err error)
	// SendSome waits until it can send octets, and sends as many as it can.
	SendSome(b []byte) (n int, err error)
	// Finish sends a FIN.
	Finish()
	// Reset closes the Link with a RST, Close as the system does. Both end all calls that wait.
	Reset()
	Close()
	// Until sets the time at which a waiting Receive ends.
	Until(t time.Time)
	// Unread reports whether octets wait for Receive; false if the Link cannot tell.
	Unread() bool
	// Urgent reports whether the next octet is the last of TCP's urgent data (RFC 6093); false if the Link cannot tell.
	Urgent() bool
	// SendUrgent waits until it can send one octet, and sends it as urgent data if the Link can.
	SendUrgent(octet byte) error
	// Shrink lets the peer send at most about so many octets ahead of Receive, if the Link can.
	Shrink(octets int)
	// Segment returns how many octets fit in a TCP segment; 0 if not known.
	Segment() int
}

// Room provides the memory for received octets.
type Room interface {
	// Take returns the memory; nil if there is none now.
	Take() []byte
	// Leave says that nothing was received: the memory may be used otherwise until the next Take.
	Leave()
	// Await waits until Take has memory, after one that had none.
	Await()
	// Keep returns memory for a Link that cannot leave it while it waits for octets.
	Keep() []byte
}

// New returns the best Link for a net.Conn.
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

// Finish closes both directions if the net.Conn cannot close one.
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

func (l *plain) Unread() bool { return false }

func (l *plain) Urgent() bool { return false }

func (l *plain) SendUrgent(octet byte) error {
	_, err := l.nc.Write([]byte{octet})
	return err
}

func (l *plain) Shrink(octets int) {
	if t, ok := l.nc.(*net.TCPConn); ok {
		t.SetReadBuffer(octets)
	}
}

func (l *plain) Segment() int { return 0 }

// A Departure is how a peer ended the connection.
type Departure uint8

// The departures.
const (
	ByFIN   Departure = iota
	ByReset           // or something that was sent was answered by one
	ByLoss            // anything else that ends a connection
)

// DepartureBy returns the Departure that an error of a Link means.
func DepartureBy(err error) Departure {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe), errors.Is(err, net.ErrClosed):
		return ByFIN
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return ByReset
	}
	return ByLoss
}
