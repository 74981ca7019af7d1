package player

// Questions about an Action, which may be one of several alternatives.

import (
	"fmt"
	"time"

	"github.com/iwarpkit/iwarp/replay/scenario"
)

// which returns the first alternative of a that satisfies is. why says why that alternative is tolerated; it is empty
// if it is right.
func which(a scenario.Action, is func(scenario.Action) bool) (why string, ok bool) {
	for why, each := range scenario.Alternatives(a) {
		if is(each) {
			return why, true
		}
	}
	return "", false
}

func has(a scenario.Action, is func(scenario.Action) bool) bool {
	_, ok := which(a, is)
	return ok
}

func isFIN(a scenario.Action) bool { return a == scenario.FIN{} }

func isReset(a scenario.Action) bool { return a == scenario.Reset{} }

// mayEnd reports whether a can end the direction of its side.
func mayEnd(a scenario.Action) bool { return has(a, isFIN) || has(a, isReset) }

// silence returns how long a lets the other side send nothing, or 0 if silence does not satisfy a.
func silence(a scenario.Action) time.Duration {
	for _, each := range scenario.Alternatives(a) {
		if s, ok := each.(*scenario.Silence); ok && s.For > 0 {
			return s.For
		}
	}
	return 0
}

func isSilence(a scenario.Action) bool { return silence(a) > 0 }

func framesOf(a scenario.Action) []*scenario.Frame { return alternatives[*scenario.Frame](a) }

func refusals(a scenario.Action) []*scenario.Refusal { return alternatives[*scenario.Refusal](a) }

func alternatives[T scenario.Action](a scenario.Action) (all []T) {
	for _, each := range scenario.Alternatives(a) {
		if t, ok := each.(T); ok {
			all = append(all, t)
		}
	}
	return all
}

// answered returns the number of the step whose request a answers, or 0.
func answered(a scenario.Action) int {
	if m, ok := a.(*scenario.Message); ok {
		return m.To
	}
	return 0
}

// misstatesLength reports whether f cannot be deframed, because its length is wrong.
func misstatesLength(f *scenario.FPDU) bool { return f.ULPDULength != nil || f.PAD != nil }

// bound returns the length of a payload, or -1 if any number of octets may follow.
func bound(payload scenario.Payload) int {
	if n := len(payload); n > 0 && payload[n-1].Any == scenario.Rest {
		return -1
	}
	return payload.Len()
}

func stepName(number int) string { return fmt.Sprintf("step %d", number) }
