package judge

// Mounts that a server refuses, before a connection begins.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// mountStatement says what was refused, and why.
func mountStatement(c *flow.Conn) statement {
	m := c.Mount
	if m.Unregistered {
		t := stated("The server's rpcbind knows no port of MOUNT: the client asked in %s, and the answer in %s has none. To mount NFSv3, a client needs "+
			"MOUNT", frames(c, m.Call), frames(c, m.Reply))
		t.advice = "See whether rpc.mountd runs on the server, and is registered for the version and transport that the client wants (rpcinfo -p SERVER). " +
			"NFSv4 needs no MOUNT."
		return t
	}
	why := m.Error
	if why == "" {
		why = m.Status.String()
	}
	t := stated("The server refused the client's MOUNT of %q in %s with %s in %s", m.Path, frames(c, m.Call), why, frames(c, m.Reply)).seen(why)
	switch m.Status {
	case 1, 13:
		t.advice = fmt.Sprintf("The server does not export this path to the client %v, demands a port below 1024, or has no such path. "+
			"Compare path and address, and the name that the server finds for that, with the exports (exportfs -v, and showmount -e SERVER at the client), "+
			"and see the log of rpc.mountd.", m.Client.Addr())
	case 2, 20:
		t.advice = "The server has no such directory: compare the path with its exports (exportfs -v), and see whether what they export is mounted there."
	default:
		t.advice = "See the log of rpc.mountd on the server, and whether it knows this version of MOUNT (rpcinfo -p SERVER)."
	}
	return t
}
