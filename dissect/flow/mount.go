package flow

import (
	"net/netip"

	"github.com/iwarpkit/iwarp/codec/nfs"
)

// A Mount is a Call of MOUNT, over UDP or TCP, that the server refused, or for whose program it has no port.
type Mount struct {
	Client, Server netip.AddrPort
	UDP            bool   // not TCP
	Path           string // what the client wants to mount; empty if it asked for the port
	Call, Reply    Span
	Status         nfs.MountStat3 // 0 if there is none
	Error          string         // of RPC, "PROG_UNAVAIL"; empty if there is none
	Unregistered   bool           // rpcbind has no port of MOUNT
}

// Failed reports whether the client did not get what it asked for.
func (m *Mount) Failed() bool { return m.Status != 0 || m.Error != "" || m.Unregistered }
