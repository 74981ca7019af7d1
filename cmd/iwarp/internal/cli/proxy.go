package cli

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/replay/proxy"
)

// proxying holds the flags of the command.
type proxying struct {
	*app
	reading
	listen, to string
	routes     []proxy.Route
	maxConns   number
	idle       span
	timeout    span
	output     choice
	write      string
	rpc        choice
	rules      rulesFlag
	rulesFile  string
	rotateSize size
	rotateTime span
	decodes    bool
	checks     bool
	stats      bool
	metrics    string
	count      number
	once       bool

	listActions bool
}

func newProxy(a *app) *cobra.Command {
	p := &proxying{
		app: a, reading: newReading(), rotateSize: size{0, 0, 1 << 62}, maxConns: number{64, 1, 1 << 16}, count: number{0, 0, 1 << 62}, timeout: span{10 * time.Second, true}, output: usage.NewChoice("text", "text", "json"),
		rpc: usage.NewChoice("", "1:1", "1:2", "2:1", "2:2"),
	}
	cmd := &cobra.Command{
		Use:     "proxy --to ADDRESS",
		GroupID: groupLive,
		Short:   "Stand between two ends, and pass on what they send",
		Long: `Stand between the two ends of iWARP connections (docs/proxy.md), and connect to
the server for each client. Octets, urgent data, FINs and resets pass as they
are; --on and --do alter messages. With --rpc 1:2, clients of version 1 of
RPC-over-RDMA reach a server of version 2. -w records; --decode, --check and
--stats print what these commands say of such a capture. The first line of
output is the address. Ctrl-C ends it.`,
		Example: `  iwarp proxy --listen 127.0.0.1:20049 --to 10.0.0.2:20049
  iwarp proxy --map 127.0.0.1:20049=10.0.0.2 --map [::1]:4420=10.0.0.2:4420
  iwarp proxy --to 10.0.0.2:20049 -w nfs.pcapng --rotate-size 1G --check
  iwarp proxy --to 10.0.0.2 --on 'type == Send and dir == s2c' --do drop:2`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if p.listActions {
				return p.printActions()
			}
			if err := p.settle(cmd.Flags()); err != nil {
				return err
			}
			return p.run(cmd.Context())
		},
	}
	f := cmd.Flags()
	f.StringVar(&p.listen, "listen", "127.0.0.1:0", "listen on `ADDRESS`")
	f.StringVar(&p.to, "to", "", "connect to `HOST[:PORT]`, port 7174 by default")
	f.Var(collected[proxy.Route]{"A=B", false, &p.routes, parseRoute}, "map", "listen on one address, connect to another")
	f.Var(&p.maxConns, "max-conns", "`N` connections of each kind at a time")
	f.Var(&p.idle, "idle", "reset after `TIME` idle; 0 means never")
	f.Var(&p.timeout, "timeout", "wait `TIME` for the server to accept")
	p.rpc.AddTo(cmd, f, "rpc", "", "versions `N:M`")
	f.Var((*onFlag)(&p.rules), "on", "alter what `FILTER` selects; --do says how")
	f.Var((*doFlag)(&p.rules), "do", "`ACTION` for what the last --on selects; repeatable")
	f.StringVar(&p.rulesFile, "rules", "", "read further rules from `FILE`")
	f.BoolVar(&p.listActions, "list-actions", false, "list the actions and exit")
	p.output.AddTo(cmd, f, "output", "o", "`FORMAT` of the output")
	f.StringVarP(&p.write, "write", "w", "", "write all traffic to `FILE` as pcapng")
	f.Var(&p.rotateSize, "rotate-size", "begin a new, numbered FILE after `SIZE`")
	f.Var(&p.rotateTime, "rotate-time", "begin a new, numbered FILE after `TIME`")
	p.addFlags(cmd)
	f.BoolVar(&p.decodes, "decode", false, "print messages, as iwarp decode")
	f.BoolVar(&p.checks, "check", false, "say what went wrong, as iwarp check")
	f.BoolVar(&p.stats, "stats", false, "sum up each connection, as iwarp stats")
	f.StringVar(&p.metrics, "metrics", "", "serve metrics for Prometheus on `ADDRESS`")
	f.VarP(&p.count, "connections", "n", "stop after `N` connections; 0 means never")
	f.BoolVar(&p.once, "once", false, "end after one connection")
	cmd.MarkFlagsMutuallyExclusive("once", "connections")
	cmd.MarkFlagsMutuallyExclusive("map", "to")
	cmd.MarkFlagsMutuallyExclusive("map", "listen")
	cmd.MarkFlagsMutuallyExclusive("rpc", "on")
	cmd.MarkFlagsMutuallyExclusive("rpc", "rules")
	return cmd
}

func parseRoute(s string) (r proxy.Route, err error) {
	listen, to, two := strings.Cut(s, "=")
	if !two {
		return r, errors.New("want two addresses with = between them")
	}
	return newRoute(listen, to)
}

// newRoute reads both addresses of a route.
func newRoute(listen, to string) (r proxy.Route, err error) {
	if err := checkListen(listen); err != nil {
		return r, err
	}
	to, err = peerAddress(to)
	return proxy.Route{Listen: listen, To: to}, err
}

func (p *proxying) run(ctx context.Context) error {
	tell := newProxyTeller(p)
	defer tell.summary()
	watch, err := p.watch(tell)
	if err != nil {
		return err
	}
	metrics, err := watch.serveMetrics(ctx, p.metrics)
	if err != nil {
		return err
	}
	defer metrics.Close()
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	serve := p.pass
	if p.rpc.Value != "" {
		serve = p.forward
	}
	if err := serve(ctx, stop, tell, watch); err != nil {
		return err
	}
	return watch.close()
}

// pass passes on octets until ctx is done.
func (p *proxying) pass(ctx context.Context, stop context.CancelFunc, tell *proxyTeller, watch *proxyWatch) error {
	through, err := proxy.Listen(ctx, p.routes, proxy.Config{
		MaxConns: int(p.maxConns.value), Dial: p.timeout.value, Idle: p.idle.value, Tap: watch.tap(), Opened: func(c *proxy.Conn) { tell.opened(c.Serial, c) },
		Rules: p.rules.all, Memory: p.memory.octets(), Acted: tell.acted, Unruled: tell.unruled,
		Ended: func(c *proxy.Conn, e *proxy.Ending) {
			if tell.ended(c.Serial, c, e) == p.count.value { // 0 comes never
				stop()
			}
		},
	})
	switch {
	case errors.Is(err, proxy.ErrLoop):
		return worded(err)
	case err != nil:
		return unreachable(p.listen, err)
	}
	tell.listening(through.Addrs(), p.routes)
	var keeping sync.WaitGroup
	keeping.Go(func() { keepMemory(ctx, never, mostResident+p.memory.octets(), tell.traffic) })
	through.Serve(ctx)
	keeping.Wait()
	return nil
}

// isDecoded reports whether what passes is decoded.
func (p *proxying) isDecoded() bool { return p.decodes || p.checks || p.stats || p.metrics != "" }

// settle checks the flags.
func (p *proxying) settle(flags *pflag.FlagSet) error {
	if p.once {
		p.count.value = 1
	}
	switch {
	case p.write == "" && (p.rotateSize.value > 0 || p.rotateTime.value > 0):
		return errors.New("--rotate-size and --rotate-time need -w")
	case !p.isDecoded() && slices.ContainsFunc([]string{"filter", "profile", "mpa"}, flags.Changed):
		return errors.New("-Y, --profile and --mpa need --decode, --check, --stats or --metrics")
	}
	if err := p.rules.parse(p.app, p.rulesFile); err != nil {
		return err
	}
	switch {
	case !p.isDecoded() && len(p.rules.all) == 0 && flags.Changed("memory"):
		return errors.New("--memory needs --on, --rules, --decode, --check, --stats or --metrics")
	case len(p.routes) > 0:
		return nil
	case p.to == "":
		return errors.New("say where to connect, with --to or --map")
	}
	r, err := newRoute(p.listen, p.to)
	p.routes = []proxy.Route{r}
	return err
}
