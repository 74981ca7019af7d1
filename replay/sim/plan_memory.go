package sim

// Memory: which regions the peer had, what the other side could do with them, and what they held.

import (
	"bytes"
	"encoding/binary"
	"errors"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// maxMemory is how many octets all regions of a connection can have.
const maxMemory = 128 << 20

var errMemory = errors.New("its regions have more octets than can be provided")

// A region is a Region that comes about.
type region struct {
	Region
	index       int    // in Plan.Regions
	sized       bool   // TO and Length say something
	invalidated bool   // by the other side
	touched     int    // the latest step of the own side that had to do with it
	octets      []byte // what it holds
	known       []bool // of each of them: it was read or written
}

// A use is that a message has to do with memory.
type use struct {
	Place
	right rnicsim.Rights
}

// invalidation is the right of a use that invalidates: what can be invalidated by the other side has some right for it.
// That to bind windows tells it from others.
const invalidation = rnicsim.RemoteRead | rnicsim.BindWindows

// A writing is where a Write in several steps goes on.
type writing struct {
	stag uint32
	to   uint64
}

// local is the rights that every region has.
const local = rnicsim.LocalRead | rnicsim.LocalWrite

// memory provides regions: those of variables that tell of them, and those that were used with success. A region has
// the rights that were used. A use that was refused has one of these reasons: there is no such region, since nothing
// tells of it; it is too short, for it ends where the variable says; or, if neither, it lacks the right.
func (p *planner) memory() error {
	for _, v := range p.conn.Vars {
		if v.Owner == p.plan.Side && v.Kind == scenario.STag {
			p.region(uint32(v.Value)).Told = true
		}
	}
	for _, v := range p.conn.Vars {
		if v.Owner == p.plan.Side && v.Kind == scenario.TO && v.STag != "" {
			r := p.region(uint32(p.values[v.STag]))
			r.extend(v.Value, min(v.Length, maxMemory))
			r.ToldTO = true
		}
	}
	for i, s := range p.conn.Steps {
		u, ok := p.use(s)
		switch {
		case !ok || s.Side != p.plan.Side && p.refused.ends(i):
		case u.Length > 0 || u.right == invalidation:
			p.grant(u)
		}
	}
	if c := p.refused; c != nil && c.memory {
		p.deny(c)
	}
	return p.provide()
}

// grant provides for a use.
func (p *planner) grant(u use) {
	r := p.region(u.STag)
	if u.Length > 0 {
		r.extend(u.TO, uint64(u.Length))
	}
	r.Rights |= u.right &^ rnicsim.BindWindows
	r.invalidated = r.invalidated || u.right == invalidation
}

// deny makes sure that a use is refused.
func (p *planner) deny(c *refusal) {
	r := p.regions[c.use.STag]
	switch {
	case r == nil || r.invalidated:
	case !r.contains(c.use.TO, uint64(c.use.Length)):
		r.Rights |= c.use.right
	case r.Rights&c.use.right == c.use.right:
		c.withdraw = r
	}
}

// region is the region with an STag.
func (p *planner) region(stag uint32) *region {
	r := p.regions[stag]
	if r == nil {
		r = &region{Region: Region{STag: stag, Rights: local}, index: len(p.order)}
		p.regions[stag] = r
		p.order = append(p.order, r)
	}
	return r
}

// extend makes the region reach as far as some octets.
func (r *region) extend(to, n uint64) {
	if !r.sized {
		r.TO, r.Length, r.sized = to, n, true
		return
	}
	end := max(r.TO+r.Length, to+n)
	r.TO = min(r.TO, to)
	r.Length = end - r.TO
}

// contains tells whether octets are in the region.
func (r *region) contains(to, n uint64) bool {
	return to >= r.TO && n <= r.Length && to-r.TO <= r.Length-n
}

// use is what a step has to do with memory of the peer; ok is false if it is nothing.
func (p *planner) use(s *scenario.Step) (u use, ok bool) {
	m, n := messageOf(s.Do)
	if m == nil {
		return u, false
	}
	own := s.Side != p.plan.Side
	size := p.resolve(m.Fields, "RDMARDSZ")
	switch {
	case m.Opcode == rdmap.OpReadRequest && !own:
		return use{p.place(m.Fields, "SinkSTag", "SinkTO", size), rnicsim.RemoteWrite}, true
	case !own:
		return u, false
	case m.Opcode == rdmap.OpWrite:
		return use{p.written(s, m, n), rnicsim.RemoteWrite}, true
	case m.Opcode == rdmap.OpReadRequest:
		return use{p.place(m.Fields, "SrcSTag", "SrcTO", size), rnicsim.RemoteRead}, true
	case m.Opcode == rdmap.OpAtomicRequest:
		return use{p.place(m.Fields, "RemoteSTag", "RemoteTaggedOffset", 8), rnicsim.RemoteRead | rnicsim.RemoteWrite}, true
	case m.Opcode.HasInvalidateSTag():
		// STag 0 is no region.
		stag := uint32(p.resolve(m.Fields, "InvalidateSTag"))
		return use{Place{STag: stag}, invalidation}, stag != 0
	}
	return u, false
}

// written is where a Write goes, which may be one segment of several.
func (p *planner) written(s *scenario.Step, m *scenario.Message, n int) Place {
	w := p.writing[s.Side]
	if _, begins := m.Fields.Lookup("STag"); begins || w == nil {
		w = &writing{uint32(p.resolve(m.Fields, "STag")), p.resolve(m.Fields, "TO")}
		p.writing[s.Side] = w
	}
	at := Place{w.stag, w.to, uint32(n)}
	w.to += uint64(n)
	return at
}

// first is the first of several things that a side may do: what the peer is taken to have done.
func first(o *scenario.OneOf) scenario.Action {
	if len(o.Of) == 0 {
		return nil
	}
	return o.Of[0]
}

// messageOf is the message that an action is, or begins or goes on with, and how many octets of payload it has; nil if
// it is none.
func messageOf(a scenario.Action) (m *scenario.Message, n int) {
	switch a := a.(type) {
	case *scenario.Message:
		return a, a.Payload.Len()
	case *scenario.Segment:
		if m, _, ok := a.Message(); ok {
			if _, begins := a.Fields.Lookup("STag"); !begins && a.Opcode.Tagged() {
				m.Fields = nil
			}
			return m, a.Payload.Len()
		}
	case *scenario.OneOf:
		return messageOf(first(a))
	}
	return nil, 0
}

// provide makes the Regions, with what they hold.
func (p *planner) provide() error {
	total := uint64(0)
	for _, r := range p.order {
		r.Length = max(r.Length, 1)
		if total += r.Length; r.Length > maxMemory || total > maxMemory || r.TO+r.Length < r.TO {
			return errMemory
		}
	}
	for _, r := range p.order {
		r.octets, r.known = make([]byte, r.Length), make([]bool, r.Length)
	}
	for i, s := range p.conn.Steps {
		if s.Side != p.plan.Side && !p.refused.ends(i) {
			p.touch(s)
		}
	}
	for _, r := range p.order {
		p.plan.Regions = append(p.plan.Regions, &r.Region)
	}
	p.name()
	return nil
}

// name tells which variables stand for regions. The rest keep their values.
func (p *planner) name() {
	p.plan.Values = make(scenario.Values)
	for _, v := range p.conn.Vars {
		switch {
		case v.Owner == p.plan.Side && v.Kind == scenario.STag:
			p.plan.Variables = append(p.plan.Variables, Variable{Name: v.Name, Region: p.region(uint32(v.Value)).index})
		case v.Owner == p.plan.Side && v.Kind == scenario.TO && v.STag != "":
			r := p.region(uint32(p.values[v.STag]))
			to := Variable{Name: v.Name, Region: r.index, TO: true, Offset: v.Value - r.TO}
			p.plan.Variables = append(p.plan.Variables, to)
		default:
			p.plan.Values[v.Name] = v.Value
		}
	}
}

// touch notes what a step of the own side shows of what regions hold, or changes in them.
func (p *planner) touch(s *scenario.Step) {
	if m, ok := s.Do.(*scenario.Message); ok && m.Opcode == rdmap.OpReadResponse && m.To != 0 {
		if i, ok := p.index[m.To]; ok {
			if u, ok := p.use(p.conn.Steps[i]); ok {
				p.change(s, u, p.recorded(m.Payload))
			}
		}
		return
	}
	u, ok := p.use(s)
	m, _ := messageOf(s.Do)
	if !ok || u.Length == 0 {
		return
	}
	switch m.Opcode {
	case rdmap.OpWrite:
		p.change(s, u, p.recorded(payloadOf(s.Do)))
	case rdmap.OpReadRequest:
		if a := p.answers[s.Number]; a != nil {
			p.show(s, u, a.Payload)
		}
	case rdmap.OpAtomicRequest:
		p.operate(s, u, m)
	}
}

// payloadOf is the payload of a message or segment.
func payloadOf(a scenario.Action) scenario.Payload {
	switch a := a.(type) {
	case *scenario.Message:
		return a.Payload
	case *scenario.Segment:
		return a.Payload
	}
	return nil
}

// change notes that a step puts octets into a region.
func (p *planner) change(s *scenario.Step, u use, octets []byte) {
	r := p.regions[u.STag]
	octets = octets[:min(len(octets), int(u.Length))]
	if r == nil || !r.contains(u.TO, uint64(len(octets))) {
		return
	}
	at := u.TO - r.TO
	copy(r.octets[at:], octets)
	for i := range octets {
		r.known[at+uint64(i)] = true
	}
	r.touched = s.Number
}

// show notes that a step reads octets. Those that nobody has seen before are there from the begin. Where others were
// known, the program to which the region belongs has changed them in between.
func (p *planner) show(s *scenario.Step, u use, payload scenario.Payload) {
	r := p.regions[u.STag]
	octets := p.recorded(payload)
	if r == nil || !r.contains(u.TO, uint64(len(octets))) {
		return
	}
	at := u.TO - r.TO
	held, known := r.octets[at:at+uint64(len(octets))], r.known[at:at+uint64(len(octets))]
	changed := false
	for i := range octets {
		changed = changed || known[i] && held[i] != octets[i]
	}
	if changed {
		store := &Act{After: r.touched, Settled: true, Do: &Store{r.index, Placed{at, payload}}}
		p.stores[r.touched] = append(p.stores[r.touched], store)
	} else if !bytes.Equal(held, octets) || !payload.Fixed() {
		r.hold(at, payload, known)
	}
	copy(held, octets)
	for i := range known {
		known[i] = true
	}
	r.touched = s.Number
}

// hold lets the region have octets from the begin, as far as they are not known yet.
func (r *region) hold(at uint64, payload scenario.Payload, known []bool) {
	for i := 0; i < len(known); {
		j := i
		for j < len(known) && known[j] == known[i] {
			j++
		}
		if !known[i] {
			r.Contents = append(r.Contents, Placed{at + uint64(i), payload.Slice(i, j)})
		}
		i = j
	}
}

// operate notes an Atomic, of which the answer shows what was there. Integers in memory are little-endian there.
func (p *planner) operate(s *scenario.Step, u use, m *scenario.Message) {
	answer := p.answers[s.Number]
	if answer == nil {
		return
	}
	var old, now [8]byte
	before := p.resolve(answer.Fields, "OriginalRemoteDataValue")
	binary.LittleEndian.PutUint64(old[:], before)
	p.show(s, u, scenario.Payload(nil).Append(scenario.Part{Octets: old[:]}))
	result, _ := p.atomic(m).Apply(before)
	binary.LittleEndian.PutUint64(now[:], result)
	p.change(s, u, now[:])
}

// atomic is the operation of an Atomic Request.
func (p *planner) atomic(m *scenario.Message) *rdmap.AtomicRequest {
	f := func(name string) uint64 { return p.resolve(m.Fields, name) }
	a := &rdmap.AtomicRequest{
		AOpCode: rdmap.AOpCode(f("AOpCode")), AddOrSwapData: f("AddData"), AddOrSwapMask: f("AddMask"),
		CompareData: f("CompareData"), CompareMask: f("CompareMask"),
	}
	if a.AOpCode == rdmap.CmpSwap {
		a.AddOrSwapData, a.AddOrSwapMask = f("SwapData"), f("SwapMask")
	}
	return a
}
