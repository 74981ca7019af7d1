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

// maxTalk limits the octets kept of a message, and of the stream, of a peer that does not stop.
const maxTalk = 256 << 10

// A talk is a connection of the survey that carries messages.
type talk struct {
	nc   net.Conn
	out  mpa.Framer
	in   mpa.Deframer
	sent uint32 // messages
}

// talk opens a connection with a Request that the peer has accepted before.
func (s *surveyor) talk(ctx context.Context, f mpa.Frame) (*talk, error) {
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
	t := &talk{nc: nc}
	crc := f.C || reply.C
	t.out.Options = mpa.Options{CRC: crc, Markers: reply.M}
	t.in.Reset(mpa.Options{CRC: crc, Markers: f.M})
	return t, nil
}

// send sends a message, which fits into a segment.
func (t *talk) send(message []byte) error {
	t.sent++
	s := rdmap.Segment{Body: message}
	s.Control = rdmap.Control{RV: rdmap.Version, Opcode: rdmap.OpSend}
	s.Untagged = ddp.Untagged{L: true, DV: ddp.Version, QN: rdmap.QNSend, MSN: t.sent}
	b, err := frame(&t.out, &s)
	if err == nil {
		_, err = t.nc.Write(b)
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

func (t *talk) receive() (message []byte, err error) {
	for {
		var s rdmap.Segment
		if err := t.segment(&s); err != nil {
			return nil, err
		}
		if s.T || !s.Control.Opcode.IsSend() {
			return nil, fmt.Errorf("the peer sends a %v", s.Control.Opcode)
		}
		if message = append(message, s.Body...); len(message) > maxTalk {
			return nil, fmt.Errorf("the peer sends a message of more than %d octets", maxTalk)
		}
		if s.L() {
			return message, nil
		}
	}
}

func (t *talk) segment(s *rdmap.Segment) error {
	var f mpa.Deframed
	for !t.in.Next(&f) {
		if t.in.Pending() > maxTalk {
			return errors.New("the peer sends no FPDUs")
		}
		b := make([]byte, 4096)
		n, err := t.nc.Read(b)
		if n == 0 && err != nil {
			return fmt.Errorf("no message received: %w", unread(err))
		}
		t.in.Push(b[:n])
	}
	_, err := s.Decode(f.ULPDU)
	return err
}
