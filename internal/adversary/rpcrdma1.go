package adversary

// RPC-over-RDMA version 1: RFC 8166, with the Private Data of RFC 8797.

// Kinds of messages of both versions.
const (
	rdmaMSG   = 0
	rdmaNOMSG = 1
)

// begin1 finds what the Private Data say. Both sides say the same.
func (c *rpc) begin1() {
	c.inline = [2]int{1024, 1024}
	if p := c.private; len(p) == 8 {
		c.invalidate = p[5]&1 != 0
		size := func(code byte) int { return (int(code) + 1) * 1024 }
		n := min(size(p[6]), size(p[7]))
		c.inline = [2]int{n, n}
	}
	c.credits, c.backward = [2]int{1, 1}, true
}

// private1 draws the Private Data of RFC 8797, section 4.1, or none.
func private1(t *talk) []byte {
	if t.r.IntN(3) == 0 {
		return []byte{}
	}
	code := byte(pick(t.r, 0, 1, 3, 7))
	return octets(uint32(0xf6ab0e18), byte(1), byte(t.r.IntN(2)), code, code)
}

// requested is how many credits the client asks for.
const requested = 32

// mayCall reports whether the client may send another Call.
func (c *rpc) mayCall() bool {
	if c.version == 1 {
		return len(c.open) < c.credits[Initiator]
	}
	return len(c.open) < 4 && c.credits[Initiator] > 3
}

func (c *rpc) headerLen(l *lists) int { return 8 + 8*int(c.version) + len(l.octets()) }

// complete1 fills in the credits.
func (c *rpc) complete1(from Side, h *rpcHeader) {
	if h.credit = requested; from == Responder {
		h.credit = uint32(1 + c.r.IntN(requested))
		c.credits[Initiator] = int(h.credit)
	}
}
