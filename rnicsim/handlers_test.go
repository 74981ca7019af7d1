package rnicsim

// Handlers are called at once, and may use any verb.

import (
	"fmt"
	"strings"
	"testing"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// armed makes a pair whose a calls a handler for each completion.
func armed(t *testing.T, call func(a *side)) (a, b *side) {
	a, b = newPair(t, defaults(), defaults())
	a.cq.handler = must(a.rnic.AddCompletionEventHandler(func(c *CQ) {
		c.RequestNotification(false)
		call(a)
	}))
	a.cq.RequestNotification(false)
	return a, b
}

// V-095 V-096: a QP cannot go to Idle while it is being flushed, and nothing can be posted.
func TestFlushing(t *testing.T) {
	calls := 0
	a, _ := armed(t, func(a *side) {
		calls++
		if err := a.qp.Modify(Modification{State: Idle}); err != ErrFlushing {
			t.Error(err)
		}
		if _, err := a.qp.PostRQ(WorkRequest{}); err != ErrInvalidState {
			t.Error(err)
		}
		if _, err := a.qp.PostSQ(WorkRequest{Op: OpSend}); err != ErrInvalidState {
			t.Error(err)
		}
	})
	must(a.qp.PostRQ(WorkRequest{}, WorkRequest{}))
	if err := a.qp.Modify(Modification{State: Error}); err != nil {
		t.Fatal(err)
	}
	if err := a.qp.Modify(Modification{State: Idle}); err != nil || calls != 2 {
		t.Error(err, calls)
	}
}

// A handler that posts again and again is refused while the QP is being flushed. Otherwise the flush would never end.
func TestPostingWhileFlushing(t *testing.T) {
	calls := 0
	a, _ := armed(t, func(a *side) {
		calls++
		a.qp.PostRQ(WorkRequest{})
		a.qp.PostSQ(WorkRequest{Op: OpSend})
	})
	must(a.qp.PostRQ(WorkRequest{}, WorkRequest{}))
	if err := a.qp.Modify(Modification{State: Terminate}); err != nil || calls != 2 || a.qp.busy() {
		t.Error(err, calls)
	}
}

// A Responder that may not send yet closes without its Terminate, and does not send it later.
func TestTerminateThatMayNotBeSent(t *testing.T) {
	a, b := newPair(t, defaults(), defaults())
	a.held = true
	b.qp.Modify(Modification{State: Terminate})
	run(b)
	if b.ended != mpa.EndsFIN {
		t.Error("the Responder does not close")
	}
	sent := false
	b.pulled = func([]byte) { sent = true }
	b.stream.Input(framed(hexOctets("c140 00000000 00000000 00000000")))
	run(b)
	if last := must(b.qp.Query()).Terminate; sent || last == nil || !last.Local {
		t.Error("sent after the FIN:", sent, last)
	}
}

// V-053 V-055 V-056: a handler may destroy the QP whose completion it is called for, at any time.
func TestHandlerDestroysQP(t *testing.T) {
	for name, start := range map[string]func(a, b *side){
		"sending":   func(a, b *side) { must(a.qp.PostSQ(WorkRequest{Op: OpSend}, WorkRequest{Op: OpSend})) },
		"receiving": func(a, b *side) { must(a.qp.PostRQ(WorkRequest{})); must(b.qp.PostSQ(WorkRequest{Op: OpSend})) },
		"reading":   func(a, b *side) { must(a.qp.PostSQ(WorkRequest{Op: OpRead}, WorkRequest{Op: OpRead})) },
		"failing": func(a, b *side) {
			must(a.qp.PostSQ(WorkRequest{Op: OpInvalidate, STag: 1 << 8}, WorkRequest{Op: OpSend}))
		},
		"flushing": func(a, b *side) {
			must(a.qp.PostRQ(WorkRequest{}, WorkRequest{}))
			a.qp.Modify(Modification{State: Error})
		},
		"closing": func(a, b *side) {
			must(a.qp.PostRQ(WorkRequest{}, WorkRequest{}))
			a.qp.Modify(Modification{State: Closing})
		},
		"terminated": func(a, b *side) {
			must(a.qp.PostRQ(WorkRequest{}, WorkRequest{}))
			b.qp.Modify(Modification{State: Terminate})
		},
	} {
		t.Run(name, func(t *testing.T) {
			destroyed := 0
			a, b := armed(t, func(a *side) {
				if a.qp.Destroy() == nil {
					destroyed++
				}
			})
			must(a.qp.PostSQ(WorkRequest{Op: OpWrite, Unsignaled: true}))
			run(a, b)
			start(a, b)
			run(a, b)
			if destroyed != 1 || a.cq.count > 1 {
				t.Errorf("destroyed %d times, %d completions", destroyed, a.cq.count)
			}
			if err := a.cq.Destroy(); err != nil {
				t.Error(err)
			}
		})
	}
}

// A handler may reuse the memory of a Send as soon as that is complete: its octets have been copied.
func TestMemoryIsFreeAtCompletion(t *testing.T) {
	octets, got := []byte("the message"), make([]byte, 11)
	a, b := armed(t, func(*side) { clear(octets) })
	src, dst := a.region(octets, 0, allRights), b.region(got, 0, allRights)
	must(b.qp.PostRQ(WorkRequest{SGL: []SGE{{dst, 0, 11}}}))
	must(a.qp.PostSQ(WorkRequest{Op: OpSend, SGL: []SGE{{src, 0, 11}}}))
	run(a, b)
	if string(got) != "the message" || octets[0] != 0 {
		t.Errorf("%q, %q", got, octets)
	}
}

// V-104 V-105: the state in which handlers of events are called: after the change for an error, before it for the end
// of a close.
func TestStateInEvents(t *testing.T) {
	for want, end := range map[string]func(a, b *side){
		"LLP Close Complete in Closing":  func(a, b *side) { b.qp.Modify(Modification{State: Closing}) },
		"Bad Close in Error":             func(a, b *side) { a.qp.PostSQ(WorkRequest{Op: OpSend}); a.qp.Modify(Modification{State: Closing}) },
		"LLP Close Complete in Closing ": func(a, b *side) { a.stream.Close(); b.qp.Modify(Modification{State: Closing}) },
		"LLP Connection Reset in Error":  func(a, b *side) { b.qp.Modify(Modification{State: Error}) },
		"LLP Connection Lost in Error":   func(a, b *side) { a.stream.Lost() },
		"Terminate Message Received in Terminate": func(a, b *side) {
			a.qp.PostSQ(WorkRequest{Op: OpWrite})
			run(a, b)
			b.qp.Modify(Modification{State: Terminate})
		},
	} {
		a, b := newPair(t, defaults(), defaults())
		var seen []string
		a.rnic.SetAsyncEventHandler(func(e Event) { seen = append(seen, fmt.Sprintf("%v in %v", e.Type, e.QP.life.state)) })
		end(a, b)
		run(a, b)
		if len(seen) != 1 || seen[0] != strings.TrimSpace(want) {
			t.Errorf("%q, want %q", seen, want)
		}
	}
}
