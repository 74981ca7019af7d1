package conform

// What runs on the peer, above RDMAP.

import (
	"fmt"
	"slices"
	"strings"
)

// A Service is what the peer runs, and what cases are asked of.
type Service uint8

// The services.
const (
	ConformService Service = iota // that of docs/conform-service.md
	RPCService                    // an RPC server over RDMA: any, but most can be asked of that of docs/conform-rpc.md
)

var serviceNames = [...]string{"conform", "rpc"}

// String is "conform" or "rpc".
func (s Service) String() string { return serviceNames[s] }

// ServiceNames are what Service.String writes, of all services.
func ServiceNames() []string { return slices.Clone(serviceNames[:]) }

// ParseService reads what Service.String writes.
func ParseService(s string) (Service, error) {
	i := slices.Index(serviceNames[:], s)
	if i < 0 {
		return 0, fmt.Errorf("conform: there is no service %q: want %s", s, strings.Join(serviceNames[:], " or "))
	}
	return Service(i), nil
}

// complete puts into a case what is so for all that are asked of the service. An RPC peer is the server, and so the
// Responder of MPA; the version is that with which the case begins.
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
