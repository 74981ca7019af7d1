package live

import (
	"log/slog"
	"net/netip"
	"time"

	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Options say how a Scenario is played. The zero value plays the client, once, as fast as can be.
type Options struct {
	Role     scenario.Side
	Player   player.Options // of each connection; Begin, EMSS, Client and Server are set by this package
	Rounds   int            // how often all of it is played; 0 for once
	Patience time.Duration  // of Serve for the first connection; 0 for as long as it takes
	MaxConns int            // connections at a time; 0 for DefaultMaxConns. More wait until others are over
	Logger   *slog.Logger   // nil is silent
	Tap      func(Traffic)  // called with what is sent and received; nil for none
	Progress func(Progress) // called about five times a second; nil for none
}

// The limits of Options that say nothing.
const (
	DefaultMaxConns    = 1024
	DefaultStepTimeout = 10 * time.Second
)

// defaults puts in what is zero.
func (o *Options) defaults() {
	o.Rounds = max(1, o.Rounds)
	if o.MaxConns <= 0 {
		o.MaxConns = DefaultMaxConns
	}
	if o.Player.StepTimeout <= 0 {
		o.Player.StepTimeout = DefaultStepTimeout
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
}

// Traffic is what went over a connection at one time. A Tap is called with it in order for each connection: with octets
// before they are given to TCP, and after they were received. Calls for several connections may come at once.
type Traffic struct {
	Conn           int            // which connection, from 1 in the order of their begin
	Client, Server netip.AddrPort // of TCP: who has connected, and to whom
	FromClient     bool
	Time           time.Time
	Octets         []byte        // valid until the call returns
	End            player.Ending // how the direction ends with it; GoesOn if it does not
}

// Progress is how far a Scenario was played.
type Progress struct {
	Round, Rounds int // the one that is played, from 1
	Conns         int // of the Scenario
	Begun, Over   int // of them, in this round
	Steps, Done   int // of all connections of a round, and those that are over
}

// A Result is what became of a Scenario.
type Result struct {
	Report    outcome.Report // of all rounds, as AddRound has it
	Connected int            // connections that came about, in all rounds
}
