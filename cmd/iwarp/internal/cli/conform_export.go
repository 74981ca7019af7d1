package cli

// A case as a Scenario, to read, to change, and to play with iwarp replay.

import (
	"context"
	"fmt"
	"io"
	"net"
	"slices"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rules"
	cases "github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// printCase writes a case as a Scenario: for the peer if it is given, or for one that it suits.
func (c *conform) printCase(ctx context.Context, q cases.Question) error {
	side := sideOf(q)
	peers := cases.Assumable(side)
	if c.peer != "" {
		if side == scenario.Server {
			return fmt.Errorf("--export %s: the case is for a peer that connects; leave out %s", q.ID(), shown(c.peer))
		}
		peer, err := cases.Survey(ctx, q.Section.Service, side, func(ctx context.Context) (net.Conn, error) {
			var d net.Dialer
			return d.DialContext(ctx, "tcp", c.peer)
		})
		if err != nil {
			return c.unasked(ctx, err)
		}
		peers = []cases.Peer{*peer}
	}
	s, err := c.suited(q, side, peers)
	switch {
	case err != nil:
		return &exit.Failure{Code: exit.Internal, Err: err}
	case s == nil && q.For != "":
		return fmt.Errorf("--export %s: the case does not apply to this peer: it is for %s", q.ID(), q.For)
	case s == nil:
		return fmt.Errorf("--export %s: the case does not apply to this peer", q.ID())
	}
	return c.writes(c.write, nil, func(w io.Writer, _ bool) error {
		if q.For != "" {
			fmt.Fprintf(w, "# For %s.\n", q.For)
		}
		_, err := io.WriteString(w, s.String())
		return err
	})
}

// sideOf is the side of iwarp: the client if the case allows both.
func sideOf(q cases.Question) scenario.Side {
	if q.Role.Takes(scenario.Client) {
		return scenario.Client
	}
	return scenario.Server
}

// suited returns the Scenario for the first profile and the first peer to which the case applies; nil if there are none.
func (c *conform) suited(q cases.Question, side scenario.Side, peers []cases.Peer) (*scenario.Scenario, error) {
	for _, p := range c.profiles() {
		for i := range peers {
			setup := cases.Assume(side)
			setup.Profile, setup.Peer, setup.Rand = p, peers[i], cases.Random(c.seed, q.ID())
			if s, err := cases.Build(q, setup); s != nil || err != nil {
				return s, err
			}
		}
	}
	return nil, nil
}

// profiles are the profiles for an export: the given one, or else the default and one for each other edition of the documents.
func (c *conform) profiles() []*rules.Profile {
	some := []*rules.Profile{peers.LookupProfile(c.profile.Value)}
	if c.flags.Changed("profile") {
		return some
	}
	for i := range peers.Profiles {
		p := peers.Profiles[i]
		if !slices.ContainsFunc(some, func(other *rules.Profile) bool { return other.Edition == p.Edition }) {
			some = append(some, p)
		}
	}
	return some
}
