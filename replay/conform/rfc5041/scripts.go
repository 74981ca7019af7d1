package rfc5041

// What several cases have in common.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/internal/parts"
)

// greeting is what stands before a segment that is wrong.
const greeting = parts.Greeting

// greeted returns the Ask of a case with a greeting before each of its scripts.
func greeted(scripts ...string) func(*conform.Setup) []string {
	all := make([]string, len(scripts))
	for i, s := range scripts {
		all[i] = greeting + s
	}
	return conform.Texts(all...)
}

// listening returns an Ask whose scripts have QUIET where they say for how long the peer is listened to.
func listening(ask func(*conform.Setup) []string) func(*conform.Setup) []string {
	return func(s *conform.Setup) (scripts []string) {
		for _, script := range ask(s) {
			scripts = append(scripts, strings.ReplaceAll(script, "QUIET", s.Quiet.String()))
		}
		return scripts
	}
}

// either returns the steps after a segment that DDP lets a sink refuse or not: the Refusal of a Situation, or what comes
// otherwise, and the end.
func either(situation, otherwise string) string {
	return fmt.Sprintf(`
	< OneOf
	or Refusal %s to [odd]
	or %s
	< ends`, situation, otherwise)
}
