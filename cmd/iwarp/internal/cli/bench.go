package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/rnicsim/client"
	"github.com/iwarpkit/iwarp/rnicsim/driver"
)

// bench holds the flags of the command.
type bench struct {
	live
	operations words
	measures   words
	sizes      sizes
	all        bool
	iterations number
	depth      number
	output     choice
	address    string
}

// What is measured of an operation.
const (
	bandwidth = "bw"
	latency   = "lat"
)

func newBench(a *app) *cobra.Command {
	b := &bench{
		live: newLive(a, 16), output: choice{"text", []string{"text", "json", "csv"}},
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
		Long: `Measure a peer that advertises a region in the Private Data of its MPA Reply, in the 16 octets that rping uses too: TO,
STag, length. 'iwarp serve --service sink', echo and memory do. For Sends the peer has to say that it takes messages in,
as sink and echo do (docs/services.md). What cannot be measured with a peer is left out, and a note says why. The port
is 7174 if it is left out.

Tables have the form of perftest's. An MB is 2^20 octets, Mpps are millions of operations in a second.

Bandwidth: up to --depth operations are outstanding; of RDMA Reads and Atomics as many as ORD allows, of messages as
many as the peer has Receives for. The average is over the time from posting the first until the last is known to be
done at both ends; the peak is that of the tenth, or the tenths in a row, that went fastest, measured in the same way.
  write      done when an RDMA Read behind it has brought its last octet; there is one behind each tenth of the Writes
  read       done when its octets are here
  send       done when the peer has counted it (sink), or sent it back (echo: octets go both ways, and count once)
  immediate  Immediate Data, 8 octets; as send
  atomic     a FetchAdd of 8 octets, done when the old value is here

Latency: one operation after the other.
  write      from posting it, and an RDMA Read of its last octet, until that octet is here: there and back. It is
             longer than what ib_write_lat prints, which is half of the time of one Write there and one back
  read       from posting it until its octets are here, as ib_read_lat
  send       half of the time until the peer has sent it back, as ib_send_lat; only with echo
  immediate  as send
  atomic     from posting it until the old value is here, as ib_atomic_lat
t_typical is the median; 99% and 99.9% are the least times that as many operations are not above.

What is measured is the RNIC in software, at both ends where the peer is 'iwarp serve': copies, CRCs, TCP.

The exit code is 0 if all was measured, or all that can be with this peer; 1 if nothing can be measured with it, or the
connection ends too early, as by a Terminate; 3 if no connection came about, which may be because the peer rejects it or
does not speak iWARP.`,
		Example: `  iwarp bench 127.0.0.1:7174
  iwarp bench --op read --all 127.0.0.1:7174    # 2 octets to 8 MB
  iwarp bench --op write,send --measure bw --size 4k,64k,1M 10.0.0.2:7471
  iwarp bench --op atomic --depth 1 127.0.0.1:7174
  iwarp bench -o csv 127.0.0.1:7174 > bench.csv`,
		Args: func(_ *cobra.Command, args []string) error { return b.takeAddress(args) },
		RunE: func(cmd *cobra.Command, _ []string) error {
			return b.run(cmd.Context(), cmd.Flags().Changed("size"))
		},
	}
	b.defineFlags(cmd)
	return cmd
}

func (b *bench) defineFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	addWords(cmd, f, &b.operations, "op", "`LIST` of operations: "+strings.Join(b.operations.allowed, ", "))
	addWords(cmd, f, &b.measures, "measure", "`LIST` of what to measure: bw, lat")
	f.VarP(&b.sizes, "size", "s", "`LIST` of octets of an operation (default 64k for bandwidth, 2 for latency)")
	f.BoolVarP(&b.all, "all", "a", false, "all powers of two from 2 octets to 8M")
	f.VarP(&b.iterations, "iters", "n", "`N` operations for each line")
	f.VarP(&b.depth, "depth", "t", "`N` operations that may be outstanding, for bandwidth")
	f.Var(&b.timeout, "timeout", "wait for `TIME` for the connection, and for octets to come")
	addChoice(cmd, f, &b.output, "output", "o", "tables, one JSON object, or CSV")
	b.addFlags(cmd, "Request")
	cmd.MarkFlagsMutuallyExclusive("all", "size")
}

// The sizes that are measured unless others are asked for, as perftest has them.
const (
	bandwidthSize = 64 << 10
	latencySize   = 2
	allFrom       = 2
	allTo         = 8 << 20
)

// takeAddress reads the argument.
func (b *bench) takeAddress(args []string) (err error) {
	b.address, err = b.onePeer(args)
	return err
}

func (b *bench) run(ctx context.Context, sized bool) error {
	if asked, err := b.lists(); asked {
		return err
	}
	c := driver.Config{Logger: newLiveLog(b.app).of(b.verbose), Idle: b.timeout.value}
	return b.withDevice(c, false, func(d *driver.Device) error { return b.against(ctx, d, b.plan(sized)) })
}

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
	ending := b.measure(ctx, m, plan, out)
	done, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	if ending == nil {
		m.Close(done) // whatever comes of that: all was measured
	}
	if err := out.finish(ending); err != nil {
		return unreadable(err)
	}
	switch {
	case ending != nil && ctx.Err() == nil:
		return endedEarly(b.address, ending)
	case out.count() == 0 && ctx.Err() == nil:
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

// sizesOf are the sizes to measure.
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
		return b.sizes.value
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

// measure goes through a plan and prints. What cannot be measured is left out.
func (b *bench) measure(ctx context.Context, m *client.Meter, plan steps, out *benchPrinter) error {
	left := leftOut{notes: b.newNotes([]string{b.address})}
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

// leftOut notes what is left out, once for each table.
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

// impossible tells that something cannot be measured with a peer, which does no harm to the connection.
func impossible(err error) bool {
	for _, one := range []error{client.ErrNoRegion, client.ErrNoReads, client.ErrNoMessages, client.ErrNoEcho, client.ErrTooLong} {
		if errors.Is(err, one) {
			return true
		}
	}
	return false
}
