package live

// Rounds: all connections of a Scenario, once or several times.

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

type run struct {
	options Options
	dials   bool             // it makes connections rather than accepting them
	conns   []*scenario.Conn // in the order in which they begin
	slots   chan struct{}    // one for each connection that is being played
	serial  int              // connections established so far
	result  Result
	refused error // why the first missing connection could not be established

	mu       sync.Mutex
	progress Progress
	changed  time.Time // when progress last changed; while no connection is played, since when
}

func newRun(s *scenario.Scenario, o Options, dials bool) *run {
	o.defaults()
	r := &run{options: o, dials: dials, conns: slices.Clone(s.Conns), slots: make(chan struct{}, o.MaxConns)}
	slices.SortStableFunc(r.conns, func(a, b *scenario.Conn) int { return cmp.Compare(a.At, b.At) })
	r.result.Report.Title = s.Title
	r.progress = Progress{Rounds: o.Rounds, Conns: len(s.Conns)}
	for _, c := range r.conns {
		r.progress.Steps += len(c.Steps)
	}
	return r
}

type round struct {
	*run
	number int // from 1
	begin  time.Time
	each   []*playing
}

type playing struct {
	conn    *scenario.Conn
	over    chan struct{} // closed when outcome is set
	outcome *outcome.Conn
}

// An opener establishes connection i of a round.
type opener func(ctx context.Context, r *round, i int) (net.Conn, error)

func (r *run) play(ctx context.Context, open opener) (*Result, error) {
	defer r.report(ctx)()
	for n := 1; n <= r.options.Rounds && (n == 1 || ctx.Err() == nil); n++ {
		r.result.Report.AddRound(r.once(ctx, n, open), r.options.Rounds)
	}
	if r.result.Connected == 0 && r.refused != nil && ctx.Err() == nil {
		return &r.result, r.refused
	}
	return &r.result, nil
}

func (r *run) once(ctx context.Context, n int, open opener) []*outcome.Conn {
	one := &round{run: r, number: n, begin: time.Now(), each: make([]*playing, len(r.conns))}
	r.update(func(p *Progress) { p.Round, p.Begun, p.Over, p.Done = n, 0, 0, 0 })
	for i, c := range r.conns {
		one.each[i] = &playing{conn: c, over: make(chan struct{})}
	}
	var all sync.WaitGroup
	var failed error
	for i, p := range one.each {
		if failed == nil {
			var nc net.Conn
			if nc, failed = one.open(ctx, open, i); failed == nil {
				c := one.newConn(p.conn, nc)
				all.Go(func() { one.conn(ctx, p, c) })
				continue
			}
		}
		p.outcome = r.missing(p.conn, failed)
		close(p.over)
	}
	all.Wait()
	outcomes := make([]*outcome.Conn, len(one.each))
	for i, p := range one.each {
		outcomes[i] = p.outcome
	}
	return outcomes
}

// open establishes a connection when there is room for it.
func (r *round) open(ctx context.Context, open opener, i int) (net.Conn, error) {
	select {
	case r.slots <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	nc, err := open(ctx, r, i)
	if err == nil {
		r.result.Connected++
		r.serial++
		r.update(func(p *Progress) { p.Begun++ })
		return nc, nil
	}
	<-r.slots
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if r.refused == nil {
		r.refused = err
	}
	r.options.Logger.LogAttrs(ctx, slog.LevelWarn, "no connection", slog.String("conn", r.conns[i].Name), slog.String("error", err.Error()))
	return nil, err
}

func (r *round) conn(ctx context.Context, p *playing, c *conn) {
	c.log(ctx, "connection begins")
	p.outcome = c.play(ctx)
	s := p.outcome.Summary()
	attrs := []slog.Attr{slog.Bool("passed", s.Passed())}
	if end := p.outcome.End; end != "" {
		attrs = append(attrs, slog.String("error", end))
	}
	c.log(ctx, "connection is over", attrs...)
	r.update(func(p *Progress) {
		p.Over++
		if c.answered {
			r.result.Answered++
		}
	})
	<-r.slots
	close(p.over)
}

// update changes what Progress is given.
func (r *run) update(change func(*Progress)) {
	r.mu.Lock()
	defer r.mu.Unlock()
	change(&r.progress)
	r.changed = time.Now()
}

// missing returns the Outcome of a connection that was not established.
func (r *run) missing(c *scenario.Conn, err error) *outcome.Conn {
	o := *player.New(c, r.options.Role, r.options.Player).Outcome()
	o.End = "not established: " + cause(err)
	if errors.Is(err, context.Canceled) {
		o.End = interrupted
	}
	return &o
}

const interrupted = "interrupted"

// cause returns the text of an error without addresses, which are shown elsewhere.
func cause(err error) string {
	var call *net.OpError
	if errors.As(err, &call) {
		err = call.Err
	}
	var system *os.SyscallError
	if errors.As(err, &system) {
		err = system.Err
	}
	return err.Error()
}

// beat is the time between two calls of Progress.
const beat = 200 * time.Millisecond

// report starts calling Progress, and returns a function that stops it.
func (r *run) report(ctx context.Context) (end func()) {
	if r.options.Progress == nil {
		return func() {}
	}
	var ticking sync.WaitGroup
	ctx, cancel := context.WithCancel(ctx)
	ticking.Go(func() {
		t := time.NewTicker(beat)
		defer t.Stop()
		for {
			select {
			case <-t.C:
				r.mu.Lock()
				p := r.progress
				r.mu.Unlock()
				r.options.Progress(p)
			case <-ctx.Done():
				return
			}
		}
	})
	return func() {
		cancel()
		ticking.Wait()
	}
}
