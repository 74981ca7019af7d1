package adversary

// Violations of DDP: RFC 5041, sections 4, 5 and 7.

import "slices"

// Offsets in DDP headers.
const (
	invalidateAt = 2
	qnAt         = 6
	msnAt        = 10
	moAt         = 14
	stagAt       = 2
	toAt         = 6
)

// Ids of rules that a wrong field of one segment of a message breaks: those of a message that is not whole.
const (
	sendIDs   = " DDP-5.2-6 DDP-5.2-4 DDP-4.1-6 DDP-4.3-11 DDP-7.1-3 DDP-4.1-3 DDP-5.3-1 DDP-5.3-2 RDMAP-3.1-3"
	msnIDs    = " DDP-4.3-7 DDP-4.3-8 DDP-4.3-9 DDP-4.3-10 DDP-5.3-1 DDP-7.1-5 RDMAP-5.3-2 RDMAP-5.2.1-2 RDMAPX-6.3-2 RDMAPX-5-5 RDMAPX-5.2-1 RDMAPX-5.2.1-2 RDMAP-3.1-3"
	taggedIDs = " DDP-5.2-8 DDP-5.2-4 DDP-5.3-2 DDP-4.2-8 DDP-4.1-3 DDP-4.1-4 RDMAP-4.4-3 RDMAP-5.1-7 RDMAP-4.4-2 RDMAP-5.2.2-9"
)

var ddpInjectors = []Injector{
	{"a reserved bit of DDP", "DDP-4.1-8", in(any_, func(p *Place) { p.Octets[0] |= 4 << p.r.IntN(4) })},
	{"another DDP version", "DDP-4.1-10 DDP-4.1-11 MPA-3-9 MPA-C.1-1 MPA-C.2.5-1", in(any_, func(p *Place) { p.Octets[0] ^= byte(1 + p.r.IntN(3)) })},
	{"an MSN that skips one", "DDP-4.3-7" + msnIDs, in(all(untagged, is(opReadRequest, opSend, opSendSolicited, opImmediate)),
		func(p *Place) { p.addToAll(msnAt, 4, 1) })},
	{"the MSN of the message before", "DDP-4.3-7" + msnIDs + sendIDs + " DDP-4.1-4 DDP-4.1-5", in(all(untagged, filled, is(opReadRequest, opSend, opSendInvalidate),
		func(u *Unit) bool { return u.Message.MSN > 1 }), func(p *Place) { p.addToAll(msnAt, 4, ^uint64(0)) })},
	{"a first MSN of 0", "DDP-4.3-8" + msnIDs, in(all(untagged, is(opReadRequest, opSend), func(u *Unit) bool { return u.Message.MSN == 1 }),
		func(p *Place) { p.addToAll(msnAt, 4, ^uint64(0)) })},
	{"an MSN with its octets swapped", "DDP-4.3-7" + msnIDs, in(all(untagged, is(opSend, opSendSolicited, opReadRequest, opImmediate)), func(p *Place) {
		for _, u := range p.message() {
			slices.Reverse(u.Octets[msnAt : msnAt+4])
		}
	})},
	{"an MSN that changes in a message", "DDP-4.3-10" + msnIDs + sendIDs, in(all(sends, later), func(p *Place) { p.add(msnAt, 4, 1) })},
	{"a first MO that is not 0", "DDP-5.2-4|DDP-4.3-11" + sendIDs + " OBS-UNADVERTISED", continued(in(all(sends, first, filled), func(p *Place) { p.add(moAt, 4, pick[uint64](p.r, 4, 1)) }))},
	{"an MO four octets further", "DDP-5.2-6" + sendIDs, continued(in(all(sends, later), func(p *Place) { p.add(moAt, 4, 4) }))},
	{"an MO four octets before", "DDP-5.2-6" + sendIDs, continued(in(all(sends, later), func(p *Place) { p.add(moAt, 4, ^uint64(3)) }))},
	{"an MO beyond 32 bits", "DDP-5.2-3 RDMAP-1.1-1" + sendIDs, in(all(sends, later, func(u *Unit) bool { return len(u.Octets) > untaggedHeader }), func(p *Place) {
		copy(p.Octets[moAt:], octets(^uint32(0)))
	})},
	{"a segment of a Send left out", "DDP-5.2-4" + sendIDs, continued(in(all(sends, later, notLast), (*Place).remove))},
	{"no L in a Send", "DDP-4.1-3 DDP-5.2-9" + sendIDs + " OBS-UNADVERTISED", continued(in(all(sends, last), func(p *Place) { p.Octets[0] &^= ddpLast }))},
	{"L before the end of a Send", "DDP-4.1-4 DDP-4.1-5" + sendIDs + msnIDs + " OBS-MALFORMED", in(all(sends, notLast), func(p *Place) { p.Octets[0] |= ddpLast })},
	{"an opcode that changes in a Send", "DDP-4.3-4 RDMAP-3.1-3", in(all(is(opSend), later), func(p *Place) { p.opcode(opSendSolicited) })},
	{"an STag to invalidate that changes in a Send", "DDP-4.3-4 RDMAP-3.1-3", in(all(is(opSendInvalidate), later), func(p *Place) { p.add(invalidateAt, 4, 0x100) })},
	{"a Send of nothing in two segments", "DDP-5.2-9 DDP-5.2-1 MPA-4.5-4" + sendIDs, in(all(sends, func(u *Unit) bool { return !filled(u) }), func(p *Place) {
		again := &Unit{From: p.From, Octets: slices.Clone(p.Octets), Message: p.Message}
		p.Octets[0] &^= ddpLast
		p.insert(again)
	})},
	{"segments of a Send that changed places", "DDP-5.3-2 DDP-4.1-6 DDP-5.2-6", func(p *Place) bool {
		return p.find(all(sends, later)) && p.swapWithNext(func(u *Unit) bool { return u.Message == p.Message && notLast(u) })
	}},
	{"a segment between those of a Send", "DDP-5.3-1 DDP-4.1-3", in(all(sends, notLast), func(p *Place) {
		p.insert(p.only(&Message{From: p.From, Opcode: opWrite, STag: 0x1234500, TO: 4096, Body: make([]byte, 8)}))
	})},
	{"a TO four octets further", "DDP-5.2-8" + taggedIDs + " OBS-UNADVERTISED OBS-BEYOND-ADVERTISED", in(all(tagged, later), func(p *Place) { p.add(toAt, 8, 4) })},
	{"a TO four octets before", "DDP-5.2-8" + taggedIDs, in(all(tagged, later), func(p *Place) { p.add(toAt, 8, ^uint64(3)) })},
	{"a segment of a Write left out", "DDP-5.2-8" + taggedIDs, continued(in(all(is(opWrite), later, notLast), (*Place).remove))},
	{"an STag that changes in a Write", "DDP-4.2-8" + taggedIDs + " OBS-UNADVERTISED", in(all(is(opWrite), later), func(p *Place) { p.add(stagAt, 4, 0x100) })},
	{"an STag that changes in a Read Response", "DDP-4.2-8 RDMAP-5.2.2-9" + taggedIDs, in(all(is(opReadResponse), later), func(p *Place) { p.add(stagAt, 4, 1) })},
	{"an opcode that changes in a Write", "DDP-4.2-4 DDP-4.1-3 RDMAP-1.2-1 RDMAP-5.2-1 RDMAP-5.2.2-1", in(all(is(opWrite), later), func(p *Place) { p.opcode(opReadResponse) })},
	{"L before the end of a Read Response", "DDP-4.1-4 RDMAP-4.4-5 RDMAP-1.2-1 RDMAP-5.2-1 RDMAP-5.2.2-1 RDMAP-5.2.1-15" + orderIDs + taggedIDs, in(all(is(opReadResponse), notLast), func(p *Place) { p.Octets[0] |= ddpLast })},
	{"a TO that wraps", "DDP-7.1-11 RDMAP-4.4-6" + taggedIDs + " OBS-UNADVERTISED OBS-BEYOND-ADVERTISED", in(all(is(opWrite), first, filled), func(p *Place) {
		for i, u := range p.message() {
			at := ^uint64(0) - uint64(len(p.Message.Body)/2) + uint64(i*(len(p.message()[0].Octets)-taggedHeader))
			copy(u.Octets[toAt:], octets(at))
		}
	})},
	{"a ULPDU shorter than a tagged header", "DDP-4.2-1 DDP-4.4-1 DDP-4.3-1 RDMAP-3.1-1" + taggedIDs, in(tagged, func(p *Place) { p.Octets = p.Octets[:1+p.r.IntN(taggedHeader-1)] })},
	{"a ULPDU shorter than an untagged header", "DDP-4.3-1 DDP-4.4-1 DDP-4.2-1 RDMAP-3.1-1" + sendIDs + " OBS-UNADVERTISED", in(untagged, func(p *Place) { p.Octets = p.Octets[:1+p.r.IntN(untaggedHeader-1)] })},
}

// swapWithNext exchanges the Unit of the Place with the next one of its sender, if a condition holds for that.
func (p *Place) swapWithNext(holds func(*Unit) bool) bool {
	for j := p.i + 1; j < len(p.Units); j++ {
		if u := p.Units[j]; u.From == p.From {
			if holds(u) {
				p.Units[p.i], p.Units[j] = u, p.Unit
			}
			return holds(u)
		}
	}
	return false
}

// firstOf is the index of the first segment of a message.
func (c *Conversation) firstOf(m *Message) int {
	return slices.IndexFunc(c.Units, func(u *Unit) bool { return u.Message == m })
}
