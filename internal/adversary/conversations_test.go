package adversary_test

// The oracles, over as many Conversations as are asked for: go test ./internal/adversary -adversary.n 1000000.

import (
	"flag"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/iwarpkit/iwarp/internal/adversary"
	"github.com/iwarpkit/iwarp/pcaps"
)

var (
	number = flag.Int("adversary.n", 2000, "how many Conversations to try")
	first  = flag.Uint64("adversary.seed", 1, "the seed of the first of them")
)

// each runs try for the seeds that are asked for, on all cores, until ten have failed.
func each(t *testing.T, try func(seed uint64) (wrong []string)) {
	t.Helper()
	var next atomic.Uint64
	var failures atomic.Int32
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for failures.Load() < 10 {
				i := next.Add(1) - 1
				if i >= uint64(*number) {
					return
				}
				for _, line := range try(*first + i) {
					failures.Add(1)
					t.Error(line)
				}
			}
		})
	}
	wait.Wait()
}

// drawn is the Conversation of a seed: the kinds take turns.
func drawn(seed uint64) *adversary.Conversation {
	kinds := adversary.Kinds()
	return adversary.New(kinds[seed%uint64(len(kinds))], seed)
}

// TestLegal looks at legal Conversations, whole and damaged: no error, and every message as it was generated.
func TestLegal(t *testing.T) {
	each(t, func(seed uint64) []string {
		c := drawn(seed)
		packets := c.Packets()
		whole := look(c, packets)
		wrong := unjust(c, whole, "whole")
		if len(wrong) == 0 {
			wrong = whole.differs(c)
		}
		r := rand.New(rand.NewPCG(seed, 3))
		d := adversary.Damages[r.IntN(len(adversary.Damages))]
		return append(wrong, damaged(c, whole, d, d.Do(r, packets))...)
	})
}

// damaged compares what is seen of a damaged Conversation with what is seen of it whole: it has no other error, and no
// other message.
func damaged(c *adversary.Conversation, whole *view, d adversary.Damage, packets []pcaps.Record) (wrong []string) {
	v := look(c, packets)
	for id := range whole.errors {
		delete(v.errors, id)
	}
	wrong = unjust(c, v, d.Name)
	for side := range v.messages {
		if line := foreign(v.messages[side], messages(c, adversary.Side(side))); line != "" {
			wrong = append(wrong, c.String()+", "+d.Name+": a message that nobody sent: "+line)
		}
	}
	return wrong
}

// foreign is the first line that is not in all, in this order; empty if there is none.
func foreign(lines, all []string) string {
	for _, line := range lines {
		i := slices.IndexFunc(all, func(sent string) bool { return strings.HasPrefix(sent, line) })
		if i < 0 {
			return line
		}
		all = all[i+1:]
	}
	return ""
}

// unjust says which errors a view has.
func unjust(c *adversary.Conversation, v *view, how string) (wrong []string) {
	for _, id := range v.ids() {
		wrong = append(wrong, c.String()+", "+how+": "+id+": "+v.errors[id].Text)
	}
	return wrong
}
