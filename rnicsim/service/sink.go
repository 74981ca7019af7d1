package service

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// countLen is the length in octets of the message with a count.
const countLen = 8

// A sink receives all messages of all connections into the same octets, which are never read. It sends a count after
// half as many messages as it has Receives, and after each empty message.
type sink struct {
	shared   []byte
	drain    buffers // shared
	count    buffers // of the message with a count
	receives []rnicsim.WorkRequest
	reported uint64 // messages in the latest count
	asked    bool   // an empty message was received since
	sending  bool   // a count is being sent
}

func openSink(s *Server) (newHandler, error) {
	shared := make([]byte, s.options.ReceiveSize)
	return func() handler { return &sink{shared: shared} }, nil
}

func (k *sink) prepare(c *session) ([]byte, error) {
	a, err := c.region()
	if err != nil {
		return nil, err
	}
	o := &c.server.options
	if k.drain, err = c.shareBuffers(k.shared, o.ReceiveSize, localRights); err != nil {
		return nil, err
	}
	if k.count, err = c.newBuffers(1, countLen); err != nil {
		return nil, err
	}
	k.receives = make([]rnicsim.WorkRequest, o.Receives)
	for i := range k.receives {
		k.receives[i].SGL = k.drain.sgl(0, o.ReceiveSize)
	}
	return c.server.offer(a, Counts), c.conn.PostReceive(k.receives...)
}

func (k *sink) completed(c *session, done []completion) error {
	taken := 0
	for i := range done {
		switch d := &done[i]; d.Op {
		case rnicsim.OpReceive:
			taken++
			k.asked = k.asked || d.Length == 0 && !d.Immediate
		case rnicsim.OpSend:
			k.sending = false
		}
	}
	if err := c.conn.PostReceive(k.receives[:taken]...); err != nil {
		return err
	}
	half := uint64(len(k.receives)+1) / 2
	if k.sending || !k.asked && c.messages-k.reported < half {
		return nil
	}
	k.reported, k.asked, k.sending = c.messages, false, true
	binary.BigEndian.PutUint64(k.count.at(0), c.messages)
	return c.conn.Post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: k.count.sgl(0, countLen)})
}
