package oncrpc

// A cursor measures XDR data (RFC 4506) without decoding it: the types that NFSv4 arguments are made of.

// cursor is a place in a message. Once it ran short, or came to a union arm that is not defined, it stays where it is.
type cursor struct {
	b         []byte
	at        int
	removed   uint64   // octets before at that went into Read chunks, fill included
	positions []uint32 // of Read chunks
	returned  []uint64 // octets in each Write chunk of a Reply, by the Write list
	item      Item     // the latest one
	hasItem   bool     // there is one that was not taken yet
	results   int      // results that can be in a Write chunk, before at
	short     bool     // b ended
	undefined bool     // a union has an arm that is not defined
}

// stuck says whether the cursor cannot go on.
func (c *cursor) stuck() bool { return c.short || c.undefined }

// skip goes n octets on; if they are not there, to the end.
func (c *cursor) skip(n uint64) {
	if c.stuck() {
		return
	}
	if left := uint64(len(c.b) - c.at); n > left {
		c.short, n = true, left
	}
	c.at += int(n)
}

// word reads an integer, a bool or the discriminant of a union; 0 if it is not there.
func (c *cursor) word() uint32 {
	at := c.at
	if c.skip(4); c.stuck() {
		return 0
	}
	return order.Uint32(c.b[at:])
}

// opaque skips variable-length data or a string, with its fill. Data in a Read chunk is not there, nor is its fill.
func (c *cursor) opaque() {
	length := uint64(c.word())
	length += -length & 3
	if length > 0 && !c.stuck() && c.inChunk() {
		c.removed += length
		return
	}
	c.skip(length)
}

// inChunk says whether what should stand here went into a Read chunk.
func (c *cursor) inChunk() bool {
	for _, p := range c.positions {
		if uint64(p) == uint64(c.at)+c.removed {
			return true
		}
	}
	return false
}

// array skips a variable-length array whose elements have size octets.
func (c *cursor) array(size uint64) { c.skip(uint64(c.word()) * size) }

// more says whether a loop over the elements of an array goes on, n of which are left. Every element takes octets.
func (c *cursor) more(n uint32) bool { return n > 0 && !c.stuck() }

// The types that several operations use, in alphabetical order: RFC 7863, section 3.

func (c *cursor) bitmap()      { c.array(4) }
func (c *cursor) deviceID()    { c.skip(16) }
func (c *cursor) fileHandle()  { c.opaque() }
func (c *cursor) hypers(n int) { c.skip(8 * uint64(n)) }
func (c *cursor) sessionID()   { c.skip(16) }
func (c *cursor) stateID()     { c.skip(16) }
func (c *cursor) time()        { c.skip(12) }
func (c *cursor) verifier()    { c.skip(8) }
func (c *cursor) words(n int)  { c.skip(4 * uint64(n)) }

// attributes is fattr4: which attributes, and their values.
func (c *cursor) attributes() {
	c.bitmap()
	c.opaque()
}

// callbackSecParms is an array of callback_sec_parms4.
func (c *cursor) callbackSecParms() {
	for n := c.word(); c.more(n); n-- {
		c.callbackSecParm()
	}
}

func (c *cursor) callbackSecParm() {
	switch Flavor(c.word()) {
	case AuthNone:
	case AuthSys:
		c.word()
		c.opaque()
		c.words(2)
		c.array(4)
	case RPCSECGSS:
		c.word()
		c.opaque()
		c.opaque()
	default:
		c.undefined = true
	}
}

// channelAttrs is channel_attrs4.
func (c *cursor) channelAttrs() {
	c.words(6)
	c.array(4)
}

// layoutUpdate is layoutupdate4.
func (c *cursor) layoutUpdate() {
	c.word()
	c.opaque()
}

// netLocs is an array of netloc4.
func (c *cursor) netLocs() {
	for n := c.word(); c.more(n); n-- {
		c.netLoc()
	}
}

// netLoc is netloc4.
func (c *cursor) netLoc() {
	const name, url, netAddr = 1, 2, 3
	switch c.word() {
	case name, url:
		c.opaque()
	case netAddr:
		c.opaque()
		c.opaque()
	default:
		c.undefined = true
	}
}

// notifications is an array of notify4.
func (c *cursor) notifications() {
	for n := c.word(); c.more(n); n-- {
		c.bitmap()
		c.opaque()
	}
}

// opaques is an array of opaque data.
func (c *cursor) opaques() {
	for n := c.word(); c.more(n); n-- {
		c.opaque()
	}
}

// owner is state_owner4: open_owner4 and lock_owner4.
func (c *cursor) owner() {
	c.hypers(1)
	c.opaque()
}

// protectOps is state_protect_ops4.
func (c *cursor) protectOps() {
	c.bitmap()
	c.bitmap()
}
