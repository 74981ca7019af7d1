package proxy

// One direction of a connection.

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/iwarpkit/iwarp/internal/link"
)

// BufferLen is the most octets of a direction that a Proxy holds, besides those in sockets.
const BufferLen = 128 << 10

// splicedLen is the most octets of a direction that the system holds in a pipe.
const splicedLen = 512 << 10

var buffers = sync.Pool{New: func() any { return new([BufferLen]byte) }}

// A relay passes on what one side sends. It is the Room of the Link that it reads.
type relay struct {
	conn      *Conn
	side      Side
	from, to  link.Link
	buffer    *[BufferLen]byte // nil if there are no octets
	urgent    bool             // the octet in the buffer is urgent
	finished  atomic.Bool      // the side has sent a FIN; it changes while the lock of the Conn is held
	direction *direction       // what Rules alter; nil without Rules
	splicer   *link.Splicer    // passes on octets that nobody reads; nil where somebody does

	octets atomic.Uint64 // passed on
	last   atomic.Int64  // when octets came last
	since  atomic.Int64  // since when octets wait for the other side; 0 if none do
}

// Take implements link.Room. An urgent octet is taken alone.
func (r *relay) Take() []byte {
	b := r.Keep()
	if r.urgent = r.from.Urgent(); r.urgent {
		return b[:1]
	}
	return b
}

// Keep implements link.Room.
func (r *relay) Keep() []byte {
	if r.buffer == nil {
		r.buffer = buffers.Get().(*[BufferLen]byte)
	}
	return r.buffer[:]
}

// Leave implements link.Room.
func (r *relay) Leave() {
	if r.buffer != nil {
		buffers.Put(r.buffer)
		r.buffer = nil
	}
	if r.splicer != nil {
		r.splicer.Release()
	}
}

// Await implements link.Room.
func (r *relay) Await() {}

// run passes on octets until the side, or the whole connection, is over.
func (r *relay) run() {
	if r.direction == nil && r.conn.proxy.config.Tap == nil {
		r.splicer = link.NewSplicer(r.from, r.to, splicedLen)
	}
	defer r.Leave()
	for {
		n, err := r.receive()
		if err != nil {
			r.ended(err)
			return
		}
		r.last.Store(int64(r.conn.proxy.now()))
		if err := r.take(n); err != nil {
			r.conn.reset(1 - r.side)
			return
		}
		r.Leave()
	}
}

// receive waits for octets of the side.
func (r *relay) receive() (n int, err error) {
	if r.splicer != nil {
		if n, err = r.splicer.Take(); n > 0 || err != nil {
			return n, err
		}
	}
	return r.from.Receive(r)
}

// take shows the octets that were received to the Tap and passes them on, as Rules want if there are any.
func (r *relay) take(n int) error {
	switch {
	case r.buffer == nil:
		return r.pass(nil, n)
	case r.direction != nil:
		return r.direction.take(r.buffer[:n], r.urgent)
	}
	r.conn.taken(r.side, r.buffer[:n])
	return r.pass(r.buffer[:n], n)
}

// ended passes on how the side has ended. After a FIN it may still send a reset.
func (r *relay) ended(err error) {
	r.Leave()
	if r.direction != nil && link.DepartureBy(err) == link.ByFIN && r.direction.finish() != nil {
		r.conn.reset(1 - r.side)
		return
	}
	if link.DepartureBy(err) == link.ByFIN && (!r.conn.finish(r.side) || !r.from.AwaitReset()) {
		return
	}
	r.conn.reset(r.side)
}

// pass sends octets to the other side: those of b, or n in the splicer.
func (r *relay) pass(b []byte, n int) error {
	urgent := b != nil && r.urgent
	if !urgent {
		sent, err := r.some(b, false)
		if n -= sent; err != nil || n == 0 {
			return err
		}
		b = b[min(sent, len(b)):]
	}
	r.since.Store(int64(r.conn.proxy.now()))
	defer r.since.Store(0)
	defer r.lookout()()
	if urgent {
		r.octets.Add(1)
		return r.to.SendUrgent(b[0])
	}
	return r.put(b, n)
}

// put sends octets as pass does, and waits for the other side if it must.
func (r *relay) put(b []byte, n int) error {
	for n > 0 {
		sent, err := r.some(b, true)
		if err != nil {
			return err
		}
		n, b = n-sent, b[min(sent, len(b)):]
		if r.since.Load() != 0 {
			r.since.Store(int64(r.conn.proxy.now()))
		}
	}
	return nil
}

// some sends some octets: as many as go at once, or those that go after a wait.
func (r *relay) some(b []byte, wait bool) (n int, err error) {
	switch {
	case b == nil:
		n, err = r.splicer.Pass(wait)
	case wait:
		n, err = r.to.SendSome(b)
	default:
		n, err = r.to.Send(b)
	}
	r.octets.Add(uint64(n))
	return n, err
}

// blocked is how long the other side takes nothing until the relay looks out for a reset.
const blocked = 20 * time.Millisecond

// lookout notices a reset by the side while the relay waits for the other one, and so does not read. The function that it returns
// ends this.
func (r *relay) lookout() (end func()) {
	done := make(chan struct{})
	timer := time.AfterFunc(blocked, func() {
		defer close(done)
		if r.from.AwaitReset() {
			r.conn.reset(r.side)
		}
	})
	return func() {
		if !timer.Stop() {
			r.from.Until(time.Unix(1, 0))
			<-done
			r.from.Until(time.Time{})
		}
	}
}
