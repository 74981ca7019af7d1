// Package ends joins two captures of the same TCP connections, taken at the two ends of a path.
//
//	comparison, err := ends.Compare(func(view int) (ends.Source, error) { return pcaps.Open(names[view]) })
//
// [Compare] recognises the connections that both captures show, estimates the difference of the two clocks, and says what
// left one end and never reached the other, what the path changed, and what a capture lacks. [Comparison.Merge] reads
// both captures as one: all of one capture, and of the other what the first one lacks.
//
// Octets are compared by their places in the sequence space of TCP, not by packets, so segmentation offload at one end
// does not matter. Connections are paired by their addresses and ports, or, behind NAT, by their initial sequence
// numbers.
//
// Each capture is read once as a whole, and again where octets differ. The package keeps 40 octets for each TCP packet,
// for at most [MaxPackets] and [MaxConnections] in each capture, and does not compare what comes after these.
package ends

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/transit"
	"github.com/iwarpkit/iwarp/pcaps"
)

// A Source gives the packets of a capture, one after the other, and then io.EOF: a [pcaps.Reader], or a [pcaps.Capture].
type Source interface {
	Next(*pcaps.Record) error
}

// An Opener opens one of the two captures, 0 or 1, from its beginning.
type Opener func(view int) (Source, error)

// MaxPackets and MaxConnections are how many TCP packets and connections of each capture are compared.
const (
	MaxPackets     = 1 << 20
	MaxConnections = 1 << 16
)

// A Comparison is what two captures show together.
type Comparison struct {
	Ends        [2]flow.Party // whose end each capture was taken at; Nobody for both if they were taken at one place
	Clock       Clock
	Connections []*Connection // that both captures show, by the first packet in the first capture
	Cut         [2]bool       // the capture has more than is compared

	open      Opener
	views     [2]*view
	differing []group // packets whose octets differ
}

// A Connection is a TCP connection that both captures show.
type Connection struct {
	Translated bool           // its addresses or ports differ in the two captures
	Near       int            // the capture that was taken near the sender of direction 0; -1 if that is not known
	Ways       [2]transit.Way // by direction; 0 is that of the client, as far as SYN or ports tell

	both [2]*conn // in each capture
}

// Compare reads both captures. Without a connection that both of them show it returns nil. Errors are those of open and of
// the Sources, except for damage: what was read before it counts.
func Compare(open Opener) (*Comparison, error) {
	c := &Comparison{open: open}
	if err := c.read(); err != nil || len(c.Connections) == 0 {
		return nil, err
	}
	c.compareClocks()
	c.name()
	c.addUnanswered()
	for _, p := range c.Connections {
		for d := range p.Ways {
			c.compareWay(p, d)
		}
	}
	if err := c.readChanges(); err != nil {
		return nil, fmt.Errorf("ends: %w", err)
	}
	return c, nil
}

// CompareClocks reads both captures, and estimates how their clocks differ. The Clock is not known without a connection that both of them
// show. Errors are those of Compare.
func CompareClocks(open Opener) (Clock, error) {
	c := &Comparison{open: open}
	if err := c.read(); err != nil || len(c.Connections) == 0 {
		return Clock{}, err
	}
	c.compareClocks()
	return c.Clock, nil
}

// read reads both captures, and finds the connections that both show.
func (c *Comparison) read() error {
	for i := range c.views {
		v, err := readView(c.open, i)
		if err != nil {
			return fmt.Errorf("ends: capture %d: %w", i+1, err)
		}
		c.views[i], c.Cut[i] = v, v.full
	}
	c.pair()
	return nil
}

// name says whose end each capture was taken at: most connections decide.
func (c *Comparison) name() {
	votes := [2]int{}
	for _, p := range c.Connections {
		if p.Near >= 0 {
			votes[p.Near]++
		}
	}
	switch cmp.Compare(votes[0], votes[1]) {
	case 1:
		c.Ends = [2]flow.Party{flow.Client, flow.Server}
	case -1:
		c.Ends = [2]flow.Party{flow.Server, flow.Client}
	default:
		if votes[0] > 0 {
			c.Ends = [2]flow.Party{flow.Client, flow.Server}
		}
	}
}

// At is the capture that was taken at the end of a party, the first one for Nobody.
func (c *Comparison) At(p flow.Party) int { return max(0, slices.Index(c.Ends[:], p)) }

// SamePlace reports whether both captures were taken at one place: they say nothing of a path.
func (c *Comparison) SamePlace() bool { return c.Ends == [2]flow.Party{} }
