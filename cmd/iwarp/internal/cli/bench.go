package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// bench holds the flags of the command.
type bench struct {
	live
	operations words
	measures   words
	sizes      []int
	all        bool
	iterations number
	depth      number
	output     choice
}

// The measures.
const (
	bandwidth = "bw"
	latency   = "lat"
)

func newBench(a *app) *cobra.Command {
	b := &bench{
		live: newLive(a, 16), output: usage.NewChoice("text", "text", "json", "csv"),
		iterations: number{1000, 1, client.MaxIterations}, depth: number{128, 1, client.MaxDepth},
		operations: words{value: []string{"write", "read", "send"}}, measures: words{value: []string{bandwidth, latency}},
	}
	b.timeout.value = 10 * time.Second
	for _, op := range client.Operations() {
		b.operations.allowed = append(b.operations.allowed, op.String())
	}
	b.measures.allowed = []string{bandwidth, latency}
	cmd := &cobra.Command{
		Use:     "bench HOST[:PORT]",
		GroupID: groupLive,
		Short:   "Measure bandwidth and latency of Writes, Reads, Sends and Atomics",
		Long: `Measure bandwidth and latency with a peer that advertises a region in the
Private Data of its MPA Reply, as 'iwarp serve --service sink', echo and memory
do. The default port is 7174. Operations that cannot be measured are omitted,
with a note. Tables look like perftest's; docs/live.md defines the measures. An
MB is 2^20 octets. The exit status is 0 if something was measured, 1 if nothing
was or the connection ended early, 3 without a connection, or if the Private
Data of the peer announces another service.`,
		Example: `  iwarp bench 127.0.0.1:7174
  iwarp bench --op read --all 127.0.0.1:7174  # 2 octets to 8 MB
  iwarp bench --op write,send --measure bw --size 4k,64k,1M 10.0.0.2`,
		Args: func(_ *cobra.Command, args []string) error { return b.takeAddress(args, defaultPort) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			return b.run(cmd.Context(), cmd.Flags().Changed("size"))
		},
	}
	b.defineFlags(cmd)
	return cmd
}

func (b *bench) defineFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	addWords(cmd, f, &b.operations, "op", "`LIST` of operations")
	addWords(cmd, f, &b.measures, "measure", "`LIST` of measures")
	f.VarP(collected[int]{"SIZES", true, &b.sizes, parseOperationSize}, "size", "s", "`LIST` of octets (default 64k for bw, 2 for lat)")
	f.BoolVarP(&b.all, "all", "a", false, "all powers of two from 2 octets to 8M")
	f.VarP(&b.iterations, "iters", "n", "`N` operations for each size")
	f.VarP(&b.depth, "depth", "t", "`N` operations outstanding for bw")
	f.Var(&b.timeout, "timeout", "wait `TIME` to connect, and for octets")
	b.output.AddTo(cmd, f, "output", "o", "`FORMAT` of the output")
	b.addFlags(cmd, "Request")
	cmd.MarkFlagsMutuallyExclusive("all", "size")
}

// The default sizes, those of perftest.
const (
	bandwidthSize = 64 << 10
	latencySize   = 2
	allFrom       = 2
	allTo         = 8 << 20
)

func (b *bench) run(ctx context.Context, sized bool) error {
	if asked, err := b.lists(); asked {
		return err
	}
	log := newLiveLog(b.app, "", "")
	defer log.close()
	c := driver.Config{Logger: log.of(b.verbose), Idle: b.timeout.value}
	return b.withDevice(c, false, func(d *driver.Device) error { return b.against(ctx, d, b.plan(sized)) })
}

// errNothing is about a peer that offers nothing.
var errNothing = errors.New("the peer advertises no region and accepts no messages: start it with 'iwarp serve --service sink'")

// against connects and measures all that is planned.
func (b *bench) against(ctx context.Context, d *driver.Device, plan steps) error {
	begin, cancel := context.WithTimeout(ctx, b.timeout.value)
	defer cancel()
	m, err := client.DialMeter(begin, d, "tcp", b.address, client.MeterConfig{
		Conn: b.conn(), Size: plan.longest(), Depth: int(b.depth.value),
	})
	if err != nil {
		return unreachable(b.address, err)
	}
	out := b.printer(m)
	ending := errNothing
	if m.Check(client.Write, 1) != client.ErrNoRegion || m.Check(client.Send, 1) != client.ErrNoMessages {
		ending = b.measure(ctx, m, plan, out)
	}
	done, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if ending == nil {
		m.Close(done) // all was measured, so an error does not matter
	}
	if err := out.finish(ending); err != nil {
		return unreadable(err)
	}
	switch {
	case ending != nil && ctx.Err() == nil:
		return endedEarly(b.address, ending)
	case len(out.report.Results) == 0 && ctx.Err() == nil:
		return endedEarly(b.address, errors.New("nothing can be measured with this peer"))
	}
	return nil
}

// A step is one line of a table.
type step struct {
	op      client.Operation
	measure string
	size    int
}

type steps []step

// plan is what to measure, tables one after the other.
func (b *bench) plan(sized bool) (all steps) {
	for _, op := range client.Operations() {
		if !slices.Contains(b.operations.value, op.String()) {
			continue
		}
		for _, measure := range b.measures.value {
			for _, size := range b.sizesOf(op, measure, sized) {
				all = append(all, step{op, measure, size})
			}
		}
	}
	return all
}

func (b *bench) sizesOf(op client.Operation, measure string, sized bool) []int {
	switch {
	case op.Fixed() > 0:
		return []int{op.Fixed()}
	case b.all:
		var all []int
		for size := allFrom; size <= allTo; size *= 2 {
			all = append(all, size)
		}
		return all
	case sized:
		return b.sizes
	case measure == latency:
		return []int{latencySize}
	}
	return []int{bandwidthSize}
}

func (s steps) longest() (n int) {
	for i := range s {
		n = max(n, s[i].size)
	}
	return n
}

// measure measures and prints each step of a plan. It leaves out what cannot be measured.
func (b *bench) measure(ctx context.Context, m *client.Meter, plan steps, out *benchPrinter) error {
	left := leftOut{notes: b.newNotes([]string{b.address}, nil)}
	for _, s := range plan {
		r := benchResult{Op: s.op.String(), Measure: s.measure, Size: s.size, Iterations: int(b.iterations.value)}
		var err error
		if s.measure == bandwidth {
			r.Depth = int(b.depth.value)
			r.rate, err = m.Bandwidth(ctx, s.op, s.size, r.Iterations, r.Depth)
		} else {
			r.times, err = m.Latency(ctx, s.op, s.size, r.Iterations)
		}
		switch {
		case impossible(err):
			left.add(s, err)
			continue
		case err != nil:
			return err
		}
		if err := out.add(r); err != nil {
			return err
		}
	}
	return nil
}

// leftOut notes what is left out, once per table.
type leftOut struct {
	notes  *notes
	tables []string
}

func (l *leftOut) add(s step, err error) {
	table := s.op.String() + " " + measureNames[s.measure]
	if slices.Contains(l.tables, table) {
		return
	}
	l.tables = append(l.tables, table)
	from := ""
	if errors.Is(err, client.ErrTooLong) {
		from = fmt.Sprintf(" from %s on", counted(uint64(s.size), "octet"))
	}
	l.notes.print(fmt.Appendf(nil, "%s is left out%s: %v", table, from, worded(err)))
}

var measureNames = map[string]string{bandwidth: "bandwidth", latency: "latency"}

// impossible reports whether something cannot be measured with this peer, while the connection continues.
func impossible(err error) bool {
	causes := []error{client.ErrNoRegion, client.ErrNoReads, client.ErrNoMessages, client.ErrNoEcho, client.ErrTooLong}
	return slices.ContainsFunc(causes, func(one error) bool { return errors.Is(err, one) })
}
