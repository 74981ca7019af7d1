package text

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// A Failure is what connections have in common that failed for the same cause. It is zero for a connection that has not failed.
type Failure struct {
	More    uint64 // further connections that failed for the same cause
	cause   string // of the failure, and whom it concerns
	request string // the request of an upper layer that was never answered, on each of them; empty if there is no one such
}

// FailureOf returns the Failure of one connection.
func FailureOf(v *record.Verdict) (f Failure) {
	if v.Cause == nil {
		return f
	}
	f.cause = fmt.Sprint(v.Cause.Name, v.Culprit, v.Conn.Server)
	if v.Cause.Name == judge.ObsUnansweredUpper.Name {
		f.request = v.Cause.Seen
	}
	return f
}

// Like reports whether both are failures for the same cause.
func (f *Failure) Like(other *Failure) bool { return f.cause != "" && f.cause == other.cause }

// Add counts a connection that failed like these.
func (f *Failure) Add(other *Failure) {
	f.More++
	f.request = common(f.request, other.request)
}

// common is what two requests have in common: all, only the name before the ID, or nothing.
func common(a, b string) string {
	name, _, _ := strings.Cut(a, " (")
	other, _, _ := strings.Cut(b, " (")
	switch {
	case a == b:
		return a
	case name == other:
		return name
	}
	return ""
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
