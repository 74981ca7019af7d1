package sim

// The octets of memory that a capture shows, by their addresses: kept in blocks, since a map of single octets takes most of the time.

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

// maxLedger limits the octets of memory that are remembered.
const maxLedger = 1 << 19

// A memory remembers octets by their addresses. Its zero value is empty.
type memory struct {
	blocks map[address]*block // by the address at which they begin
	size   int                // octets that are known
	at     address            // of last
	last   *block             // what was found last, or nil
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

// write replaces what is known, and adds the rest while there is room.
func (m *memory) write(at address, octets []byte) {
	for i, o := range octets {
		a := at.plus(uint64(i))
		if _, known := m.read(a); !known {
			if m.size >= maxLedger {
				continue
			}
			m.size++
		}
		b, offset := m.find(a)
		if b == nil {
			b = m.add(a)
		}
		b.known |= 1 << offset
		b.octets[offset] = o
	}
}

func (m *memory) add(a address) *block {
	if m.blocks == nil {
		m.blocks = make(map[address]*block)
	}
	a.to -= a.to % blockSize
	m.at, m.last = a, new(block)
	m.blocks[a] = m.last
	return m.last
}
