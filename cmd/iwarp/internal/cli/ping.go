package cli

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/internal/printable"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// pinging holds the flags of the command.
type pinging struct {
	live
	count    number
	size     size
	interval span
	output   choice
	rpc      rpcPing
}

func newPing(a *app) *cobra.Command {
	p := &pinging{
		live: newLive(a, 1), output: usage.NewChoice("text", "text", "json"),
		count: number{0, 0, maxPings}, size: size{client.DefaultPingSize, 1, client.MaxPingSize},
		interval: span{value: time.Second}, rpc: newRPCPing(),
	}
	p.ird.least, p.timeout.value = 1, 5*time.Second // the server reads from this side
	cmd := &cobra.Command{
		Use:     "ping HOST[:PORT]",
		GroupID: groupLive,
		Short:   "Ping an iWARP peer as rping does, or an RPC server",
		Long: `Ping a server of rping: 'rping -s' or 'iwarp serve'. It reads octets from this
side by RDMA Read and writes them back by RDMA Write; ping compares them. The
time is from the first Send to the last: six one-way trips. rping -s takes 64
octets unless it was started with -S. With --rpc, call NULL of an RPC program
over RPC-over-RDMA: of an NFS server, or of 'iwarp serve --service rpc'.

The default port is 7174, or 20049 with --rpc. The exit status is 0 if all
pings were answered, 1 if one was wrong, unanswered, refused or ended by a
Terminate, 3 without a connection, or if the peer announces another service.`,
		Example: `  iwarp ping 10.0.0.2                      # a host that runs rping -s
  iwarp ping -c 1000 -i 0 [fd00::2]        # as fast as possible
  iwarp ping -c 10 -o json 10.0.0.2 | jq .latency.p99
  iwarp ping --rpc 10.0.0.2                # an NFS server`,
		Args: func(cmd *cobra.Command, args []string) error { return p.takeServer(cmd, args) },
		RunE: func(cmd *cobra.Command, _ []string) error { return p.run(cmd.Context()) },
	}
	f := cmd.Flags()
	f.VarP(&p.count, "count", "c", "stop after `N` pings; 0 means never")
	f.VarP(&p.size, "size", "s", "`SIZE` of a ping in octets")
	f.VarP(&p.interval, "interval", "i", "start a ping every `TIME`; 0 is at once")
	f.Var(&p.timeout, "timeout", "wait `TIME` to connect and for a ping")
	p.output.AddTo(cmd, f, "output", "o", "`FORMAT` of the output")
	p.rpc.addFlags(cmd)
	p.addFlags(cmd, "Request")
	return cmd
}

// takeServer reads the argument.
func (p *pinging) takeServer(cmd *cobra.Command, args []string) error {
	port, err := p.rpc.port(cmd)
	if err != nil {
		return err
	}
	return p.takeAddress(args, port)
}

// maxPings is the most that --count can ask for, and how many times are kept: those of the latest pings.
const maxPings = 10_000_000

// takeAddress reads the only argument of a command that connects to a peer, with its default port. Lists need none.
func (l *live) takeAddress(args []string, port string) (err error) {
	switch {
	case l.listQuirks || l.listFaults:
		return nil
	case len(args) != 1:
		return errors.New("want one HOST, HOST:PORT or [IPV6]:PORT")
	}
	l.address, err = peerAddressAt(args[0], port)
	return err
}

func (p *pinging) run(ctx context.Context) error {
	if asked, err := p.lists(); asked {
		return err
	}
	log := newLiveLog(p.app, "", "")
	defer log.close()
	return p.withDevice(driver.Config{Logger: log.of(p.verbose)}, false, func(d *driver.Device) error { return p.pings(ctx, d) })
}

// pings connects and pings until there have been enough.
func (p *pinging) pings(ctx context.Context, d *driver.Device) error {
	begin, cancel := context.WithTimeout(ctx, p.timeout.value)
	defer cancel()
	c, err := p.dial(begin, d)
	if err != nil {
		return unreachable(p.address, err)
	}
	r := &pingReport{Schema: "iwarp.ping/1", Peer: c.Conn().RemoteAddr().String(), agreement: agreed(c.Conn())}
	if p.rpc.on {
		r.RPC = p.rpc.report()
	} else {
		r.Size = int(p.size.value)
	}
	ending := p.ping(ctx, c, r)
	done, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	c.Close(done) // the result is known, so an error does not matter
	r.finish(ending)
	if err := p.print(r); err != nil {
		return unreadable(err)
	}
	switch {
	case ending != nil && p.rpc.on && terminates(ending):
		return endedEarly(p.address, fmt.Errorf("%w; perhaps it is no RPC server: start iwarp serve --service rpc", worded(ending)))
	case ending != nil:
		return endedEarly(p.address, ending)
	case r.Wrong > 0:
		return endedEarly(p.address, fmt.Errorf("%s came back wrong", counted(uint64(r.Wrong), "ping")))
	}
	return nil
}

// A pinger pings a server on one connection.
type pinger interface {
	Conn() *driver.Conn
	Ping(context.Context) (time.Duration, error)
	Close(context.Context) error
}

// dial connects to the server.
func (p *pinging) dial(ctx context.Context, d *driver.Device) (pinger, error) {
	if p.rpc.on {
		return client.DialRPCPinger(ctx, d, "tcp", p.address, p.rpc.procedure(), p.conn())
	}
	return client.DialPinger(ctx, d, "tcp", p.address, int(p.size.value), p.conn())
}

// conn returns the settings of the connection.
func (l *live) conn() driver.ConnConfig {
	c := driver.ConnConfig{Stream: l.stream(), Private: l.private.octets}
	c.QP.IRD, c.QP.ORD = l.reads()
	return c
}

// ping pings until there have been enough, ctx is done, or the connection is over.
func (p *pinging) ping(ctx context.Context, c pinger, r *pingReport) error {
	if p.output.Value == "text" {
		fmt.Fprintf(p.Out, "%s, %v\n", r.title(), &r.agreement)
		if reply := c.Conn().Reply(); reply.ULPPrivateDataLen() > 0 {
			fmt.Fprintf(p.Out, "Private Data %s\n", appendPrivate(nil, reply.ULPPrivateData()))
		}
	}
	var tick *time.Ticker
	if p.interval.value > 0 {
		tick = time.NewTicker(p.interval.value)
		defer tick.Stop()
	}
	for n := uint64(0); n < p.count.value || p.count.value == 0; n++ {
		if n > 0 && tick != nil {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return nil
			case <-c.Conn().Done(): // the next ping returns the error
			}
		}
		if ctx.Err() != nil {
			return nil
		}
		if err := p.one(ctx, c, r); err != nil {
			return err
		}
	}
	return nil
}

// terminates reports whether the error is a Terminate of the peer.
func terminates(err error) bool {
	end := new(driver.Terminated)
	return errors.As(err, &end) && !end.Local
}

// one does one ping. Wrong octets do not end the connection.
func (p *pinging) one(ctx context.Context, c pinger, r *pingReport) error {
	limited, cancel := context.WithTimeout(ctx, p.timeout.value)
	defer cancel()
	r.Sent++
	took, err := c.Ping(limited)
	var wrong *client.MismatchError
	switch {
	case err == nil:
		r.Answered++
		r.keep(took)
	case errors.As(err, &wrong):
		r.Answered++
		r.Wrong++
	case ctx.Err() != nil:
		r.Sent-- // interrupted
		return nil
	default:
		return p.rpc.advice(err)
	}
	if p.output.Value == "json" {
		return nil
	}
	line := fmt.Sprintf("%s: seq=%d time=%.3f ms", r.what(), r.Sent-1, float64(took)/1e6)
	if wrong != nil {
		line += fmt.Sprintf(" WRONG: %v", worded(wrong))
	}
	_, err = fmt.Fprintln(p.Out, line)
	return err
}

// A pingReport is the result of iwarp ping.
type pingReport struct {
	Schema string `json:"schema"`
	Peer   string `json:"peer"`
	Size   int    `json:"size"`
	agreement
	RPC       *rpcPinged   `json:"rpc"`
	Sent      int          `json:"sent"`
	Answered  int          `json:"answered"`
	Wrong     int          `json:"wrong"`
	Latency   *pingLatency `json:"latency"`
	Error     *string      `json:"error"`
	Terminate *terminate   `json:"terminate"`

	times    []time.Duration // of the pings whose octets were right
	earliest int             // place of the earliest, if there are as many as are kept
}

// keep keeps the time of a ping, if need be in place of the earliest.
func (r *pingReport) keep(took time.Duration) {
	if len(r.times) < maxPings {
		r.times = append(r.times, took)
		return
	}
	r.times[r.earliest] = took
	r.earliest = (r.earliest + 1) % maxPings
}

// title says what is pinged.
func (r *pingReport) title() string {
	if r.RPC != nil {
		return fmt.Sprintf("%s %s: %v", r.what(), r.Peer, r.RPC)
	}
	return fmt.Sprintf("rping %s: %s", r.Peer, r.what())
}

// what says what a ping is.
func (r *pingReport) what() string {
	if r.RPC != nil {
		return "NULL"
	}
	return counted(uint64(r.Size), "octet")
}

// A pingLatency sums up times, in seconds.
type pingLatency struct {
	Count int     `json:"count"`
	Min   float64 `json:"min"`
	Mean  float64 `json:"mean"`
	P50   float64 `json:"p50"`
	P99   float64 `json:"p99"`
	Max   float64 `json:"max"`
}

// finish sums up. err is why the connection ended early.
func (r *pingReport) finish(err error) {
	r.Error, r.Terminate = reason(err), terminateOf(err, "client", "server")
	if len(r.times) == 0 {
		return
	}
	t := client.NewTimes(r.times)
	r.Latency = &pingLatency{
		Count: t.Count, Min: t.Min.Seconds(), Mean: t.Mean.Seconds(), P50: t.Median.Seconds(), P99: t.P99.Seconds(), Max: t.Max.Seconds(),
	}
}

func (p *pinging) print(r *pingReport) error {
	if p.output.Value == "json" {
		return printable.WriteJSON(p.Out, r)
	}
	line := fmt.Sprintf("\n%s, %s answered, %s wrong\n", counted(uint64(r.Sent), "ping"), grouped(uint64(r.Answered)), grouped(uint64(r.Wrong)))
	if l := r.Latency; l != nil {
		line += fmt.Sprintf("min/mean/p50/p99/max %.3f/%.3f/%.3f/%.3f/%.3f ms\n", l.Min*1e3, l.Mean*1e3, l.P50*1e3, l.P99*1e3, l.Max*1e3)
	}
	_, err := fmt.Fprint(p.Out, line)
	return err
}
