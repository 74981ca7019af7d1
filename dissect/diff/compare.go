package diff

// Where the messages of two connections differ.

import (
	"cmp"
	"slices"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/dissect/flow"
)

// maxMoved is how many messages of its side one may be earlier or later and counts as reordered.
const maxMoved = 64

// A comparer compares the messages of a connection of A with those of its counterpart in B.
type comparer struct {
	shapes *shapes
	a, b   *session
	same   []match // and those that have changed
	all    []Difference

	anchors []anchor
	unseen  [2]int // messages of A and of B of which the other capture does not have that part of the connection
}

// An anchor is where B has what stands in a frame of A.
type anchor struct{ a, b uint64 }

// A match is two steps that are the same, except for what differs in each run.
type match struct {
	dir   flow.Direction
	a, b  *step
	moved bool
	gaps  int // before it in its lane
	known int // place among the differences, from 1, of two steps that are not the same; 0 for those that are
}

// A gap is what stands between two matches of a lane: places of steps without a counterpart.
type gap struct {
	a, b []int
	last bool // nothing comes after it
}

// compare returns the differences in the order of B.
func (c *comparer) compare() []Difference {
	for dir := range c.a.lanes {
		if c.captured(flow.Direction(dir)) {
			c.lane(flow.Direction(dir))
		}
	}
	c.references()
	c.place()
	slices.SortStableFunc(c.all, func(x, y Difference) int {
		c := cmp.Compare(x.after, y.after)
		if c == 0 && x.Kind == Missing && y.Kind == Missing {
			c = cmp.Compare(x.A.Frame, y.A.Frame)
		}
		return c
	})
	return c.all
}

// captured reports whether both captures have packets of a side.
func (c *comparer) captured(dir flow.Direction) bool {
	for i, s := range []*session{c.a, c.b} {
		if only := s.conn.OnlySide(); only != flow.Nobody && only != flow.Sender(dir) {
			c.unseen[1-i] += len([]*session{c.a, c.b}[1-i].lanes[dir])
			return false
		}
	}
	return true
}

// oneSided reports whether a capture lacks the packets of a side.
func (c *comparer) oneSided() bool {
	return c.a.conn.OnlySide() != flow.Nobody || c.b.conn.OnlySide() != flow.Nobody
}

// joined reports whether an id joins each of the steps at some places with another one.
func joined(lane []step, places []int) bool {
	return !slices.ContainsFunc(places, func(i int) bool { return !lane[i].joined })
}

// place finds where in B what is missing should be: after all that comes before it in A.
func (c *comparer) place() {
	slices.SortFunc(c.anchors, func(x, y anchor) int { return cmp.Compare(x.a, y.a) })
	for i := 1; i < len(c.anchors); i++ {
		c.anchors[i].b = max(c.anchors[i].b, c.anchors[i-1].b)
	}
	for i := range c.all {
		if d := &c.all[i]; d.Kind == Missing {
			n, _ := slices.BinarySearchFunc(c.anchors, d.A.Frame, func(at anchor, frame uint64) int { return cmp.Compare(at.a, frame) })
			d.after = 0
			if n > 0 {
				d.after = behind(c.anchors[n-1].b)
			}
		}
	}
}

// at and after are places in the order of B.
func at(frame uint64) uint64     { return 2 * frame }
func behind(frame uint64) uint64 { return 2*frame + 1 }

// lane compares what one side sent.
func (c *comparer) lane(dir flow.Direction) {
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
		c.anchors = append(c.anchors, anchor{a[nextI].last, b[nextJ].last})
		g = gap{}
		i, j = nextI+1, nextJ+1
	})
	until(len(a), len(b))
	g.last = true
	gaps = append(gaps, g)
	c.begun(dir, &gaps[0])
	c.reordered(dir, gaps)
	for _, g := range gaps {
		c.gap(dir, g)
	}
}

// begun takes from the first gap of a lane what one capture lacks because it begins in the middle of the connection, and what it
// has there of something older: a message cut short, or a reply to a call that it lacks.
func (c *comparer) begun(dir flow.Direction, g *gap) {
	if g.last || c.a.conn.Requested == c.b.conn.Requested {
		return
	}
	late, rest, whole := c.b, &g.b, &g.a
	if c.b.conn.Requested {
		late, rest, whole = c.a, &g.a, &g.b
	}
	inA, inB := len(g.a), len(g.b)
	other := make(map[uint64]*step) // the first in the other lane that has an id
	for i := range late.lanes[1-dir] {
		if s := &late.lanes[1-dir][i]; s.joined && other[s.id] == nil {
			other[s.id] = s
		}
	}
	*rest = slices.DeleteFunc(*rest, func(i int) bool {
		s := &late.lanes[dir][i]
		o := other[s.id]
		return s.cut || s.joined && (o == nil || o.frame > s.last && !o.answers)
	})
	*whole = (*whole)[max(0, len(*whole)-len(*rest)):] // what both have of the gap is its end
	c.unseen[0] += inA - len(g.a)
	c.unseen[1] += inB - len(g.b)
}

func stepSums(all []step) []uint64 {
	sums := make([]uint64, len(all))
	for i := range all {
		sums[i] = all[i].sum
	}
	return sums
}

// reordered takes from gaps the steps that both captures have, in another place.
func (c *comparer) reordered(dir flow.Direction, gaps []gap) {
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
			c.differ(Difference{Kind: Reordered, Dir: dir.String()}, dir, []int{i}, []int{j})
			return true
		})
	}
	for n := range gaps {
		gaps[n].a = slices.DeleteFunc(gaps[n].a, func(i int) bool { return found[i] })
	}
}

// gap says what stands in a gap: steps of the same name are one that has changed, the others are missing or added.
func (c *comparer) gap(dir flow.Direction, g gap) {
	a, b := c.a.lanes[dir], c.b.lanes[dir]
	for len(g.a) > 0 || len(g.b) > 0 {
		i, j := c.alike(dir, g)
		d := Difference{Kind: Replaced, Dir: dir.String(), Last: g.last && i == len(g.a) && j == len(g.b)}
		switch {
		case i == 0 && j == 0:
		case i == 0:
			d.Kind = Added
		case j == 0:
			d.Kind = Missing
		case i == 1 && j == 1:
			d.Fields = c.values(&a[g.a[0]], &b[g.b[0]])
		}
		switch {
		case i+j == 0:
		case i == j && c.oneSided() && joined(a, g.a[:i]) && joined(b, g.b[:j]): // a reply says less without its call
			c.unseen[0] += i
			c.unseen[1] += j
		default:
			c.differ(d, dir, g.a[:i], g.b[:j])
			if i == 1 && j == 1 {
				c.known(dir, &a[g.a[0]], &b[g.b[0]])
			}
		}
		if i == len(g.a) || j == len(g.b) {
			break
		}
		x, y := &a[g.a[i]], &b[g.b[j]]
		c.differ(Difference{Kind: Changed, Dir: dir.String(), Fields: c.changes(x, y)}, dir, g.a[i:i+1], g.b[j:j+1])
		c.known(dir, x, y)
		c.anchors = append(c.anchors, anchor{x.last, y.last})
		g.a, g.b = g.a[i+1:], g.b[j+1:]
	}
}

// known adds two steps that the latest difference is about to those whose references are looked at.
func (c *comparer) known(dir flow.Direction, x, y *step) {
	c.same = append(c.same, match{dir: dir, a: x, b: y, moved: true, known: len(c.all)})
}

// alike returns the places in a gap of the first two steps that are alike; the lengths of both sides if there are none.
func (c *comparer) alike(dir flow.Direction, g gap) (i, j int) {
	const far = 256 // that one is looked for
	for i = range g.a {
		for j = range g.b[:min(len(g.b), far)] {
			if c.likely(&c.a.lanes[dir][g.a[i]], &c.b.lanes[dir][g.b[j]]) {
				return i, j
			}
		}
		if i == far {
			break
		}
	}
	return len(g.a), len(g.b)
}

// likely reports whether two steps can be the same except for their values.
func (c *comparer) likely(x, y *step) bool {
	name := c.shapes.all[x.shape].name
	return x.shape == y.shape || name != "" && name == c.shapes.all[y.shape].name
}

func (c *comparer) name(s *step) string { return c.shapes.names[s.name] }

// differ adds a difference of the steps at some places.
func (c *comparer) differ(d Difference, dir flow.Direction, a, b []int) {
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

// changes lists the fields by which two steps differ, or says that they have others.
func (c *comparer) changes(x, y *step) []FieldDifference {
	all := c.values(x, y)
	if all == nil {
		fx, fy := c.shapes.all[x.shape].fields, c.shapes.all[y.shape].fields
		all = append(all, FieldDifference{Label: "fields", A: number(len(fx)), B: number(len(fy))})
	}
	return all
}

// values lists the fields that two steps both have, with other values. Behind a field that only one of them has none is compared.
func (c *comparer) values(x, y *step) (all []FieldDifference) {
	fx, fy := c.shapes.all[x.shape].fields, c.shapes.all[y.shape].fields
	for n := 0; n < min(len(fx), len(fy)) && fx[n] == fy[n]; n++ {
		f, u, v := fx[n], c.a.values[int(x.values)+n], c.b.values[int(y.values)+n]
		if f.Refers == field.ToItself && u != v {
			all = append(all, difference(f, u, v))
		}
	}
	return all
}
