package nvme

// What an analysis asks about a command.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// Identify implements ulp.Follower.
func (f *follower) Identify(t *record.Transaction) string {
	return fmt.Sprintf("CID 0x%04x of queue %d", uint16(t.ID), t.ID>>16)
}

// Everyday implements record.Exchange: hosts probe for optional features of controllers, and a Compare may find a difference.
func (x *Exchange) Everyday() bool {
	code := x.Status.code()
	switch {
	case x.Opcode == opFabrics:
		return false
	case x.QueueID != 0:
		return code == compareFailure
	}
	return code == invalidOpcode || code == invalidField || code == invalidLogPage
}

// Passage implements record.Passing: a host that is refused what it needs to start the controller gives up.
func (x *Exchange) Passage() record.Passage {
	if x.QueueID == 0 && x.Everyday() && (x.Opcode == opIdentify || x.Opcode == opSetFeatures) {
		return record.Probe
	}
	return record.Lasting
}
