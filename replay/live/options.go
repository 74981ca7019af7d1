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

// Options say how a Scenario is played. The zero value plays the client once, as fast as possible.
type Options struct {
	Role     scenario.Side
	Player   player.Options // of each connection; Begin, EMSS, Client and Server are set by this package
	Rounds   int            // how often all of it is played; 0 for once
	Patience time.Duration  // how long Serve waits for the first connection; 0 for no limit
	MaxConns int            // connections at a time, others wait; 0 for 1024
	Logger   *slog.Logger   // nil for none
	Tap      func(Traffic)  // called with what is sent and received; nil for none
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

// Traffic is octets that went over a connection, or the end of one direction. A Tap gets that of one connection in order:
// octets before they are given to TCP, and after they were received. Calls for several connections may be concurrent.
type Traffic struct {
	Conn           int            // number of the connection, from 1 in the order in which they begin
	Client, Server netip.AddrPort // of TCP: who connected, and to whom
	FromClient     bool
	Time           time.Time
	Octets         []byte     // valid until the call returns
	End            mpa.Ending // how the direction ends after them; GoesOn if it does not
}

// Progress is how far a Scenario was played.
type Progress struct {
	Round, Rounds int // the current one, from 1, and all
	Conns         int // of the Scenario
	Begun, Over   int // of them, in this round
	Steps, Done   int // of all connections in a round, and how many are over
}

// A Result is what became of a Scenario.
type Result struct {
	Report    outcome.Report // of all rounds, by AddRound
	Connected int            // connections that were established, in all rounds
	Answered  int            // those of them on which the peer has sent octets
}
