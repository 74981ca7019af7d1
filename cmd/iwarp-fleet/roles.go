package main

// The processes of a fleet on many hosts.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/cmd/iwarp-fleet/internal/fleet"
)

// busFlags say which server to use, and how.
type busFlags struct {
	url, ca, cert, key, nkey, creds string
	replicas                        int
	maxBytes                        int64
}

func (o *busFlags) addFlags(f *pflag.FlagSet) {
	f.StringVar(&o.url, "nats", "", "use the NATS server at `URL`: nats://HOST:PORT or tls://HOST:PORT")
	f.StringVar(&o.ca, "tls-ca", "", "trust servers whose certificates the CAs in `FILE` signed")
	f.StringVar(&o.cert, "tls-cert", "", "show the certificate in `FILE`, with --tls-key")
	f.StringVar(&o.key, "tls-key", "", "key of the certificate, in `FILE`")
	f.StringVar(&o.nkey, "nkey", "", "authenticate with the nkey seed in `FILE`")
	f.StringVar(&o.creds, "creds", "", "authenticate with the credentials in `FILE`")
	f.IntVar(&o.replicas, "replicas", 1, "`N` servers of a cluster store everything: 1, 3 or 5; applies only when the store is created")
	f.Int64Var(&o.maxBytes, "max-bytes", -1, "store at most `N` octets, -1 for no limit; applies only when the store is created")
}

// connect connects to the server.
func (o *busFlags) connect(ctx context.Context) (*fleet.Bus, error) {
	var options []nats.Option
	if o.ca != "" {
		options = append(options, nats.RootCAs(o.ca))
	}
	if o.cert != "" {
		options = append(options, nats.ClientCert(o.cert, o.key))
	}
	if o.nkey != "" {
		option, err := nats.NkeyOptionFromSeed(o.nkey)
		if err != nil {
			return nil, err
		}
		options = append(options, option)
	}
	if o.creds != "" {
		options = append(options, nats.UserCredentials(o.creds))
	}
	bus, err := fleet.Connect(ctx, o.url, o.replicas, o.maxBytes, options...)
	if errors.Is(err, nats.ErrNoServers) {
		err = errors.New("no NATS server answers there: is iwarp-fleet serve running?")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.url, err)
	}
	return bus, nil
}

// with runs what needs the server. A server that is about to end may end a connection for good: then all is done again with another one, a
// few times.
func (o *busFlags) with(ctx context.Context, do func(*fleet.Bus) error) error {
	err := nats.ErrConnectionClosed
	for try := 0; errors.Is(err, nats.ErrConnectionClosed) && try < 10 && ctx.Err() == nil; try++ {
		var bus *fleet.Bus
		if bus, err = o.connect(ctx); err == nil {
			err = do(bus)
			bus.Close()
		}
	}
	if err != nil {
		return &exit.Failure{Code: exit.Unreadable, Err: err}
	}
	return nil
}

// newRole returns a command that needs the server.
func newRole(use, short, long string, do func(context.Context, *fleet.Bus) error) *cobra.Command {
	var o busFlags
	cmd := &cobra.Command{
		Use: use, Short: short, Long: long,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return o.with(cmd.Context(), func(bus *fleet.Bus) error { return do(cmd.Context(), bus) })
		},
	}
	o.addFlags(cmd.Flags())
	_ = cmd.MarkFlagRequired("nats") // fails for unknown flags only
	return cmd
}

func newAgent() *cobra.Command {
	a := new(fleet.Agent)
	host, _ := os.Hostname() // without one, agents need names
	cmd := newRole("agent --dir DIR... --nats URL", "Send the captures on this host", `Send the packets of the captures in folders to the server, and of files that
grow or are new, again and again until the process is ended. The payload of RDMA
Writes and Read Responses, which check does not need, is left out; 'iwarp-fleet
fetch' gets it while the agent runs. Nothing outside the folders is read, also
where links in them lead there.`, func(ctx context.Context, bus *fleet.Bus) error {
		a.Name = cmp.Or(a.Name, host)
		a.Fetch = min(max(a.Fetch, 0), fleet.MaxFetch)
		runtime.GOMAXPROCS(1) // a guest on its host; more would wake each other, and find little to do
		return a.Run(ctx, bus)
	})
	f := cmd.Flags()
	f.StringArrayVar(&a.Folders, "dir", nil, "read the captures in `DIR`, and below it; several times for several folders")
	f.StringVar(&a.Name, "name", "", "`NAME` of this agent, if not that of the host")
	f.StringVar(&a.Prefix, "prefix", host+":", "put `TEXT` before the names of files")
	f.DurationVar(&a.Every, "every", 10*time.Second, "`TIME` until files are looked for again; 0 to end when all are sent")
	f.IntVar(&a.Fetch, "fetch", fleet.MaxFetch, "give packets of up to `N` octets to 'iwarp-fleet fetch', and so to anyone who may use the server; 0 for none")
	f.BoolVar(&a.Payload, "payload", false, "send all payload, also what check does not need")
	_ = cmd.MarkFlagRequired("dir") // fails for unknown flags only
	return cmd
}

func newJudge() *cobra.Command {
	return newRole("judge --nats URL", "Judge connections; run one per CPU", `Judge connections whose packets agents have sent, when 'iwarp-fleet check' asks,
until the process is ended. Each judge uses one CPU.`, func(ctx context.Context, bus *fleet.Bus) error { return bus.Judge(ctx) })
}

func newStatus() *cobra.Command {
	return newRole("status --nats URL", "Show the progress of agents and judges", `Show the progress of agents and judges.`, func(ctx context.Context, bus *fleet.Bus) error {
		p, err := bus.Progress(ctx)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintln(stdout, p)
		return err
	})
}

func newServe() *cobra.Command {
	var listen, store, config string
	cmd := &cobra.Command{
		Use:   "serve (--store DIR | --config FILE)",
		Short: "Run a NATS server with JetStream",
		Long: `Run the NATS server that is built in, until the process is ended. Any other one
with JetStream serves as well. Without --config it listens on the loopback
interface only, because it has no authentication: a server that others can
reach needs TLS and nkeys, as the configuration of nats-server describes them.`,
		Args: usage.NoArguments,
		RunE: func(cmd *cobra.Command, _ []string) error {
			server, err := startServer(listen, store, config)
			if err != nil {
				return err
			}
			defer server.Stop()
			fmt.Fprintln(stdout, "Listening on "+server.URL())
			if err := server.Wait(cmd.Context()); err != nil {
				return &exit.Failure{Code: exit.Unreadable, Err: err}
			}
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&listen, "listen", "127.0.0.1:4222", "`ADDRESS` of the loopback interface to listen on")
	f.StringVar(&store, "store", "", "store in `DIR`")
	f.StringVar(&config, "config", "", "configuration `FILE` of nats-server")
	cmd.MarkFlagsMutuallyExclusive("store", "config")
	cmd.MarkFlagsMutuallyExclusive("listen", "config")
	cmd.MarkFlagsOneRequired("store", "config")
	return cmd
}

func startServer(listen, store, config string) (server *fleet.Server, err error) {
	if config != "" {
		server, err = fleet.StartConfigured(config)
	} else {
		host, port, wrong := net.SplitHostPort(listen)
		number, bad := strconv.Atoi(port)
		if ip := net.ParseIP(host); wrong != nil || bad != nil || ip == nil || !ip.IsLoopback() {
			return nil, fmt.Errorf("--listen %s is not an address of the loopback interface with a port; --config is for others", listen)
		}
		server, err = fleet.Start(host, number, store)
	}
	if err != nil {
		return nil, &exit.Failure{Code: exit.Unreadable, Err: err}
	}
	return server, nil
}
