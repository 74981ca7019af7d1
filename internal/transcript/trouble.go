package transcript

// Connections that fail, each with a twin of theirs that does not.

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/pcaps"
)

// A Trouble is how a connection fails, and a twin that does not.
type Trouble struct {
	Name  string
	Cause string // in a sentence, written before a program saw the packets
	Want  string // what a verdict has to name: the finding, and whose doing it is

	lines string
}

// Troubles reads a file of them. Each begins with a line "== NAME", its Cause, and Want. The lines of its transcript that begin
// with "-" are those of the trouble only, with "+" those of its twin only.
func Troubles(file string) (all []Trouble, err error) {
	b, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for _, text := range strings.Split(string(b), "\n== ")[1:] {
		parts := strings.SplitN(text, "\n", 4)
		if len(parts) < 4 {
			return nil, fmt.Errorf("%s: %s ends early", file, parts[0])
		}
		all = append(all, Trouble{parts[0], parts[1], parts[2], parts[3]})
	}
	return all, nil
}

// Then are the packets of a capture in which another connection of the same client begins, with packets of its own, so much after the
// last packet of the first one.
func Then(first, next []pcaps.Record, later time.Duration) []pcaps.Record {
	all := slices.Clone(first)
	at := first[len(first)-1].Time + int64(later) - next[0].Time
	for _, r := range next {
		r.Time += at
		all = append(all, r)
	}
	slices.SortStableFunc(all, func(a, b pcaps.Record) int { return cmp.Compare(a.Time, b.Time) })
	for i := range all {
		all[i].Frame = uint64(i + 1)
	}
	return all
}

// Records are the packets of the trouble, or of its twin. Before them, replace is applied to the text.
func (t *Trouble) Records(twin bool, replace ...string) ([]pcaps.Record, error) {
	own, other := "- ", "+ "
	if twin {
		own, other = other, own
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", t.Name)
	for line := range strings.Lines(t.lines) {
		if rest, ok := strings.CutPrefix(line, own); ok {
			b.WriteString(rest)
		} else if !strings.HasPrefix(line, other) {
			b.WriteString(line)
		}
	}
	s, err := Parse(t.Name, strings.NewReplacer(replace...).Replace(b.String()))
	if err != nil {
		return nil, err
	}
	for i := range s.Records {
		s.Records[i].Frame = uint64(i + 1)
	}
	return s.Records, nil
}
