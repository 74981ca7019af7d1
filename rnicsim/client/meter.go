package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// The errors of measurements that cannot be made with a peer.
var (
	ErrNoRegion   = errors.New("client: the peer advertises no region in its Private Data")
	ErrNoReads    = errors.New("client: it takes RDMA Reads or Atomics, and none may be outstanding: ORD is 0")
	ErrNoMessages = errors.New("client: the peer does not say that it takes in messages")
	ErrNoEcho     = errors.New("client: the peer does not send messages back")
	ErrTooLong    = errors.New("client: more octets than the peer has room for")
	ErrAnswer     = errors.New("client: the peer answers messages that were not sent, or not as it says")
	ErrFew        = errors.New("client: too few iterations, octets or Work Requests")
)

// An Operation is what is measured.
type Operation uint8

// The Operations.
const (
	Write     Operation = iota // RDMA Writes into the region of the peer
	Read                       // RDMA Reads from it
	Send                       // Sends
	Immediate                  // Immediate Data
	Atomic                     // FetchAdds on the first 8 octets of the region
)

var operationNames = [...]string{"write", "read", "send", "immediate", "atomic"}

// String is "write", "read", "send", "immediate" or "atomic".
func (o Operation) String() string { return operationNames[o] }

// Operations are all of them.
func Operations() []Operation { return []Operation{Write, Read, Send, Immediate, Atomic} }

// Fixed is the length in octets of operations that can have no other: 8 of Immediate Data and of Atomics, which are those
// of RFC 7306. It is 0 for the others.
func (o Operation) Fixed() int {
	if o == Immediate || o == Atomic {
		return fixedSize
	}
	return 0
}

const fixedSize = 8

// message tells whether the operation takes a Receive of the peer.
func (o Operation) message() bool { return o == Send || o == Immediate }

// Bounds of what a Meter measures.
const (
	MaxSize       = 1 << 30 // octets
	MaxIterations = 1 << 24
	MaxDepth      = 1 << 13 // Work Requests outstanding
)

// MeterConfig says what a Meter has room for.
type MeterConfig struct {
	Conn  driver.ConnConfig // IRD, ORD and PD of its QP count
	Size  int               // octets of the longest operation
	Depth int               // Work Requests that may be outstanding
}

// A Meter measures a peer, on one connection. It is not safe for concurrent use.
type Meter struct {
	worker
	config  MeterConfig
	offer   service.Offer
	region  bool        // the peer advertises one
	reads   bool        // RDMA Reads may be outstanding
	local   rnicsim.SGE // all octets that are sent, and those that come
	heads   []byte      // the first octets of each message that comes, headLen for each Receive
	headSGE rnicsim.SGE
	sent    uint64 // messages to a peer that counts
	counted uint64 // of them, by what it has told
}

// headLen is how many octets of a message that comes are kept: as many as a count has.
const headLen = 8

// marks is into how many parts of equal length a measurement is divided, to find the best.
const marks = 10

// DialMeter connects to a peer. It fails as Device.Dial does, or with ErrFew or ErrTooLong for the config.
func DialMeter(ctx context.Context, d *driver.Device, network, address string, c MeterConfig) (*Meter, error) {
	switch {
	case c.Size < 1 || c.Depth < 1:
		return nil, ErrFew
	case c.Size > MaxSize || c.Depth > MaxDepth:
		return nil, ErrTooLong
	}
	m := &Meter{config: c}
	q := c.Conn.QP
	// Behind Writes stand Reads that mark them, and behind Sends one that asks for the count.
	c.Conn.QP = rnicsim.QPConfig{
		RemoteRead: true, RemoteWrite: true, SQ: c.Depth + marks + 2, RQ: c.Depth + 2, RecvSGEs: 2, IRD: q.IRD, ORD: q.ORD, PD: q.PD,
	}
	c.Conn.Prepare = m.prepare
	var err error
	if m.conn, err = d.Dial(ctx, network, address, c.Conn); err != nil {
		return nil, err
	}
	reply := m.conn.Reply()
	_, err = m.offer.Decode(reply.ULPPrivateData())
	m.region = !errors.Is(err, service.ErrNoAdvertisement)
	m.reads = q.ORD >= 0 && m.conn.Agreement().InitORD != 0
	return m, nil
}

// prepare registers memory, which is for all that comes and goes, and posts Receives.
func (m *Meter) prepare(conn *driver.Conn) error {
	octets := make([]byte, max(m.config.Size, fixedSize))
	for i := range octets {
		octets[i] = byte(i)
	}
	stag, to, err := conn.Register(octets, rnicsim.LocalRead|rnicsim.LocalWrite|rnicsim.RemoteWrite)
	if err != nil {
		return err
	}
	m.local = rnicsim.SGE{STag: stag, TO: to, Len: uint32(len(octets))}
	m.heads = make([]byte, headLen*(m.config.Depth+2))
	if stag, to, err = conn.Register(m.heads, rnicsim.LocalWrite); err != nil {
		return err
	}
	m.headSGE = rnicsim.SGE{STag: stag, TO: to, Len: headLen}
	for i := 0; i < len(m.heads); i += headLen {
		if err := conn.PostReceive(m.receive(uint64(i))); err != nil {
			return err
		}
	}
	return nil
}

// receive is the Receive of a message whose first octets are kept at a place in heads.
func (m *Meter) receive(at uint64) rnicsim.WorkRequest {
	head := m.headSGE
	head.TO += at
	return rnicsim.WorkRequest{ID: at, SGL: []rnicsim.SGE{head, m.local}}
}

// Conn is the connection.
func (m *Meter) Conn() *driver.Conn { return m.conn }

// Offer is what the peer says of itself, and ok whether it advertises a region at all.
func (m *Meter) Offer() (o service.Offer, ok bool) { return m.offer, m.region }

// Close closes the connection and waits until the peer has done so too, or until ctx is done.
func (m *Meter) Close(ctx context.Context) error { return closeConn(ctx, m.conn) }

// Check tells whether an operation can be measured with the peer: it fails with ErrNoRegion, ErrNoReads,
// ErrNoMessages, ErrTooLong or ErrFew.
func (m *Meter) Check(op Operation, size int) error {
	room := int64(m.offer.Length)
	switch {
	case size < 1 || op.Fixed() != 0 && size != op.Fixed():
		return ErrFew
	case op.message() && (m.offer.Answer == service.TakesNone || m.offer.Receives < 2):
		return ErrNoMessages
	case op == Immediate:
		return nil // it has no place in a buffer
	case op == Send:
		room = int64(m.offer.ReceiveSize)
	case !m.region:
		return ErrNoRegion
	case !m.reads: // that Writes are done is known by a Read
		return ErrNoReads
	}
	if room = min(room, int64(m.local.Len)); int64(size) > room {
		return fmt.Errorf("%w: %d, there is room for %d", ErrTooLong, size, room)
	}
	return nil
}

// part is the first octets of the Meter's memory.
func (m *Meter) part(size int) rnicsim.SGE {
	s := m.local
	s.Len = uint32(size)
	return s
}

// write writes octets into the peer's region.
func (m *Meter) write(size int) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{m.part(size)}, Remote: m.offer.STag, RemoteTO: m.offer.TO}
}

// read reads octets of the peer's region, from one of them on.
func (m *Meter) read(from, size int) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: m.part(size), Remote: m.offer.STag, RemoteTO: m.offer.TO + uint64(from)}
}

// send sends octets.
func (m *Meter) send(size int) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: []rnicsim.SGE{m.part(size)}}
}

// immediate sends Immediate Data.
func (m *Meter) immediate() rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpImmediate, Data: immediateData}
}

const immediateData = 0x0102030405060708

// add adds 1 to the first octets of the peer's region.
func (m *Meter) add() rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpFetchAdd, Local: m.part(fixedSize), Remote: m.offer.STag, RemoteTO: m.offer.TO, Data: 1}
}
