package client

import (
	"context"
	"errors"
	"fmt"

	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// The errors of measurements that are impossible with a peer.
var (
	ErrNoRegion   = errors.New("client: the peer advertises no region in its Private Data")
	ErrNoReads    = errors.New("client: it needs RDMA Reads or Atomics, but ORD is 0")
	ErrNoMessages = errors.New("client: the peer does not announce that it accepts messages")
	ErrNoEcho     = errors.New("client: the peer does not send messages back")
	ErrTooLong    = errors.New("client: more octets than the peer has room for")
	ErrAnswer     = errors.New("client: the peer answers messages that were not sent, or not as announced")
	ErrFew        = errors.New("client: too few iterations, octets or Work Requests")
)

// An Operation is the kind of operation that is measured.
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

// String returns "write", "read", "send", "immediate" or "atomic".
func (o Operation) String() string { return operationNames[o] }

// Operations returns all of them.
func Operations() []Operation { return []Operation{Write, Read, Send, Immediate, Atomic} }

// Fixed returns the length in octets of operations that have a fixed length, which is 8 for Immediate Data and Atomics
// (RFC 7306). It returns 0 for the others.
func (o Operation) Fixed() int {
	if o == Immediate || o == Atomic {
		return fixedSize
	}
	return 0
}

const fixedSize = 8

// message reports whether the operation consumes a Receive of the peer.
func (o Operation) message() bool { return o == Send || o == Immediate }

// The limits of a Meter.
const (
	MaxSize       = 1 << 30 // octets
	MaxIterations = 1 << 24
	MaxDepth      = 1 << 13 // Work Requests outstanding
)

// A MeterConfig says what a Meter can measure.
type MeterConfig struct {
	Conn  driver.ConnConfig // IRD, ORD and PD of its QP apply
	Size  int               // longest operation in octets
	Depth int               // Work Requests that may be outstanding
}

// A Meter measures a peer on one connection. It is not safe for concurrent use.
type Meter struct {
	worker
	config  MeterConfig
	offer   service.Offer
	region  bool        // the peer advertises a region
	reads   bool        // RDMA Reads may be outstanding
	local   rnicsim.SGE // the memory for all that is sent and received
	heads   []byte      // the first octets of received messages, headLen for each Receive
	headSGE rnicsim.SGE
	sent    uint64 // messages to a counting peer
	counted uint64 // messages in its latest count
}

// headLen is how many octets of a received message are kept: the length of a count.
const headLen = 8

// marks is the number of equal parts of a measurement, to find the fastest.
const marks = 10

// DialMeter connects to a peer. It fails like Device.Dial, with a *ServiceError, or with ErrFew or ErrTooLong if the config is wrong.
func DialMeter(ctx context.Context, d *driver.Device, network, address string, c MeterConfig) (*Meter, error) {
	switch {
	case c.Size < 1 || c.Depth < 1:
		return nil, ErrFew
	case c.Size > MaxSize || c.Depth > MaxDepth:
		return nil, ErrTooLong
	}
	m := &Meter{config: c}
	q := c.Conn.QP
	// Reads follow Writes to see their completion, and a Send that asks for the count follows Sends.
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
	return m, m.wants("sink", "echo", "memory")
}

// prepare registers the memory for all that is sent and received, and posts Receives.
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

// receive returns the Receive of a message whose first octets go to an offset in heads.
func (m *Meter) receive(at uint64) rnicsim.WorkRequest {
	head := m.headSGE
	head.TO += at
	return rnicsim.WorkRequest{ID: at, SGL: []rnicsim.SGE{head, m.local}}
}

// Conn returns the connection.
func (m *Meter) Conn() *driver.Conn { return m.conn }

// Offer returns the peer's announcement. ok is false if it advertises no region.
func (m *Meter) Offer() (o service.Offer, ok bool) { return m.offer, m.region }

// Close closes the connection and waits until the peer has closed it, too, or until ctx is done.
func (m *Meter) Close(ctx context.Context) error { return closeConn(ctx, m.conn) }

// Check returns why an operation cannot be measured with the peer: ErrNoRegion, ErrNoReads, ErrNoMessages, ErrTooLong
// or ErrFew; nil if it can.
func (m *Meter) Check(op Operation, size int) error {
	room := int64(m.offer.Length)
	switch {
	case size < 1 || op.Fixed() != 0 && size != op.Fixed():
		return ErrFew
	case op.message() && (m.offer.Answer == service.TakesNone || m.offer.Receives < 2):
		return ErrNoMessages
	case op == Immediate:
		return nil // it needs no memory
	case op == Send:
		room = int64(m.offer.ReceiveSize)
	case !m.region:
		return ErrNoRegion
	case !m.reads: // a Read shows the completion of Writes
		return ErrNoReads
	}
	if room = min(room, int64(m.local.Len)); int64(size) > room {
		return fmt.Errorf("%w: %d, there is room for %d", ErrTooLong, size, room)
	}
	return nil
}

// part names the first octets of the Meter's memory.
func (m *Meter) part(size int) rnicsim.SGE {
	s := m.local
	s.Len = uint32(size)
	return s
}

// write returns a Write to the peer's region.
func (m *Meter) write(size int) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpWrite, SGL: []rnicsim.SGE{m.part(size)}, Remote: m.offer.STag, RemoteTO: m.offer.TO}
}

// read returns a Read of the peer's region, from an offset.
func (m *Meter) read(from, size int) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpRead, Local: m.part(size), Remote: m.offer.STag, RemoteTO: m.offer.TO + uint64(from)}
}

func (m *Meter) send(size int) rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: []rnicsim.SGE{m.part(size)}}
}

// immediate returns a message of Immediate Data.
func (m *Meter) immediate() rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpImmediate, Data: immediateData}
}

const immediateData = 0x0102030405060708

// add returns a FetchAdd of 1 on the first octets of the peer's region.
func (m *Meter) add() rnicsim.WorkRequest {
	return rnicsim.WorkRequest{Op: rnicsim.OpFetchAdd, Local: m.part(fixedSize), Remote: m.offer.STag, RemoteTO: m.offer.TO, Data: 1}
}
