// Package failon implements the flag --fail-on of commands that check captures: what gives exit status 1.
package failon

import "github.com/iwarpkit/iwarp/dissect/show/check"

// Values are those of the flag, the default first.
var Values = []string{"cause", "error", "warning", "none"}

// Counts reports whether a connection counts as failed that has, or has not, and has so many errors and warnings.
func Counts(lowest string, failed bool, errors, warnings uint64) bool {
	switch lowest {
	case "none":
		return false
	case "warning":
		return failed || errors > 0 || warnings > 0
	case "error":
		return failed || errors > 0
	}
	return failed
}

// Fails reports whether what was found in so many connections counts. A check of nothing proves nothing, but is not a failure either unless
// warnings are.
func Fails(lowest string, s *check.Summary, connections int) bool {
	return Counts(lowest, s.Failed > 0, s.Errors, s.Warnings) || lowest == "warning" && connections == 0
}
