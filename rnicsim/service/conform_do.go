package service

// How the service conform executes commands.

import "github.com/iwarpkit/iwarp/rnicsim"

// proceed sends answers and begins commands, as far as the SQ has room.
func (f *conform) proceed(c *session) error {
	for !f.over && f.room > 0 {
		switch {
		case len(f.replies) > 0:
			if len(f.free) == 0 {
				return nil
			}
			if err := f.reply(c); err != nil {
				return err
			}
		case len(f.waiting) > 0:
			begun, err := f.begin(c, &f.waiting[0])
			if !begun || err != nil {
				return err
			}
			f.waiting[0] = conformOrder{}
			f.waiting = f.waiting[1:]
		default:
			return nil
		}
	}
	return nil
}

// reply posts the next answer, echo or report.
func (f *conform) reply(c *session) error {
	i := f.free[0]
	n := copy(f.answers.at(i), f.replies[0])
	f.free, f.replies = f.free[1:], f.replies[1:]
	f.room--
	f.flying = append(f.flying, conformWork{buffer: i})
	return c.conn.Post(rnicsim.WorkRequest{Op: rnicsim.OpSend, SGL: f.answers.sgl(i, n)})
}

// begin begins a command, or continues it. It returns false if the rest has to wait.
func (f *conform) begin(c *session, o *conformOrder) (begun bool, err error) {
	if o.problem != nil {
		f.answer(&o.ConformCommand, ConformCannot, 0)
		return true, nil
	}
	switch o.Code {
	case DoEcho, DoReport:
		f.replies = append(f.replies, o.octets)
	case DoClose:
		if len(f.flying) > 0 {
			return false, nil
		}
		f.over = true
		return true, c.conn.Close()
	case DoAbort:
		f.over = true
		return true, c.conn.Abort()
	case DoTerminate:
		f.terminate(c, o)
	case DoRevoke:
		f.deregister(o)
	case DoHold:
		f.held = true
		f.answer(&o.ConformCommand, ConformDone, uint64(f.left))
	default:
		return f.post(c, o)
	}
	return true, nil
}

// terminate brings the QP to Terminate.
func (f *conform) terminate(c *session, o *conformOrder) {
	qp := c.conn.QP()
	err := c.conn.Do(func(*rnicsim.RNIC) error { return qp.Modify(rnicsim.Modification{State: rnicsim.Terminate}) })
	if f.over = err == nil; !f.over {
		f.answer(&o.ConformCommand, ConformFailed, 0)
	}
}

func (f *conform) deregister(o *conformOrder) {
	status := ConformDone
	switch err := f.revoke(ConformRegion(o.Count)); err {
	case nil:
	case rnicsim.ErrInvalidSTag:
		status = ConformCannot
	default:
		status = ConformFailed
	}
	f.answer(&o.ConformCommand, status, 0)
}

// post posts the Work Requests of a command, as far as there is room.
func (f *conform) post(c *session, o *conformOrder) (begun bool, err error) {
	if o.begun == 0 && !f.possible(c, &o.ConformCommand) {
		f.answer(&o.ConformCommand, ConformCannot, 0)
		return true, nil
	}
	total := o.times()
	n := int(min(total-o.begun, uint64(f.room)))
	wrs := make([]rnicsim.WorkRequest, n)
	command := o.ConformCommand
	for i := range wrs {
		wrs[i] = f.workRequest(&command, o.begun)
		o.begun++
		f.flying = append(f.flying, conformWork{command: &command, last: o.begun == total})
	}
	f.room -= n
	if err := c.conn.Post(wrs...); err != nil {
		return false, err
	}
	return o.begun == total, nil
}

// possible reports whether a command can be done.
func (f *conform) possible(c *session, command *ConformCommand) bool {
	switch command.Code {
	case DoImmediate, DoInvalidate:
		return true
	case DoBind:
		return f.bindable(command)
	case DoRead, DoFetchAdd, DoCmpSwap:
		if !c.canRead() {
			return false
		}
	}
	return f.home(command).deregister != nil && command.fits(uint64(f.home(command).Length))
}

// home returns the region with the octets of a command, where Offset counts.
func (f *conform) home(c *ConformCommand) *conformRegion {
	if c.invalidatesSink() {
		return &f.regions[ConformVolatile]
	}
	return &f.regions[ConformData]
}

// invalidatesSink reports whether the command is an RDMA Read whose sink is invalidated.
func (c *ConformCommand) invalidatesSink() bool {
	return c.Code == DoRead && c.Flags&FlagInvalidate != 0
}

// bindable reports whether a command bind names part of a region that is registered.
func (f *conform) bindable(c *ConformCommand) bool {
	if c.Count > uint16(ConformVolatile) || f.regions[c.Count].deregister == nil || f.regions[ConformWindow].deregister == nil {
		return false
	}
	return c.STag.Index() != 0 && uint64(c.Offset)+uint64(c.Length) <= uint64(f.regions[c.Count].Length)
}

// fits reports whether a command stays within a region of length octets and within 64 bits of TO, and moves no more octets
// than that.
func (c *ConformCommand) fits(length uint64) bool {
	local, moved := uint64(c.size()), c.times()*uint64(c.size())
	if c.Code == DoRead {
		local = moved
	}
	switch {
	case moved > length, uint64(c.Offset)+local > length:
		return false
	case c.Code == DoSend || moved == 0:
		return true
	}
	return c.STag != 0 && c.TO+(moved-1) >= c.TO
}

// times returns how many Work Requests a command takes.
func (c *ConformCommand) times() uint64 {
	switch c.Code {
	case DoWrite, DoRead, DoSend:
		return uint64(max(1, c.Count))
	}
	return 1
}

// size returns how many octets each of them moves.
func (c *ConformCommand) size() uint32 {
	switch c.Code {
	case DoFetchAdd, DoCmpSwap:
		return 8
	}
	return c.Length
}

// conformSendOps are the Sends, by the flags Solicited Event and Invalidate.
var conformSendOps = [...]rnicsim.Op{rnicsim.OpSend, rnicsim.OpSendSE, rnicsim.OpSendInvalidate, rnicsim.OpSendSEInvalidate}

// workRequest returns the k-th Work Request of a command.
func (f *conform) workRequest(c *ConformCommand, k uint64) rnicsim.WorkRequest {
	data := f.home(c)
	begin := k * uint64(c.Length)
	local := rnicsim.SGE{STag: data.STag, TO: data.TO + uint64(c.Offset), Len: c.Length}
	wr := rnicsim.WorkRequest{Remote: c.STag, RemoteTO: c.TO + begin}
	switch c.Code {
	case DoWrite:
		wr.Op, wr.SGL = rnicsim.OpWrite, []rnicsim.SGE{local}
	case DoRead:
		local.TO += begin
		wr.Op, wr.Local = rnicsim.OpRead, local
		if c.invalidatesSink() {
			wr.Op = rnicsim.OpReadInvalidate
		}
	case DoFetchAdd:
		wr.Op, wr.Data, wr.Mask = rnicsim.OpFetchAdd, c.Operands[0], c.Operands[1]
	case DoCmpSwap:
		wr.Op, wr.Data, wr.Mask = rnicsim.OpCmpSwap, c.Operands[0], c.Operands[1]
		wr.CompareData, wr.CompareMask = c.Operands[2], c.Operands[3]
	case DoSend:
		wr.Op, wr.STag, wr.SGL = conformSendOps[c.Flags>>1&3], c.STag, []rnicsim.SGE{local}
	case DoImmediate:
		wr.Op, wr.Data = rnicsim.OpImmediate, c.Operands[0]
		if c.Flags&FlagSolicited != 0 {
			wr.Op = rnicsim.OpImmediateSE
		}
	case DoBind:
		wr = f.bind(c)
	case DoInvalidate:
		wr.Op, wr.STag = rnicsim.OpInvalidate, c.STag
	}
	wr.ReadFence, wr.LocalFence = c.Flags&FlagFence != 0, c.Flags&FlagFence != 0
	return wr
}
