package conform

// The run: it plays each case against the peer.

import (
	"cmp"
	"context"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/live"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Options configure a run. Either Address or Listener is set.
type Options struct {
	Service  Service        // what the peer runs; cases for another service are NotRun
	Address  string         // of the peer, which we connect to
	Listener *live.Listener // which the peer connects to; it is left open
	Profile  *rules.Profile // checks the peer; nil for "rfc"
	Seed     uint64         // of random choices

	Crashers    bool          // run cases that are known to crash some peers even if they are not named
	GoOn        bool          // continue when the peer no longer answers
	Alone       bool          // judge each case alone, whatever others have shown of the peer
	StepTimeout time.Duration // how long the peer has to connect, and for a step; 0 for no limit, and for a few seconds that adapt to the peer

	Done   func(*Result)                       // called when a case is over, one call at a time; nil for none
	Tap    func(q Question) func(live.Traffic) // returns the Tap for a case; nil for none
	Expect *Expectations                       // known failures; nil for none
	Logger *slog.Logger                        // nil for none
}

// Time limits.
const (
	leastStep = 3 * time.Second
	mostStep  = 30 * time.Second
	patience  = time.Minute // for a timeout of its own

	// A peer that used up the time for a step has half of it for the next one, but not less than quickStep; and after
	// it has used up generous in total, not less than hastyStep.
	quickStep   = 500 * time.Millisecond
	generous    = 15 * time.Second
	hastyStep   = 100 * time.Millisecond
	impatiently = 4 // divides the patience each time
)

const aliveTries = 3

// The StepTimeout in round trips, and that of a peer that has exceeded its time.
const (
	stepTimes  = 200
	hastyTimes = 20
)

// rfcProfile checks peers by default.
var rfcProfile = &rules.RFC

// A run plays cases and collects their results.
type run struct {
	Options
	report   Report
	setup    Setup
	mu       sync.Mutex
	fixed    bool          // the StepTimeout does not adapt
	lost     time.Duration // the total time waited for steps that timed out
	patience time.Duration // for a timeout of the peer's own
	dead     string        // the id of the case after which the peer no longer answered
	stop     func()        // ends the running cases then
}

// Run plays cases, after a Survey of the peer. It returns when all are over, or soon after ctx is done; the remaining
// cases are NotRun then. It fails like Survey.
func Run(ctx context.Context, questions []Question, o Options) (*Report, error) {
	o.Profile = cmp.Or(o.Profile, rfcProfile)
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	side := scenario.Client
	if o.Listener != nil {
		side = scenario.Server
	}
	begin := time.Now()
	peer, deviations, err := survey(ctx, o.Service, side, o.connect, o.StepTimeout)
	if err != nil {
		return nil, err
	}
	r := &run{Options: o, patience: patience, setup: Setup{Side: side, Profile: o.Profile, Peer: *peer, Quiet: quiet(peer.RoundTrip)}}
	r.report = Report{Service: o.Service, Peer: *peer, Side: side, Profile: o.Profile.Name, Seed: o.Seed, Results: make([]Result, len(questions))}
	if !o.Alone {
		r.report.Deviations = deviations
	}
	if r.fixed = r.StepTimeout > 0; !r.fixed {
		r.StepTimeout = min(max(leastStep, stepTimes*peer.RoundTrip), mostStep).Round(time.Second) // texts have it
	}
	ctx, r.stop = context.WithCancel(ctx)
	defer r.stop()
	r.all(ctx, questions)
	r.report.Dependences = r.report.dependences()
	r.report.Took = time.Since(begin)
	return &r.report, nil
}

// quiet returns how long a peer must send nothing to count as silent.
func quiet(roundTrip time.Duration) time.Duration {
	return min(max(20*roundTrip, 50*time.Millisecond), time.Second)
}

func (o *Options) connect(ctx context.Context) (net.Conn, error) {
	if o.Listener == nil {
		var d net.Dialer
		return d.DialContext(ctx, "tcp", o.Address)
	}
	var by time.Time
	if o.StepTimeout > 0 {
		by = time.Now().Add(o.StepTimeout)
	}
	return o.Listener.Accept(ctx, by)
}

// all plays all cases one after the other. If we make the connections, the Patient ones run in parallel.
func (r *run) all(ctx context.Context, questions []Question) {
	var beside sync.WaitGroup
	for i, q := range questions {
		result := &r.report.Results[i]
		result.Question = q
		if q.Patient && r.Listener == nil {
			beside.Go(func() { r.one(ctx, result) })
		}
	}
	for i, q := range questions {
		if !q.Patient || r.Listener != nil {
			r.one(ctx, &r.report.Results[i])
		}
	}
	beside.Wait()
}

func (r *run) one(ctx context.Context, result *Result) {
	begin := time.Now()
	r.ask(ctx, result)
	result.Took = time.Since(begin)
	r.Expect.Apply(result)
	r.mu.Lock()
	defer r.mu.Unlock()
	if result.Dead && r.dead == "" && !r.GoOn {
		r.dead = result.ID()
		r.stop()
	}
	r.adapt(result)
	r.Logger.LogAttrs(ctx, slog.LevelInfo, "case is over", slog.String("case", result.ID()), slog.String("verdict", result.Verdict.String()),
		slog.String("detail", result.Detail))
	if r.Done != nil {
		r.Done(result)
	}
}

// adapt gives a peer that let a step time out less time for the next ones. Otherwise a run could take hours.
func (r *run) adapt(result *Result) {
	step, patience := r.times(result.Question)
	if r.fixed || result.Verdict != Fail || result.Took < patience {
		return
	}
	if result.Patient {
		r.patience /= impatiently
		return
	}
	r.lost += result.Took
	roundTrip := r.setup.Peer.RoundTrip
	least := max(quickStep, stepTimes*roundTrip)
	if r.lost > generous {
		least = max(hastyStep, hastyTimes*roundTrip)
	}
	r.StepTimeout = min(step, max(step/2, least))
}

// times returns how long the peer has for a step of a case, and for one that waits for a timeout of its own.
func (r *run) times(q Question) (step, patience time.Duration) {
	if q.Patient {
		return r.StepTimeout, max(r.StepTimeout, r.patience)
	}
	return r.StepTimeout, r.StepTimeout
}

// ask plays a case, if possible.
func (r *run) ask(ctx context.Context, result *Result) {
	q, s := result.Question, r.setup
	s.Rand = Random(r.Seed, q.ID())
	if result.Detail = r.obstacle(ctx, q); result.Detail != "" {
		return
	}
	if lacks := q.Need &^ s.Peer.Has(); lacks != 0 {
		result.Verdict, result.Detail = Unsupported, "the peer does not support "+lacks.String()
		return
	}
	text, err := Build(q, &s)
	switch {
	case err != nil:
		result.Verdict, result.Detail = Error, err.Error()
	case text == nil:
		result.Verdict, result.Detail = Unsupported, "skipped: only for "+cmp.Or(q.For, "other peers")
	case s.unfit(text) != "":
		result.Verdict, result.Detail = Unsupported, s.unfit(text)
	default:
		result.Scenario = text
		for r.play(ctx, result); r.learn(result); r.play(ctx, result) {
			result.Verdict, result.Detail, result.Conn, result.Expected, result.Actual, result.Dead = NotRun, "", "", "", "", false
		}
	}
}

// obstacle says why a case is not run; empty if it is.
func (r *run) obstacle(ctx context.Context, q Question) string {
	if why := r.ended(ctx); why != "" {
		return why
	}
	switch {
	case q.Section.Service != r.Service:
		return fmt.Sprintf("only for the service %v", q.Section.Service)
	case !q.Role.Takes(r.setup.Side):
		return fmt.Sprintf("only for a peer that is the %s", initiatorOr(q.Role == AsResponder))
	case q.Crasher && !r.Crashers && !q.Named:
		return "it crashes some peers: name it to run it"
	}
	return ""
}

// ended says why no more cases are run; empty if they are.
func (r *run) ended(ctx context.Context) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case r.dead != "":
		return "the peer has not answered since " + r.dead
	case ctx.Err() != nil:
		return "interrupted"
	}
	return ""
}

func initiatorOr(initiator bool) string {
	if initiator {
		return "Initiator"
	}
	return "Responder"
}

// play plays the connections of a case, up to the first one that fails, and then the one called alive. A peer that cannot even be
// reached has not failed the case.
func (r *run) play(ctx context.Context, result *Result) {
	var conns []*outcome.Conn
	var tap func(live.Traffic)
	reached := false
	if r.Tap != nil {
		tap = r.Tap(result.Question)
	}
	r.mu.Lock()
	result.taken = len(r.report.Deviations)
	r.mu.Unlock()
	last := len(result.Scenario.Conns) - 1
	for i, c := range result.Scenario.Conns {
		if i < last && len(conns) > 0 && !passed(conns[len(conns)-1]) {
			continue
		}
		played, err := r.tried(ctx, result, c, numbered(tap, i+1))
		switch {
		case ctx.Err() != nil:
			result.Verdict, result.Detail = NotRun, r.ended(ctx)
			return
		case err != nil && (played == nil || len(played.Report.Conns) == 0):
			result.Verdict, result.Detail = Error, err.Error()
			return
		}
		if reached = reached || err == nil; i == last && !reached {
			r.lose(result, err)
			return
		}
		conns = append(conns, played.Report.Conns...)
	}
	result.judge(conns, r.Profile)
	if !passed(conns[len(conns)-1]) {
		result.dies()
	}
}

// lose ends a case because the peer could not be reached.
func (r *run) lose(result *Result, err error) {
	result.Verdict, result.Detail, result.Dead = Error, "the peer went away: "+err.Error(), true
	r.mu.Lock()
	defer r.mu.Unlock()
	r.report.Gone = cmp.Or(r.report.Gone, err)
}

// tried plays a connection of a case. It retries the last one, because a peer that loses one connection is not dead,
// and an unexpected connection from elsewhere that sends nothing.
func (r *run) tried(ctx context.Context, result *Result, c *scenario.Conn, tap func(live.Traffic)) (*live.Result, error) {
	for n := 1; ; n++ {
		played, err := r.conn(ctx, result, c, tap)
		again := c.Name == alive && n < aliveTries
		if err == nil && len(played.Report.Conns) > 0 {
			one := played.Report.Conns[0]
			again = !passed(one) && (again || r.Listener != nil && n <= maxUnknown && silent(one))
		}
		if !again || ctx.Err() != nil {
			return played, err
		}
	}
}

// silent reports whether nothing was received over a connection.
func silent(c *outcome.Conn) bool {
	return !slices.ContainsFunc(c.Steps, func(s outcome.Step) bool {
		return s.Expected == nil || s.Expected.Side != c.Role && s.Verdict != outcome.NotReached
	})
}

func (r *run) conn(ctx context.Context, result *Result, c *scenario.Conn, tap func(live.Traffic)) (*live.Result, error) {
	r.mu.Lock()
	step, patience := r.times(result.Question)
	r.mu.Unlock()
	if c.Name == alive {
		if !r.fixed { // the rest depends on this connection
			step = max(step, leastStep)
		}
		patience = step
	}
	o := live.Options{
		Role: r.setup.Side, Logger: r.Logger, Tap: tap, Patience: step,
		Player: player.Options{Profile: r.Profile, StepTimeout: patience, Deviations: r.deviations(result.Question, c.Name)},
	}
	one := &scenario.Scenario{Title: result.Scenario.Title, Conns: []*scenario.Conn{c}}
	if r.Listener == nil {
		return live.Dial(ctx, r.Address, one, o)
	}
	return live.Serve(ctx, r.Listener, one, o)
}

// numbered returns a tap that numbers the connections of a case.
func numbered(tap func(live.Traffic), n int) func(live.Traffic) {
	if tap == nil {
		return nil
	}
	return func(t live.Traffic) {
		t.Conn = n
		tap(t)
	}
}

func passed(c *outcome.Conn) bool { return c.First() == nil && c.End == "" }
