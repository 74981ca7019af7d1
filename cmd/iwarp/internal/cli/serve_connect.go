package cli

// iwarp serve --connect: a service as the Initiator.

import (
	"context"
	"errors"
	"net"
	"time"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

const (
	patience = 3 * time.Second        // how long connections may be refused
	again    = 100 * time.Millisecond // between attempts
	briefly  = 10 * time.Millisecond  // after a failed MPA handshake; twice as long after each further one
	longest  = time.Second
)

// initiate connects and serves, one connection after the other, until there have been enough, nobody accepts them, or ctx
// is done.
func (s *serving) initiate(ctx context.Context, server *service.Server, stream rnicsim.StreamConfig, tell *teller) error {
	if !server.Initiates {
		return errors.New("--connect: " + server.Name + " cannot connect; only conform can")
	}
	tell.connecting(s.connect)
	dialer := net.Dialer{Timeout: s.timeout.value}
	lastThere, pause := time.Now(), briefly
	for n := uint64(0); (s.count.value == 0 || n < s.count.value) && ctx.Err() == nil; {
		nc, err := dialer.DialContext(ctx, "tcp", s.connect)
		switch {
		case err == nil:
			if err := ended(ctx, func() error { return server.Initiate(ctx, nc, stream) }); err != nil {
				tell.notMade(n, nc, err)
				rest(ctx, pause)
				pause = min(2*pause, longest)
			} else {
				pause = briefly
			}
			n++
			lastThere = time.Now()
		case ctx.Err() != nil:
		case time.Since(lastThere) < patience:
			rest(ctx, again)
		case n == 0:
			return unreachable(s.connect, err)
		default:
			return nil
		}
	}
	return nil
}

// rest sleeps until ctx is done.
func rest(ctx context.Context, t time.Duration) {
	select {
	case <-time.After(t):
	case <-ctx.Done():
	}
}
