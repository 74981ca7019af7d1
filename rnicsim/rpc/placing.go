package rpc

// Where the octets of a Requester's Calls and their Replies go: into messages, or into chunks of registered memory.

import (
	"cmp"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rpcrdma"
)

// limits are those of the messages of one connection.
type limits struct {
	header      int // octets of a header without chunks
	call, reply room
	segment     int // octets of the longest segment
	segments    int // the most in a header
}

// A room is what one end can send: a number of messages for an RPC message, and their length in octets.
type room struct{ size, parts int }

// fits reports whether an RPC message of n octets fits in p messages, the last of which has chunks lists of so many octets.
func (l *limits) fits(r room, p, lists, n int) bool {
	middle, last := (r.size-l.header)&^3, r.size-l.header-lists
	return last > 0 && n <= (p-1)*middle+last
}

// count returns the number of segments of a chunk of n octets.
func (l *limits) count(n int) int {
	if n == 0 {
		return 0
	}
	return 1 + (n-1)/l.segment
}

// Octets of the encodings of chunks with a number of segments.
func readLen(segments int) int  { return segments * (4 + rpcrdma.ReadSegmentLen) }
func writeLen(segments int) int { return 4 + 4 + segments*rpcrdma.SegmentLen }
func replyLen(segments int) int { return 4 + segments*rpcrdma.SegmentLen }

// A placement says which chunks a Call has.
type placement struct {
	arguments []bool // which are in Read chunks
	results   []bool // which have Write chunks
	order     []int  // of arguments, the longest first
	body      bool   // what remains of the Call is in a Position Zero Read chunk
	reply     int    // octets of the Reply chunk; 0 for none
}

// place chooses the chunks of a Call. Data items are reduced as the caller says, or as far as the messages are too short. It uses the memory
// of p again.
func (l *limits) place(c *Call, p *placement) error {
	*p = placement{arguments: again(p.arguments, len(c.Arguments)), results: again(p.results, len(c.Results)), order: again(p.order, len(c.Arguments))}
	back, segments, inline := l.placeReply(c, p)
	rest := len(c.Message)
	lists := back
	reduce := func(i int) {
		a := &c.Arguments[i]
		p.arguments[i] = true
		rest -= a.Length + roundup(a.Length)
		lists += readLen(l.count(a.Length))
		segments += l.count(a.Length)
	}
	for i, a := range c.Arguments {
		if p.order[i] = i; a.Chunk && a.Length > 0 {
			reduce(i)
		}
	}
	slices.SortStableFunc(p.order, func(i, j int) int { return cmp.Compare(c.Arguments[j].Length, c.Arguments[i].Length) })
	for _, i := range p.order {
		if !l.fits(l.call, 1, lists, rest) && !p.arguments[i] && c.Arguments[i].Length > 0 {
			reduce(i)
		}
	}
	if p.body = c.LongCall || !l.fits(l.call, l.call.parts, lists, rest); p.body {
		lists += readLen(l.count(rest))
		segments += l.count(rest)
	}
	if l.header+lists > l.call.size || segments > l.segments || l.header+inline > l.reply.size {
		return ErrChunks
	}
	return nil
}

// again returns n zeros in the memory of s.
func again[T any](s []T, n int) []T {
	s = slices.Grow(s[:0], n)[:n]
	clear(s)
	return s
}

// placeReply chooses the chunks for the Reply to a Call. It returns the octets of their encoding, the number of their
// segments, and the octets of those that come back whatever the Reply is.
func (l *limits) placeReply(c *Call, p *placement) (lists, segments, returned int) {
	inline := c.Longest
	for i, s := range c.Results {
		if p.results[i] = s.Chunk && s.Longest > 0; !p.results[i] {
			inline += s.Longest + roundup(s.Longest)
		}
	}
	if lists, segments = l.writes(c, p); !l.fits(l.reply, 1, lists, inline) {
		inline = c.Longest
		for i, s := range c.Results {
			p.results[i] = s.Longest > 0
		}
		lists, segments = l.writes(c, p)
	}
	returned = lists
	if c.LongReply || !l.fits(l.reply, l.reply.parts, lists, inline) {
		p.reply = inline
		n := l.count(inline)
		lists += replyLen(n)
		segments += n
		returned = lists
	}
	return lists, segments, returned
}

// writes returns the octets of the Write list, and the number of its segments.
func (l *limits) writes(c *Call, p *placement) (octets, segments int) {
	for i := range p.results[:p.last()] {
		n := 0
		if p.results[i] {
			n = l.count(c.Results[i].Longest)
		}
		octets += writeLen(n)
		segments += n
	}
	return octets, segments
}

// last returns the number of Write chunks: none follow the last result that has one.
func (p *placement) last() int {
	for i := len(p.results); i > 0; i-- {
		if p.results[i-1] {
			return i
		}
	}
	return 0
}
