package adversary

// Violations in a Terminate that answers a message: RFC 5040, sections 4.8 and 7.1.

import "slices"

// The bits of HdrCt, which say what a Terminate encloses.
const (
	hdrM = 0x80 // the DDP Segment Length
	hdrD = 0x40 // the DDP header
	hdrR = 0x20 // the RDMA header
)

// Errors in a Terminate: layer, type and code.
const (
	invalidSTag   = 0x0100 // of RDMAP
	unexpected    = 0x0206 // opcode
	noBuffer      = 0x1202
	wrongDDP      = 0x1206
	hdrCtIDs      = " RDMAP-4.8-5 RDMAP-4.8-14 RDMAP-4.8-11 RDMAP-4.8-12 RDMAP-4.2-2"
	terminatedIDs = " RDMAP-7.1-3 RDMAP-4.8-11 RDMAP-4.8-9"
)

var terminateInjectors = []Injector{
	{"a Terminate without the headers of what it is about", "RDMAP-4.8-5" + hdrCtIDs, answered(is(opReadRequest), invalidSTag, 0, nil)},
	{"a Terminate without the RDMA header of a Read Request", "RDMAP-4.8-5" + hdrCtIDs, answered(is(opReadRequest), invalidSTag, hdrM|hdrD, nil)},
	{"an RDMA header in a Terminate about a Send", "RDMAP-4.8-14" + hdrCtIDs, answered(all(sends, first, last), noBuffer, hdrM|hdrD|hdrR, nil)},
	{"another DDP header in a Terminate", "RDMAP-4.8-11" + terminatedIDs, answered(all(sends, first, last), noBuffer, hdrM|hdrD, func(e *enclosed) { e.ddp[5] ^= 1 })},
	{"another RDMA header in a Terminate", "RDMAP-4.8-15", answered(is(opReadRequest), invalidSTag, hdrM|hdrD|hdrR, func(e *enclosed) { e.rdma[3] ^= 1 })},
	{"another DDP Segment Length in a Terminate", "RDMAP-4.8-9", answered(all(sends, first, last, filled), noBuffer, hdrM|hdrD, func(e *enclosed) { e.length[1] ^= 1 })},
	{"a Terminate in the bit order of siw", "RDMAP-4.8-2 RDMAP-4.8-3 RDMAP-4.8-7", func(p *Place) bool {
		if !answered(all(sends, first, last), noBuffer, hdrM|hdrD, nil)(p) {
			return false
		}
		p.last().Octets[headerAt], p.last().Octets[headerAt+2] = noBuffer>>12|noBuffer>>4&0xf0, hdrM>>7|hdrD>>5
		return true
	}},
	{"a Terminate that ends within its headers", "RDMAP-4.8-11|RDMAP-4.8-10 RDMAP-4.2-1 RDMAP-4.8-1", answered(all(sends, first, last), noBuffer, hdrM|hdrD, func(e *enclosed) { e.ddp = e.ddp[:len(e.ddp)-4] })},
	{"a protection error of RDMAP about a Write", "RDMAP-4.8-19" + terminatedIDs, answered(all(is(opWrite), first, last, filled), invalidSTag, hdrM|hdrD, nil)},
	{"a Terminate about an error that is not there", "RDMAP-7.1-3", answered(all(sends, first, last), wrongDDP, hdrM|hdrD, nil)},
	{"a Terminate about the second of two wrong segments", "RDMAP-7.1-5 RDMAP-4.1-5 RDMAPX-4.1-1 RDMAPX-4.1-2 IANA-3.4-1 RDMAP-4.1-1", func(p *Place) bool {
		whole := all(sends, first, last, func(u *Unit) bool { return u.Message.MSN > 1 })
		before := func(u *Unit) bool {
			i := slices.Index(p.Units, u)
			return whole(u) && p.Units[i-1].From == u.From && !p.Units[i-1].Frame && whole(p.Units[i-1])
		}
		if !answered(before, unexpected, hdrM|hdrD, nil)(p) {
			return false
		}
		p.Units[p.i-1].Octets[1] |= 0x0c
		p.Octets[1] |= 0x0c
		p.last().Octets[headerAt+4+2+1] |= 0x0c
		return true
	}},
	{"a local error where the IRD is too small", "EMPA-9.1-8 EMPA-9.1-4 EMPA-9.1-2 EMPA-9.1-14 EMPA-5-1 EMPA-9.2-9", func(p *Place) bool {
		tooMany := words(func(request, reply *uint32) bool {
			ird := *request >> 16 & NotNegotiated
			*reply = *reply&^NotNegotiated | min(ird+1, NotNegotiated-1)
			return ird < NotNegotiated-1
		})
		if !tooMany(p) {
			return false
		}
		p.Units = p.Units[:2]
		p.terminate(Initiator, octets(uint32(0)))
		return true
	}},
}

// An enclosed is what a Terminate encloses of the segment that it is about.
type enclosed struct{ length, ddp, rdma []byte }

// answered ends a Conversation with a Terminate about a segment that a condition holds for, after a change of what it encloses.
func answered(holds func(*Unit) bool, code uint16, hdrct byte, change func(*enclosed)) func(*Place) bool {
	return in(holds, func(p *Place) {
		n := untaggedHeader
		if tagged(p.Unit) {
			n = taggedHeader
		}
		e := &enclosed{octets(uint16(len(p.Octets))), slices.Clone(p.Octets[:n]), make([]byte, 28)}
		copy(e.rdma, p.Octets[n:])
		if change != nil {
			change(e)
		}
		body := octets(code, hdrct, byte(0))
		for i, part := range [][]byte{e.length, e.ddp, e.rdma} {
			if hdrct&(hdrM>>i) != 0 {
				body = octets(body, part)
			}
		}
		p.Units = p.Units[:p.i+1]
		p.terminate(1-p.From, body)
	})
}

// terminate adds a Terminate to the end.
func (p *Place) terminate(from Side, body []byte) {
	p.Units = append(p.Units, p.only(&Message{From: from, Opcode: opTerminate, QN: queueTerminate, MSN: 1, Body: body}))
}
