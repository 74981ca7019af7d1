package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

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
		live: newLive(a, 16), service: choice{value: "rping"}, output: choice{"text", []string{"text", "json"}},
		region: size{0, 0, service.MaxRegion}, receives: number{0, 0, service.MaxReceives}, receiveSize: size{0, 0, service.MaxReceiveSize},
		maxConns: number{64, 1, 1 << 16}, maxOctets: size{1 << 40, 0, 1 << 62}, count: number{0, 0, 1 << 62},
		idle: span{value: 10 * time.Minute},
	}
	s.ird.value, s.timeout.value = maxReads, 10*time.Second
	var what strings.Builder
	for _, v := range service.Services() {
		s.service.allowed = append(s.service.allowed, v.Name)
		what.Write(appendItem(nil, helpWidth, "  "+v.Name, v.Text))
	}
	cmd := &cobra.Command{
		Use:     "serve",
		GroupID: groupLive,
		Short:   "Be an RNIC that others connect to",
		Long: `Be an RNIC in software that listens on a TCP port. Any iWARP peer can connect to it: 'iwarp ping' and 'iwarp bench',
or the RNIC of another host.

The services are
` + what.String() + `docs/services.md describes them octet by octet. All but rping and rpc advertise regions in their Private Data; what
--private-data gives stands behind that.

The address stands in the first line on standard output. It is on loopback unless --listen says otherwise: there is no
authentication, and who can connect can fill the memory that the limits allow. With -o json a line follows for each
connection that begins, is not accepted or ends, and for each message that a service takes in.

The RNIC keeps to the RFCs, or has the habits of another with --profile; --quirk lets it deviate, and --fault spoils
what it sends. -w writes what really went over the connections, with IP and TCP headers that are made up.

With --connect conform is the Initiator: it connects to ADDRESS again and again, as soon as one connection has ended,
until nobody takes connections there for ` + patience.String() + `. No address is printed. -n counts all connections then, and the exit
code is 3 if there was none.

It ends with Ctrl-C, which closes the connections (exit code 130), or after -n connections whose MPA Request was answered
(exit code 0). Those with which MPA does not come about, as of port scanners and web browsers, are told of and do not
count for -n.`,
		Example: `  iwarp serve                                   # for rping, on a port that is free
  iwarp serve --listen 127.0.0.1:7174 --service memory
  iwarp serve --once -w session.pcapng          # one connection, and what went over it
  iwarp serve --profile siw --quirk no-rights
  iwarp serve --fault crc:Send:3                # a wrong CRC in the third Send
  iwarp serve --service conform --connect 10.0.0.2:7174
  iwarp serve --service rpc --listen 127.0.0.1:20049   # for iwarp conform --service rpc
  iwarp serve -o json | jq 'select(.event == "close")'`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return s.run(cmd.Context()) },
	}
	s.defineFlags(cmd)
	return cmd
}

func (s *serving) defineFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&s.listen, "listen", "127.0.0.1:0", "`ADDRESS` to listen on; port 0 is one that is free")
	f.StringVar(&s.connect, "connect", "", "connect to `ADDRESS`, again and again, and serve there; conform only")
	addChoice(cmd, f, &s.service, "service", "", "what to do for those who connect")
	addChoice(cmd, f, &s.output, "output", "o", "the address only, or JSON lines")
	s.addFlags(cmd, "Reply, or with --connect of the Request")
	f.BoolVar(&s.permissive, "permissive", false, "take peers of the RDMA Consortium (revision 0) as they are")
	f.BoolVar(&s.reject, "reject", false, "reject all connections")
	f.Var(&s.region, "region", "`SIZE` of a region; 0 for that of the service")
	f.Var(&s.receives, "receives", "`N` messages that a client may have under way; 0 for those of the service")
	f.Var(&s.receiveSize, "receive-size", "`SIZE` of the longest message; 0 for that of the service")
	f.Var(&s.maxConns, "max-conns", "`N` connections at a time; more are reset")
	f.Var(&s.maxOctets, "max-octets", "reset a connection after `SIZE` octets either way; 0 for never")
	f.Var(&s.idle, "idle", "reset a connection on which nothing comes for `TIME`; 0 for never")
	f.Var(&s.timeout, "timeout", "wait for `TIME` for the peer to begin and to close")
	f.VarP(&s.count, "connections", "n", "end after `N` connections that were answered, with --connect of any; 0 for none")
	f.BoolVar(&s.once, "once", false, "end after one connection, as -n 1")
	cmd.MarkFlagsMutuallyExclusive("once", "connections")
	cmd.MarkFlagsMutuallyExclusive("connect", "listen")
	cmd.MarkFlagsMutuallyExclusive("connect", "reject")
}

// grace is how long connections have for their end after Ctrl-C.
const grace = time.Second

func (s *serving) run(ctx context.Context) error {
	if asked, err := s.lists(); asked {
		return err
	}
	if err := s.settle(); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	tell := newTeller(s, stop)
	defer tell.summary()
	return s.withDevice(driver.Config{
		Logger: tell.log.of(s.verbose), Tap: tell.count,
		MaxConns: int(s.maxConns.value), MaxOctets: s.maxOctets.value, Idle: s.idle.value,
	}, s.connect == "", func(d *driver.Device) error { return s.on(ctx, d, tell) })
}

// settle checks and completes what the flags say.
func (s *serving) settle() (err error) {
	if s.once {
		s.count.value = 1
	}
	if !s.flags.Changed("ird") && s.service.value == "conform" {
		s.ird.value = conformReads
	}
	if s.connect != "" {
		s.connect, err = peerAddress(s.connect)
	} else if _, port, wrong := net.SplitHostPort(s.listen); wrong != nil || !isPort(port) {
		err = fmt.Errorf("--listen %q: want ADDRESS:PORT", s.listen)
	}
	return err
}

// conformReads is the IRD of conform, whose peers are to know when they exceed it.
const conformReads = 16

// on serves on a Device until there were enough connections or ctx is done.
func (s *serving) on(ctx context.Context, d *driver.Device, tell *teller) error {
	ird, ord := s.reads()
	server, err := service.New(d, s.service.value, service.Options{
		Region: int(s.region.value), Receives: int(s.receives.value), ReceiveSize: int(s.receiveSize.value),
		IRD: ird, ORD: ord, Private: s.private.octets, Observe: tell.observe,
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
	if err := tell.listening(l.Addr()); err != nil {
		return err
	}
	s.accept(ctx, l, server, tell)
	return tell.failure()
}

// accept serves connections until there were enough or ctx is done. Then those that there are go on to their end; once
// ctx is done they have little time for it.
func (s *serving) accept(ctx context.Context, l *driver.Listener, server *service.Server, tell *teller) {
	var running sync.WaitGroup
	for n := uint64(0); s.count.value == 0 || n < s.count.value; n++ {
		r, err := l.Accept(ctx)
		if err != nil {
			break
		}
		running.Go(func() { s.one(ctx, r, server, tell) })
	}
	defer l.Close() // now it would reset the connections that are about to be accepted
	ended := make(chan struct{})
	go func() {
		running.Wait()
		close(ended)
	}()
	select {
	case <-ended:
		return
	case <-ctx.Done():
	}
	select {
	case <-ended:
	case <-time.After(grace):
	}
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
