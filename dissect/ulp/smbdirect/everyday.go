package smbdirect

// What an analysis asks about a command.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// Identify implements ulp.Follower.
func (f *follower) Identify(t *record.Transaction) string {
	if t.Task == negotiation {
		return "version 1.0"
	}
	return fmt.Sprintf("MessageId %d", t.ID)
}

// Everyday implements record.Exchange: the status is about files and locks, the server does not offer an optional feature, or
// the command failed with the one that it was compounded with.
func (x *Exchange) Everyday() bool {
	switch statuses[x.Status].use {
	case everyday:
		return true
	case notOffered:
		return x.Behind || x.Code == cmdIoctl || x.Code == cmdQueryInfo
	}
	return x.Behind
}
