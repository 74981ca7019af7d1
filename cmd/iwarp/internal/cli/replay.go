package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/proxy"
	"github.com/iwarpkit/iwarp/replay/scenario"
	"github.com/iwarpkit/iwarp/rnicsim/quirk"
)

// replay holds the flags of the command.
type replay struct {
	*app
	peer, listen string
	from         fromFlag
	sim          bool
	role         choice
	speed        speedFlag
	loop         number
	timeout      span
	profile      choice
	markers, crc bool
	rev          choice
	ird, ord     number
	mappings     []player.Mapping
	quirks       []quirk.Quirk
	mpa          mpaFlag
	conns        connNames
	output       choice
	write        string
	saveScenario string
	toRules      string
	saveRun      string
	memory       memoryFlag
	strict       bool
	verbose      bool
	changed      func(flag string) bool // reports whether it was given
	left         []*compile.ConnReport  // connections of the capture that cannot be played
}

func newReplay(a *app) *cobra.Command {
	r := &replay{
		app: a, role: usage.NewChoice("", "client", "server"), loop: number{1, 1, 1_000_000}, profile: profiles(),
		rev: usage.NewChoice("", "0", "1", "2"), ird: number{0, 0, maxReads}, ord: number{0, 0, maxReads},
		output: usage.NewChoice("text", "text", "json", "junit", "pcapng"), timeout: span{10 * time.Second, true},
	}
	r.memory = newMemoryFlag()
	r.memory.kept = true
	cmd := &cobra.Command{
		Use:     "replay FILE...",
		GroupID: groupLive,
		Short:   "Play one side of a recording against a live peer",
		Long: `Play one side of a capture or scenario against a live peer, and compare what
the peer does (docs/live.md). Results: exact, accepted (permitted), mismatched,
not reached, not applicable. Exit status: 0 all exact or accepted; 1 not; 3 no
peer.`,
		Example: `  iwarp replay capture.pcap --peer 10.0.0.2:7174
  iwarp replay capture.pcap --listen :7174       # the client connects
  iwarp replay capture.pcap --sim                # no peer needed
  iwarp replay capture.pcap --to-rules again.rules   # for iwarp proxy`,
		Args: func(_ *cobra.Command, args []string) error { return r.check(args) },
		RunE: func(cmd *cobra.Command, files []string) error { return r.run(cmd.Context(), files) },
	}
	r.defineFlags(cmd)
	return cmd
}

func (r *replay) defineFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	r.changed = f.Changed
	f.StringVar(&r.peer, "peer", "", "connect to `HOST[:PORT]` and play the client")
	f.StringVar(&r.listen, "listen", "", "listen on `ADDRESS` and play the server")
	f.Var(&r.from, "from", "with --listen, the only `HOST` that is the peer")
	f.BoolVar(&r.sim, "sim", false, "play against a software RNIC, without a network")
	r.role.AddTo(cmd, f, "role", "", "`SIDE` to play")
	f.Var(collected[quirk.Quirk]{"NAME", false, &r.quirks, parseQuirk}, "quirk", "with --sim, deviate: 'iwarp serve --list-quirks'")
	f.Var(&r.speed, "speed", "`N` times the recorded speed, or max")
	f.Var(&r.loop, "loop", "play `N` times")
	f.Var(&r.timeout, "timeout", "wait `TIME` for a step, or to connect")
	r.profile.AddTo(cmd, f, "profile", "", "accept the Terminates of `PROFILE`")
	f.BoolVar(&r.markers, "markers", false, "ask for Markers, whatever was recorded")
	f.BoolVar(&r.crc, "crc", false, "ask for CRCs (false: do not), whatever was recorded")
	r.rev.AddTo(cmd, f, "rev", "", "use `REVISION` of MPA, whatever was recorded")
	f.Var(&r.ird, "ird", "use `N` as the IRD, whatever was recorded")
	f.Var(&r.ord, "ord", "use `N` as the ORD, whatever was recorded")
	f.Var(collected[player.Mapping]{"MAP", false, &r.mappings, parseMapping}, "map", "a current value, such as stag=0xRECORDED:0xLIVE")
	f.Var(&r.mpa, "mpa", "settings to assume without a handshake: crc=on")
	f.VarP(collected[string]{"LIST", true, (*[]string)(&r.conns), parseConnName}, "conn", "c", "only the connections in `LIST`, such as c0,c2")
	r.output.AddTo(cmd, f, "output", "o", "`FORMAT`")
	f.StringVarP(&r.write, "write", "w", "", "write to `FILE` instead of standard output")
	f.StringVar(&r.saveScenario, "save-scenario", "", "write the scenario to `FILE`; - is standard output")
	f.StringVar(&r.toRules, "to-rules", "", "write rules of iwarp proxy to `FILE`")
	f.StringVar(&r.saveRun, "save-run", "", "write the traffic to `FILE` as pcapng")
	r.memory.addTo(cmd)
	f.BoolVar(&r.strict, "strict", false, "exit with 1 unless all steps are exact")
	f.BoolVarP(&r.verbose, "verbose", "v", false, "show learned values, connections, and every step")
	cmd.MarkFlagsMutuallyExclusive("peer", "listen", "sim")
	_ = cmd.RegisterFlagCompletionFunc("quirk", completeQuirk) // fails for unknown flags only
}

// plays reports whether there is a peer to play with.
func (r *replay) plays() bool { return r.peer != "" || r.listen != "" || r.sim }

// check checks whether flags and arguments fit together.
func (r *replay) check(files []string) (err error) {
	if err := captureFiles(nil, files); err != nil {
		return err
	}
	if r.peer != "" {
		if r.peer, err = peerAddress(r.peer); err != nil {
			return fmt.Errorf("--peer %w", err)
		}
	}
	if r.listen != "" {
		if err := checkListen(r.listen); err != nil {
			return fmt.Errorf("--listen %w", err)
		}
	}
	pcapng := r.output.Value == "pcapng"
	switch {
	case r.plays() && pcapng:
		return errors.New("-o pcapng writes a scenario that is not played; --save-run writes the traffic of a run")
	case !r.plays() && !pcapng && r.saveScenario == "" && r.toRules == "" && !r.verbose:
		return errors.New("nothing to do: use --peer, --listen or --sim to play, or --save-scenario, --to-rules or -o pcapng to write")
	case (!r.plays() || r.sim) && r.saveRun != "":
		return errors.New("--save-run needs --peer or --listen; -o pcapng writes a scenario that is not played")
	case !r.plays() && !pcapng && r.write != "":
		return errors.New("-w needs --peer, --listen, --sim or -o pcapng: there are no results otherwise")
	case r.sim && (r.speed.value > 0 || len(r.mappings) > 0):
		return errors.New("--sim has no use for --speed and --map: its time is simulated, and its STags are known")
	case !r.sim && len(r.quirks) > 0:
		return errors.New("--quirk needs --sim")
	case pcapng && (r.write == "" || r.write == "-") && r.OutIsTerminal:
		return errors.New("pcapng cannot be shown on a terminal; choose a file with -w")
	case r.toRules == "-" && (r.saveScenario == "-" || r.plays() || pcapng):
		return errors.New("--to-rules - writes to standard output, and so would something else")
	case r.saveScenario == "-" && (r.plays() || pcapng) && (r.write == "" || r.write == "-"):
		return errors.New("--save-scenario - and the results cannot both go to standard output; choose a file for one of them")
	}
	return distinct(r.write, r.saveScenario, r.toRules, r.saveRun)
}

func (r *replay) run(ctx context.Context, files []string) error {
	s, err := r.load(ctx, files)
	if err != nil || ctx.Err() != nil {
		return err
	}
	if err := r.save(s, files); err != nil {
		return err
	}
	if err := r.reproduce(s, files); err != nil {
		return err
	}
	switch {
	case r.plays():
		return r.play(ctx, s, files)
	case r.output.Value == "pcapng":
		return r.writes(r.write, files, func(w io.Writer, _ bool) error { return compile.Write(w, s, compile.WriteOptions{}) })
	}
	return nil
}

// save writes the Scenario for --save-scenario.
func (r *replay) save(s *scenario.Scenario, files []string) error {
	if r.saveScenario == "" {
		return nil
	}
	return r.writes(r.saveScenario, files, func(w io.Writer, _ bool) error { return scenario.Print(w, s) })
}

// reproduce writes what went wrong in the Scenario as rules, for --to-rules.
func (r *replay) reproduce(s *scenario.Scenario, files []string) error {
	if r.toRules == "" {
		return nil
	}
	rules, left, err := proxy.Reproduce(s)
	switch {
	case err != nil:
		return err
	case len(rules) == 0 && !r.quiet:
		fmt.Fprintln(r.Err, "note: nothing here that a rule could reproduce")
	case left > 0 && !r.quiet:
		fmt.Fprintf(r.Err, "note: a file of rules has no room for %s that went wrong\n", counted(uint64(left), "more thing"))
	}
	return r.writes(r.toRules, files, func(w io.Writer, _ bool) error {
		_, err := fmt.Fprintf(w, "# What went wrong in %s, for iwarp proxy --rules.\n", shown(s.Title))
		for _, rule := range rules {
			if err == nil {
				_, err = io.WriteString(w, rule.String())
			}
		}
		return err
	})
}

// side is the side that is played.
func (r *replay) side() scenario.Side {
	if r.role.Value == "server" || r.role.Value == "" && r.listen != "" {
		return scenario.Server
	}
	return scenario.Client
}

// revision is the revision of MPA given with --rev.
func (r *replay) revision() uint8 {
	n, _ := strconv.Atoi(r.rev.Value)
	return uint8(n)
}
