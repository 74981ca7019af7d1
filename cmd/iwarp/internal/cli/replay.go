package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/replay/compile"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// replay holds the flags of the command.
type replay struct {
	*app
	peer, listen string
	sim          bool
	role         choice
	speed        speedFlag
	loop         number
	timeout      span
	profile      choice
	markers, crc bool
	rev          choice
	ird, ord     number
	mappings     mapFlag
	quirks       quirkFlag
	mpa          mpaFlag
	conns        connsFlag
	output       choice
	write        string
	saveScenario string
	saveRun      string
	strict       bool
	verbose      bool
	changed      func(flag string) bool // it was given
	left         []*compile.ConnReport  // connections of the capture that cannot be played
}

func newReplay(a *app) *cobra.Command {
	r := &replay{
		app: a, role: choice{"", []string{"client", "server"}}, loop: number{1, 1, 1_000_000}, profile: newReading().profile,
		rev: choice{"", []string{"0", "1", "2"}}, ird: number{0, 0, maxReads}, ord: number{0, 0, maxReads},
		output: choice{"text", []string{"text", "json", "junit", "pcapng"}}, timeout: span{10 * time.Second, true},
	}
	cmd := &cobra.Command{
		Use:     "replay FILE...",
		GroupID: groupLive,
		Short:   "Play a side of a recorded session, and compare what the peer does",
		Long: `Take a recorded session, become one of its two ends, and find out whether the peer of today answers as the
recorded one did. FILE is a capture, or a scenario: a text of what both sides do (docs/scenario.md), which
--save-scenario makes of a capture, to be read and edited.

--peer connects and plays the client; --listen plays the server, and takes the peer's connections in, in the order in
which they come. --sim needs no peer: the other side is the RNIC of 'iwarp serve' in the same process. It is told which
verbs the recorded peer used and what was in its memory, but none of its headers. --role plays the other side than that.
Connections are played at once if they were, in the order in which they began.

MPA is negotiated anew, and messages are divided into segments as the path wants it. What is illegal is sent as it was
recorded. STags, TOs and XIDs of the peer are learned where it tells them, and put in wherever they were used. -v lists
what was found, and what was used and never explained; --map supplies what that is now.

Each step of the peer is
  exact           as it was recorded, but for values that change in each run
  accepted        otherwise, but permitted: another Terminate that --profile has, another order, other segments
  mismatched      otherwise; of the first one in a connection all fields and octets are shown
  not reached     because the connection was over, or it did not come in time
  not applicable  because it cannot be told

--speed max sends each step as soon as what it waited for has come, as the TCP acknowledgements of the capture show.
--speed 1 keeps the recorded times, too; 2 is twice as fast.

Without --peer, --listen or --sim nothing is played: --save-scenario writes the scenario, and -o pcapng a capture of
what both sides do in it.

The exit code is 0 if all steps were exact or accepted, 1 if not, or with --strict if not all were exact; 3 if no
connection came about or nothing in FILE can be played. After Ctrl-C what was found out by then is printed.`,
		Example: `  iwarp replay capture.pcap --peer 10.0.0.2:7174
  iwarp replay capture.pcap --listen :7174      # and let the client connect
  iwarp replay capture.pcap --sim               # against the RNIC of iwarp serve
  iwarp replay capture.pcap --save-scenario x.scenario -v
  iwarp replay x.scenario --peer 10.0.0.2 --speed 1 --save-run run.pcapng
  iwarp replay capture.pcap -c c0,c2 --peer 10.0.0.2 --loop 1000
  iwarp replay x.scenario --peer 10.0.0.2 -o junit -w report.xml
  iwarp replay x.scenario -o pcapng -w x.pcapng # a capture of it, without a peer`,
		Args: func(_ *cobra.Command, args []string) error { return r.check(args) },
		RunE: func(cmd *cobra.Command, files []string) error { return r.run(cmd.Context(), files) },
	}
	r.defineFlags(cmd)
	return cmd
}

func (r *replay) defineFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	r.changed = f.Changed
	f.StringVar(&r.peer, "peer", "", "connect to `HOST[:PORT]`, and play the client")
	f.StringVar(&r.listen, "listen", "", "listen on `ADDRESS`, and play the server")
	f.BoolVar(&r.sim, "sim", false, "play against an RNIC in software, without a network")
	addChoice(cmd, f, &r.role, "role", "", "the side that is played (default client; with --listen server)")
	f.Var(&r.quirks, "quirk", "with --sim, deviate as `QUIRK` says; 'iwarp serve --list-quirks'")
	f.Var(&r.speed, "speed", "keep recorded times, `N` times as fast; max is as fast as can be")
	f.Var(&r.loop, "loop", "play it `N` times")
	f.Var(&r.timeout, "timeout", "wait for `TIME`, and for a step so much longer than recorded")
	addChoice(cmd, f, &r.profile, "profile", "", "accept the Terminates of `PROFILE`: "+strings.Join(r.profile.allowed, ", "))
	f.BoolVar(&r.markers, "markers", false, "ask for Markers in what comes in, whatever was recorded")
	f.BoolVar(&r.crc, "crc", false, "ask for CRCs or not, whatever was recorded")
	addChoice(cmd, f, &r.rev, "rev", "", "`REVISION` of MPA, whatever was recorded")
	f.Var(&r.ird, "ird", "`N` as IRD in enhanced MPA frames, whatever was recorded")
	f.Var(&r.ord, "ord", "`N` as ORD in enhanced MPA frames, whatever was recorded")
	f.Var(&r.mappings, "map", "a value of the peer's, recorded and now, such as stag=0xREC:0xLIVE")
	f.Var(&r.mpa, "mpa", "what a capture without MPA frames does not show, such as 'crc=on'")
	f.VarP(&r.conns, "conn", "c", "only the connections in `LIST`, such as c0,c2")
	addChoice(cmd, f, &r.output, "output", "o", "tables, one JSON object, JUnit; pcapng if nothing is played")
	f.StringVarP(&r.write, "write", "w", "", "write to `FILE` instead of standard output")
	f.StringVar(&r.saveScenario, "save-scenario", "", "write the scenario to `FILE`; - is standard output")
	f.StringVar(&r.saveRun, "save-run", "", "write what went over the connections to `FILE` as pcapng")
	f.BoolVar(&r.strict, "strict", false, "exit with 1 unless all steps are exact")
	f.BoolVarP(&r.verbose, "verbose", "v", false, "tell what was found in the capture, log connections, and tell how each step went")
	cmd.MarkFlagsMutuallyExclusive("peer", "listen", "sim")
	_ = cmd.RegisterFlagCompletionFunc("quirk", completeQuirk) // fails for unknown flags only
}

// plays reports whether there is somebody to play with.
func (r *replay) plays() bool { return r.peer != "" || r.listen != "" || r.sim }

// check looks whether flags and arguments fit together.
func (r *replay) check(files []string) (err error) {
	if err := captureFiles(nil, files); err != nil {
		return err
	}
	if r.peer != "" {
		if r.peer, err = peerAddress(r.peer); err != nil {
			return fmt.Errorf("--peer %w", err)
		}
	}
	if _, port, err := net.SplitHostPort(r.listen); r.listen != "" && (err != nil || !isPort(port)) {
		return fmt.Errorf("--listen %q: want ADDRESS:PORT", r.listen)
	}
	pcapng := r.output.value == "pcapng"
	switch {
	case r.plays() && pcapng:
		return errors.New("-o pcapng writes a scenario that is not played; --save-run writes what went over the connections")
	case !r.plays() && !pcapng && r.saveScenario == "" && !r.verbose:
		return errors.New("nothing to do: want --peer, --listen or --sim to play, or --save-scenario or -o pcapng to write")
	case (!r.plays() || r.sim) && r.saveRun != "":
		return errors.New("--save-run wants --peer or --listen; -o pcapng writes a scenario that is not played")
	case r.sim && (r.speed.value > 0 || len(r.mappings.all) > 0):
		return errors.New("--sim has no use for --speed and --map: its time is simulated, and its STags are known")
	case !r.sim && len(r.quirks.all) > 0:
		return errors.New("--quirk wants --sim")
	case pcapng && (r.write == "" || r.write == "-") && r.OutIsTerminal:
		return errors.New("pcapng is not for a terminal; choose a file with -w")
	case r.saveScenario == "-" && (r.plays() || pcapng) && (r.write == "" || r.write == "-"):
		return errors.New("--save-scenario - and the results cannot both go to standard output; choose a file for one of them")
	}
	return nil
}

func (r *replay) run(ctx context.Context, files []string) error {
	s, err := r.load(ctx, files)
	if err != nil || ctx.Err() != nil {
		return err
	}
	if err := r.save(s, files); err != nil {
		return err
	}
	switch {
	case r.plays():
		return r.play(ctx, s, files)
	case r.output.value == "pcapng":
		return r.capture(s, files)
	}
	return nil
}

// save writes the Scenario, if that is wanted.
func (r *replay) save(s *scenario.Scenario, files []string) error {
	if r.saveScenario == "" {
		return nil
	}
	return r.writes(r.saveScenario, files, func(w io.Writer) error {
		_, err := w.Write([]byte(s.String()))
		return err
	})
}

// capture writes the Scenario as a capture.
func (r *replay) capture(s *scenario.Scenario, files []string) error {
	return r.writes(r.write, files, func(w io.Writer) error { return compile.Write(w, s, compile.WriteOptions{}) })
}

// side is the one that is played.
func (r *replay) side() scenario.Side {
	if r.role.value == "server" || r.role.value == "" && r.listen != "" {
		return scenario.Server
	}
	return scenario.Client
}

// revision is the revision of MPA that was asked for.
func (r *replay) revision() uint8 {
	n, _ := strconv.Atoi(r.rev.value)
	return uint8(n)
}
