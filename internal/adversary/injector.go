package adversary

// Violations: what may be wrong in a Conversation, one at a time.

import (
	"encoding/binary"
	"math/rand/v2"
	"slices"
	"strings"
)

// An Injector breaks one requirement in one place.
type Injector struct {
	Name string

	// IDs are ids of requirements and observations, separated by spaces: the one that is broken, then those that are broken by the same or
	// by what must follow from it, such as what a receiver that believes the wrong field would expect next. Where the
	// octets do not tell which of two requirements is broken, the first are joined by "|".
	IDs string

	Break func(*Place) bool // false if nothing in the Conversation can be broken in this way
}

// Targets are the ids of which one has to be found.
func (i *Injector) Targets() []string {
	first, _, _ := strings.Cut(i.IDs, " ")
	return strings.Split(first, "|")
}

// Follows are the ids that may be found, the targets among them.
func (i *Injector) Follows() []string { return strings.Fields(strings.ReplaceAll(i.IDs, "|", " ")) }

// Inject breaks a requirement in a Conversation at a place that is drawn from its seed. It returns false, and changes
// nothing, if there is no place for that.
func (i *Injector) Inject(c *Conversation) bool {
	return i.Break(&Place{Conversation: c, r: rand.New(rand.NewPCG(c.Seed, 4))})
}

// Injectors are those for Conversations of a kind. What is wrong below an upper layer is tried where there is none: there
// would be no end to what follows from it.
func Injectors(kind string) []Injector { return kinds[kind].injectors }

// A Place is where an Injector is at work: a Unit of a Conversation.
type Place struct {
	*Conversation
	*Unit
	r    *rand.Rand
	i    int  // index of the Unit
	more bool // the sender has to send another message later
}

// find draws a DDP segment that a condition holds for, but no Ready to Receive. It returns false if there is none.
func (p *Place) find(holds func(*Unit) bool) bool {
	var found []int
	var final [2]*Message
	for _, u := range p.Units {
		if u.Message != nil && u.Message.Opcode != opTerminate { // which may interrupt a message
			final[u.From] = u.Message
		}
	}
	for i, u := range p.Units {
		alone := !u.Frame && (u.Message == final[u.From] || u.Message.Opcode == opTerminate)
		if !u.Frame && (p.Terms.Ready == 0 || i > 2) && !(p.more && alone) && holds(u) {
			found = append(found, i)
		}
	}
	if len(found) == 0 {
		return false
	}
	p.i = pick(p.r, found...)
	p.Unit = p.Units[p.i]
	return true
}

// in is an Injector's Break that changes a segment that a condition holds for.
func in(holds func(*Unit) bool, change func(*Place)) func(*Place) bool {
	return func(p *Place) bool {
		if !p.find(holds) {
			return false
		}
		change(p)
		return true
	}
}

// continued lets an Injector break only messages that others of the same sender follow: they show what is wrong.
func continued(breaks func(*Place) bool) func(*Place) bool {
	return func(p *Place) bool {
		p.more = true
		return breaks(p)
	}
}

// all makes a condition of several.
func all(conditions ...func(*Unit) bool) func(*Unit) bool {
	return func(u *Unit) bool {
		return !slices.ContainsFunc(conditions, func(holds func(*Unit) bool) bool { return !holds(u) })
	}
}

// Conditions.
func any_(*Unit) bool       { return true }
func tagged(u *Unit) bool   { return u.Octets[0]&ddpTagged != 0 }
func untagged(u *Unit) bool { return !tagged(u) }
func last(u *Unit) bool     { return u.Octets[0]&ddpLast != 0 }
func notLast(u *Unit) bool  { return !last(u) }
func first(u *Unit) bool    { return u.offset() == 0 }
func later(u *Unit) bool    { return u.offset() > 0 }
func filled(u *Unit) bool   { return len(u.Message.Body) > 0 }
func empty(u *Unit) bool    { return !filled(u) }
func roomy(u *Unit) bool    { return len(u.Octets) < 60000 } // it may become longer

// is is the condition that a segment has one of several opcodes.
func is(opcodes ...byte) func(*Unit) bool {
	return func(u *Unit) bool { return slices.Contains(opcodes, u.Message.Opcode) }
}

// sends is the condition that a segment belongs to a Send.
func sends(u *Unit) bool {
	return u.Message.Opcode >= opSend && u.Message.Opcode <= opSendSolicitedInvalidate
}

// offset is where in the Body of its message a segment begins.
func (u *Unit) offset() int {
	if tagged(u) {
		return int(binary.BigEndian.Uint64(u.Octets[6:]) - u.Message.TO)
	}
	return int(binary.BigEndian.Uint32(u.Octets[14:]))
}

// message returns the segments of the message of the Place.
func (p *Place) message() (all []*Unit) {
	for _, u := range p.Units {
		if u.Message == p.Message {
			all = append(all, u)
		}
	}
	return all
}

// opcode changes the opcode of the segment.
func (u *Unit) opcode(opcode byte) { u.Octets[1] = u.Octets[1]&^rdmapOpcode | opcode }

// add adds to the field of so many octets at an offset of the segment.
func (u *Unit) add(offset, size int, n uint64) {
	field := u.Octets[offset : offset+size]
	for i := range slices.Backward(field) {
		n += uint64(field[i])
		field[i] = byte(n)
		n >>= 8
	}
}

// addToAll adds to a field of all segments of the message.
func (p *Place) addToAll(offset, size int, n uint64) {
	for _, u := range p.message() {
		u.add(offset, size, n)
	}
}

// insert puts a Unit after the Place.
func (p *Place) insert(u *Unit) { p.Units = slices.Insert(p.Units, p.i+1, u) }

// remove takes the Unit of the Place away.
func (p *Place) remove() { p.Units = slices.Delete(p.Units, p.i, p.i+1) }
