package text

import (
	"fmt"

	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A Failure is what connections have in common that failed for the same cause. It is zero for a connection that has not failed.
type Failure struct {
	More    uint64 // further connections that failed for the same cause
	cause   string // of the failure, and whom it concerns
	request string // the request of an upper layer that was never answered, on each of them; empty if there is no one such
	name    string // that of the requests, if these have the same; else empty
}

// FailureOf returns the Failure of one connection.
func FailureOf(v *record.Verdict) (f Failure) {
	if v.Cause == nil {
		return f
	}
	f.cause = fmt.Sprint(v.Cause.Name, v.Culprit, v.Conn.Server)
	if v.Cause.Name == judge.ObsUnansweredUpper.Name {
		f.request, f.name = v.Cause.Seen, v.Cause.Request
	}
	return f
}

// Like reports whether both are failures for the same cause.
func (f *Failure) Like(other *Failure) bool { return f.cause != "" && f.cause == other.cause }

// Add counts a connection that failed like these.
func (f *Failure) Add(other *Failure) {
	f.More++
	if f.request == other.request {
		return
	}
	if f.name != other.name {
		f.name = ""
	}
	f.request = f.name
}

// String says in a sentence how many more connections failed; it is empty if there are none.
func (f *Failure) String() string {
	switch s := quantity.Count(f.More, "more connection") + " to the same server failed like this one"; {
	case f.More == 0:
		return ""
	case f.request != "":
		return s + ", each over the same request, " + f.request + "."
	default:
		return s + "."
	}
}
