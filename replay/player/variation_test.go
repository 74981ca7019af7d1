package player_test

import (
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/internal/captures"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// octetByOctet divides octets as far as possible.
func octetByOctet(_ int, b []byte) (pieces [][]byte) {
	for i := range b {
		pieces = append(pieces, b[i:i+1])
	}
	return pieces
}

// randomly divides octets at random.
func randomly(r *rand.Rand) func(int, []byte) [][]byte {
	return func(_ int, b []byte) (pieces [][]byte) {
		for len(b) > 0 {
			n := 1 + r.IntN(min(len(b), 3000))
			pieces = append(pieces, b[:n])
			b = b[n:]
		}
		return pieces
	}
}

// lengthy reports whether a capture is too long to be played several times.
func lengthy(c *scenario.Conn) bool {
	octets := 0
	for _, s := range c.Steps {
		if m, ok := s.Do.(*scenario.Message); ok {
			octets += m.Payload.Len()
		}
	}
	return octets > 1<<16
}

// everyConn calls f for each connection of each capture that is not too long.
func everyConn(t *testing.T, f func(t *testing.T, c *scenario.Conn)) {
	t.Helper()
	for _, name := range captures.All(t) {
		t.Run(filepath.Base(name), func(t *testing.T) {
			for _, c := range compiled(t, name).Conns {
				if !lengthy(c) {
					f(t, c)
				}
			}
		})
	}
}

// TestInputInPieces checks that the division of octets by TCP does not matter.
func TestInputInPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	everyConn(t, func(t *testing.T, c *scenario.Conn) {
		want := pair(t, c, c, player.Options{}).run(t)
		for _, pieces := range []func(int, []byte) [][]byte{octetByOctet, randomly(r)} {
			l := pair(t, c, c, player.Options{})
			l.pieces = pieces
			got := l.run(t)
			if diff := cmp.Diff(want, got, cmpopts.EquateComparable(want[0].Client), ignoreSteps); diff != "" {
				t.Error(cut(diff))
			}
		}
	})
}

// ignoreSteps compares outcomes except for the Scenario that they share.
var ignoreSteps = cmp.Comparer(func(a, b *scenario.Step) bool { return a == b })

// TestSegments checks that neither the division of messages into segments matters nor how many octets are sent at a time. A
// Terminate about one of several segments can enclose something else; it is accepted then.
func TestSegments(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	everyConn(t, func(t *testing.T, c *scenario.Conn) {
		for range 3 {
			l := pair(t, c, c, player.Options{EMSS: 160 + r.IntN(9000)})
			l.limit = 1 + r.IntN(20000)
			exact(t, l.run(t))
		}
	})
}

// TestVariables lets each side choose other values than the recorded ones. The other side learns them. A Terminate that
// encloses some of them is as recorded nevertheless.
func TestVariables(t *testing.T) {
	everyConn(t, func(t *testing.T, c *scenario.Conn) {
		exact(t, pair(t, renumbered(c, scenario.Client), renumbered(c, scenario.Server), player.Options{}).run(t))
	})
}

// renumbered returns a connection in which the variables of one side have other values.
func renumbered(c *scenario.Conn, owner scenario.Side) *scenario.Conn {
	other := *c
	other.Vars = nil
	for _, v := range c.Vars {
		w := *v
		if v.Owner == owner {
			w.Value ^= 0x5a5a5000
		}
		other.Vars = append(other.Vars, &w)
	}
	return &other
}

// TestWrites divides Writes into several ones, which is accepted.
func TestWrites(t *testing.T) {
	divided := 0
	everyConn(t, func(t *testing.T, c *scenario.Conn) {
		other, changed := divide(c)
		if changed == 0 {
			return
		}
		divided += changed
		got := pair(t, other, c, player.Options{}).run(t)[scenario.Server]
		accepted := 0
		for _, s := range got.Steps {
			if s.Verdict == outcome.Accepted && strings.Contains(s.Reason, "Writes") {
				accepted++
			} else if s.Verdict == outcome.Mismatched {
				t.Errorf("step %d: %s", s.Expected.Number, s.Reason)
			}
		}
		if accepted != changed {
			t.Errorf("%d of %d Writes are accepted", accepted, changed)
		}
	})
	if divided < 20 {
		t.Errorf("only %d Writes were divided", divided)
	}
}

// divide returns a connection in which the client divides each of its Writes into two. The first one gets a new number,
// and no step waits for it.
func divide(c *scenario.Conn) (other *scenario.Conn, changed int) {
	d := *c
	d.Steps = nil
	number := len(c.Steps)
	for _, s := range c.Steps {
		m, ok := s.Do.(*scenario.Message)
		if !ok || m.Opcode != rdmap.OpWrite || s.Side != scenario.Client || m.Payload.Len() < 2 {
			d.Steps = append(d.Steps, s)
			continue
		}
		half := m.Payload.Len() / 2
		first, second := *m, *m
		first.Payload, second.Payload = m.Payload.Slice(0, half), m.Payload.Slice(half, m.Payload.Len())
		second.Fields = nil
		for _, f := range m.Fields {
			if f.Name == "TO" {
				f.Value.Number += uint64(half)
			}
			second.Fields = append(second.Fields, f)
		}
		one, two := *s, *s
		one.Do, two.Do = &first, &second
		number++
		two.Number, one.Number = s.Number, number
		two.After = 0
		d.Steps = append(d.Steps, &one, &two)
		changed++
	}
	return &d, changed
}
