package cli

// Playing over TCP.

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/pcaps"
	overtcp "github.com/iwarpkit/iwarp/replay/live"
	outcomes "github.com/iwarpkit/iwarp/replay/outcome"
	"github.com/iwarpkit/iwarp/replay/player"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// play plays a Scenario and prints the result.
func (r *replay) play(ctx context.Context, s *scenario.Scenario, files []string) error {
	record, err := r.record("--save-run", r.saveRun)
	if err != nil {
		return err
	}
	report, err := r.against(ctx, s, record)
	if err = cmp.Or(err, record.close()); report == nil {
		return err
	}
	for _, c := range r.left {
		report.Conns = append(report.Conns, &outcomes.Conn{Name: c.Name, Role: r.side(), NotApplicable: c.NotApplicable})
	}
	summary := report.Summary()
	defer r.advise(report)
	if err != nil && r.output.Value == "text" && summary.Sent+summary.Exact+summary.Accepted+summary.Mismatched == 0 {
		return err // which says it all
	}
	if printing := r.print(report, files); printing != nil {
		return printing
	}
	switch {
	case err != nil:
		return err
	case report.Rounds.Passed < report.Rounds.Played, r.strict && summary.Exact < summary.Steps:
		return &exit.Failure{Code: exit.Findings}
	}
	return nil
}

// advise says how to start a peer whose MPA Reply has other settings than the recorded one.
func (r *replay) advise(report *outcomes.Report) {
	if r.quiet || r.side() != scenario.Client {
		return
	}
	for _, c := range report.Conns {
		for i := range c.Steps {
			s := &c.Steps[i]
			if s.Verdict != outcomes.Mismatched || s.Diff == nil || s.Diff.Layer != outcomes.Frame {
				continue
			}
			if flags := settings(s.Diff); flags != "" {
				fmt.Fprintf(r.Err, "note: the peer has other settings than the recorded one; start it as iwarp serve%s\n", flags)
				return
			}
		}
	}
}

// settings are the flags of iwarp serve that give an MPA Reply the expected fields.
func settings(d *outcomes.Diff) (flags string) {
	for _, f := range d.Fields() {
		if !f.Differs || f.Expected == "" {
			continue
		}
		switch f.Filter {
		case "iwarp_mpa.marker_flag":
			flags += fmt.Sprintf(" --markers=%v", f.Expected != "0")
		case "iwarp_mpa.crc_flag":
			flags += fmt.Sprintf(" --crc=%v", f.Expected != "0")
		case "iwarp_mpa.enhanced.ird":
			flags += " --ird " + f.Expected
		case "iwarp_mpa.enhanced.ord":
			flags += " --ord " + f.Expected
		}
	}
	return flags
}

// against plays against the chosen peer. The Report is nil if it cannot listen.
func (r *replay) against(ctx context.Context, s *scenario.Scenario, record *recorder) (*outcomes.Report, error) {
	if r.sim {
		return r.inMemory(ctx, s), nil
	}
	line, log := r.progressLine(), newLiveLog(r.app, "", "")
	defer line.clear()
	defer log.close()
	result, err := r.overTCP(ctx, s, overtcp.Options{
		Role: r.side(), Player: r.player(), Rounds: int(r.loop.value), Tap: record.replayTap(), Progress: r.progressOn(line),
		Logger: log.of(r.verbose),
	})
	if result == nil {
		return nil, err
	}
	return &result.Report, err
}

// overTCP plays over connections that it makes or accepts. The result is nil if it cannot listen.
func (r *replay) overTCP(ctx context.Context, s *scenario.Scenario, o overtcp.Options) (result *overtcp.Result, err error) {
	if r.peer != "" {
		result, err = overtcp.Dial(ctx, r.peer, s, o)
		switch {
		case err != nil:
			err = unreachable(r.peer, err)
		case result.Answered == 0 && result.Report.Rounds.Passed == 0 && ctx.Err() == nil:
			err = unreachable(r.peer, errors.New("the peer has sent nothing"))
		}
		return result, err
	}
	l, err := r.listenFor(ctx, r.listen, overtcp.ListenConfig{From: r.from.value, Any: !begins(s), Patience: r.timeout.value})
	if err != nil {
		return nil, err
	}
	defer r.closes(l)
	if r.changed("timeout") {
		o.Patience = r.timeout.value
	}
	if result, err = overtcp.Serve(ctx, l, s, o); err != nil {
		err = unreachable(l.Addr().String(), err)
	}
	return result, err
}

// player returns the options for each connection.
func (r *replay) player() player.Options {
	o := player.Options{
		Profile: peers.LookupProfile(r.profile.Value), Speed: r.speed.value, StepTimeout: r.timeout.value, Misses: 1, Map: r.mappings,
	}
	if r.changed("markers") {
		o.MPA.Markers = &r.markers
	}
	if r.changed("crc") {
		o.MPA.CRC = &r.crc
	}
	if r.changed("rev") {
		o.MPA.Rev = new(r.revision())
	}
	for flag, place := range map[string]struct {
		number *number
		option **uint16
	}{"ird": {&r.ird, &o.MPA.IRD}, "ord": {&r.ord, &o.MPA.ORD}} {
		if r.changed(flag) {
			*place.option = new(uint16(place.number.value))
		}
	}
	return o
}

// replayTap returns the tap for the traffic of a run; nil without a file.
func (r *recorder) replayTap() func(overtcp.Traffic) {
	if r == nil {
		return nil
	}
	return func(t overtcp.Traffic) {
		p := piece{
			conn: t.Conn, client: t.Client, server: t.Server, from: pcaps.Server, time: t.Time, octets: t.Octets,
			fin: t.End == mpa.EndsFIN, reset: t.End == mpa.EndsReset,
		}
		if t.FromClient {
			p.from = pcaps.Client
		}
		r.take(&p)
	}
}

// progressOn shows the progress of a run on a status line; nil if that is invisible, or a log would mix with it.
func (r *replay) progressOn(line *statusLine) func(overtcp.Progress) {
	if !line.shows() || r.verbose {
		return nil
	}
	return func(now overtcp.Progress) {
		text := fmt.Sprintf("%d of %s over, %s of %s steps", now.Over, counted(uint64(now.Conns), "connection"), grouped(uint64(now.Done)), grouped(uint64(now.Steps)))
		if now.Rounds > 1 {
			text = fmt.Sprintf("round %d of %d: %s", now.Round, now.Rounds, text)
		}
		line.set(text)
	}
}
