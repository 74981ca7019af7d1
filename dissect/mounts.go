package dissect

// Mounts of NFSv3 that a server refuses. MOUNT (RFC 1813, appendix I) goes over UDP or TCP, and before NFS over RDMA, which then never begins.

import (
	"encoding/binary"
	"net/netip"
	"slices"

	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/session"
	"github.com/iwarpkit/iwarp/dissect/tcpip"
	"github.com/iwarpkit/iwarp/pcaps"
)

const (
	maxMounts    = 64   // Calls that are kept, and refusals
	maxMountPath = 1024 // octets (MNTPATHLEN)

	procMNT     = 1 // of MOUNT
	procGETPORT = 3 // of rpcbind; GETADDR in versions 3 and 4
)

// mounts are the Calls of MOUNT that wait for an answer, and the refusals that no success makes up for.
type mounts struct {
	calls   []mountCall
	refused []flow.Mount
	served  [][2]netip.Addr // client and server of what was not refused; at most maxMounts
}

// A mountCall is a Call.
type mountCall struct {
	xid       uint32
	procedure oncrpc.Procedure
	asked     flow.Mount
}

// isRecord reports whether a segment of TCP may begin with an RPC record, which is short (RFC 5531, section 11).
func isRecord(b []byte) bool { return len(b) > 4 && b[0] == 0x80 && b[1] == 0 }

// datagram takes a packet that may be a datagram of UDP.
func (m *mounts) datagram(rec *pcaps.Record) {
	var u tcpip.UDP
	if u.Decode(rec.LinkType, rec.Data, rec.OrigLen) {
		m.message(u.Src, u.Dst, u.Payload, flow.At(rec.Frame, rec.Time), true)
	}
}

// message takes an RPC message.
func (m *mounts) message(src, dst netip.AddrPort, b []byte, at flow.Span, udp bool) {
	switch {
	case len(m.calls) > 0 && oncrpc.IsReply(b):
		m.reply(src, dst, b, at)
		return
	case len(b) < oncrpc.MinCallLen, !oncrpc.IsCall(b):
		return
	}
	var call oncrpc.Call
	n, err := call.Decode(b)
	if err != nil {
		return
	}
	p, args := call.Procedure(), b[n:]
	c := mountCall{call.XID, p, flow.Mount{Client: src, Server: dst, UDP: udp, Call: at}}
	switch {
	case p.Program == oncrpc.ProgramMOUNT && p.Number == procMNT && len(args) >= 4:
		path := args[4:]
		c.asked.Path = string(path[:min(binary.BigEndian.Uint32(args), uint32(len(path)), maxMountPath)])
	case p.Program != oncrpc.ProgramRPCBind || p.Number != procGETPORT || len(args) < 4 || oncrpc.Program(binary.BigEndian.Uint32(args)) != oncrpc.ProgramMOUNT:
		return
	}
	if len(m.calls) >= maxMounts {
		m.calls = slices.Delete(m.calls, 0, 1)
	}
	m.calls = append(m.calls, c)
}

// reply takes a Reply.
func (m *mounts) reply(src, dst netip.AddrPort, b []byte, at flow.Span) {
	var reply oncrpc.Reply
	n, err := reply.Decode(b)
	i := slices.IndexFunc(m.calls, func(c mountCall) bool { return c.xid == reply.XID && c.asked.Client == dst && c.asked.Server == src })
	if err != nil || i < 0 {
		return
	}
	c := m.calls[i]
	m.calls = slices.Delete(m.calls, i, i+1)
	asked := &c.asked
	asked.Reply = at
	first := uint32(0) // of the results: a status, a port, or the length of an address
	switch results := b[n:]; {
	case !reply.Succeeded():
		asked.Error = reply.Stat()
	case len(results) < 4:
		return
	default:
		first = binary.BigEndian.Uint32(results)
	}
	if c.procedure.Program == oncrpc.ProgramRPCBind {
		asked.Unregistered = asked.Error == "" && first == 0 // no port, or no address
		if asked.Error = ""; !asked.Unregistered && first == 0 {
			return // this version of rpcbind is not there: the client asks another
		}
	} else {
		asked.Status = nfs.MountStat3(first)
	}
	m.settle(asked, c.procedure.Program == oncrpc.ProgramMOUNT)
}

// settle takes what was answered. A path that was mounted makes up for all that were refused before, and a port for all that were sought.
func (m *mounts) settle(asked *flow.Mount, mount bool) {
	pair := [2]netip.Addr{asked.Client.Addr(), asked.Server.Addr()}
	failed := asked.Failed()
	m.refused = slices.DeleteFunc(m.refused, func(r flow.Mount) bool {
		return [2]netip.Addr{r.Client.Addr(), r.Server.Addr()} == pair && (r.Unregistered || mount && (!failed || r.Path == asked.Path))
	})
	served := slices.Contains(m.served, pair)
	switch {
	case !failed && !served && len(m.served) < maxMounts:
		m.served = append(m.served, pair)
	case failed && len(m.refused) < maxMounts && !(asked.Unregistered && served):
		m.refused = append(m.refused, *asked)
	}
}

// close reports what was refused. If a connection was seen, a client whose server has no MOUNT has gone on with NFSv4.
func (m *mounts) close(shared *session.Shared, connected bool) {
	for i := range m.refused {
		if r := &m.refused[i]; !r.Unregistered || !connected {
			shared.Refused(r)
		}
	}
	*m = mounts{}
}
