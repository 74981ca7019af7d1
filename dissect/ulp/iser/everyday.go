package iser

// What an analysis asks about a task.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// Identify implements ulp.Follower.
func (f *follower) Identify(t *record.Transaction) string {
	if t.Task == helloTask {
		return "without a task tag"
	}
	if t.Dir == flow.S2C {
		return fmt.Sprintf("Target Transfer Tag 0x%08x", t.ID)
	}
	return fmt.Sprintf("Initiator Task Tag 0x%08x", t.ID)
}

// Everyday implements record.Exchange: initiators probe for optional features of targets, a unit reports an event, a login is
// redirected, a task ends before it can be aborted, or a unit is not ready yet.
func (x *Exchange) Everyday() bool {
	const doesNotExist, redirection, cidNotFound, noRecovery = 1, 0x01, 1, 2
	r := &x.Result
	switch r.Opcode {
	case OpTaskResponse:
		return r.Code == doesNotExist
	case OpLoginResponse:
		return r.Code>>8 == redirection
	case OpLogoutResp:
		return r.Code == cidNotFound || r.Code == noRecovery // there is nothing left to end
	case OpSCSIResponse:
		return !r.Failed && r.Code == checkCondition && r.Sensed && x.expected()
	}
	return false
}

// Probes implements ulp.Probing.
func (x *Exchange) Probes() bool { return x.Opcode == OpNOPOut || x.Opcode == OpNOPIn }

// Passage implements ulp.Passing: initiators ask a unit again until it is ready.
func (x *Exchange) Passage() ulp.Passage {
	if x.asksReady && x.Result.Sensed && x.Result.Sense == notReady {
		return ulp.Temporary
	}
	return ulp.Lasting
}

// Place implements ulp.Placed: the first block of a logical unit.
func (x *Exchange) Place() uint64 { return x.place }

// Local implements ulp.Placed: the medium has an error there, is protected or full, or has no such block; or the command was aborted, is not for
// this initiator, or came before the unit was ready. One that a busy target puts off comes again.
func (x *Exchange) Local() bool {
	r := &x.Result
	switch {
	case r.Opcode != OpSCSIResponse || r.Failed:
		return false
	case r.Code != checkCondition:
		return x.Blocks && (r.Code == reservationConflict || r.Code == taskAborted)
	case !r.Sensed:
		return false
	}
	switch r.Sense {
	case mediumError, hardwareError, dataProtect, blankCheck, abortedCommand, volumeOverflow:
		return true
	}
	return x.Blocks && (r.Sense == illegalRequest || r.Sense == notReady)
}

// expected reports whether sense data are not those of a failure.
func (x *Exchange) expected() bool {
	key := x.Result.Sense
	switch key {
	case noSense, recovered, unitAttention, miscompare:
		return true
	case notReady:
		return x.asksReady
	}
	return key == illegalRequest && (!x.Blocks || x.Result.senseCode == unknownCommand)
}
