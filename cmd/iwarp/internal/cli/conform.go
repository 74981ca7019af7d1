package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/codec/rfc"
	"github.com/iwarpkit/iwarp/codec/rpcrdma"
	"github.com/iwarpkit/iwarp/codec/rules"
	cases "github.com/iwarpkit/iwarp/replay/conform"
	"github.com/iwarpkit/iwarp/replay/conform/rpcclient"
	"github.com/iwarpkit/iwarp/replay/conform/suite"
	overtcp "github.com/iwarpkit/iwarp/replay/live"
)

// conform holds the flags of the command.
type conform struct {
	*app
	peer     string
	service  choice
	listen   string
	from     fromFlag
	list     bool
	export   string
	profile  choice
	strict   bool
	seed     uint64
	expect   string
	crashers bool
	timeout  span
	output   choice
	write    string
	saveRuns string
	resume   string
	verbose  bool
	flags    *pflag.FlagSet
}

func newConform(a *app) *cobra.Command {
	c := &conform{
		app: a, profile: profiles(), output: usage.NewChoice("text", "text", "json", "junit", "ktap", "html"),
		service: usage.NewChoice(cases.ConformService.String(), cases.ServiceNames()...),
	}
	cmd := &cobra.Command{
		Use:     "conform HOST[:PORT] [CASE...]",
		GroupID: groupLive,
		Short:   "Test a live peer for conformance",
		Long: `Test a live peer for conformance, requirement by requirement. The peer runs the
conform service ('iwarp serve --service conform', or lab/conformd on any RNIC)
or is an RPC-over-RDMA server (--service rpc, port 20049) or client (rpc-client:
it connects to --listen, and HOST is the server that executes its Calls).

A CASE is a document (RFC5041), a section (RFC5041/7), a case
(RFC5041/4.3/msn-left-out) or a requirement (DDP-7.1-5); the default is all.
With --listen all arguments are CASEs. docs/conform.md has the verdicts.

If the peer is dead after a case, iwarp stops. Exit status: 0 if no case failed
unexpectedly, 1 if one did, 3 without a suitable peer.`,
		Example: `  iwarp conform 10.0.0.2 RFC5041/7.1 RDMAP-5.2.1-15 -v
  iwarp conform 10.0.0.2 --profile siw --expect known.txt -o junit
  iwarp conform --listen :7174             # the peer connects
  iwarp conform --service rpc 10.0.0.2     # an RPC server, such as NFS
  iwarp conform --service rpc-client --listen :20049 10.0.0.2
  iwarp conform --export RFC5041/4.3/msn-left-out  # for iwarp replay`,
		Args: func(_ *cobra.Command, args []string) error { return c.check(args) },
		RunE: func(cmd *cobra.Command, args []string) error { return c.run(cmd.Context(), args) },

		ValidArgsFunction: completeCases,
	}
	c.defineFlags(cmd)
	return cmd
}

func (c *conform) defineFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	c.flags = f
	c.service.AddTo(cmd, f, "service", "", "`NAME` of the peer's service")
	f.StringVar(&c.listen, "listen", "", "listen on `ADDRESS`; the peer connects")
	f.Var(&c.from, "from", "with --listen, the only `HOST` that is the peer")
	f.BoolVar(&c.list, "list", false, "list the cases, with -v their requirements")
	f.StringVar(&c.export, "export", "", "write `CASE` as a scenario, for HOST if given")
	c.profile.AddTo(cmd, f, "profile", "", "accept known deviations of `PROFILE`")
	f.BoolVar(&c.strict, "strict", false, "exit with 1 if something was only accepted")
	f.Uint64Var(&c.seed, "seed", 1, "use `N` as the seed for random choices")
	f.StringVar(&c.expect, "expect", "", "read known failures from `FILE`")
	f.BoolVar(&c.crashers, "crashers", false, "run cases that crash some peers, on any host")
	f.Var(&c.timeout, "timeout", "`TIME` to connect and per step; 0 adapts")
	c.output.AddTo(cmd, f, "output", "o", "`FORMAT`")
	f.StringVarP(&c.write, "write", "w", "", "write to `FILE` instead of standard output")
	f.StringVar(&c.saveRuns, "save-runs", "", "write the traffic of each case to `FOLDER` as pcapng")
	f.StringVar(&c.resume, "resume", "", "keep verdicts in `FILE`; skip cases that have one there")
	f.BoolVarP(&c.verbose, "verbose", "v", false, "show passed cases too")
	cmd.MarkFlagsMutuallyExclusive("list", "export", "listen")
}

// check checks whether flags and arguments fit together.
func (c *conform) check(args []string) (err error) {
	if c.listen != "" {
		if err := checkListen(c.listen); err != nil {
			return fmt.Errorf("--listen %w", err)
		}
		if c.of() == cases.RPCService {
			return errors.New("--listen: an RPC server does not connect; want HOST[:PORT] with --service rpc")
		}
	}
	switch client := c.of() == cases.RPCClientService; {
	case client && c.export != "":
		return fmt.Errorf("--export %s: a case for a client is not a scenario", shown(c.export))
	case client && c.listen == "" && !c.list:
		return errors.New("--service rpc-client: want --listen ADDRESS, where the client connects, and HOST[:PORT], the server")
	case c.list && c.output.Value != "text" && c.output.Value != "json":
		return fmt.Errorf("--list: want -o text or json, and not %s", c.output.Value)
	case c.export != "" && c.output.Value != "text":
		return fmt.Errorf("--export writes a scenario, and not %s", c.output.Value)
	}
	_, err = c.chosen(args)
	return err
}

// chosen returns the chosen cases. It takes the peer out of the arguments.
func (c *conform) chosen(args []string) (some []cases.Question, err error) {
	if (c.listen == "" || c.of() == cases.RPCClientService) && !c.list {
		if args, err = c.takePeer(args); err != nil {
			return nil, err
		}
	}
	if c.export == "" {
		if some, err = cases.Select(c.questions(), args); err == nil && (!c.list || c.flags.Changed("service")) {
			some, err = c.ofService(some)
		} else if err != nil {
			err = fmt.Errorf("%w; --list lists all", err)
		}
		return some, err
	}
	if len(args) > 0 {
		return nil, fmt.Errorf("--export writes one case, and not %s too", shown(args[0]))
	}
	some, err = cases.Select(suite.Questions(), []string{c.export})
	if err == nil && len(some) != 1 {
		err = fmt.Errorf("--export %s: that is %s; want the name of one", shown(c.export), counted(uint64(len(some)), "case"))
	}
	return some, err
}

// of is the service that the peer runs.
func (c *conform) of() cases.Service {
	of, _ := cases.ParseService(c.service.Value) // a choice has no other values
	return of
}

// questions are all cases for the kind of peer.
func (c *conform) questions() []cases.Question {
	if c.of() == cases.RPCClientService {
		return rpcclient.Questions()
	}
	return suite.Questions()
}

// ofService keeps the cases that are for the service, or were named.
func (c *conform) ofService(some []cases.Question) ([]cases.Question, error) {
	var of []cases.Question
	for _, q := range some {
		if q.Named || q.Section.Service == c.of() {
			of = append(of, q)
		}
	}
	if len(of) == 0 {
		return nil, fmt.Errorf("these cases are for the service %v: use --service %[1]v", some[0].Section.Service)
	}
	return of, nil
}

// takePeer takes the peer out of the arguments. --export needs none.
func (c *conform) takePeer(args []string) (rest []string, err error) {
	const want = "want HOST[:PORT], or --listen to let it connect"
	switch {
	case len(args) > 0 && !isCase(args[0]):
		port := defaultPort
		if c.of() != cases.ConformService {
			port = strconv.Itoa(rpcrdma.Port)
		}
		c.peer, err = peerAddressAt(args[0], port)
		return args[1:], err
	case c.export != "":
		return args, nil
	case len(args) == 0:
		return nil, errors.New("no peer is given: " + want)
	}
	if _, err := cases.Select(c.questions(), args[:1]); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("no peer is given before %s: %s", shown(args[0]), want)
}

// isCase reports whether an argument looks like cases, not like a host.
func isCase(s string) bool {
	return strings.Contains(s, "/") || rfc.LookupDocument(s) != nil || rfc.Lookup(s) != nil
}

func (c *conform) run(ctx context.Context, args []string) error {
	some, err := c.chosen(args)
	if err != nil {
		return err
	}
	switch {
	case c.list:
		return c.printList(some)
	case c.export != "":
		return c.printCase(ctx, some[0])
	}
	report, err := c.ask(ctx, some)
	if err != nil {
		return err
	}
	report.Again = c.again
	if err := c.print(report); err != nil {
		return err
	}
	c.suggest(report)
	if silent := new(rpcclient.SilentError); errors.As(report.Gone, &silent) {
		return unreachable(c.listen, silent)
	}
	if report.Gone != nil {
		return c.unasked(ctx, fmt.Errorf("the peer went away: %w", worded(report.Gone)))
	}
	if s := report.Summary(); !s.Passed(c.strict) {
		return &exit.Failure{Code: exit.Findings}
	}
	return nil
}

// suggest names the profile of an RNIC that swaps bits as the peer does, unless one was chosen.
func (c *conform) suggest(r *cases.Report) {
	swapped := uint64(0)
	for i := range r.Results {
		if r.Results[i].HasSwapped() {
			swapped++
		}
	}
	i := slices.IndexFunc(peers.RNICs, func(p *rules.Peer) bool { return p.Terminate.Swapped })
	if swapped == 0 || i < 0 || c.quiet || peers.LookupProfile(c.profile.Value).RNIC != nil {
		return
	}
	fmt.Fprintf(c.Err, "note: in %s that failed, the peer swapped bits in a Terminate as %s does: --profile %[2]s accepts what is known of it\n", counted(swapped, "case"), peers.RNICs[i].Name)
}

// ask asks the peer the cases, other than those that have a verdict in the file of --resume.
func (c *conform) ask(ctx context.Context, some []cases.Question) (*cases.Report, error) {
	kept, err := c.resumed()
	if err != nil {
		return nil, err
	}
	askAll := c.askPeer
	if c.of() == cases.RPCClientService {
		askAll = c.askClient
	}
	report, err := askAll(ctx, kept.rest(some), kept)
	if err == nil {
		report.Results = kept.join(some, report.Results)
	}
	return report, err
}

// askPeer asks a peer of iwarp itself.
func (c *conform) askPeer(ctx context.Context, some []cases.Question, kept *progress) (*cases.Report, error) {
	o, finish, err := c.options(ctx, len(some), kept)
	if err != nil {
		return nil, err
	}
	report, err := cases.Run(ctx, some, o)
	finish()
	if err != nil {
		return nil, c.unasked(ctx, err)
	}
	return report, nil
}

// unasked is the failure of a peer that cannot be tested.
func (c *conform) unasked(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return err
	}
	address := c.peer
	if c.listen != "" && c.of() != cases.RPCClientService {
		address = c.listen
	}
	return unreachable(address, err)
}

// options are the options of a run of so many cases. finish must be called after it.
func (c *conform) options(ctx context.Context, total int, kept *progress) (o cases.Options, finish func(), err error) {
	progress := conformProgress{statusLine: c.progressLine(), total: total}
	o = cases.Options{
		Service: c.of(), Address: c.peer, Profile: peers.LookupProfile(c.profile.Value), Seed: c.seed, Crashers: c.crashers || c.nearby(), StepTimeout: c.timeout.value,
	}
	if o.Expect, err = c.expectations(); err != nil {
		return o, nil, err
	}
	runs, err := c.newRuns()
	if err != nil {
		return o, nil, err
	}
	o.Tap = runs.tap()
	o.Done = func(r *cases.Result) {
		runs.over(r)
		kept.over(r)
		progress.over(r)
	}
	stop := func() {}
	if c.listen != "" {
		o.Listener, err = c.listenFor(ctx, c.listen, overtcp.ListenConfig{From: c.from.value, Patience: c.timeout.value})
		if err != nil {
			return o, nil, err
		}
		stop = func() { c.closes(o.Listener) }
	}
	return o, func() { progress.clear(); stop() }, nil
}

// nearby reports whether the address of the peer is on this host.
func (c *conform) nearby() bool {
	address := c.peer
	if c.listen != "" {
		address = c.listen
	}
	host, _, err := net.SplitHostPort(address)
	ip := net.ParseIP(host)
	return err == nil && (host == "localhost" || ip != nil && ip.IsLoopback())
}

// expectations are the known failures.
func (c *conform) expectations() (*cases.Expectations, error) {
	if c.expect == "" {
		return nil, nil
	}
	file, err := c.open(c.expect)
	if err != nil {
		return nil, unreadable(err)
	}
	defer file.Close()
	if _, err := c.replaced(c.write, nil); err != nil { // before the peer is asked anything
		return nil, err
	}
	e, err := cases.ReadExpectations(displayName(c.expect), file, c.questions())
	if err != nil {
		return nil, unreadable(err)
	}
	return e, nil
}
