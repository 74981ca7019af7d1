package oncrpc

// A cursor measures XDR data (RFC 4506) without decoding it. forms.go has the types of NFSv4.

// cursor is a place in a message. It stops at the end of the octets, and at a union arm that is not defined.
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

// stuck reports whether the cursor cannot go on.
func (c *cursor) stuck() bool { return c.short || c.undefined }

// skip advances by n octets, or to the end if fewer are left.
func (c *cursor) skip(n uint64) {
	if c.stuck() {
		return
	}
	if left := uint64(len(c.b) - c.at); n > left {
		c.short, n = true, left
	}
	c.at += int(n)
}

// word reads an integer, a bool or the discriminant of a union; it is 0 at the end of the octets.
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

// inChunk reports whether the data due here is in a Read chunk.
func (c *cursor) inChunk() bool {
	for _, p := range c.positions {
		if uint64(p) == uint64(c.at)+c.removed {
			return true
		}
	}
	return false
}

// more reports whether to read another element of an array with n left. A loop over elements needs it as its condition:
// without it, a huge count in a short message would loop for long.
func (c *cursor) more(n uint32) bool { return n > 0 && !c.stuck() }

// stop returns why the walk ends at the cursor, or noStop.
func (c *cursor) stop() Stop {
	switch {
	case c.short:
		return StopShort
	case c.undefined:
		return StopUnion
	}
	return noStop
}
