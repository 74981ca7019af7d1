package client_test

import (
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// open opens a Device that is closed with the test.
func open(t testing.TB, c driver.Config) *driver.Device {
	t.Helper()
	d, err := driver.Open(c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// serve runs a server until the test ends, and returns its address.
func serve(t testing.TB, name string, o service.Options, c driver.Config, l driver.ListenConfig) string {
	t.Helper()
	d := open(t, c)
	s, err := service.New(d, name, o)
	if err != nil {
		t.Fatal(err)
	}
	listener, err := d.Listen(t.Context(), "tcp", "127.0.0.1:0", l)
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		for {
			r, err := listener.Accept(t.Context())
			if err != nil {
				return
			}
			go s.Serve(t.Context(), r)
		}
	}()
	return listener.Addr().String()
}
