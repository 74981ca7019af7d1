package main

// What check and report have in common: captures, and the question about them.

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/cmd/iwarp-fleet/internal/fleet"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/internal/printable"
)

// autoProfile is the profile by which each side is recognised by what it does.
const autoProfile = "auto"

// A question is about all captures in folders, or of a server.
type question struct {
	bus     busFlags
	folders []string
	profile usage.Choice
	agents  int
	quiet   bool
	store   chan<- string // takes the name of a folder that is removed in the end
}

func newQuestion(store chan<- string) question {
	q := question{store: store, profile: usage.NewChoice(autoProfile, autoProfile)}
	for _, p := range peers.Profiles {
		q.profile.Allowed = append(q.profile.Allowed, p.Name)
	}
	return q
}

func (q *question) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringArrayVar(&q.folders, "dir", nil, "read the captures in `DIR`, and below it; several times for several folders")
	q.bus.addFlags(f)
	cmd.MarkFlagsMutuallyExclusive("dir", "nats")
	cmd.MarkFlagsOneRequired("dir", "nats")
	f.IntVar(&q.agents, "agents", 1, "wait until `N` agents or more have sent what they have found")
	q.profile.AddTo(cmd, f, "profile", "", "check against `PROFILE`, as iwarp check")
	f.BoolVarP(&q.quiet, "quiet", "q", false, "no notes on standard error")
}

// with asks, and does something with the answer while the server is there. The error is for wrong usage unless it is a failure.
func (q *question) with(ctx context.Context, programs bool, do func(*fleet.Bus, *fleet.Answer) error) error {
	profile := q.profile.Value
	if profile == autoProfile {
		profile = ""
	}
	ctx, fail := context.WithCancelCause(ctx)
	defer fail(nil)
	bus, stop, err := q.open(ctx, fail)
	if err != nil {
		return &exit.Failure{Code: exit.Unreadable, Err: cmp.Or(context.Cause(ctx), err)}
	}
	defer stop()
	a, err := q.answer(ctx, bus, fleet.Question{Profile: profile, Programs: programs, Agents: max(q.agents, len(q.folders))})
	if err == nil && len(a.Files) == 0 {
		err = q.noFiles()
	}
	if err == nil {
		err = do(bus, a)
	}
	switch {
	case err != nil:
		return &exit.Failure{Code: exit.Unreadable, Err: cmp.Or(context.Cause(ctx), err)}
	case a.Lacks:
		return &exit.Failure{Code: exit.Unreadable, Err: errors.New("the agents left out payload of an RPC message that has to be read: start them again with --payload")}
	case a.Aside, a.Totals.Undecodable():
		return &exit.Failure{Code: exit.Unreadable}
	}
	return nil
}

// noFiles is the error for folders without captures.
func (q *question) noFiles() error {
	if len(q.folders) == 0 {
		return errors.New("the agents have found no captures: look at the folders that they were given")
	}
	return fmt.Errorf("no captures in %s: name folders that have some", strings.Join(q.folders, ", "))
}

// answer waits for the answer, and notes what could not be read.
func (q *question) answer(ctx context.Context, bus *fleet.Bus, asked fleet.Question) (*fleet.Answer, error) {
	answered, stop := context.WithCancel(ctx)
	defer stop()
	if !q.quiet {
		go tell(answered, bus)
	}
	a, err := bus.Answer(ctx, asked)
	if err == nil && a.Lacks && q.folders != nil {
		if err = q.send(ctx, bus, true); err == nil {
			a, err = bus.Answer(ctx, asked)
		}
	}
	if err != nil {
		return nil, err
	}
	if !q.quiet {
		noted := append(a.Clocks, a.Damage...)
		if a.Without != nil {
			noted = append(noted, text.Lacking(a.Without, len(a.Files)))
		}
		for _, what := range noted {
			fmt.Fprintf(os.Stderr, "note: %s\n", printable.Lines(what))
		}
	}
	return a, nil
}

// open connects to the server, or runs one with agents and judges in this process until stop is called. A server or a judge that
// cannot go on calls fail.
func (q *question) open(ctx context.Context, fail context.CancelCauseFunc) (bus *fleet.Bus, stop func(), err error) {
	if q.folders == nil {
		bus, err = q.bus.connect(ctx)
		if err != nil {
			return nil, nil, err
		}
		return bus, bus.Close, nil
	}
	store, err := os.MkdirTemp("", "iwarp-fleet")
	if err != nil {
		return nil, nil, err
	}
	q.store <- store
	server, inside, err := fleet.StartInside(store)
	if err == nil {
		go func() {
			if err := server.Wait(ctx); err != nil {
				fail(err)
			}
		}()
		if bus, err = fleet.Connect(ctx, "", 1, -1, inside); err == nil {
			err = q.send(ctx, bus, false)
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
		go func() {
			if err := bus.Judge(ctx); err != nil {
				fail(err)
			}
		}()
	}
	return bus, stop, nil
}

// send runs an agent for each folder, at the same time.
func (q *question) send(ctx context.Context, bus *fleet.Bus, payload bool) error {
	sent := make(chan error)
	for _, folder := range q.folders {
		agent := fleet.Agent{Name: folder, Folders: []string{folder}, Payload: payload}
		go func() { sent <- agent.Run(ctx, bus) }()
	}
	var all []error
	for range q.folders {
		all = append(all, <-sent)
	}
	return errors.Join(all...)
}

// tell says every ten seconds what an answer waits for, and once that no judge is running if none has been seen for a few.
func tell(ctx context.Context, bus *fleet.Bus) {
	const few = 3
	lacking := 0
	for second := 1; ; second++ {
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
		switch lacks, err := bus.LacksJudge(ctx); {
		case err != nil || !lacks:
			lacking = 0
		default:
			if lacking++; lacking == few {
				fmt.Fprintln(os.Stderr, "note: No judge is running: start iwarp-fleet judge --nats URL on any host.")
			}
		}
		if second%10 != 0 {
			continue
		}
		if p, err := bus.Progress(ctx); err == nil {
			fmt.Fprintf(os.Stderr, "note: %v\n", p)
		}
	}
}
