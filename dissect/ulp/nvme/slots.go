package nvme

// How many slots of a Submission Queue are in use: NVM Express over Fabrics 1.1, section 2.4.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// noFlowControl is the bit of CATTR in a Connect by which the host does without the SQ Head Pointer.
const noFlowControl = 1 << 2

// slots are those of the Submission Queue of a connection, as far as its Connect tells how many it has.
type slots struct {
	all  uint64 // how many; 0 if that is not known
	used uint64 // by commands that the controller has not taken yet, as far as it has said
	head uint64 // the SQ Head Pointer that it said last
	said bool   // it has said one
}

// fill takes a command of the host.
func (s *slots) fill(c *Capsule) {
	if isConnect(c.Octets) {
		parameters := c.Octets[parametersOff:]
		*s = slots{}
		if connectCATTR.Number(parameters)&noFlowControl == 0 {
			s.all = connectSQSize.Number(parameters) + 1
		}
	}
	s.used++
}

// drain takes a completion of the controller. Its SQ Head Pointer says how many commands it has taken.
func (s *slots) drain(c *Capsule) {
	head := uint64(c.SQHead)
	if s.all == 0 || head >= s.all {
		*s = slots{}
		return
	}
	taken := (head + s.all - s.head) % s.all
	if taken == 0 && s.used == s.all {
		taken = s.all // perhaps
	}
	s.used -= min(s.used, taken)
	s.head, s.said = head, true
}

// checkSlots reports a command for which there was no slot. One slot always stays free, but some hosts use that too.
func (f *follower) checkSlots(o *record.Origin) {
	s := &f.slots
	if !s.said || s.used != s.all+1 {
		return
	}
	f.Reporter.Finding(&record.Finding{
		Origin: *o, Name: record.Uncredited, Seen: fmt.Sprintf("%d commands in a Submission Queue of %d entries", s.used, s.all),
	})
}

// Gap implements ulp.Follower: what is missing may have used or freed slots.
func (f *follower) Gap(d flow.Direction) {
	f.Table.Gap(d)
	f.slots = slots{}
}

// Subject implements ulp.Follower: the capsule in which something was found.
func (f *follower) Subject(found *record.Finding) string {
	if found.Name != record.Uncredited {
		return ""
	}
	return f.capsule.Name()
}
