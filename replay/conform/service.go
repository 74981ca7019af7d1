package conform

// What runs on the peer, above RDMAP.

import (
	"fmt"
	"slices"
	"strings"
)

// A Service is what the peer runs, and what cases ask.
type Service uint8

// The services.
const (
	ConformService Service = iota // that of docs/conform-service.md
	RPCService                    // any RPC server over RDMA; that of docs/conform-rpc.md can be asked most
)

var serviceNames = [...]string{"conform", "rpc"}

// String returns "conform" or "rpc".
func (s Service) String() string { return serviceNames[s] }

// ServiceNames returns the names of all services.
func ServiceNames() []string { return slices.Clone(serviceNames[:]) }

// ParseService returns the service with a name.
func ParseService(s string) (Service, error) {
	i := slices.Index(serviceNames[:], s)
	if i < 0 {
		return 0, fmt.Errorf("conform: there is no service %q: want %s", s, strings.Join(serviceNames[:], " or "))
	}
	return Service(i), nil
}

// complete adds to a case what all cases of the service have in common. An RPC peer is the server, and so the Responder of
// MPA; the version is the one with which the case begins.
func (s Service) complete(c *Case) {
	if s != RPCService {
		return
	}
	c.Role = AsInitiator
	c.Need |= RPCVersion1
	if c.Begin.RPC == 2 {
		c.Need = c.Need&^RPCVersion1 | RPCVersion2
	}
}
