package rpc

// A Call on its way: from its header over its Read chunks to the program.

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// A call is a Call of the peer, from its header until its answer.
type call struct {
	request []byte // the message that it came in, the last one of several; its own copy
	xid     uint32
	payload []byte // what stands inline, of all messages; of a body what was read
	body    bool   // the RPC message is in the Position Zero Read chunk, and nothing inline

	reads      rpcrdma.ReadList
	writes     rpcrdma.WriteList
	reply      rpcrdma.WriteChunk
	invalidate uint32 // STag that the Send of the Reply invalidates; 0 for none

	chunks  []chunk // of the Read list but that at Position Zero, in ascending order of the Positions
	size    int     // octets of all Read chunks
	held    int     // of them, those that there is memory for
	reading int     // RDMA Reads that are not complete
	kept    int     // octets that version 2 counts until the answer is sent
}

// A chunk is a Read chunk other than that at Position Zero, with what was read.
type chunk struct {
	position uint32
	octets   []byte
}

// at is the Position, which is a multiple of four unless the Endpoint is careless of BadPosition.
func (c *chunk) at() uint64 { return uint64(c.position) &^ 3 }

// called takes in a Call whose header is good. Its version has posted no Receive in its place yet, and does so when it
// answers or refuses.
func (e *Endpoint) called(c *call) {
	r := e.measure(c)
	if r == nil {
		r = e.version.check(c)
	}
	if r == nil && !c.body {
		r = e.checkPayload(c)
	}
	switch {
	case r != nil:
		e.version.refuse(c, r)
	case c.size == 0:
		e.gather(c)
	default:
		e.waiting = append(e.waiting, c)
		e.gatherWaiting()
	}
}

// gatherWaiting goes on with the Calls that wait, as far as there is memory for their Read chunks.
func (e *Endpoint) gatherWaiting() {
	for len(e.waiting) > 0 && e.gathered+e.waiting[0].size <= maxGathered {
		next := e.waiting[0]
		e.waiting = e.waiting[1:]
		e.gather(next)
	}
}

// checkPayload says whether the RPC message of a Call is one (RFC 8166, section 4.2.1).
func (e *Endpoint) checkPayload(c *call) *Refusal {
	if len(c.payload) < 8 {
		return &Refusal{Fault: BadXID}
	}
	if r := e.fault(BadXID, word(c.payload, 0) != c.xid); r != nil {
		return r
	}
	return e.fault(BadMsgType, word(c.payload, 1) != 0)
}

// measure says whether the chunks of a Call are within bounds, and notes what they are.
func (e *Endpoint) measure(c *call) *Refusal {
	if most := e.mostChunks(TooManyWrites); c.writes.Count() > most {
		return &Refusal{Fault: TooManyWrites, Max: uint32(most)}
	}
	if e.noReads && len(c.reads) > 0 {
		return &Refusal{Fault: TooManyReads}
	}
	size := uint64(0)
	for s := range c.reads.Segments {
		size += uint64(s.Length)
	}
	if size > maxOctets {
		return &Refusal{Fault: TooLong}
	}
	c.size = int(size)
	most := e.mostChunks(TooManyReads)
	for p := range c.reads.Positions {
		if p == 0 {
			continue
		}
		if len(c.chunks) == most {
			return &Refusal{Fault: TooManyReads, Max: uint32(most)}
		}
		c.chunks = append(c.chunks, chunk{position: p})
	}
	return nil
}

// mostChunks is the number of chunks beyond which there are too many.
func (e *Endpoint) mostChunks(f Fault) int {
	if e.careless(f) {
		return MaxChunks
	}
	return e.options.Chunks
}

// gather has the Read chunks of a Call read, and executes it if there are none.
func (e *Endpoint) gather(c *call) {
	c.held = c.size
	e.gathered += c.held
	if c.body {
		c.payload = e.read(c, 0)
	}
	for i := range c.chunks {
		c.chunks[i].octets = e.read(c, c.chunks[i].position)
	}
	if c.reading == 0 {
		e.execute(c)
	}
}

// read has a Read chunk read, and returns where it will be.
func (e *Endpoint) read(c *call, position uint32) []byte {
	octets := make([]byte, c.reads.Length(position))
	rest := octets
	for s := range c.reads.Chunk(position) {
		if s.Length == 0 {
			continue
		}
		to := rest[:s.Length:s.Length]
		e.actions = append(e.actions, Action{Type: Read, Octets: to, STag: s.Handle, TO: s.Offset, call: c})
		rest = rest[s.Length:]
		c.reading++
	}
	return octets
}

// execute executes a Call all of whose octets are here, and answers it.
func (e *Endpoint) execute(c *call) {
	var a *answer
	results, r := e.perform(c)
	if r == nil {
		a, r = e.reduce(c, results)
	}
	if r == nil {
		r = e.version.answer(c, a)
	}
	if r != nil {
		e.version.refuse(c, r)
	}
	e.version.callback()
}

// release gives up the memory of a Call that is over.
func (e *Endpoint) release(c *call) {
	e.gathered -= c.held
	c.held = 0
	e.version.released(c)
	e.gatherWaiting()
}

// segments are all segments of a header, those of the Read list first.
func segments(reads rpcrdma.ReadList, writes rpcrdma.WriteList, reply rpcrdma.WriteChunk) iter.Seq[rpcrdma.Segment] {
	return func(yield func(rpcrdma.Segment) bool) {
		for s := range reads.Segments {
			if !yield(s.Segment) {
				return
			}
		}
		for c := range writes.Chunks {
			for s := range c.Segments {
				if !yield(s) {
					return
				}
			}
		}
		reply.Segments(yield)
	}
}
