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
			support := uint32(c.r.IntN(2)) // for Calls of the server: none, or inline ones
			n, set = n+1, octets(set, uint32(propertyBRS), uint32(4), support)
			c.backward = c.backward || Side(side) == Initiator && support > 0
		}
		if from := Side(side); from == Responder && c.r.IntN(3) == 0 {
			c.properties(from, flagTPMore, octets(uint32(0)))
		}
		c.properties(Side(side), 0, octets(n, set))
	}
	for side := range c.inline {
		c.inline[side] = int(min(sizes[side][0], sizes[1-side][1]))
	}
}

// properties sends an RDMA2_CONNPROP.
func (c *rpc) properties(from Side, flags uint32, set []byte) {
	h := &rpcHeader{version: 2, xid: c.r.Uint32(), kind: rdma2CONNPROP, flags: flags, properties: set}
	c.grant(from, h)
	c.carry(from, h, opSend, 0)
}

// grant gives the other side as many credits as it lacks, for a message that needs one itself.
func (c *rpc) grant(from Side, h *rpcHeader) {
	grant := max(1, plenty-c.credits[1-from])
	c.credits[from]--
	c.credits[1-from] += grant
	h.credit = uint32(2*plenty<<16 | grant)
}

// replenish sends a message that does nothing but give credits, for which none is needed.
func (c *rpc) replenish(from Side) {
	h := &rpcHeader{version: 2, kind: rdmaNOMSG}
	c.grant(from, h)
	c.credits[from]++
	c.carry(from, h, opSend, 0)
}

// complete2 fills in flags, credits, and the STag that may be invalidated. What does not fit goes into Sends before.
func (c *rpc) complete2(from Side, h *rpcHeader) {
	if h.reply {
		h.flags = flagResponse
	}
	for c.headerLen(&h.lists)+len(h.stream) > c.inline[from] {
		if c.credits[from] < 3 {
			c.replenish(1 - from)
		}
		part := &rpcHeader{version: 2, xid: h.xid, kind: h.kind, flags: h.flags | flagMore, exchange: h.exchange, reply: h.reply}
		n := min(c.inline[from]-c.headerLen(&part.lists), (len(h.stream)-4)&^3)
		part.stream, h.stream = h.stream[:n], h.stream[n:]
		c.grant(from, part)
		c.carry(from, part, opSend, 0)
	}
	if x := h.exchange; !h.reply && len(x.stags) > 0 && c.r.IntN(2) == 0 {
		h.handle = x.stags[c.r.IntN(len(x.stags))]
		x.handle = h.handle
	}
	c.grant(from, h)
}
