package live

import (
	"log/slog"
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Options configure a run. The zero value plays the client once, as fast as possible.
type Options struct {
	Role     scenario.Side
	Player   player.Options // of each connection; Begin, EMSS, Client and Server are set by this package
	Rounds   int            // how often the Scenario is played; 0 for once
	Patience time.Duration  // how long Serve waits for the first connection; 0 for no limit
	MaxConns int            // concurrent connections, others wait; 0 for 1024
	Logger   *slog.Logger   // nil for none
	Tap      func(Traffic)  // called with sent and received octets; nil for none
	Progress func(Progress) // called about five times a second; nil for none
}

// The defaults of Options.
const (
	defaultMaxConns    = 1024
	defaultStepTimeout = 10 * time.Second
)

func (o *Options) defaults() {
	o.Rounds = max(1, o.Rounds)
	if o.MaxConns <= 0 {
		o.MaxConns = defaultMaxConns
	}
	if o.Player.StepTimeout <= 0 {
		o.Player.StepTimeout = defaultStepTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
}

// Traffic is octets of a connection, or the end of one direction. A Tap gets those of one connection in order: sent
// octets before TCP gets them, received ones after. Calls for several connections may be concurrent.
type Traffic struct {
	Conn           int            // number of the connection, from 1 in the order in which they begin
	Client, Server netip.AddrPort // of TCP: who connected, and to whom
	FromClient     bool
	Time           time.Time
	Octets         []byte     // valid until the call returns
	End            mpa.Ending // how the direction ends after them; GoesOn if it does not
}

// Progress is how far a Scenario has been played.
type Progress struct {
	Round, Rounds int // the current one, from 1, and all
	Conns         int // of the Scenario
	Begun, Over   int // of them, in this round
	Steps, Done   int // of all connections in a round, and how many are complete
}

// A Result is the result of playing a Scenario.
type Result struct {
	Report    outcome.Report // of all rounds, by AddRound
	Connected int            // connections that were established, in all rounds
	Answered  int            // those on which the peer has sent octets
}
