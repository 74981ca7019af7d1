package nvme

// What an analysis asks about a command.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// Identify implements ulp.Follower.
func (f *follower) Identify(t *record.Transaction) string {
	if t.ID>>16 == someQueue {
		return fmt.Sprintf("CID 0x%04x of an I/O queue", uint16(t.ID))
	}
	return fmt.Sprintf("CID 0x%04x of queue %d", uint16(t.ID), t.ID>>16)
}

// Everyday implements record.Exchange: hosts probe for optional features of controllers, a Compare may find a difference, another host may
// have the reservation that one asks for, a controller takes its time to become ready, and answers what waits for events when it is shut down.
func (x *Exchange) Everyday() bool {
	code := x.Status.code()
	switch {
	case x.Opcode == opFabrics:
		return x.readiness != ""
	case x.QueueID != 0:
		return code == compareFailure || (code == invalidOpcode || code == sizeLimitExceeded) && x.optional() || code == reservationConflict && x.reserves()
	case x.Opcode == opAsyncEvent:
		return true
	}
	switch code {
	case invalidNamespace:
		return x.Opcode == opIdentify // it may be gone
	case invalidOpcode, invalidField, invalidLogPage, notSaveable, notChangeable, notOfNamespace:
		return true
	}
	return false
}

// Place implements ulp.Placed: the first block in its namespace.
func (x *Exchange) Place() uint64 { return uint64(x.NamespaceID)<<32 ^ x.block }

// Local implements ulp.Placed: the medium has an error there or no room, the controller failed over it, or the host may not try again.
func (x *Exchange) Local() bool {
	if x.QueueID == 0 || x.Opcode == opFabrics {
		return false
	}
	switch code := x.Status.code(); code {
	case dataTransferError, internalError, lbaOutOfRange, capacityExceeded:
		return true
	default:
		return code>>8 == mediaErrors && code != compareFailure || x.moves() && x.Status.final()
	}
}

// Probes implements ulp.Probing.
func (x *Exchange) Probes() bool { return x.QueueID == 0 && x.Opcode == opKeepAlive }

// Passage implements ulp.Passing: a host that is refused what it needs to start the controller, or that waits in vain for that to become
// ready, gives up.
func (x *Exchange) Passage() ulp.Passage {
	switch {
	case x.readiness == notReady:
		return ulp.Starting
	case x.readiness == fatal:
		return ulp.Temporary
	case x.QueueID == 0 && x.Everyday() && (x.Opcode == opIdentify || x.Opcode == opSetFeatures):
		return ulp.Probe
	}
	return ulp.Lasting
}
