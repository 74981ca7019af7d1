package player

import (
	"bytes"
	"cmp"
	"encoding/binary"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// A lanes assembles the messages of the other side from their segments, and assigns them to the steps of the script.
type lanes struct {
	script   *script
	known    *known
	verdicts *verdicts
	instead  *instead // where the latest ULPDU should have been; nil if it was right
	open     [numLanes][]*message
	spare    [][]byte // payload buffers for reuse
}

// An instead is the place in a queue of a message that something else replaced.
type instead struct{ qn, msn uint32 }

// A message is one of the other side whose last segment has not arrived.
type message struct {
	step       *expected             // nil if no step expects it; then it is discarded
	first      [ddp.UntaggedLen]byte // DDP header of the first segment
	next       [ddp.UntaggedLen]byte // DDP header of the next segment, without L
	headerLen  int                   // octets of these
	due        uint32                // MSN that was due, if it is untagged
	length     int                   // octets after the DDP headers
	body       []byte                // the first of them, up to limit
	limit      int
	candidates []candidate
	paused     bool   // a Write has ended, and another one must bring the rest
	split      string // why its division differs from the expected one; empty if it does not
}

type candidate struct {
	message *scenario.Message
	header  []byte // DDP and RDMAP headers of the first segment
	values  scenario.Values
	why     string   // why it is tolerated; empty if it is right
	refused *refused // the Refusal that message is the Terminate for; nil if none
}

// lBit is the L bit in the first octet of a ULPDU.
const lBit = 0x40

// Offsets in DDP headers.
const (
	offQN  = 6
	offTO  = 6
	offMSN = 10
	offMO  = 14
)

// receive handles a ULPDU, which f carried.
func (l *lanes) receive(u []byte, f *mpa.Deframed) {
	l.instead = nil
	l.assign(laneOf(u), u, f)
	if i := l.instead; i != nil {
		l.known.numbers.SentInstead(u, i.qn, i.msn)
	} else {
		l.known.numbers.Sent(u)
	}
}

// assign adds a ULPDU to the message that it belongs to, and the message to its step.
func (l *lanes) assign(id laneID, u []byte, f *mpa.Deframed) {
	m := l.continued(id, u)
	if m == nil {
		m = l.resume(id, u)
	}
	switch {
	case m == nil:
		if m = l.begin(id, u, f); m == nil {
			return
		}
	case m.paused:
		m.paused, m.split = false, "it was divided into several Writes"
	}
	l.add(id, m, u[m.headerLen:], u[0]&lBit != 0)
}

// continued returns the message in progress that a ULPDU continues, or nil.
func (l *lanes) continued(id laneID, u []byte) *message {
	for _, m := range l.open[id] {
		if n := m.headerLen; len(u) >= n && u[0]&^lBit == m.next[0] && bytes.Equal(u[1:n], m.next[1:n]) {
			return m
		}
	}
	return nil
}

// resume handles a ULPDU that does not continue the message in progress of its queue where it should. It returns that
// message if the ULPDU seems to belong to it all the same, and ends the message otherwise.
func (l *lanes) resume(id laneID, u []byte) *message {
	if id > laneAtomic || len(l.open[id]) == 0 {
		return nil
	}
	m := l.open[id][0]
	if m.step != nil {
		d := &outcome.Diff{Layer: outcome.ULPDU, Expected: bytes.Clone(m.next[:m.headerLen]), Actual: bytes.Clone(u[:m.headerLen])}
		d.Expected[0] |= u[0] & lBit
		l.script.mark(m.step, mismatched("a segment of it does not continue where the previous one ended: "+difference(d), d))
	}
	if bytes.Equal(u[offMSN:offMSN+4], m.next[offMSN:offMSN+4]) {
		copy(m.next[:], u[:m.headerLen])
		m.next[0] &^= lBit
		return m
	}
	if m.step != nil {
		l.script.conclude(m.step, mismatched("", nil))
		l.free(m)
	}
	l.open[id] = l.open[id][:0]
	return nil
}

// begin returns the message that begins with a ULPDU. It is nil if the ULPDU alone was judged.
func (l *lanes) begin(id laneID, u []byte, f *mpa.Deframed) *message {
	if l.script.probing && id == laneResponse && l.answersProbe(u) {
		l.script.probing = false
		l.script.completeOwn()
		return nil
	}
	e := l.choose(id, u)
	if !isLegal(u) {
		if misplaced := l.misplaced(id, u, e); misplaced != nil {
			misplaced.begun = true
			l.noteInstead(misplaced.Do)
			l.script.conclude(misplaced, l.verdicts.segment(misplaced.Step, u, f))
			return nil
		}
	}
	if e == nil {
		return l.surplus(id, u)
	}
	if v, ok := l.verdicts.single(e, u, f); ok {
		e.begun = true
		l.script.conclude(e, v)
		return nil
	}
	m := newMessage(u)
	l.expect(m, e, u)
	m.body = l.buffer()
	l.open[id] = append(l.open[id], m)
	return m
}

// isLegal reports whether the headers of a ULPDU break no rule.
func isLegal(u []byte) bool {
	var h rdmap.Header
	_, err := h.Decode(u)
	return err == nil && h.Check() == nil
}

// misplaced returns the step that a ULPDU in the wrong queue seems to belong to, or nil. e is the one that expects it
// in that queue, if any.
func (l *lanes) misplaced(id laneID, u []byte, e *expected) *expected {
	var f *expected
	if len(u) > rdmap.ControlOff {
		o := opcodeOf(u)
		f = l.script.queues[opcodeLane(o, o.Tagged())].front()
	}
	if e == nil {
		return cmp.Or(f, l.script.nextSegment())
	}
	if _, ok := e.Do.(*scenario.Message); ok && id != laneOther && f != nil && f.index < e.index {
		return f
	}
	return nil
}

// noteInstead records that something else arrived in place of an action.
func (l *lanes) noteInstead(a scenario.Action) {
	if do, ok := scenario.First(a).(*scenario.Message); ok && !do.Opcode.Tagged() {
		qn, _ := do.Opcode.QN()
		l.instead = &instead{qn, l.known.numbers.Due(qn)}
	}
}

// answersProbe reports whether a ULPDU answers our Probe: it is empty, for STag 0 and TO 0, and no step expects that.
func (l *lanes) answersProbe(u []byte) bool {
	nowhere := [ddp.TaggedLen - 2]byte{}
	return len(u) == ddp.TaggedLen && u[0]&lBit != 0 && bytes.Equal(u[2:], nowhere[:]) && l.stepAt(laneResponse, 0, 0) == nil
}

// choose returns the step that expects a message which begins with a ULPDU, or nil.
func (l *lanes) choose(id laneID, u []byte) *expected {
	q := &l.script.queues[id]
	e := q.front()
	if e == nil {
		return q.late()
	}
	if id != laneWrite && id != laneResponse {
		return e
	}
	if _, ok := e.Do.(*scenario.Message); !ok {
		return e
	}
	stag, to := position(u)
	if e := l.stepAt(id, stag, to); e != nil {
		return e
	}
	for _, e := range q.within() {
		if !e.over && !e.begun {
			return e
		}
	}
	return nil
}

// stepAt returns the step of a lane that is a tagged message beginning at a place, or nil.
func (l *lanes) stepAt(id laneID, stag uint32, to uint64) *expected {
	for _, e := range l.script.queues[id].within() {
		if e.over || e.begun {
			continue
		}
		m, ok := e.Do.(*scenario.Message)
		if !ok {
			return nil // nothing passes an action that is not a Message
		}
		if s, t, known := l.known.start(m); known && s == stag && t == to {
			return e
		}
	}
	return nil
}

// surplus handles a message for which its lane has no step. It returns the message if more of it is to follow.
func (l *lanes) surplus(id laneID, u []byte) *message {
	if n := ddp.HeaderLen(u); len(u) > n && u[0]&lBit != 0 && len(l.script.queues[id].astray) > 0 {
		m := newMessage(u)
		m.body, m.length = bytes.Clone(u[n:]), len(u)-n
		m.due = l.dueFor(u)
		if e, c := l.earlier(&l.script.queues[id], m); e != nil {
			l.settle(m, l.assignTo(m, e, c, nil))
			return nil
		}
	}
	return l.discard(id, u)
}

// dueFor returns the MSN that is due in the queue of a ULPDU; 0 for a tagged one.
func (l *lanes) dueFor(u []byte) uint32 {
	if len(u) < ddp.UntaggedLen || ddp.IsTagged(u) {
		return 0
	}
	return l.known.numbers.Due(binary.BigEndian.Uint32(u[offQN:]))
}

// discard records an unexpected message. It returns the message if more of it is to follow.
func (l *lanes) discard(id laneID, u []byte) *message {
	var h rdmap.Header
	n, err := h.Decode(u)
	name, headers := "a segment that is too short", len(u)
	if err == nil {
		name = "a " + h.Control.Opcode.String()
	}
	if h.Control.Opcode == rdmap.OpTerminate {
		name += l.verdicts.terminateText(u)
	} else if err == nil {
		headers = min(len(u), n+h.Control.Opcode.RDMAPHeaderLen())
	}
	d := &outcome.Diff{Layer: outcome.ULPDU, Actual: head(u[:headers])}
	payload := u[len(d.Actual):]
	d.Got = outcome.NewExcerpt(payload, nil, 0, len(payload))
	if err == nil && h.Control.Opcode.IsSend() {
		d.ActualSend = bytes.Clone(payload[:min(len(payload), outcome.MaxSend)])
	}
	if err == nil && !h.T {
		l.instead = &instead{h.Untagged.QN, l.dueFor(u)}
	}
	l.script.unexpected(name+" is unexpected", d)
	if len(u) < ddp.TaggedLen || len(u) < ddp.HeaderLen(u) || u[0]&lBit != 0 || len(l.open[id]) >= window {
		return nil
	}
	m := newMessage(u)
	m.due = l.dueFor(u)
	l.open[id] = append(l.open[id], m)
	return m
}

func newMessage(u []byte) *message {
	m := &message{headerLen: ddp.HeaderLen(u)}
	copy(m.first[:], u[:min(m.headerLen, len(u))])
	m.next = m.first
	m.next[0] &^= lBit
	return m
}

// expect makes m the message of step e, which begins with a ULPDU.
func (l *lanes) expect(m *message, e *expected, u []byte) {
	m.step, e.begun, e.assembling = e, true, true
	m.candidates, m.limit = m.candidates[:0], 0
	_, several := e.Do.(*scenario.OneOf)
	for why, each := range scenario.Alternatives(e.Do) {
		if lanesOf(each)&(1<<laneOf(u)) == 0 {
			continue
		}
		var c candidate
		switch do := each.(type) {
		case *scenario.Message:
			c.message = do
		case scenario.Probe:
			c.message = &scenario.Message{Opcode: rdmap.OpReadRequest}
		case *scenario.Refusal:
			var ok bool
			if c, ok = l.verdicts.refuse(do, u); !ok {
				continue
			}
		default:
			continue
		}
		c.why, c.values = why, l.known.values
		if several {
			c.values = l.known.trial()
		}
		pattern := several && c.message == each
		c.header = l.known.numbers.ExpectMessage(c.message, l.known.requests[c.message.To], u, c.values, pattern)
		m.candidates = append(m.candidates, c)
		if len(m.candidates) == 1 && m.headerLen == ddp.UntaggedLen {
			m.due = binary.BigEndian.Uint32(c.header[offMSN:])
			m.limit = l.script.queues[laneOf(u)].longest + outcome.MaxExcerpt
		}
		m.limit = max(m.limit, len(c.header)-ddp.TaggedLen+c.message.Payload.Len()+outcome.MaxExcerpt)
	}
}

// add adds the payload of a segment, RDMAP header included, to a message.
func (l *lanes) add(id laneID, m *message, payload []byte, last bool) {
	if m.step != nil && id == laneWrite {
		payload = l.spread(m, payload)
	}
	m.advance(len(payload))
	if m.step != nil {
		l.keep(m, payload)
	}
	switch {
	case !last:
	case m.step == nil:
		l.remove(id, m)
		l.instead = m.instead()
	case id == laneWrite && m.length < m.candidates[0].message.Payload.Len() && m.sameDDP(&m.candidates[0]):
		m.paused = true
		l.script.clock.moved()
	default:
		l.remove(id, m)
		l.conclude(id, m)
	}
}

// spread gives the octets of a Write beyond those of its step to the next steps, if these continue there. It returns
// the octets of the last of them.
func (l *lanes) spread(m *message, payload []byte) []byte {
	for len(m.candidates) == 1 {
		want := m.candidates[0].message.Payload
		room := want.Len() - m.length
		if bound(want) < 0 || room < 0 || len(payload) <= room {
			break
		}
		stag, to := position(m.next[:])
		next := l.stepAt(laneWrite, stag, to+uint64(room))
		if next == nil {
			break
		}
		m.advance(room)
		l.keep(m, payload[:room])
		payload = payload[room:]
		m.split = "it was joined with the next Write"
		l.conclude(laneWrite, m)
		m.split, m.first, m.body, m.length = "it was joined with the previous Write", m.next, l.buffer(), 0
		m.first[0] |= lBit
		m.candidates = nil
		l.expect(m, next, m.first[:m.headerLen])
	}
	return payload
}

// keep appends payload to the body, up to the limit.
func (l *lanes) keep(m *message, payload []byte) {
	room := max(0, m.limit-m.length)
	m.length += len(payload)
	m.step.length = m.length
	m.body = append(m.body, payload[:min(room, len(payload))]...)
	l.script.clock.received(len(payload))
}

// advance moves the header of the next segment on by octets of payload.
func (m *message) advance(n int) {
	if m.headerLen == ddp.TaggedLen {
		binary.BigEndian.PutUint64(m.next[offTO:], binary.BigEndian.Uint64(m.next[offTO:])+uint64(n))
	} else {
		binary.BigEndian.PutUint32(m.next[offMO:], binary.BigEndian.Uint32(m.next[offMO:])+uint32(n))
	}
}

func (l *lanes) conclude(id laneID, m *message) {
	v := l.verdicts.message(m)
	switch q := &l.script.queues[id]; {
	case v.Verdict == outcome.Mismatched:
		v = l.realign(q, m, v)
	case len(q.astray) > 0 && l.script.early(m.step):
		if e, c := l.earlier(q, m); e != nil {
			v = l.assignTo(m, e, c, nil)
		}
	}
	l.settle(m, v)
}

// settle gives the step of a message its verdict.
func (l *lanes) settle(m *message, v verdict) {
	l.known.received(m.step.Step, m.first[:m.headerLen], m.body)
	l.script.conclude(m.step, v)
	l.free(m)
}

func (l *lanes) remove(id laneID, m *message) {
	open := l.open[id]
	for i := range open {
		if open[i] == m {
			open[i] = open[len(open)-1]
			l.open[id] = open[:len(open)-1]
			return
		}
	}
}

func (l *lanes) buffer() (b []byte) {
	if n := len(l.spare); n > 0 {
		b, l.spare = l.spare[n-1][:0], l.spare[:n-1]
	}
	return b
}

// free keeps the buffer of a message for the next one.
func (l *lanes) free(m *message) {
	const limit = 4 // buffers
	if m.body != nil && len(l.spare) < limit {
		l.spare = append(l.spare, m.body)
	}
	m.body = nil
}

// concerned returns the step that an FPDU belongs to, if known, or nil.
func (l *lanes) concerned(f *mpa.Deframed) *expected {
	if f.Verdict != mpa.Bad {
		id := laneOf(f.ULPDU)
		if m := l.continued(id, f.ULPDU); m != nil {
			return m.step
		}
		if e := l.script.queues[id].front(); e != nil {
			return e
		}
	}
	return l.script.nextSegment()
}
