package sim

// Lock-step: one FPDU at a time is passed from side to side, and time passes only when nothing else happens.

import (
	"cmp"
	"fmt"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// Options configure a run. The zero value is the default.
type Options struct {
	Profile *rules.Profile // checks the RNIC, which deviates as its peer does; nil for "rfc"
	Quirks  []quirk.Quirk  // further deviations of the RNIC
	FreshTO bool           // the regions of the RNIC have other TOs than the recorded ones
	Seed    [32]byte       // of the STags of the RNIC
	Player  player.Options // Profile, Map and Begin are ignored
}

// A Result is the result of a connection.
type Result struct {
	Outcome *outcome.Conn
	Plan    *Plan    // of the RNIC
	Reports []string // of the RNIC to its Consumer: asynchronous events, completions with errors, verbs that failed
}

// Bounds of a run.
const (
	maxRounds  = 1 << 26 // octets, at worst
	maxIdle    = 1 << 16 // times at which time passes
	maxReports = 64
)

// Run plays one side of a connection against an RNIC that plays the other side. A contradiction within the recording, or a
// breach of its upper layer's protocol, is an additional mismatch.
func Run(c *scenario.Conn, role scenario.Side, o Options) *Result {
	result := Play(c, NewPlan(c, role.Other()), o)
	for _, each := range append(contradictions(c), misread(c)...) {
		result.Outcome.Steps = append(result.Outcome.Steps, outcome.Step{
			Verdict: outcome.Mismatched, Reason: fmt.Sprintf("the recording contradicts itself in step %d: %s", each.step, each.text),
		})
	}
	return result
}

// Play plays a connection against an RNIC with a Plan, which may be that of another connection. The Player plays the
// other side.
//
// The RNIC does not always decide whether a connection ends with a FIN or a reset. A FIN in place of a reset is
// accepted if the RNIC had closed before the octets arrived that the recorded peer left unread, because TCP then resets
// a closed connection. A reset is accepted in place of a FIN within a message, which no verb sends.
func Play(c *scenario.Conn, plan *Plan, o Options) *Result {
	result := &Result{Plan: plan}
	role := plan.Side.Other()
	if u := plan.Unplayable; u != nil && len(plan.Acts) == 0 {
		result.Outcome = &outcome.Conn{Name: c.Name, Role: role, NotApplicable: u.Why}
		return result
	}
	w, err := newWorld(plan, &o)
	if err != nil {
		result.Outcome = &outcome.Conn{Name: c.Name, Role: role, NotApplicable: "the RNIC cannot be prepared: " + err.Error()}
		return result
	}
	o.Player.Profile, o.Player.Begin, o.Player.Map = o.Profile, 0, w.mappings()
	o.Player.EMSS = cmp.Or(o.Player.EMSS, plan.EMSS)
	whole := c
	c = relaxed(c, plan)
	r := &run{world: w, player: player.New(c, role, o.Player), steps: make(map[int]int)}
	for i, s := range c.Steps {
		r.steps[s.Number] = i
	}
	r.play()
	result.Outcome, result.Reports = r.player.Outcome(), w.reports
	r.tolerateEnd(result.Outcome)
	excuse(result.Outcome, plan)
	restore(result.Outcome, whole, plan)
	return result
}

// A run is a Player and an RNIC that are connected.
type run struct {
	*world
	player  *player.Player
	steps   map[int]int // index in the Outcome, by Number
	now     time.Duration
	pending []byte // octets that the RNIC has not accepted yet
	buffer  []byte
	scratch [512]byte
	next    int  // index of the next Act
	idle    bool // the RNIC has nothing to send
	cut     int  // segments that the RNIC may send before the next Act; negative for no limit

	ended  [2]mpa.Ending // how each side ended, as far as the other one knows: the RNIC, the Player
	held   int           // until this step has arrived, the RNIC sends nothing; 0 if it may send
	paused time.Duration // when a Pause ends; 0 if there is none
	read   int           // steps, of both sides, that the RNIC read before it closed; -1 while it reads
}

// play continues until nothing happens any more.
func (r *run) play() {
	r.cut, r.read = -1, -1
	idle := 0
	for range maxRounds {
		if r.plan.Partial && r.player.Done() {
			return
		}
		r.idle = false
		moved := r.act()
		r.idle = !r.fromRNIC()
		moved = r.act() || moved || !r.idle
		if !r.settling() {
			moved = r.fromPlayer() || moved
		}
		moved = r.endings() || moved
		if moved {
			continue
		}
		if r.held != 0 { // the step will not arrive
			r.held = 0
			continue
		}
		if r.player.Done() || r.plan.Unplayable != nil && r.next == len(r.plan.Acts) {
			return
		}
		if idle++; idle > maxIdle || !r.advance() {
			return
		}
	}
}

// fromRNIC sends one FPDU, or other octets, from the RNIC to the Player.
func (r *run) fromRNIC() bool {
	if r.cut == 0 || r.held != 0 && !r.received(r.held) {
		return false
	}
	r.held = 0
	r.buffer = r.stream.AppendTransmit(r.buffer[:0], r.emss)
	if len(r.buffer) == 0 {
		return false
	}
	if r.cut > 0 {
		r.cut--
	}
	r.player.Input(r.buffer)
	return true
}

// fromPlayer sends one FPDU, or other octets, from the Player to the RNIC.
func (r *run) fromPlayer() bool {
	const rest = 1 << 16 // octets at a time, outside of FPDUs
	if len(r.pending) == 0 {
		r.pending = r.player.AppendTransmit(r.pending[:0], 1)
		if len(r.pending) == 1 {
			r.pending = r.player.AppendTransmit(r.pending, rest)
		}
	}
	if len(r.pending) == 0 {
		return false
	}
	n := r.stream.Input(r.pending)
	r.noteClosed()
	r.pending = append(r.pending[:0], r.pending[n:]...)
	r.attach()
	for n := 1; n > 0; { // discard octets outside of MPA
		n = r.stream.Read(r.scratch[:])
	}
	return n > 0
}

// endings returns each side how the other one has ended.
func (r *run) endings() (moved bool) {
	r.noteClosed()
	if e := r.stream.Ending(); r.idle && r.cut != 0 && e > r.ended[0] {
		r.ended[0], moved = e, true
		if e == mpa.EndsFIN {
			r.player.InputFIN()
		} else {
			r.player.InputReset()
		}
	}
	if e := r.player.Ending(); len(r.pending) == 0 && e > r.ended[1] {
		r.ended[1], moved = e, true
		if e == mpa.EndsFIN {
			r.stream.InputFIN()
		} else {
			r.stream.InputReset()
		}
	}
	return moved
}

// advance lets time pass up to the next deadline.
func (r *run) advance() bool {
	at, ok := r.player.NextDeadline()
	sooner := func(t time.Duration) {
		if !ok || t < at {
			at, ok = t, true
		}
	}
	if t, due := r.stream.NextDeadline(); due {
		sooner(t)
	}
	if r.paused > 0 {
		sooner(r.paused)
	}
	if !ok {
		return false
	}
	r.now = max(r.now, at)
	r.stream.Advance(r.now)
	r.player.Advance(r.now)
	return true
}
