package nfs

// A cursor measures XDR data (RFC 4506) without decoding it. forms.go has the types of NFSv4.

import "slices"

// cursor is a place in a message. Once the octets have run out, it stays at their end.
type cursor struct {
	b         []byte
	at        int
	removed   uint64   // octets before at that are in chunks instead, fill included
	missing   uint64   // octets that are due beyond the end of b: b ended
	positions []uint32 // of Read chunks
	returned  []uint64 // octets in each Write chunk of a Reply, by the Write list; with Displaced, in each Read chunk of a Call
	most      uint64   // octets that the Reply may bring beside results, as far as a Call says
	mistake   Mistake
	suspect   int  // with Misplaced and Displaced: how many data that may be the one come before it
	taken     int  // with Displaced: Read chunks whose data was met before at
	chunks    bool // opaque data may be in chunks: there are positions, or it is the mistake
	item      Item // the latest one
	hasItem   bool // there is one that was not taken yet
	results   int  // results that can be in a Write chunk, before at
	undefined bool // a union has an arm that is not defined
}

// stuck reports whether the cursor cannot go on.
func (c *cursor) stuck() bool { return c.missing > 0 || c.undefined }

// reset puts the cursor at a place in a new message.
func (c *cursor) reset(b []byte, at int, positions []uint32, returned []uint64) {
	c.b, c.at, c.positions, c.returned = b, min(at, len(b)), positions, returned
	c.chunks = len(positions) > 0
	c.most, c.suspect, c.taken = 0, 0, 0
	c.removed, c.missing, c.mistake, c.results, c.hasItem, c.undefined = 0, 0, NoMistake, 0, false, false
}

// skip advances by n octets, or to the end if fewer are left.
func (c *cursor) skip(n uint64) {
	if left := uint64(len(c.b) - c.at); n > left {
		c.missing, n = c.missing+n-left, left
	}
	c.at += int(n)
}

// word reads an integer, a bool or the discriminant of a union; it is 0 at the end of the octets.
func (c *cursor) word() uint32 {
	b := c.b[c.at:]
	if len(b) < 4 {
		c.missing, c.at = c.missing+uint64(4-len(b)), len(c.b)
		return 0
	}
	c.at += 4
	return order.Uint32(b)
}

// inChunk reports whether the data due at a place is in a Read chunk.
func (c *cursor) inChunk(at int) bool {
	return slices.ContainsFunc(c.positions, func(p uint32) bool { return uint64(p) == uint64(at)+c.removed })
}

// more reports whether to read another element of an array with n left. A loop over elements needs it as its condition:
// without it, a huge count in a short message would loop for long.
func (c *cursor) more(n uint32) bool { return n > 0 && !c.stuck() }

// stop returns why the walk must end here, or noStop.
func (c *cursor) stop() Stop {
	switch {
	case c.missing > 0:
		return StopShort
	case c.undefined:
		return StopUnion
	}
	return noStop
}
