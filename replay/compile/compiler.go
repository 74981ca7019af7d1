package compile

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/pcaps"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Options configure a Compiler. The zero value is the default.
type Options struct {
	Title      string // of the Scenario; default "capture"
	MaxPayload int    // octets of payload kept of all connections together; later ones match anything; default 256 MiB
	MPA        framing.MPA
}

const defaultMaxPayload = 256 << 20

// A Compiler is a Sink that makes a Scenario of the events of one or more Engines. It keeps the contents of the
// Scenario in memory: payload up to Options.MaxPayload, and a few hundred octets for each step.
type Compiler struct {
	options Options
	room    int // octets of payload that may still be kept
	open    map[*record.Conn]*conn
	over    []*conn
}

// New returns a Compiler.
func New(o Options) *Compiler {
	if o.Title == "" {
		o.Title = "capture"
	}
	if o.MaxPayload <= 0 {
		o.MaxPayload = defaultMaxPayload
	}
	return &Compiler{options: o, room: o.MaxPayload, open: make(map[*record.Conn]*conn)}
}

// Capture compiles a capture, which may be several files. If ctx is done, it compiles what it has read so far. It
// returns the error of reading the capture.
func Capture(ctx context.Context, c *pcaps.Capture, o Options) (*scenario.Scenario, *Report, error) {
	compiler := New(o)
	err := dissect.NewEngine(compiler, dissect.Options{MPA: o.MPA, Streaming: true}).Run(ctx, c)
	if err != nil && ctx.Err() == nil {
		return nil, nil, err
	}
	s, report := compiler.Scenario()
	return s, report, nil
}

// Scenario returns the Scenario of all ended connections, and a Report. Do not use the Compiler afterwards.
func (c *Compiler) Scenario() (*scenario.Scenario, *Report) {
	s, report := &scenario.Scenario{Title: c.options.Title}, &Report{}
	var begin int64
	for _, each := range c.over {
		if at := each.source.Earliest; at != 0 && (begin == 0 || at < begin) {
			begin = at
		}
	}
	slices.SortStableFunc(c.over, func(a, b *conn) int { return cmp.Compare(a.source.Earliest, b.source.Earliest) })
	for i, each := range c.over {
		each.report.Name = fmt.Sprintf("c%d", i)
		if each.report.NotApplicable == "" {
			compiled := each.compile()
			compiled.Name, compiled.At = each.report.Name, time.Duration(max(0, each.source.Earliest-begin))
			s.Conns = append(s.Conns, compiled)
		}
		report.Conns = append(report.Conns, each.report)
	}
	return s, report
}

type conn struct {
	compiler *Compiler
	source   *record.Conn
	sides    [2]side
	report   *ConnReport
}

func (c *Compiler) of(source *record.Conn) *conn {
	if known := c.open[source]; known != nil {
		return known
	}
	n := &conn{compiler: c, source: source, report: &ConnReport{}}
	for i := range n.sides {
		n.sides[i] = side{conn: n, side: scenario.Side(i)}
	}
	c.open[source] = n
	return n
}

func (c *Compiler) sideOf(o *record.Origin) *side { return &c.of(o.Conn).sides[o.Dir] }

// Record implements record.Sink. The octets before MPA matter too: see Streaming in dissect.Options.
func (c *Compiler) Record(r *record.Record) {
	tcp := r.Conn.Transport() == record.OverTCP
	switch {
	case r.Kind == record.KindStartup && tcp:
		c.sideOf(&r.Origin).frame(r.Startup)
	case r.Kind == record.KindStreaming:
		c.sideOf(&r.Origin).streaming(r.Streaming)
	case r.Kind == record.KindSegment && tcp: // messages consist of them
		c.sideOf(&r.Origin).segment(r.Segment)
	case r.Kind == record.KindNote:
		c.sideOf(&r.Origin).note(r.Note)
	case r.Kind == record.KindEnd:
		c.end(r.Conn)
	}
}

// end keeps the result of a connection that is over.
func (c *Compiler) end(source *record.Conn) {
	n := c.of(source)
	delete(c.open, source)
	c.over = append(c.over, n)
	r := n.report
	r.Client, r.Server = source.Client, source.Server
	switch {
	case source.Transport() != record.OverTCP:
		r.NotApplicable = "it runs over SCTP, without MPA"
	case source.End == record.EndRefused:
		r.NotApplicable = "the TCP connection was refused"
	case !source.Requested && !source.Replied:
		r.NotApplicable = "its MPA Request and Reply are not in the capture"
	}
	if r.NotApplicable != "" {
		n.sides = [2]side{}
		return
	}
	for i := range n.sides {
		n.sides[i].end()
	}
	if !source.Requested {
		r.gaps = append(r.gaps, gap{side: scenario.Client, text: "the MPA Request is not in the capture"})
	}
	if !source.Replied && n.sides[scenario.Server].sender != nil {
		r.gaps = append(r.gaps, gap{side: scenario.Server, text: "the MPA Reply is not in the capture"})
	}
}

// take reserves room for n octets of payload, and reports whether there is enough.
func (c *Compiler) take(n int) bool {
	if n > c.room {
		return false
	}
	c.room -= n
	return true
}
