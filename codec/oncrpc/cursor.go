package oncrpc

// A cursor measures XDR data (RFC 4506) without decoding it. forms.go has the types of NFSv4.

// cursor is a place in a message. Once the octets have run out it stays at their end, where there is nothing to read.
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

// reset puts the cursor at a place in a message in which it has not met an item yet.
func (c *cursor) reset(b []byte, at int, positions []uint32, returned []uint64) {
	c.b, c.at, c.positions, c.returned = b, min(at, len(b)), positions, returned
	c.removed, c.results, c.hasItem, c.short, c.undefined = 0, 0, false, false, false
}

// skip advances by n octets, or to the end if fewer are left.
func (c *cursor) skip(n uint64) {
	if left := uint64(len(c.b) - c.at); n > left {
		c.short, n = true, left
	}
	c.at += int(n)
}

// word reads an integer, a bool or the discriminant of a union; it is 0 at the end of the octets.
func (c *cursor) word() uint32 {
	b := c.b[c.at:]
	if len(b) < 4 {
		c.short, c.at = true, len(c.b)
		return 0
	}
	c.at += 4
	return order.Uint32(b)
}

// opaque skips variable-length data or a string, with its fill.
func (c *cursor) opaque() { c.form(&form{opaque}) }

// inChunk reports whether the data due at a place is in a Read chunk.
func (c *cursor) inChunk(at int) bool {
	for _, p := range c.positions {
		if uint64(p) == uint64(at)+c.removed {
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
