package service_test

import (
	"errors"
	"net"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// An awaited peer is one that a service connects to.
type awaited struct {
	*running
	server   *service.Server
	listener *driver.Listener
}

// await makes a service that is to connect, and a peer that listens.
func await(t *testing.T, name string) *awaited {
	t.Helper()
	a := &awaited{running: &running{ended: make(chan error, 64)}}
	var err error
	a.server, err = service.New(openSmall(t), name, service.Options{Observe: func(e service.Event) {
		if e.Type == service.Ended {
			a.ended <- e.Err
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if a.listener, err = open(t).Listen(t.Context(), "tcp", "127.0.0.1:0", driver.ListenConfig{}); err != nil {
		t.Fatal(err)
	}
	return a
}

// initiate has the service connect; its error is sent when it ends.
func (a *awaited) initiate(t *testing.T) <-chan error {
	t.Helper()
	nc, err := net.Dial("tcp", a.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	result := make(chan error, 1)
	go func() { result <- a.server.Initiate(t.Context(), nc, rnicsim.StreamConfig{}) }()
	return result
}

// accept accepts a connection.
func (a *awaited) accept(t *testing.T) *tester {
	t.Helper()
	request, err := a.listener.Accept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	c := &caller{t: t, memory: make([]byte, clientMemory)}
	c.Conn, err = request.Accept(t.Context(), driver.ConnConfig{Prepare: c.prepare(testerReceives)})
	if err != nil {
		t.Fatal(err)
	}
	return newTester(t, c, c.Request())
}

func TestConformInitiates(t *testing.T) {
	a := await(t, "conform")
	for range 5 { // of which the Device has room for one
		result := a.initiate(t)
		c := a.accept(t)
		request := c.Request()
		if want := (mpa.Enhanced{IRD: 16, ORD: 16}); request.Rev != mpa.Rev2 || !request.C || request.M || !enhanced(&request, want) {
			t.Errorf("the Request is %+v", request)
		}
		if hello := c.receive(); string(hello) != "\x00\x00\x00\x00" {
			t.Errorf("hello is % x", hello)
		}
		c.memory[testerMemory] = 'r'
		c.answered(c.there(service.DoRead, 1, 1, 5), service.ConformDone)
		if got := c.read(service.ConformData, 5, 1); string(got) != "r" {
			t.Errorf("data has %q", got)
		}
		if got := c.report(); got.Messages != 1 {
			t.Errorf("%+v", got)
		}
		if err := c.finish(a.running); err != nil {
			t.Error(err)
		}
		if err := <-result; err != nil {
			t.Error(err)
		}
	}
}

// enhanced reports whether a frame has such an Enhanced word.
func enhanced(f *mpa.Frame, want mpa.Enhanced) bool {
	var e mpa.Enhanced
	return f.Enhanced(&e) && e == want
}

func TestInitiateRejected(t *testing.T) {
	a := await(t, "conform")
	result := a.initiate(t)
	request, err := a.listener.Accept(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	request.Reject([]byte("no"))
	var rejected *driver.Rejected
	if err := <-result; !errors.As(err, &rejected) || string(rejected.Reply.ULPPrivateData()) != "no" {
		t.Error(err)
	}
}

// Services that wait for their clients do not begin.
func TestInitiateWaits(t *testing.T) {
	if err := <-await(t, "echo").initiate(t); !errors.Is(err, service.ErrWaits) {
		t.Error(err)
	}
}
