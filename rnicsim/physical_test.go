package rnicsim

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"runtime"
	"testing"
	"unsafe"
)

// V-161: octets can only be laid where none are.
func TestMap(t *testing.T) {
	var m Memory
	for _, c := range []struct {
		address uint64
		n       int
		want    error
	}{
		{0x2000, 0x1000, nil},
		{0x2000, 1, ErrInvalidPBLEntry},
		{0x1fff, 2, ErrInvalidPBLEntry},
		{0x2fff, 1, ErrInvalidPBLEntry},
		{0x1000, 0x3000, ErrInvalidPBLEntry},
		{0x3000, 0, ErrInvalidLength},
		{0x3000, 1, nil},
		{0x1fff, 1, nil},
		{1<<64 - 1, 2, ErrInvalidPBLEntry},
		{1<<64 - 1, 1, nil},
		{0, 1, nil},
	} {
		if err := m.Map(c.address, make([]byte, c.n)); err != c.want {
			t.Errorf("%d octets at 0x%x: %v, want %v", c.n, c.address, err, c.want)
		}
	}
	if _, err := m.Add(make([]byte, 1), 0); err != ErrInsufficientResources {
		t.Errorf("%v after the last address", err)
	}
	m.Unmap(1<<64 - 1)
	m.Unmap(0x2001) // nothing begins there
	if at, err := m.Add(make([]byte, 5000), 4097); err != nil || at != 0x4001 {
		t.Errorf("added at 0x%x, %v", at, err)
	}
	if at, err := m.Add(make([]byte, 1), 0); err != nil || at != 0x6000 {
		t.Errorf("added at 0x%x, %v", at, err)
	}
	if m.at(0x2abc) == nil || m.at(0x1ffe) != nil || len(m.at(0x2ffe)) != 2 {
		t.Error("octets are not where they were laid")
	}
}

// Two slices at neighbouring addresses stay two, whatever lies beyond the first one in the caller's memory.
func TestNeighbours(t *testing.T) {
	var m Memory
	first, second := make([]byte, memoryPage, 2*memoryPage), make([]byte, memoryPage)
	m.Map(0x1000, first)
	m.Map(0x2000, second)
	p := must(m.place(&PBL{EntrySize: memoryPage, Entries: []uint64{0x1000, 0x2000}, Length: 2 * memoryPage}))
	p.put(memoryPage-1, []byte{1, 2})
	if first[memoryPage-1] != 1 || second[0] != 2 || first[:cap(first)][memoryPage] != 0 {
		t.Error("octets went elsewhere")
	}
}

// V-163 V-195 V-196 V-197: a place is the octets of its list in order, in page mode and block mode, wherever they lie.
// The model is the memory as one array.
func TestPlace(t *testing.T) {
	const size = 1 << 12
	flat := make([]byte, size)
	var m Memory
	for at := 0; at < size; { // extents of many sizes, without gaps
		n := min(1+rnd.IntN(300), size-at)
		if err := m.Map(uint64(at), flat[at:at+n]); err != nil {
			t.Fatal(err)
		}
		at += n
	}
	for range 300 {
		l := PBL{EntrySize: uint64(1 + rnd.IntN(200))}
		for range 1 + rnd.IntN(8) {
			l.Entries = append(l.Entries, uint64(rnd.IntN(size-int(l.EntrySize))))
		}
		l.FBO = rnd.Uint64N(l.EntrySize)
		l.Length = rnd.Uint64N(l.EntrySize*uint64(len(l.Entries)) - l.FBO + 1)
		p, err := m.place(&l)
		if err != nil {
			t.Fatal(err)
		}
		checkPlace(t, &p, &l, flat)
	}
}

var rnd = rand.New(rand.NewPCG(1, 2))

// checkPlace reads and writes octets of a place and compares with the array.
func checkPlace(t *testing.T, p *place, l *PBL, flat []byte) {
	t.Helper()
	for i := range flat {
		flat[i] = byte(rnd.Uint32())
	}
	address := func(offset uint64) uint64 { return l.Entries[(l.FBO+offset)/l.EntrySize] + (l.FBO+offset)%l.EntrySize }
	if l.Length == 0 {
		return
	}
	offset := rnd.Uint64N(l.Length)
	n := int(rnd.Uint64N(l.Length - offset + 1))
	var want []byte
	for i := range n {
		want = append(want, flat[address(offset+uint64(i))])
	}
	if got := p.append(nil, offset, n); !bytes.Equal(got, want) {
		t.Fatalf("%+v: %d octets from %d are % x, want % x", l, n, offset, got, want)
	}
	if p.address(offset) != address(offset) {
		t.Fatalf("%+v: octet %d is at 0x%x, want 0x%x", l, offset, p.address(offset), address(offset))
	}
	want = bytes.Clone(flat)
	for i := range n {
		want[address(offset+uint64(i))] = byte(i)
	}
	p.put(offset, count256(n))
	if !bytes.Equal(flat, want) {
		t.Fatalf("%+v: %d octets from %d went elsewhere", l, n, offset)
	}
}

func count256(n int) (b []byte) {
	for i := range n {
		b = append(b, byte(i))
	}
	return b
}

// V-005 V-196 V-197: which lists the two modes accept.
func TestModes(t *testing.T) {
	page := PBL{EntrySize: memoryPage, Entries: []uint64{0x10000, 0x20000}, Length: 5000}
	for _, c := range []struct {
		name        string
		change      func(*PBL)
		page, block error
	}{
		{"pages", func(*PBL) {}, nil, nil},
		{"8 KiB pages", func(l *PBL) { l.EntrySize, l.Entries = 1<<13, []uint64{0x10000} }, nil, nil},
		{"offset", func(l *PBL) { l.FBO = 4095; l.Length = 4097 }, nil, nil},
		{"no octets", func(l *PBL) { l.Length, l.Entries = 0, nil }, nil, nil},
		{"more entries than octets", func(l *PBL) { l.Length = 1 }, nil, nil},
		{"twice the same page", func(l *PBL) { l.Entries[1] = 0x10000 }, nil, nil},
		{"askew", func(l *PBL) { l.Entries[0] = 0x10001 }, ErrInvalidPBLEntry, nil},
		{"odd size", func(l *PBL) { l.EntrySize, l.Length = 3001, 6002 }, ErrInvalidEntrySize, nil},
		{"one octet too many", func(l *PBL) { l.EntrySize, l.Length = 3001, 6003 }, ErrInvalidEntrySize, ErrInvalidLength},
		{"too large a block", func(l *PBL) { l.EntrySize = 1<<14 + 1 }, ErrInvalidEntrySize, ErrInvalidEntrySize},
		{"size 0", func(l *PBL) { l.EntrySize = 0 }, ErrInvalidEntrySize, ErrInvalidEntrySize},
		{"offset in the next entry", func(l *PBL) { l.FBO = memoryPage }, ErrInvalidFBO, ErrInvalidFBO},
		{"end of the address space", func(l *PBL) { l.Entries[1] = 1<<64 - 1 }, ErrInvalidPBLEntry, ErrInvalidPBLEntry},
		{"hole", func(l *PBL) { l.Entries[1] = 0x12000 }, ErrInvalidPBLEntry, ErrInvalidPBLEntry},
	} {
		for blocks, want := range map[bool]error{false: c.page, true: c.block} {
			w := worldIn(t, blocks)
			g := w.registration()
			g.PBL = PBL{EntrySize: page.EntrySize, Entries: append([]uint64(nil), page.Entries...), Length: page.Length}
			c.change(&g.PBL)
			g.VA = g.FBO
			for _, zero := range []bool{false, true} {
				g.ZeroBased = zero
				s, err := w.r.RegisterMR(w.pd, g)
				if err != want {
					t.Errorf("%s in block mode %v: %v, want %v", c.name, blocks, err, want)
				}
				if err == nil && w.r.lookup(s).place.length != g.Length {
					t.Errorf("%s in block mode %v: %d octets", c.name, blocks, w.r.lookup(s).place.length)
				}
			}
		}
	}
}

// V-197: a block does not continue at address 0.
func TestBlockUpToTheEnd(t *testing.T) {
	w := newBlockWorld(t)
	w.memory.Map(1<<64-8, make([]byte, 8))
	w.memory.Map(0, make([]byte, 8))
	for size, want := range map[uint64]error{8: nil, 16: ErrInvalidPBLEntry} {
		l := PBL{EntrySize: size, Entries: []uint64{1<<64 - 8}, Length: size}
		if _, err := w.r.RegisterMR(w.pd, Registration{PBL: l, ZeroBased: true, Rights: LocalRead}); err != want {
			t.Errorf("%d octets: %v, want %v", size, err, want)
		}
	}
}

// A region costs little, for there may be very many.
func TestMemoryPerRegion(t *testing.T) {
	if n := unsafe.Sizeof(stag{}); n > 160 {
		t.Errorf("a stag is of %d octets", n)
	}
	const regions, most = 100_000, 400
	r := New(Config{})
	pd := must(r.AllocatePD())
	octets := make([]byte, 1<<16)
	before := heap()
	for i := range regions {
		must(r.RegisterOctets(pd, octets[i%1000:i%1000+64], uint64(i), LocalRead|RemoteRead, byte(i)))
	}
	if each := (heap() - before) / regions; each > most {
		t.Errorf("a region costs %d octets", each)
	}
	runtime.KeepAlive(r)
}

func heap() uint64 {
	var s runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&s)
	return s.HeapAlloc
}

func ExampleMemory() {
	var m Memory
	page := make([]byte, 4096)
	fmt.Println(m.Map(0x7000, page), m.Map(0x7fff, page))
	// Output: <nil> rnicsim: invalid Physical Buffer List entry
}

// Where no connection begins, none is taken away.
func TestUnmapNothing(t *testing.T) {
	var m Memory
	at := must(m.Add(make([]byte, 8), 0))
	for _, address := range []uint64{0, at - 1, at + 1, at + 8} {
		if m.Unmap(address); m.at(at) == nil {
			t.Fatalf("Unmap of %#x", address)
		}
	}
	if m.Unmap(at); m.at(at) != nil {
		t.Error("it is still there")
	}
}
