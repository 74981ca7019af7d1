package sim

// The octets of memory that a recording shows, by their addresses: kept in blocks, since a map of single octets takes most of the time.

import "github.com/iwarpkit/iwarp/replay/scenario"

// An address is that of an octet in the memory of a side.
type address struct {
	side scenario.Side
	stag uint32
	to   uint64
}

// plus returns the address at an offset, modulo 2^64.
func (a address) plus(octets uint64) address {
	a.to += octets
	return a
}

// A memory remembers octets by their addresses.
type memory struct {
	blocks map[address]*block // by the address at which they begin
	most   int                // of them
	at     address            // of last
	last   *block             // what was found last, or nil
}

// newMemory returns a memory of at most so many octets, in blocks.
func newMemory(octets int) memory {
	return memory{blocks: make(map[address]*block), most: octets / blockSize}
}

const blockSize = 64 // octets, one for each bit of known

// A block is memory that begins at a multiple of its size.
type block struct {
	known  uint64 // a bit for each octet
	octets [blockSize]byte
}

// find returns the block of an address, or nil, and the offset in it.
func (m *memory) find(a address) (*block, uint64) {
	offset := a.to % blockSize
	if a.to -= offset; m.at != a {
		m.at, m.last = a, m.blocks[a]
	}
	return m.last, offset
}

// read returns an octet, if it is known.
func (m *memory) read(a address) (octet byte, known bool) {
	b, offset := m.find(a)
	if b == nil || b.known>>offset&1 == 0 {
		return 0, false
	}
	return b.octets[offset], true
}

// write replaces octets, and adds blocks while there is room.
func (m *memory) write(at address, octets []byte) {
	for len(octets) > 0 {
		b, offset := m.find(at)
		n := min(blockSize-int(offset), len(octets))
		if b == nil && len(m.blocks) < m.most {
			b = new(block)
			m.blocks[m.at], m.last = b, b
		}
		if b != nil {
			b.known |= ^uint64(0) >> (blockSize - n) << offset
			copy(b.octets[offset:], octets[:n])
		}
		at, octets = at.plus(uint64(n)), octets[n:]
	}
}
