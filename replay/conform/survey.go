package conform

// The survey: connections that find out how the peer begins, before anything is asked of it.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Why a peer cannot be asked.
var (
	ErrRefused   = errors.New("conform: the peer accepts no MPA Request, of revision 2, 1 or 0")
	ErrNoService = errors.New("conform: the Private Data of the peer is not that of the conform service, see docs/conform-service.md")
	ErrOffer     = errors.New("conform: the peer offers Receives that no case can live with")
)

// The Receives that a peer may offer: cases use up all of them, and fill them.
const (
	maxReceives  = 4096
	leastReceive = 64
	mostReceive  = 64 << 10 // octets
)

// surveyTime is how long the peer has for a frame.
const surveyTime = 5 * time.Second

// A wire makes a connection to the peer, or takes in one of its.
type wire func(context.Context) (net.Conn, error)

// Survey finds out how connections with a peer begin, over a few of them. side is the one that we take; connect makes a
// TCP connection to the peer, or takes in the next one that it makes. It fails with ErrRefused or ErrNoService, or as
// connect does.
func Survey(ctx context.Context, side scenario.Side, connect func(context.Context) (net.Conn, error)) (*Peer, error) {
	if side == scenario.Server {
		return wire(connect).listen(ctx)
	}
	return wire(connect).dial(ctx)
}

// requests are those that the peer may accept, the best first.
var requests = []struct {
	rev uint8
	ord uint16
}{{mpa.Rev2, 1}, {mpa.Rev2, 0}, {mpa.Rev1, 0}, {mpa.RevRDMAC, 0}}

// dial is the survey of a Responder.
func (connect wire) dial(ctx context.Context) (*Peer, error) {
	var last error
	for _, r := range requests {
		f := mpa.Frame{C: true, M: r.rev == mpa.RevRDMAC, Rev: r.rev}
		if r.rev == mpa.Rev2 {
			f = enhance(f, mpa.Enhanced{IRD: defaultReads, ORD: r.ord})
		}
		p, err := connect.request(ctx, f)
		if err == nil {
			connect.variations(ctx, f, p)
			return p, nil
		}
		var call *net.OpError
		if errors.Is(err, ErrNoService) || errors.Is(err, ErrOffer) || errors.As(err, &call) && call.Op == "dial" || ctx.Err() != nil {
			return nil, err
		}
		last = err
	}
	return nil, fmt.Errorf("%w: %w", ErrRefused, last)
}

// variations finds out what a Responder, which accepts f, makes of others.
func (connect wire) variations(ctx context.Context, f mpa.Frame, p *Peer) {
	other := f
	other.M = true
	reply, err := connect.reply(ctx, other)
	p.Markers = err == nil && !reply.R

	other = f
	other.C = false
	reply, err = connect.reply(ctx, other)
	p.Unchecked = err == nil && !reply.C

	var e mpa.Enhanced
	if f.Enhanced(&e) {
		e.A, e.B, e.C, e.D = true, true, true, true
		reply, err = connect.reply(ctx, enhance(f, e))
		p.Ready = readyKinds(reply, err)
	}
	if reply, err = connect.reply(ctx, mpa.Frame{M: true, C: true, Rev: mpa.RevRDMAC}); err == nil {
		p.RDMAC = reply
	}
	if reply, err = connect.reply(ctx, mpa.Frame{C: true, Rev: mpa.Rev2 + 1}); err == nil {
		p.Later = reply
	}
}

// readyKinds are the flags of the kinds of Ready to Receive that a Reply has.
func readyKinds(reply *mpa.Frame, err error) (kinds string) {
	var e mpa.Enhanced
	if err != nil || reply.R || !reply.Enhanced(&e) || !e.A {
		return ""
	}
	for _, kind := range []struct {
		set  bool
		flag string
	}{{e.B, "B"}, {e.C, "C"}, {e.D, "D"}} {
		if kind.set {
			kinds += kind.flag
		}
	}
	return kinds
}

// request sends a Request, and looks at the Reply that accepts it.
func (connect wire) request(ctx context.Context, f mpa.Frame) (*Peer, error) {
	begin := time.Now()
	reply, err := connect.reply(ctx, f)
	switch {
	case err != nil:
		return nil, err
	case reply.R:
		return nil, errors.New("it rejects the Request")
	}
	return newPeer(reply, time.Since(begin))
}

// reply is the Reply to a Request.
func (connect wire) reply(ctx context.Context, f mpa.Frame) (*mpa.Frame, error) {
	nc, err := connect.open(ctx)
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	b, err := f.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	if _, err = nc.Write(b); err != nil {
		return nil, err
	}
	reply, err := readFrame(nc, true)
	if kinds := readyKinds(reply, err); kinds != "" {
		err = sendReady(nc, kinds[:1])
	}
	return reply, err
}

// strangers is how many connections may come that are not the peer's, in a row.
const strangers = 3

// listen is the survey of an Initiator.
func (connect wire) listen(ctx context.Context) (p *Peer, err error) {
	for range strangers + 1 {
		if p, err = connect.accept(ctx); err == nil || ctx.Err() != nil || errors.Is(err, ErrNoService) || errors.Is(err, ErrOffer) {
			return p, err
		}
	}
	return nil, err
}

// accept is the survey of an Initiator, if the next one who connects is one.
func (connect wire) accept(ctx context.Context) (*Peer, error) {
	nc, err := connect.open(ctx)
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	request, err := readFrame(nc, false)
	if err != nil {
		return nil, fmt.Errorf("%v has connected: %w", nc.RemoteAddr(), err)
	}
	p, err := newPeer(request, 0)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	w := writer{Setup: &Setup{Side: scenario.Server, Peer: *p}}
	f := mpa.Frame{Reply: true, C: true, Rev: request.Rev}
	if p.Enhanced {
		flag, _ := w.ready()
		ird, ord := w.reads()
		f = enhance(f, mpa.Enhanced{A: flag != "", B: flag == "B", C: flag == "C", D: flag == "D", IRD: uint16(ird), ORD: uint16(ord)})
	}
	b, _ := f.AppendBinary(nil) // every value fits
	if _, err := nc.Write(b); err != nil {
		return nil, err
	}
	if _, err := io.ReadFull(nc, make([]byte, 1)); err != nil { // it has to send the first FPDU
		return nil, fmt.Errorf("conform: the peer sends nothing behind our Reply: %w", err)
	}
	p.RoundTrip, p.Markers = time.Since(begin), true
	return p, nil
}

// open makes a connection that does not last for long.
func (connect wire) open(ctx context.Context) (net.Conn, error) {
	nc, err := connect(ctx)
	if err == nil {
		err = nc.SetDeadline(time.Now().Add(surveyTime))
	}
	return nc, err
}

// enhance is a frame with an Enhanced word.
func enhance(f mpa.Frame, e mpa.Enhanced) mpa.Frame {
	f.S = true
	f.PrivateData, _ = e.AppendBinary(nil) // every value fits
	f.PDLength = uint16(len(f.PrivateData))
	return f
}

// readFrame reads an MPA frame.
func readFrame(nc net.Conn, reply bool) (*mpa.Frame, error) {
	name := "MPA Request"
	if reply {
		name = "MPA Reply"
	}
	b := make([]byte, mpa.FrameLen, mpa.FrameLen+mpa.MaxPrivateData)
	if _, err := io.ReadFull(nc, b); err != nil {
		return nil, fmt.Errorf("conform: no %s came: %w", name, unread(err))
	}
	f := new(mpa.Frame)
	f.Decode(b) // which fails where Private Data is still to come
	if n := int(f.PDLength); n > 0 && n <= mpa.MaxPrivateData {
		b = b[:mpa.FrameLen+n]
		if _, err := io.ReadFull(nc, b[mpa.FrameLen:]); err != nil {
			return nil, fmt.Errorf("conform: the %s came in part only: %w", name, unread(err))
		}
	}
	_, err := f.Decode(b)
	if err = cmp.Or(err, f.Check()); err != nil {
		return nil, fmt.Errorf("conform: what came is no %s: %w", name, err)
	}
	if f.Reply != reply {
		return nil, fmt.Errorf("conform: an MPA frame came with the Key of the other side, and no %s", name)
	}
	return f, nil
}

// unread is why nothing more came, without the addresses.
func unread(err error) error {
	var call *net.OpError
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return fmt.Errorf("the peer sends nothing for %v", surveyTime)
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return errors.New("the peer closes the connection")
	case errors.As(err, &call):
		return call.Err
	}
	return err
}

// newPeer is what a frame of the peer tells.
func newPeer(f *mpa.Frame, took time.Duration) (*Peer, error) {
	p := &Peer{Frame: *f, IRD: 1, ORD: 1, RoundTrip: took}
	private := f.PrivateData
	var e mpa.Enhanced
	if f.Rev == mpa.Rev2 && f.Enhanced(&e) {
		p.Enhanced, p.IRD, p.ORD = true, int(e.IRD), int(e.ORD)
		private = f.ULPPrivateData()
	}
	if _, err := p.Offer.Decode(private); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoService, err)
	}
	if o := &p.Offer; o.Receives < 1 || o.Receives > maxReceives || o.ReceiveSize < leastReceive || o.ReceiveSize > mostReceive {
		return nil, fmt.Errorf("%w: %d of %d octets; want 1 to %d of %d to %d", ErrOffer, o.Receives, o.ReceiveSize, maxReceives, leastReceive, mostReceive)
	}
	p.Frame.PrivateData = nil
	if p.Enhanced {
		p.Frame.PrivateData = f.PrivateData[:mpa.EnhancedLen]
	}
	return p, nil
}
