package conform

// The survey of a peer with the RPCService after its MPA start-up: the supported versions of RPC-over-RDMA, and a
// program whose NULL it knows.

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext"
	"github.com/iwarpkit/iwarp/replay/conform/internal/rpctext2"
)

// rpcPrivate is our Private Data in the survey, so that the peer has a reason to send its own (RFC 8797): buffers of 1024
// octets, no remote invalidation.
var rpcPrivate, _ = (&rpcprivate.Data{Version: 1}).AppendBinary(nil) // every value fits

// surveyCredits is the number of credits that our messages request and grant in the survey.
const surveyCredits = 32

// mostProperties limits the messages with properties of a peer.
const mostProperties = 16

var errVersion = errors.New("it does not support that version")

// rpc finds out which RPC-over-RDMA a peer that accepts f knows.
func (s *surveyor) rpc(ctx context.Context, f mpa.Frame, p *Peer) error {
	r := &p.RPC
	err1 := s.version1(ctx, f, r)
	if err1 != nil && !errors.Is(err1, errVersion) {
		return fmt.Errorf("%w: %w", ErrNoRPC, err1)
	}
	err2 := s.version2(ctx, f, r)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r.Version1, r.Version2 = err1 == nil, err2 == nil
	switch {
	case !r.Version1 && !r.Version2:
		return fmt.Errorf("%w: %w", ErrNoRPC, err2)
	case r.High == 0:
		r.Low, r.High = rpcrdma.Vers1, rpcrdma.Vers1
		if r.Version2 {
			r.High = rpcrdma.Vers2
		}
	}
	return nil
}

// version1 asks a peer for NULL in version 1.
func (s *surveyor) version1(ctx context.Context, f mpa.Frame, r *RPCPeer) error {
	conn, err := s.establish(ctx, f)
	if err != nil {
		return err
	}
	defer conn.nc.Close()
	return r.find(func(c *oncrpc.Call) (*oncrpc.Reply, error) {
		h := rpcrdma.Version1{XID: c.XID, Vers: rpcrdma.Vers1, Credit: surveyCredits, Proc: rpcrdma.ProcMsg}
		b, _ := h.AppendBinary(nil) // which never fails
		reply, m, err := conn.call(b, c, rpcrdma.DialectVersion1)
		if m != nil {
			r.versions(m)
		}
		if err == nil {
			r.Credits = cmp.Or(r.Credits, m.Credit)
		}
		return reply, err
	})
}

// version2 asks a peer for its properties in version 2, and for NULL if it does not accept version 1.
func (s *surveyor) version2(ctx context.Context, f mpa.Frame, r *RPCPeer) error {
	conn, err := s.establish(ctx, f)
	if err != nil {
		return err
	}
	defer conn.nc.Close()
	h := rpcrdma.Version2{XID: firstXID, Vers: rpcrdma.Vers2, CreditMax: uint16(rpctext2.MostCredits), CreditGrant: surveyCredits, HType: rpcrdma.HTypeConnProp}
	// Without a property it would be so short that a peer of version 1 would drop it (RFC 8166, section 4.5).
	h.Props = h.Props.AppendUint32(rpcrdma.PropRBSIZ, rpcrdma.InlineThreshold2)
	b, _ := h.AppendBinary(nil) // which never fails
	if err := conn.send(b); err != nil {
		return err
	}
	if err := r.properties(conn); err != nil || r.Program != 0 {
		return err
	}
	return r.find(func(c *oncrpc.Call) (*oncrpc.Reply, error) {
		h := rpcrdma.Version2{XID: c.XID, Vers: rpcrdma.Vers2, CreditMax: uint16(rpctext2.MostCredits), CreditGrant: 1, HType: rpcrdma.HTypeMsg}
		b, _ := h.AppendBinary(nil)
		reply, _, err := conn.call(b, c, rpcrdma.DialectVersion2)
		return reply, err
	})
}

func (r *RPCPeer) properties(c *connection) error {
	set, first := defaultProperties(), uint32(0)
	for range mostProperties {
		var m rpcrdma.Message
		if err := c.message(&m, rpcrdma.DialectVersion2); err != nil {
			return err
		}
		r.versions(&m)
		if m.Form != rpcrdma.FormProperties {
			return fmt.Errorf("%w: it answers RDMA2_CONNPROP with %s %s", errVersion, m.KindName(), m.ErrorName())
		}
		_, granted := m.Granted()
		first = cmp.Or(first, granted)
		for p := range m.Props.Properties() {
			if len(p.Data) > 0 { // else it means the default
				set = set.Append(p.Which, p.Data)
			}
		}
		if !m.More {
			r.Properties, r.Granted = set, first
			return nil
		}
	}
	return fmt.Errorf("it sends properties in more than %d messages", mostProperties)
}

// defaultProperties returns the numbers of a peer that does not send its own.
func defaultProperties() (set rpcrdma.PropSet) {
	for _, id := range []rpcrdma.PropID{rpcrdma.PropSBSIZ, rpcrdma.PropRBSIZ, rpcrdma.PropRSSIZ, rpcrdma.PropRCSIZ, rpcrdma.PropBRS} {
		usual, _ := id.Default()
		set = set.AppendUint32(id, usual)
	}
	return set
}

func (r *RPCPeer) versions(m *rpcrdma.Message) {
	if m.Form == rpcrdma.FormError && m.Error.Err == rpcrdma.ErrCode2Vers { // the number is the same in version 1
		r.Low, r.High = m.Error.VersLow, m.Error.VersHigh
	}
}

const firstXID = 0x73757276

const rpcProgram = oncrpc.Program(rpctext.Program)

// programs are the programs whose NULL the survey tries, the best first.
var programs = []oncrpc.Call{
	{Prog: rpcProgram, Vers: uint32(rpctext.ProgramVersion)}, {Prog: oncrpc.ProgramNFS, Vers: 3}, {Prog: oncrpc.ProgramNFS, Vers: 4},
}

// find finds a program whose NULL the peer knows. If there is none it returns the first one, whose Call the peer
// answers, too.
func (r *RPCPeer) find(null func(*oncrpc.Call) (*oncrpc.Reply, error)) error {
	for i, c := range programs {
		c.XID, c.RPCVers = firstXID+uint32(i), oncrpc.Version
		reply, err := null(&c)
		switch {
		case err != nil && i > 0:
			return nil // the first program will do
		case err != nil:
			return err
		case reply.ReplyStat != oncrpc.Accepted:
			return fmt.Errorf("it rejects a Call of NULL with AUTH_NONE: %v", reply.RejectStat)
		case i == 0 || reply.AcceptStat == oncrpc.Success:
			r.Program, r.ProgramVersion, r.Stat = c.Prog, c.Vers, reply.AcceptStat
		}
		if reply.AcceptStat == oncrpc.Success {
			r.Conform = c.Prog == rpcProgram
			return nil
		}
	}
	return nil
}

// call sends a Call after a header. It returns the received message even if that is not a Reply.
func (c *connection) call(header []byte, call *oncrpc.Call, d rpcrdma.Dialect) (*oncrpc.Reply, *rpcrdma.Message, error) {
	b, _ := call.AppendBinary(header) // which never fails
	if err := c.send(b); err != nil {
		return nil, nil, err
	}
	m := new(rpcrdma.Message)
	if err := c.message(m, d); err != nil {
		return nil, nil, err
	}
	switch {
	case m.Form == rpcrdma.FormError && m.Error.Err == rpcrdma.ErrCode2Vers:
		return nil, m, fmt.Errorf("%w: %s %d to %d", errVersion, m.ErrorName(), m.Error.VersLow, m.Error.VersHigh)
	case m.Form != rpcrdma.FormInline:
		return nil, m, fmt.Errorf("it answers a Call of NULL with %s %s", m.KindName(), m.ErrorName())
	}
	reply := new(oncrpc.Reply)
	if _, err := reply.Decode(m.Payload); err != nil {
		return nil, m, err
	}
	if reply.XID != call.XID {
		return nil, m, fmt.Errorf("it answers the Call 0x%08x with a Reply to 0x%08x", call.XID, reply.XID)
	}
	return reply, m, nil
}

// message receives the next message of RPC-over-RDMA.
func (c *connection) message(m *rpcrdma.Message, d rpcrdma.Dialect) error {
	b, err := c.receive()
	if err != nil {
		return err
	}
	m.Decode(b, len(b), d.Of(b, len(b)))
	return m.Err
}
