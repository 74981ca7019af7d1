package diff

// Where the messages of two connections differ.

import (
	"cmp"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/record"
)

// maxMoved is how many messages of its side one may be earlier or later and counts as reordered.
const maxMoved = 64

// A comparer compares the messages of a connection of A with those of its counterpart in B.
type comparer struct {
	shapes *shapes
	a, b   *session
	same   []match
	all    []Difference
}

// A match is two steps that are the same, but for what differs in each run.
type match struct {
	dir   record.Direction
	a, b  *step
	moved bool
	gaps  int // before it in its lane
}

// A gap is what stands between two matches of a lane: places of steps without a counterpart.
type gap struct {
	a, b  []int
	after uint64 // where in B it is, for the order: at or behind a frame
	last  bool   // nothing comes after it
}

// compare returns the differences in the order of B.
func (c *comparer) compare() []Difference {
	for dir := range c.a.lanes {
		c.lane(record.Direction(dir))
	}
	c.references()
	slices.SortStableFunc(c.all, func(x, y Difference) int { return cmp.Compare(x.after, y.after) })
	return c.all
}

// at and behind are places in the order of B.
func at(frame uint64) uint64     { return 2 * frame }
func behind(frame uint64) uint64 { return 2*frame + 1 }

// lane compares what one side sent.
func (c *comparer) lane(dir record.Direction) {
	a, b := c.a.lanes[dir], c.b.lanes[dir]
	var gaps []gap
	g := gap{}
	i, j := 0, 0
	until := func(nextI, nextJ int) {
		for ; i < nextI; i++ {
			g.a = append(g.a, i)
		}
		for ; j < nextJ; j++ {
			g.b = append(g.b, j)
		}
	}
	align(stepSums(a), stepSums(b), func(nextI, nextJ int) {
		until(nextI, nextJ)
		if len(g.a)+len(g.b) > 0 {
			gaps = append(gaps, g)
		}
		c.same = append(c.same, match{dir: dir, a: &a[nextI], b: &b[nextJ], gaps: len(gaps)})
		g = gap{after: behind(b[nextJ].last)}
		i, j = nextI+1, nextJ+1
	})
	until(len(a), len(b))
	g.last = true
	gaps = append(gaps, g)
	c.reordered(dir, gaps)
	for _, g := range gaps {
		c.gap(dir, g)
	}
}

func stepSums(all []step) []uint64 {
	sums := make([]uint64, len(all))
	for i := range all {
		sums[i] = all[i].sum
	}
	return sums
}

// reordered takes from gaps the steps that both captures have, in another place.
func (c *comparer) reordered(dir record.Direction, gaps []gap) {
	a, b := c.a.lanes[dir], c.b.lanes[dir]
	left := make(map[uint64][]int) // places in A, by sum
	for _, g := range gaps {
		for _, i := range g.a {
			left[a[i].sum] = append(left[a[i].sum], i)
		}
	}
	found := make(map[int]bool) // places in A
	for n := range gaps {
		g := &gaps[n]
		g.b = slices.DeleteFunc(g.b, func(j int) bool {
			places := left[b[j].sum] // they ascend, and so does j: those too far before it are of no use any more
			for len(places) > 0 && places[0] < j-maxMoved {
				places = places[1:]
			}
			left[b[j].sum] = places
			if len(places) == 0 || places[0] > j+maxMoved {
				return false
			}
			i := places[0]
			left[b[j].sum] = places[1:]
			found[i] = true
			c.same = append(c.same, match{dir: dir, a: &a[i], b: &b[j], moved: true})
			c.differ(Difference{Kind: Reordered, Dir: dir.String(), after: at(b[j].frame)}, dir, []int{i}, []int{j})
			return true
		})
	}
	for n := range gaps {
		gaps[n].a = slices.DeleteFunc(gaps[n].a, func(i int) bool { return found[i] })
	}
}

// gap says what stands in a gap: steps of the same name are one that has changed, the others are missing or added.
func (c *comparer) gap(dir record.Direction, g gap) {
	a, b := c.a.lanes[dir], c.b.lanes[dir]
	for len(g.a) > 0 || len(g.b) > 0 {
		i, j := c.alike(dir, g)
		d := Difference{Kind: Replaced, Dir: dir.String(), Last: g.last && i == len(g.a) && j == len(g.b), after: g.after}
		switch {
		case i == 0 && j == 0:
		case i == 0:
			d.Kind = Added
		case j == 0:
			d.Kind = Missing
		}
		if i+j > 0 {
			c.differ(d, dir, g.a[:i], g.b[:j])
		}
		if i == len(g.a) || j == len(g.b) {
			break
		}
		x, y := &a[g.a[i]], &b[g.b[j]]
		c.differ(Difference{Kind: Changed, Dir: dir.String(), Fields: c.changes(x, y), after: at(y.frame)}, dir, g.a[i:i+1], g.b[j:j+1])
		g.after = behind(y.last)
		g.a, g.b = g.a[i+1:], g.b[j+1:]
	}
}

// alike returns the places in a gap of the first two steps of the same name; the lengths of both sides if there are none.
func (c *comparer) alike(dir record.Direction, g gap) (i, j int) {
	const far = 256 // that a step of the same name is looked for
	for i = range g.a {
		for j = range g.b[:min(len(g.b), far)] {
			if c.name(&c.a.lanes[dir][g.a[i]]) == c.name(&c.b.lanes[dir][g.b[j]]) {
				return i, j
			}
		}
		if i == far {
			break
		}
	}
	return len(g.a), len(g.b)
}

func (c *comparer) name(s *step) string { return c.shapes.all[s.shape].name }

// differ adds a difference of the steps at some places.
func (c *comparer) differ(d Difference, dir record.Direction, a, b []int) {
	d.A, d.CountA = c.message(c.a.lanes[dir], a), len(a)
	d.B, d.CountB = c.message(c.b.lanes[dir], b), len(b)
	if d.B != nil {
		d.after = at(d.B.Frame)
	}
	c.all = append(c.all, d)
}

// message is the first of the steps at some places; nil if there are none.
func (c *comparer) message(lane []step, places []int) *Message {
	if len(places) == 0 {
		return nil
	}
	return c.shown(&lane[places[0]])
}

// shown is what a report has of a step.
func (c *comparer) shown(s *step) *Message {
	return &Message{Number: int(s.number), Frame: s.frame, LastFrame: s.last, Name: c.name(s)}
}

// changes lists the fields by which two steps of one name differ.
func (c *comparer) changes(x, y *step) (all []FieldDifference) {
	fx, fy := c.shapes.all[x.shape].fields, c.shapes.all[y.shape].fields
	if x.shape != y.shape && len(fx) != len(fy) {
		all = append(all, FieldDifference{Label: "fields", A: number(len(fx)), B: number(len(fy))})
	}
	for n := range min(len(fx), len(fy)) {
		f, u, v := fx[n], c.a.values[int(x.values)+n], c.b.values[int(y.values)+n]
		if f != fy[n] {
			break
		}
		if f.Refers == field.ToItself && u != v {
			all = append(all, difference(f, u, v))
		}
	}
	return all
}
