package nvme

import (
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
)

// An Exchange is the Upper of the Transactions of this package.
type Exchange struct {
	Command
	Status Status // of the completion, if there is one

	block     uint64  // the first one of a command on a range of logical blocks
	cns       uint8   // of an Identify: what it asks for
	asksReady bool    // it reads whether an enabled controller is ready
	readiness string  // what the completion says of one that is not: notReady or fatal
	wrong     invalid // of a Connect: which of its parameters the completion says is wrong
	refusal   string  // what a message of the controller, the data of the command, says of the failure of an authentication
}

// Copy implements record.Exchange.
func (x *Exchange) Copy() any { return new(*x) }

// Answer implements record.Exchange.
func (x *Exchange) Answer() string { return x.Status.Of(&x.Command) }

// A follower follows one queue.
type follower struct {
	pending.Table[Exchange]
	queue   uint16
	guess   bool          // the queue is not known
	enabled record.Origin // the Property Set with which the host has enabled the controller; zero if it has not
	timeout time.Duration // the Keep Alive Timeout that the host has set; 0 if there is none
	failure failure
	spaces  namespaces
	auth    authentication
	slots   slots
	capsule Capsule
}

func newFollower(queue uint16) *follower {
	f := &follower{queue: queue}
	f.Complete = func(detail *Exchange, answer Exchange) {
		detail.Status, detail.readiness, detail.wrong = answer.Status, answer.readiness, answer.wrong
	}
	f.Moved = func(r *pending.Request[Exchange], off uint64, data []byte) {
		if off == 0 {
			f.auth.message(&r.Detail, data)
			f.spaces.list(r, data)
		}
	}
	return f
}

// Send implements ulp.Follower.
func (f *follower) Send(m *record.Message, payload []byte) {
	f.Next()
	c := &f.capsule
	if m.Dir == flow.C2S && pending.Readable(m) {
		f.guessQueue(payload)
	}
	decoded := pending.Readable(m) && c.Decode(f.queue, m.Dir == flow.S2C, payload, m.Len)
	if f.Sent(m, payload, decoded); !decoded {
		return
	}
	switch {
	case c.Response:
		if command := f.Find(flow.C2S, c.id()); command != nil {
			c.Command = command.Detail.Command
		}
	case isConnect(payload):
		f.queue, f.guess = uint16(connectQID.Number(payload[parametersOff:])), false
		c.QueueID = f.queue
	}
	f.Message(m, ulpName, c.id(), c)
	if c.Response {
		f.answer(&m.Origin)
	} else {
		f.open(&m.Origin)
	}
}

// open opens the transaction of the command in f.capsule.
func (f *follower) open(o *record.Origin) {
	c := &f.capsule
	r := f.Open(o, c.id(), c.Command.Name())
	r.Detail.Command, r.Task = c.Command, c.task()
	f.keepAlive()
	r.Detail.block, r.Detail.asksReady = firstBlock(c), f.property(o)
	r.Detail.cns = f.spaces.asked(c)
	r.Standing = c.standing()
	f.slots.fill(c)
	f.checkSlots(o)
	for e := range extents(c.Octets) {
		if e.elsewhere {
			f.Unknown()
		} else if e.keyed {
			f.Advertise(r, pending.Region{STag: e.key, TO: e.address, Length: e.length})
			if c.moves() {
				r.Data += e.length
			}
		} else {
			r.Octets += min(e.length, c.StatedLength-commandLen)
			f.auth.message(&r.Detail, c.Octets[min(commandLen, len(c.Octets)):])
		}
	}
	f.Await(r)
}

// firstBlock is the first block of the command in a capsule, if that is on a range of them.
func firstBlock(c *Capsule) uint64 {
	if c.form().fields != blocks.fields || len(c.Octets) < commandLen {
		return 0
	}
	return blocksSLBA.Number(c.Octets[parametersOff:])
}

// answer ends the transaction that the completion in f.capsule completes.
func (f *follower) answer(o *record.Origin) {
	c := &f.capsule
	a := pending.Answer[Exchange]{Span: o.Span, Detail: Exchange{Status: c.Status}}
	f.slots.drain(c)
	command := f.Find(flow.C2S, c.id())
	switch {
	case !c.Status.Success():
		a.Outcome, a.Status = record.Refused, c.Status.Of(&c.Command)
		if command != nil && command.Detail.connects() && c.Status.code() == invalidParameters {
			a.Detail.wrong = wrongParameter(c.Octets)
			a.Status += a.Detail.wrong.text()
		}
	case command == nil:
	case command.Detail.asksReady:
		a.Status = readiness(c.Octets)
		a.Detail.readiness = a.Status
	case command.Detail.QueueID == 0 && command.Detail.Opcode == opAsyncEvent:
		f.failure.event(o, c.Octets)
	default:
		a.Status = command.Detail.refusal
		f.auth.completed(o, &command.Detail.Command, c.Octets)
	}
	f.Answer(flow.C2S, c.id(), &a)
}
