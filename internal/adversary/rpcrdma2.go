package adversary

// RPC-over-RDMA version 2: draft-ietf-nfsv4-rpcrdma-version-two-01.

const (
	rdma2CONNPROP = 5

	flagResponse = 1
	flagMore     = 2
	flagTPMore   = 4
)

// Ids of properties: section 5.2 of the draft.
const (
	propertySBSIZ = 1 + iota
	propertyRBSIZ
	propertyRSSIZ
	propertyRCSIZ
	propertyBRS
)

// plenty is how many messages each side lets the other send.
const plenty = 64

// begin2 exchanges the properties of both sides.
func (c *rpc) begin2() {
	c.invalidate = true
	c.credits = [2]int{1, 0}
	var sizes [2][2]uint32 // of a side: what it sends, what it receives
	for side := range sizes {
		sizes[side] = [2]uint32{pick[uint32](c.r, 4096, 4096, 8192), pick[uint32](c.r, 4096, 8192)}
		set := octets(uint32(propertySBSIZ), uint32(4), sizes[side][0], uint32(propertyRBSIZ), uint32(4), sizes[side][1])
		n := uint32(2)
		if c.r.IntN(2) == 0 {
			n, set = n+1, octets(set, uint32(propertyBRS), uint32(4), uint32(c.r.IntN(2)))
		}
		if from := Side(side); from == Responder && c.r.IntN(3) == 0 {
			c.prefix(from, c.r.Uint32(), rdma2CONNPROP, flagTPMore, octets(uint32(0)))
		}
		c.prefix(Side(side), c.r.Uint32(), rdma2CONNPROP, 0, octets(n, set))
	}
	for side := range c.inline {
		c.inline[side] = int(min(sizes[side][0], sizes[1-side][1]))
	}
}

// prefix sends a message that nothing is invalidated with.
func (c *rpc) prefix(from Side, xid, kind, flags uint32, body []byte) *Message {
	return c.send(from, opSend, 0, c.prefixed(from, xid, kind, flags, body))
}

// prefixed is a message with its prefix: section 4.1 of the draft. It gives the other side as many credits as it lacks.
func (c *rpc) prefixed(from Side, xid, kind, flags uint32, body []byte) []byte {
	grant := max(1, plenty-c.credits[1-from])
	c.credits[from]--
	c.credits[1-from] += grant
	return octets(xid, uint32(2), uint32(2*plenty<<16|grant), kind, flags, body)
}

// grant sends a message that does nothing but give credits, for which none is needed.
func (c *rpc) grant(from Side) {
	c.prefix(from, 0, rdmaNOMSG, 0, octets(uint32(0), (&lists{}).octets()))
	c.credits[from]++
}

// message2 sends an RPC, in several Sends if it does not fit in one.
func (c *rpc) message2(from Side, x *exchange, l *lists, stream []byte, reply bool, opcode byte, stag uint32) *Message {
	flags, kind := uint32(0), uint32(rdmaMSG)
	if reply {
		flags = flagResponse
	}
	if stream == nil {
		kind = rdmaNOMSG
	}
	none := octets(uint32(0), (&lists{}).octets())
	for c.headerLen(l)+len(stream) > c.inline[from] {
		if c.credits[from] < 3 {
			c.grant(1 - from)
		}
		n := c.inline[from] - 20 - len(none)
		if n > len(stream)-4 {
			n = (len(stream) - 4) &^ 3
		}
		c.prefix(from, x.xid, kind, flags|flagMore, octets(none, stream[:n]))
		stream = stream[n:]
	}
	handle := uint32(0)
	if !reply && len(x.stags) > 0 && c.r.IntN(2) == 0 {
		handle = x.stags[c.r.IntN(len(x.stags))]
		x.handles = handle
	}
	return c.send(from, opcode, stag, c.prefixed(from, x.xid, kind, flags, octets(handle, l.octets(), stream)))
}
