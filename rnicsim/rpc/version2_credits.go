package rpc

// Credits of version 2 (draft 01, section 4.2.1). Each message grants some anew, and all except credit grants use one.

// reservedReceives is for a credit grant, which may come at any time (draft 01, section 4.2.1.2).
const reservedReceives = 1

// A credits counts those of both directions of a connection of version 2.
type credits struct {
	left    int // messages that may be sent
	granted int // messages that the peer may send
	owed    int // Receives that are not posted again, because the peer has sent more than it was granted
	most    int // messages that have Receives
	usual   int // messages that the peer is granted unless it asks for more
	peer    int // credits that the peer says it can hold; 0 if unknown
}

func newCredits(o *Options, receives int) credits {
	return credits{
		granted: 1, // a client may send one message before it knows of credits (draft 01, section 4.2.3)
		most:    receives - reservedReceives,
		usual:   o.Credits,
	}
}

// received counts a message that came, and returns the number of Receives to post in its place: none for those beyond
// the grant.
func (c *credits) received() (receives int) {
	if c.granted == 0 {
		c.owed++
		return 0
	}
	c.granted--
	return 1
}

// credited applies the credits that a message grants.
func (c *credits) credited(limit, grant uint32) {
	c.left += int(grant)
	c.peer = int(limit)
}

// enough reports whether a message may be sent: there is a credit for it, and it can grant one. A peer that cannot
// hold more credits than there are Receives is granted credits that it does not need.
func (c *credits) enough() bool {
	return c.left > 0 && (c.granted < c.most || c.peer != 0 && c.peer <= c.most)
}

// grant returns the credits that the next message grants. It is never zero.
func (c *credits) grant() int {
	usual := c.usual
	if c.peer != 0 {
		usual = min(usual, c.peer)
	}
	return max(usual-c.granted, 1)
}

// word returns the rdma_credit of a grant: both halves (draft 01, section 4.2.1.1).
func (c *credits) word(grant int) uint32 { return uint32(c.most)<<16 | uint32(grant) }

// give counts a grant that is sent, and returns the number of Receives to post before.
func (c *credits) give(grant int) (receives int) {
	c.granted = min(c.granted+grant, c.most)
	receives = min(c.owed, grant)
	c.owed -= receives
	return receives
}

// starved reports whether the peer can send no more.
func (c *credits) starved() bool { return c.granted == 0 }
