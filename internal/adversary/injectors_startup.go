package adversary

// Violations of the start-up: RFC 5044, section 7.1, and RFC 6581.

import (
	"encoding/binary"
	"slices"
)

// Octets of an MPA frame.
const (
	flagsAt    = 16
	revAt      = 17
	lengthAt   = 18
	enhancedAt = 20
)

var startupInjectors = []Injector{
	{"R in a Request", "MPA-7.1.1-13", frameOf(Initiator, nil, func(p *Place) { p.Octets[flagsAt] |= flagReject })},
	{"Res of revision 1", "MPA-7.1.1-11 EMPA-6-2", frameOf(either, legacy, func(p *Place) { p.Octets[flagsAt] |= 1 << p.r.IntN(4) })},
	{"Res of revision 2", "EMPA-6-2 MPA-7.1.1-11", frameOf(either, enhanced, func(p *Place) { p.Octets[flagsAt] |= 1 << p.r.IntN(4) })},
	{"an unknown revision", "MPA-7.1.1-15 MPA-7.1.1-16", frameOf(Initiator, legacy, func(p *Place) { p.Octets[revAt] = 3 + byte(p.r.IntN(200)) })},
	{"a Reply of another revision", "MPA-7.1.1-16 EMPA-6-1 EMPA-10-2 MPA-7.1.1-11", frameOf(Responder, legacy, func(p *Place) { p.Octets[revAt] ^= 3 })},
	{"Enhanced data for nothing", "EMPA-10-3", words(func(request, reply *uint32) bool {
		unused := *request&peerToPeer == 0
		*request, *reply = NotNegotiated<<16|NotNegotiated, NotNegotiated<<16|NotNegotiated
		return unused
	})},
	{"Private Data of more than 512 octets", "MPA-7.1.1-20 MPA-7.1.1-18 EMPA-9-2" + blindIDs, frameOf(either, nil, func(p *Place) {
		n := 513 + p.r.IntN(100)
		p.Octets = append(p.Octets, make([]byte, n)...)[:enhancedAt+n]
		binary.BigEndian.PutUint16(p.Octets[lengthAt:], uint16(n))
	})},
	{"an FPDU before the Reply", "MPA-7.1.2-8 MPA-7.1-1 MPA-7.1.2-1", func(p *Place) bool {
		p.Units[1], p.Units[2] = p.Units[2], p.Units[1]
		return true
	}},
	{"the Reply before the Request", "MPA-7.1.2-2 MPA-7.1.2-1", func(p *Place) bool {
		p.Units[0], p.Units[1] = p.Units[1], p.Units[0]
		return true
	}},
	{"an FPDU of the Responder first", "MPA-7.1.2-12 EMPA-5-1", func(p *Place) bool {
		i := slices.IndexFunc(p.Units, func(u *Unit) bool { return !u.Frame && u.From == Responder })
		if i < 0 || is(opReadResponse, opAtomicResponse, opTerminate)(p.Units[i]) || notLast(p.Units[i]) {
			return false
		}
		u := p.Units[i]
		p.Units = slices.Insert(slices.Delete(p.Units, i, i+1), 2, u)
		return true
	}},
	{"Enhanced data in revision 1", "EMPA-6-4 EMPA-6-1 EMPA-10-1", frameOf(Initiator, enhanced, func(p *Place) { p.Octets[revAt] = 1 })},
	{"S without Enhanced data", "EMPA-6-8 EMPA-6-1 EMPA-6-7", frameOf(either, enhanced, func(p *Place) {
		n := p.r.IntN(4)
		p.Octets = p.Octets[:enhancedAt+n]
		binary.BigEndian.PutUint16(p.Octets[lengthAt:], uint16(n))
	})},
	{"a Reply without S to a Request with S", "EMPA-10-1 EMPA-6-9", frameOf(Responder, enhanced, func(p *Place) { p.Octets[flagsAt] &^= flagEnhanced })},
	{"a Reply with S to a Request without", "EMPA-10-2 EMPA-10-1 EMPA-6-9", frameOf(Responder, legacy, func(p *Place) {
		p.Octets = octets(p.Octets[:flagsAt], p.Octets[flagsAt]|flagEnhanced, byte(2), uint16(4), uint32(0x00010001))
	})},
	{"an ORD above the IRD", "EMPA-9.1-4 EMPA-9.1-2 EMPA-9.1-14", words(func(request, reply *uint32) bool {
		ird := *request >> 16 & NotNegotiated
		*reply = *reply&^NotNegotiated | min(ird+1, NotNegotiated-1)
		return ird < NotNegotiated-1
	})},
	{"an IRD that is not echoed as not negotiated", "EMPA-9.1-10", words(func(request, reply *uint32) bool {
		*request |= NotNegotiated
		*reply = *reply&^(NotNegotiated<<16) | 16<<16
		return true
	})},
	{"an ORD that is not echoed as not negotiated", "EMPA-9.1-12", words(func(request, reply *uint32) bool {
		*request |= NotNegotiated << 16
		*reply = *reply&^NotNegotiated | 16
		return true
	})},
	{"an IRD below the ORD", "EMPA-9.1-15 EMPA-9.1-7 EMPA-9.1-14 RDMAP-6.1-4 RDMAPX-5.2-1", words(func(request, reply *uint32) bool {
		ord := *request & NotNegotiated
		*reply = *reply&^(NotNegotiated<<16) | (ord-1)<<16
		return ord > 1 && ord != NotNegotiated
	})},
	{"a Request with A and no Ready to Receive", "EMPA-9.2-2 EMPA-9.2-10 EMPA-9.2-9 EMPA-5-1 EMPA-9.3-2", peers(func(request, _ *uint32) { *request &^= kinds3 })},
	{"a Reply with A and no Ready to Receive", "EMPA-9.2-6 EMPA-9.2-2 EMPA-9.2-10 EMPA-9.2-8 EMPA-9.2-9 EMPA-5-1 EMPA-9.3-2", peers(func(_, reply *uint32) { *reply &^= kinds3 })},
	{"a Reply without A to a Request with A", "EMPA-9.2-4 EMPA-9.2-13", peers(func(_, reply *uint32) { *reply &^= peerToPeer })},
	{"a Reply with A to a Request without", "EMPA-9.2-12 EMPA-9.2-9 EMPA-9.2-13 EMPA-5-1", words(func(request, reply *uint32) bool {
		*reply |= peerToPeer | uint32(readySend)
		return *request&peerToPeer == 0
	})},
	{"a Ready to Receive without A", "EMPA-9.2-13", words(func(request, _ *uint32) bool {
		*request |= uint32(readyWrite)
		return *request&peerToPeer == 0
	})},
	{"payload in a Ready to Receive", "EMPA-9.2-15 EMPA-9.2-9 EMPA-5-1", func(p *Place) bool {
		p.i, p.Unit = 2, p.Units[2]
		if p.Terms.Ready != readySend && p.Terms.Ready != readyWrite {
			return false
		}
		p.Octets = append(p.Octets, 1, 2, 3, 4)
		return true
	}},
	{"no Ready to Receive", "EMPA-5-1 EMPA-9.2-9 EMPA-9.3-2 EMPA-9.2-15", func(p *Place) bool {
		if p.Terms.Ready != readyWrite || len(p.Units) == 3 || p.Units[3].From == Responder || is(opWrite, opSend, opReadRequest)(p.Units[3]) {
			return false
		}
		p.Units = slices.Delete(p.Units, 2, 3)
		return true
	}},
}

// consortiumInjectors are those of peers of the RDMA Consortium: RFC 5044, appendix C.
var consortiumInjectors = []Injector{
	{"revision 0 without Markers or CRCs", "MPA-C.2.4-1 MPA-C.2.1-1 MPA-C.1-2", frameOf(either, nil, func(p *Place) { p.Octets[flagsAt] &^= pick(p.r, byte(flagMarkers), flagCRC) })},
	{"revision 1 in answer to revision 0", "MPA-C.2.1-1 MPA-7.1.1-16", frameOf(Responder, nil, func(p *Place) { p.Octets[revAt] = 1 })},
}

// kinds3 are the bits of all kinds of Ready to Receive.
const kinds3 = uint32(readySend | readyWrite | readyRead)

const either Side = -1

func legacy(u *Unit) bool   { return u.Octets[flagsAt]&flagEnhanced == 0 }
func enhanced(u *Unit) bool { return !legacy(u) }

// frameOf changes the MPA frame of a side, if a condition holds for it.
func frameOf(side Side, holds func(*Unit) bool, change func(*Place)) func(*Place) bool {
	return func(p *Place) bool {
		if p.i = int(side); side == either {
			p.i = p.r.IntN(2)
		}
		p.Unit = p.Units[p.i]
		if holds != nil && !holds(p.Unit) {
			return false
		}
		change(p)
		return true
	}
}

// words changes the Enhanced words of both frames.
func words(change func(request, reply *uint32) bool) func(*Place) bool {
	return func(p *Place) bool {
		if !p.Terms.Enhanced {
			return false
		}
		request, reply := p.Units[0].Octets[enhancedAt:], p.Units[1].Octets[enhancedAt:]
		a, b := binary.BigEndian.Uint32(request), binary.BigEndian.Uint32(reply)
		changed := change(&a, &b)
		if changed {
			binary.BigEndian.PutUint32(request, a)
			binary.BigEndian.PutUint32(reply, b)
		}
		return changed
	}
}

// peers changes the Enhanced words of frames that agree on a Ready to Receive.
func peers(change func(request, reply *uint32)) func(*Place) bool {
	return words(func(request, reply *uint32) bool {
		if *request&peerToPeer == 0 {
			return false
		}
		change(request, reply)
		return true
	})
}
