package rnicsim

// The physical memory of an RNIC, and the lists that make regions of it.

import (
	"slices"
	"sort"
)

// A Memory is physical memory: octets of the caller at 64-bit addresses. STag 0 and Physical Buffer Lists use these
// addresses. The zero value is empty.
type Memory struct {
	extents []extent // by address
}

// An extent is octets at consecutive addresses.
type extent struct {
	address uint64
	octets  []byte
}

// memoryPage is the size of the pages of Add and RegisterOctets, in octets.
const memoryPage = 4096

// Map puts octets, which are used in place, at an address. It fails with ErrInvalidPBLEntry if they overlap others or
// pass the end of the address space, and with ErrInvalidLength if there are none.
func (m *Memory) Map(address uint64, octets []byte) error {
	last := address + uint64(len(octets)) - 1
	switch {
	case len(octets) == 0:
		return ErrInvalidLength
	case last < address:
		return ErrInvalidPBLEntry
	}
	i := m.after(address)
	if i > 0 && m.extents[i-1].last() >= address || i < len(m.extents) && m.extents[i].address <= last {
		return ErrInvalidPBLEntry
	}
	m.extents = slices.Insert(m.extents, i, extent{address, slices.Clip(octets)}) // place.add counts on the capacity
	return nil
}

// Add puts octets after all others, at the given offset in a page of their own, and returns their address. It fails
// as Map does, or with ErrInsufficientResources if the address space ends there.
func (m *Memory) Add(octets []byte, offset uint64) (address uint64, err error) {
	address = memoryPage
	if n := len(m.extents); n > 0 {
		last := m.extents[n-1].last()
		address = (last/memoryPage + 1) * memoryPage
		if address <= last {
			return 0, ErrInsufficientResources
		}
	}
	address += offset % memoryPage
	return address, m.Map(address, octets)
}

// Unmap removes the octets that begin at an address. They must not be registered any more.
func (m *Memory) Unmap(address uint64) {
	if i := m.after(address); i > 0 && m.extents[i-1].address == address {
		m.extents = slices.Delete(m.extents, i-1, i)
	}
}

// after returns the index of the first extent that begins after address.
func (m *Memory) after(address uint64) int {
	return sort.Search(len(m.extents), func(i int) bool { return m.extents[i].address > address })
}

func (e *extent) last() uint64 { return e.address + uint64(len(e.octets)) - 1 }

// at returns the octets from an address to the end of their extent; nil if there are none.
func (m *Memory) at(address uint64) []byte {
	if i := m.after(address); i > 0 && m.extents[i-1].last() >= address {
		e := &m.extents[i-1]
		return e.octets[address-e.address:]
	}
	return nil
}

// A PBL is a Physical Buffer List: buffers of one size. A region has Length of their octets, from FBO octets into the
// first one (Verbs, section 7.6.2).
type PBL struct {
	EntrySize uint64   // octets of each buffer: a page size, or in Block List mode any size
	Entries   []uint64 // their addresses
	FBO       uint64   // First Byte Offset
	Length    uint64   // octets
}

// A place is the octets of a region, in order.
type place struct {
	length uint64
	spans  []span // neighbours are joined
}

// A span is octets that are consecutive in memory.
type span struct {
	offset  uint64 // in the region
	address uint64
	octets  []byte
}

// place finds the octets of a list, which must have been checked. It fails if the memory does not have them.
func (m *Memory) place(l *PBL) (place, error) {
	p := place{length: l.Length}
	skip, left := l.FBO, l.Length
	for _, address := range l.Entries {
		address += skip
		n := min(l.EntrySize-skip, left)
		skip, left = 0, left-n
		for n > 0 {
			b := m.at(address)
			if b == nil {
				return place{}, ErrInvalidPBLEntry
			}
			b = b[:min(n, uint64(len(b)))]
			p.add(address, b)
			address += uint64(len(b))
			n -= uint64(len(b))
		}
	}
	return p, nil
}

// add appends octets. They extend the previous span if they follow it in the same extent.
func (p *place) add(address uint64, b []byte) {
	offset := uint64(0)
	if n := len(p.spans); n > 0 {
		s := &p.spans[n-1]
		have := len(s.octets)
		if s.address+uint64(have) == address && cap(s.octets) >= have+len(b) {
			s.octets = s.octets[:have+len(b)]
			return
		}
		offset = s.offset + uint64(have)
	}
	p.spans = append(p.spans, span{offset, address, b})
}

// address returns the address of the octet at offset, which must lie within the region.
func (p *place) address(offset uint64) uint64 {
	i, within := p.from(offset)
	return p.spans[i].address + within
}

// from returns the index of the span that holds the octet at offset, and the offset in that.
func (p *place) from(offset uint64) (i int, within uint64) {
	i = sort.Search(len(p.spans), func(i int) bool { return p.spans[i].offset > offset }) - 1
	return i, offset - p.spans[i].offset
}

// put copies b to offset. All of it must lie within the region.
func (p *place) put(offset uint64, b []byte) {
	if len(b) == 0 {
		return
	}
	for i, within := p.from(offset); len(b) > 0; i, within = i+1, 0 {
		b = b[copy(p.spans[i].octets[within:], b):]
	}
}

// append appends the n octets from offset to dst. All of them must lie within the region.
func (p *place) append(dst []byte, offset uint64, n int) []byte {
	if n == 0 {
		return dst
	}
	for i, within := p.from(offset); n > 0; i, within = i+1, 0 {
		b := p.spans[i].octets[within:]
		b = b[:min(n, len(b))]
		dst = append(dst, b...)
		n -= len(b)
	}
	return dst
}

// appendSpans appends the n octets from offset to parts, in place. All of them must lie within the region.
func (p *place) appendSpans(parts [][]byte, offset uint64, n int) [][]byte {
	for i, within := p.from(offset); n > 0; i, within = i+1, 0 {
		b := p.spans[i].octets[within:]
		b = b[:min(n, len(b))]
		parts = append(parts, b)
		n -= len(b)
	}
	return parts
}
