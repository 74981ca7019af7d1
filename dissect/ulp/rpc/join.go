package rpc

// Putting RPC messages together (RFC 8166, sections 3.4.5 and 4.3).

import (
	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// A builder concatenates octets, up to a limit. Once something is missing it adds nothing more.
type builder struct {
	octets   []byte
	limit    int
	short    bool
	items    nfs.Items
	unplaced [][]byte
}

func (b *builder) reset(limit int) {
	b.octets, b.limit, b.short = b.octets[:0], limit, false
	clear(b.unplaced)
	b.unplaced = b.unplaced[:0]
}

// add adds n octets. p has those that are known.
func (b *builder) add(p []byte, n uint64) {
	if b.short {
		return
	}
	room := b.limit - len(b.octets)
	b.short = uint64(len(p)) < n || len(p) > room
	b.octets = append(b.octets, p[:min(len(p), room)]...)
}

var zeros [4]byte

// fill adds the roundup octets of n octets.
func (b *builder) fill(n uint64) { b.add(zeros[:-n&3], -n&3) }

// chunk adds the first length octets of the segments of a chunk.
func (b *builder) chunk(c *call, chunk *Chunk, length uint64) {
	at := c.place(chunk)
	for i := range chunk.Segments {
		n := min(length, uint64(chunk.Segments[i].Length))
		if n == 0 {
			continue
		}
		length -= n
		var data []byte
		if r := c.regions[at+i]; r != nil {
			data = r.data[:min(uint64(len(r.data)), r.cover.begin(), n)]
		}
		b.add(data, n)
	}
	if length > 0 {
		b.short = true
	}
}

// place is the index in c.segments of the first segment of a chunk.
func (c *call) place(chunk *Chunk) int {
	if len(chunk.Segments) == 0 {
		return 0
	}
	at := 0
	for _, list := range [...][]Chunk{c.x.Reads, c.x.Writes} {
		for i := range list {
			if &list[i] == chunk {
				return at
			}
			at += len(list[i].Segments)
		}
	}
	return at
}

// doubtOf is whether what was read from a chunk is known to be in it.
func (c *call) doubtOf(chunk *Chunk) (d rules.Doubt) {
	at := c.place(chunk)
	for i := at; i < min(at+len(chunk.Segments), len(c.regions)); i++ {
		if r := c.regions[i]; r != nil {
			d = max(d, r.doubt)
		}
	}
	return d
}

// body returns the RPC message of the given length that a chunk holds, without the parts in other chunks.
func (r *reader) body(c *call, chunk *Chunk, length uint64) (message []byte, cut bool) {
	at := c.place(chunk)
	if len(chunk.Segments) == 1 && len(c.regions) > at && c.regions[at] != nil {
		region := c.regions[at]
		message = region.data[:min(uint64(len(region.data)), region.cover.begin(), length)]
		return message, uint64(len(message)) < length
	}
	b := &r.whole
	b.reset(r.opts.MaxMessage)
	if len(c.regions) > 0 {
		b.chunk(c, chunk, length)
	}
	return b.octets, uint64(len(b.octets)) < length
}

// joinCall puts a Call together once its Read chunks have been read, or will not be. o is the segment or message at which
// that became known. body is the Call, if none of it was in Sends.
func (r *reader) joinCall(c *call, o *record.Origin) (body []byte) {
	if c.joined {
		return nil
	}
	message := c.inline
	if c.law.Form == rpcrdma.FormBody {
		if len(c.x.Reads) == 0 || c.x.Reads[0].Position != 0 {
			c.joined = true
			return nil
		}
		chunk := &c.x.Reads[0]
		var cut bool
		message, cut = r.body(c, chunk, chunk.Offered())
		h := rpcrdma.Message{Dialect: c.x.Dialect, XID: c.x.XID, Role: rpcrdma.Requester}
		c.doubt = c.doubtOf(chunk)
		fault, v := rpcrules.CheckPayload(&h, message, chunk.Offered(), r.out.scratch[:0])
		rules.Doubtful(v, c.doubt)
		r.out.foundAll(o, v)
		if fault != nil && c.doubt != rules.Seen {
			c.joined = true
			return nil
		}
		if c.law.Fault == nil {
			c.law.Fault = fault
		}
		r.read(c, o, message, cut)
		body = message
	}
	r.passCall(c, message)
	return body
}

// passCall gives a Call to OnMessage. message is the part outside Read chunks at Positions other than 0.
func (r *reader) passCall(c *call, message []byte) {
	c.joined = true
	if r.opts.OnMessage == nil {
		return
	}
	b := &r.builder
	b.reset(r.opts.MaxMessage)
	for i := range c.x.Reads {
		chunk := &c.x.Reads[i]
		if chunk.Position == 0 {
			continue
		}
		gap := uint64(chunk.Position) - uint64(len(b.octets))
		if uint64(chunk.Position) < uint64(len(b.octets)) {
			b.short = true
			break
		}
		b.add(message[:min(gap, uint64(len(message)))], gap)
		message = message[min(gap, uint64(len(message))):]
		n := chunk.Offered()
		b.chunk(c, chunk, n)
		b.fill(n)
	}
	b.add(message, uint64(len(message)))
	r.message = Message{Origin: *c.origin(), Exchange: &c.x, Len: c.x.Call.Len}
	r.pass(b)
}

// passReply gives a Reply to OnMessage. message is the part outside Write chunks.
func (r *reader) passReply(c *call, m *record.Message, message []byte, cut bool) {
	if r.opts.OnMessage == nil {
		return
	}
	b := &r.builder
	b.reset(r.opts.MaxMessage)
	rest := r.placeResults(b, c, message)
	b.add(rest, uint64(len(rest)))
	b.short = b.short || cut
	r.message = Message{
		Origin: record.Origin{Conn: m.Conn, Dir: m.Dir, Span: c.Response}, Exchange: &c.x, Reply: true,
		Len: c.x.Reply.Len, Unplaced: b.unplaced,
	}
	r.pass(b)
}

// placeResults inserts the contents of Write chunks into a Reply where their place is known, and returns the rest of the
// message.
func (r *reader) placeResults(b *builder, c *call, message []byte) (rest []byte) {
	b.items.Returned = b.items.Returned[:0]
	chunks := c.x.Writes[:min(len(c.x.Writes), rpcrules.MaxChunks)]
	for i := range chunks {
		b.items.Returned = append(b.items.Returned, chunks[i].Returned())
	}
	at, placed := 0, 0
	if c.x.Known {
		for b.items.ResetReply(message, c.x.rpc()); b.items.Next(); {
			item := &b.items.Item
			if !item.Reduced || b.items.Returned[item.Index] != item.Length {
				continue
			}
			data := item.Off + 4
			b.add(message[at:data], uint64(data-at))
			b.chunk(c, &chunks[item.Index], item.Length)
			b.fill(item.Length)
			b.items.Returned[item.Index] = 0
			at, placed = data, placed+1
		}
	}
	for i := range chunks {
		if n := b.items.Returned[i]; n > 0 {
			r.unplace(b, c, i, n)
		}
	}
	return message[at:]
}

// unplace stores the contents of Write chunk i separately.
func (r *reader) unplace(b *builder, c *call, i int, n uint64) {
	side := builder{limit: r.opts.MaxMessage}
	side.chunk(c, &c.x.Writes[i], n)
	for len(b.unplaced) <= i {
		b.unplaced = append(b.unplaced, nil)
	}
	b.unplaced[i] = side.octets
}

// pass gives r.message, with the octets of b, to OnMessage.
func (r *reader) pass(b *builder) {
	r.message.Octets = b.octets
	r.message.Whole = !b.short && uint64(len(b.octets)) == r.message.Len
	r.opts.OnMessage(&r.message)
}
