package conform

// MPA frames of the survey.

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"slices"

	"github.com/iwarpkit/iwarp/codec/mpa"
)

// enhance returns a frame with an Enhanced word, and no other Private Data.
func enhance(f mpa.Frame, e mpa.Enhanced) mpa.Frame {
	f.S = true
	f.PrivateData, _ = e.AppendBinary(nil) // cannot fail: every value fits
	f.PDLength = uint16(len(f.PrivateData))
	return f
}

func private(f mpa.Frame, octets []byte) mpa.Frame {
	f.PrivateData = slices.Concat(f.PrivateData, octets)
	f.PDLength = uint16(len(f.PrivateData))
	return f
}

// readFrame reads the MPA frame of the peer. rev is the revision of ours, or 0 if ours is the second.
func (s *surveyor) readFrame(nc net.Conn, reply bool, rev uint8) (*mpa.Frame, error) {
	name := "MPA Request"
	if reply {
		name = "MPA Reply"
	}
	b := make([]byte, mpa.FrameLen, mpa.FrameLen+mpa.MaxPrivateData)
	if n, err := io.ReadFull(nc, b); err != nil {
		return nil, fmt.Errorf("conform: no %s received: %w after %d octets", name, unread(err), n)
	}
	f := new(mpa.Frame)
	f.Decode(b) // fails if Private Data is still to come
	if n := int(f.PDLength); n > 0 && n <= mpa.MaxPrivateData {
		b = b[:mpa.FrameLen+n]
		if _, err := io.ReadFull(nc, b[mpa.FrameLen:]); err != nil {
			return nil, fmt.Errorf("conform: the %s is incomplete: %w", name, unread(err))
		}
	}
	_, err := f.Decode(b)
	s.amend(f, rev)
	if err = cmp.Or(err, f.Check()); err != nil {
		return nil, fmt.Errorf("conform: not a valid %s: %w", name, err)
	}
	if f.Reply != reply {
		return nil, fmt.Errorf("conform: an MPA frame with the wrong Key instead of a %s", name)
	}
	return f, nil
}

// unread says why reading ended, without addresses.
func unread(err error) error {
	var call *net.OpError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errors.New("no answer in time")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the peer closed the connection")
	case errors.As(err, &call):
		return call.Err
	}
	return err
}
