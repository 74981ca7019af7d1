package sim

// Contradictions within a recording: values that it shows twice, differently. One side uses what the other advertises,
// and Reads show what was written.

import (
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A contradiction is a step of a recording that contradicts another one.
type contradiction struct {
	step int    // its Number
	text string // a clause
}

// contradictions returns the contradictions in a recording: used memory that differs slightly from what was advertised
// or used elsewhere, and read octets that differ slightly from what was written or read before. Both values must be in
// the recording.
func contradictions(c *scenario.Conn) []contradiction {
	l := &ledger{values: c.Recorded(), requests: make(map[int]place), octets: newMemory(maxLedger), others: newMemory(maxLedger)}
	for _, s := range c.Steps {
		if s.Frame > 0 { // not hand-written
			l.step(s)
		}
	}
	if l.uses(); len(l.found) == 0 && len(l.doubted) == 1 && l.agree >= leastSame {
		return l.doubted
	}
	return l.found
}

// maxLedger limits the octets of memory that are remembered.
const maxLedger = 1 << 19

// A ledger remembers what a recording shows.
type ledger struct {
	values   scenario.Values
	found    []contradiction
	octets   memory
	others   memory          // read, and doubted
	requests map[int]place   // sources of Reads, by their steps
	used     [2][]used       // by the side whose memory it is
	said     [2][][]byte     // payloads, by the side that sent them
	sends    [2][][]byte     // the Sends among them
	echoes   [2]int          // number of Sends that equal those of the other side
	agree    int             // octets read with the expected value
	doubted  []contradiction // short Reads that differ
	refused  [2]bool         // by the side that sent a Terminate: a use of its memory is wrong on purpose
}

// A place is memory named by a step.
type place struct {
	address
	length int
}

// A used place is one named by a header of the other side.
type used struct {
	place
	step      int
	field     string
	explained bool // the STag is that of a variable
	to        scenario.Value
}

func (l *ledger) report(step int, format string, args ...any) {
	l.found = append(l.found, contradiction{step, fmt.Sprintf(format, args...)})
}

func (l *ledger) step(s *scenario.Step) {
	switch do := s.Do.(type) {
	case *scenario.Frame:
		l.say(s.Side, do.PrivateData)
	case *scenario.Message:
		l.message(s, do)
	}
}

// say remembers a payload, which may advertise memory.
func (l *ledger) say(side scenario.Side, p scenario.Payload) []byte {
	octets, err := p.AppendOctets(nil, l.values)
	if err == nil && len(octets) >= 4 {
		l.said[side] = append(l.said[side], octets)
	}
	return octets
}

func (l *ledger) message(s *scenario.Step, m *scenario.Message) {
	owner := s.Side.Other()
	switch {
	case m.Opcode == rdmap.OpWrite:
		at := l.use(s, m, owner, "STag", "TO", m.Payload.Len())
		octets, _ := m.Payload.AppendOctets(nil, l.values)
		l.octets.write(at.address, octets)
	case m.Opcode == rdmap.OpReadRequest:
		size, _ := m.Fields.Lookup("RDMARDSZ")
		at := l.use(s, m, owner, "SrcSTag", "SrcTO", int(size.Number))
		l.requests[s.Number] = at
	case m.Opcode == rdmap.OpAtomicRequest:
		l.use(s, m, owner, "RemoteSTag", "RemoteTaggedOffset", 0) // the TO is aligned, and any
	case m.Opcode == rdmap.OpReadResponse:
		if at, ok := l.requests[m.To]; ok {
			octets, _ := m.Payload.AppendOctets(nil, l.values)
			l.read(s.Number, at, octets)
		}
	case m.Opcode.HasInvalidateSTag():
		v, _ := m.Fields.Lookup("InvalidateSTag")
		if n, _ := v.Resolve(l.values); n != 0 {
			l.used[owner] = append(l.used[owner], used{place{address{owner, uint32(n), 0}, 0}, s.Number, "InvalidateSTag", v.Var != "", scenario.Value{}})
		}
		l.send(s, l.say(s.Side, m.Payload))
	case m.Opcode == rdmap.OpTerminate:
		l.refused[s.Side] = true
	case m.Opcode.IsSend():
		l.send(s, l.say(s.Side, m.Payload))
	}
}

// use records memory named by a header.
func (l *ledger) use(s *scenario.Step, m *scenario.Message, owner scenario.Side, stag, to string, length int) place {
	v, _ := m.Fields.Lookup(stag)
	n, _ := v.Resolve(l.values)
	t, _ := m.Fields.Lookup(to)
	at, _ := t.Resolve(l.values)
	p := place{address{owner, uint32(n), at}, length}
	if length > 0 {
		l.used[owner] = append(l.used[owner], used{p, s.Number, stag, v.Var != "", t})
	}
	return p
}

// leastSame is the minimum number of equal octets for a contradiction: fewer can be equal by chance.
const leastSame = 12

// fewSame is the minimum if only one octet differs.
const fewSame = 2

// read compares read octets with the known contents of the memory. Its owner may have changed it, but hardly only a few
// octets. Where so few are read that memory may well have changed, either octets may be right: later Reads will show.
func (l *ledger) read(step int, at place, octets []byte) {
	known, differ, first := 0, 0, -1
	for i, o := range octets {
		a := at.plus(uint64(i))
		was, ok := l.octets.read(a)
		if !ok {
			continue
		}
		known++
		if other, doubted := l.others.read(a); was != o && !(doubted && other == o) {
			if differ++; first < 0 {
				first = i
			}
		}
	}
	l.agree += known - differ
	switch {
	case differ == 0:
	case known <= fewSame+1:
		l.doubted = append(l.doubted, contradiction{step, fmt.Sprintf("octet %d that it reads differs from what was written or read there before, and nothing else does", first)})
		l.others.write(at.address, octets)
		return
	case differ <= 2 && known-differ >= leastSame, differ == 1:
		l.report(step, "octet %d that it reads differs from what was written or read there before", first)
	default:
		l.shifted(step, at, octets, first, differ)
	}
	l.octets.write(at.address, octets)
}

// Limits of a shift: a TO with one bit inverted, within a page.
const (
	page       = 4096
	leastMoved = 8 // octets that are found elsewhere
	leastKinds = 4 // different ones among them: equal ones are everywhere
)

// shifted looks for read octets, near the first that differs, at another place nearby, where they were read or written before.
// differ is how many are not as they were here.
func (l *ledger) shifted(step int, at place, octets []byte, first, differ int) {
	from := max(0, first-page)
	octets = octets[from:min(len(octets), first+page)]
	for by := int64(1); by < page; by *= 2 {
		for _, by := range []int64{by, -by} {
			known, same := 0, make(map[byte]int)
			for i, o := range octets {
				if was, ok := l.octets.read(at.plus(uint64(by + int64(from+i)))); ok {
					if known++; was == o {
						same[o]++
					}
				}
			}
			moved := 0
			for _, n := range same {
				moved += n
			}
			if moved >= leastMoved && len(same) >= leastKinds && 4*(known-moved) <= differ {
				l.report(step, "it reads the octets from %d octets away", by)
				return
			}
		}
	}
}

// send compares a Send with the Sends of the other side, if those are echoed.
func (l *ledger) send(s *scenario.Step, octets []byte) {
	other := l.sends[s.Side.Other()]
	if n := len(l.sends[s.Side]); n < len(other) && len(octets) >= leastSame && len(other[n]) == len(octets) {
		switch d := distance(other[n], octets); {
		case d == 0:
			l.echoes[s.Side]++
		case d <= 2 && 2*l.echoes[s.Side] > n:
			l.report(s.Number, "it echoes the previous Send, except for %d octets", d)
		}
	}
	l.sends[s.Side] = append(l.sends[s.Side], octets)
}

// distance returns how many octets differ.
func distance(a, b []byte) (n int) {
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// uses compares the memory named by headers with advertisements, and with each other.
func (l *ledger) uses() {
	for side, all := range l.used {
		times := make(map[uint32]int)
		similar := make(similar)
		explained := 0
		for _, u := range all {
			if times[u.stag]++; times[u.stag] == 1 {
				similar.add(u.stag)
			}
			if u.explained {
				explained++
			}
		}
		l.begins(side)
		if l.refused[side] || explained == len(all) {
			continue
		}
		told := similar.told(l.said[side])
		for _, u := range all {
			if u.explained {
				continue
			}
			near, ok := told[u.stag]
			if other, used := similar.to(u.stag); used && times[u.stag] == 1 {
				near, ok = other, true
			}
			if ok {
				l.report(u.step, "%s is 0x%08x, and 0x%08x elsewhere", u.field, u.stag, near)
			} else if 2*explained > len(all) && times[u.stag] == 1 {
				l.report(u.step, "%s is 0x%08x, which was not advertised", u.field, u.stag)
			}
		}
	}
}

// nearly is the maximum distance in octets, from an advertisement or the end of another use, at which a use is unlikely
// to begin on purpose.
const nearly = 8

// fromZero is the lowest TO that is not considered to count from zero.
const fromZero = 1 << 32

// begins looks for the only use that begins near, but not at, an advertisement or the end of another use.
func (l *ledger) begins(side int) {
	all := l.used[side]
	begin := make(map[address]int) // how many uses
	ends, boundaries := make(map[address]bool), make(map[address]bool)
	for _, u := range all {
		if u.length > 0 {
			end := u.plus(uint64(u.length))
			ends[end], boundaries[end], boundaries[u.plus(-u.to.Number)] = true, true, true
			begin[u.address]++
		}
	}
	odd, at := make(map[address]bool), -1
	for i, u := range all {
		lost := u.explained && u.to.Var == "" && u.address.to >= fromZero
		if u.length == 0 || u.to.Var != "" && u.to.Number == 0 || ends[u.address] || u.to.Var == "" && !lost && !isClose(begin, u.address) {
			continue
		}
		near := u.to.Var == ""
		for by := uint64(1); by < nearly; by++ {
			near = near || boundaries[u.plus(by)] || boundaries[u.plus(-by)]
		}
		if near {
			odd[u.address] = true
			at = i
		}
	}
	if len(odd) == 1 && !l.refused[side] {
		l.report(all[at].step, "TO 0x%016x is not where memory was advertised, nor where another use of it ends", all[at].address.to)
	}
}

// isClose reports whether a single use of an STag begins at an address, and others where the TO differs in one bit. begin
// counts the uses by their addresses.
func isClose(begin map[address]int, at address) bool {
	near := 0
	for bit := range 64 {
		other := at
		other.to ^= 1 << bit
		near += begin[other]
	}
	return begin[at] == 1 && near > 0
}

// similar are STags by what they share: all octets but one.
type similar map[common][]uint32

// A common is an STag without one of its octets.
type common struct {
	octet int // the least significant is 0
	rest  uint32
}

// without returns an STag without one of its octets.
func without(octet int, stag uint32) common { return common{octet, stag &^ (0xff << (8 * octet))} }

func (s similar) add(stag uint32) {
	for octet := range 4 {
		c := without(octet, stag)
		s[c] = append(s[c], stag)
	}
}

// to returns the first STag that differs from another one in one octet.
func (s similar) to(stag uint32) (other uint32, ok bool) {
	for octet := range 4 {
		for _, other := range s[without(octet, stag)] {
			if other != stag {
				return other, true
			}
		}
	}
	return 0, false
}

// told returns the values in payloads that differ from an STag in one octet, by one or two bits: the first by the STag.
// It searches the first maxLedger octets.
func (s similar) told(payloads [][]byte) map[uint32]uint32 {
	found, left := make(map[uint32]uint32), maxLedger
	for _, payload := range payloads {
		payload = payload[:min(len(payload), left)]
		left -= len(payload)
		for i := 0; i+4 <= len(payload); i++ {
			s.compare(binary.BigEndian.Uint32(payload[i:]), found)
			s.compare(binary.LittleEndian.Uint32(payload[i:]), found)
		}
	}
	return found
}

// compare notes a value that may be an STag for those from which it differs in one octet, by one or two bits.
func (s similar) compare(told uint32, found map[uint32]uint32) {
	if told <= 0xffff {
		return
	}
	for octet := range 4 {
		for _, stag := range s[without(octet, told)] {
			if _, known := found[stag]; !known && told != stag && bits.OnesCount32(told^stag) <= 2 {
				found[stag] = told
			}
		}
	}
}
