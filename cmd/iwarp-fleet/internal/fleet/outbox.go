package fleet

// Messages of an agent on their way.

import (
	"context"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	maxOutbox       = 256     // messages that are sent at a time
	maxOutboxOctets = 2 << 20 // in them, unless it is one
)

// An outbox sends many messages at a time, and has the server store them while it collects the next ones: to wake threads, or to wait, for each
// of them would cost much more.
type outbox struct {
	bus     *Bus
	waiting []letter // the oldest one first
	octets  int      // in waiting
	sent    []letter // likewise
	free    [][]byte // memory for bundles, to be used again: to take more from the system costs as much as to fill it
}

type letter struct {
	subject string
	octets  []byte
	stored  jetstream.PubAckFuture // nil if it was not sent
}

// memory is room for a bundle, or for a part that is longer.
func (o *outbox) memory(octets int) (b []byte) {
	last := len(o.free) - 1
	if last < 0 || octets > maxBundle {
		return make([]byte, 0, max(octets, maxBundle))
	}
	b, o.free = o.free[last], o.free[:last]
	return b
}

// put stores octets, by the next flush at the latest, and keeps them. The error may be of what was put before.
func (o *outbox) put(ctx context.Context, subject string, octets []byte) error {
	o.waiting = append(o.waiting, letter{subject: subject, octets: octets})
	if o.octets += len(octets); len(o.waiting) == maxOutbox || o.octets >= maxOutboxOctets {
		return o.send(ctx)
	}
	return nil
}

// send sends what waits, once what was sent before is stored.
func (o *outbox) send(ctx context.Context) error {
	for i := range o.sent {
		if err := o.await(ctx, &o.sent[i]); err != nil {
			return err
		}
	}
	for i := range o.waiting {
		l := &o.waiting[i]
		l.stored, _ = o.bus.js.PublishAsync(l.subject, l.octets) // what cannot be sent now is sent later
	}
	o.sent, o.waiting, o.octets = o.waiting, o.sent[:0], 0
	return nil
}

// await waits until a message is stored. If the server does not say so, it is sent again.
func (o *outbox) await(ctx context.Context, l *letter) error {
	if l.stored == nil {
		return o.bus.put(ctx, l.subject, l.octets)
	}
	select {
	case <-l.stored.Ok():
		if cap(l.octets) == maxBundle {
			o.free = append(o.free, l.octets[:0])
		}
		return nil
	case <-l.stored.Err():
		return o.bus.put(ctx, l.subject, l.octets)
	case <-o.bus.permitted.Done():
		return context.Cause(o.bus.permitted)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// flush waits until all is stored.
func (o *outbox) flush(ctx context.Context) error {
	if err := o.send(ctx); err != nil {
		return err
	}
	return o.send(ctx)
}
