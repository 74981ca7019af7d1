package adversary_test

// The oracles, over as many Conversations as are asked for: go test ./internal/adversary -adversary.n 1000000.

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/iwarpkit/iwarp/internal/adversary"
	"github.com/iwarpkit/iwarp/pcaps"
)

// What CI tries.
const (
	usualNumber = 8000
	usualFirst  = 1
)

var (
	number = flag.Int("adversary.n", usualNumber, "how many Conversations to try")
	limit  = flag.Int("adversary.failures", 10, "after how many failures to stop")
	keep   = flag.String("adversary.keep", "", "a directory for the packets of what fails")
	first  = flag.Uint64("adversary.seed", usualFirst, "the seed of the first of them")
)

// each runs try for the seeds that are asked for, on all cores, until ten have failed.
func each(t *testing.T, try func(seed uint64) (wrong []string, packets []pcaps.Record)) {
	t.Helper()
	tries := uint64(*number)
	if testing.Short() {
		tries /= 8
	}
	var next atomic.Uint64
	var failures atomic.Int32
	var wait sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		wait.Go(func() {
			for failures.Load() < int32(*limit) {
				i := next.Add(1) - 1
				if i >= tries {
					return
				}
				wrong, packets := try(*first + i)
				for _, line := range wrong {
					failures.Add(1)
					t.Error(line)
				}
				if len(wrong) > 0 && *keep != "" {
					save(t, filepath.Join(*keep, fmt.Sprint(*first+i, ".pcap")), packets)
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
	each(t, func(seed uint64) ([]string, []pcaps.Record) { return legal(drawn(seed)) })
}

// rows are those of a file of seeds: each a kind, a seed, and what was wrong, in so many columns.
func rows(t *testing.T, file string, columns int) (all [][]string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i, line := range strings.Split(strings.TrimSpace(string(text)), "\n")[1:] {
		row := strings.Split(line, "\t")
		if len(row) != columns {
			t.Fatalf("%s:%d: want %d columns", file, i+2, columns)
		}
		all = append(all, row)
	}
	return all
}

// conversation is that of a row.
func conversation(t *testing.T, row []string) *adversary.Conversation {
	t.Helper()
	seed, err := strconv.ParseUint(row[1], 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return adversary.New(row[0], seed)
}

const (
	seedsFile    = "testdata/seeds.tsv"    // legal Conversations that were misjudged once
	violatedFile = "testdata/violated.tsv" // violations that were
)

func TestSeeds(t *testing.T) {
	for _, row := range rows(t, seedsFile, 3) {
		if wrong, _ := legal(conversation(t, row)); len(wrong) > 0 {
			t.Error(strings.Join(wrong, "\n"))
		}
	}
}

// legal looks at a legal Conversation, first whole and then damaged. It returns the packets in which something is wrong.
func legal(c *adversary.Conversation) (wrong []string, packets []pcaps.Record) {
	packets = c.Packets()
	whole := look(c, packets)
	if wrong = unjust(c, whole, "whole"); len(wrong) == 0 {
		wrong = whole.differs(c)
	}
	if len(wrong) > 0 {
		return wrong, packets
	}
	r := rand.New(rand.NewPCG(c.Seed, 3))
	d := adversary.Damages[r.IntN(len(adversary.Damages))]
	packets = d.Do(r, packets)
	return damaged(c, whole, d, packets), packets
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

// save writes packets to a file.
func save(t *testing.T, name string, packets []pcaps.Record) {
	f, err := os.Create(name)
	if err != nil {
		t.Error(err)
		return
	}
	w := pcaps.NewPcapWriter(f, pcaps.LinkTypeEthernet)
	for i := range packets {
		w.WriteRecord(&packets[i])
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
	f.Close()
}
