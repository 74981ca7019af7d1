package driver

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/codec/rules"
	"github.com/iwarpkit/iwarp/rnicsim"
)

// The reasons why the driver ends a connection, or does not begin one.
var (
	ErrTooManyConns  = errors.New("driver: too many connections")
	ErrCrowded       = errors.New("driver: too many connections, and this one is the least useful")
	ErrHeld          = errors.New("driver: too much memory is in use, and this connection made no progress for longest")
	ErrStalled       = errors.New("driver: the peer takes too long to finish an FPDU, or to read")
	ErrIdle          = errors.New("driver: the connection was idle for too long")
	ErrTooManyOctets = errors.New("driver: the connection exceeded its limit of octets")
	ErrNotAccepted   = errors.New("driver: the MPA Request was not accepted in time")
	ErrInjected      = errors.New("driver: ended by an injected fault")
	ErrUnfinished    = errors.New("driver: work was not complete in time when the connection was closed")
)

// Rejected is the error of Dial if the peer rejected the Request.
type Rejected struct {
	Request mpa.Frame
	Reply   mpa.Frame // with its Private Data
}

// Error returns one sentence.
func (r *Rejected) Error() string {
	return fmt.Sprintf("driver: rejected by the peer, with %d octets of Private Data", r.Reply.ULPPrivateDataLen())
}

// Terminated is the error of a connection that a Terminate ended.
type Terminated struct {
	Local     bool            // this side sent it, or tried to; else the peer
	Terminate rdmap.Terminate // as the RFC defines it, or as its sender meant it if only that makes sense, or if both do and the RNIC of the Profile writes them so
	Header    []byte          // its octets
}

// newTerminated decodes the header of a Terminate as the Profile of the RNIC reads it.
func newTerminated(p *rules.Profile, local bool, header []byte) *Terminated {
	t := &Terminated{Local: local, Header: header}
	p.DecodeTerminate(&t.Terminate, header)
	return t
}

// Error says who sent which Terminate, and about which message, if known.
func (t *Terminated) Error() string {
	who := "the peer"
	if t.Local {
		who = "this side"
	}
	s := fmt.Sprintf("driver: %s sent a Terminate: %v %s", who, t.Terminate.Code, t.Terminate.Code.Describe())
	if t.Terminate.HasHeader {
		s += fmt.Sprintf(", for a %v", t.Terminate.Header.Control.Opcode)
	}
	return s
}

// reason returns why the connection is over. The lock is held.
func (c *Conn) reason() error {
	if c.qp != nil {
		if a, err := c.qp.Query(); err == nil && a.Terminate != nil {
			return newTerminated(c.d.config.RNIC.Profile, a.Terminate.Local, a.Terminate.Header)
		}
	}
	return cmp.Or(c.cause, c.stream.Err())
}

// failure returns why a connection has not begun. The lock is held.
func (c *Conn) failure() error {
	return cmp.Or[error](c.err, c.stream.Err(), rnicsim.ErrNotStreaming)
}
