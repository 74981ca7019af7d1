package smbdirect

import (
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
)

// An Exchange is the Upper of the Transactions of this package.
type Exchange struct {
	Code   uint16 // which SMB2 command
	Offset uint64 // in the file, of a READ or WRITE
	Length uint32 // octets to read or write
	Status Status // of the response, if there is one
	Behind bool   // the response is compounded after one of a command that failed

	keepAlive bool
	direct    bool   // it is the Negotiate Request of SMB Direct, not a command
	id        uint64 // its MessageId
}

// Copy implements record.Exchange.
func (x *Exchange) Copy() any { return new(*x) }

// Answer implements record.Exchange.
func (x *Exchange) Answer() string { return x.Status.String() }

// maxReassembled is how many octets are kept of an SMB2 message in several packets. Commands after them are not seen. A READ
// or WRITE and its compound are shorter, unless the message contains much data.
const maxReassembled = 64 << 10

// A follower follows one connection.
type follower struct {
	pending.Table[Exchange]
	halves     [2]half   // by direction
	limits     [2]limits // by the direction in which the side sends
	begun      [2]bool   // by direction: a packet has come
	packet     Packet
	notified   record.Origin // the notification that the server has closed the session; zero if there is none
	unfinished record.Origin // the SESSION_SETUP Response that asks for another step, which has not come; zero if there is none
	subject    Kind          // of the packet in which something was found
}

func newFollower() *follower {
	f := new(follower)
	f.EitherOrder = true // Windows and Linux do not agree on how a Token is written
	f.Complete = func(detail *Exchange, answer Exchange) { detail.Status, detail.Behind = answer.Status, answer.Behind }
	return f
}

// A half is the state of one direction.
type half struct {
	credits   int           // packets that may be sent
	counted   bool          // credits is known
	spent     record.Origin // of the packet that took the last credit
	remaining uint32        // octets of the message in progress that are still to come
	message   []byte        // what was kept of it
	cut       bool          // the rest of it cannot be kept
	origin    record.Origin // of its packets
	first     Command       // of it
}

// Gap implements ulp.Follower.
func (f *follower) Gap(d flow.Direction) {
	f.Table.Gap(d)
	f.halves[d].remaining, f.halves[d].counted, f.halves[1-d].counted = 0, false, false
}

// Send implements ulp.Follower.
func (f *follower) Send(m *record.Message, payload []byte) {
	f.Next()
	p := &f.packet
	decoded := pending.Readable(m) && p.Decode(payload, m.Len)
	if pending.Readable(m) && f.check(m, decoded) == NegotiateRequest && !decoded && refusable(p.Octets, p.StatedLength) {
		p.Kind, p.CreditsRequested, decoded = NegotiateRequest, uint16(requestCredits.Number(p.Octets)), true
	}
	f.keepAlive(&m.Origin, decoded)
	if f.Sent(m, payload, decoded && !f.halves[m.Dir].cut); !decoded {
		if uint64(len(payload)) < m.Len { // whatever it answers
			f.Gap(m.Dir)
		}
		return
	}
	f.credit(&m.Origin)
	f.checkCredit(m)
	f.limit(m.Dir)
	f.negotiate(&m.Origin)
	message, whole := f.halves[m.Dir].add(p, &m.Origin)
	f.Message(m, ulpName, p.Command.MessageID, p)
	if p.DataLength > 0 && p.Command.Protocol != SMB2 {
		f.Unknown() // it may be encrypted or compressed
	}
	if !whole {
		return
	}
	o := &f.halves[m.Dir].origin
	failed := false
	for c := range commandsOf(message) {
		if c.Response() {
			f.response(c, o, failed)
			failed = failed || c.Status.Failed()
		} else {
			f.request(c, o)
		}
	}
}

// keepAlive is the Task of a packet without data that requests a response, which any packet is ([MS-SMBD], section 3.1.5.9).
const keepAlive = negotiation + 1

// keepAlive ends the transaction of a keep-alive of the other side, and opens that of one in f.packet.
func (f *follower) keepAlive(o *record.Origin, decoded bool) {
	p := &f.packet
	if f.Find(1-o.Dir, keepAlive) != nil {
		f.Answer(1-o.Dir, keepAlive, &pending.Answer[Exchange]{Span: o.Span, Outcome: record.Answered})
	}
	if decoded && p.Kind == DataTransfer && p.DataLength == 0 && p.Flags&ResponseRequested != 0 && f.Find(o.Dir, keepAlive) == nil {
		r := f.Open(o, keepAlive, "SMB Direct keep-alive")
		r.Task, r.ID, r.Detail.keepAlive = keepAlive, 0, true
		f.Await(r)
	}
}

// negotiation is the Task of a Negotiate Request, which has no ID: it comes before the first MessageId. No MessageId is so large.
const negotiation = 1 << 63

// negotiate opens the transaction of a Negotiate Request, or ends it. Without credits the other side may send nothing.
func (f *follower) negotiate(o *record.Origin) {
	p := &f.packet
	switch p.Kind {
	case NegotiateRequest:
		r := f.Open(o, negotiation, "SMB Direct Negotiate")
		r.Task, r.ID, r.Detail.direct = negotiation, 0, true
		f.Await(r)
	case NegotiateResponse:
		a := pending.Answer[Exchange]{Span: o.Span, Outcome: record.Answered, Detail: Exchange{Status: p.Status}}
		if p.Status.Failed() {
			a.Outcome, a.Status = record.Refused, p.Status.String()
		} else if p.CreditsGranted == 0 {
			a.Outcome, a.Status = record.Refused, "CreditsGranted 0, so the other side may send nothing"
		}
		f.Answer(1-o.Dir, negotiation, &a)
	}
}

// add adds the data of a packet to the message in progress, and returns the message at its last packet. It sets the command
// to which the data of the packet belongs.
func (w *half) add(p *Packet, o *record.Origin) (message []byte, whole bool) {
	if p.DataLength == 0 {
		return nil, false
	}
	p.Rest = w.remaining > 0 && uint64(p.DataLength)+uint64(p.Remaining) == uint64(w.remaining)
	w.remaining = p.Remaining
	if !p.Rest {
		w.message, w.cut, w.origin = w.message[:0], false, *o
		if p.Remaining == 0 {
			return p.data, true // the usual case, which needs no copy
		}
		w.first = p.Command
		w.first.all, w.first.body = nil, nil
	} else {
		p.Command = w.first
		w.origin.LastFrame, w.origin.LastTime = o.LastFrame, o.LastTime
	}
	if w.keep(p); p.Rest && w.remaining == 0 && !w.cut {
		p.message = w.message
	}
	return w.message, w.remaining == 0
}

// keep keeps the data of a packet up to the limit, if nothing before it is missing.
func (w *half) keep(p *Packet) {
	if w.cut {
		return
	}
	n := min(len(p.data), maxReassembled-len(w.message))
	w.message = append(w.message, p.data[:n]...)
	w.cut = n < int(p.DataLength)
}

// request opens the transaction of a command. A CANCEL is never answered, a CHANGE_NOTIFY only when something changes.
func (f *follower) request(c *Command, o *record.Origin) {
	switch c.Code {
	case cmdCancel:
		return
	case cmdSessionSetup:
		f.unfinished = record.Origin{}
	}
	r := f.Open(o, c.MessageID, c.name())
	r.Task = uint64(c.Control)<<16 | uint64(c.Code) + 1 // NEGOTIATE is 0
	r.Detail = Exchange{Code: c.Code, Offset: c.Offset, Length: c.Length, id: c.MessageID}
	r.Standing = c.Code == cmdChangeNotify
	if c.Code == cmdWrite && !c.byRDMA() {
		r.Octets = uint64(c.Length)
	}
	if c.isHidden() {
		f.Unknown()
	}
	for b := range c.buffers() {
		f.Advertise(r, pending.Region{STag: b.token, TO: b.offset, Length: uint64(b.length)})
	}
	f.Await(r)
}

// unsolicited is the MessageId of a notification of the server, such as an OPLOCK_BREAK ([MS-SMB2], section 2.2.23).
const unsolicited = 1<<64 - 1

// response ends the transaction that a command answers, unless it announces another response. behind says that a command
// before it in the message failed.
func (f *follower) response(c *Command, o *record.Origin, behind bool) {
	switch {
	case c.Code == cmdNotification:
		f.notified = *o
	case c.Code == cmdSessionSetup && c.Status == statusMoreAuth:
		f.unfinished = *o
	case c.Code == cmdSessionSetup: // its request may come before the Response to the one before
		f.unfinished = record.Origin{}
	}
	if c.Interim() || c.MessageID == unsolicited {
		return
	}
	a := pending.Answer[Exchange]{Span: o.Span, Detail: Exchange{Status: c.Status, Behind: behind}}
	if c.Code == cmdRead {
		a.Octets = uint64(c.Length)
	}
	if c.Status.Failed() {
		a.Outcome, a.Status = record.Refused, c.Status.String()
	}
	f.Answer(1-o.Dir, c.MessageID, &a)
}
