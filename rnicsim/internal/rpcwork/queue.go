// Package rpcwork executes the Actions of package rpc on a connection, as Work Requests.
package rpcwork

import (
	"slices"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
)

// Sends is the number of Work Requests that the SQ has room for.
const Sends = 128

const localRights = rnicsim.LocalRead | rnicsim.LocalWrite

// A Queue performs the Actions of one end, in their order, as far as the SQ has room. It is also the Memory of a
// Requester.
type Queue struct {
	conn     *driver.Conn
	size     int    // octets of a Receive
	receives buffer // all Receives
	free     []int  // Receives that are not posted
	spare    []buffer
	due      []rpc.Action
	flying   []work // in the SQ, in its order
	posted   uint64 // to the SQ before those
	Closed   bool   // by an Action; nothing more is done
	Err      error  // why it is Closed

	// Not posted yet: what one Perform does is posted together.
	receive, send []rnicsim.WorkRequest
	sges          []rnicsim.SGE
}

// A buffer is registered memory.
type buffer struct {
	octets []byte
	stag   rnicsim.STag
	to     uint64
}

// A work is a Work Request in the SQ. Its memory is that of the Action, or a buffer for a message.
type work struct {
	rpc.Action
	buffer
}

// Open returns a Queue with memory for a number of Receives of size octets.
func Open(conn *driver.Conn, receives, size int) (q *Queue, err error) {
	q = &Queue{conn: conn, size: size}
	q.receives, err = q.register(make([]byte, receives*size), localRights)
	for i := range receives {
		q.free = append(q.free, i)
	}
	return q, err
}

func (q *Queue) register(octets []byte, rights rnicsim.Rights) (buffer, error) {
	stag, to, err := q.conn.Register(octets, rights)
	return buffer{octets, stag, to}, err
}

// Received returns the message that came with a Receive, valid until the next Actions. Immediate Data is an empty one.
func (q *Queue) Received(c *rnicsim.Completion) []byte {
	i := int(c.WRID)
	q.free = append(q.free, i)
	if c.Immediate {
		return nil
	}
	return q.receives.octets[i*q.size:][:c.Length]
}

// Done handles a completion of the SQ, which is that of earlier Writes too, and returns its Action.
func (q *Queue) Done(c *rnicsim.Completion) (a rpc.Action, err error) {
	n := int(c.WRID-q.posted) + 1
	for _, w := range q.flying[:n] {
		if a = w.Action; a.Type == rpc.Send {
			q.spare = append(q.spare, w.buffer)
		} else if err = q.conn.Deregister(w.stag); err != nil {
			break
		}
	}
	q.flying = slices.Delete(q.flying, 0, n)
	q.posted += uint64(n)
	return a, err
}

// Perform performs Actions, after those that wait. What they send goes to TCP together.
func (q *Queue) Perform(actions ...rpc.Action) error {
	q.due = append(q.due, actions...)
	done := 0
	for done < len(q.due) && !q.Closed {
		a := &q.due[done]
		if a.Type != rpc.Receive && len(q.flying) == Sends || a.Type == rpc.Close && len(q.flying) > 0 {
			break
		}
		if err := q.prepare(a); err != nil {
			return err
		}
		done++
	}
	q.due = slices.Delete(q.due, 0, done)
	return q.post()
}

// prepare prepares what an Action posts, or closes the connection.
func (q *Queue) prepare(a *rpc.Action) error {
	switch a.Type {
	case rpc.Receive:
		for range min(a.Count, len(q.free)) {
			i := q.free[len(q.free)-1]
			q.free = q.free[:len(q.free)-1]
			at := rnicsim.SGE{STag: q.receives.stag, TO: q.receives.to + uint64(i*q.size), Len: uint32(q.size)}
			q.receive = append(q.receive, rnicsim.WorkRequest{ID: uint64(i), SGL: q.list(at)})
		}
		return nil
	case rpc.Close:
		q.Closed, q.Err = true, a.Err
		return q.conn.Close()
	}
	b, err := q.memory(a)
	if err != nil {
		return err
	}
	id := q.posted + uint64(len(q.flying))
	q.flying = append(q.flying, work{*a, b})
	q.send = append(q.send, q.workRequest(id, a, rnicsim.SGE{STag: b.stag, TO: b.to, Len: uint32(len(a.Octets))}))
	return nil
}

// memory returns the registered memory of an Action. A message is copied, since a registration costs more.
func (q *Queue) memory(a *rpc.Action) (b buffer, err error) {
	switch a.Type {
	case rpc.Write:
		return q.register(a.Octets, rnicsim.LocalRead)
	case rpc.Read:
		return q.register(a.Octets, localRights|rnicsim.RemoteWrite) // where an RDMA Read Response may go
	}
	if last := len(q.spare) - 1; last >= 0 {
		b, q.spare = q.spare[last], q.spare[:last]
	}
	if n := max(len(a.Octets), q.size); n > len(b.octets) {
		if b.octets != nil {
			err = q.conn.Deregister(b.stag)
		}
		if err == nil {
			b, err = q.register(make([]byte, n), rnicsim.LocalRead)
		}
	}
	copy(b.octets, a.Octets)
	return b, err
}

// list returns a list that is valid until the next post.
func (q *Queue) list(e rnicsim.SGE) []rnicsim.SGE {
	q.sges = append(q.sges, e)
	return q.sges[len(q.sges)-1:]
}

// post posts what was prepared: Receives first, since what is sent may allow the peer to use them.
func (q *Queue) post() (err error) {
	if len(q.receive) > 0 {
		err = q.conn.PostReceive(q.receive...)
	}
	if err == nil && len(q.send) > 0 {
		err = q.conn.Post(q.send...)
	}
	q.receive, q.send, q.sges = q.receive[:0], q.send[:0], q.sges[:0]
	return err
}

// workRequest returns the Work Request of an Action. A Write needs no completion, unless the SQ has no room for what follows it.
func (q *Queue) workRequest(id uint64, a *rpc.Action, local rnicsim.SGE) rnicsim.WorkRequest {
	w := rnicsim.WorkRequest{ID: id, Op: rnicsim.OpSend}
	remote := rnicsim.STag(a.STag)
	switch {
	case a.Type == rpc.Read:
		w.Op, w.Local, w.Remote, w.RemoteTO = rnicsim.OpRead, local, remote, a.TO
		return w
	case a.Type == rpc.Write:
		w.Op, w.Remote, w.RemoteTO, w.Unsignaled = rnicsim.OpWrite, remote, a.TO, len(q.flying) < Sends
	case a.STag != 0:
		w.Op, w.STag = rnicsim.OpSendInvalidate, remote
	}
	w.SGL = q.list(local)
	return w
}

// Register lets the peer read octets, or write them.
func (q *Queue) Register(octets []byte, write bool) (stag uint32, to uint64, err error) {
	rights := rnicsim.Rights(rnicsim.LocalRead | rnicsim.RemoteRead)
	if write {
		rights = localRights | rnicsim.RemoteWrite
	}
	s, to, err := q.conn.Register(octets, rights)
	return uint32(s), to, err
}

// Deregister takes that back, whether the peer has invalidated the STag or not.
func (q *Queue) Deregister(stag uint32, _ bool) error { return q.conn.Deregister(rnicsim.STag(stag)) }
