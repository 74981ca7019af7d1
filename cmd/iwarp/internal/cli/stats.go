package cli

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/exit"
	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/stats"
)

// statistics holds the flags of the command.
type statistics struct {
	*app
	reading
	timeline
	output   choice
	details  stats.Details
	separate bool
	write    string
}

func newStats(a *app) *cobra.Command {
	s := &statistics{app: a, reading: newReading(), output: usage.NewChoice("text", "text", "json", "csv")}
	s.interval.positive = true
	s.plot = choice{Allowed: []string{"latency", "throughput", "outstanding"}}
	cmd := &cobra.Command{
		Use:     "stats FILE...",
		GroupID: groupCapture,
		Short:   "Summarise the connections and messages in a capture",
		Long: `Summarise captures: tables of connections (what was negotiated, how long each
lasted, what it carried, its CRCs, how it ended), of messages, of requests with
their responses, of procedures of upper layers, and of the busiest STags.

-Y counts only what matches: FPDUs and CRCs by matching segments, then messages,
transactions and findings. Connections without a match are left out. How long
the others lasted, what they negotiated and their TCP octets concern the whole
connection. See 'iwarp decode --help' for filters.

--interval prints the activity in each interval instead. Open is the average
number of outstanding requests. --plot draws it.

Latency is the time from the last octet of a request to the last octet of its
response. A percentile is the smallest value that at least N % of samples do not
exceed: exact for up to 4096 samples, within 1 % for more.`,
		Example: `  iwarp stats capture.pcap
  iwarp stats -Y 'latency > 1ms' capture.pcap  # slow transactions by kind
  iwarp stats --interval 1s capture.pcap       # or -o csv, -o json
  iwarp stats --plot latency capture.pcap
  iwarp stats --percentiles 50,99.9 --histogram capture.pcap
  iwarp stats -o json capture.pcap | jq '.connections[] | .client, .end'`,
		Args: captureFiles,
		RunE: func(cmd *cobra.Command, files []string) error {
			if s.output.Value == "csv" && s.interval.value == 0 {
				return &exit.Failure{Code: exit.Usage, Err: errors.New("-o csv is for intervals: add --interval 1s")}
			}
			if s.plot.Value != "" && s.output.Value != "text" {
				return fmt.Errorf("--plot does not go with -o %s", s.output.Value)
			}
			if s.wanted() && (s.details.Percentiles != nil || s.details.Histogram) {
				return errors.New("--percentiles and --histogram do not go with --interval and --plot")
			}
			if err := s.checkView(cmd.Flags(), files, s.separate); err != nil {
				return err
			}
			return s.run(cmd.Context(), files)
		},
	}
	f := cmd.Flags()
	s.output.AddTo(cmd, f, "output", "o", "`FORMAT` of the output")
	s.addFlags(cmd)
	s.addView(cmd)
	f.Var(&s.interval, "interval", "print the activity in each interval of this length")
	s.plot.AddTo(cmd, f, "plot", "", "draw a `MEASURE` over time")
	f.Var(collected[float64]{"LIST", true, &s.details.Percentiles, parsePercentile}, "percentiles", "further percentiles of latencies, such as 50,99.9")
	f.BoolVar(&s.details.Histogram, "histogram", false, "histograms of latencies")
	f.BoolVar(&s.separate, "separate", false, "summarise each FILE by itself")
	f.StringVarP(&s.write, "write", "w", "", "write to `FILE` instead of standard output")
	return cmd
}

func (s *statistics) run(ctx context.Context, files []string) error {
	return s.writes(s.write, files, func(w io.Writer, terminal bool) error {
		if !s.separate {
			return s.capture(ctx, files, w, terminal)
		}
		return each(s.app, files, func(file string) error {
			return s.capture(ctx, []string{file}, w, terminal)
		})
	})
}

// capture sums up files as one capture.
func (s *statistics) capture(ctx context.Context, files []string, w io.Writer, terminal bool) error {
	in, err := s.open(ctx, s.app, files, opening{programs: s.output.Value != "text"})
	if err != nil {
		return err
	}
	defer in.Close()

	if s.wanted() {
		line := s.timeline.collector()
		return s.pass(ctx, line, line.Start, never, func(*dissect.Totals) error {
			return s.timeline.print(w, line, s.output.Value, plainNames(files), s.tableWidth(terminal))
		})
	}
	collector := s.collector(in.frames)
	defer collector.Close()
	return s.pass(ctx, collector, func(int64) {}, never, func(t *dissect.Totals) error {
		report := collector.Report(t)
		report.Files, report.Filter = plainNames(files), s.filter.text
		report.Bytes = in.FileBytes()
		report.Damage = damage(in)
		if s.output.Value == "json" {
			return report.WriteJSON(w)
		}
		return printReport(w, report, s.tableWidth(terminal))
	})
}

// A collector sums up.
type collector interface {
	record.Sink
	Report(*dissect.Totals) *stats.Report
	Close() error
}

// collector returns one that counts what the filter passes, if there is one.
func (s *statistics) collector(frames flow.Frames) collector {
	details := s.details
	details.Frames, details.OnlyBusiest = frames, s.output.Value == "text"
	if s.filter.compiled != nil {
		r := stats.NewRecount()
		r.Details = details
		return r
	}
	c := stats.NewCollector()
	c.Details = details
	return c
}
