package iser

import (
	"encoding/binary"

	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp/pending"
)

// An Exchange is the Upper of the Transactions of this package.
type Exchange struct {
	Opcode   Opcode // of the request
	Expected uint64 // Expected Data Transfer Length of a SCSI Command, in octets
	Blocks   bool   // it is a SCSI Command on a range of logical blocks
	Result   Result // of the response, if there is one

	place     uint64 // of a SCSI Command: its LUN, and the first of the blocks
	asksReady bool   // it is a TEST UNIT READY
}

// Copy implements record.Exchange.
func (x *Exchange) Copy() any { return new(*x) }

// Answer implements record.Exchange.
func (x *Exchange) Answer() string { return x.Result.String() }

// A follower follows one connection. The ID of an initiator's task is its Initiator Task Tag. That of a target's task, a NOP-In
// that wants an answer, is its Target Transfer Tag.
type follower struct {
	pending.Table[Exchange]
	framing Framing // of the latest PDU whose headers agreed with its length
	pdu     PDU
	life    life
}

func newFollower() *follower {
	f := new(follower)
	f.Complete = func(detail *Exchange, answer Exchange) { detail.Result = answer.Result }
	return f
}

// Send implements ulp.Follower.
func (f *follower) Send(m *record.Message, payload []byte) {
	f.Next()
	p := &f.pdu
	decoded := pending.Readable(m) && p.Decode(payload, m.Len, f.framing)
	if f.Sent(m, payload, decoded); !decoded {
		return
	}
	if p.exact && p.Framing != Unframed {
		f.framing = p.Framing
	}
	f.Message(m, ulpName, uint64(p.TaskTag), p)
	switch {
	case p.Kind != "":
		f.hello(&m.Origin)
		return
	case p.Opcode.FromTarget():
		f.fromTarget(&m.Origin)
	default:
		f.fromInitiator(&m.Origin)
	}
	f.life.take(p, &m.Origin)
}

// helloTask is the id of a Hello, and its Task. No Initiator Task Tag is so large.
const helloTask = 1 << 32

// Gap implements ulp.Follower. A login that was under way may have gone on in what was missed.
func (f *follower) Gap(d flow.Direction) {
	f.Table.Gap(d)
	f.life.login = record.Origin{}
}

// hello handles a Hello or HelloReply.
func (f *follower) hello(o *record.Origin) {
	switch {
	case f.pdu.fromInitiator() && o.Dir == flow.C2S:
		r := f.Open(o, helloTask, "iSER Hello")
		r.Task, r.ID, r.Detail.Opcode = helloTask, 0, OpLoginRequest
		f.Await(r)
	case o.Dir == flow.S2C:
		a := pending.Answer[Exchange]{Span: o.Span, Outcome: record.Answered}
		if replyREJ.Number(f.pdu.Octets) != 0 {
			a.Outcome, a.Status = record.Refused, "REJ 1 in its HelloReply"
		}
		f.Answer(flow.C2S, helloTask, &a)
	}
}

// fromInitiator handles a PDU of the initiator. Most begin a task.
func (f *follower) fromInitiator(o *record.Origin) {
	p := &f.pdu
	switch p.Opcode {
	case OpSCSICommand:
		f.command(o)
	case OpDataOut:
		if r := f.Find(o.Dir, uint64(p.TaskTag)); r != nil {
			r.Octets += p.dataOctets()
		}
	case OpNOPOut:
		f.answer(1-o.Dir, uint32(ttt.Number(p.bhs)), o)
		fallthrough
	case OpTaskRequest, OpLoginRequest, OpTextRequest, OpLogoutReq:
		if p.TaskTag != noTag {
			f.open(o, p.TaskTag)
		}
	}
}

// tasks are the names of tasks other than SCSI commands, by the PDU that begins them.
var tasks = [64]string{
	OpNOPOut:       "iSCSI NOP",
	OpTaskRequest:  "iSCSI Task Management Function",
	OpLoginRequest: "iSCSI Login",
	OpTextRequest:  "iSCSI Text",
	OpLogoutReq:    "iSCSI Logout",
	OpNOPIn:        "iSCSI NOP",
}

// open opens a task that moves no data.
func (f *follower) open(o *record.Origin, tag uint32) {
	r := f.Open(o, uint64(tag), tasks[f.pdu.Opcode])
	r.Detail.Opcode, r.Task = f.pdu.Opcode, uint64(f.pdu.Opcode)
	f.Await(r)
}

// command opens the task of a SCSI Command. Its data may begin in the PDU.
func (f *follower) command(o *record.Origin) {
	p := &f.pdu
	name, task := command(p.CDB())
	r := f.Open(o, uint64(p.TaskTag), name)
	r.Task = task
	lba, _, blocks := blocks(p.CDB())
	r.Detail = Exchange{
		Opcode: p.Opcode, Expected: expectedLength.Number(p.bhs), Blocks: blocks,
		place: lun.Number(p.bhs) ^ lba, asksReady: p.CDB()[0] == testUnitReady,
	}
	r.Octets = p.dataOctets()
	if p.WriteValid {
		f.Advertise(r, pending.Region{STag: p.WriteSTag, TO: p.WriteBase, Length: r.Detail.Expected})
	}
	if p.ReadValid {
		f.Advertise(r, pending.Region{STag: p.ReadSTag, TO: p.ReadBase, Length: r.Detail.Expected})
	}
	if p.WriteValid && p.ReadValid {
		f.Unknown() // the length of what is read is elsewhere
	} else if p.WriteValid || p.ReadValid {
		r.Data = r.Detail.Expected
	}
	f.Await(r)
}

// fromTarget handles a PDU of the target. Most end a task.
func (f *follower) fromTarget(o *record.Origin) {
	p := &f.pdu
	switch p.Opcode {
	case OpNOPIn:
		if tag := uint32(ttt.Number(p.bhs)); tag != noTag && p.TaskTag == noTag {
			f.open(o, tag)
			return
		}
		f.answer(1-o.Dir, p.TaskTag, o)
	case OpReject:
		if rejected := itt.Bytes(p.data); len(rejected) == 4 {
			f.answer(1-o.Dir, binary.BigEndian.Uint32(rejected), o)
		}
	case OpSCSIResponse, OpTaskResponse, OpLoginResponse, OpTextResponse, OpLogoutResp:
		f.answer(1-o.Dir, p.TaskTag, o)
	}
}

// answer ends the task with the given tag.
func (f *follower) answer(d flow.Direction, tag uint32, o *record.Origin) {
	if tag == noTag {
		return
	}
	result := f.pdu.Result()
	if r := f.Find(d, uint64(tag)); r != nil && f.pdu.Opcode == OpSCSIResponse {
		r.Data -= min(r.Data, uint64(residualCount.Number(f.pdu.bhs)))
	}
	a := pending.Answer[Exchange]{Span: o.Span, Detail: Exchange{Result: result}}
	if !result.Good() {
		a.Outcome, a.Status = record.Refused, result.String()
	}
	f.Answer(d, uint64(tag), &a)
}
