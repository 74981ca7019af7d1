package cli

// Listening for one peer, which replay and conform play with.

import (
	"context"
	"fmt"
	"net"
	"net/netip"

	overtcp "github.com/iwarpkit/iwarp/replay/live"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A fromFlag is the address that a peer must have.
type fromFlag struct{ value netip.Addr }

func (f *fromFlag) String() string {
	if !f.value.IsValid() {
		return ""
	}
	return f.value.String()
}

func (f *fromFlag) Type() string { return "HOST" }

func (f *fromFlag) Set(s string) error {
	found, err := net.DefaultResolver.LookupNetIP(context.Background(), "ip", s)
	if err != nil || len(found) == 0 {
		return fmt.Errorf("want the address or name of a host")
	}
	f.value = found[0].Unmap()
	return nil
}

// listenFor listens for a peer and says where.
func (a *app) listenFor(ctx context.Context, address string, c overtcp.ListenConfig) (*overtcp.Listener, error) {
	l, err := overtcp.Listen(ctx, address, c)
	if err != nil {
		return nil, unreachable(address, err)
	}
	if !a.quiet {
		fmt.Fprintf(a.Err, "listening on %v\n", l.Addr())
		if isPublic(l.Addr()) && !c.From.IsValid() {
			fmt.Fprintf(a.Err, "the first host to connect to %v is taken for the peer; use --from to name the peer\n", l.Addr())
		}
	}
	return l, nil
}

// closes closes a Listener, and notes who else has connected.
func (a *app) closes(l *overtcp.Listener) {
	l.Close()
	if s := l.Unexpected(); s.Count > 0 && !a.quiet {
		fmt.Fprintf(a.Err, "note: %s not from the peer, the first from %v\n", counted(uint64(s.Count), "connection"), s.First)
	}
}

// begins reports whether all connections of a Scenario begin with the MPA Request of the client.
func begins(s *scenario.Scenario) bool {
	for _, c := range s.Conns {
		for _, step := range c.Steps {
			if step.Side != scenario.Client {
				continue
			}
			if _, ok := step.Do.(*scenario.Frame); !ok {
				return false
			}
			break
		}
	}
	return true
}
