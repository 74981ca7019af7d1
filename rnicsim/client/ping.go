package client

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// ErrBogus is the error for a message of the peer without the 16 octets of rping.
var ErrBogus = errors.New("client: the peer sent a message without the 16 octets of rping: it is not an rping server")

// ErrNoIRD is the error if the rping server may not RDMA Read from this side.
var ErrNoIRD = errors.New("client: a ping needs an RDMA Read by the server, but IRD is 0")

// A MismatchError is a ping whose octets were returned wrong.
type MismatchError struct {
	Offset    int  // of the first octet that is wrong
	Got, Want byte // at Offset
	Wrong     int  // octets that are wrong
	Size      int
}

// Error says how many octets are wrong, and what the first should be.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("client: %d of %d octets were returned wrong, the first at offset %d: %#02x, expected %#02x", e.Wrong, e.Size, e.Offset, e.Got, e.Want)
}

// The sizes of a ping in octets. A server of rping has room for 64, unless configured otherwise.
const (
	DefaultPingSize = 64
	MaxPingSize     = 1 << 30
)

// A Pinger is an rping client: the server reads octets of the client, and writes them back.
type Pinger struct {
	worker
	source, sink []byte // read and written by the server
	adverts      [2]rnicsim.WorkRequest
	receive      rnicsim.WorkRequest
	pings        int
}

// DialPinger connects to an rping server. size is the size of pings in octets; 0 for DefaultPingSize. IRD and ORD are 1
// unless c sets them, as in rping. It fails like Device.Dial, with a *ServiceError, with ErrNoIRD if c has no IRD, or with
// ErrFew or ErrTooLong if the size is wrong.
func DialPinger(ctx context.Context, d *driver.Device, network, address string, size int, c driver.ConnConfig) (*Pinger, error) {
	switch {
	case c.QP.IRD < 0:
		return nil, ErrNoIRD
	case size == 0:
		size = DefaultPingSize
	case size < 0:
		return nil, ErrFew
	case size > MaxPingSize:
		return nil, ErrTooLong
	}
	p := &Pinger{source: make([]byte, size), sink: make([]byte, size)}
	c.QP = rnicsim.QPConfig{
		RemoteRead: true, RemoteWrite: true, SQ: 4, RQ: 2, IRD: c.QP.IRD, ORD: c.QP.ORD, PD: c.QP.PD,
	}
	c.QP.IRD = cmp.Or(c.QP.IRD, 1)
	if c.QP.ORD == 0 {
		c.QP.ORD = 1
	}
	c.Prepare = p.prepare
	var err error
	p.conn, err = d.Dial(ctx, network, address, c)
	if err != nil {
		return nil, err
	}
	return p, p.wants("rping")
}

// prepare registers memory and posts the Receives of the server's two messages.
func (p *Pinger) prepare(conn *driver.Conn) error {
	messages := make([]byte, 3*service.AdvertisementLen)
	for i, end := range []struct {
		octets []byte
		rights rnicsim.Rights
	}{
		{p.source, rnicsim.LocalRead | rnicsim.RemoteRead},
		{p.sink, rnicsim.LocalWrite | rnicsim.RemoteWrite},
	} {
		stag, to, err := conn.Register(end.octets, end.rights)
		if err != nil {
			return err
		}
		a := service.Advertisement{TO: to, STag: stag, Length: uint32(len(end.octets))}
		b, _ := a.AppendBinary(nil)
		copy(messages[i*service.AdvertisementLen:], b)
	}
	stag, to, err := conn.Register(messages, rnicsim.LocalRead|rnicsim.LocalWrite)
	if err != nil {
		return err
	}
	message := func(i int) []rnicsim.SGE {
		return []rnicsim.SGE{{STag: stag, TO: to + uint64(i*service.AdvertisementLen), Len: service.AdvertisementLen}}
	}
	for i := range p.adverts {
		p.adverts[i] = rnicsim.WorkRequest{Op: rnicsim.OpSend, Unsignaled: true, SGL: message(i)}
	}
	p.receive.SGL = message(2)
	return conn.PostReceive(p.receive, p.receive)
}

// Conn returns the connection.
func (p *Pinger) Conn() *driver.Conn { return p.conn }

// Ping performs one ping and returns its time, from the first message until the server reports that it has written.
// That is three round trips. It fails with a *MismatchError if other octets were returned, with ErrBogus, or if the
// connection is over with its error.
func (p *Pinger) Ping(ctx context.Context) (time.Duration, error) {
	p.fill()
	var took time.Duration
	begin := time.Now()
	answers := 0
	err := p.run(ctx, func() error { return p.conn.Post(p.adverts[0]) }, func(done []rnicsim.Completion) (bool, error) {
		answered, err := p.goAhead(done)
		if !answered || err != nil {
			return false, err
		}
		if answers++; answers < len(p.adverts) {
			return false, p.conn.Post(p.adverts[answers])
		}
		took = time.Since(begin)
		return true, nil
	})
	if err != nil {
		return 0, err
	}
	p.pings++
	return took, p.verify()
}

// goAhead reports whether a message of the server has arrived.
func (p *Pinger) goAhead(done []rnicsim.Completion) (answered bool, err error) {
	for i := range done {
		switch c := &done[i]; {
		case c.Op != rnicsim.OpReceive:
		case c.Length != service.AdvertisementLen || c.Immediate:
			return false, ErrBogus
		default:
			return true, p.conn.PostReceive(p.receive)
		}
	}
	return false, nil
}

// fill makes the octets of the next ping as rping does: text that ends with the only zero octet, since its servers may
// write back no more than that.
func (p *Pinger) fill() {
	const first, last = 'A', 'z'
	text := fmt.Appendf(p.source[:0], "rdma-ping-%d: ", p.pings)
	for i := len(text); i < len(p.source); i++ {
		p.source[i] = byte(first + (p.pings+i-len(text))%(last-first+1))
	}
	copy(p.source, text)
	p.source[len(p.source)-1] = 0
	for i := range p.sink {
		p.sink[i] = 0xff
	}
}

// verify compares the returned octets.
func (p *Pinger) verify() error {
	if bytes.Equal(p.source, p.sink) {
		return nil
	}
	e := &MismatchError{Size: len(p.source)}
	for i, want := range p.source {
		if got := p.sink[i]; got != want {
			if e.Wrong == 0 {
				e.Offset, e.Got, e.Want = i, got, want
			}
			e.Wrong++
		}
	}
	return e
}

// Close closes the connection and waits until the server has closed it too, or until ctx is done.
func (p *Pinger) Close(ctx context.Context) error { return closeConn(ctx, p.conn) }
