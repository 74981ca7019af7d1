package conform

// Messages of the survey: Sends in both directions.

import (
	"context"
	"errors"
	"fmt"
	"net"

	"github.com/iwarpkit/iwarp/codec/ddp"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// maxKept limits the octets kept of a message, and of the stream, of a peer that does not stop.
const maxKept = 256 << 10

// A connection is one of the survey that carries messages.
type connection struct {
	nc   net.Conn
	out  mpa.Framer
	in   mpa.Deframer
	sent uint32 // messages
}

// establish opens a connection with a Request that the peer has accepted before.
func (s *surveyor) establish(ctx context.Context, f mpa.Frame) (*connection, error) {
	nc, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	reply, err := s.exchange(nc, f)
	if err == nil && reply.R {
		err = errors.New("conform: the peer rejects a Request like one that it has accepted")
	}
	if err != nil {
		nc.Close()
		return nil, err
	}
	c := &connection{nc: nc}
	crc := f.C || reply.C
	c.out.Options = mpa.Options{CRC: crc, Markers: reply.M}
	c.in.Reset(mpa.Options{CRC: crc, Markers: f.M})
	return c, nil
}

// send sends a message, which fits into a segment.
func (c *connection) send(message []byte) error {
	c.sent++
	s := rdmap.Segment{Body: message}
	s.Control = rdmap.Control{RV: rdmap.Version, Opcode: rdmap.OpSend}
	s.Untagged = ddp.Untagged{L: true, DV: ddp.Version, QN: rdmap.QNSend, MSN: c.sent}
	b, err := frame(&c.out, &s)
	if err == nil {
		_, err = c.nc.Write(b)
	}
	return err
}

func frame(f *mpa.Framer, s *rdmap.Segment) ([]byte, error) {
	ulpdu, err := s.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	return f.Append(nil, ulpdu)
}

func (c *connection) receive() (message []byte, err error) {
	for {
		var s rdmap.Segment
		if err := c.segment(&s); err != nil {
			return nil, err
		}
		if s.T || !s.Control.Opcode.IsSend() {
			return nil, fmt.Errorf("the peer sends a %v", s.Control.Opcode)
		}
		if message = append(message, s.Body...); len(message) > maxKept {
			return nil, fmt.Errorf("the peer sends a message of more than %d octets", maxKept)
		}
		if s.L() {
			return message, nil
		}
	}
}

func (c *connection) segment(s *rdmap.Segment) error {
	var f mpa.Deframed
	for !c.in.Next(&f) {
		if c.in.Pending() > maxKept {
			return errors.New("the peer sends no FPDUs")
		}
		b := make([]byte, 4096)
		n, err := c.nc.Read(b)
		if n == 0 && err != nil {
			return fmt.Errorf("no message received: %w", unread(err))
		}
		c.in.Push(b[:n])
	}
	_, err := s.Decode(f.ULPDU)
	return err
}
