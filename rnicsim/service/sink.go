package service

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// countLen is the length in octets of the message by which sink tells how many it has taken in.
const countLen = 8

// A sink takes in messages, all into the same octets, for nobody looks at them. Behind half as many as it has Receives,
// and behind each without octets, it tells how many have come by then.
type sink struct {
	drain    buffers
	count    buffers // what is sent
	receives []rnicsim.WorkRequest
	told     uint64 // messages that the latest count had
	asked    bool   // a message without octets has come since
	telling  bool   // a count is under way
}

func openSink(*Server) (newHandler, error) {
	return func() handler { return new(sink) }, nil
}

func (k *sink) prepare(c *session) ([]byte, error) {
	a, err := c.region()
	if err != nil {
		return nil, err
	}
	o := &c.server.options
	if k.drain, err = c.newBuffers(1, o.ReceiveSize, localRights); err != nil {
		return nil, err
	}
	if k.count, err = c.newBuffers(1, countLen, localRights); err != nil {
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
			k.telling = false
		}
	}
	if err := c.conn.PostReceive(k.receives[:taken]...); err != nil {
		return err
	}
	half := uint64(len(k.receives)+1) / 2
	if k.telling || !k.asked && c.messages-k.told < half {
		return nil
	}
	k.told, k.asked, k.telling = c.messages, false, true
	binary.BigEndian.PutUint64(k.count.at(0), c.messages)
	return c.conn.Post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: k.count.sgl(0, countLen)})
}
