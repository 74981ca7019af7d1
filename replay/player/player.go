package player

import (
	"fmt"
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Options say how a connection is played. The zero value stands for the defaults.
type Options struct {
	Profile        *rules.Profile // by which Terminates and framing are judged; nil for "rfc"
	MPA            MPA            // what the own MPA frames have instead of what the Scenario says
	Speed          float64        // the times of the Scenario divided by it are kept; 0 for as fast as can be
	StepTimeout    time.Duration  // how much longer a step may take than it did in the Scenario; 0 for 10 s
	EMSS           int            // octets of a TCP segment: FPDUs fit it; 0 for 1460
	Map            []Mapping      // values of the other side that are known beforehand
	Begin          time.Duration  // when the connection begins, on the clock of Advance
	Client, Server netip.AddrPort // of the live connection, for the Outcome
}

// MPA is what the own MPA frames have instead of what the Scenario says. Where it is nil they have that.
type MPA struct {
	Markers  *bool // M
	CRC      *bool // C
	Rev      *uint8
	IRD, ORD *uint16 // in frames that are enhanced
}

// A Mapping is a value of the other side that was recorded, and what it is in the live connection. Variables that have it
// are known from the begin, and header fields of the own side that name memory of the other one and have it as a number
// get the other.
type Mapping struct {
	Kind           scenario.Kind // STag or TO
	Recorded, Live uint64
	Length         uint64 // of a TO: octets of the buffer, of which each place is mapped; 0 for the one TO
}

// Limits and defaults.
const (
	MaxUnexpected  = 32 // entries of an Outcome for what no step expects
	defaultTimeout = 10 * time.Second
	defaultEMSS    = 1460
	maxPatience    = 10 * time.Minute // that a step may take because it did so in the Scenario
)

// An Ending is how a side stops sending.
type Ending uint8

// The endings.
const (
	GoesOn    Ending = iota
	EndsFIN          // all was sent: send a FIN
	EndsReset        // reset the connection
)

// A Player plays one side of a connection.
type Player struct {
	conn    *scenario.Conn
	role    scenario.Side
	options Options
	values  scenario.Values // of variables: those of the own side as recorded, of the other side as learned
	result  outcome.Conn

	mine   []*own
	theirs []*expected
	sent   int // of mine, complete
	come   int // of theirs: those before it are over
	byStep map[int]at

	// Sending.
	current  *sending
	probes   []scenario.Request // of the other side that wait for their answer
	sender   *scenario.Sender
	framer   mpa.Framer
	ending   Ending
	requests map[int]*scenario.Request // by the number of the step: requests that have no response yet, of both sides
	probing  bool                      // an own Probe waits for its answer
	quiet    time.Duration             // until when an own Silence lasts

	// MPA.
	request, reply *mpa.Frame
	established    bool // FPDUs are sent and received
	received       mpa.Options

	// Receiving.
	raw       []byte // octets that are no FPDU, or not yet known to be one
	swallows  bool   // an Octets step takes all that still comes
	careful   bool   // some step has to be looked at before it can be deframed
	deframer  mpa.Deframer
	fpdu      mpa.Deframed
	mirror    *scenario.Sender // of the other side
	lanes     [numLanes]lane
	silences  lane     // steps of the other side, in which no message may come
	spare     [][]byte // payload buffers that are free
	violation []rules.Violation
	culprits  culprits          // what was sent of late
	blamed    map[int]*culprits // by the number of the step: what was sent for those that are to be refused

	now      time.Duration
	progress time.Duration // when something came about at last
	credit   int           // octets that came and count towards the next progress
	silent   time.Duration // until when a Silence of the other side lasts; negative if none is looked at
	reached  time.Duration // recorded time of the latest step that is complete
	finished bool          // the other side has sent its FIN
	over     bool
}

// at is where a step is: an index in mine or in theirs.
type at struct {
	mine  bool
	index int
}

// own is a step of the own side.
type own struct {
	*scenario.Step
	result int // index in the Steps of the Outcome
}

// expected is a step of the other side.
type expected struct {
	*scenario.Step
	index  int // in theirs
	result int // index in the Steps of the Outcome
	over   bool
	lost   bool // it is over without having come

	body   []byte // payload that has come, as far as it is kept
	length int    // of all that has come
	split  string // in which way it was divided otherwise; empty if it was not
	begun  bool
}

// New returns a Player of one side of a connection, in which scenario.Check finds nothing wrong. It must not be changed as
// long as it is played.
func New(c *scenario.Conn, role scenario.Side, o Options) *Player {
	if o.Profile == nil {
		o.Profile = &rules.Profiles[0]
	}
	if o.StepTimeout <= 0 {
		o.StepTimeout = defaultTimeout
	}
	if o.EMSS <= 0 {
		o.EMSS = defaultEMSS
	}
	p := &Player{
		conn: c, role: role, options: o, values: make(scenario.Values), byStep: make(map[int]at),
		blamed: make(map[int]*culprits), requests: make(map[int]*scenario.Request), sender: scenario.NewSender(ddp.Version), mirror: scenario.NewSender(ddp.Version),
		now: o.Begin, progress: o.Begin, silent: -1,
		result: outcome.Conn{Name: c.Name, Role: role, Client: o.Client, Server: o.Server, Steps: make([]outcome.Step, len(c.Steps))},
	}
	for _, v := range c.Vars {
		if v.Owner == role {
			p.values[v.Name] = v.Value
		} else if live, ok := p.mapped(v.Kind, v.Value); ok {
			p.values[v.Name] = live
		}
	}
	for i, s := range c.Steps {
		p.result.Steps[i].Expected = s
		if s.Side == role {
			p.result.Steps[i].Verdict = outcome.NotSent
			p.byStep[s.Number] = at{true, len(p.mine)}
			p.mine = append(p.mine, &own{Step: p.substitute(s), result: i})
			continue
		}
		p.byStep[s.Number] = at{false, len(p.theirs)}
		p.theirs = append(p.theirs, &expected{Step: s, index: len(p.theirs), result: i})
	}
	for _, e := range p.theirs {
		p.enqueue(e)
	}
	p.blame()
	p.awaken()
	return p
}

// Advance tells the time, on a clock of the caller's that never goes back.
func (p *Player) Advance(now time.Duration) {
	p.now = max(p.now, now)
	p.endSilence()
	p.awaken()
	if at, ok := p.timeout(); ok && p.now >= at {
		p.timedOut()
	}
}

// Ending says how the own direction ends. It is to be asked whenever AppendTransmit gives nothing.
func (p *Player) Ending() Ending { return p.ending }

// Done tells that there is nothing left to do: all steps are over. The connection can be closed then.
func (p *Player) Done() bool {
	return p.over || p.sent == len(p.mine) && (p.come == len(p.theirs) || p.onlyResetLeft())
}

// Progress is how many steps of both sides are over.
func (p *Player) Progress() int { return p.sent + p.come }

// onlyResetLeft tells that both sides have closed their directions, so that no reset comes that can be noticed.
func (p *Player) onlyResetLeft() bool {
	_, reset := p.theirs[p.come].Do.(scenario.Reset)
	return reset && p.finished && p.ending == EndsFIN && p.come == len(p.theirs)-1
}

// Outcome is what came of the steps so far. It is final once Done is true and nothing more is given to the Player. It must
// not be changed.
func (p *Player) Outcome() *outcome.Conn {
	if p.Done() && p.come < len(p.theirs) && !p.theirs[p.come].lost {
		s := p.stepOf(p.theirs[p.come])
		s.Verdict, s.Reason = outcome.NotApplicable, "both sides had closed the connection before"
	}
	return &p.result
}

// stepOf is the outcome of a step of the other side.
func (p *Player) stepOf(e *expected) *outcome.Step { return &p.result.Steps[e.result] }

// elapsed is the time since the connection began.
func (p *Player) elapsed() time.Duration { return p.now - p.options.Begin }

// front is the first step of the other side that is not over; nil if there is none.
func (p *Player) front() *expected {
	if p.come == len(p.theirs) {
		return nil
	}
	return p.theirs[p.come]
}

// settled tells whether a step of either side is complete, and whether it never will be.
func (p *Player) settled(number int) (done, never bool) {
	switch at, ok := p.byStep[number]; {
	case !ok:
		return true, false
	case at.mine:
		return at.index < p.sent, false
	default:
		e := p.theirs[at.index]
		return e.over && !e.lost, e.lost
	}
}

// moved notes that something has come about.
func (p *Player) moved() {
	p.progress = p.now
	p.credit = 0
}

// giveUp ends the connection with a reset.
func (p *Player) giveUp(format string, args ...any) {
	if p.over {
		return
	}
	p.end(fmt.Sprintf(format, args...))
	p.ending = EndsReset
}

// end makes the connection over. why, if it is not empty, is told for what was still to come.
func (p *Player) end(why string) {
	if p.over {
		return
	}
	p.over = true
	p.lose(why)
	p.current = nil
	p.result.End = why
}

// lose makes all steps of the other side over that have not come.
func (p *Player) lose(why string) {
	for i := range p.lanes {
		p.lanes[i].abandon(p)
	}
	for _, e := range p.theirs[p.come:] {
		if e.over {
			continue
		}
		e.over, e.lost = true, true
		s := p.stepOf(e)
		switch {
		case s.Verdict != outcome.NotReached:
		case e.begun && e.length > 0:
			p.mark(e, outcome.Mismatched, e.partly(), nil)
		case s.Reason == "":
			s.Reason = why
		}
	}
	p.come = len(p.theirs)
}
