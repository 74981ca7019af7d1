package service

// The service conform: one connection, and the commands that it receives.

import (
	"encoding/binary"
	"errors"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// ErrConformBacklog is the error if a peer sends more commands than can wait.
var ErrConformBacklog = errors.New("service: too many commands are waiting")

const (
	conformWaits   = 256 // commands that may wait
	conformSends   = 128 // Work Requests that the SQ has room for
	conformAnswers = 32  // answers and echoes that may be in the SQ
)

// A conform executes the commands of its peer. It begins them in the order of the messages, and answers each when it
// is complete.
type conform struct {
	regions  [ConformRegions]conformRegion
	receives buffers
	answers  buffers
	free     []int // buffers of answers that are free
	left     int   // posted Receives
	held     bool  // no more are posted
	over     bool  // nothing more is done

	latest  ConformReport  // of all messages
	waiting []conformOrder // not begun, or not all posted
	replies [][]byte       // to be sent next
	room    int            // free slots of the SQ
	flying  []conformWork  // in the SQ, in its order
}

// A conformOrder is a command that waits for its turn.
type conformOrder struct {
	ConformCommand
	problem error  // why the message is not a command
	octets  []byte // of echo: the message; of report: the report
	begun   uint64 // Work Requests that were posted
}

// A conformWork is a Work Request in the SQ: the answer in a buffer, or part of a command.
type conformWork struct {
	buffer  int
	command *ConformCommand // nil for an answer
	last    bool            // the last of the command
}

func openConform(*Server) (newHandler, error) {
	return func() handler { return &conform{room: conformSends} }, nil
}

func (f *conform) prepare(c *session) (private []byte, err error) {
	o := &c.server.options
	if err := f.register(c); err != nil {
		return nil, err
	}
	if f.receives, err = c.receiveBuffers(o.Receives, o.ReceiveSize); err != nil {
		return nil, err
	}
	if f.answers, err = c.newBuffers(conformAnswers, o.ReceiveSize); err != nil {
		return nil, err
	}
	for i := range conformAnswers {
		f.free = append(f.free, i)
	}
	for i := range o.Receives {
		if err := f.postReceive(c, i); err != nil {
			return nil, err
		}
	}
	if c.initiator {
		f.replies = append(f.replies, make([]byte, 4)) // hello, sent in RTS
	}
	var a rnicsim.Attributes
	err = c.conn.Do(func(r *rnicsim.RNIC) (err error) {
		a, err = r.Query()
		return err
	})
	if err != nil {
		return nil, err
	}
	offer := f.offer(o, a.Extended)
	private, _ = offer.AppendBinary(nil)
	return private, f.proceed(c)
}

// postReceive posts the Receive into a buffer.
func (f *conform) postReceive(c *session, i int) error {
	f.left++
	return c.conn.PostReceive(rnicsim.WorkRequest{ID: uint64(i), SGL: f.receives.sgl(i, f.receives.size)})
}

func (f *conform) completed(c *session, done []completion) error {
	for i := range done {
		if f.over {
			return nil
		}
		var err error
		if d := &done[i]; d.Op == rnicsim.OpReceive {
			err = f.receive(c, d)
		} else {
			f.finish(c, d)
		}
		if err == nil {
			err = f.proceed(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// receive handles a message: its Receive is posted again, and the command waits for its turn.
func (f *conform) receive(c *session, d *completion) error {
	f.left--
	octets := f.receives.at(int(d.WRID))[:d.Length]
	if d.Immediate {
		octets = binary.BigEndian.AppendUint64(nil, d.Data)
	}
	o := f.order(octets, d.Immediate)
	f.note(octets, d)
	if !f.held {
		if err := f.postReceive(c, int(d.WRID)); err != nil {
			return err
		}
	}
	if o.Code == DoQuiet {
		return nil
	}
	if len(f.waiting) >= conformWaits {
		f.over = true
		c.conn.Abort() // a close would wait until the peer lets commands complete
		return ErrConformBacklog
	}
	f.waiting = append(f.waiting, o)
	return nil
}

// order decodes the command in a message. Immediate Data is not a command.
func (f *conform) order(octets []byte, immediate bool) (o conformOrder) {
	if immediate {
		return o
	}
	_, o.problem = o.Decode(octets)
	switch {
	case o.problem != nil:
	case o.Code == DoEcho:
		o.octets = append(o.octets, octets...)
	case o.Code == DoReport:
		o.octets, _ = f.latest.AppendBinary(nil)
	}
	return o
}

// note records the latest message.
func (f *conform) note(octets []byte, d *completion) {
	f.latest = ConformReport{Messages: f.latest.Messages + 1, Length: uint32(len(octets)), STag: d.STag, CRC: mpa.CRC(octets)}
	for _, flag := range []struct {
		bit uint8
		set bool
	}{
		{ConformHadSolicited, d.Solicited}, {ConformHadInvalidated, d.Invalidated}, {ConformHadImmediate, d.Immediate},
	} {
		if flag.set {
			f.latest.Flags |= flag.bit
		}
	}
}

// finish handles a completed Work Request of the SQ.
func (f *conform) finish(c *session, d *completion) {
	f.room++
	w := f.flying[0]
	f.flying = append(f.flying[:0], f.flying[1:]...)
	switch {
	case w.command == nil:
		f.free = append(f.free, w.buffer)
	case w.last:
		f.finished(c, w.command, d.Data)
	}
}

// finished handles a command that is complete. value is that of an Atomic.
func (f *conform) finished(c *session, command *ConformCommand, value uint64) {
	switch command.Code {
	case DoFetchAdd, DoCmpSwap:
		c.conn.Do(func(*rnicsim.RNIC) error {
			binary.BigEndian.PutUint64(f.regions[ConformData].octets[command.Offset:], value)
			return nil
		})
	default:
		value = 0
	}
	f.answer(command, ConformDone, value)
}

// answer queues an answer, if the command asks for one.
func (f *conform) answer(command *ConformCommand, status ConformStatus, value uint64) {
	if !command.Code.hasAnswer() || command.Flags&FlagAnswer == 0 {
		return
	}
	a := ConformAnswer{Code: command.Code, Status: status, Value: value}
	b, _ := a.AppendBinary(nil)
	f.replies = append(f.replies, b)
}
