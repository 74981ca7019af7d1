package adversary

// Violations of RDMAP: RFC 5040 and RFC 7306.

import "slices"

// Offsets in a ULPDU.
const (
	headerAt      = untaggedHeader // the RDMAP header
	sizeAt        = headerAt + 12  // of a Read Request
	sourceAt      = headerAt + 20  // its source TO
	unexpectedIDs = " RDMAP-1.2-1 RDMAP-5.2-1 RDMAP-5.2.2-1"
	orderIDs      = " RDMAP-5.2.2-7 RDMAP-5.2.1-8 RDMAP-5.5-20 RDMAP-B-3 RDMAPX-5.2.1-7 RDMAPX-5.2.2-8 RDMAPX-5.4-8 RDMAPX-7-4"
	qnIDs         = " RDMAP-4.1-6 RDMAP-5.2.1-6 RDMAP-5.3-8 DDP-4.3-6 RDMAPX-4.1-5 RDMAPX-5-5 RDMAPX-5.2-1 RDMAPX-5.2-2 RDMAPX-5.2.1-5 RDMAPX-5.2.2-3 RDMAPX-6.3-4 RDMAP-5.4-1 RDMAP-5.4-2"
	tIDs          = " RDMAP-4.1-4 RDMAP-5.1-1 RDMAP-5.2.1-1 RDMAP-5.2.2-2 RDMAP-5.3-1 RDMAPX-4.1-2 RDMAPX-5.2.1-1 RDMAPX-5.2.2-2 RDMAPX-6.3-1"
	versionIDs    = " RDMAP-4.1-7 MPA-C.1-1 MPA-3-9 D00-6.1-1"
	ordIDs        = " RDMAP-6.1-4 EMPA-9.1-7 EMPA-9.1-14 RDMAPX-5.2-1"
)

var rdmapInjectors = []Injector{
	{"a reserved bit of RDMAP", "RDMAP-4.1-8 RDMAPX-4.1-5", in(any_, func(p *Place) { p.Octets[1] |= 0x10 << p.r.IntN(2) })},
	{"another RDMAP version", "RDMAP-4.1-7" + versionIDs, in(any_, func(p *Place) { p.Octets[1] ^= byte(1+p.r.IntN(3)) << 6 })},
	{"an opcode that is not assigned", "RDMAP-4.1-5 RDMAPX-4.1-1 RDMAPX-4.1-2 IANA-3.4-1 RDMAP-4.1-1 OBS-UNADVERTISED", in(all(first, last, is(opSend, opWrite)), func(p *Place) { p.Octets[1] |= 0x0e })},
	{"the other T bit", "RDMAP-4.1-4" + tIDs, in(func(u *Unit) bool { return len(u.Octets) > untaggedHeader && u.Message.Opcode != opTerminate }, func(p *Place) { p.Octets[0] ^= ddpTagged })},
	{"a QN that nobody uses", "RDMAP-3.1-2 RDMAPX-10.2-1 DDP-7.1-1", in(all(is(opSend, opReadRequest, opImmediate, opAtomicRequest), first), func(p *Place) { p.addToAll(qnAt, 4, pick[uint64](p.r, 4, 16)) })},
	{"the QN of another opcode", "RDMAP-4.1-6" + qnIDs, in(all(is(opSend, opReadRequest), first), func(p *Place) { p.addToAll(qnAt, 4, 2) })},
	{"an STag to invalidate in a message that invalidates none", "RDMAP-4.1-10 RDMAPX-4.1-3", in(is(opReadRequest, opImmediate, opAtomicRequest, opAtomicResponse), func(p *Place) { p.add(invalidateAt, 4, 1) })},
	{"an STag to invalidate in a Send", "RDMAP-4.1-10", in(all(is(opSend, opSendSolicited), first), func(p *Place) { p.addToAll(invalidateAt, 4, 0x7000) })},
	{"a Send with Invalidate without an STag", "RDMAP-4.1-3", in(all(is(opSendInvalidate, opSendSolicitedInvalidate), first), func(p *Place) { p.addToAll(invalidateAt, 4, -uint64(p.Message.STag)) })},
	{"a Read Request that is too short", "RDMAP-4.4-1 RDMAP-4.2-1", in(is(opReadRequest), func(p *Place) { p.Octets = p.Octets[:len(p.Octets)-pick(p.r, 4, 8, 1)] })},
	{"a Read Request that is too long", "RDMAP-4.2-2 RDMAP-4.4-1 DDP-7.1-4", in(is(opReadRequest), func(p *Place) { p.Octets = append(p.Octets, make([]byte, pick(p.r, 4, 1, 24))...) })},
	{"a Read Request without L", "RDMAP-3.1-3 DDP-5.3-1 MPA-4.5-4 DDP-4.1-3", in(is(opReadRequest, opImmediate, opAtomicRequest), func(p *Place) { p.Octets[0] &^= ddpLast })},
	{"an MO in a Read Request", "DDP-4.3-11 DDP-5.2-6", in(is(opReadRequest), func(p *Place) { p.add(moAt, 4, 4) })},
	{"a source that wraps", "RDMAP-7.2-13", in(all(is(opReadRequest), func(u *Unit) bool { return u.Octets[sizeAt+3] > 1 }), func(p *Place) { copy(p.Octets[sourceAt:], octets(^uint64(0))) })},
	{"a Read Response to another STag", "RDMAP-4.4-2 RDMAP-5.2.2-9 DDP-4.2-8", in(all(is(opReadResponse), first, filled), func(p *Place) { p.addToAll(stagAt, 4, pick[uint64](p.r, 1, 0x100)) })},
	{"a Read Response to another TO", "RDMAP-4.4-3 DDP-7.1-11 RDMAP-4.4-6" + taggedIDs, in(all(is(opReadResponse), first, filled), func(p *Place) { p.addToAll(toAt, 8, pick(p.r, 4, ^uint64(3), 4096)) })},
	{"an empty Read Response to another place", "RDMAP-4.4-2|RDMAP-4.4-3", in(all(is(opReadResponse), empty), func(p *Place) { p.add(pick(p.r, stagAt, toAt), 4, 0x100) })},
	{"a Read Response that is too short", "RDMAP-4.4-5 DDP-4.1-3 DDP-4.1-4 RDMAP-5.2.1-15", in(all(is(opReadResponse), last, filled), func(p *Place) { p.Octets = p.Octets[:len(p.Octets)-1] })},
	{"a Read Response that is too long", "RDMAP-4.4-5 DDP-4.1-3 DDP-4.1-4 RDMAP-5.2.1-15", in(all(is(opReadResponse), last, roomy), func(p *Place) { p.Octets = append(p.Octets, make([]byte, pick(p.r, 1, 4))...) })},
	{"payload in the response to a Read of nothing", "RDMAP-5.2.1-15 RDMAP-4.4-5 DDP-4.1-3 DDP-4.1-4", in(all(is(opReadResponse), empty), func(p *Place) { p.Octets = append(p.Octets, 1, 2, 3, 4) })},
	{"a Read Response twice", "RDMAP-1.2-1|RDMAP-4.4-2|RDMAP-4.4-3" + unexpectedIDs + " RDMAP-4.4-5" + orderIDs + taggedIDs, in(all(is(opReadResponse), first, last, filled), func(p *Place) { p.insert(&Unit{From: p.From, Octets: p.Octets, Message: p.Message}) })},
	{"a Read Response that nobody asked for", "RDMAP-5.2.2-1|RDMAP-4.4-2|RDMAP-4.4-3|RDMAP-4.4-5" + unexpectedIDs + orderIDs + taggedIDs, in(all(is(opWrite), first, last), func(p *Place) { p.opcode(opReadResponse) })},
	{"Read Responses in the wrong order", "RDMAP-5.2.2-7" + orderIDs + taggedIDs + " RDMAP-4.4-5", func(p *Place) bool {
		whole := all(is(opReadResponse), first, last, filled)
		return p.find(whole) && p.swapWithNext(func(u *Unit) bool {
			return whole(u) && p.asked(u.Message, p.Message)
		})
	}},
	{"a Read Request more than agreed on", "RDMAP-6.1-4" + ordIDs, func(p *Place) bool {
		if !p.Terms.Enhanced || !p.find(is(opReadRequest)) || p.Terms.Reads[p.From] > 20 || p.Terms.Unbound[p.From] {
			return false
		}
		for n := range p.Terms.Reads[p.From] {
			more := &Unit{From: p.From, Octets: slices.Clone(p.Octets), Message: p.Message}
			more.add(msnAt, 4, uint64(p.Terms.Reads[p.From]-n))
			p.insert(more)
		}
		p.Units = p.Units[:p.i+1+p.Terms.Reads[p.From]]
		return true
	}},
	{"a Read Request twice", "DDP-4.3-7" + msnIDs + ordIDs + orderIDs, in(is(opReadRequest), func(p *Place) { p.insert(&Unit{From: p.From, Octets: p.Octets, Message: p.Message}) })},
	{"Immediate Data of another length", "RDMAPX-6.3-5 RDMAPX-6.2-1 RDMAPX-4.2-1", in(is(opImmediate, opImmediateSolicited), func(p *Place) { p.Octets = p.Octets[:headerAt+pick(p.r, 4, 7, 0)] })},
	{"an FPDU behind a Terminate", "RDMAP-5.4-8 DDP-3-9", in(is(opTerminate), func(p *Place) {
		p.insert(p.only(&Message{From: p.From, Opcode: opSend, MSN: p.nextMSN(p.From)}))
	})},
	{"a second Terminate", "RDMAP-5.4-8 RDMAP-5.4-3 DDP-3-9", in(is(opTerminate), func(p *Place) { p.insert(&Unit{From: p.From, Octets: p.Octets, Message: p.Message}) })},
	{"a Terminate with another MSN", "RDMAP-5.4-3", in(is(opTerminate), func(p *Place) { p.add(msnAt, 4, pick(p.r, 1, ^uint64(0))) })},
	{"a Terminate on another queue", "RDMAP-5.4-2 RDMAP-4.1-6 RDMAP-5.4-1", in(is(opTerminate), func(p *Place) { p.add(qnAt, 4, pick(p.r, 1, ^uint64(1))) })},
	{"a Terminate without L", "RDMAP-3.1-3 MPA-4.5-4 DDP-4.1-3", in(is(opTerminate), func(p *Place) { p.Octets[0] &^= ddpLast })},
	{"a Terminate code that is not assigned", "RDMAP-4.8-3 IANA-3.1-1 IANA-3.2-1 IANA-3.3-1 DDP-7.2-1 RDMAP-4.8-18", in(is(opTerminate), func(p *Place) {
		copy(p.Octets[headerAt:], pick(p.r, octets(uint16(0x0206-6)), octets(uint16(0x1200)), octets(uint16(0x2009)), octets(uint16(0x3000))))
	})},
	{"reserved bits of a Terminate", "RDMAP-4.8-7 D00-6.8-2", in(is(opTerminate), func(p *Place) { p.Octets[headerAt+2+p.r.IntN(2)] |= 1 << p.r.IntN(5) })},
	{"a Terminate that is too short", "RDMAP-4.8-1 RDMAP-4.2-1", in(is(opTerminate), func(p *Place) { p.Octets = p.Octets[:headerAt+p.r.IntN(4)] })},
	{"a DDP header in a Terminate about nothing", "RDMAP-4.8-12 RDMAP-4.8-4 RDMAP-4.8-5 RDMAP-4.8-11 RDMAP-4.8-9 RDMAP-7.1-3 RDMAP-7.1-4 DDP-7.1-13 RDMAP-4.8-6 RDMAPX-8.1-2", in(all(is(opTerminate)), func(p *Place) {
		p.Octets[headerAt+2] = 0xc0
		p.Octets = octets(p.Octets, uint16(untaggedHeader), p.only(&Message{Opcode: opSend, MSN: 1}).Octets)
	})},
}

var atomicInjectors = []Injector{
	{"an Atomic Request that is too short", "RDMAPX-5.2.1-9 RDMAPX-4.2-1", in(is(opAtomicRequest), func(p *Place) { p.Octets = p.Octets[:len(p.Octets)-pick(p.r, 8, 16, 4)] })},
	{"an Atomic Request that is too long", "RDMAPX-4.2-1 RDMAPX-5.2.1-9 DDP-7.1-4", in(is(opAtomicRequest), func(p *Place) { p.Octets = append(p.Octets, 0, 0, 0, 0) })},
	{"an operation that is not assigned", "RDMAPX-10.1-1 RDMAPX-5.2.1-9", in(is(opAtomicRequest), func(p *Place) { p.Octets[headerAt+3] = pick(p.r, byte(1), 3, 15) })},
	{"an Atomic at an odd place", "RDMAPX-5.2.1-13 RDMAPX-5.1.1-2 RDMAPX-5.1.2-3", in(is(opAtomicRequest), func(p *Place) { p.add(headerAt+12, 8, pick[uint64](p.r, 4, 1)) })},
	{"reserved bits of an Atomic Request", "RDMAPX-5.2.1-10", in(is(opAtomicRequest), func(p *Place) { p.Octets[headerAt+p.r.IntN(3)] |= 0x10 })},
	{"a FetchAdd that compares", "RDMAPX-5.2.1-14", in(all(is(opAtomicRequest), func(u *Unit) bool { return u.Octets[headerAt+3] == fetchAdd }), func(p *Place) { p.Octets[headerAt+36+p.r.IntN(16)] ^= 1 })},
	{"an Atomic Response with another identifier", "RDMAPX-5.2.1-12" + orderIDs, in(is(opAtomicResponse), func(p *Place) { p.add(headerAt, 4, 1) })},
	{"an Atomic Response with another MSN", "RDMAPX-5-5 DDP-4.3-7 DDP-4.3-8 DDP-4.3-9", in(is(opAtomicResponse), func(p *Place) { p.add(msnAt, 4, 1) })},
	{"an Atomic Response on the queue of requests", "RDMAPX-5.2-2" + qnIDs, in(is(opAtomicResponse), func(p *Place) { p.add(qnAt, 4, ^uint64(1)) })},
	{"an Atomic Response of another length", "RDMAPX-5.2.2-9 RDMAPX-4.2-1", in(is(opAtomicResponse), func(p *Place) { p.Octets = p.Octets[:len(p.Octets)-pick(p.r, 4, 8)] })},
	{"an Atomic Response twice", "RDMAPX-5.2.2-1|RDMAPX-5.2.1-12 DDP-4.3-7 DDP-4.3-8 DDP-4.3-9 RDMAPX-5-5 RDMAPX-5.2.1-12" + orderIDs, in(is(opAtomicResponse), func(p *Place) {
		again := &Unit{From: p.From, Octets: slices.Clone(p.Octets), Message: p.Message}
		again.add(msnAt, 4, 1)
		p.insert(again)
		p.Units = p.Units[:p.i+2]
	})},
}

// asked reports whether the request of one response was sent before the other response.
func (p *Place) asked(response, before *Message) bool {
	return slices.Index(p.Messages, response.Request) < slices.Index(p.Messages, before)
}
