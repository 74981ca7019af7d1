// Package rpcwork executes the Actions of package rpc on a connection, as Work Requests.
package rpcwork

import (
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
	conn   *driver.Conn
	size   int    // octets of a Receive
	octets []byte // of all Receives
	stag   rnicsim.STag
	to     uint64
	free   []int // buffers without a Receive
	due    []rpc.Action
	flying []work // in the SQ, in its order
	Closed bool   // by an Action; nothing more is done
	Err    error  // why it is Closed

	receives, sends []rnicsim.WorkRequest // not posted yet: those of one Perform are posted together
}

// A work is a Work Request in the SQ, with the memory that is registered for it.
type work struct {
	rpc.Action
	stag rnicsim.STag
}

// Open returns a Queue with memory for a number of Receives of size octets.
func Open(conn *driver.Conn, receives, size int) (q *Queue, err error) {
	q = &Queue{conn: conn, size: size, octets: make([]byte, receives*size)}
	q.stag, q.to, err = conn.Register(q.octets, localRights)
	for i := range receives {
		q.free = append(q.free, i)
	}
	return q, err
}

// Received returns the message that came with a Receive, valid until the next Actions. Immediate Data is an empty one.
func (q *Queue) Received(c *rnicsim.Completion) []byte {
	i := int(c.WRID)
	q.free = append(q.free, i)
	if c.Immediate {
		return nil
	}
	return q.octets[i*q.size:][:c.Length]
}

// Done handles the completion of the first Work Request in the SQ, and returns its Action.
func (q *Queue) Done() (rpc.Action, error) {
	w := q.flying[0]
	q.flying = append(q.flying[:0], q.flying[1:]...)
	return w.Action, q.conn.Deregister(w.stag)
}

// Perform performs Actions, after those that wait. What they send goes to TCP together.
func (q *Queue) Perform(actions ...rpc.Action) error {
	q.due = append(q.due, actions...)
	for len(q.due) > 0 && !q.Closed {
		a := q.due[0]
		switch {
		case a.Type == rpc.Receive:
			q.receive(a.Count)
		case a.Type == rpc.Close:
			if len(q.flying) > 0 {
				return q.post()
			}
			q.Closed, q.Err = true, a.Err
			return q.conn.Close()
		case len(q.flying) == Sends:
			return q.post()
		default:
			if err := q.send(a); err != nil {
				return err
			}
		}
		q.due[0] = rpc.Action{}
		q.due = q.due[1:]
	}
	return q.post()
}

// receive prepares Receives into free buffers.
func (q *Queue) receive(n int) {
	for ; n > 0 && len(q.free) > 0; n-- {
		i := q.free[0]
		q.free = q.free[1:]
		sgl := []rnicsim.SGE{{STag: q.stag, TO: q.to + uint64(i*q.size), Len: uint32(q.size)}}
		q.receives = append(q.receives, rnicsim.WorkRequest{ID: uint64(i), SGL: sgl})
	}
}

// send prepares a Work Request of the SQ, with memory that is registered until it is done.
func (q *Queue) send(a rpc.Action) error {
	rights := rnicsim.Rights(localRights)
	if a.Type == rpc.Read {
		rights |= rnicsim.RemoteWrite // where an RDMA Read Response may go
	}
	stag, to, err := q.conn.Register(a.Octets, rights)
	if err != nil {
		return err
	}
	local := rnicsim.SGE{STag: stag, TO: to, Len: uint32(len(a.Octets))}
	q.flying = append(q.flying, work{a, stag})
	q.sends = append(q.sends, workRequest(&a, local))
	return nil
}

// post posts what was prepared: Receives first, since what is sent may allow the peer to use them.
func (q *Queue) post() error {
	receives, sends := q.receives, q.sends
	q.receives, q.sends = q.receives[:0], q.sends[:0]
	if len(receives) > 0 {
		if err := q.conn.PostReceive(receives...); err != nil {
			return err
		}
	}
	if len(sends) > 0 {
		return q.conn.Post(sends...)
	}
	return nil
}

func workRequest(a *rpc.Action, local rnicsim.SGE) rnicsim.WorkRequest {
	remote := rnicsim.STag(a.STag)
	switch {
	case a.Type == rpc.Read:
		return rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: local, Remote: remote, RemoteTO: a.TO}
	case a.Type == rpc.Write:
		return rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{local}, Remote: remote, RemoteTO: a.TO}
	case a.STag != 0:
		return rnicsim.WorkRequest{Op: rnicsim.OpSendInvalidate, SGL: []rnicsim.SGE{local}, STag: remote}
	}
	return rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: []rnicsim.SGE{local}}
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
