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

// accepted listens, and closes each connection after a time. It returns when each came, and when it was closed.
func accepted(t *testing.T, n int, after time.Duration) (address string, times func() (came, closed []time.Time)) {
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
				time.Sleep(after)
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

// With a Speed connections begin at their times. Else those that followed each other do so, and those that were open at the
// same time are so again.
func TestSchedule(t *testing.T) {
	const ms = time.Millisecond
	s := conns([2]time.Duration{0, 100 * ms}, [2]time.Duration{10 * ms, 110 * ms}, [2]time.Duration{400 * ms, 500 * ms})
	address, times := accepted(t, 3, 50*ms)
	if _, err := Dial(t.Context(), address, s, Options{Player: player.Options{Speed: 2}}); err != nil {
		t.Fatal(err)
	}
	came, _ := times()
	if gap := came[2].Sub(came[0]); gap < 190*ms {
		t.Errorf("the third one came %v after the first one", gap)
	}

	address, times = accepted(t, 3, 50*ms)
	r, err := Dial(t.Context(), address, s, Options{})
	if s := r.Report.Summary(); err != nil || s.Exact != 3 {
		t.Error(err, s)
	}
	came, closed := times()
	if came[2].Before(closed[0]) || came[2].Before(closed[1]) || came[1].After(closed[0]) {
		t.Error(came, closed)
	}
}

// Progress is called several times a second.
func TestProgress(t *testing.T) {
	s := conns([2]time.Duration{0, 0}, [2]time.Duration{0, 1})
	address, _ := accepted(t, 2, 5*beat/2)
	var all []Progress
	if _, err := Dial(t.Context(), address, s, Options{MaxConns: 1, Progress: func(p Progress) { all = append(all, p) }}); err != nil {
		t.Fatal(err)
	}
	if len(all) < 3 {
		t.Fatalf("%+v", all)
	}
	if want := (Progress{Round: 1, Rounds: 1, Conns: 2, Begun: 1, Steps: 2}); all[0] != want {
		t.Errorf("%+v, want %+v", all[0], want)
	}
	if want := (Progress{Round: 1, Rounds: 1, Conns: 2, Begun: 2, Over: 1, Steps: 2, Done: 1}); all[len(all)-1] != want {
		t.Errorf("%+v, want %+v", all[len(all)-1], want)
	}
}
