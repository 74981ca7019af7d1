package service

import (
	"fmt"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// An rping is the server of rping. The client advertises memory; the server reads it and answers with a message. Then
// the client advertises other memory; the server writes the same octets to it and answers again.
type rping struct {
	adverts buffers // that the client sends, by Receive
	goAhead buffers // the answer: its 16 octets are ignored
	data    buffers // that was read
	read    uint32  // octets of data
	writes  bool    // the next advertisement names the memory to write to
}

func openRping(*Server) (newHandler, error) {
	return func() handler { return new(rping) }, nil
}

func (p *rping) prepare(c *session) (private []byte, err error) {
	o := &c.server.options
	if p.adverts, err = c.newBuffers(o.Receives, AdvertisementLen); err != nil {
		return nil, err
	}
	if p.goAhead, err = c.newBuffers(1, AdvertisementLen); err != nil {
		return nil, err
	}
	if p.data, err = c.shareBuffers(c.memory(o.Region), o.Region, sinkRights); err != nil {
		return nil, err
	}
	for i := range o.Receives {
		if err := c.conn.PostReceive(p.receive(i)); err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// receive returns the Receive of an advertisement.
func (p *rping) receive(i int) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{ID: uint64(i), SGL: p.adverts.sgl(i, AdvertisementLen)}
}

func (p *rping) completed(c *session, done []completion) error {
	for i := range done {
		var err error
		switch d := &done[i]; d.Op {
		case rnicsim.OpReceive:
			err = p.advertised(c, d)
		case rnicsim.OpRead:
			err = c.conn.Post(p.goOn())
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// goOn returns the Send of an answer.
func (p *rping) goOn() rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: p.goAhead.sgl(0, AdvertisementLen)}
}

// advertised reads from the memory that a message advertises, or writes to it.
func (p *rping) advertised(c *session, d *completion) error {
	if d.Length != AdvertisementLen || d.Immediate {
		return fmt.Errorf("%w: it has %d", ErrBogus, d.Length)
	}
	var a Advertisement
	if _, err := a.Decode(p.adverts.at(int(d.WRID))); err != nil {
		return err
	}
	if !p.writes && a.Length > uint32(p.data.size) {
		return fmt.Errorf("%w: %d, there are %d", ErrTooMuch, a.Length, p.data.size)
	}
	if err := c.conn.PostReceive(p.receive(int(d.WRID))); err != nil {
		return err
	}
	write := p.writes
	p.writes = !write
	if write {
		return c.conn.Post(rnicsim.WorkRequest{
			Op: rnicsim.OpWrite, SGL: p.data.sgl(0, int(min(a.Length, p.read))), Remote: a.STag, RemoteTO: a.TO,
		}, p.goOn())
	}
	p.read = a.Length
	sink := p.data.sgl(0, int(a.Length))[0]
	return c.conn.Post(rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: sink, Remote: a.STag, RemoteTO: a.TO})
}
