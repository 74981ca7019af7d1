package adversary

// RDMAP messages and who may send which: RFC 5040 and RFC 7306.

import "math/rand/v2"

// The opcodes of RDMAP.
const (
	opWrite = iota
	opReadRequest
	opReadResponse
	opSend
	opSendInvalidate
	opSendSolicited
	opSendSolicitedInvalidate
	opTerminate
	opImmediate
	opImmediateSolicited
	opAtomicRequest
	opAtomicResponse
)

// A region is memory that a side has advertised.
type region struct {
	stag uint32
	to   uint64
	size int
}

// A read is an RDMA Read or an Atomic that waits for its response.
type read struct {
	sink, source region
	size         int
	atomic       bool
	id           uint32   // of an Atomic
	content      []byte   // that is returned; random if nil
	message      *Message // the request
}

// A talk is a Conversation that is being generated.
type talk struct {
	*Conversation
	r       *rand.Rand
	private []byte // Private Data of the MPA frames; nil for any
	mulpdu  [2]int
	msn     [2][queues]uint32
	regions [2][]region // that a side has advertised
	waiting [2][]read   // that a side has sent
	nested  bool        // a side says something between two segments of the other
	freely  bool        // what is said between two segments may be anything
	more    int         // NFS: 1 for several Write chunks in a Call, and CREATE; else 0
	granted []uint32    // STags that the Responder may still advertise, each for memory from TO 0; nil if it may any
}

// newTalk draws what does not depend on what is said.
func newTalk(r *rand.Rand, c *Conversation, port uint16, stags []uint32) *talk {
	t := &talk{Conversation: c, r: r, granted: stags}
	c.TCP = newSegmenter(r, port)
	c.Abort = r.IntN(5) == 0
	for side := range t.mulpdu {
		// RFC 5041 has no least MULPDU; RFC 5044, section 4.5 has 128.
		t.mulpdu[side] = pick(r, 128, 131, 134, 506, 530, 1434, 1442, 1454, 128+r.IntN(1400))
		if r.IntN(20) == 0 {
			t.mulpdu[side] = pick(r, 8942, 16384, 64767, 64768)
		}
		for range 3 {
			t.regions[side] = append(t.regions[side], t.advertise(Side(side)))
		}
	}
	return t
}

// Granted is the size of a region in octets.
const Granted = 1 << 20

func (t *talk) advertise(side Side) region {
	to := pick(t.r, 0, 4096, t.r.Uint64()>>17, 1<<64-Granted-8)
	if side == Responder && t.granted != nil {
		to = 0
	}
	return region{t.stag(side), to &^ 7, Granted}
}

// stag draws an STag of a side.
func (t *talk) stag(side Side) (stag uint32) {
	if side == Initiator || t.granted == nil {
		return t.r.Uint32()
	}
	stag, t.granted = t.granted[0], t.granted[1:]
	return stag
}

// room is how many octets after the DDP header fit in a segment of a side.
func (t *talk) room(from Side, header int) int { return t.mulpdu[from] - header }

// size draws the length of a message whose segments have room for so many octets: often around a limit.
func (t *talk) size(room int) int {
	switch t.r.IntN(8) {
	case 0:
		return t.r.IntN(5)
	case 1, 2:
		return max(0, pick(t.r, 1, 2, 2, 3)*room+t.r.IntN(3)-1)
	case 3:
		return t.r.IntN(4 * room)
	}
	return t.r.IntN(min(room, 200))
}

func (t *talk) send(from Side, opcode byte, stag uint32, body []byte) *Message {
	m := &Message{From: from, Opcode: opcode, STag: stag, QN: queueSend, MSN: t.number(from, queueSend), Body: body}
	return t.say(m, t.room(from, untaggedHeader))
}

// number is the MSN of the next message of a side in a queue.
func (t *talk) number(from Side, queue int) uint32 {
	t.msn[from][queue]++
	return t.msn[from][queue]
}

// write sends an RDMA Write.
func (t *talk) write(from Side, stag uint32, to uint64, body []byte) *Message {
	m := &Message{From: from, Opcode: opWrite, STag: stag, TO: to, Body: body}
	return t.say(m, t.room(from, taggedHeader))
}

// read sends the Read Request of a read.
func (t *talk) read(from Side, r read) *Message {
	r.message = &Message{From: from, Opcode: opReadRequest, QN: queueRequest, MSN: t.number(from, queueRequest),
		Body: octets(r.sink.stag, r.sink.to, uint32(r.size), r.source.stag, r.source.to)}
	t.waiting[from] = append(t.waiting[from], r)
	return t.say(r.message, r.size+64)
}

// The operations of an Atomic Request: RFC 7306, section 5.2.1.
const (
	fetchAdd = 0
	cmpSwap  = 2
)

// atomic sends an Atomic Request.
func (t *talk) atomic(from Side, target region) {
	id := t.r.Uint32()
	operands := octets(t.r.Uint64(), t.r.Uint64(), uint64(0), ^uint64(0))
	operation := pick(t.r, uint32(fetchAdd), cmpSwap)
	if operation == cmpSwap {
		operands = random(t.r, 32)
	}
	m := &Message{From: from, Opcode: opAtomicRequest, QN: queueRequest, MSN: t.number(from, queueRequest),
		Body: octets(operation, id, target.stag, target.to, operands)}
	t.waiting[from] = append(t.waiting[from], read{atomic: true, id: id, message: m})
	t.say(m, len(m.Body))
}

// answer answers the oldest Read or Atomic of the other side, which is outstanding until all of the response was sent.
func (t *talk) answer(from Side) {
	r := t.waiting[1-from][0]
	m := &Message{From: from, Opcode: opReadResponse, STag: r.sink.stag, TO: r.sink.to, Body: r.content}
	switch {
	case r.atomic:
		m = &Message{From: from, Opcode: opAtomicResponse, QN: queueAtomic, MSN: t.number(from, queueAtomic), Body: octets(r.id, t.r.Uint64())}
	case m.Body == nil:
		m.Body = random(t.r, r.size)
	}
	m.Request = r.message
	t.say(m, t.room(from, taggedHeader))
	t.waiting[1-from] = t.waiting[1-from][1:]
}

// within draws a place of so many octets in a region of a side.
func (t *talk) within(side Side, size int) region {
	r := t.regions[side][t.r.IntN(len(t.regions[side]))]
	return region{r.stag, r.to + uint64(t.r.IntN(r.size-size+1))&^7, size}
}

// interrupt lets a side say something between two segments of the other.
func (t *talk) interrupt(from Side) {
	if t.nested || !t.freely || t.r.IntN(6) > 0 {
		return
	}
	t.nested = true
	t.step(from)
	t.nested = false
}

// rdmap lets both sides send messages of all kinds.
func (t *talk) rdmap() {
	if t.Terms.Ready == 0 {
		t.send(Initiator, opSend, 0, random(t.r, t.r.IntN(100))) // the Initiator begins: RFC 5044, section 7.1.2
	}
	t.freely = true
	for range 5 + t.r.IntN(30) {
		t.step(Side(t.r.IntN(2)))
	}
	t.freely = false
	if t.r.IntN(6) == 0 {
		t.terminate(Side(t.r.IntN(2)))
	}
}

// requests lets the Initiator ask for what an RNIC does by itself, or with receives alone. A Send shows what was wrong with others.
func (t *talk) requests() {
	for range 3 + t.r.IntN(20) {
		if len(t.waiting[Initiator]) > 0 && t.r.IntN(2) == 0 {
			t.answer(Responder)
			continue
		}
		t.step(Initiator)
	}
	t.send(Initiator, opSend, 0, random(t.r, 20))
}

// step lets a side send one message.
func (t *talk) step(from Side) {
	if len(t.waiting[1-from]) > 0 && t.r.IntN(2) == 0 {
		t.answer(from)
		return
	}
	peer := 1 - from
	draws := 10
	if t.Terms.Rev == 0 {
		draws = 9
	}
	switch t.r.IntN(draws) {
	case 0, 1, 2:
		t.send(from, pick(t.r, byte(opSend), opSendSolicited), 0, random(t.r, t.size(t.room(from, untaggedHeader))))
	case 3:
		body := random(t.r, t.size(t.room(from, untaggedHeader)))
		t.send(from, pick(t.r, byte(opSendInvalidate), opSendSolicitedInvalidate), t.invalidate(peer), body)
	case 4, 5, 6:
		body := random(t.r, t.size(t.room(from, taggedHeader)))
		to := t.within(peer, len(body))
		t.write(from, to.stag, to.to, body)
	case 7, 8:
		t.request(from)
	default:
		m := &Message{From: from, Opcode: pick(t.r, byte(opImmediate), opImmediateSolicited), MSN: t.number(from, queueSend),
			Body: random(t.r, 8)}
		t.say(m, len(m.Body))
	}
}

// invalidate draws an STag of a side that nobody uses any more: it takes the region away, and advertises another.
func (t *talk) invalidate(side Side) uint32 {
	i := t.r.IntN(len(t.regions[side]))
	stag := t.regions[side][i].stag
	for _, r := range t.waiting[1-side] {
		if r.source.stag == stag {
			return t.stag(side) // of a region that was never seen
		}
	}
	t.regions[side][i] = t.advertise(side)
	return stag
}

// request lets a side send a Read or an Atomic, if its ORD allows one more.
func (t *talk) request(from Side) {
	if len(t.waiting[from]) >= t.Terms.Reads[from] {
		return
	}
	if t.Terms.Rev > 0 && t.r.IntN(3) == 0 {
		t.atomic(from, t.within(1-from, 8))
		return
	}
	size := t.size(t.room(1-from, taggedHeader))
	t.read(from, read{sink: t.within(from, size), source: t.within(1-from, size), size: size})
}

// terminate ends what a side sends with a local error, which needs no cause: RFC 5040, section 4.8.
func (t *talk) terminate(from Side) {
	m := &Message{From: from, Opcode: opTerminate, QN: queueTerminate, MSN: 1, Body: octets(uint32(0))}
	t.waiting = [2][]read{}
	t.say(m, len(m.Body))
}

// end answers what waits.
func (t *talk) end() {
	for len(t.waiting[0])+len(t.waiting[1]) > 0 {
		if from := Side(t.r.IntN(2)); len(t.waiting[1-from]) > 0 {
			t.answer(from)
		}
	}
}
