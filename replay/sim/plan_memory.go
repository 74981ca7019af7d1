package sim

// Memory: the peer's regions, their access rights, and their contents.

import (
	"encoding/binary"
	"errors"
	"math"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// maxMemory limits the octets of all regions of a connection.
const maxMemory = 128 << 20

type region struct {
	Region
	index       int  // in Plan.Regions
	sized       bool // TO and Length are valid
	invalidated bool // by the other side
	touched     int  // the latest step of the own side that used it
}

type use struct {
	Place
	right rnicsim.Rights
}

// invalidation is the right for a use that invalidates. A region that the other side can invalidate needs some right;
// the right to bind windows distinguishes such uses.
const invalidation = rnicsim.RemoteRead | rnicsim.BindWindows

// A writing is where the next segment of a Write goes.
type writing struct {
	stag uint32
	to   uint64
}

// local is the rights that every region has.
const local = rnicsim.LocalRead | rnicsim.LocalWrite

// memory provides the regions that variables advertise, and those that were used with success. A region has the rights
// that were used. There are three reasons for a refused use: the STag is not advertised, so there is no region; the
// region ends where the variable says; or else it lacks the right.
func (p *planner) memory() error {
	for _, v := range p.conn.Vars {
		if v.Owner == p.plan.Side && v.Kind == scenario.STag {
			p.region(uint32(v.Value)).Advertised = true
		}
	}
	for _, v := range p.conn.Vars {
		if v.Owner == p.plan.Side && v.Kind == scenario.TO && v.STag != "" {
			r := p.region(uint32(p.values[v.STag]))
			r.extend(v.Value, min(v.Length, maxMemory))
			r.AdvertisedTO = true
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

func (p *planner) grant(u use) {
	r := p.region(u.STag)
	if u.Length > 0 {
		r.extend(u.TO, uint64(u.Length))
	}
	r.Rights |= u.right &^ rnicsim.BindWindows
	r.invalidated = r.invalidated || u.right == invalidation
}

// deny makes the use of the culprit fail.
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

func (p *planner) region(stag uint32) *region {
	r := p.regions[stag]
	if r == nil {
		r = &region{Region: Region{STag: stag, Rights: local}, index: len(p.order)}
		p.regions[stag] = r
		p.order = append(p.order, r)
	}
	return r
}

func (r *region) extend(to, n uint64) {
	if !r.sized {
		r.TO, r.Length, r.sized = to, n, true
		return
	}
	end := max(r.TO+r.Length, to+n)
	r.TO = min(r.TO, to)
	r.Length = end - r.TO
}

func (r *region) contains(to, n uint64) bool {
	return to >= r.TO && n <= r.Length && to-r.TO <= r.Length-n
}

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
		// STag 0 is not a region.
		stag := uint32(p.resolve(m.Fields, "InvalidateSTag"))
		return use{Place{STag: stag}, invalidation}, stag != 0
	}
	return u, false
}

// written returns where a Write goes, or one segment of it.
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

// messageOf returns the message of an action, or of its segment, and the octets of payload in the action. It is nil if
// there is none.
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
		return messageOf(scenario.First(a))
	}
	return nil, 0
}

// provide makes the Regions, with their contents.
func (p *planner) provide() error {
	total := uint64(0)
	for _, r := range p.order {
		r.Length = max(r.Length, 1)
		if total += r.Length; r.Length > maxMemory || total > maxMemory || r.TO+r.Length < r.TO {
			return errors.New("its regions exceed the memory limit")
		}
	}
	p.octets = newMemory(math.MaxInt)
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

// name finds the variables that stand for regions. The others keep their values.
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

// touch records what a step of the own side shows or changes of the regions.
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

func payloadOf(a scenario.Action) scenario.Payload {
	switch a := a.(type) {
	case *scenario.Message:
		return a.Payload
	case *scenario.Segment:
		return a.Payload
	}
	return nil
}

// at returns the address of used memory of the own side.
func (p *planner) at(u use) address { return address{p.plan.Side, u.STag, u.TO} }

// change records that a step puts octets into a region.
func (p *planner) change(s *scenario.Step, u use, octets []byte) {
	r := p.regions[u.STag]
	octets = octets[:min(len(octets), int(u.Length))]
	if r == nil || !r.contains(u.TO, uint64(len(octets))) {
		return
	}
	p.octets.write(p.at(u), octets)
	r.touched = s.Number
}

// show records that a step reads octets. Unknown ones are initial contents. Where other octets were known, the program
// that owns the region has changed them in between.
func (p *planner) show(s *scenario.Step, u use, payload scenario.Payload) {
	r := p.regions[u.STag]
	octets := p.recorded(payload)
	if r == nil || !r.contains(u.TO, uint64(len(octets))) {
		return
	}
	at, known := u.TO-r.TO, make([]bool, len(octets))
	changed, differs := false, false
	for i, o := range octets {
		var held byte
		held, known[i] = p.octets.read(p.at(u).plus(uint64(i)))
		differs = differs || held != o
		changed = changed || known[i] && held != o
	}
	if changed {
		store := &Act{After: r.touched, Settled: true, Do: &Store{r.index, Placed{at, payload}}}
		p.stores[r.touched] = append(p.stores[r.touched], store)
	} else if differs || !payload.Fixed() {
		r.hold(at, payload, known)
	}
	p.octets.write(p.at(u), octets)
	r.touched = s.Number
}

// hold sets the initial contents of a region, where unknown.
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

// operate records an Atomic, whose answer shows the old value. Integers in memory are little-endian.
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
