package proxy

// What the Rules of a Proxy do to a connection.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
)

// ErrReset says that a Rule has reset both sides.
var ErrReset = errors.New("proxy: a rule resets the connection")

// errOver ends what waits when the connection is over.
var errOver = errors.New("proxy: the connection is over")

// An alteration is a connection whose messages Rules alter.
type alteration struct {
	conn       *Conn
	follower   *follower
	directions [2]direction
	gate       atomic.Int64 // a time, as of Proxy.now, before which nothing passes
}

// An Act is something that a Rule has done.
type Act struct {
	Conn *Conn
	From Side   // who has sent what was altered
	Rule int    // from 1
	Do   string // the action, as it was written
	What string // what was altered: "Send, MSN 3"
}

// String returns "rule 1 (drop:2): Send, MSN 3, from the client".
func (a *Act) String() string {
	return fmt.Sprintf("rule %d (%s): %s, from the %v", a.Rule, a.Do, a.What, a.From)
}

// newAlteration returns the state of the Rules on a connection that has both ends.
func newAlteration(c *Conn) *alteration {
	t := &alteration{conn: c}
	lays := false
	for s := range t.directions {
		direction := &t.directions[s]
		direction.alteration, direction.side, direction.relay = t, Side(s), c.ends[s].relay
		for i, r := range c.proxy.config.Rules {
			for _, a := range r.do {
				direction.actions = append(direction.actions, actionState{a, i, fault.NewHazard(a.fault)})
				lays = lays || slices.ContainsFunc(a.changes, func(c change) bool { return c.upper != nil })
			}
		}
		c.ends[s].relay.direction = direction
	}
	t.follower = newFollower(c, lays)
	return t
}

// due returns which actions apply to a message, and counts it for all that may. No action applies once nothing more of the side is passed on.
func (c *direction) due(m *message) (due []*actionState) {
	if c.muted() {
		return nil
	}
	for i := range c.actions {
		h := &c.actions[i]
		if !m.hits[h.rule] || !h.appliesTo(m.kind) || m.counted != nil && m.counted[i] {
			continue
		}
		if m.counted != nil {
			m.counted[i] = true
		}
		if h.Strikes(fault.AnyFPDU) {
			due = append(due, h)
		}
	}
	return due
}

// muted reports whether nothing more of the side is passed on.
func (c *direction) muted() bool {
	return c.silent.Load() || c.conn.ends[c.side].shut.Load() || c.conn.over.Load()
}

// decide does with what is held of the message in progress what the Rules want, and passes on what is left.
func (c *direction) decide() error {
	m := &c.message
	if len(m.fpdus) == 0 {
		return nil
	}
	due := c.due(m)
	all := slices.Concat(m.lasting, due)
	var p fault.Parcel
	if len(all) > 0 {
		for i, f := range m.fpdus {
			p.ULPDUs = append(p.ULPDUs, slices.Clone(f.ulpdu))
			if f.bad {
				p.SpoilCRC(i)
			}
		}
	}
	for _, h := range all {
		c.addTo(&p, h)
	}
	err := c.perform(m, &p, due)
	for _, h := range due {
		if h.lasts() {
			m.lasting = append(m.lasting, h)
		}
	}
	m.fpdus, m.size, m.decided = nil, 0, true
	if m.last {
		*m = message{}
	}
	return err
}

// lasts reports whether an action applies to all segments of a message, however long.
func (h *actionState) lasts() bool {
	switch h.effect {
	case reorders:
		return true
	case faults:
		a := h.fault.Action
		return a == fault.Drop || a == fault.Set || a == fault.Duplicate
	}
	return false
}

// addTo makes a Fault of an action part of what is sent.
func (c *direction) addTo(p *fault.Parcel, h *actionState) {
	if h.effect != faults {
		return
	}
	switch {
	case h.fault.Action == fault.Duplicate && c.message.again(h):
		return
	case h.fault.Action != fault.Set:
		p.Add(&h.fault)
		return
	}
	for i := range h.changes {
		if w := &h.changes[i]; w.upper == nil {
			p.Add(&fault.Fault{Action: fault.Set, Change: w.Rewrite})
		} else {
			c.setUpper(p.ULPDUs, w)
		}
	}
}

// again reports whether an action sends the message again as one with an MSN of its own.
func (m *message) again(h *actionState) bool {
	return h.effect == faults && h.fault.Action == fault.Duplicate && !h.raw && !m.tagged && m.last && !m.decided
}

// setUpper sets a field of an upper layer in the payload of a Send.
func (c *direction) setUpper(ulpdus [][]byte, w *change) {
	for _, header := range c.message.upper {
		if !slices.Contains(w.upper, header.table) {
			continue
		}
		altered := slices.Clone(header.octets)
		w.Apply(header.table, altered)
		at := header.at
		for _, ulpdu := range ulpdus {
			payload := ulpdu[min(ddp.UntaggedLen, len(ulpdu)):]
			if at < len(payload) {
				n := copy(payload[at:], altered)
				altered = altered[n:]
			}
			at = max(0, at-len(payload))
		}
	}
}

// perform does what actions want with a message or MPA frame.
func (c *direction) perform(m *message, p *fault.Parcel, due []*actionState) error {
	for _, h := range due {
		c.tell(h, m)
	}
	if err := c.before(due); err != nil || c.silent.Load() {
		return err
	}
	if err := c.dispatch(m, p, due); err != nil {
		return err
	}
	for _, h := range due {
		if h.effect == injects {
			if err := c.inject(h.action); err != nil {
				return err
			}
		}
	}
	closing := slices.ContainsFunc(due, func(h *actionState) bool { return h.effect == closes })
	switch {
	case p.Reset:
		c.conn.cut(ErrReset)
		return errOver
	case closing:
		c.conn.hangUp()
	}
	if p.Silent || p.FIN {
		c.silent.Store(true)
	}
	return nil
}

// tell reports what a Rule does.
func (c *direction) tell(h *actionState, m *message) {
	what := m.kind.String()
	if op, ok := m.kind.Opcode(); ok && !op.Tagged() && len(m.fpdus) > 0 {
		what += fmt.Sprintf(", MSN %d", uint32(m.number))
	} else if ok {
		what += fmt.Sprintf(", STag 0x%08x", uint32(m.number))
	}
	c.conn.acted(&Act{Conn: c.conn, From: c.side, Rule: h.rule + 1, Do: h.text, What: what})
}

// before does what actions want before a message, and waits for what they want to wait for.
func (c *direction) before(due []*actionState) error {
	for _, h := range due {
		switch h.effect {
		case shrinks:
			c.relay.from.Shrink(h.fault.Octets)
		case stalls:
			until := int64(forever)
			if now := c.conn.proxy.now(); h.fault.Time < forever-now {
				until = int64(now + h.fault.Time)
			}
			c.gate.Store(max(c.gate.Load(), until))
		}
	}
	return c.awaitGate()
}

// awaitGate waits until something may pass.
func (c *direction) awaitGate() error {
	for {
		left := time.Duration(c.gate.Load()) - c.conn.proxy.now()
		if left <= 0 {
			return nil
		}
		if err := c.Pause(left); err != nil {
			return err
		}
	}
}

// Pause implements fault.Wire. It fails if the connection is over, or the side resets it.
func (c *direction) Pause(d time.Duration) error {
	if d <= 0 {
		return nil
	}
	if !c.foreign {
		defer c.relay.lookout()()
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-c.conn.ended:
		return errOver
	}
}

// Send implements fault.Wire.
func (c *direction) Send(b []byte) error {
	switch {
	case c.conn.over.Load():
		return errOver
	case c.muted():
		return nil
	}
	c.conn.taken(c.side, b)
	send := c.relay.pass
	if c.foreign {
		send = c.relay.put
	}
	if err := send(b, len(b)); !c.conn.ends[c.side].shut.Load() {
		return err
	}
	return nil
}

// Finish implements fault.Wire.
func (c *direction) Finish() { c.conn.shut(c.side) }

// dispatch sends a message or MPA frame, with what was done to it, or keeps it.
func (c *direction) dispatch(m *message, p *fault.Parcel, due []*actionState) error {
	all := slices.Concat(m.lasting, due)
	has := func(a fault.Action, raw bool) bool {
		return slices.ContainsFunc(all, func(h *actionState) bool { return h.effect == faults && h.fault.Action == a && h.raw == raw })
	}
	switch {
	case m.fpdus == nil:
		return p.Deliver(c, &c.out)
	case has(fault.Drop, false) || has(fault.Drop, true) || has(fault.Silence, false) || has(fault.Silence, true):
		if has(fault.Drop, false) && !m.tagged && !m.decided {
			c.number(m.qn()).shift--
		}
		return p.Deliver(c, &c.out)
	case c.keep(m, p, all):
		return nil
	case len(all) == 0:
		for i := range m.fpdus {
			if err := c.passFPDU(&m.fpdus[i]); err != nil {
				return err
			}
		}
	default:
		c.shift(p.ULPDUs)
		if err := p.Deliver(c, &c.out); err != nil {
			return err
		}
		if slices.ContainsFunc(all, m.again) {
			if err := c.insert(p, false); err != nil {
				return err
			}
		}
	}
	if m.last {
		return c.release()
	}
	return nil
}

// A late message waits for the next one, with all that was done to it.
type late struct {
	message
	parcels []*fault.Parcel // of its octets in order
	raw     bool            // its MSNs stay
	copies  int             // times more that it is sent, each with an MSN of its own
}

// keep holds a message back until another one has passed, if an action wants that. It reports whether it does: there must be room, and
// the connection must go on.
func (c *direction) keep(m *message, p *fault.Parcel, all []*actionState) bool {
	i := slices.IndexFunc(all, func(h *actionState) bool { return h.effect == reorders })
	l := &c.late
	goesOn := l.begun && m.decided && l.number == m.number && l.kind == m.kind
	ends := p.Reset || p.FIN || slices.ContainsFunc(all, func(h *actionState) bool { return h.effect == closes })
	if i < 0 || m.decided && !goesOn || l.begun && !goesOn || l.size+m.size > MaxMessage || ends {
		return false
	}
	if !goesOn {
		*l = late{message: message{begun: true, kind: m.kind, number: m.number}, raw: all[i].raw}
		if !m.tagged && !l.raw {
			c.number(m.qn()).shift--
		}
	}
	if l.raw {
		c.shift(p.ULPDUs)
	}
	if slices.ContainsFunc(all, m.again) {
		l.copies++
	}
	l.parcels, l.size = append(l.parcels, p), l.size+m.size
	return true
}

// release sends the message that was held back.
func (c *direction) release() error {
	l := c.late
	c.late = late{}
	for i := range (l.copies + 1) * len(l.parcels) {
		if err := c.insert(l.parcels[i%len(l.parcels)], l.raw && i < len(l.parcels)); err != nil {
			return err
		}
	}
	return nil
}

// qn returns the queue of an untagged message.
func (m *message) qn() uint32 { return uint32(m.number >> 32) }

func (c *direction) number(qn uint32) *numbering {
	n := c.numbers[qn]
	if n == nil {
		n = new(numbering)
		if c.numbers == nil {
			c.numbers = make(map[uint32]*numbering)
		}
		if len(c.numbers) < maxNumbered {
			c.numbers[qn] = n
		}
	}
	return n
}

// Where the fields of an untagged segment begin (RFC 5041, section 4.3).
const (
	qnAt  = 6
	msnAt = 10
)

// shift gives untagged segments of the side the MSNs that they have after what Rules have done.
func (c *direction) shift(ulpdus [][]byte) {
	for _, b := range ulpdus {
		if ddp.IsTagged(b) || len(b) < ddp.UntaggedLen {
			continue
		}
		n := c.number(binary.BigEndian.Uint32(b[qnAt:]))
		n.last = binary.BigEndian.Uint32(b[msnAt:]) + n.shift
		binary.BigEndian.PutUint32(b[msnAt:], n.last)
	}
}

// insert sends a message more, with the next MSN of its queue unless that stays as it is.
func (c *direction) insert(p *fault.Parcel, raw bool) error {
	for i, b := range p.ULPDUs {
		if raw || ddp.IsTagged(b) || len(b) < ddp.UntaggedLen {
			continue
		}
		n := c.number(binary.BigEndian.Uint32(b[qnAt:]))
		if i == 0 {
			n.last++
			n.shift++
		}
		binary.BigEndian.PutUint32(b[msnAt:], n.last)
	}
	return p.Deliver(c, &c.out)
}

// passFPDU passes on an FPDU that nothing alters: as it came, if what went before it permits that.
func (c *direction) passFPDU(f *fpdu) error {
	ulpdu := slices.Clone(f.ulpdu)
	c.shift([][]byte{ulpdu})
	if c.out.Options == c.sent && (c.out.Pos() == f.at || !c.sent.Markers) && slices.Equal(ulpdu, f.ulpdu) {
		c.out.Skip(uint64(len(f.raw)))
		return c.Send(f.raw)
	}
	p := fault.Parcel{ULPDUs: [][]byte{ulpdu}}
	if f.bad {
		p.SpoilCRC(0)
	}
	return p.Deliver(c, &c.out)
}
