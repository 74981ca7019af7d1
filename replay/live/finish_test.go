package live

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// What the other side has not accepted when all steps are over was not sent.
func TestUntaken(t *testing.T) {
	s, err := scenario.Parse("untaken", "scenario \"untaken\"\nconnection c0\n  1 client Octets \"a\"\n  2 client Octets \"b\"\n")
	if err != nil {
		t.Fatal(err)
	}
	here, there := net.Pipe() // which accepts nothing that nobody reads
	defer there.Close()
	go there.Read(make([]byte, 1))
	run := newRun(s, Options{Player: player.Options{StepTimeout: 50 * time.Millisecond}}, true)
	one := &round{run: run, number: 1, begin: time.Now()}
	o := one.newConn(s.Conns[0], here).play(t.Context())
	if want := (outcome.Summary{Connections: 1, Sent: 1, NotSent: 1}); o.Summary() != want || !strings.Contains(o.End, "did not read what was sent in 50ms") {
		t.Errorf("%+v", o)
	}
}
