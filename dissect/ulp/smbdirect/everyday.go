package smbdirect

// What an analysis asks about a command.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// Identify implements ulp.Follower.
func (f *follower) Identify(t *record.Transaction) string {
	switch t.Task {
	case negotiation:
		return "without a MessageId"
	case keepAlive:
		return "without data"
	}
	return fmt.Sprintf("MessageId %d", t.ID)
}

// Everyday implements record.Exchange: the status is about files, locks and rights, the server does not offer an optional feature, or
// the command failed with the one that it was compounded with.
func (x *Exchange) Everyday() bool {
	switch statuses[x.Status].use {
	case everyday:
		return true
	case denied:
		return x.Behind || !x.Prepares()
	case notOffered:
		return x.Behind || x.Code == cmdIoctl || x.Code == cmdQueryInfo
	}
	return x.Behind
}

// Place implements ulp.Placed: each command works on something else, for clients do not repeat one over an error that is local.
func (x *Exchange) Place() uint64 { return x.id }

// Local implements ulp.Placed: data could not be read or stored. That is so of a WRITE whatever the reason, unless the client can mend it.
func (x *Exchange) Local() bool {
	use := statuses[x.Status].use
	return use == local || use == other && x.Code == cmdWrite
}

// Prepares implements ulp.Preparing.
func (x *Exchange) Prepares() bool {
	switch x.Code {
	case cmdNegotiate, cmdSessionSetup, cmdLogoff, cmdTreeConnect, cmdTreeDisconnect, cmdEcho, cmdIoctl:
		return true
	}
	return false
}

// Leaves implements ulp.Leaving.
func (x *Exchange) Leaves() bool { return x.Code == cmdLogoff || x.Code == cmdTreeDisconnect }

// Passage implements ulp.Passing: programs try what they may not do.
func (x *Exchange) Passage() ulp.Passage {
	if statuses[x.Status].use == denied && !x.Behind && !x.Prepares() {
		return ulp.Denied
	}
	return ulp.Lasting
}

// Probes implements ulp.Probing.
func (x *Exchange) Probes() bool { return x.keepAlive }
