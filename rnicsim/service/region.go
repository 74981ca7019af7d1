package service

// The memory of a connection: the region that is advertised, and buffers of messages.

import (
	"github.com/iwarpkit/iwarp/internal/pages"
	"github.com/iwarpkit/iwarp/rnicsim"
)

const (
	remoteRights = localRights | windowRights
	localRights  = rnicsim.LocalRead | rnicsim.LocalWrite
	windowRights = rnicsim.RemoteRead | rnicsim.RemoteWrite
	sinkRights   = localRights | rnicsim.RemoteWrite // where an RDMA Read Response may go
)

// region registers Options.Region octets, all zero, for the peer to write and read.
func (c *session) region() (Advertisement, error) {
	octets := c.memory(c.server.options.Region)
	stag, to, err := c.conn.Register(octets, remoteRights)
	return Advertisement{TO: to, STag: stag, Length: uint32(len(octets))}, err
}

// offer returns the Private Data of a Reply that advertises a region.
func (s *Server) offer(a Advertisement, answer Answer) []byte {
	o := Offer{Advertisement: a, Answer: answer}
	if answer != TakesNone {
		o.Receives, o.ReceiveSize = uint32(s.options.Receives), uint32(s.options.ReceiveSize)
	}
	b, _ := o.AppendBinary(nil)
	return b
}

// A buffers is several buffers of one size in one Memory Region.
type buffers struct {
	octets []byte
	size   int
	stag   rnicsim.STag
	to     uint64
}

// newBuffers registers n buffers for Work Requests of this side.
func (c *session) newBuffers(n, size int) (b buffers, err error) {
	return c.shareBuffers(make([]byte, n*size), size, localRights)
}

// shareBuffers registers octets as buffers with rights.
func (c *session) shareBuffers(octets []byte, size int, rights rnicsim.Rights) (b buffers, err error) {
	b = buffers{octets: octets, size: size}
	b.stag, b.to, err = c.conn.Register(b.octets, rights)
	return b, err
}

// manyPages is the size from which memory is returned to the system when the connection is over.
const manyPages = 1 << 20

// memory returns octets, all zero, for use until the connection is over.
func (c *session) memory(n int) []byte {
	if n < manyPages {
		return make([]byte, n)
	}
	b, free := pages.Make(n)
	c.atEnd(free)
	return b
}

func (b *buffers) at(i int) []byte { return b.octets[i*b.size : (i+1)*b.size] }

// sgl names the first octets of a buffer.
func (b *buffers) sgl(i, length int) []rnicsim.SGE {
	return []rnicsim.SGE{{STag: b.stag, TO: b.to + uint64(i*b.size), Len: uint32(length)}}
}
