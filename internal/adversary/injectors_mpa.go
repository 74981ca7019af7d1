package adversary

// Violations of the framing of MPA: RFC 5044, sections 3 and 4.

import "slices"

// crcIDs are the requirements of the CRC: one that is wrong breaks them all.
const crcIDs = " MPA-4.4-10 MPA-4.1-1 MPA-4.1-2 MPA-4.1-5 MPA-4.3-6 MPA-4.4-1 MPA-4.4-2 MPA-4.4-6 MPA-4.4-9 MPA-4.4-11 MPA-4.4-12 MPA-7.1.1-9" +
	" MPA-8-2 MPA-C.1-2 RDMAP-6.1-1"

// markerIDs are those of the place and the FPDUPTR of Markers.
const markerIDs = " MPA-4.3-2 MPA-4.2-1 MPA-4.3-1 MPA-4.3-3 MPA-4.3-5 MPA-4.3-7 MPA-4.3-8 MPA-4.3-9 MPA-7.1.1-5 MPA-7.1.1-6 MPA-7.1.2-16 MPA-8-3"

// misreadIDs are those of headers from which Markers are not taken out.
const misreadIDs = " RDMAP-4.4-5" + msnIDs + sendIDs + taggedIDs + orderIDs + unexpectedIDs

// blindIDs are those of responses whose requests stand in FPDUs that cannot be read.
const blindIDs = " RDMAP-5.2.2-1 RDMAPX-5.2.2-1 RDMAP-6.1-4 OBS-UNADVERTISED"

var mpaInjectors = []Injector{
	{"a bit of the CRC", "MPA-4.4-10" + crcIDs, crc(func(p *Place) { p.Fault.CRC = 1 << p.r.IntN(32) })},
	{"CRC of zero", "MPA-4.4-6" + crcIDs, crc(func(p *Place) { p.Fault.NoCRC = true })},
	{"CRC in the other order", "MPA-4.4-10" + crcIDs, crc(func(p *Place) { p.Fault.Swapped = true })},
	{"CRCs of zero though C is set", "MPA-7.1.1-9" + crcIDs, func(p *Place) bool {
		used := p.Terms.CRC && p.find(any_)
		p.Terms.CRC = false
		return used
	}},
	{"no CRCs", "MPA-1.2-2 MPA-4.4-3 DDP-3-6", func(p *Place) bool {
		used := p.Terms.CRC && p.Terms.Rev > 0
		p.Terms.CRC = false
		for _, u := range p.Units[:2] {
			u.Octets[flagsAt] &^= flagCRC
		}
		return used
	}},
	{"PAD", "MPA-4.1-3", in(func(u *Unit) bool { return len(u.Octets)%4 != 2 }, func(p *Place) { p.Fault.Pad = pick(p.r, byte(1), 0x80, 0xff) })},
	{"ULPDU_Length four less", "MPA-4.1-2" + crcIDs + markerIDs + blindIDs, continued(crc(func(p *Place) { p.Fault.Length = -4 }))},
	{"ULPDU_Length with the CRC", "MPA-4.1-5 MPA-3-5" + crcIDs + markerIDs + blindIDs, continued(crc(func(p *Place) { p.Fault.Length = 4 }))},
	{"ULPDU_Length with all that is not the ULPDU", "MPA-4.1-2 MPA-3-5" + crcIDs + markerIDs + blindIDs, continued(crc(func(p *Place) { p.Fault.Length = 6 }))},
	{"no ULPDU", "MPA-3-6 DDP-4.4-1 MPA-7.1.1-7 MPA-7.1.2-16", in(func(u *Unit) bool { return u.Message.Opcode != opTerminate }, func(p *Place) { p.insert(&Unit{From: p.From}) })},
	{"a ULPDU of more than 64768 octets", "MPA-3-5 MPA-3-4" + markerIDs + " OBS-UNADVERTISED OBS-BEYOND-ADVERTISED", in(all(is(opWrite), first), func(p *Place) {
		body := make([]byte, 64768-taggedHeader+pick(p.r, 1, 4, 700))
		p.i = p.firstOf(p.Message) - 1
		p.insert(p.only(&Message{From: p.From, Opcode: opWrite, STag: p.Message.STag, TO: 4096, Body: body}))
	})},
	{"FPDUPTR from the wrong octet", "MPA-4.3-3" + markerIDs, marked(func(p *Place) { p.Fault.Pointer = pick(p.r, uint16(4), 0xfffc, 8) })},
	{"RESERVED of a Marker", "MPA-4.2-2 MPA-4.2-4", marked(func(p *Place) { p.Fault.Above = 1 << p.r.IntN(16) })},
	{"lowest bits of an FPDUPTR", "MPA-4.2-4 MPA-4.2-2", marked(func(p *Place) { p.Fault.Pointer = uint16(1 + p.r.IntN(3)) })},
	{"a Marker left out", "MPA-4.3-2|MPA-4.4-10 MPA-3-5 DDP-4.4-1 MPA-4.2-2" + markerIDs + crcIDs + blindIDs, continued(func(p *Place) bool {
		return p.Terms.CRC && marked(func(p *Place) { p.Fault.Without = true })(p)
	})},
	{"Markers that nobody asked for", "MPA-7.1.1-7|MPA-4.4-10 MPA-3-5 MPA-7.1.2-16 MPA-3-6 DDP-4.4-1 RDMAPX-5.2.1-12 EMPA-9.2-9" + misreadIDs + crcIDs, markers(false)},
	{"no Markers though M is set", "MPA-7.1.1-5|MPA-4.4-10 MPA-3-5 DDP-4.4-1 MPA-4.2-2 EMPA-9.2-9 DDP-5.2-6" + markerIDs + crcIDs + blindIDs, markers(true)},
	{"octets left out where there are no CRCs", "OBS-MISFRAMED|OBS-MESSAGE-CUT|MPA-3-6|DDP-4.4-1 MPA-7.1.1-7 MPA-7.1.2-16 DDP-4.1-10 DDP-4.1-8 MPA-3-5 MPA-3-4 RDMAP-3.1-2 RDMAP-4.1-5 RDMAP-4.1-8 RDMAP-4.1-10 OBS-BEYOND-ADVERTISED" + tIDs + qnIDs + misreadIDs + blindIDs, continued(func(p *Place) bool {
		long := func(u *Unit) bool { return len(u.Octets) > 64 && u.Message.HasPayload() && !p.Terms.Markers[u.From] }
		cut := p.Messages[len(p.Messages)-1].Opcode == opTerminate                                     // which explains why octets never come
		return !cut && !p.Terms.CRC && in(long, func(p *Place) { p.Fault.Lost = 1 + p.r.IntN(19) })(p) // no whole FPDU would take their place
	})},
}

// framingInjectors are those after which the RNIC's answer does not depend on how it reads on; requestInjectors are those of what it is
// asked.
var (
	framingInjectors = named(mpaInjectors, "a bit of the CRC", "CRC of zero", "CRC in the other order", "PAD", "no ULPDU", "FPDUPTR from the wrong octet")
	requestInjectors = named(slices.Concat(ddpInjectors, rdmapInjectors, atomicInjectors), "a reserved bit of DDP", "another DDP version",
		"an MSN that skips one", "an MSN with its octets swapped", "a first MSN of 0", "no L in a Send", "a TO that wraps", "a reserved bit of RDMAP",
		"another RDMAP version", "an opcode that is not assigned", "a QN that nobody uses", "the QN of another opcode",
		"an STag to invalidate in a Send", "a Read Request that is too short", "a Read Request that is too long", "an MO in a Read Request",
		"a source that wraps", "a Read Request without L", "a Read Request twice", "Immediate Data of another length", "an Atomic Request that is too short",
		"an Atomic Request that is too long", "an operation that is not assigned", "an Atomic at an odd place",
		"reserved bits of an Atomic Request")
)

func named(all []Injector, names ...string) (some []Injector) {
	for _, i := range all {
		if slices.Contains(names, i.Name) {
			some = append(some, i)
		}
	}
	return some
}

// crc changes a segment of a Conversation with CRCs.
func crc(change func(*Place)) func(*Place) bool {
	return func(p *Place) bool { return p.Terms.CRC && in(any_, change)(p) }
}

// markers gives a side that sends FPDUs Markers, or none, though the other asked otherwise.
func markers(asked bool) func(*Place) bool {
	return func(p *Place) bool {
		if !p.find(func(u *Unit) bool { return p.Terms.Markers[u.From] == asked }) {
			return false
		}
		p.Terms.Markers[p.From] = !asked
		return true
	}
}

// marked changes a segment that has a Marker.
func marked(change func(*Place)) func(*Place) bool {
	return func(p *Place) bool {
		streams := p.streams()
		with := map[*Unit]bool{}
		for _, u := range p.Units {
			if !u.Frame {
				bare := stream{}
				with[u] = len(streams[u.From].fpdu(u.Octets, Fault{})) > len(bare.fpdu(u.Octets, Fault{}))
			}
		}
		return in(func(u *Unit) bool { return with[u] }, change)(p)
	}
}
