package service_test

import (
	"errors"
	"slices"
	"sync"
	"testing"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// open opens a Device that is closed with the test.
func open(t testing.TB) *driver.Device {
	t.Helper()
	d, err := driver.Open(driver.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// openSmall opens a Device with room for a service with one connection, and for little else.
func openSmall(t testing.TB) *driver.Device {
	t.Helper()
	limits := rnicsim.DefaultLimits
	limits.PDs, limits.MRs, limits.QPs, limits.CQs = 3, 11, 2, 2
	d, err := driver.Open(driver.Config{RNIC: rnicsim.Config{Limits: limits}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

// A running is a server that serves connections until the test ends.
type running struct {
	address string
	mu      sync.Mutex
	events  []service.Event
	came    sync.Cond  // there are more events
	ended   chan error // of each connection
}

// await waits until the service was given so many messages, or a connection has ended.
func (r *running) await(messages int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	enough := func(e service.Event) bool { return e.Type == service.Ended || int(e.Messages) >= messages }
	for !slices.ContainsFunc(r.events, enough) {
		r.came.Wait()
	}
}

// run runs a server.
func run(t testing.TB, name string, o service.Options) *running {
	t.Helper()
	d := open(t)
	r := &running{ended: make(chan error, 64)}
	r.came.L = &r.mu
	if o.Observe == nil {
		o.Observe = func(e service.Event) {
			r.mu.Lock()
			defer r.mu.Unlock()
			r.events = append(r.events, e)
			r.came.Broadcast()
			if e.Type == service.Ended {
				r.ended <- e.Err
			}
		}
	}
	s, err := service.New(d, name, o)
	if err != nil {
		t.Fatal(err)
	}
	l, err := d.Listen(t.Context(), "tcp", "127.0.0.1:0", driver.ListenConfig{})
	if err != nil {
		t.Fatal(err)
	}
	r.address = l.Addr().String()
	go func() {
		for {
			request, err := l.Accept(t.Context())
			if err != nil {
				return
			}
			go s.Serve(t.Context(), request)
		}
	}()
	return r
}

// A caller is a client written with verbs only, as a reader of docs/services.md would do.
type caller struct {
	*driver.Conn
	t      testing.TB
	offer  service.Offer
	memory []byte // for all that is sent and comes
	sge    rnicsim.SGE
	done   []rnicsim.Completion // that nobody has waited for yet
}

const clientMemory = 1 << 16

// dial connects, with a number of Receives into the memory of the client, one after the other and 64 octets each.
func dial(t testing.TB, r *running, receives int) *caller {
	t.Helper()
	return dialFrom(t, open(t), r, receives, rnicsim.QPConfig{})
}

// dialFrom returns dial with a Device and a QP.
func dialFrom(t testing.TB, d *driver.Device, r *running, receives int, qp rnicsim.QPConfig) *caller {
	t.Helper()
	c := &caller{t: t, memory: make([]byte, clientMemory)}
	conn, err := d.Dial(t.Context(), "tcp", r.address, driver.ConnConfig{QP: qp, Prepare: c.prepare(receives)})
	if err != nil {
		t.Fatal(err)
	}
	c.Conn = conn
	reply := conn.Reply()
	c.offer.Decode(reply.ULPPrivateData())
	return c
}

// prepare registers the memory and posts Receives.
func (c *caller) prepare(receives int) func(*driver.Conn) error {
	return func(conn *driver.Conn) error {
		stag, to, err := conn.Register(c.memory, rnicsim.LocalRead|rnicsim.LocalWrite|rnicsim.RemoteRead|rnicsim.RemoteWrite)
		c.sge = rnicsim.SGE{STag: stag, TO: to}
		for i := range receives {
			err = errors.Join(err, conn.PostReceive(rnicsim.WorkRequest{ID: uint64(i), SGL: c.sgl(64*i, 64)}))
		}
		return err
	}
}

// sgl names octets of the client's memory.
func (c *caller) sgl(at, n int) []rnicsim.SGE {
	return []rnicsim.SGE{{STag: c.sge.STag, TO: c.sge.TO + uint64(at), Len: uint32(n)}}
}

// post posts Work Requests to the Send Queue.
func (c *caller) post(wrs ...rnicsim.WorkRequest) {
	c.t.Helper()
	if err := c.Post(wrs...); err != nil {
		c.t.Fatal(err)
	}
}

// wait waits for the completion of n Work Requests of one kind.
func (c *caller) wait(op rnicsim.Op, n int) (found []rnicsim.Completion) {
	c.t.Helper()
	for {
		left := c.done[:0]
		for _, d := range c.done {
			if d.Op == op && len(found) < n {
				found = append(found, d)
			} else {
				left = append(left, d)
			}
		}
		if c.done = left; len(found) == n {
			return found
		}
		var done [8]rnicsim.Completion
		got, err := c.Wait(c.t.Context(), done[:])
		if err != nil {
			c.t.Fatal(err)
		}
		for _, d := range done[:got] {
			if d.Status != rnicsim.Success {
				c.t.Fatalf("%v: %v", d.Op, d.Status)
			}
		}
		c.done = append(c.done, done[:got]...)
	}
}

// finish closes the connection and returns why it ended at the server.
func (c *caller) finish(r *running) error {
	c.t.Helper()
	c.Close()
	<-c.Done()
	return <-r.ended
}
