package driver

// A link is a net.Conn as a connection uses it: TCP sockets without waiting where the system allows that, and all others
// as they are.

import (
	"errors"
	"io"
	"net"
	"syscall"
	"time"
)

// A link carries octets both ways. One goroutine reads at a time, and one writes.
type link interface {
	// receive waits for octets and appends them to the buffer, which it may fetch once there are some. It returns io.EOF
	// behind a FIN.
	receive(b *inbox) (n int, err error)
	// send sends as many octets as go without waiting; none if the link cannot tell.
	send(b []byte) (n int, err error)
	// sendSome waits until it can send octets, and sends as many as go.
	sendSome(b []byte) (n int, err error)
	// finish sends a FIN.
	finish()
	// reset closes the link with a RST, and close as the system does; both end what waits.
	reset()
	close()
	// until ends a receive that waits, at that time.
	until(t time.Time)
	// segment is how many octets fit a TCP segment; 0 if that is not known.
	segment() int
}

// newLink makes the link that fits a net.Conn.
func newLink(nc net.Conn) link {
	if t, ok := nc.(*net.TCPConn); ok {
		t.SetNoDelay(true)
		if l := newTCPLink(t); l != nil {
			return l
		}
	}
	return &plainLink{nc: nc}
}

// A plainLink is any net.Conn.
type plainLink struct {
	nc net.Conn
}

func (l *plainLink) receive(b *inbox) (n int, err error) {
	n, err = l.nc.Read(b.always())
	if n > 0 {
		err = nil
	}
	return n, err
}

func (l *plainLink) send([]byte) (int, error) { return 0, nil }

func (l *plainLink) sendSome(b []byte) (int, error) { return l.nc.Write(b) }

// finish closes all of a net.Conn that cannot close one side of itself.
func (l *plainLink) finish() {
	if half, ok := l.nc.(interface{ CloseWrite() error }); ok {
		half.CloseWrite()
		return
	}
	l.nc.Close()
}

func (l *plainLink) reset() {
	if t, ok := l.nc.(*net.TCPConn); ok {
		t.SetLinger(0)
	}
	l.nc.Close()
}

func (l *plainLink) close() { l.nc.Close() }

func (l *plainLink) until(t time.Time) { l.nc.SetReadDeadline(t) }

func (l *plainLink) segment() int { return 0 }

// departureBy tells what an error of a link means.
func departureBy(err error) departure {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrClosedPipe), errors.Is(err, net.ErrClosed):
		return byFIN
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return byReset
	}
	return byLoss
}

// A departure is how a peer has gone.
type departure uint8

const (
	byFIN departure = iota
	byReset
	byLoss
)
