// Package rpc follows RPC-over-RDMA, and with it NFS, on iWARP connections. It joins Calls and Replies, finds the RDMA Reads
// and Writes that moved their chunks, puts the RPC messages together, and checks everything against RFC 8166, RFC 8167,
// RFC 8797 and draft 01 of version 2.
//
// [New] returns an upper layer for a judge.Judge, which then reports
//
//   - a record.Upper for each RPC-over-RDMA message, named "RDMA_MSG Call NFSv3 READ"; its Body is a
//     *[Packet];
//   - a Transaction of UpperTransaction for each RPC, at its Reply, named "NFSv4.1 COMPOUND SEQUENCE PUTFH READ"; its Upper is
//     an *[Exchange];
//   - a Finding for each violation of a rule.
//
// A connection is recognised by Private Data (RFC 8797) or by the first Sends captured; on the port of NFS over RDMA such a
// Send may be faulty. The port alone is not enough. Options.OnMessage receives the RPC messages themselves, put together from
// Sends, Read chunks and Write chunks.
//
// The memory per connection is limited, whatever the peers send: see the constants of this package and [Options].
package rpc

import (
	"encoding/binary"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// Options set what is kept. The zero value means the defaults.
type Options struct {
	MaxMessage    int // octets kept of one RPC message; default 1 MiB
	MaxConnection int // octets kept of all RPC messages of a connection that are not whole; default 16 MiB

	// OnMessage, if not nil, receives every RPC message that is complete, or of which nothing more will come. Records show
	// what is in chunks only as the segments that moved it. Without OnMessage only what is needed to name and check Calls
	// is kept: Sends, and chunks that hold whole messages.
	OnMessage func(*Message)
}

// layer is RPC-over-RDMA as an upper layer.
type layer struct {
	opts  Options
	names names
	idle  []*follower // for reuse

	packet Packet // the latest that recognised has returned
}

func newLayer(o Options) *layer {
	if o.MaxMessage <= 0 {
		o.MaxMessage = 1 << 20
	}
	if o.MaxConnection <= 0 {
		o.MaxConnection = 16 << 20
	}
	return &layer{opts: o}
}

// New returns RPC-over-RDMA as an upper layer, for one Judge.
func New(o Options) *ulp.Layer {
	l := newLayer(o)
	return &ulp.Layer{
		Name:    Name,
		Ports:   []uint16{2049, rpcrdma.Port},
		Tables:  tables,
		Details: details,
		Shared: []string{
			"rpcordma.xid", "rpc.xid", "rpc.program", "rpc.programversion", "rpc.procedure", "nfs.opcode", "nfs.cb.operation",
		},
		Speaks:    map[string]string{nfsProto: "any RPC message of NFS"},
		Recognise: l.recognise, Read: l.recognised, ID: []string{"rpcordma.xid", "rpc.xid"},
		Private: private, PrivateTables: []*field.Table{rpcprivate.Fields},
		Terms: terms,
	}
}

// Name is the name of the upper layer.
const Name = "RPC-over-RDMA"

// tables are those of RPC-over-RDMA, of RPC and of NFS, with the names that procedures have in each version of a program.
var tables = func() []*field.Table {
	all := slices.Concat(rpcrdma.Tables, oncrpc.Tables, nfs.Tables)
	for p := range oncrpc.Procedures() {
		all = append(all, p.Fields())
	}
	return all
}()

func (l *layer) recognise(c *flow.Conn, send *record.Message, payload []byte) ulp.Follower {
	switch {
	case send == nil && (hasPrivateData(&c.Request) || hasPrivateData(&c.Reply)):
		return l.follow(c)
	case send == nil || !send.Opcode.IsSend():
		return nil
	}
	if _, ok := rpcrdma.Recognize(payload, int(min(send.Len, maxSend))); ok {
		return l.follow(c)
	}
	if c.Server.Port() == rpcrdma.Port && resembles(payload, send.Len) || carriesCall(payload) {
		return l.follow(c)
	}
	return nil
}

// private recognises the Private Data of RFC 8797 anywhere in that of an MPA frame.
func private(_ *flow.Conn, f *mpa.Frame) (p record.Private, ok bool) {
	b := f.ULPPrivateData()
	off, ok := rpcprivate.Find(b)
	if !ok {
		return p, false
	}
	before := len(f.PrivateData) - len(b)
	return record.Private{ULP: Name, Part: field.Part{Table: rpcprivate.Fields, Octets: b[off:], Off: before + off}}, true
}

// resembles reports whether a Send to the port of NFS over RDMA may be meant as RPC-over-RDMA, even if faulty or cut: its
// version is defined, or it and, if captured, the type are small numbers.
func resembles(payload []byte, length uint64) bool {
	const version, kind, end, small = 4, 12, 16, 16
	if length < rpcrdma.MinVersion1Error || len(payload) < version+4 {
		return false
	}
	v := binary.BigEndian.Uint32(payload[version:])
	if v == rpcrdma.Vers1 || v == rpcrdma.Vers2 {
		return true
	}
	return v > 0 && v < small && (len(payload) < end || binary.BigEndian.Uint32(payload[kind:]) < small)
}

// carriesCall reports whether a Send of version 1 of RPC-over-RDMA without chunks carries a Call, whatever its type: the
// XID stands in both headers.
func carriesCall(payload []byte) bool {
	const lists = 16
	if len(payload) < rpcrdma.MinVersion1+oncrpc.CallLen || binary.BigEndian.Uint32(payload[4:]) != rpcrdma.Vers1 {
		return false
	}
	call := payload[rpcrdma.MinVersion1:]
	return [12]byte(payload[lists:]) == [12]byte{} && [4]byte(call) == [4]byte(payload) && oncrpc.IsCall(call) &&
		binary.BigEndian.Uint32(call[8:]) == oncrpc.Version
}

func hasPrivateData(f *mpa.Frame) bool {
	_, ok := rpcprivate.Find(f.ULPPrivateData())
	return ok
}

// maxIdle is how many followers of ended connections are kept for reuse, with their memory.
const maxIdle = 64

// follow returns a follower for a connection.
func (l *layer) follow(c *flow.Conn) *follower {
	var f *follower
	if n := len(l.idle); n > 0 {
		f, l.idle = l.idle[n-1], l.idle[:n-1]
	} else {
		f = newFollower(l)
	}
	f.conn = c
	return f
}

// over takes back the follower of a connection that has ended.
func (l *layer) over(f *follower) {
	if len(l.idle) < maxIdle {
		l.idle = append(l.idle, f)
	}
}
