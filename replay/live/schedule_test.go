package live

import (
	"net"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// conns returns connections that begin and end at the given times.
func conns(times ...[2]time.Duration) *scenario.Scenario {
	s := new(scenario.Scenario)
	for i, t := range times {
		s.Conns = append(s.Conns, &scenario.Conn{Name: string(rune('a' + i)), At: t[0], Steps: []*scenario.Step{
			{Number: 1, Side: scenario.Server, At: t[1] - t[0], Do: scenario.FIN{}},
		}})
	}
	return s
}

// A connection waits for those that were over when it began, unless an earlier one waits for them.
func TestOrder(t *testing.T) {
	r := newRun(conns([2]time.Duration{4, 9}, [2]time.Duration{0, 3}, [2]time.Duration{1, 2}, [2]time.Duration{1, 8}, [2]time.Duration{8, 8}), Options{}, true)
	var names string
	for _, c := range r.conns {
		names += c.Name
	}
	d := dialer{before: make([][]int, len(r.conns))}
	d.order(r.conns)
	if want := [][]int{nil, nil, nil, {1, 0}, {2}}; names != "bcdae" || !slices.EqualFunc(d.before, want, slices.Equal) {
		t.Errorf("%s: %v", names, d.before)
	}
}

// accepted closes the connections that it accepts, each when hold returns. It returns when each came, and when it was
// closed.
func accepted(t *testing.T, n int, hold func(i int)) (address string, times func() (came, closed []time.Time)) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	came, closed := make([]time.Time, n), make([]time.Time, n)
	var all sync.WaitGroup
	all.Go(func() {
		for i := range n {
			c, err := l.Accept()
			if err != nil {
				return
			}
			came[i] = time.Now()
			all.Go(func() {
				hold(i)
				closed[i] = time.Now()
				c.Close()
			})
		}
	})
	return l.Addr().String(), func() ([]time.Time, []time.Time) {
		all.Wait()
		return came, closed
	}
}

// With a Speed connections begin at their times. Without one, those that followed each other do so, and those that were open
// at the same time are so again.
func TestSchedule(t *testing.T) {
	const ms = time.Millisecond
	s := conns([2]time.Duration{0, 100 * ms}, [2]time.Duration{10 * ms, 110 * ms}, [2]time.Duration{400 * ms, 500 * ms})
	address, times := accepted(t, 3, func(int) {})
	begin := time.Now()
	if _, err := Dial(t.Context(), address, s, Options{Player: player.Options{Speed: 2}}); err != nil {
		t.Fatal(err)
	}
	came, _ := times()
	if gap := came[2].Sub(begin); gap < 200*ms {
		t.Errorf("the third one came %v after the beginning", gap)
	}

	var both sync.WaitGroup // the first two, which are open at the same time
	both.Add(2)
	address, times = accepted(t, 3, func(i int) {
		if i < 2 {
			both.Done()
			both.Wait()
		}
	})
	r, err := Dial(t.Context(), address, s, Options{})
	if s := r.Report.Summary(); err != nil || s.Exact != 3 {
		t.Error(err, s)
	}
	came, closed := times()
	if came[2].Before(closed[0]) || came[2].Before(closed[1]) {
		t.Error(came, closed)
	}
}

// Progress is called again and again while connections are played: the peer closes each only after two reports of it.
func TestProgress(t *testing.T) {
	s := conns([2]time.Duration{0, 0}, [2]time.Duration{0, 1})
	reported := [2]chan struct{}{make(chan struct{}), make(chan struct{})}
	address, _ := accepted(t, 2, func(i int) {
		<-reported[i]
		<-reported[i]
	})
	want := []Progress{
		{}, {Begun: 1}, {Begun: 1, Done: 1}, {Begun: 1, Over: 1, Done: 1},
		{Begun: 2, Over: 1, Done: 1}, {Begun: 2, Over: 1, Done: 2}, {Begun: 2, Over: 2, Done: 2},
	}
	last := 0
	progress := func(p Progress) {
		if p.Round != 1 || p.Rounds != 1 || p.Conns != 2 || p.Steps != 2 {
			t.Errorf("%+v", p)
		}
		at := slices.Index(want, Progress{Begun: p.Begun, Over: p.Over, Done: p.Done})
		if at < last {
			t.Errorf("%+v after %+v", p, want[max(last, 0)])
		}
		if last = at; p.Begun > p.Done {
			select {
			case reported[p.Over] <- struct{}{}:
			default: // the peer has not accepted it yet
			}
		}
	}
	r, err := Dial(t.Context(), address, s, Options{MaxConns: 1, Progress: progress})
	if s := r.Report.Summary(); err != nil || s.Exact != 2 {
		t.Error(err, s)
	}
}
