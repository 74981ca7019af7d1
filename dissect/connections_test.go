package dissect

import (
	"slices"
	"testing"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/session"
)

// A namedCarrier notes in ended that its connection was finished.
type namedCarrier struct {
	name  string
	ended *[]string
}

func (c *namedCarrier) address() address { return address{stream: uint16(c.name[0])} }
func (c *namedCarrier) finish()          { *c.ended = append(*c.ended, c.name) }

// TestGiveUp looks which connection goes when there are too many: those that are over first, then those that are not known
// to be iWARP, each the idlest first.
func TestGiveUp(t *testing.T) {
	var ended []string
	l := connections{max: 3, shared: new(session.Shared)}
	add := func(name string) *connection {
		c := &connection{Stream: new(session.Stream), carrier: &namedCarrier{name, &ended}}
		l.add(c)
		return c
	}
	a, b := add("a"), add("b")
	c := add("c")
	c.Conn = new(flow.Conn)
	l.sort(c)
	l.use(a)
	add("d") // b is the idlest
	a.Over = true
	l.sort(a)
	add("e") // a is over
	l.close()
	if want := []string{"b", "a", "d", "e", "c"}; !slices.Equal(ended, want) {
		t.Errorf("ended %v, want %v", ended, want)
	}
	if l.n != 0 || !l.forgotten.has(a.address(), false) || l.forgotten.has(b.address(), false) {
		t.Errorf("%d connections are left", l.n)
	}
}
