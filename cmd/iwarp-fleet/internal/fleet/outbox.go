package fleet

// Messages of an agent on their way.

import (
	"context"
	"slices"

	"github.com/nats-io/nats.go/jetstream"
)

const (
	maxOutbox       = 512                         // messages on their way
	maxOutboxOctets = 4 << 20                     // in them, unless it is one
	keptOctets      = maxOutboxOctets / maxOutbox // of a message: memory for so many is used again
)

// An outbox sends the next messages while the server stores others: to wait for each of them would cost much more.
type outbox struct {
	bus    *Bus
	sent   []letter // the oldest one first
	octets int      // in sent
	free   [][]byte
}

type letter struct {
	subject string
	octets  []byte
	stored  jetstream.PubAckFuture
}

// put stores octets, by the next flush at the latest. The error may be of what was put before.
func (o *outbox) put(ctx context.Context, subject string, octets []byte) error {
	if len(o.sent) == maxOutbox || o.octets+len(octets) > maxOutboxOctets {
		for len(o.sent) > maxOutbox/2 || len(o.sent) > 0 && o.octets+len(octets) > maxOutboxOctets/2 { // to wait seldom costs less
			if err := o.await(ctx); err != nil {
				return err
			}
		}
	}
	var memory []byte
	if last := len(o.free) - 1; last >= 0 && len(octets) <= keptOctets {
		memory, o.free = o.free[last], o.free[:last]
	}
	octets = append(memory, octets...)
	stored, err := o.bus.js.PublishAsync(subject, octets)
	if err != nil {
		return o.bus.put(ctx, subject, octets)
	}
	o.sent = append(o.sent, letter{subject, octets, stored})
	o.octets += len(octets)
	return nil
}

// await waits until the oldest message is stored. If the server does not say so, it is sent again.
func (o *outbox) await(ctx context.Context) error {
	l := o.sent[0]
	o.sent = slices.Delete(o.sent, 0, 1)
	o.octets -= len(l.octets)
	select {
	case <-l.stored.Ok():
		if cap(l.octets) <= keptOctets {
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
	for len(o.sent) > 0 {
		if err := o.await(ctx); err != nil {
			return err
		}
	}
	return nil
}
