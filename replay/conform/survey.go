package conform

// The survey: connections before the cases, which find out how the peer sets up connections.

import (
	"context"
	"errors"
	"fmt"
	"net"
	"time"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rpcprivate"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Reasons why a peer cannot be tested.
var (
	ErrRefused   = errors.New("conform: the peer accepts no MPA Request, of revision 2, 1 or 0")
	ErrNoService = errors.New("conform: the peer does not run the conform service (version 1): start it with 'iwarp serve --service conform'; see docs/conform-service.md")
	ErrOffer     = errors.New("conform: the peer offers unsuitable Receives")
	ErrNoRPC     = errors.New("conform: the peer answers no Call of RPC-over-RDMA, of version 1 or 2")
	ErrRole      = errors.New("conform: an RPC peer is the server: connect to it")
)

// isFinal reports whether an error is one that another Request would not avoid.
func isFinal(err error) bool {
	return errors.Is(err, ErrNoService) || errors.Is(err, ErrOffer) || errors.Is(err, ErrNoRPC)
}

// The Receives that a peer may offer: cases use all of them, and fill them.
const (
	maxReceives  = 4096
	leastReceive = 64
	mostReceive  = 64 << 10 // octets
)

// surveyTime limits a connection of the survey.
const surveyTime = 5 * time.Second

// Survey finds out by a few connections how a peer sets up connections, and what a peer with the RPCService accepts.
// side is the one that we play; connect makes a TCP connection to the peer, or accepts the next one of the peer. It
// fails with ErrRefused, ErrNoService, ErrOffer, ErrNoRPC or ErrRole, or like connect.
func Survey(ctx context.Context, of Service, side scenario.Side, connect func(context.Context) (net.Conn, error)) (*Peer, error) {
	p, _, err := survey(ctx, of, side, connect, 0)
	return p, err
}

// survey is Survey with a limit for each connection; 0 means surveyTime. It also returns the Deviations of the peer's
// MPA frames.
func survey(ctx context.Context, of Service, side scenario.Side, connect func(context.Context) (net.Conn, error), limit time.Duration) (*Peer, []Deviation, error) {
	if of == RPCService && side == scenario.Server {
		return nil, nil, ErrRole
	}
	s := surveyor{service: of, connect: connect, limit: limit}
	if limit <= 0 {
		s.limit = surveyTime
	}
	look := s.dial
	if side == scenario.Server {
		look = s.listen
	}
	p, err := look(ctx)
	if err != nil {
		return nil, nil, err
	}
	p.RoundTrip = s.least
	return p, s.deviations, nil
}

type surveyor struct {
	service Service
	connect func(context.Context) (net.Conn, error) // makes a connection to the peer, or accepts one
	limit   time.Duration                           // for each connection
	least   time.Duration                           // the shortest round trip

	deviations []Deviation // of the MPA frames of the peer
}

// answered measures a round trip that began at a time.
func (s *surveyor) answered(begin time.Time) {
	if took := max(time.Since(begin), 1); s.least == 0 || took < s.least {
		s.least = took
	}
}

// requests are the Requests that the peer may accept, the best first.
var requests = []struct {
	rev uint8
	ord uint16
}{{mpa.Rev2, 1}, {mpa.Rev2, 0}, {mpa.Rev1, 0}, {mpa.RevRDMAC, 0}}

// dial surveys a Responder.
func (s *surveyor) dial(ctx context.Context) (*Peer, error) {
	var last error
	for _, r := range requests {
		f := mpa.Frame{C: true, M: r.rev == mpa.RevRDMAC, Rev: r.rev}
		if r.rev == mpa.Rev2 {
			f = enhance(f, mpa.Enhanced{IRD: defaultReads, ORD: r.ord})
		}
		p, err := s.request(ctx, f)
		if err == nil && s.service == RPCService {
			return p, s.rpc(ctx, f, p)
		}
		if err == nil {
			s.variations(ctx, f, p)
			return p, nil
		}
		var call *net.OpError
		if isFinal(err) || errors.As(err, &call) && call.Op == "dial" || ctx.Err() != nil {
			return nil, err
		}
		last = err
	}
	return nil, fmt.Errorf("%w: %w", ErrRefused, last)
}

// variations finds out how a Responder that accepts f reacts to other Requests.
func (s *surveyor) variations(ctx context.Context, f mpa.Frame, p *Peer) {
	other := f
	other.M = true
	reply, err := s.reply(ctx, other)
	p.Markers = err == nil && !reply.R

	other = f
	other.C = false
	reply, err = s.reply(ctx, other)
	p.Unchecked = err == nil && !reply.C

	var e mpa.Enhanced
	if f.Enhanced(&e) {
		e.A, e.B, e.C, e.D = true, true, true, true
		if reply, err = s.reply(ctx, enhance(f, e)); err == nil && !reply.R {
			p.Ready = readyKinds(reply)
		}
	}
	if reply, err = s.reply(ctx, mpa.Frame{M: true, C: true, Rev: mpa.RevRDMAC}); err == nil {
		p.RDMAC = reply
	}
	if reply, err = s.reply(ctx, mpa.Frame{C: true, Rev: mpa.Rev2 + 1}); err == nil {
		p.Later = reply
	}
}

// Offered returns the flags of the kinds of Ready to Receive that the peer's MPA frame offers.
func (s *Setup) Offered() string { return readyKinds(&s.Peer.Frame) }

// readyKinds returns the flags of the kinds of Ready to Receive that a frame has.
func readyKinds(f *mpa.Frame) (kinds string) {
	var e mpa.Enhanced
	if !f.Enhanced(&e) || !e.A {
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

func (s *surveyor) request(ctx context.Context, f mpa.Frame) (*Peer, error) {
	reply, err := s.reply(ctx, f)
	switch {
	case err != nil:
		return nil, err
	case reply.R:
		return nil, errors.New("it rejects the Request")
	}
	return s.newPeer(reply)
}

func (s *surveyor) reply(ctx context.Context, f mpa.Frame) (*mpa.Frame, error) {
	nc, err := s.open(ctx)
	if err != nil {
		return nil, err
	}
	defer nc.Close()
	reply, err := s.exchange(nc, f)
	if err != nil || reply.R {
		return reply, err
	}
	if kinds := readyKinds(reply); kinds != "" {
		err = sendReady(nc, kinds[:1])
	}
	return reply, err
}

// exchange sends a Request and reads the Reply.
func (s *surveyor) exchange(nc net.Conn, f mpa.Frame) (*mpa.Frame, error) {
	if s.service == RPCService {
		f = private(f, rpcPrivate)
	}
	b, err := f.AppendBinary(nil)
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	if _, err = nc.Write(b); err != nil {
		return nil, err
	}
	reply, err := s.readFrame(nc, true, f.Rev)
	if err == nil {
		s.answered(begin)
	}
	return reply, err
}

func (s *surveyor) open(ctx context.Context) (net.Conn, error) {
	nc, err := s.connect(ctx)
	if err == nil {
		err = nc.SetDeadline(time.Now().Add(s.limit))
	}
	return nc, err
}

func (s *surveyor) newPeer(f *mpa.Frame) (*Peer, error) {
	p := &Peer{Frame: *f, IRD: 1, ORD: 1}
	octets := f.PrivateData
	var e mpa.Enhanced
	if f.Rev == mpa.Rev2 && f.Enhanced(&e) {
		p.Enhanced, p.IRD, p.ORD = true, int(e.IRD), int(e.ORD)
		octets = f.ULPPrivateData()
	}
	if s.service == RPCService {
		p.RPC.Private = rpcprivate.Read(octets)
	} else if err := p.offers(octets); err != nil {
		return nil, err
	}
	p.Frame.PrivateData = nil
	if p.Enhanced {
		p.Frame.PrivateData = f.PrivateData[:mpa.EnhancedLen]
	}
	return p, nil
}

// offers decodes the Private Data of the conform service.
func (p *Peer) offers(octets []byte) error {
	if _, err := p.Offer.Decode(octets); err != nil {
		return ErrNoService
	}
	if o := &p.Offer; o.Receives < 1 || o.Receives > maxReceives || o.ReceiveSize < leastReceive || o.ReceiveSize > mostReceive {
		return fmt.Errorf("%w: %d of %d octets; want 1 to %d of %d to %d", ErrOffer, o.Receives, o.ReceiveSize, maxReceives, leastReceive, mostReceive)
	}
	return nil
}
