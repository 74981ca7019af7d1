package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// ErrBogus is that a message of the peer does not have the 16 octets of rping.
var ErrBogus = errors.New("client: a message of the peer does not have 16 octets: it is no server of rping")

// ErrNoIRD is that the server of rping has to RDMA Read from here, and may not.
var ErrNoIRD = errors.New("client: a ping takes an RDMA Read of the server, and IRD is 0")

// A MismatchError is a ping whose octets came back wrong.
type MismatchError struct {
	Offset    int  // of the first octet that is wrong
	Got, Want byte // there
	Wrong     int  // octets that are
	Size      int
}

// Error says what is wrong.
func (e *MismatchError) Error() string {
	return fmt.Sprintf("client: %d of %d octets came back wrong, the first at offset %d: %#02x, expected %#02x", e.Wrong, e.Size, e.Offset, e.Got, e.Want)
}

// The sizes of a ping in octets. A server of rping has room for 64, unless it was told otherwise.
const (
	DefaultPingSize = 64
	MaxPingSize     = 1 << 30
)

// A Pinger is the client of rping: the server reads octets of the client, and writes them back.
type Pinger struct {
	worker
	source, sink []byte // what the server reads, and what it writes
	adverts      [2]rnicsim.WorkRequest
	receive      rnicsim.WorkRequest
	pings        int
}

// DialPinger connects to a server of rping. size is that of pings, 0 for DefaultPingSize. IRD and ORD in c are 1 each
// unless c says otherwise, as rping has it. It fails as Device.Dial does, with ErrNoIRD if c has none, or with ErrFew or
// ErrTooLong for the size.
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
	if c.QP.IRD == 0 {
		c.QP.IRD = 1
	}
	if c.QP.ORD == 0 {
		c.QP.ORD = 1
	}
	c.Prepare = p.prepare
	var err error
	p.conn, err = d.Dial(ctx, network, address, c)
	if err != nil {
		return nil, err
	}
	return p, nil
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

// Conn is the connection.
func (p *Pinger) Conn() *driver.Conn { return p.conn }

// Ping does one ping and returns how long it took: from the first message until the server has said that it has written.
// That is three times to the server and back. It fails with a *MismatchError if other octets came back, with ErrBogus,
// and if the connection is over with why.
func (p *Pinger) Ping(ctx context.Context) (time.Duration, error) {
	p.fill()
	var took time.Duration
	begin := time.Now()
	told := 0 // to go ahead
	err := p.run(ctx, func() error { return p.conn.Post(p.adverts[0]) }, func(done []rnicsim.Completion) (bool, error) {
		heard, err := p.goAhead(done)
		if !heard || err != nil {
			return false, err
		}
		if told++; told < len(p.adverts) {
			return false, p.conn.Post(p.adverts[told])
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

// goAhead tells whether a message of the server is among what was done.
func (p *Pinger) goAhead(done []rnicsim.Completion) (heard bool, err error) {
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

// fill makes the octets of the next ping, in the manner of rping: text that ends with the only zero octet, since its
// servers may write back no more than that.
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

// verify compares what came back.
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

// Close closes the connection and waits until the server has done so too, or until ctx is done.
func (p *Pinger) Close(ctx context.Context) error { return closeConn(ctx, p.conn) }
