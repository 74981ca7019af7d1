package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/iwarp-fleet/internal/fleet"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/dissect/show/report"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// autoProfile is the profile by which each side is recognised by what it does.
const autoProfile = "auto"

// check holds the flags of the command.
type check struct {
	bus                     busFlags
	folders                 []string
	output, failOn, profile string
	tables                  string
	all, quiet              bool
	agents                  int
	store                   chan<- string // takes the name of a folder that is removed in the end
}

func newCheck(store chan<- string) *cobra.Command {
	c := &check{store: store}
	cmd := &cobra.Command{
		Use:   "check (--dir DIR... | --nats URL)",
		Short: "Say what went wrong in all captures, and by which RFC",
		Long: `Check the captures in folders, or those that agents have sent to a server, and
print what 'iwarp check' prints of all of them. With --dir, everything runs in
this process, which listens nowhere. With --nats, judges must be running.

Files that cannot be read are set aside and named; then the exit status is 3.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := c.valid(); err != nil {
				return err
			}
			bus, stop, err := c.open(cmd.Context())
			if err != nil {
				return &failure{exitUnreadable, err}
			}
			defer stop()
			return c.run(cmd.Context(), bus)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&c.folders, "dir", nil, "read the captures in `DIR`, and below it; several times for several folders")
	c.bus.addFlags(f)
	cmd.MarkFlagsMutuallyExclusive("dir", "nats")
	cmd.MarkFlagsOneRequired("dir", "nats")
	f.IntVar(&c.agents, "agents", 1, "wait until `N` agents or more have sent what they have found")
	f.StringVarP(&c.output, "output", "o", "text", "`FORMAT` of the output: text or json")
	f.StringVar(&c.failOn, "fail-on", "cause", "lowest `FINDING` that gives exit status 1: cause, error, warning or none")
	f.StringVar(&c.profile, "profile", autoProfile, "check against `PROFILE`, as iwarp check")
	f.StringVar(&c.tables, "tables", "", "write findings and connections to the new folder `DIR`, too, as iwarp decode -o parquet does")
	f.BoolVar(&c.all, "all", false, "show all connections, notes and habits")
	f.BoolVarP(&c.quiet, "quiet", "q", false, "no notes on standard error")
	return cmd
}

// valid checks the values of flags.
func (c *check) valid() error {
	for _, flag := range []struct {
		name, value string
		allowed     []string
	}{
		{"output", c.output, []string{"text", "json"}},
		{"fail-on", c.failOn, []string{"cause", "error", "warning", "none"}},
	} {
		if !slices.Contains(flag.allowed, flag.value) {
			return fmt.Errorf("--%s %s is none of %q", flag.name, flag.value, flag.allowed)
		}
	}
	if c.profile != autoProfile && peers.LookupProfile(c.profile) == nil {
		return fmt.Errorf("there is no profile %q", c.profile)
	}
	return nil
}

// open connects to the server, or runs one with agents and judges in this process until stop is called.
func (c *check) open(ctx context.Context) (bus *fleet.Bus, stop func(), err error) {
	if c.folders == nil {
		bus, err = c.bus.connect(ctx)
		if err != nil {
			return nil, nil, err
		}
		return bus, bus.Close, nil
	}
	store, err := os.MkdirTemp("", "iwarp-fleet")
	if err != nil {
		return nil, nil, err
	}
	c.store <- store
	server, inside, err := fleet.StartInside(store)
	if err == nil {
		if bus, err = fleet.Connect(ctx, "", 1, -1, inside); err == nil {
			err = c.send(ctx, bus, false)
		}
	}
	stop = func() {
		if bus != nil {
			bus.Close()
		}
		if server != nil {
			server.Stop()
		}
		os.RemoveAll(store)
	}
	if err != nil {
		stop()
		return nil, nil, err
	}
	for range runtime.GOMAXPROCS(0) {
		go bus.Judge(ctx) // what fails has no result, and is tried again by the next
	}
	return bus, stop, nil
}

// send runs an agent for each folder, at the same time.
func (c *check) send(ctx context.Context, bus *fleet.Bus, payload bool) error {
	sent := make(chan error)
	for _, folder := range c.folders {
		agent := fleet.Agent{Name: folder, Folders: []string{folder}, Payload: payload}
		go func() { sent <- agent.Run(ctx, bus) }()
	}
	var all []error
	for range c.folders {
		all = append(all, <-sent)
	}
	return errors.Join(all...)
}

// run waits for the answer and prints it.
func (c *check) run(ctx context.Context, bus *fleet.Bus) error {
	q := fleet.Question{Profile: c.profile, Programs: c.output == "json", Agents: max(c.agents, len(c.folders))}
	if c.profile == autoProfile {
		q.Profile = ""
	}
	answered, stop := context.WithCancel(ctx)
	if !c.quiet {
		go tell(answered, bus)
	}
	a, err := bus.Answer(ctx, q)
	if err == nil && a.Lacks && c.folders != nil {
		if err = c.send(ctx, bus, true); err == nil {
			a, err = bus.Answer(ctx, q)
		}
	}
	stop()
	if err != nil {
		return &failure{exitUnreadable, err}
	}
	if !c.quiet {
		for _, wrong := range a.Damage {
			fmt.Fprintf(os.Stderr, "note: %s\n", printable.Lines(wrong))
		}
	}
	s, err := c.print(os.Stdout, a)
	if err == nil && c.tables != "" {
		err = writeTables(c.tables, a)
	}
	switch {
	case err != nil:
		return &failure{exitUnreadable, err}
	case a.Lacks:
		return &failure{exitUnreadable, errors.New("an RPC message did not travel: start the agents again with --payload")}
	case a.Aside:
		return &failure{code: exitUnreadable}
	case c.fails(s):
		return &failure{code: exitFindings}
	}
	return nil
}

// tell says every ten seconds what an answer waits for.
func tell(ctx context.Context, bus *fleet.Bus) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(10 * time.Second):
		}
		if p, err := bus.Progress(ctx); err == nil {
			fmt.Fprintf(os.Stderr, "note: %v\n", p)
		}
	}
}

// print prints an answer as iwarp check does.
func (c *check) print(w io.Writer, a *fleet.Answer) (*report.Summary, error) {
	if c.output == "json" {
		d := report.NewDocument(w, report.Head{Files: a.Files, Profile: c.profile})
		a.Give(d)
		return &d.Summary, d.Finish(append([]string{}, a.Damage...))
	}
	const lines = 24 // of a screen
	t := report.NewText(w, report.Options{All: c.all, Lines: lines})
	a.Give(t)
	if others := text.AppendOthers(nil, &a.Totals); a.Totals.Packets == 0 {
		t.Nothing = text.NoPackets
	} else if len(others) > 0 {
		t.Nothing = "No iWARP connection: the capture has " + string(others) + "."
	}
	return &t.Summary, t.Finish()
}

// fails reports whether what was found counts, by --fail-on.
func (c *check) fails(s *report.Summary) bool {
	switch c.failOn {
	case "none":
		return false
	case "warning":
		return s.Failed > 0 || s.Errors > 0 || s.Warnings > 0 || s.Connections == 0
	case "error":
		return s.Failed > 0 || s.Errors > 0
	}
	return s.Failed > 0
}
