package player

import (
	"bytes"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A blame remembers recently sent segments, which a Terminate of the other side may be about.
type blame struct {
	all    culprits
	byStep map[int]*culprits // by the number of the step: those of the steps that a Refusal is about
}

// newBlame remembers the segments of the steps that the Refusals of the script are about, however many follow them.
func newBlame(s *script) *blame {
	b := &blame{byStep: make(map[int]*culprits)}
	for _, e := range s.theirs {
		for _, r := range refusals(e.Do) {
			if r.To != 0 {
				b.byStep[r.To] = new(culprits)
			}
		}
	}
	return b
}

// sent remembers a ULPDU of a step, given in parts; step is 0 for none.
func (b *blame) sent(step int, parts ...[]byte) {
	b.all.add(parts...)
	if c := b.byStep[step]; c != nil {
		c.add(parts...)
	}
}

// find returns the segment that a Terminate is about, or nil.
func (b *blame) find(t *rdmap.Terminate) *rules.Culprit { return b.all.find(t) }

// refused returns the segment that a Terminate is, or should be, about, for a Refusal. It is nil if there is none.
func (b *blame) refused(r *scenario.Refusal, t *rdmap.Terminate) *rules.Culprit {
	c := b.byStep[r.To]
	if c == nil {
		return b.all.find(t)
	}
	if found := c.find(t); found != nil {
		return found
	}
	return c.latest()
}

// elsewhere reports whether a Terminate is about a segment, but none of the step that a Refusal is about.
func (b *blame) elsewhere(r *scenario.Refusal, t *rdmap.Terminate) bool {
	c := b.byStep[r.To]
	return c != nil && c.find(t) == nil && b.all.find(t) != nil
}

// maxCulprits limits the remembered segments, in total and of each step.
const maxCulprits = 64

// culprits are the latest segments.
type culprits struct {
	ring  []culprit // up to maxCulprits
	added int
}

// A culprit is the headers of a sent ULPDU.
type culprit struct {
	header    [ddp.UntaggedLen + rdmap.AtomicRequestLen]byte
	headerLen int
	length    int // of the ULPDU
}

func (c *culprits) add(parts ...[]byte) {
	if len(c.ring) < maxCulprits {
		c.ring = append(c.ring, culprit{})
	}
	k := &c.ring[c.added%maxCulprits]
	k.headerLen, k.length = 0, 0
	for _, part := range parts {
		k.headerLen += copy(k.header[k.headerLen:], part)
		k.length += len(part)
	}
	c.added++
}

// find returns the latest segment whose header a Terminate encloses, or nil.
func (c *culprits) find(t *rdmap.Terminate) *rules.Culprit {
	header, err := t.Header.AppendBinary(nil)
	if err != nil {
		return nil
	}
	for i := c.added - 1; i >= max(0, c.added-maxCulprits); i-- {
		if k := &c.ring[i%maxCulprits]; bytes.HasPrefix(k.header[:k.headerLen], header) {
			return k.export()
		}
	}
	return nil
}

func (c *culprits) latest() *rules.Culprit {
	if c.added == 0 {
		return nil
	}
	return c.ring[(c.added-1)%maxCulprits].export()
}

func (k *culprit) export() *rules.Culprit {
	return &rules.Culprit{Header: k.header[:k.headerLen], ULPDU: k.length}
}
