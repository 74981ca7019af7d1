package proxy

// One direction of a connection whose messages Rules alter: it finds MPA frames and messages in what a side sends.

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim/fault"
)

// MaxMessage is how many octets of a message a Proxy with Rules holds until its filters have seen all of it: a longer one is decided by
// its first octets. One more message may wait for the next one.
const MaxMessage = 256 << 10

// A phase is what the octets of a direction are.
type phase uint8

const (
	startup  phase = iota // octets before an MPA frame, and that
	awaiting              // none are due: the other side has not answered
	fpdus                 // of full operation
	plain                 // not understood
)

// A direction is what one side sends.
type direction struct {
	*alteration
	side    Side
	relay   *relay
	actions []actionState // by the place of its action among those of all Rules

	mu      sync.Mutex // guards all below, and the output
	foreign bool       // another goroutine than the relay's sends
	phase   phase
	held    []byte       // octets not decided upon: the beginning of an MPA frame or FPDU
	frames  [2]mpa.Frame // the latest MPA frame
	at      uint64       // place of held among the FPDUs
	in      mpa.Deframer
	sent    mpa.Options // of what the side sends
	out     mpa.Framer  // of what is passed on
	numbers map[uint32]*numbering
	version uint8 // of DDP and RDMAP
	message message
	late    late        // waits for the next message
	silent  atomic.Bool // nothing more is passed on

	posted struct {
		sync.Mutex
		all []*action
	}
}

// An actionState is the state of an action on one direction.
type actionState struct {
	*action
	rule int
	fault.Hazard
}

// A message is what is held of a message, and what is done with the rest of it.
type message struct {
	kind    kind
	fpdus   []fpdu
	size    int // octets held
	begun   bool
	decided bool   // some of it was decided upon
	counted []bool // by actionState: the message was counted
	lasting []*actionState
	hits    []bool // by Rule
	upper   []placed
	tagged  bool
	number  uint64 // STag, or QN and MSN
	last    bool   // its last segment is among fpdus
}

// An fpdu is an FPDU as it came.
type fpdu struct {
	raw   []byte
	at    uint64 // its place among the FPDUs of the side
	ulpdu []byte
	bad   bool // its CRC is wrong
}

// maxNumbered limits the queues whose MSNs are made consistent. RDMAP has four.
const maxNumbered = 64

// A numbering is what Rules have done to the MSNs of a queue.
type numbering struct {
	shift uint32 // added to the MSNs of the side
	last  uint32 // passed on
}

// take takes octets that the side has sent, and passes on what is complete.
func (c *direction) take(b []byte, urgent bool) error {
	c.mu.Lock()
	err := c.read(b, urgent)
	c.mu.Unlock()
	for side := range c.directions {
		c.directions[side].deliverPosted()
	}
	return err
}

func (c *direction) read(b []byte, urgent bool) error {
	if urgent && c.phase != plain { // no FPDU has such octets
		c.relay.urgent = false // of what is held
		err := c.giveUp()
		if c.relay.urgent = true; err != nil {
			return err
		}
	}
	switch c.phase {
	case startup:
		c.held = append(c.held, b...)
		return c.begin()
	case fpdus:
		return c.deframe(b)
	case awaiting:
		c.phase = plain
	}
	c.follow(b)
	return c.pass(b)
}

// giveUp passes on what is held, and alters nothing more.
func (c *direction) giveUp() error {
	err := c.finishMessages()
	if err == nil {
		err = c.pass(c.held)
	}
	c.held, c.phase, c.message = nil, plain, message{}
	return err
}

// finishMessages passes on the messages that are held.
func (c *direction) finishMessages() error {
	if err := c.decide(); err != nil {
		return err
	}
	return c.release()
}

// finish passes on what is held, and what the other direction has added, before a FIN.
func (c *direction) finish() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.finishMessages(); err != nil {
		return err
	}
	for a := c.nextPosted(); a != nil; a = c.nextPosted() {
		if err := c.send(a); err != nil {
			return err
		}
	}
	if err := c.giveUp(); err != nil {
		return err
	}
	return c.awaitGate()
}

// pass passes on octets as they are.
func (c *direction) pass(b []byte) error {
	if c.silent.Load() || len(b) == 0 {
		return nil
	}
	if err := c.awaitGate(); err != nil {
		return err
	}
	return c.Send(b)
}

// follow shows octets to the follower, and returns which Rules select them.
func (c *direction) follow(b []byte) (hits []bool, upper []placed) {
	c.follower.mu.Lock()
	hits, upper, over := c.follower.take(c.side, b)
	hits, upper = slices.Clone(hits), slices.Clone(upper)
	c.follower.mu.Unlock()
	if over {
		c.conn.unruled()
	}
	return hits, upper
}

// key returns what an MPA frame of the side begins with.
func (c *direction) key() string {
	if c.side == Server {
		return mpa.ReplyKey
	}
	return mpa.RequestKey
}

// begin looks for an MPA frame. It passes on what cannot belong to one.
func (c *direction) begin() error {
	for c.phase == startup && len(c.held) > 0 {
		n := before(c.held, c.key())
		if n > 0 {
			c.follow(c.held[:n])
			if err := c.pass(c.held[:n]); err != nil {
				return err
			}
			c.held = c.held[n:]
			continue
		}
		var f mpa.Frame
		n, err := f.Decode(c.held)
		if err != nil { // it is cut
			return nil
		}
		frame := slices.Clone(c.held[:n])
		c.held = c.held[n:]
		if err := c.frame(frame); err != nil {
			return err
		}
	}
	rest := c.held
	c.held = nil
	if c.phase == startup || len(rest) == 0 {
		return nil
	}
	return c.read(rest, false)
}

// before returns how many octets stand before a key. Of octets without one, only those that are the beginning of a key wait for more.
func before(b []byte, key string) int {
	if i := bytes.Index(b, []byte(key)); i >= 0 {
		return i
	}
	if strings.HasPrefix(key, string(b)) {
		return 0
	}
	return len(b)
}

// frame passes on an MPA frame.
func (c *direction) frame(octets []byte) error {
	hits, _ := c.follow(octets)
	m := message{kind: fault.MPARequest, hits: hits}
	if c.side == Server {
		m.kind = fault.MPAReply
	}
	due := c.due(&m)
	p := fault.Parcel{Octets: octets}
	raw := false
	for _, h := range due {
		c.addTo(&p, h)
		raw = raw || h.raw
	}
	delivered := octets
	if !raw {
		delivered = p.Frame()
	}
	c.agree(octets, delivered)
	return c.perform(&m, &p, due)
}

// agree takes a frame as it was sent and is delivered. With a Reply, FPDUs begin.
func (c *direction) agree(sent, delivered []byte) {
	c.frames[asSent].Decode(slices.Clone(sent))
	c.frames[asDelivered].Decode(slices.Clone(delivered))
	c.phase = awaiting
	if c.side == Client {
		return
	}
	client := &c.directions[Client]
	client.mu.Lock()
	defer client.mu.Unlock()
	if client.phase != awaiting {
		c.phase = plain
		return
	}
	front := rules.Negotiate(&client.frames[asSent], &c.frames[asDelivered])
	back := rules.Negotiate(&client.frames[asDelivered], &c.frames[asSent])
	if front.Rejected || back.Rejected { // another Request may follow
		c.phase, client.phase = startup, startup
		return
	}
	client.operate(front.Framing(true), back.Framing(true), back.DDPVersion)
	c.operate(back.Framing(false), front.Framing(false), front.DDPVersion)
}

// The frames of a direction.
const (
	asSent = iota
	asDelivered
)

// operate begins full operation.
func (c *direction) operate(sent, delivered mpa.Options, version uint8) {
	c.phase, c.sent, c.version, c.at = fpdus, sent, version, 0
	c.in.Reset(sent)
	c.out.Reset(delivered)
}

// deframe takes octets of FPDUs.
func (c *direction) deframe(b []byte) error {
	c.held = append(c.held, b...)
	c.in.Push(b)
	var f mpa.Deframed
	done := 0
	for c.in.Next(&f) {
		end := int(f.End - c.at)
		if err := c.segment(&f, c.held[done:end]); err != nil {
			return err
		}
		done = end
	}
	c.at += uint64(done)
	c.held = append(c.held[:0], c.held[done:]...)
	return nil
}

// segment takes an FPDU.
func (c *direction) segment(f *mpa.Deframed, raw []byte) error {
	hits, upper := c.follow(raw)
	var h rdmap.Header
	if _, err := h.Decode(f.ULPDU); err != nil && len(f.ULPDU) < ddp.TaggedLen {
		if err := c.decide(); err != nil {
			return err
		}
		return c.passFPDU(&fpdu{slices.Clone(raw), f.Start, slices.Clone(f.ULPDU), f.Verdict == mpa.Bad})
	}
	m := &c.message
	if !m.goesOn(&h) {
		if err := c.decide(); err != nil {
			return err
		}
		c.newMessage(&h)
	}
	m.fpdus = append(m.fpdus, fpdu{slices.Clone(raw), f.Start, slices.Clone(f.ULPDU), f.Verdict == mpa.Bad})
	m.size += len(f.ULPDU)
	for i, hit := range hits {
		m.hits[i] = m.hits[i] || hit
	}
	if len(upper) > 0 {
		m.upper = upper
	}
	m.last = h.T && h.Tagged.L || !h.T && h.Untagged.L
	if h.T || m.last || m.size > MaxMessage {
		return c.decide()
	}
	return nil
}

// numberOf returns what all segments of a message have.
func numberOf(h *rdmap.Header) uint64 {
	if h.T {
		return uint64(h.Tagged.STag)
	}
	return uint64(h.Untagged.QN)<<32 | uint64(h.Untagged.MSN)
}

// goesOn reports whether a segment belongs to the message.
func (m *message) goesOn(h *rdmap.Header) bool {
	return m.begun && m.tagged == h.T && m.kind == fault.OfOpcode(h.Control.Opcode) && m.number == numberOf(h)
}

func (c *direction) newMessage(h *rdmap.Header) {
	c.message = message{
		begun: true, kind: fault.OfOpcode(h.Control.Opcode), tagged: h.T, number: numberOf(h),
		counted: make([]bool, len(c.actions)), hits: make([]bool, len(c.follower.hits)),
	}
}
