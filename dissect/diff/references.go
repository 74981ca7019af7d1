package diff

// Values that differ in each run: whether they refer to the same in both.

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// maxRegions is how many advertised buffers of one STag are remembered: the latest.
const maxRegions = 64

// maxOpaque is how many messages of one side that may advertise in a form that no field table describes are remembered.
const maxOpaque = 8

// A region is memory that a side advertised: the same buffer in A and in B.
type region struct{ stag, to [2]uint64 }

// references finds steps that are the same except for what they refer to: an STag or a TO that was not advertised where that of A
// was, or a number that does not go on as in A.
func (c *comparer) references() {
	slices.SortStableFunc(c.same, func(x, y match) int { return cmp.Compare(x.a.frame, y.a.frame) })
	r := references{comparer: c, offsets: make(map[sequence]offset), whole: c.a.conn.Requested && c.b.conn.Requested}
	for side := range r.regions {
		r.regions[side] = make(map[uint64][]region)
		r.misses[side] = make(map[uint64]int)
		r.requests[side] = [2]map[uint64]int{make(map[uint64]int), make(map[uint64]int)}
	}
	for n, m := range c.same {
		switch changed := append(r.step(m), r.answer(n, m)...); {
		case len(changed) == 0:
		case m.known > 0:
			c.all[m.known-1].Fields = append(c.all[m.known-1].Fields, changed...)
		default:
			c.all = append(c.all, Difference{
				Kind: Changed, Dir: m.dir.String(), A: c.shown(m.a), B: c.shown(m.b), CountA: 1, CountB: 1, Fields: changed, after: at(m.b.frame),
			})
		}
	}
}

type references struct {
	*comparer
	regions [2]map[uint64][]region // by the side whose memory it is, and the STag in A
	opaque  [2][]match             // by the side that sent them
	said    [2]int                 // how many there were, those that are forgotten included
	misses  [2]map[uint64]int      // how many had been searched in vain for an STag in A
	offsets map[sequence]offset
	whole   bool // both captures have the beginning of the connection

	requests [2][2]map[uint64]int // of A and of B, by who sent it: place of the match that has an id first
}

// answer checks whether a message of an upper layer that answers another one in A answers the same one in B.
func (r *references) answer(n int, m match) []FieldDifference {
	if !m.a.joined || !m.b.joined {
		return nil
	}
	if request, ok := r.requests[0][1-m.dir][m.a.id]; ok {
		if answered, ok := r.requests[1][1-m.dir][m.b.id]; ok && answered == request {
			return nil
		}
		return []FieldDifference{{Label: "the id of its request", A: fmt.Sprintf("%#x", r.same[request].b.id), Own: fmt.Sprintf("%#x", r.same[request].a.id), B: fmt.Sprintf("%#x", m.b.id)}}
	}
	r.requests[0][m.dir][m.a.id], r.requests[1][m.dir][m.b.id] = n, n
	return nil
}

// An offset is by how much B is ahead of A, after how many gaps of its lane.
type offset struct {
	by   uint64
	gaps int
}

// A sequence is one that a side counts: that of a field in steps of one name.
type sequence struct {
	dir   flow.Direction
	shape int32
	place int
}

// step checks what two steps refer to, and learns what they advertise.
func (r *references) step(m match) (changed []FieldDifference) {
	if m.a.opaque != "" {
		all := &r.opaque[m.dir]
		r.said[m.dir]++
		if *all = append(*all, m); len(*all) > maxOpaque {
			*all = slices.Delete(*all, 1, 2) // the first one, which may be an MPA frame, stays
		}
	}
	if m.a.shape != m.b.shape {
		return nil
	}
	var own, peer memory
	flush := func(complete bool) {
		if own.stag != nil && (own.to != nil || complete) {
			r.advertise(m.dir, &own)
			own = memory{}
		}
		if peer.stag != nil && (peer.to != nil || complete) {
			changed = append(changed, r.use(m, &peer)...)
			peer = memory{}
		}
	}
	for n, f := range r.shapes.all[m.a.shape].fields {
		u, v := r.a.values[int(m.a.values)+n], r.b.values[int(m.b.values)+n]
		switch f.Refers {
		case field.ToSequence:
			of := sequence{m.dir, m.a.shape, n}
			at, known := r.offsets[of]
			if !known && !r.whole || at.gaps != m.gaps || m.moved { // what is missing or added has shifted the numbers
				at.by = v - u
			}
			if at.by != v-u {
				changed = append(changed, translated(f, u, u+at.by, v))
			}
			if !m.moved {
				r.offsets[of] = offset{v - u, m.gaps}
			}
		case field.ToOwnSTag:
			own.stag, own.region.stag = f, [2]uint64{u, v}
		case field.ToOwnTO:
			own.to, own.region.to = f, [2]uint64{u, v}
		case field.ToPeerSTag:
			peer.stag, peer.region.stag = f, [2]uint64{u, v}
		case field.ToPeerTO:
			peer.to, peer.region.to = f, [2]uint64{u, v}
		}
		flush(false)
	}
	flush(true)
	return changed
}

// A memory is the fields of one header that name memory; nil where it has none.
type memory struct {
	stag, to *field.Field
	region
}

// advertise notes what a side advertised.
func (r *references) advertise(side flow.Direction, m *memory) {
	known := r.regions[side][m.region.stag[0]]
	if len(known) == maxRegions {
		known = slices.Delete(known, 0, 1)
	}
	r.regions[side][m.region.stag[0]] = append(known, m.region)
}

// use checks memory of the peer that two steps name. If nothing shows where it was advertised, the STag differs only if the peer
// refused that of B.
func (r *references) use(by match, m *memory) []FieldDifference {
	side := 1 - by.dir
	known := r.regions[side][m.region.stag[0]]
	if len(known) == 0 {
		known = r.search(side, m)
	}
	if known == nil {
		if a, b := m.region.stag[0], m.region.stag[1]; a != b && r.b.refused[by.b.frame] && !r.a.refused[by.a.frame] {
			return []FieldDifference{difference(m.stag, a, b)}
		}
		return nil
	}
	var near *region
	for i := len(known) - 1; i >= 0; i-- {
		k := &known[i]
		if k.stag[1] != m.region.stag[1] {
			continue
		}
		if m.to == nil || m.region.to[0]-k.to[0] == m.region.to[1]-k.to[1] {
			return nil
		}
		if near == nil {
			near = k
		}
	}
	if near == nil {
		return []FieldDifference{translated(m.stag, m.region.stag[0], known[len(known)-1].stag[1], m.region.stag[1])}
	}
	a, b := int64(m.region.to[0]-near.to[0]), int64(m.region.to[1]-near.to[1])
	if max(a, -a, b, -b)>>32 != 0 {
		return []FieldDifference{translated(m.to, m.region.to[0], near.to[1]+uint64(a), m.region.to[1])}
	}
	return []FieldDifference{{
		Name: m.to.Name, Label: m.to.Label,
		A: fmt.Sprintf("%d octets into it", a),
		B: fmt.Sprintf("%d octets into the buffer", b),
	}}
}

// minSTag is the least STag that hardly is a number of something else.
const minSTag = 1 << 16

// search looks for memory that no field table shows to have been advertised. Where A has its STag among the octets that the owner
// sent before, B must have the counterpart; so with the TO, if the 8 octets before the STag look like one. Nothing is known if B has
// its STag elsewhere among these octets. An STag of A without its TO may be any number if it is a small one.
func (r *references) search(side flow.Direction, m *memory) []region {
	stag := m.region.stag
	if stag[0]>>8 == 0 || r.misses[side][stag[0]] == r.said[side] {
		return nil
	}
	r.misses[side][stag[0]] = r.said[side]
	want, used := octets(stag[0]), octets(stag[1])
	for _, said := range slices.Backward(r.opaque[side]) {
		a, b := said.a.opaque, said.b.opaque
		at := strings.Index(a, want)
		if at < 0 {
			continue
		}
		delete(r.misses[side], stag[0])
		if at+len(want) > len(b) {
			continue
		}
		found, sure := m.region, stag[0] >= minSTag
		found.stag[1] = uint64(binary.BigEndian.Uint32([]byte(b[at : at+4])))
		if at >= 8 && m.to != nil {
			if to := binary.BigEndian.Uint64([]byte(a[at-8 : at])); m.region.to[0]-to < 1<<32 {
				found.to, sure = [2]uint64{to, binary.BigEndian.Uint64([]byte(b[at-8 : at]))}, true
			}
		}
		if !sure {
			continue
		}
		if found.stag[1] != stag[1] && strings.Contains(b, used) {
			return nil
		}
		return []region{found}
	}
	return nil
}

// octets are those of an STag as messages have them.
func octets(stag uint64) string { return string(binary.BigEndian.AppendUint32(nil, uint32(stag))) }
