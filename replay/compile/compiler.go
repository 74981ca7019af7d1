package compile

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/replay/scenario"
)

// Options configure a Compiler. The zero value is the default.
type Options struct {
	Title  string // of the Scenario; default "capture"
	Memory int    // octets of memory for what is kept of all connections together; default 64 MiB
	MPA    framing.MPA
}

const defaultMemory = 64 << 20

// What takes memory beside payload, in octets: a connection, a step, a part of a payload, a segment of a message in progress, something
// that is missing, and a place with an STag or a variable.
const (
	connHeld  = 1 << 10
	stepHeld  = 768
	partHeld  = 160
	pieceHeld = 160
	gapHeld   = 256
	placeHeld = 160
)

// A Compiler is a Sink that makes a Scenario of the events of one or more Engines. It keeps what the Scenario will hold, up to
// Options.Memory: payload first may be anything, then steps are left out, and at last connections.
type Compiler struct {
	options Options
	room    int // octets that may still be kept
	blanks  int // octets of bodies that are unknown: at most a quarter of Options.Memory, or 64 KiB
	left    int // connections that were left out
	open    map[*flow.Conn]*conn
	over    []compiled
}

// New returns a Compiler.
func New(o Options) *Compiler {
	o.Title = cmp.Or(o.Title, "capture")
	if o.Memory <= 0 {
		o.Memory = defaultMemory
	}
	return &Compiler{options: o, room: o.Memory, open: make(map[*flow.Conn]*conn)}
}

// Capture compiles a capture, which may be several files. If ctx is done, it compiles what it has read so far. It
// returns the error of reading the capture.
func Capture(ctx context.Context, c dissect.Source, o Options) (*scenario.Scenario, *Report, error) {
	compiler := New(o)
	engine := dissect.NewEngine(compiler, dissect.Options{MPA: o.MPA, Streaming: true, Memory: o.Memory})
	err := engine.Run(ctx, c)
	if err != nil && ctx.Err() == nil {
		return nil, nil, err
	}
	s, report := compiler.Scenario()
	report.Totals = *engine.Totals()
	return s, report, nil
}

// Scenario returns the Scenario of all ended connections, and a Report. Do not use the Compiler afterwards.
func (c *Compiler) Scenario() (*scenario.Scenario, *Report) {
	s, report := &scenario.Scenario{Title: c.options.Title}, &Report{Left: c.left}
	var begin int64
	for _, each := range c.over {
		if each.earliest != 0 && (begin == 0 || each.earliest < begin) {
			begin = each.earliest
		}
	}
	slices.SortStableFunc(c.over, func(a, b compiled) int { return cmp.Compare(a.earliest, b.earliest) })
	for i, each := range c.over {
		each.report.Name = fmt.Sprintf("c%d", i)
		if each.conn != nil {
			each.conn.Name, each.conn.At = each.report.Name, time.Duration(max(0, each.earliest-begin))
			s.Conns = append(s.Conns, each.conn)
		}
		report.Conns = append(report.Conns, each.report)
	}
	return s, report
}

// A compiled connection is over.
type compiled struct {
	earliest int64
	conn     *scenario.Conn // nil if it is not applicable
	report   *ConnReport
}

// A conn is a connection that goes on.
type conn struct {
	compiler *Compiler
	source   *flow.Conn
	sides    [2]side
	report   *ConnReport
	left     bool // there was no room for it
	full     bool // there was no room for its latest step, or for the connection
}

func (c *Compiler) of(source *flow.Conn) *conn {
	if known := c.open[source]; known != nil {
		return known
	}
	n := &conn{compiler: c, source: source, report: &ConnReport{}}
	n.left = !c.take(connHeld)
	n.full = n.left
	for i := range n.sides {
		n.sides[i] = side{conn: n, side: scenario.Side(i)}
	}
	c.open[source] = n
	return n
}

func (c *Compiler) sideOf(o *record.Origin) *side { return &c.of(o.Conn).sides[o.Dir] }

// Record implements record.Sink. The octets before MPA matter too: see Streaming in dissect.Options.
func (c *Compiler) Record(r *record.Record) {
	tcp := r.Conn.Transport() == flow.OverTCP
	switch {
	case r.Kind != record.KindEnd && c.of(r.Conn).full:
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
func (c *Compiler) end(source *flow.Conn) {
	n := c.of(source)
	delete(c.open, source)
	if n.left {
		c.left++
		return
	}
	r := n.report
	r.Client, r.Server = source.Client, source.Server
	switch {
	case source.Mount != nil:
		r.NotApplicable = "it is a MOUNT that the server refused, not a connection"
	case source.Transport() != flow.OverTCP:
		r.NotApplicable = "it runs over SCTP, without MPA"
	case source.End == flow.EndRefused:
		r.NotApplicable = "the TCP connection was refused"
	case !source.Requested && !source.Replied:
		r.NotApplicable = "its MPA Request and Reply are not in the capture"
	}
	if r.NotApplicable != "" {
		c.over = append(c.over, compiled{source.Earliest, nil, r})
		return
	}
	for i := range n.sides {
		n.sides[i].end()
	}
	if !source.Requested {
		n.lacks(nil, scenario.Client, "the MPA Request is not in the capture")
	}
	if !source.Replied && n.sides[scenario.Server].sender != nil {
		n.lacks(nil, scenario.Server, "the MPA Reply is not in the capture")
	}
	c.over = append(c.over, compiled{source.Earliest, n.compile(), r})
}

// lacks notes that the capture lacks something.
func (c *conn) lacks(d *draft, side scenario.Side, text string) {
	if c.compiler.take(gapHeld) {
		c.report.gaps = append(c.report.gaps, gap{d, side, text})
	} else {
		c.fill()
	}
}

// fill says that there is no room for more of a connection.
func (c *conn) fill() {
	if c.full {
		return
	}
	c.full = true
	for i := range c.sides {
		c.report.gaps = append(c.report.gaps, gap{c.sides[i].latest(), scenario.Side(i), "there is no room for the steps behind it"})
	}
}

// take reports whether n octets may be kept, and if so takes room for them.
func (c *Compiler) take(n int) bool {
	if n > c.room {
		return false
	}
	c.room -= n
	return true
}
