package live_test

import (
	"bytes"
	"context"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/iwarpkit/iwarp/replay/internal/captures"
	"github.com/iwarpkit/iwarp/replay/live"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// testContext returns a context that ends before the test would be killed.
func testContext(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	t.Cleanup(cancel)
	return ctx
}

// compiled returns the Scenario of a capture.
func compiled(t testing.TB, file string) *scenario.Scenario {
	t.Helper()
	s, _ := captures.Compile(t, file)
	return s
}

// parse returns a Scenario that was written by hand.
func parse(t testing.TB, text string) *scenario.Scenario {
	t.Helper()
	s, err := scenario.Parse(t.Name(), text)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// listen listens on loopback.
func listen(t testing.TB, address string) *live.Listener {
	t.Helper()
	l, err := live.Listen(context.Background(), address, live.ListenConfig{Any: true})
	switch {
	case err != nil && strings.HasPrefix(address, "["):
		t.Skip("no IPv6: ", err)
	case err != nil:
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	return l
}

// both plays the client and the server of a Scenario against each other.
func both(t testing.TB, l *live.Listener, client, server *scenario.Scenario, o [2]live.Options) (results [2]*live.Result) {
	t.Helper()
	ctx := testContext(t)
	served := make(chan error, 1)
	for i := range o {
		o[i].Player.StepTimeout = patient.Player.StepTimeout
	}
	o[1].Role = scenario.Server
	go func() {
		var err error
		results[1], err = live.Serve(ctx, l, server, o[1])
		served <- err
	}()
	var err error
	if results[0], err = live.Dial(ctx, l.Addr().String(), client, o[0]); err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
	return results
}

// text returns a Result as people read it.
func text(r *live.Result) string {
	var b bytes.Buffer
	outcome.WriteText(&b, &r.Report, outcome.TextOptions{})
	if b.Len() > 3000 {
		b.Truncate(3000)
	}
	return b.String()
}

// exact fails unless all steps are exact.
func exact(t testing.TB, results ...*live.Result) {
	t.Helper()
	for _, r := range results {
		s := r.Report.Summary()
		if s.Exact != s.Steps || !s.Passed() || r.Report.Rounds.Passed != r.Report.Rounds.Played || s.Steps == 0 {
			t.Errorf("%d of %d steps are exact\n%s", s.Exact, s.Steps, text(r))
		}
	}
}

// unplayable names the captures that have nothing to play.
var unplayable = []string{"perf-nocm.pcap", "rc_pingpong.pcap.gz", "refused.pcap"}

// TestCaptures plays both sides of each capture of the module against each other: all steps are exact.
func TestCaptures(t *testing.T) {
	var names []string
	for _, pattern := range []string{"../../pcaps/samples/*.pcap*", "../../dissect/testdata/captures/*.pcap.gz"} {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) < 15 {
			t.Fatal(err, found)
		}
		names = append(names, found...)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			s := compiled(t, name)
			if slices.Contains(unplayable, filepath.Base(name)) {
				if len(s.Conns) > 0 {
					t.Errorf("there are %d connections", len(s.Conns))
				}
				return
			}
			results := both(t, listen(t, "127.0.0.1:0"), s, s, [2]live.Options{})
			exact(t, results[:]...)
		})
	}
}

// TestIPv6 plays over IPv6.
func TestIPv6(t *testing.T) {
	s := compiled(t, "../../pcaps/samples/rping.pcap")
	results := both(t, listen(t, "[::1]:0"), s, s, [2]live.Options{})
	exact(t, results[:]...)
	if c := results[0].Report.Conns[0]; !c.Client.Addr().Is6() || c.Client == c.Server {
		t.Error(c.Client, c.Server)
	}
}

// TestRounds plays several rounds, with several connections at a time.
func TestRounds(t *testing.T) {
	s := compiled(t, "../../pcaps/samples/multi4.pcap.gz")
	const rounds = 3
	o := live.Options{Rounds: rounds, MaxConns: 2}
	results := both(t, listen(t, "127.0.0.1:0"), s, s, [2]live.Options{o, o})
	exact(t, results[:]...)
	for _, r := range results {
		if r.Report.Rounds.Played != rounds || r.Connected != rounds*len(s.Conns) || len(r.Report.Conns) != len(s.Conns) {
			t.Errorf("%d rounds, %d connections, %d in the report", r.Report.Rounds.Played, r.Connected, len(r.Report.Conns))
		}
	}
	names := make([]string, 0, len(s.Conns))
	for _, c := range results[0].Report.Conns {
		names = append(names, c.Name)
	}
	if want := []string{"c0, round 3", "c1, round 3", "c2, round 3", "c3, round 3"}; !slices.Equal(names, want) {
		t.Error(names)
	}
}

// TestIllegal plays messages that break rules: they are sent unchanged, and the other side expects them.
func TestIllegal(t *testing.T) {
	s := parse(t, `scenario "broken"
connection c0
  1 client Octets split=4 "GET / HTTP/1.0"
  2 client MPARequest Rev=1 C
  3 server after 2 MPAReply Rev=1 C
  4 client after 3 Segment Send MSN=2 "MSN 1 is left out"
  5 client Segment Write L=0 STag=0x00000100 TO=0x0000000000001000 00*8
  6 client Segment Opcode14 QN=9
  7 client Segment 4143 00000000
  8 client FPDU ULPDU_Length=7 PAD=0102 split=2,9 Send "the framing is wrong"
  9 client FPDU CRC=bad Send "the CRC is wrong"
  10 server after 9 Terminate 2/0/02
  11 server Reset
`)
	results := both(t, listen(t, "127.0.0.1:0"), s, s, [2]live.Options{})
	exact(t, results[:]...)
}
