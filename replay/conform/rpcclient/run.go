package rpcclient

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/rpc"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// Options configure a run.
type Options struct {
	Listen   string        // the address that the client connects to
	Server   string        // the address of the server that executes its Calls
	Patience time.Duration // how long to wait for a Call that a case can use, and then for what the client does; 0 for a minute

	Listening func(net.Addr)                              // called when the client can connect; nil for nothing
	Begin     func(conform.Question) func(driver.Traffic) // called when a case begins; returns the tap of its connections; nil for none
	Done      func(*conform.Result)                       // called when a case is over; nil for nothing
	Expect    *conform.Expectations                       // known failures; nil for none
}

// The time limits.
const (
	defaultPatience = time.Minute
	toConnect       = 10 * time.Second // to the server
	toClose         = 2 * time.Second  // after which a connection is reset
	toRead          = time.Second      // for the client, before the connection is closed after an altered answer
)

// A ServerError says why the server cannot be reached that executes the client's Calls.
type ServerError struct{ Err error }

// Error returns why, as driver.Device.Dial does.
func (e *ServerError) Error() string {
	return "rpcclient: the server cannot be reached: " + e.Err.Error()
}

// Unwrap returns e.Err.
func (e *ServerError) Unwrap() error { return e.Err }

// A SilentError says that the client makes no Call any more.
type SilentError struct {
	Since string // the id of the last case in which it made one, or of the one after whose answer it made none
}

// Error names the case.
func (e *SilentError) Error() string { return "the client has made no Call since " + e.Since }

// mostSilent is the number of cases in a row without a Call after which the run ends, if there was one before.
const mostSilent = 2

// A run asks the cases, one after the other.
type run struct {
	Options
	front, back *driver.Device
	ctx         context.Context
	since       string // the case that a SilentError names; empty before the first Call
	silent      int    // cases in a row without a Call

	mu    sync.Mutex
	asks  *sync.Cond      // a case is being asked, or ctx is done
	asked *askedCase      // nil between two cases
	gone  error           // why the server cannot be reached any more, or a *SilentError; nil if all is well
	taps  map[uint64]*tap // by the serial numbers of connections
}

// A tap is that of a connection.
type tap struct {
	of   *askedCase       // the case in which it is accepted; nil before
	held []driver.Traffic // until then
}

// An askedCase is a case that is being asked, with the connections that were accepted since it began.
type askedCase struct {
	*caseRun
	tap     func(driver.Traffic)
	conns   []*driver.Conn
	serving sync.WaitGroup
	refused error // by the server
}

// Run asks a client the cases. It returns when all are over, or soon after ctx is done, the server cannot be reached any more, or the client
// has made no Call in two cases, which Report.Gone says: the remaining ones are NotRun then. It fails if it cannot listen, and with a
// *ServerError.
func Run(ctx context.Context, questions []conform.Question, o Options) (*conform.Report, error) {
	o.Patience = cmp.Or(o.Patience, defaultPatience)
	begin := time.Now()
	r := &run{Options: o, taps: make(map[uint64]*tap)}
	r.asks = sync.NewCond(&r.mu)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	r.ctx = ctx
	context.AfterFunc(ctx, func() {
		r.mu.Lock() // else await may have seen ctx, and not wait yet
		defer r.mu.Unlock()
		r.asks.Broadcast()
	})
	var err error
	if r.front, err = driver.Open(driver.Config{Tap: r.tapped}); err != nil {
		return nil, err
	}
	defer r.front.Close()
	if r.back, err = driver.Open(driver.Config{}); err != nil {
		return nil, err
	}
	defer r.back.Close()
	if err := r.reach(); err != nil {
		return nil, &ServerError{err}
	}
	l, err := r.front.Listen(ctx, "tcp", o.Listen, driver.ListenConfig{})
	if err != nil {
		return nil, err
	}
	if o.Listening != nil {
		o.Listening(l.Addr())
	}
	var accepting sync.WaitGroup
	accepting.Go(func() { r.accept(l) })
	report := &conform.Report{Service: conform.RPCClientService, Side: scenario.Server, Profile: "rfc", Results: make([]conform.Result, len(questions))}
	for i, q := range questions {
		result := &report.Results[i]
		result.Question = q
		r.one(result)
		if !result.Dead { // to hang is worse than what is known
			o.Expect.Apply(result)
		}
		if o.Done != nil {
			o.Done(result)
		}
	}
	stop()
	l.Close()
	accepting.Wait()
	report.Took, report.Gone = time.Since(begin), r.gone
	return report, nil
}

// reach returns why the server cannot be reached; nil if it can.
func (r *run) reach() error {
	ctx, cancel := context.WithTimeout(r.ctx, toConnect)
	defer cancel()
	conn, err := r.back.Dial(ctx, "tcp", r.Server, driver.ConnConfig{})
	if err != nil {
		return err
	}
	return conn.Close()
}

// one asks a case.
func (r *run) one(result *conform.Result) {
	c := find(result.Question)
	switch {
	case c == nil:
		result.Detail = "only for the service " + result.Section.Service.String()
		return
	case r.ctx.Err() != nil:
		result.Detail = "interrupted"
		return
	case r.lost() != nil:
		result.Detail = "the server cannot be reached any more"
		if r.silent == mostSilent {
			result.Detail = "the client makes no Call any more"
		}
		return
	}
	begin := time.Now()
	moved := make(chan struct{}, 1)
	a := &askedCase{caseRun: newCaseRun(c, func() {
		select {
		case moved <- struct{}{}:
		default:
		}
	})}
	if r.Begin != nil {
		a.tap = r.Begin(result.Question)
	}
	r.setAsked(a)
	late, closing := time.NewTimer(r.Patience), time.NewTimer(math.MaxInt64)
	defer late.Stop()
	defer closing.Stop()
	for waiting := true; waiting; {
		select {
		case <-a.over:
			waiting = false
		case <-moved:
			late.Reset(r.Patience)
			if a.closing() {
				closing.Reset(toRead)
			}
		case <-closing.C:
			r.each(a, (*driver.Conn).Close)
		case <-late.C:
			a.late()
		case <-r.ctx.Done():
			a.interrupt()
		}
	}
	r.setAsked(nil)
	r.close(a)
	r.hears(a, result.ID())
	result.Took = time.Since(begin)
	result.Verdict, result.Detail = a.verdict, a.actual
	switch {
	case result.Verdict == conform.Fail:
		result.Conn, result.Expected, result.Actual, result.Dead = "client", c.Due.String(), a.actual, a.silent
	case result.Verdict == conform.NotRun && a.refused != nil:
		result.Verdict, result.Detail = conform.Error, a.refused.Error()
	}
}

// hears notes whether the client has made Calls in a case. After several in a row without one, the client has crashed or hangs.
func (r *run) hears(a *askedCase, id string) {
	if a.active {
		r.since, r.silent = id, 0
	}
	if a.silent && r.since != "" {
		r.silent++
	}
	if r.silent == mostSilent {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.gone = cmp.Or[error](r.gone, &SilentError{r.since})
	}
}

// lost returns why the run cannot go on; nil if it can.
func (r *run) lost() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.gone
}

// refuse notes that a connection of the client was not served. If that is because of the server, the case is over.
func (r *run) refuse(a *askedCase, err error) {
	gone := r.reach()
	if r.ctx.Err() != nil {
		gone = nil
	}
	r.mu.Lock()
	a.refused, r.gone = cmp.Or(gone, err), cmp.Or(r.gone, gone)
	r.mu.Unlock()
	if gone != nil {
		a.interrupt()
	}
}

// setAsked says for which case connections are accepted; nil for none.
func (r *run) setAsked(a *askedCase) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.asked = a
	r.asks.Broadcast()
}

// await returns the case in which a connection is accepted: the one that is being asked, or the next one; nil if there is none any more.
func (r *run) await(serial uint64) *askedCase {
	r.mu.Lock()
	defer r.mu.Unlock()
	for r.asked == nil && r.ctx.Err() == nil {
		r.asks.Wait()
	}
	if r.asked != nil {
		r.asked.serving.Add(1)
		r.tap(serial).of = r.asked
	}
	return r.asked
}

// each does something to the connections of a case.
func (r *run) each(a *askedCase, do func(*driver.Conn) error) {
	r.mu.Lock()
	conns := slices.Clone(a.conns)
	r.mu.Unlock()
	for _, c := range conns { // which calls the tap
		do(c)
	}
}

// close closes the connections of a case that is over.
func (r *run) close(a *askedCase) {
	r.each(a, (*driver.Conn).Close)
	hasty := time.AfterFunc(toClose, func() { r.each(a, (*driver.Conn).Abort) })
	defer hasty.Stop()
	a.serving.Wait()
	r.mu.Lock()
	defer r.mu.Unlock()
	maps.DeleteFunc(r.taps, func(_ uint64, t *tap) bool { return t.of == a })
}

// accept serves clients until the listener is closed.
func (r *run) accept(l *driver.Listener) {
	for {
		request, err := l.Accept(r.ctx)
		if err != nil {
			return
		}
		a := r.await(request.Serial())
		if a == nil {
			request.Reject(nil)
			continue
		}
		go func() {
			defer a.serving.Done()
			if err := r.serve(a, request); err != nil {
				r.refuse(a, err)
			}
		}()
	}
}

// serve serves a connection of the client.
func (r *run) serve(a *askedCase, request *driver.Request) error {
	l := a.line()
	f := &service.Forwarding{
		Device: r.back, Address: r.Server, Timeout: toConnect, Options: rpc.Options{Versions: []uint32{rpcrdma.Vers1}},
		Opened: func(client, _ *driver.Conn) {
			r.mu.Lock()
			defer r.mu.Unlock()
			a.conns = append(a.conns, client)
		},
	}
	s, err := service.New(r.front, "rpc", service.Options{RPC: l.options(), Program: f.Program, Observe: func(e service.Event) {
		if e.Type == service.Ended {
			l.ended(e.Err)
		}
	}})
	if err != nil {
		return err
	}
	return s.Serve(r.ctx, request)
}

// tap is that of a connection.
func (r *run) tap(serial uint64) *tap {
	t := r.taps[serial]
	if t == nil {
		t = new(tap)
		r.taps[serial] = t
	}
	return t
}

// tapped takes the traffic of the client's connections, and holds that of one which is not accepted yet.
func (r *run) tapped(traffic driver.Traffic) {
	if r.Begin == nil {
		return
	}
	serial := traffic.Conn.Serial()
	r.mu.Lock()
	t := r.tap(serial)
	of, held := t.of, t.held
	switch {
	case of != nil:
		t.held = nil
	case traffic.End == mpa.GoesOn:
		traffic.Octets = bytes.Clone(traffic.Octets)
		t.held = append(t.held, traffic)
	default: // nobody will accept it
		delete(r.taps, serial)
	}
	r.mu.Unlock()
	if of == nil || of.tap == nil {
		return
	}
	for _, before := range held {
		of.tap(before)
	}
	of.tap(traffic)
}
