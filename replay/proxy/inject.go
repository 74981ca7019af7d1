package proxy

// Messages that a Rule adds to what a side sends.

import (
	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
)

// maxPosted is how many messages wait until they can be added to a direction.
const maxPosted = 64

// injectedULPDU is the most octets of a ULPDU of an added message: it fits a TCP segment of Ethernet.
const injectedULPDU = 1400

// inject adds a message: at once if the same side sends it and no segment of its message is to follow, else as soon as the side that
// sends it has passed on what it is passing on.
func (c *direction) inject(a *action) error {
	to := c
	if a.side != nil {
		to = &c.directions[*a.side]
	}
	if m := &c.message; to == c && (!m.begun || m.tagged || m.last) {
		return c.send(a)
	}
	to.posted.Lock()
	defer to.posted.Unlock()
	if len(to.posted.all) < maxPosted {
		to.posted.all = append(to.posted.all, a)
	}
	return nil
}

// nextPosted takes the next message that waits; nil if there is none.
func (c *direction) nextPosted() (a *action) {
	c.posted.Lock()
	defer c.posted.Unlock()
	if len(c.posted.all) > 0 {
		a, c.posted.all = c.posted.all[0], c.posted.all[1:]
	}
	return a
}

func (c *direction) hasPosted() bool {
	c.posted.Lock()
	defer c.posted.Unlock()
	return len(c.posted.all) > 0
}

// deliverPosted sends the messages that wait, unless a goroutine is sending, or a message is not complete: they go after it then.
func (c *direction) deliverPosted() {
	for c.hasPosted() && c.mu.TryLock() {
		if m := &c.message; m.begun && m.decided && !m.tagged {
			c.mu.Unlock()
			return
		}
		c.foreign = true
		if a := c.nextPosted(); a != nil {
			if err := c.send(a); err != nil && err != errOver {
				c.conn.reset(1 - c.side)
			}
		}
		c.foreign = false
		c.mu.Unlock()
	}
}

// send sends a message in the stream of the side. Nothing is sent before full operation, but octets outside of FPDUs.
func (c *direction) send(a *action) error {
	if o, ok := a.message.(*scenario.Octets); ok {
		return c.sendOctets(o)
	}
	if c.phase != fpdus {
		return nil
	}
	if f, ok := a.message.(*scenario.FPDU); ok {
		b, err := c.sender().FPDU(nil, f, &c.out, nil)
		if err != nil {
			return err
		}
		ulpdu, err := c.sender().Segment(nil, &f.Segment, nil)
		if err == nil {
			c.count(ulpdu, a.raw)
		}
		return c.sendPieces(b, f.Splits)
	}
	var p fault.Parcel
	switch m := a.message.(type) {
	case *scenario.Message:
		out, err := c.sender().Message(m, nil, nil)
		if err != nil {
			return err
		}
		for ulpdu, ok := out.Next(nil, injectedULPDU); ok; ulpdu, ok = out.Next(nil, injectedULPDU) {
			p.ULPDUs = append(p.ULPDUs, ulpdu)
		}
	case *scenario.Segment:
		ulpdu, err := c.sender().Segment(nil, m, nil)
		if err != nil {
			return err
		}
		p.ULPDUs = [][]byte{ulpdu}
	}
	for _, ulpdu := range p.ULPDUs {
		c.count(ulpdu, a.raw)
	}
	return p.Deliver(c, &c.out)
}

// sender returns what makes messages with the next MSNs of the side.
func (c *direction) sender() *scenario.Sender {
	s := scenario.NewSender(c.version)
	for qn, n := range c.numbers {
		h := rdmap.Header{Untagged: ddp.Untagged{QN: qn, MSN: n.last + 1}}
		b, _ := h.AppendBinary(nil) // every value fits
		s.Resume(b)
	}
	return s
}

// count counts an added segment that ends a message with the next MSN of its queue: those of the side come after it.
func (c *direction) count(ulpdu []byte, raw bool) {
	var h rdmap.Header
	if _, err := h.Decode(ulpdu); err != nil || h.T || !h.Untagged.L {
		return
	}
	if n := c.number(h.Untagged.QN); h.Untagged.MSN == n.last+1 && !raw {
		n.last++
		n.shift++
	}
}

// sendOctets sends octets outside of FPDUs.
func (c *direction) sendOctets(o *scenario.Octets) error {
	b, err := o.Payload.AppendOctets(nil, nil)
	if err != nil {
		return err
	}
	c.out.Skip(uint64(len(b)))
	return c.sendPieces(b, o.Splits)
}

// sendPieces sends octets, in pieces that end at some offsets.
func (c *direction) sendPieces(b []byte, splits []int) error {
	from := 0
	for _, at := range append(splits[:len(splits):len(splits)], len(b)) {
		if at > len(b) || at < from {
			continue
		}
		if err := c.Send(b[from:at]); err != nil {
			return err
		}
		from = at
	}
	return nil
}
