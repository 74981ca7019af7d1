package player_test

import (
	"testing"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A link connects two Players in memory.
type link struct {
	players  [2]*player.Player
	reported [2]mpa.Ending
	pieces   func(side int, b []byte) [][]byte // divides the octets of a side for the other one; nil for one piece
	change   func(side int, b []byte) []byte   // changes the octets of a side; nil to leave them
	limit    int
	now      time.Duration
}

// pair returns Players of both sides of a connection, whose steps may differ.
func pair(t testing.TB, client, server *scenario.Conn, o player.Options) (l *link) {
	t.Helper()
	l = &link{limit: 1 << 16}
	l.players[0] = player.New(client, scenario.Client, o)
	l.players[1] = player.New(server, scenario.Server, o)
	return l
}

// run lets the Players send and receive until both are done, and returns their outcomes: client, server.
func (l *link) run(t testing.TB) (outcomes [2]*outcome.Conn) {
	t.Helper()
	var buf []byte
	for rounds := 0; ; rounds++ {
		busy := false
		for side, p := range l.players {
			if buf = p.AppendTransmit(buf[:0], l.limit); len(buf) > 0 {
				busy = true
				l.deliver(side, buf)
				continue
			}
			if e := p.Ending(); e != l.reported[side] {
				busy, l.reported[side] = true, e
				if e == mpa.EndsFIN {
					l.players[1-side].InputFIN()
				} else {
					l.players[1-side].InputReset()
				}
			}
		}
		if busy {
			continue
		}
		if l.players[0].Done() && l.players[1].Done() {
			return [2]*outcome.Conn{l.players[0].Outcome(), l.players[1].Outcome()}
		}
		l.wait(t)
	}
}

// wait advances the time to the next deadline.
func (l *link) wait(t testing.TB) {
	t.Helper()
	next, found := time.Duration(0), false
	for _, p := range l.players {
		if at, ok := p.NextDeadline(); ok && (!found || at < next) {
			next, found = at, true
		}
	}
	if !found {
		t.Fatal("nobody waits for anything, and they are not done")
	}
	if next < l.now {
		t.Fatalf("a deadline at %v, and it is %v", next, l.now)
	}
	l.now = max(l.now+1, next)
	for _, p := range l.players {
		p.Advance(l.now)
	}
}

// deliver gives octets of a side to the other one.
func (l *link) deliver(side int, b []byte) {
	if l.change != nil {
		b = l.change(side, b)
	}
	if l.pieces == nil {
		l.players[1-side].Input(b)
		return
	}
	for _, piece := range l.pieces(side, b) {
		l.players[1-side].Input(piece)
	}
}
