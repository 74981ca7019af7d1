package rpc

// Processing a Call: its header, its Read chunks, and its execution.

import (
	"encoding/binary"
	"iter"
	"slices"
	"sync"

	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// A call is a Call of the peer, until it is answered.
type call struct {
	request []byte // a copy of the message that it came in, the last one of several
	xid     uint32
	payload []byte  // inline octets of all messages; of a body: the octets read
	message []byte  // the payload with all data items in their places; nil if none came in chunks
	memory  *[]byte // of message
	length  int     // octets of that
	body    bool    // the RPC message is in the Position Zero Read chunk, not inline

	reads      rpcrdma.ReadList
	writes     rpcrdma.WriteList
	reply      rpcrdma.WriteChunk
	invalidate uint32 // STag that the Send of the Reply invalidates; 0 for none

	chunks  []chunk // of the Read list except that at Position Zero, in ascending order of Positions
	size    int     // octets that its Read chunks take, or its results in other chunks if they are more
	held    int     // octets of size that are reserved, until the answer is sent
	reading int     // RDMA Reads that are not complete
	kept    int     // octets that count in version 2 until the answer is sent

	asked  Request // of the Program
	answer answer
}

// A chunk is a Read chunk at a Position other than zero, and the place of its data item.
type chunk struct {
	position uint32
	Span
}

// nowhere is where a data item without a place stands.
const nowhere = -1

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
	if r != nil {
		e.version.refuse(c, r)
		return
	}
	if c.size == 0 {
		e.gather(c)
		return
	}
	e.waiting = append(e.waiting, c)
	e.gatherWaiting()
}

// gatherWaiting continues with Calls that wait, as far as there is memory for their chunks.
func (e *Responder) gatherWaiting() {
	for len(e.waiting) > 0 && e.gathered+e.waiting[0].size <= MaxGathered {
		next := e.waiting[0]
		e.waiting = slices.Delete(e.waiting, 0, 1)
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

// measure checks that the chunks of a Call are within bounds, and finds the places of their data items in the RPC message: a Position counts
// the octets before it, those of other items and their roundup too (RFC 8166, sections 3.4.5 and 3.4.5.2).
func (e *Responder) measure(c *call) *refusal {
	if most := e.mostChunks(TooManyWrites); c.writes.Count() > most {
		return &refusal{Fault: TooManyWrites, Max: uint32(most)}
	}
	if e.noReads && len(c.reads) > 0 {
		return &refusal{Fault: TooManyReads}
	}
	size, done := uint64(0), oncrpc.MinCallLen // the header has no data items
	for s := range c.reads.Segments() {
		size += uint64(s.Length)
	}
	if size > MaxOctets {
		return &refusal{Fault: TooLong}
	}
	if c.length = len(c.payload); c.body {
		c.length = int(c.reads.Length(0))
	}
	most := e.mostChunks(TooManyReads)
	for p := range c.reads.Positions() {
		if p == 0 {
			continue
		}
		if len(c.chunks) == most {
			return &refusal{Fault: TooManyReads, Max: uint32(most)}
		}
		k := chunk{p, Span{nowhere, int(c.reads.Length(p))}}
		if at := uint64(p &^ 3); at >= uint64(done) && at <= uint64(c.length) { // p is a multiple of four, unless careless of BadPosition
			k.At = int(at)
			done = k.end()
			c.length += done - k.At
		}
		c.chunks = append(c.chunks, k)
	}
	if c.size = int(size); c.body && len(c.chunks) > 0 {
		c.size += int(c.reads.Length(0)) // it is read elsewhere first
	}
	c.size = max(c.size, c.results())
	return nil
}

// results returns how many octets the Write chunks and the Reply chunk take: MaxOctets at most, as from a Forward.
func (c *call) results() int {
	n := c.reply.Length()
	for chunk := range c.writes.Chunks() {
		n += chunk.Length()
	}
	return int(min(n, MaxOctets))
}

// mostChunks returns the number of chunks above which there are too many.
func (e *Responder) mostChunks(f Fault) int {
	if e.careless(f) {
		return maxChunks
	}
	return e.options.Chunks
}

// messages is memory of messages with Read chunks, to be used again: to make it anew for each Call costs more than to fill it.
var messages sync.Pool

// allot returns memory of n octets, whose contents are unknown, and at most twice as much in all: what is held is counted by its length.
func allot(n int) *[]byte {
	if b, _ := messages.Get().(*[]byte); b != nil && cap(*b) >= n && cap(*b)/2 <= n {
		*b = (*b)[:n]
		return b
	}
	return new(make([]byte, n))
}

// gather reads the Read chunks of a Call, or executes it if there are none.
func (e *Responder) gather(c *call) {
	c.held = c.size
	e.gathered += c.held
	if c.body {
		c.payload = make([]byte, c.reads.Length(0))
		e.read(c, 0, c.payload)
	}
	if len(c.chunks) > 0 {
		c.memory = allot(c.length)
		c.message = *c.memory
	}
	for _, k := range c.chunks {
		if k.At == nowhere {
			e.read(c, k.position, make([]byte, k.Length))
		} else {
			e.read(c, k.position, c.message[k.At:][:k.Length])
		}
	}
	if c.reading == 0 {
		e.execute(c)
	}
}

// read queues the RDMA Reads of a chunk into memory of its length.
func (e *Responder) read(c *call, position uint32, to []byte) {
	for s := range c.reads.Chunk(position) {
		if s.Length == 0 {
			continue
		}
		e.actions = append(e.actions, Action{Type: Read, Octets: to[:s.Length:s.Length], STag: s.Handle, TO: s.Offset, call: c})
		to = to[s.Length:]
		c.reading++
	}
}

// whole returns the RPC message of a Call whose Read chunks were read.
func (c *call) whole() []byte {
	if c.message == nil {
		return c.payload
	}
	rest, at := c.payload, 0
	for i := range c.chunks {
		k := &c.chunks[i]
		rest = rest[copy(c.message[at:k.At], rest):]
		at = k.end()
		clear(c.message[k.At+k.Length : at])
	}
	copy(c.message[at:], rest)
	return c.message
}

// execute has the Program execute a Call with all its octets. Data items without a place are left out if the Responder is careless of them.
func (e *Responder) execute(c *call) {
	r := e.checkPayload(c)
	if all := len(c.chunks); r == nil {
		c.chunks = slices.DeleteFunc(c.chunks, func(k chunk) bool { return k.At == nowhere })
		r = e.fault(NotEligible, len(c.chunks) < all)
	}
	if r != nil {
		e.over(c, r)
		return
	}
	binary.BigEndian.PutUint32(c.payload, c.xid) // they differ only if the Responder is careless of BadXID or BadMsgType
	clear(c.payload[4:8])
	q := &c.asked
	*q = Request{Message: c.whole(), responder: e, call: c}
	for i := range c.chunks {
		q.Reduced = append(q.Reduced, c.chunks[i].Span)
	}
	e.program.Execute(q)
}

// conclude sends the answer of a Call, or refuses it.
func (e *Responder) conclude(c *call, refused *refusal) {
	if refused == nil {
		refused = e.version.answer(c)
	}
	e.over(c, refused)
}

// over ends a Call that was answered, or refuses it.
func (e *Responder) over(c *call, r *refusal) {
	if r != nil {
		e.version.refuse(c, r)
	}
	e.callback()
}

// release frees the memory of a Call that is over.
func (e *Responder) release(c *call) {
	e.gathered -= c.held
	c.held = 0
	if c.memory != nil {
		messages.Put(c.memory)
		c.memory, c.message = nil, nil
	}
	e.version.released(c)
	e.gatherWaiting()
}

// segments returns all segments of a header, those of the Read list first.
func segments(reads rpcrdma.ReadList, writes rpcrdma.WriteList, reply rpcrdma.WriteChunk) iter.Seq[rpcrdma.Segment] {
	lists := rpcrdma.Message{Reads: reads, Writes: writes, Reply: reply}
	return lists.AllSegments
}
