package conform

// What runs on the peer, above RDMAP.

import (
	"fmt"
	"slices"
	"strings"
)

// A Service is what the peer runs, and what cases test.
type Service uint8

// The services.
const (
	ConformService   Service = iota // that of docs/conform-service.md
	RPCService                      // any RPC server over RDMA; most cases need that of docs/conform-rpc.md
	RPCClientService                // any RPC client over RDMA version 1, which package replay/conform/rpcclient tests
)

var serviceNames = [...]string{"conform", "rpc", "rpc-client"}

// String returns "conform", "rpc" or "rpc-client".
func (s Service) String() string { return serviceNames[s] }

// ServiceNames returns the names of all services.
func ServiceNames() []string { return slices.Clone(serviceNames[:]) }

// ParseService returns the service with a name.
func ParseService(s string) (Service, error) {
	i := slices.Index(serviceNames[:], s)
	if i < 0 {
		return 0, fmt.Errorf("conform: unknown service %q: want %s", s, strings.Join(serviceNames[:], " or "))
	}
	return Service(i), nil
}

// complete fills in what all cases of the service share. An RPC peer is the server, and so the Responder of MPA; the
// version is the one that the case begins with.
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
