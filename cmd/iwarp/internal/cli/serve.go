package cli

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/rnicsim"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
	"github.com/iwarpkit/iwarp/rnicsim/service"
)

// serving holds the flags of the command.
type serving struct {
	live
	listen      string
	connect     string
	service     choice
	output      choice
	region      size
	receives    number
	receiveSize size
	srq         bool
	permissive  bool
	reject      bool
	maxConns    number
	maxOctets   size
	idle        span
	count       number
	once        bool
}

func newServe(a *app) *cobra.Command {
	s := &serving{
		live: newLive(a, 16), service: choice{Value: "rping"}, output: usage.NewChoice("text", "text", "json"),
		region: size{0, 0, service.MaxRegion}, receives: number{0, 0, service.MaxReceives}, receiveSize: size{0, 0, service.MaxReceiveSize},
		maxConns: number{64, 1, 1 << 16}, maxOctets: size{1 << 40, 0, 1 << 62}, count: number{0, 0, 1 << 62},
		idle: span{value: 10 * time.Minute},
	}
	s.ird.value, s.timeout.value = maxReads, 10*time.Second
	for _, v := range service.Services() {
		s.service.Allowed = append(s.service.Allowed, v.Name)
	}
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: groupLive,
		Short:   "Run a software RNIC that peers connect to",
		Long: `Run a software RNIC with a service on it (docs/services.md). The first line of
output is its address. There is no authentication. Ctrl-C ends it.`,
		Example: `  iwarp serve --listen 127.0.0.1:7174 --service memory
  iwarp serve --once -w session.pcapng --profile siw --fault crc:Send:3`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context()) },
	}
	s.defineFlags(cmd)
	return cmd
}

func (s *serving) defineFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.listen, "listen", "127.0.0.1:0", "listen on `ADDRESS`")
	f.StringVar(&s.connect, "connect", "", "connect to `ADDRESS` again and again; conform only")
	s.service.AddTo(cmd, f, "service", "", "`NAME`")
	s.output.AddTo(cmd, f, "output", "o", "`FORMAT`")
	s.addFlags(cmd, "Reply")
	f.BoolVar(&s.permissive, "permissive", false, "accept peers of the RDMA Consortium (revision 0)")
	f.BoolVar(&s.reject, "reject", false, "reject all connections")
	f.Var(&s.region, "region", "`SIZE` of a region; 0 means the service's own")
	f.Var(&s.receives, "receives", "`N` Receives per client; 0 means the service's own")
	f.Var(&s.receiveSize, "receive-size", "`SIZE` of a Receive; 0 means the service's own")
	f.BoolVar(&s.srq, "srq", false, "use a Shared Receive Queue; conform only")
	f.Var(&s.maxConns, "max-conns", "`N` connections of each kind at a time")
	f.Var(&s.maxOctets, "max-octets", "reset a connection after `SIZE` octets")
	f.Var(&s.idle, "idle", "reset a connection idle for `TIME`")
	f.Var(&s.timeout, "timeout", "wait `TIME` for MPA Request and FIN")
	f.VarP(&s.count, "connections", "n", "stop after `N` accepted connections; 0 means never")
	f.BoolVar(&s.once, "once", false, "end after one connection, as -n 1")
	cmd.MarkFlagsMutuallyExclusive("once", "connections")
	cmd.MarkFlagsMutuallyExclusive("connect", "listen")
	cmd.MarkFlagsMutuallyExclusive("connect", "reject")
}

// grace is how long connections may take to close after Ctrl-C.
const grace = time.Second

func (s *serving) run(ctx context.Context) error {
	if asked, err := s.lists(); asked {
		return err
	}
	if err := s.settle(); err != nil {
		return err
	}
	tell := newTeller(s)
	defer tell.summary()
	return s.withDevice(driver.Config{
		Logger: tell.log.of(s.verbose), Tap: tell.count,
		MaxConns: int(s.maxConns.value), MaxOctets: s.maxOctets.value, Idle: s.idle.value, MaxHeld: mostHeld,
	}, s.connect == "", func(d *driver.Device) error {
		keeping, stop := context.WithCancel(ctx)
		var kept sync.WaitGroup
		kept.Go(func() { keepMemory(keeping, d.Relieve, s.maxResident(), tell.traffic) })
		defer kept.Wait()
		defer stop()
		return s.on(ctx, d, tell)
	})
}

// settle checks the flags and fills in what depends on others.
func (s *serving) settle() (err error) {
	if s.once {
		s.count.value = 1
	}
	if !s.flags.Changed("ird") && s.service.Value == "conform" {
		s.ird.value = conformReads
	}
	if s.connect != "" {
		s.connect, err = peerAddress(s.connect)
	} else if wrong := checkListen(s.listen); wrong != nil {
		err = fmt.Errorf("--listen %w", wrong)
	}
	return err
}

// conformReads is the IRD of conform: low, so that peers can exceed it.
const conformReads = 16

// on serves on a Device until there have been enough connections or ctx is done.
func (s *serving) on(ctx context.Context, d *driver.Device, tell *teller) error {
	ird, ord := s.reads()
	server, err := service.New(d, s.service.Value, service.Options{
		Region: int(s.region.value), Receives: int(s.receives.value), ReceiveSize: int(s.receiveSize.value),
		IRD: ird, ORD: ord, SRQ: s.srq, Private: s.private.octets, Observe: tell.observe,
	})
	if err != nil {
		return worded(err)
	}
	stream := s.stream()
	stream.Permissive = s.permissive
	if s.connect != "" {
		return s.initiate(ctx, server, stream, tell)
	}
	l, err := d.Listen(context.Background(), "tcp", s.listen, driver.ListenConfig{Stream: stream, Failed: tell.notBegun})
	if err != nil {
		return unreachable(s.listen, err)
	}
	tell.listening(l.Addr(), &server.Service)
	s.accept(ctx, l, server, tell)
	return nil
}

// accept serves connections until there have been enough or ctx is done. It waits for those in progress; once ctx is done,
// only briefly.
func (s *serving) accept(ctx context.Context, l *driver.Listener, server *service.Server, tell *teller) {
	var running sync.WaitGroup
	for n := uint64(0); s.count.value == 0 || n < s.count.value; n++ {
		r, err := l.Accept(ctx)
		if err != nil {
			break
		}
		running.Go(func() { s.one(ctx, r, server, tell) })
	}
	defer l.Close() // at the end: it resets connections that are about to be accepted
	linger(ctx, &running)
}

// linger waits for connections; once ctx is done, only briefly.
func linger(ctx context.Context, running *sync.WaitGroup) {
	_ = ended(ctx, func() error {
		running.Wait()
		return nil
	})
}

// ended runs f, and returns its error; once ctx is done, it waits for the end of f only briefly, and returns nil.
func ended(ctx context.Context, f func() error) error {
	over := make(chan error, 1)
	go func() { over <- f() }()
	select {
	case err := <-over:
		return err
	case <-ctx.Done():
	}
	select {
	case <-over:
	case <-time.After(grace):
	}
	return nil
}

// one serves one connection, or rejects it.
func (s *serving) one(ctx context.Context, r *driver.Request, server *service.Server, tell *teller) {
	if s.reject {
		tell.rejected(r, r.Reject(s.private.octets))
		return
	}
	switch err := server.Serve(ctx, r); {
	case err == nil:
	case errors.Is(err, rnicsim.ErrIRD), errors.Is(err, service.ErrNoReads):
		tell.rejected(r, err)
	default:
		tell.failed(r, err)
	}
}
