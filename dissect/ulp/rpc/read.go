package rpc

// Reading RPC messages: what they call and answer, and whether their chunks are right.

import (
	"errors"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/field"
	"github.com/iwarpkit/iwarp/codec/nfs"
	"github.com/iwarpkit/iwarp/codec/oncrpc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rpcrules"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/ulp"
)

// A reader puts the RPC messages of a connection together and reads them.
type reader struct {
	opts   *Options
	stream *stream
	out    *reports
	law    *rpcrules.Stream
	names  *names

	port       uint16 // of the server
	eligible   rpcrules.Eligibility
	nfs        nfsUse
	session    sessionStatus
	recalls    recalls
	lapses     lapses
	operations nfs.Operations
	message    Message
	builder    builder // of message
	whole      builder // of what is in one chunk
}

// read reads a Call without the parts in Read chunks at Positions other than 0: what it calls, and whether its chunks are
// right.
func (r *reader) read(c *call, o *record.Origin, message []byte, cut bool) {
	v := r.out.scratch[:0]
	if len(c.law.Reads) > 0 {
		inline := c.x.Call.Inline
		if c.law.Form == rpcrdma.FormBody {
			inline = c.law.Reads.Length(0)
		}
		v = rpcrules.CheckPositions(c.x.Dialect, c.law.Reads, inline, v)
	}
	var h oncrpc.Call
	n, err := h.Decode(message)
	if err != nil {
		r.out.foundAll(o, v)
		r.readCut(c, &h, n, err)
		return
	}
	c.x.Procedure, c.x.Protection, c.x.Known, c.x.inits = h.Procedure(), h.Protection(), true, h.InitsContext()
	if c.x.partial = !r.identify(c, message, n); c.x.partial && !c.x.Reverse {
		r.nfs.callbacks, r.recalls = true, recalls{}
	}
	r.name(c)
	c.law.Procedure = c.x.Procedure
	placed := len(v)
	v = r.eligible.Call(&c.law, &h, n, message, cut, r.law.Threshold(rpcrules.Side(1-c.Dir)), v)
	v = r.nfs.call(c, r.port, r.stream, v)
	rules.Doubtful(v[placed:], c.doubt)
	r.out.foundAll(o, v)
}

// readCut notes what a Call with a cut header calls.
func (r *reader) readCut(c *call, h *oncrpc.Call, n int, err error) {
	short := errors.Is(err, field.ErrShort)
	r.nfs.callbacks = r.nfs.callbacks || short
	r.recalls = recalls{}
	if n < oncrpc.CallLen || !short {
		return
	}
	c.x.Procedure, c.x.Protection, c.x.Known = h.Procedure(), oncrpc.Unknown, true
	r.name(c)
}

// identify finds the operations of a COMPOUND. It returns false if there may be others.
func (r *reader) identify(c *call, message []byte, n int) bool {
	x := &c.x
	x.compound, x.Operations, x.Callbacks = false, x.Operations[:0], x.Callbacks[:0]
	if p, ok := x.Procedure.AsCallback(); ok && x.Reverse {
		x.Procedure = p
	}
	if !x.Procedure.IsCompound() && !x.Procedure.IsCBCompound() {
		return true
	}
	body, off, ok := x.Protection.Unwrap(message[n:])
	if !ok {
		return false
	}
	off += n
	ops := &r.operations
	ops.Positions = r.eligible.Positions(&c.law)
	if x.compound = x.walk(ops, message[:off+len(body)], off); !x.compound {
		return false
	}
	for len(x.Operations)+len(x.Callbacks) < MaxOperations && ops.Next() {
		r.recalls.take(c, uint32(ops.Op), ops.Args)
		if x.Procedure.IsCompound() {
			x.Operations = append(x.Operations, ops.Op)
			x.seek(ops, &r.nfs)
		} else {
			x.Callbacks = append(x.Callbacks, nfs.CBOp(ops.Op))
		}
	}
	return ops.Stop() == nfs.StopEnd
}

// walk starts iterating over the operations of the COMPOUND at off. It returns false if that is cut.
func (x *Exchange) walk(ops *nfs.Operations, message []byte, off int) bool {
	if x.Procedure.IsCompound() {
		var args nfs.CompoundArgs
		n, err := args.Decode(message[off:])
		ops.Reset(message, off+n, &args)
		x.Minor = args.MinorVersion
		return err == nil
	}
	var args nfs.CBCompoundArgs
	n, err := args.Decode(message[off:])
	ops.ResetCB(message, off+n, &args)
	x.Minor = args.MinorVersion
	return err == nil
}

// name sets the name of a Call.
func (r *reader) name(c *call) {
	c.name = r.names.call(&c.x)
	c.x.Name, c.Name, c.Task = c.name.rpc, c.name.rpc, c.name.task
}

// success is the Result of a Call that succeeded.
var success = oncrpc.Success.String()

// readReply reads a Reply without the parts in Write chunks.
func (r *reader) readReply(c *call, m *record.Message, h *rpcrdma.Message, message []byte, cut bool) {
	var reply oncrpc.Reply
	n, err := reply.Decode(message)
	if err != nil {
		return
	}
	c.x.Result = success
	failed := !reply.Succeeded()
	if failed {
		c.Outcome, c.denied, c.x.Result = record.Refused, true, reply.Stat()
		c.x.denied(&reply)
	} else if c.x.Known {
		number := nfsError(&c.x, message[n:])
		r.lapses.take(&m.Origin, &c.x, number)
		if number != 0 {
			failed = true
			c.x.failed(number)
		} else if major, ok := oncrpc.InitMajor(message[n:]); ok && c.x.inits && major.Failed() {
			failed = true
			c.x.Result, c.x.advice = major.String(), contextsAdvice
		}
		if body, _, plain := c.x.Protection.Unwrap(message[n:]); plain {
			r.session.take(&m.Origin, &c.x, body, r.stream.gaps[m.Dir])
		}
	}
	if failed {
		c.Status = c.x.Result + versionsOf(&reply) + c.x.sought()
		if c.x.Reverse {
			r.recalls.refused(c.x.XID)
		}
	} else {
		r.checkRead(c, &m.Origin)
		if c.x.Known && !c.x.Reverse && c.x.grantsNothing(message[n:]) {
			c.x.deny()
			c.Status = noRights
		}
	}
	if c.x.Known {
		v := r.eligible.Reply(&c.law, h, c.x.rpc(), &reply, n, message, cut, r.out.scratch[:0])
		rules.Doubtful(v, c.doubt)
		r.out.foundAll(&m.Origin, v)
	}
}

// versionsOf says which versions the server has, if the Reply does: " (it has versions 3 to 4)".
func versionsOf(r *oncrpc.Reply) string {
	mismatch := r.ReplyStat == oncrpc.Accepted && r.AcceptStat == oncrpc.ProgMismatch || r.ReplyStat == oncrpc.Denied && r.RejectStat == oncrpc.RPCMismatch
	if !mismatch {
		return ""
	}
	return rangeText("has", r.Low, r.High)
}

// rangeText says which versions a side "has" or "knows"; empty if that is no range.
func rangeText(verb string, low, high uint32) string {
	switch {
	case low > high:
		return ""
	case low == high:
		return fmt.Sprintf(" (it %s version %d)", verb, low)
	}
	return fmt.Sprintf(" (it %s versions %d to %d)", verb, low, high)
}

// denied notes why a Call was denied, or not executed.
func (x *Exchange) denied(reply *oncrpc.Reply) {
	if reply.ReplyStat != oncrpc.Accepted {
		if !x.Reverse {
			x.advice = authAdvice[reply.AuthStat]
		}
		return
	}
	x.everyday, x.advice = reply.AcceptStat.NotOffered(), acceptAdvice[reply.AcceptStat]
	if x.everyday && x.Reverse {
		x.advice = callbackAdvice
	}
	if x.everyday {
		x.passage = ulp.Absent
	}
}

// maxRoundup is how many roundup octets a chunk has at most (RFC 8166, section 3.4.5.2). They carry no data, so a Responder may leave them
// unread.
const maxRoundup = 3

// checkRead reports Read chunks of a successful Call that the Responder has not read.
func (r *reader) checkRead(c *call, o *record.Origin) {
	all := uint64(0)
	for i := range c.x.Reads {
		all += c.x.Reads[i].Offered()
	}
	if c.unread == 0 || c.x.ChunksCut || c.unread <= maxRoundup && c.unread < all {
		return
	}
	doubt := unless(r.stream.unmatched == c.unmatched && r.stream.gaps == c.gaps)
	for _, region := range c.regions {
		if region != nil && !region.write {
			if region.cover.lost {
				return
			}
			doubt = max(doubt, region.used())
		}
	}
	unread := rpcrules.Unread.Breach(c.x.Dialect,
		fmt.Sprintf("success, with %d octets of Read chunks that were not read", c.unread),
		fmt.Sprintf("all %d octets read", all))
	unread.Doubt = doubt
	r.out.found(o, unread)
}

// checkWritten reports a difference between what a Reply says was written and what was.
func (r *reader) checkWritten(c *call, o *record.Origin) {
	missed := unless(r.stream.gaps[o.Dir] == c.gaps[o.Dir])
	for _, region := range c.regions {
		if region == nil || !region.write || region.cover.lost {
			continue
		}
		var v rules.Violation
		returned := uint64(c.segments[region.place].Returned)
		if n := region.cover.begin(); n < returned {
			v = rpcrules.Unwritten.Breach(c.x.Dialect,
				fmt.Sprintf("%d octets in the segment with STag 0x%08x, %d of them written", returned, region.Handle, n), "all of them")
		} else if n := region.cover.end(); n > returned && n == returned+-returned&3 {
			// Other octets may be of a result that the Responder did not return in the end, and left (RFC 8166, section 4.3.2.2).
			v = rpcrules.Excess.Breach(c.x.Dialect,
				fmt.Sprintf("%d octets written into the segment with STag 0x%08x", n, region.Handle), fmt.Sprint(returned))
		} else {
			continue
		}
		v.Doubt = max(missed, region.used())
		r.out.found(o, v)
	}
}
