package compile

// Variables for STags and TOs: what one side advertised and the other side used.

import (
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A learner finds the variables in the steps of a connection.
type learner struct {
	conn    *conn
	vars    []*scenario.Var
	learned map[*scenario.Var]*Learned
	memory  [2]map[uint32]*tag // by owner: its latest advertisement
	numbers map[string]int     // of variables, by the first letters of their names
	buffers [2]bool            // by side: all its Sends of 16 octets are buffers
	rpc     *rpcReader         // nil if the connection does not carry RPC-over-RDMA

	held       int  // octets of the places with STags
	terminated bool // an error ended the connection: used memory may lie outside of what was advertised
}

// A tag is an STag that a side advertised. Advertising it again after it was withdrawn makes another tag.
type tag struct {
	stag      uint32
	variable  *scenario.Var // nil until the STag is used
	finds     []find        // without a variable
	regions   []*region
	withdrawn bool
}

type region struct {
	base     uint64
	length   uint64
	variable *scenario.Var // nil until the region is used
	finds    []find        // without a variable
}

// maxRegions limits the known regions of a tag to the latest ones. One STag may cover all memory of a side.
const maxRegions = 1024

func (c *conn) learn(drafts []*draft) []*scenario.Var {
	l := &learner{conn: c, learned: make(map[*scenario.Var]*Learned), numbers: make(map[string]int), rpc: newRPCReader(drafts)}
	l.terminated = c.source.End == flow.EndTerminate
	l.buffers = sendBuffers(drafts)
	var searches [2]*search
	for owner, w := range usedBy(drafts) {
		searches[owner] = newSearch(w)
		l.memory[owner] = make(map[uint32]*tag)
	}
	for _, d := range drafts {
		l.used(d)
		if l.rpc != nil {
			l.rpc.read(l, d)
		}
		l.buffer(d)
		l.sink(d, searches[d.Side].wanted)
		if mayAdvertise(d) {
			searches[d.Side].in(d, l.advertised)
		}
		l.returned(d)
	}
	c.compiler.room += l.held
	vars := inOrder(drafts, l.vars)
	for _, v := range vars {
		c.report.Vars = append(c.report.Vars, *l.learned[v])
	}
	return vars
}

// mayAdvertise reports whether a step has upper-layer payload, which can advertise memory.
func mayAdvertise(d *draft) bool {
	m, ok := d.Do.(*scenario.Message)
	return isFrame(d) || ok && m.Opcode.HasPayload()
}

// usedBy returns, by owner, the STags that the other side uses.
func usedBy(drafts []*draft) (used [2]map[uint32]*wanted) {
	for i := range used {
		used[i] = make(map[uint32]*wanted)
	}
	for _, d := range drafts {
		u, ok := useOf(d)
		if !ok {
			continue
		}
		of := used[d.Side.Other()]
		stag := uint32(u.value(u.stag))
		if of[stag] == nil {
			of[stag] = new(wanted)
		}
		if u.to != "" {
			of[stag].note(u.value(u.to))
		}
	}
	return used
}

// advertised notes a place where a side advertised an STag, if there is room.
func (l *learner) advertised(stag uint32, f find) (noted bool) {
	if !l.conn.compiler.take(placeHeld) {
		return false
	}
	l.held += placeHeld
	memory := l.memory[f.draft.Side]
	t := memory[stag]
	if t == nil || t.withdrawn {
		t = &tag{stag: stag}
		memory[stag] = t
	}
	if f.to < 0 {
		if len(t.regions) == 0 {
			t.finds = append(t.finds, f)
		}
		return true
	}
	if len(t.regions) == 0 {
		t.finds = nil // a place with a TO is more certain
	}
	r := t.at(f.base)
	if r == nil {
		r = &region{base: f.base}
		if len(t.regions) == maxRegions {
			t.regions = t.regions[1:]
		}
		t.regions = append(t.regions, r)
	}
	r.length = max(r.length, f.length)
	r.finds = append(r.finds, f)
	if t.variable != nil {
		l.refer(t.variable, f.draft, f.at, f.encoding)
	} else {
		t.finds = append(t.finds, f)
	}
	if r.variable != nil {
		l.place(r)
	}
	return true
}

// offer records a place that certainly advertises memory: it becomes variables, used or not.
func (l *learner) offer(stag uint32, f find) {
	if !l.advertised(stag, f) {
		return
	}
	t := l.memory[f.draft.Side][stag]
	if t.variable == nil && !l.name(t, f.draft.Side) {
		return
	}
	if r := t.at(f.base); r.variable == nil {
		l.nameRegion(r, t, f.draft.Side)
	}
}

// buffer handles a step whose payload may be exactly one buffer. Some Sends look so by chance, such as completions of
// NVMe, so all of them must.
func (l *learner) buffer(d *draft) {
	if stag, f, ok := bufferIn(d); ok && (isFrame(d) || l.buffers[d.Side]) {
		l.offer(stag, f)
	}
}

// sendBuffers reports, by side, whether all Sends with the length of a buffer are buffers.
func sendBuffers(drafts []*draft) (all [2]bool) {
	all = [2]bool{true, true}
	for _, d := range drafts {
		if isSend(d) && len(d.body.octets) == bufferLen {
			_, _, ok := bufferIn(d)
			all[d.Side] = all[d.Side] && ok
		}
	}
	return all
}

// bufferLen is the length in octets of a buffer as rping advertises it: TO, STag and length.
const bufferLen = 16

// bufferIn returns the buffer that fills a payload; ok is false if the payload is something else.
func bufferIn(d *draft) (stag uint32, f find, ok bool) {
	const largest, address, small = 1 << 30, 1 << 32, 1 << 16
	b := d.body.octets
	if len(b) != bufferLen || len(d.body.unknown) > 0 || !isSend(d) && !isFrame(d) {
		return 0, f, false
	}
	f = find{draft: d, at: 8, to: 0, base: number(b, hyper), length: number(b[12:], word), encoding: word}
	stag = uint32(number(b[8:], word))
	top := f.base >> 48
	return stag, f, (top == 0 || top == 0xffff) && f.base >= address && stag >= small && f.length > 0 && f.length <= largest
}

func (t *tag) at(base uint64) *region {
	for _, r := range t.regions {
		if r.base == base {
			return r
		}
	}
	return nil
}

// explain returns the region in which a TO lies or, failing that, the closest one before it; nil if there is none.
func (t *tag) explain(to uint64) (best *region) {
	for _, r := range t.regions {
		if far := to - r.base; far < max(r.length, maxReach) && (best == nil || far < to-best.base) {
			best = r
		}
	}
	return best
}

func (l *learner) used(d *draft) {
	u, ok := useOf(d)
	if !ok {
		return
	}
	owner, stag := d.Side.Other(), uint32(u.value(u.stag))
	t := l.memory[owner][stag]
	if why := t.unclear(); why != "" {
		if u.octets == 0 && !u.withdraws {
			return // no memory is used, and the STag is not checked
		}
		l.unexplained(d, u.stag, uint64(stag), why)
		return
	}
	if t.variable == nil && !l.name(t, owner) {
		l.unexplained(d, u.stag, uint64(stag), "the place where the other side advertised it holds something else too")
		return
	}
	l.learned[t.variable].Uses++
	u.set(u.stag, scenario.Value{Var: t.variable.Name})
	t.withdrawn = t.withdrawn || u.withdraws
	if u.to == "" {
		return
	}
	to := u.value(u.to)
	if len(t.regions) == 0 && to < maxReach {
		return // TOs count from zero
	}
	r := t.explain(to)
	if r == nil {
		l.unexplained(d, u.to, to, "it is far from every TO that the other side advertised with the STag")
		return
	}
	if r.variable == nil && !l.nameRegion(r, t, owner) {
		l.unexplained(d, u.to, to, "the place where the other side advertised it holds something else too")
		return
	}
	if r.length == 0 || !l.terminated {
		r.variable.Length = max(r.variable.Length, to-r.base+u.octets)
	}
	l.learned[r.variable].Uses++
	u.set(u.to, scenario.Value{Var: r.variable.Name, Number: to - r.base})
}

// unclear says why the advertisement of an STag is unknown; empty if it is known. t may be nil.
func (t *tag) unclear() string {
	switch {
	case t == nil:
		return "no earlier message of the other side has it"
	case len(t.regions) > 0:
		return ""
	case t.stag < weak:
		return "it occurs in earlier messages of the other side, but so small a number proves nothing without a TO next to it"
	case len(t.finds) > 1 && t.finds[1].draft == t.finds[0].draft:
		return "it occurs in several places of an earlier message of the other side, without a TO next to it"
	}
	return ""
}

// name creates a variable for an STag. It fails if the variable cannot be put where the STag was advertised.
func (l *learner) name(t *tag, owner scenario.Side) bool {
	v := l.new("s", scenario.Var{Kind: scenario.STag, Owner: owner, Value: uint64(t.stag)})
	for _, f := range t.finds {
		l.refer(v, f.draft, f.at, f.encoding)
	}
	if t.finds = nil; l.learned[v].Step == 0 {
		l.drop(v, "s")
		return false
	}
	t.variable = v
	return true
}

// nameRegion creates a variable for a TO. It fails if the variable cannot be put where the TO was advertised.
func (l *learner) nameRegion(r *region, t *tag, owner scenario.Side) bool {
	v := l.new("t", scenario.Var{Kind: scenario.TO, Owner: owner, Value: r.base, Length: r.length, STag: t.variable.Name})
	r.variable = v
	if l.place(r); l.learned[v].Step == 0 {
		l.drop(v, "t")
		r.variable = nil
		return false
	}
	return true
}

// drop removes the variable that was created last.
func (l *learner) drop(v *scenario.Var, letter string) {
	l.vars = l.vars[:len(l.vars)-1]
	l.numbers[letter]--
	delete(l.learned, v)
}

func (l *learner) place(r *region) {
	for _, f := range r.finds {
		l.refer(r.variable, f.draft, f.to, scenario.Encoding{Octets: 8, LittleEndian: f.encoding.LittleEndian})
	}
	r.finds = nil
}

// new creates a variable with the next name.
func (l *learner) new(letter string, v scenario.Var) *scenario.Var {
	l.numbers[letter]++
	v.Name = fmt.Sprintf("%s%d", letter, l.numbers[letter])
	made := &v
	l.conn.compiler.room -= stepHeld
	l.vars = append(l.vars, made)
	l.learned[made] = &Learned{Var: made}
	return made
}

func (l *learner) refer(v *scenario.Var, d *draft, at int, e scenario.Encoding) {
	if !d.body.refer(ref{at, scenario.Value{Var: v.Name}, e}) {
		return
	}
	if learned := l.learned[v]; learned.Step == 0 && d.Side == v.Owner {
		learned.Step, learned.Where = d.Number, fmt.Sprintf("payload %d %s", at, e)
	}
}

func (l *learner) unexplained(d *draft, field string, value uint64, why string) {
	all := &l.conn.report.Unexplained
	for i := range *all {
		if u := &(*all)[i]; u.Value == value && u.Field == field && u.Owner == d.Side.Other() {
			u.Uses++
			return
		}
	}
	if len(*all) < maxUnexplained {
		*all = append(*all, Unexplained{d.Number, field, value, d.Side.Other(), 1, why})
	}
}

// maxUnexplained limits the reported uses of a connection.
const maxUnexplained = 100

// returned puts variables into the headers that a Terminate encloses.
func (l *learner) returned(d *draft) {
	m, ok := d.Do.(*scenario.Message)
	if !ok || m.Opcode != rdmap.OpTerminate {
		return
	}
	enclosed := d.body.octets
	const headerOff = 2 // after the DDP Segment Length
	var h rdmap.Header
	if len(enclosed) < headerOff {
		return
	}
	n, err := h.Decode(enclosed[headerOff:])
	if err != nil {
		return
	}
	if h.T {
		l.give(d, d.Side, headerOff+2, headerOff+6)
	}
	var r rdmap.ReadRequest
	if _, err := r.Decode(enclosed[headerOff+n:]); err == nil && h.Control.Opcode == rdmap.OpReadRequest {
		l.give(d, d.Side, headerOff+n+16, headerOff+n+20)
	}
}

// give puts the variables for an STag and a TO of the given owner into a payload that contains their values.
func (l *learner) give(d *draft, owner scenario.Side, stagAt, toAt int) {
	b := d.body.octets
	t := l.memory[owner][uint32(number(b[stagAt:], scenario.Encoding{Octets: 4}))]
	if t == nil || t.variable == nil {
		return
	}
	l.refer(t.variable, d, stagAt, scenario.Encoding{Octets: 4})
	to := number(b[toAt:], scenario.Encoding{Octets: 8})
	if r := t.explain(to); r != nil && r.variable != nil {
		d.body.refer(ref{toAt, scenario.Value{Var: r.variable.Name, Number: to - r.base}, scenario.Encoding{Octets: 8}})
	}
}

// inOrder sorts variables by the first step that has them, and keeps an STag before its TOs.
func inOrder(drafts []*draft, vars []*scenario.Var) []*scenario.Var {
	byName := make(map[string]*scenario.Var, len(vars))
	for _, v := range vars {
		byName[v.Name] = v
	}
	var sorted []*scenario.Var
	take := func(name string) {
		if v := byName[name]; v != nil {
			delete(byName, name)
			sorted = append(sorted, v)
		}
	}
	for _, d := range drafts {
		for _, name := range d.variables() {
			if v := byName[name]; v != nil {
				take(v.STag)
				take(name)
			}
		}
	}
	return sorted
}

func (d *draft) variables() (names []string) {
	for _, r := range d.body.refs {
		names = append(names, r.value.Var)
	}
	return slices.AppendSeq(names, d.Uses())
}
