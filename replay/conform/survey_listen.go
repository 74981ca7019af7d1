package conform

// The survey of an Initiator, which connects to us.

import (
	"context"
	"fmt"
	"io"
	"net"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// maxUnknown limits the connections in a row that are not the peer's.
const maxUnknown = 3

// An opening is the first octets that an Initiator sends after our Reply: a Marker, or the beginning of an FPDU.
type opening [mpa.MarkerLen]byte

// listen surveys an Initiator, which begins each connection with the same message. Anything that precedes the message
// only if Markers are requested is a Marker, right or wrong.
func (s *surveyor) listen(ctx context.Context) (*Peer, error) {
	p, plain, err := s.accepted(ctx, false)
	if err != nil {
		return nil, err
	}
	_, marked, err := s.accepted(ctx, true)
	p.Markers = err == nil && (p.Consortium() || marked != plain)
	return p, ctx.Err()
}

func (s *surveyor) accepted(ctx context.Context, markers bool) (p *Peer, first opening, err error) {
	for range maxUnknown + 1 {
		nc, failed := s.open(ctx)
		if failed != nil {
			return nil, first, failed
		}
		request, failed := s.readFrame(nc, false, 0)
		if failed == nil {
			p, first, err = s.begins(nc, request, markers)
		} else {
			err = fmt.Errorf("%v has connected: %w", nc.RemoteAddr(), failed)
		}
		nc.Close()
		if failed == nil || ctx.Err() != nil {
			return p, first, err
		}
	}
	return nil, first, err
}

// begins finds out how an Initiator begins a connection.
func (s *surveyor) begins(nc net.Conn, request *mpa.Frame, markers bool) (p *Peer, first opening, err error) {
	if p, err = s.newPeer(request); err == nil {
		first, err = s.first(nc, p, markers)
	}
	return p, first, err
}

// first accepts the Request of an Initiator, and reads the first octets after it.
func (s *surveyor) first(nc net.Conn, p *Peer, markers bool) (octets opening, err error) {
	w := writer{Setup: &Setup{Side: scenario.Server, Peer: *p}}
	f := mpa.Frame{Reply: true, C: true, M: markers || p.Consortium(), Rev: p.Frame.Rev}
	if p.Enhanced {
		flag, _ := w.ready()
		ird, ord := w.reads()
		f = enhance(f, mpa.Enhanced{A: flag != "", B: flag == "B", C: flag == "C", D: flag == "D", IRD: uint16(ird), ORD: uint16(ord)})
	}
	b, _ := f.AppendBinary(nil) // cannot fail: every value fits
	begin := time.Now()
	if _, err := nc.Write(b); err != nil {
		return octets, err
	}
	if _, err := io.ReadFull(nc, octets[:]); err != nil { // the Initiator sends the first FPDU
		return octets, fmt.Errorf("conform: the peer sends nothing after our Reply: %w", unread(err))
	}
	s.answered(begin)
	return octets, nil
}
