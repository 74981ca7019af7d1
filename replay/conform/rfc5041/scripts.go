package rfc5041

// What several cases have in common.

import (
	"fmt"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

// greeting precedes a wrong segment.
const greeting = parts.Greeting

// greeted returns the Ask of a case with a greeting before each of its scripts.
func greeted(scripts ...string) func(*conform.Setup) []string {
	all := make([]string, len(scripts))
	for i, s := range scripts {
		all[i] = greeting + s
	}
	return conform.Texts(all...)
}

// either returns the steps after a segment that DDP lets a sink refuse or accept: the Refusal of a Situation, or what comes
// otherwise, and the end.
func either(situation, otherwise string) string {
	return fmt.Sprintf(`
	< OneOf
	or Refusal %s to [odd]
	or %s
	< ends`, situation, otherwise)
}
