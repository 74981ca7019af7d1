package adversary

// RPC-over-RDMA: what both versions have in common. RFC 8166, and draft-ietf-nfsv4-rpcrdma-version-two-01.

// A chunk is memory that the Requester offers, in segments.
type chunk []region

// A readSegment is an entry of a Read list.
type readSegment struct {
	position uint32
	region
}

// lists are the chunk lists of a header.
type lists struct {
	reads  []readSegment
	writes []chunk
	reply  chunk // nil for none
}

func (r *region) octets() []byte { return octets(r.stag, uint32(r.size), r.to) }

func (c chunk) octets() []byte {
	b := octets(uint32(len(c)))
	for i := range c {
		b = append(b, c[i].octets()...)
	}
	return b
}

func (l *lists) octets() (b []byte) {
	for i := range l.reads {
		b = octets(b, uint32(1), l.reads[i].position, l.reads[i].region.octets())
	}
	b = octets(b, uint32(0))
	for _, w := range l.writes {
		b = octets(b, uint32(1), w.octets())
	}
	if b = octets(b, uint32(0)); l.reply == nil {
		return octets(b, uint32(0))
	}
	return octets(b, uint32(1), l.reply.octets())
}

// An rpcHeader is all that a Send of RPC-over-RDMA carries.
type rpcHeader struct {
	version, xid, credit, kind uint32
	flags, handle              uint32 // of version 2
	lists                             // of RDMA_MSG and RDMA_NOMSG
	stream                     []byte // behind the lists
	properties                 []byte // of RDMA2_CONNPROP
	exchange                   *exchange
	reply                      bool
	back                       bool // the server calls
}

func (h *rpcHeader) octets() []byte {
	prefix := octets(h.xid, h.version, h.credit, h.kind)
	switch {
	case h.version == 2 && h.kind == rdma2CONNPROP:
		return octets(prefix, h.flags, h.properties)
	case h.version == 2:
		return octets(prefix, h.flags, h.handle, h.lists.octets(), h.stream)
	}
	return octets(prefix, h.lists.octets(), h.stream)
}

// An exchange is an RPC that is under way.
type exchange struct {
	*rpcCall
	lists
	data   [][]byte // of each entry of the Read list
	first  bool
	stags  []uint32 // all that the Call offered
	handle uint32   // the STag that the Responder may invalidate; 0 if none
}

// An rpc is a Conversation of RPCs. The client is the Initiator.
type rpc struct {
	*talk
	version    uint32
	program    func(xid uint32) *rpcCall
	xid        uint32
	backXID    uint32 // of the server's Calls
	backward   bool   // the client takes them
	inline     [2]int // octets that a side may send in one Send
	called     bool
	invalidate bool // both sides know Remote Invalidation
	open       []*exchange
	credits    [2]int // version 1: of each direction of Calls; version 2: messages that a side may send
}

// nfsRDMA speaks NFS above RPC-over-RDMA of a version.
func nfsRDMA(version uint32, more int) func(*talk) {
	return func(t *talk) {
		t.more = more
		c := &rpc{talk: t, version: version, xid: t.r.Uint32()}
		minor := uint32(t.r.IntN(2))
		c.program = pick(t.r, t.nfs3, func(xid uint32) *rpcCall { return t.nfs4(xid, minor) })
		c.converse(func() bool { return false })
	}
}

// secureNFS does so with RPCSEC_GSS, and the server calls the client.
func secureNFS(version uint32) func(*talk) {
	return func(t *talk) {
		c := &rpc{talk: t, version: version, xid: t.r.Uint32(), backXID: t.r.Uint32()}
		service := uint32(t.r.IntN(gssPrivacy + 1))
		inner := pick(t.r, t.nfs3, func(xid uint32) *rpcCall { return t.nfs4(xid, 0) }, func(xid uint32) *rpcCall { return t.nfs4(xid, 1) })
		session := t.r.IntN(2) == 0
		c.program = func(xid uint32) *rpcCall {
			var x *rpcCall
			if session && !c.called {
				x = compound(xid, 1, nil, 1, func(x *rpcCall, _ int) { x.createSession(t) })
			} else {
				x = inner(xid)
			}
			x.service = service
			x.args, x.results = x.protect(t, x.args), x.protect(t, x.results)
			return x
		}
		c.converse(func() bool {
			may := session && c.called && c.backward && t.r.IntN(3) == 0 && (version == 1 || min(c.credits[Initiator], c.credits[Responder]) > 6)
			if may {
				c.callBack()
			}
			return may
		})
	}
}

// converse sends some Calls and answers them. Before each it asks whether something else is said.
func (c *rpc) converse(other func() bool) {
	if c.version == 1 {
		c.begin1()
	} else {
		c.begin2()
	}
	for range 2 + c.r.IntN(10) {
		switch {
		case other():
		case c.mayCall() && c.r.IntN(2) == 0:
			c.call()
		case len(c.open) > 0:
			c.serve()
		}
	}
	for len(c.open) > 0 {
		c.serve()
	}
}

// memory draws memory for so many octets, in one segment or some.
func (c *rpc) memory(size int) (m chunk) {
	for n := 1 + c.r.IntN(3); n > 0; n-- {
		part := size
		if n > 1 {
			part = c.r.IntN(size + 1)
		}
		if part > 0 || n == 1 {
			m = append(m, region{c.r.Uint32() | 1, c.r.Uint64() >> 17 &^ 7, part})
		}
		size -= part
	}
	return m
}

// offer puts octets into a Read chunk.
func (x *exchange) offer(c *rpc, position uint32, b []byte) {
	for _, r := range c.memory(len(b)) {
		x.reads = append(x.reads, readSegment{position, r})
		x.data = append(x.data, b[:r.size])
		b = b[r.size:]
	}
}

// call sends the next Call: in a Send if it fits, else in a Position Zero Read chunk, or in version 2 in several Sends.
// Eligible arguments may be in Read chunks; there are Write chunks for eligible results, and a Reply chunk where the Reply
// would not fit, and sometimes where it would.
func (c *rpc) call() {
	c.xid++
	x := &exchange{rpcCall: c.program(c.xid), first: !c.called}
	c.called = true
	c.open = append(c.open, x)
	stream, parts := x.stream(c.talk).reduce(func(_ int, b []byte) bool { return len(b) > 0 && c.r.IntN(2) == 0 })
	c.offerResults(x)
	fits := func() bool { return c.headerLen(&x.lists)+len(stream) <= c.inline[Initiator] }
	for _, p := range parts {
		x.offer(c, p.position, p.octets)
	}
	external := !fits() && (c.version == 1 || c.r.IntN(2) == 0)
	if external {
		reads, data := x.reads, x.data
		x.reads, x.data = nil, nil
		x.offer(c, 0, stream)
		x.reads, x.data = append(x.reads, reads...), append(x.data, data...)
		stream = nil
	}
	for _, r := range x.reads {
		x.stags = append(x.stags, r.stag)
	}
	for _, w := range append(x.writes, x.reply) {
		for _, r := range w {
			x.stags = append(x.stags, r.stag)
		}
	}
	c.message(Initiator, x, &x.lists, stream, false)
}

func (c *rpc) offerResults(x *exchange) {
	whole, _ := x.answer().reduce(func(int, []byte) bool { return false })
	for _, p := range x.results {
		if p.eligible && len(p.octets) > 0 && (len(x.writes) == 0 || c.more > 0) && c.r.IntN(2) == 0 {
			x.writes = append(x.writes, c.memory(len(p.octets)+pick(c.r, 0, 0, 4, 100)))
		} else if p.eligible {
			break // a later chunk would be for this one
		}
	}
	rest, _ := x.answer().reduce(func(i int, _ []byte) bool { return i < len(x.writes) })
	room := c.inline[Responder] - 200 // for the header
	if needed := len(rest) > room; needed && c.version == 1 || c.r.IntN(6) == 0 {
		x.reply = c.memory(len(whole) + pick(c.r, 0, 4, 100))
	}
}

// serve lets the Responder answer one of the Calls: it reads what the Call offers, writes results, and sends the Reply.
func (c *rpc) serve() {
	i := c.r.IntN(len(c.open))
	x := c.open[i]
	c.pull(x)
	stream, parts := x.answer().reduce(func(i int, _ []byte) bool { return i < len(x.writes) })
	back := lists{}
	for i, w := range x.writes {
		back.writes = append(back.writes, c.push(w, parts[i].octets))
	}
	if x.reply != nil {
		if c.headerLen(&back)+len(x.reply)*16+4+len(stream) > c.inline[Responder] || c.r.IntN(3) == 0 {
			back.reply = c.push(x.reply, stream)
			stream = nil
		} else {
			back.reply = c.push(x.reply, nil)
		}
	}
	c.message(Responder, x, &back, stream, true)
	c.open = append(c.open[:i], c.open[i+1:]...)
}

// pull reads all that a Call offers, with as many Reads at a time as are agreed on.
func (c *rpc) pull(x *exchange) {
	sink := c.within(Responder, 1<<16)
	for i, s := range x.reads {
		for from := 0; from < s.size; {
			n := s.size - from
			if c.r.IntN(3) == 0 {
				n = 1 + c.r.IntN(n)
			}
			for len(c.waiting[Responder]) >= c.Terms.Reads[Responder] {
				c.talk.answer(Initiator)
			}
			c.read(Responder, read{sink: sink, source: region{s.stag, s.to + uint64(from), n}, size: n, content: x.data[i][from : from+n]})
			from += n
		}
	}
	for len(c.waiting[Responder]) > 0 {
		c.talk.answer(Initiator)
	}
}

// push writes octets into a chunk. It returns the chunk with the lengths that were written.
func (c *rpc) push(to chunk, b []byte) chunk {
	written := make(chunk, len(to))
	for i, r := range to {
		n := min(r.size, len(b))
		for from := 0; from < n; {
			part := n - from
			if c.r.IntN(3) == 0 {
				part = 1 + c.r.IntN(part)
			}
			c.write(Responder, r.stag, r.to+uint64(from), b[from:from+part])
			from += part
		}
		written[i] = region{r.stag, r.to, n}
		b = b[n:]
	}
	return written
}

// message sends an RPC in a Send, or in several, or by chunks alone if stream is nil.
func (c *rpc) message(from Side, x *exchange, l *lists, stream []byte, reply bool) {
	opcode, stag := byte(opSend), uint32(0)
	if reply && c.invalidate && len(x.stags) > 0 && c.r.IntN(2) == 0 {
		if stag = x.handle; c.version == 1 {
			stag = x.stags[c.r.IntN(len(x.stags))]
		}
	}
	if stag != 0 {
		opcode = opSendInvalidate
	}
	h := &rpcHeader{version: c.version, xid: x.xid, kind: rdmaMSG, lists: *l, stream: stream, exchange: x, reply: reply}
	if stream == nil {
		h.kind = rdmaNOMSG
	}
	if c.version == 1 {
		c.complete1(from, h)
	} else {
		c.complete2(from, h)
	}
	m := c.carry(from, h, opcode, stag)
	if x.service == gssPrivacy {
		return // who looks does not know more than what the transport header says
	}
	kind := " Call"
	if reply {
		kind = " Reply"
	}
	m.Upper, m.XID = [...]string{1: "RDMA", 2: "RDMA2"}[c.version]+[...]string{"_MSG", "_NOMSG"}[h.kind]+kind, x.xid
	if reply || stream != nil {
		m.Upper += " " + x.name
	}
}

// carry sends a header and what belongs to it.
func (c *rpc) carry(from Side, h *rpcHeader, opcode byte, stag uint32) *Message {
	m := c.send(from, opcode, stag, h.octets())
	m.rpc = h
	return m
}
