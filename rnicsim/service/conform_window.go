package service

// The Memory Windows of the service conform, and its Shared Receive Queue.

import (
	"errors"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// openWindows allocates the Memory Window of the command bind, and one that is bound to another stream.
func (f *conform) openWindows(c *session) error {
	for _, i := range []ConformRegion{ConformWindow, ConformElsewhere} {
		index, err := c.conn.AllocateWindow()
		if err != nil {
			return err
		}
		f.regions[i] = conformRegion{Advertisement: f.regions[ConformData].Advertisement, deregister: c.conn.Deregister}
		f.regions[i].STag = index.WithKey(f.regions[ConformData].STag.Key() &^ 1) // so that STag+1 differs in its key only
	}
	octets := make([]byte, conformOther)
	region, to, err := c.conn.Register(octets, localRights|rnicsim.BindWindows)
	if err != nil {
		return err
	}
	elsewhere := &f.regions[ConformElsewhere].Advertisement
	elsewhere.TO, elsewhere.Length = to, conformOther
	return c.bindElsewhere(rnicsim.Bind{
		Window: elsewhere.STag, Region: region, VA: to, Length: conformOther, Rights: windowRights,
	})
}

// bindElsewhere binds a Memory Window to a stream without a peer, which lasts as long as the connection.
func (c *session) bindElsewhere(b rnicsim.Bind) error {
	d := c.server.device
	return d.Do(func(r *rnicsim.RNIC) error {
		cq, err := r.CreateCQ(1, 0)
		if err != nil {
			return err
		}
		c.atEnd(func() { d.Do(func(*rnicsim.RNIC) error { return cq.Destroy() }) })
		qp, err := r.CreateQP(rnicsim.QPConfig{PD: c.pd, SendCQ: cq, RecvCQ: cq, SQ: 1, RQ: 1, BindWindows: true})
		if err != nil {
			return err
		}
		c.atEnd(func() { d.Do(func(*rnicsim.RNIC) error { return qp.Destroy() }) })
		stream, err := lonelyStream()
		if err != nil {
			return err
		}
		if err := qp.Modify(rnicsim.Modification{State: rnicsim.RTS, Stream: stream}); err != nil {
			return err
		}
		_, err = qp.PostSQ(rnicsim.WorkRequest{Op: rnicsim.OpBind, Bind: &b, Unsignaled: true})
		return err
	})
}

// lonelyStream returns a Stream whose start-up is over.
func lonelyStream() (*rnicsim.Stream, error) {
	r, most := rnicsim.New(rnicsim.Config{}), mpa.FrameLen+mpa.MaxPrivateData
	client, server := r.NewStream(rnicsim.StreamConfig{Rev: mpa.Rev1}), r.NewStream(rnicsim.StreamConfig{Rev: mpa.Rev1})
	err := errors.Join(server.Listen(), client.Connect(nil))
	server.Input(client.AppendTransmit(nil, most))
	err = errors.Join(err, server.Accept(nil))
	client.Input(server.AppendTransmit(nil, most))
	return client, err
}

// bind binds the window to part of a region.
func (f *conform) bind(o *ConformCommand) rnicsim.WorkRequest {
	r := &f.regions[o.Count]
	b := &rnicsim.Bind{Window: o.STag, Region: r.STag, VA: r.TO + uint64(o.Offset), Length: uint64(o.Length)}
	if o.Flags&FlagRead != 0 {
		b.Rights |= rnicsim.RemoteRead
	}
	if o.Flags&FlagWrite != 0 {
		b.Rights |= rnicsim.RemoteWrite
	}
	return rnicsim.WorkRequest{Op: rnicsim.OpBind, Bind: b}
}

// shareReceives creates a Shared Receive Queue for a connection, with a Protection Domain of its own.
func (c *session) shareReceives() error {
	d := c.server.device
	pd, err := c.newPD(d)
	if err != nil {
		return err
	}
	return d.Do(func(r *rnicsim.RNIC) (err error) {
		c.srq, err = r.CreateSRQ(rnicsim.SRQConfig{PD: pd, WRs: c.server.options.Receives, SGEs: 1})
		if err == nil {
			c.srqPD = pd
			c.atEnd(func() { d.Do(func(*rnicsim.RNIC) error { return c.srq.Destroy() }) })
		}
		return err
	})
}

// receiveBuffers registers n buffers for Receives, where the queue that takes them is.
func (c *session) receiveBuffers(n, size int) (b buffers, err error) {
	if c.srq == nil {
		return c.newBuffers(n, size)
	}
	b = buffers{octets: make([]byte, n*size), size: size}
	d := c.server.device
	err = d.Do(func(r *rnicsim.RNIC) (err error) {
		b.stag, err = r.RegisterOctets(c.srqPD, b.octets, 0, localRights, 0)
		return err
	})
	if err == nil {
		c.atEnd(func() { d.Deregister(b.stag) })
	}
	return b, err
}
