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

// strangers is how many connections may come that are not the peer's, in a row.
const strangers = 3

// An opening is the first octets that an Initiator sends behind our Reply: a Marker, or the begin of an FPDU.
type opening [mpa.MarkerLen]byte

// listen is the survey of an Initiator. It begins each connection with the same message: what is in front of that where
// Markers are asked for, and only there, is a Marker, be it a right one or not.
func (s *surveyor) listen(ctx context.Context) (*Peer, error) {
	p, plain, err := s.accepted(ctx, false)
	if err != nil {
		return nil, err
	}
	_, marked, err := s.accepted(ctx, true)
	p.Markers = err == nil && (p.Consortium() || marked != plain)
	return p, ctx.Err()
}

// accepted takes in a connection of an Initiator, be it the next one or one behind those of strangers.
func (s *surveyor) accepted(ctx context.Context, markers bool) (p *Peer, first opening, err error) {
	for range strangers + 1 {
		nc, failed := s.open(ctx)
		if failed != nil {
			return nil, first, failed
		}
		request, failed := readFrame(nc, false)
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

// begins finds out how an Initiator begins.
func (s *surveyor) begins(nc net.Conn, request *mpa.Frame, markers bool) (p *Peer, first opening, err error) {
	if p, err = s.newPeer(request); err == nil {
		first, err = s.first(nc, p, markers)
	}
	return p, first, err
}

// first accepts the Request of an Initiator, and reads what it sends first.
func (s *surveyor) first(nc net.Conn, p *Peer, markers bool) (octets opening, err error) {
	w := writer{Setup: &Setup{Side: scenario.Server, Peer: *p}}
	f := mpa.Frame{Reply: true, C: true, M: markers || p.Consortium(), Rev: p.Frame.Rev}
	if p.Enhanced {
		flag, _ := w.ready()
		ird, ord := w.reads()
		f = enhance(f, mpa.Enhanced{A: flag != "", B: flag == "B", C: flag == "C", D: flag == "D", IRD: uint16(ird), ORD: uint16(ord)})
	}
	b, _ := f.AppendBinary(nil) // every value fits
	begin := time.Now()
	if _, err := nc.Write(b); err != nil {
		return octets, err
	}
	if _, err := io.ReadFull(nc, octets[:]); err != nil { // it has to send the first FPDU
		return octets, fmt.Errorf("conform: the peer sends nothing behind our Reply: %w", unread(err))
	}
	s.answered(begin)
	return octets, nil
}
