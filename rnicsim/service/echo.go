package service

import (
	"fmt"

	"github.com/iwarpkit/iwarp/rnicsim"
)

// An echo sends each message back. It has twice as many buffers as Receives: before it sends a message back it posts
// another buffer, so that a peer that waits for the echo may send its next message. While all buffers are in use,
// messages wait.
type echo struct {
	buffers buffers
	free    []int
	waiting []completion // Receives whose messages are not sent back yet

	receives, sends []rnicsim.WorkRequest // scratch
}

func openEcho(s *Server) (newHandler, error) {
	if o := &s.options; 2*int64(o.Receives)*int64(o.ReceiveSize) > maxBuffers {
		return nil, fmt.Errorf("%w: twice %d buffers of %d, at most %d in total", ErrSize, o.Receives, o.ReceiveSize, int64(maxBuffers))
	}
	return func() handler { return new(echo) }, nil
}

func (e *echo) prepare(c *session) ([]byte, error) {
	a, err := c.region()
	if err != nil {
		return nil, err
	}
	n := c.server.options.Receives
	if e.buffers, err = c.shareBuffers(c.memory(2*n*c.server.options.ReceiveSize), c.server.options.ReceiveSize, localRights); err != nil {
		return nil, err
	}
	for i := range n {
		e.receives = append(e.receives, e.receive(i))
		e.free = append(e.free, n+i)
	}
	return c.server.offer(a, Echoes), c.conn.PostReceive(e.receives...)
}

// receive returns the Receive into a buffer.
func (e *echo) receive(i int) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{ID: uint64(i), SGL: e.buffers.sgl(i, e.buffers.size)}
}

// send returns the Send of the message in a buffer.
func (e *echo) send(d *completion) rnicsim.WorkRequest {
	if d.Immediate {
		return rnicsim.WorkRequest{ID: d.WRID, Op: rnicsim.OpImmediate, Data: d.Data}
	}
	return rnicsim.WorkRequest{ID: d.WRID, Op: rnicsim.OpSend, SGL: e.buffers.sgl(int(d.WRID), int(d.Length))}
}

func (e *echo) completed(c *session, done []completion) error {
	for _, d := range done {
		if d.Op == rnicsim.OpReceive {
			e.waiting = append(e.waiting, d)
		} else {
			e.free = append(e.free, int(d.WRID))
		}
	}
	n := min(len(e.waiting), len(e.free))
	if n == 0 {
		return nil
	}
	e.receives, e.sends = e.receives[:0], e.sends[:0]
	for i := range n {
		e.receives = append(e.receives, e.receive(e.free[i]))
		e.sends = append(e.sends, e.send(&e.waiting[i]))
	}
	e.free = append(e.free[:0], e.free[n:]...)
	e.waiting = append(e.waiting[:0], e.waiting[n:]...)
	if err := c.conn.PostReceive(e.receives...); err != nil {
		return err
	}
	return c.conn.Post(e.sends...)
}
