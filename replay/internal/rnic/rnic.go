// Package rnic provides a peer for the tests of replay: the reference RNIC with a service, on loopback.
package rnic

import (
	"context"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// Serve serves the named service until the test is over. It returns the RNIC, which can connect as well, and the address
// of the service.
func Serve(t testing.TB, name string, c driver.Config, o service.Options, s rnicsim.StreamConfig) (d *driver.Device, address string) {
	t.Helper()
	d, err := driver.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	t.Cleanup(func() {
		stop()
		d.Close()
	})
	server, err := service.New(d, name, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := d.Listen(ctx, "tcp", "127.0.0.1:0", driver.ListenConfig{Stream: s})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			r, err := l.Accept(ctx)
			if err != nil {
				return
			}
			go server.Serve(ctx, r)
		}
	}()
	return d, l.Addr().String()
}
