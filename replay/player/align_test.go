package player_test

// Alignment: one message of the other side is lost, added, changed, or comes in another order. All that follow it are
// compared with their own steps.

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// faults change the message at an index of the steps. They return nil where that is not possible.
var faults = map[string]func(steps []*scenario.Step, i int) []*scenario.Step{
	"lost": func(steps []*scenario.Step, i int) []*scenario.Step {
		all := slices.Delete(slices.Clone(steps), i, i+1)
		for j, s := range all {
			if s.After == steps[i].Number {
				s = copied(s)
				s.After, all[j] = steps[i].After, s
			}
		}
		return all
	},
	"added": func(steps []*scenario.Step, i int) []*scenario.Step {
		return slices.Insert(slices.Clone(steps), i, &scenario.Step{
			Number: 1 << 20, Side: steps[i].Side, After: steps[i].After,
			Do: &scenario.Message{Opcode: steps[i].Do.(*scenario.Message).Opcode, Payload: scenario.Payload{{Octets: []byte("something else")}}},
		})
	},
	"changed": func(steps []*scenario.Step, i int) []*scenario.Step {
		m := *steps[i].Do.(*scenario.Message)
		last := len(m.Payload) - 1
		if last < 0 || len(m.Payload[last].Octets) == 0 || m.Payload[last].Times > 0 {
			return nil
		}
		m.Payload = slices.Clone(m.Payload)
		m.Payload[last].Octets = slices.Clone(m.Payload[last].Octets)
		m.Payload[last].Octets[len(m.Payload[last].Octets)-1] ^= 0x55
		s := copied(steps[i])
		s.Do = &m
		all := slices.Clone(steps)
		all[i] = s
		return all
	},
	"reordered": reordered,
	"reordered and repeated": func(steps []*scenario.Step, i int) []*scenario.Step {
		all := reordered(steps, i)
		if all == nil {
			return nil
		}
		again := copied(all[i+1])
		again.Number = 1 << 20
		return slices.Insert(all, i+2, again)
	},
}

// reordered exchanges a message and the one after it.
func reordered(steps []*scenario.Step, i int) []*scenario.Step {
	if i+1 == len(steps) || steps[i+1].Side != steps[i].Side || !isSend(steps[i+1]) {
		return nil
	}
	if same := cmp.Equal(steps[i].Do, steps[i+1].Do); same {
		return nil
	}
	all := slices.Clone(steps)
	all[i], all[i+1] = copied(all[i+1]), copied(all[i])
	all[i].After, all[i+1].After = steps[i].After, steps[i].After
	return all
}

func copied(s *scenario.Step) *scenario.Step {
	c := *s
	return &c
}

func isSend(s *scenario.Step) bool {
	m, ok := s.Do.(*scenario.Message)
	return ok && m.Opcode.IsSend() && m.To == 0
}

// pipelined has answers that wait only for the first request. Each is a Write and a Send of its own.
func pipelined(t *testing.T) *scenario.Conn {
	var b strings.Builder
	b.WriteString("scenario \"pipelined\"\nconnection c0\n  1 client MPARequest C Rev=1\n  2 server after 1 MPAReply C Rev=1\n" +
		"  3 client after 2 Send \"all\"\n  4 server after 3 Send \"begin\"\n")
	for i := range 12 {
		fmt.Fprintf(&b, "  %d server Write STag=0x100 TO=%d \"data %[2]d\"*%d\n", 5+3*i, 4096*i, 1+i%3)
		fmt.Fprintf(&b, "  %d server Send %08x*%d \"!\"\n  %d server Send \"done %d\"\n", 6+3*i, i, 1+i*250, 7+3*i, i)
	}
	b.WriteString("  41 server Send \"first\"\n  42 server Send \"second\"\n  43 server Write STag=0x100 TO=0 \"end\"\n")
	return parsed(t, b.String()).Conns[0]
}

// TestAligns makes one fault at a time in the Sends of the server. No more than three verdicts are about it: at the end, the
// Send, the FIN that came instead, and a step that waits.
func TestAligns(t *testing.T) {
	played := make(map[string]int)
	try := func(name string, c *scenario.Conn, sends []int) {
		for _, i := range sends {
			for kind, fault := range faults {
				if steps := fault(c.Steps, i); steps != nil {
					played[kind]++
					t.Run(fmt.Sprint(name, " ", kind, " ", c.Steps[i].Number), func(t *testing.T) { aligns(t, c, steps, 3) })
				}
			}
		}
	}
	c := pipelined(t)
	try("pipelined", c, sendsOf(c))
	everyConn(t, func(t *testing.T, c *scenario.Conn) {
		if sends := sendsOf(c); len(sends) > 0 {
			try(t.Name()+" "+c.Name, c, []int{sends[0], sends[len(sends)/2], sends[len(sends)-1]})
		}
	})
	t.Log(played)
}

// sendsOf returns the indices of the Sends of the server that tell nothing without which other steps cannot be sent.
func sendsOf(c *scenario.Conn) (sends []int) {
	for i, s := range c.Steps {
		if s.Side == scenario.Server && isSend(s) && !tells(c, s) {
			sends = append(sends, i)
		}
	}
	return sends
}

// tells reports whether a step tells a variable, without which others cannot be sent.
func tells(c *scenario.Conn, s *scenario.Step) bool {
	for name := range s.Uses() {
		if slices.ContainsFunc(c.Vars, func(v *scenario.Var) bool { return v.Name == name && v.Owner == s.Side }) {
			return true
		}
	}
	return false
}

// aligns plays a connection whose server takes other steps.
func aligns(t *testing.T, c *scenario.Conn, steps []*scenario.Step, most int) {
	t.Helper()
	done := *c
	done.Steps = steps
	l := pair(t, c, &done, player.Options{StepTimeout: time.Hour})
	l.players[0] = player.New(c, scenario.Client, player.Options{StepTimeout: time.Second, Misses: 1})
	got := l.run(t)[0]
	var wrong []string
	for i := range got.Steps {
		if s := &got.Steps[i]; s.Verdict != outcome.Exact && s.Verdict != outcome.Sent {
			wrong = append(wrong, fmt.Sprint(i+1, " ", s.Verdict, " ", s.Reason))
		}
	}
	if len(wrong) == 0 || len(wrong) > most {
		t.Errorf("%d are not exact, of %d: %q; %s", len(wrong), len(got.Steps), wrong[:min(len(wrong), 6)], got.End)
	}
}
