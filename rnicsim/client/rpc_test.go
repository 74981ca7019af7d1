package client_test

import (
	"context"
	"errors"
	"testing"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// The service rpc answers NULL of its program, and says why it does not answer others.
func TestRPCPing(t *testing.T) {
	one := service.Options{RPC: rpc.Options{Versions: []uint32{1}}}
	for _, test := range []struct {
		name    string
		options service.Options
		called  client.Procedure
		want    string
	}{
		{"version 1", service.Options{}, client.Procedure{RDMA: 1, Program: rpc.EchoProgram, Version: 1}, ""},
		{"version 2", service.Options{}, client.Procedure{RDMA: 2, Program: rpc.EchoProgram, Version: 1}, ""},
		{"not version 2", one, client.Procedure{RDMA: 2, Program: rpc.EchoProgram, Version: 1},
			"rpc: refused with ERR_VERS: version 2 is none of 1 to 1"},
		{"another program", one, client.Procedure{RDMA: 1, Program: oncrpc.ProgramNFS, Version: 4}, "client: the Reply is PROG_UNAVAIL"},
		{"another version", one, client.Procedure{RDMA: 1, Program: rpc.EchoProgram, Version: 2},
			"client: the Reply is PROG_MISMATCH: versions 1 to 1"},
	} {
		t.Run(test.name, func(t *testing.T) {
			address := serve(t, "rpc", test.options, driver.Config{}, driver.ListenConfig{})
			p, err := client.DialRPCPinger(t.Context(), open(t, driver.Config{}), "tcp", address, test.called, driver.ConnConfig{})
			if err != nil {
				t.Fatal(err)
			}
			for range 3 {
				took, err := p.Ping(t.Context())
				if took <= 0 || err == nil && test.want != "" || err != nil && err.Error() != test.want {
					t.Errorf("%v, %v", took, err)
				}
			}
			if err := p.Close(t.Context()); err != nil {
				t.Error(err)
			}
		})
	}
}

// A server of something else ends the connection.
func TestRPCPingOfOthers(t *testing.T) {
	address := serve(t, "rping", service.Options{}, driver.Config{}, driver.ListenConfig{})
	called := client.Procedure{RDMA: 1, Program: oncrpc.ProgramNFS, Version: 4}
	p, err := client.DialRPCPinger(t.Context(), open(t, driver.Config{}), "tcp", address, called, driver.ConnConfig{})
	if err != nil {
		t.Fatal(err)
	}
	var end *driver.Terminated
	if _, err := p.Ping(t.Context()); !errors.As(err, &end) || end.Local {
		t.Error(err)
	}
}

// A ping that is given up leaves its Call behind: the next one gets its own Reply.
func TestRPCPingGivenUp(t *testing.T) {
	called, release := make(chan bool, 9), make(chan bool)
	options := service.Options{RPC: rpc.Options{Tamper: func(*rpc.Outgoing) {
		called <- true
		<-release
	}}}
	address := serve(t, "rpc", options, driver.Config{}, driver.ListenConfig{})
	procedure := client.Procedure{RDMA: 1, Program: rpc.EchoProgram, Version: 1}
	p, err := client.DialRPCPinger(t.Context(), open(t, driver.Config{}), "tcp", address, procedure, driver.ConnConfig{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, giveUp := context.WithCancel(t.Context())
	go func() {
		<-called
		giveUp()
	}()
	if _, err := p.Ping(ctx); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	close(release)
	if _, err := p.Ping(t.Context()); err != nil {
		t.Error(err)
	}
	if err := p.Close(t.Context()); err != nil {
		t.Error(err)
	}
}

// What is no Call is not sent, and a Reply of any outcome is one. Both leave the connection as it was.
func TestRPCCall(t *testing.T) {
	address := serve(t, "rpc", service.Options{}, driver.Config{}, driver.ListenConfig{})
	c, err := client.DialRPC(t.Context(), open(t, driver.Config{}), "tcp", address, 1, driver.ConnConfig{})
	if err != nil {
		t.Fatal(err)
	}
	h := oncrpc.Call{XID: 7, RPCVers: oncrpc.Version, Prog: oncrpc.ProgramNFS, Vers: 4}
	message, _ := h.AppendBinary(nil)
	for _, test := range []struct {
		message []byte
		want    error
	}{{nil, rpc.ErrCall}, {message, nil}, {message[:3], rpc.ErrCall}, {message, nil}} {
		reply, err := c.Call(t.Context(), &rpc.Call{Message: test.message, Longest: 100})
		if !errors.Is(err, test.want) || (err == nil) != (reply != nil) {
			t.Errorf("%x: %v, %v", test.message, reply, err)
		}
		var answer oncrpc.Reply
		if err != nil {
			continue
		}
		if _, err := answer.Decode(reply.Message); err != nil || answer.XID != 7 || answer.AcceptStat != oncrpc.ProgUnavail {
			t.Errorf("%+v, %v", answer, err)
		}
	}
	if err := c.Close(t.Context()); err != nil {
		t.Error(err)
	}
}
