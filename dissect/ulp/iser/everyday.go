package iser

// What an analysis asks about a task.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// Identify implements ulp.Follower.
func (f *follower) Identify(t *record.Transaction) string {
	if t.Dir == flow.S2C {
		return fmt.Sprintf("Target Transfer Tag 0x%08x", t.ID)
	}
	return fmt.Sprintf("Initiator Task Tag 0x%08x", t.ID)
}

// Everyday implements record.Exchange: initiators probe for optional features of targets, a unit reports an event, a login is
// redirected, or a task ends before it can be aborted.
func (x *Exchange) Everyday() bool {
	const checkCondition, doesNotExist, redirection = 0x02, 1, 0x01
	r := &x.Result
	switch r.Opcode {
	case OpTaskResponse:
		return r.Code == doesNotExist
	case OpLoginResponse:
		return r.Code>>8 == redirection
	case OpSCSIResponse:
		return !r.Failed && r.Code == checkCondition && r.Sensed && x.expected(r.Sense)
	}
	return false
}

// expected reports whether a sense key is not a failure.
func (x *Exchange) expected(key SenseKey) bool {
	switch key {
	case noSense, recovered, unitAttention, miscompare:
		return true
	}
	return key == illegalRequest && !x.Blocks
}
