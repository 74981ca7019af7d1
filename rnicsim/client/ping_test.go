package client_test

import (
	"context"
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

func TestPing(t *testing.T) {
	address := serve(t, "rping", service.Options{}, driver.Config{}, driver.ListenConfig{})
	d := open(t, driver.Config{})
	for _, size := range []int{0, 1, 2, 17, 64, 1000, 1 << 20} {
		p, err := client.DialPinger(t.Context(), d, "tcp", address, size, driver.ConnConfig{})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if took, err := p.Ping(t.Context()); err != nil || took <= 0 {
				t.Fatalf("size %d: %v, %v", size, took, err)
			}
		}
		if err := p.Close(t.Context()); err != nil {
			t.Errorf("size %d: %v", size, err)
		}
	}
}

// A peer whose Private Data announces another service is refused before anything is sent.
func TestOtherServices(t *testing.T) {
	for _, of := range service.Services() {
		address := serve(t, of.Name, service.Options{}, driver.Config{}, driver.ListenConfig{})
		d := open(t, driver.Config{})
		_, ping := client.DialPinger(t.Context(), d, "tcp", address, 0, driver.ConnConfig{})
		_, call := client.DialRPCPinger(t.Context(), d, "tcp", address, client.Procedure{RDMA: 1}, driver.ConnConfig{})
		_, meter := client.DialMeter(t.Context(), d, "tcp", address, client.MeterConfig{Size: 1, Depth: 1})
		for wants, err := range map[string]error{"rping": ping, "rpc": call, "sink": meter} {
			fits := of.Name == "rping" || wants == of.Name || wants == "sink" && (of.Name == "echo" || of.Name == "memory")
			var other *client.ServiceError
			if errors.As(err, &other) == fits || !fits && *other != (client.ServiceError{Runs: of.Name, Wants: wants}) {
				t.Errorf("%s, but %s is needed: %v", of.Name, wants, err)
			}
		}
	}
}

// Octets that change on the way are noticed where there are no CRCs.
func TestPingNoticesWrongOctets(t *testing.T) {
	quiet := rnicsim.StreamConfig{Rev: 1}
	spoil, err := fault.Parse("flip-payload:Write")
	if err != nil {
		t.Fatal(err)
	}
	address := serve(t, "rping", service.Options{}, driver.Config{Faults: []fault.Fault{spoil}}, driver.ListenConfig{Stream: quiet})
	p, err := client.DialPinger(t.Context(), open(t, driver.Config{}), "tcp", address, 0, driver.ConnConfig{Stream: quiet})
	if err != nil {
		t.Fatal(err)
	}
	var wrong *client.MismatchError
	if _, err := p.Ping(t.Context()); !errors.As(err, &wrong) || wrong.Size != 64 || wrong.Wrong != 1 {
		t.Errorf("Ping: %v", err)
	}
}

// A server that closes is reported as the end of the connection.
func TestPingOfOneWhoCloses(t *testing.T) {
	d := open(t, driver.Config{})
	l, err := d.Listen(t.Context(), "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	go func() {
		r, _ := l.Accept(t.Context())
		c, err := r.Accept(t.Context(), driver.ConnConfig{Prepare: func(c *driver.Conn) error {
			return c.PostReceive(rnicsim.WorkRequest{})
		}})
		if err == nil {
			c.Close()
		}
	}()
	p, err := client.DialPinger(t.Context(), open(t, driver.Config{}), "tcp", l.Addr().String(), 0, driver.ConnConfig{})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first may still be sent
		if _, err = p.Ping(t.Context()); err != nil {
			break
		}
	}
	if err == nil || errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("Ping: %v", err)
	}
}

// If the server may not read, nothing is begun.
func TestPingWithoutIRD(t *testing.T) {
	c := driver.ConnConfig{QP: rnicsim.QPConfig{IRD: -1}}
	if _, err := client.DialPinger(t.Context(), open(t, driver.Config{}), "tcp", "127.0.0.1:1", 0, c); err != client.ErrNoIRD {
		t.Error(err)
	}
}
