package rpc

// Processing a Call: its header, its Read chunks, and its execution.

import (
	"iter"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// A call is a Call of the peer, until it is answered.
type call struct {
	request []byte // a copy of the message that it came in, the last one of several
	xid     uint32
	payload []byte // inline octets of all messages; of a body: the octets read
	body    bool   // the RPC message is in the Position Zero Read chunk, not inline

	reads      rpcrdma.ReadList
	writes     rpcrdma.WriteList
	reply      rpcrdma.WriteChunk
	invalidate uint32 // STag that the Send of the Reply invalidates; 0 for none

	chunks  []chunk // of the Read list except that at Position Zero, in ascending order of Positions
	size    int     // octets of all Read chunks
	held    int     // octets of them that have memory
	reading int     // RDMA Reads that are not complete
	kept    int     // octets that count in version 2 until the answer is sent
}

// A chunk is a Read chunk at a Position other than zero, with its octets.
type chunk struct {
	position uint32
	octets   []byte
}

// at returns the Position, which is a multiple of four unless the Responder is careless of BadPosition.
func (c *chunk) at() uint64 { return uint64(c.position) &^ 3 }

// called handles a Call whose header is good. Its version has not posted a Receive in its place yet; it does so when
// it answers or refuses.
func (e *Responder) called(c *call) {
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

// gatherWaiting continues with Calls that wait, as far as there is memory for their Read chunks.
func (e *Responder) gatherWaiting() {
	for len(e.waiting) > 0 && e.gathered+e.waiting[0].size <= maxGathered {
		next := e.waiting[0]
		e.waiting = e.waiting[1:]
		e.gather(next)
	}
}

// checkPayload checks the RPC message of a Call (RFC 8166, section 4.2.1).
func (e *Responder) checkPayload(c *call) *refusal {
	if len(c.payload) < 8 {
		return &refusal{Fault: BadXID}
	}
	if r := e.fault(BadXID, word(c.payload, 0) != c.xid); r != nil {
		return r
	}
	return e.fault(BadMsgType, word(c.payload, 1) != 0)
}

// measure checks that the chunks of a Call are within bounds, and records them.
func (e *Responder) measure(c *call) *refusal {
	if most := e.mostChunks(TooManyWrites); c.writes.Count() > most {
		return &refusal{Fault: TooManyWrites, Max: uint32(most)}
	}
	if e.noReads && len(c.reads) > 0 {
		return &refusal{Fault: TooManyReads}
	}
	size := uint64(0)
	for s := range c.reads.Segments() {
		size += uint64(s.Length)
	}
	if size > maxOctets {
		return &refusal{Fault: TooLong}
	}
	c.size = int(size)
	most := e.mostChunks(TooManyReads)
	for p := range c.reads.Positions() {
		if p == 0 {
			continue
		}
		if len(c.chunks) == most {
			return &refusal{Fault: TooManyReads, Max: uint32(most)}
		}
		c.chunks = append(c.chunks, chunk{position: p})
	}
	return nil
}

// mostChunks returns the number of chunks above which there are too many.
func (e *Responder) mostChunks(f Fault) int {
	if e.careless(f) {
		return maxChunks
	}
	return e.options.Chunks
}

// gather reads the Read chunks of a Call, or executes it if there are none.
func (e *Responder) gather(c *call) {
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

// read queues the RDMA Reads of a chunk and returns their octets, which are valid when these are complete.
func (e *Responder) read(c *call, position uint32) []byte {
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

// execute executes and answers a Call with all its octets.
func (e *Responder) execute(c *call) {
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

// release frees the memory of a Call that is over.
func (e *Responder) release(c *call) {
	e.gathered -= c.held
	c.held = 0
	e.version.released(c)
	e.gatherWaiting()
}

// segments returns all segments of a header, those of the Read list first.
func segments(reads rpcrdma.ReadList, writes rpcrdma.WriteList, reply rpcrdma.WriteChunk) iter.Seq[rpcrdma.Segment] {
	return func(yield func(rpcrdma.Segment) bool) {
		for s := range reads.Segments() {
			if !yield(s.Segment) {
				return
			}
		}
		for c := range writes.Chunks() {
			for s := range c.Segments() {
				if !yield(s) {
					return
				}
			}
		}
		reply.Segments()(yield)
	}
}
