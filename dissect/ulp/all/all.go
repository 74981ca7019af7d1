// Package all lists the upper layers that the toolkit knows:
//
//	judge.New(sink, judge.Options{ULPs: all.Layers()})
//
// Another one needs a line here; no other code has to know it.
package all

import (
	"github.com/iwarpkit/iwarp/dissect/ulp"
	"github.com/iwarpkit/iwarp/dissect/ulp/iser"
	"github.com/iwarpkit/iwarp/dissect/ulp/nvme"
	"github.com/iwarpkit/iwarp/dissect/ulp/rpc"
	"github.com/iwarpkit/iwarp/dissect/ulp/smbdirect"
)

// Layers returns the upper layers, in the order in which they look at a connection. A Judge needs Layers of its own:
// some keep memory from one connection to the next.
func Layers() []*ulp.Layer {
	return []*ulp.Layer{
		rpc.New(rpc.Options{}),
		smbdirect.Layer,
		iser.Layer,
		nvme.Layer,
	}
}

// rping is the port of rping and iwarp serve, whose upper layers have no Layer.
const rping = 7174

// Ports returns the ports on which servers of RDMA listen as a rule: those of all Layers, and of rping.
func Ports() (ports []uint16) {
	ports = append(ports, rping)
	for _, l := range Layers() {
		ports = append(ports, l.Ports...)
	}
	return ports
}
