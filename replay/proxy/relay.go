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

var buffers = sync.Pool{New: func() any { return new([BufferLen]byte) }}

// A relay passes on what one side sends. It is the Room of the Link that it reads.
type relay struct {
	conn     *Conn
	side     Side
	from, to link.Link
	buffer   *[BufferLen]byte // nil if there are no octets
	urgent   bool             // the octet in the buffer is urgent
	finished bool             // the side has sent a FIN; guarded by the lock of the Conn
	course   *course          // what Rules alter; nil without Rules

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
}

// Await implements link.Room.
func (r *relay) Await() {}

// run passes on octets until the side, or the whole connection, is over.
func (r *relay) run() {
	defer r.Leave()
	for {
		n, err := r.from.Receive(r)
		if err != nil {
			r.ended(err)
			return
		}
		r.last.Store(int64(r.conn.proxy.now()))
		if err := r.take(r.buffer[:n]); err != nil {
			r.conn.reset(1 - r.side)
			return
		}
		r.Leave()
	}
}

// take shows octets to the Tap and passes them on, as Rules want if there are any.
func (r *relay) take(b []byte) error {
	if r.course != nil {
		return r.course.take(b, r.urgent)
	}
	r.conn.taken(r.side, b)
	return r.pass(b)
}

// ended passes on how the side has ended. After a FIN it may still send a reset.
func (r *relay) ended(err error) {
	r.Leave()
	if r.course != nil && link.DepartureBy(err) == link.ByFIN && r.course.finish() != nil {
		r.conn.reset(1 - r.side)
		return
	}
	if link.DepartureBy(err) == link.ByFIN && (!r.conn.finish(r.side) || !r.from.AwaitReset()) {
		return
	}
	r.conn.reset(r.side)
}

// pass sends octets to the other side.
func (r *relay) pass(b []byte) error {
	n, err := 0, error(nil)
	if !r.urgent {
		if n, err = r.to.Send(b); err != nil || n == len(b) {
			r.octets.Add(uint64(n))
			return err
		}
	}
	r.since.Store(int64(r.conn.proxy.now()))
	defer r.since.Store(0)
	defer r.lookout()()
	if r.urgent {
		r.octets.Add(1)
		return r.to.SendUrgent(b[0])
	}
	r.octets.Add(uint64(n))
	return r.put(b[n:])
}

// put sends octets, and waits for the other side if it must.
func (r *relay) put(b []byte) error {
	for len(b) > 0 {
		n, err := r.to.SendSome(b)
		if err != nil {
			return err
		}
		b = b[n:]
		r.octets.Add(uint64(n))
		if r.since.Load() != 0 {
			r.since.Store(int64(r.conn.proxy.now()))
		}
	}
	return nil
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
