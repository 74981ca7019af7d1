package cli

// Reading captures: profile, filter, and the settings to assume.

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/cmd/internal/usage"
	"github.com/iwarpkit/iwarp/codec/peers"
	"github.com/iwarpkit/iwarp/dissect"
	"github.com/iwarpkit/iwarp/dissect/ends"
	"github.com/iwarpkit/iwarp/dissect/filter"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/framing"
	"github.com/iwarpkit/iwarp/dissect/judge"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/annotate"
	"github.com/iwarpkit/iwarp/dissect/show/text"
	"github.com/iwarpkit/iwarp/dissect/ulp/all"
	"github.com/iwarpkit/iwarp/pcaps"
)

// reading holds the flags of all commands that read captures.
type reading struct {
	profile choice
	filter  filterFlag
	mpa     mpaFlag
	maxWait span
	memory  memoryFlag
	kept    bool   // the sink keeps much too: half of the memory is left for the Engine
	mends   bool   // the sink may get a verdict late, so that it says whether a later connection mends a failure
	view    choice // whose packets are shown of two captures that are read as one
	in      *input // being read

	held *annotate.Held // the files, if they were read before; nil if not
}

// An input is what is read as one capture: a file, several in the order of time, or the captures of both ends.
type input struct {
	packets
	frames flow.Frames // names frames; nil if there is one file
	ends   *ends.Merge // nil if it is not the captures of both ends
	about  []string    // what these captures are
	notes  *notes
}

// packets are those of an opened capture, or of two that are read as one.
type packets interface {
	dissect.Source
	io.Closer
	Damage() []error
	FileBytes() int64
}

// An opening says how files are opened.
type opening struct {
	programs bool   // frames are named for programs
	follow   bool   // wait for more at the end of the only file
	idle     func() // called before waiting for octets of a pipe or of a growing file; nil for nothing
}

func (r *reading) open(ctx context.Context, a *app, files []string, o opening) (*input, error) {
	a.noteRepeated(files)
	in, err := r.openEnds(ctx, a, files, o.programs)
	if in == nil && err == nil {
		in, err = r.openInOrder(ctx, a, files, o)
	}
	if err != nil {
		return nil, unreadable(err)
	}
	if r.held != nil && !o.follow { // what is followed grows
		in.packets = &steady{in.packets, r.held}
	}
	r.in = in
	return in, nil
}

// openInOrder opens files that are read one after the other, or merged in the order of time.
func (r *reading) openInOrder(ctx context.Context, a *app, files []string, o opening) (*input, error) {
	if o.idle == nil {
		o.idle = func() {}
	}
	in, err := a.openFiles(ctx, files, o.follow, o.idle)
	if err != nil {
		return nil, err
	}
	notes := a.newNotes(files, in)
	r.noteView(notes)
	all := &input{packets: in, frames: framesOf(in, o.programs), notes: notes}
	if len(files) > 1 {
		all.packets = &awaited{in, a.newWait()}
	}
	return all, nil
}

// autoProfile is the profile by which each side is recognised by what it does.
const autoProfile = "auto"

func newReading() reading {
	p := profiles()
	return reading{profile: usage.NewChoice(autoProfile, slices.Insert(p.Allowed, 0, autoProfile)...), maxWait: span{judge.DefaultMaxWait, true}, memory: newMemoryFlag(), view: usage.NewChoice("both", "both", "client", "server")}
}

// profiles is the choice of a profile, the first of them if there is none.
func profiles() choice {
	c := choice{Value: peers.Profiles[0].Name}
	for _, p := range peers.Profiles {
		c.Allowed = append(c.Allowed, p.Name)
	}
	return c
}

// addFlags adds the flags, with their completion.
func (r *reading) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.VarP(&r.filter, "filter", "Y", "only what matches EXPR, such as 'type == Terminate'")
	_ = cmd.RegisterFlagCompletionFunc("filter", completeFilter) // fails for unknown flags only
	r.profile.AddTo(cmd, f, "profile", "", "check against `PROFILE`")
	f.Var(&r.mpa, "mpa", "settings to assume without a handshake, as 'crc=on'")
	_ = cmd.RegisterFlagCompletionFunc("mpa", completeMPA)
	r.memory.addTo(cmd)
}

// A memoryFlag is how many octets of state a command keeps of the connections in a capture.
type memoryFlag struct {
	size
	kept bool // what is read is kept to the end: little room is left for garbage
}

func newMemoryFlag() memoryFlag {
	return memoryFlag{size: size{dissect.DefaultMemory, 1 << 20, 1 << 40}}
}

func (m *memoryFlag) addTo(cmd *cobra.Command) {
	cmd.Flags().Var(m, "memory", "memory for the state of connections")
}

func (m *memoryFlag) octets() int { return int(min(m.value, math.MaxInt)) }

// limitMemory makes Go collect garbage all the time when a quarter more is in use than the flag of a command allows, if it has one.
func (a *app) limitMemory(cmd *cobra.Command) {
	if f := cmd.Flags().Lookup("memory"); f != nil && a.LimitMemory != nil {
		m, percent := f.Value.(*memoryFlag), 200 // the default of 100 would cost a tenth of the time
		if m.kept {
			percent = 100
		}
		a.LimitMemory(int64(m.value+m.value/4), percent)
	}
}

// An mpaFlag states what a capture does not show of the MPA negotiation.
type mpaFlag struct{ value framing.MPA }

func (m *mpaFlag) String() string { return m.value.String() }
func (m *mpaFlag) Type() string   { return "SETTINGS" }

func (m *mpaFlag) Set(s string) (err error) {
	m.value, err = framing.ParseMPA(s)
	return err
}

// completeMPA completes the last of the settings.
func completeMPA(_ *cobra.Command, _ []string, typed string) ([]cobra.Completion, cobra.ShellCompDirective) {
	before := typed[:strings.LastIndexByte(typed, ',')+1]
	var all []cobra.Completion
	for _, name := range []string{"crc", "markers", "markers-c2s", "markers-s2c"} {
		all = append(all, before+name+"=on", before+name+"=off")
	}
	all = append(all, before+"version=0", before+"version=1")
	return all, cobra.ShellCompDirectiveNoFileComp | cobra.ShellCompDirectiveNoSpace
}

// A chain reads a capture, and passes what matches the filter to a sink.
type chain struct {
	*dissect.Engine
	file    string           // that is read; empty if there are several
	begin   []func(ns int64) // called with the time of the first packet
	matched func() bool      // reports whether anything has matched the filter
	mender  *judge.Mender    // before the filter
}

// chain returns a chain to sink, which gets no KindEnd of connections without a match.
func (r *reading) chain(sink record.Sink) *chain {
	if r.filter.compiled == nil {
		return r.link(sink)
	}
	s := &screen{sink: sink, conns: make(map[*flow.Conn]*findings)}
	c := r.sieve(s)
	c.matched = func() bool { return s.matched }
	return c
}

// sieve returns a chain to sink, which gets the KindEnd of all connections.
func (r *reading) sieve(sink record.Sink) *chain {
	if r.filter.compiled == nil {
		return r.link(sink)
	}
	s := filter.NewSieve(r.filter.compiled, sink)
	c := r.link(s)
	c.begin = append(c.begin, s.Start)
	return c
}

// link returns an unfiltered chain to sink.
func (r *reading) link(sink record.Sink) *chain {
	o := judge.Options{
		Profile: peers.LookupProfile(r.profile.Value), ULPs: all.Layers(), MaxWait: r.maxWait.value,
		Payload: r.filter.compiled != nil && r.filter.compiled.Needs().Payload,
	}
	mender := judge.Mend(sink)
	if r.mends {
		sink = mender
	}
	if r.in.ends != nil {
		sink, o.Ends = r.in.ends.Watch(sink), r.in.ends.Ends
	}
	memory := r.memory.octets()
	if r.kept {
		memory /= 2
	}
	return &chain{
		Engine: dissect.NewEngine(sink, dissect.Options{MPA: r.mpa.value, Ports: all.Ports(), Frames: r.in.frames, Analysis: &o, Memory: memory}),
		file:   r.in.notes.file, matched: func() bool { return true }, mender: mender,
	}
}

// read reads a capture until ctx is done, which is not an error, or until stop, called before each packet, returns true. A capture of which no
// packet could be decoded is one that cannot be read.
func (c *chain) read(ctx context.Context, in dissect.Source, stop func() bool) error {
	err := c.Run(ctx, &stoppable{in, c.begin, stop})
	switch t := c.Totals(); {
	case ctx.Err() != nil:
		return nil
	case err == nil && t.Undecodable() && c.file != "":
		return fmt.Errorf("%s: %s", c.file, text.Undecodable(t))
	case err == nil && t.Undecodable():
		return errors.New(text.Undecodable(t))
	}
	return err
}

// pass reads what was opened into a sink, to its end or until stop returns true, prints the notes, and then calls finish. It calls begin
// with the time of the first packet.
func (r *reading) pass(ctx context.Context, sink record.Sink, begin func(ns int64), stop func() bool, finish func(*dissect.Totals) error) error {
	in := r.in
	r.mends = true
	if n := in.notes; n.in != nil && len(n.given) > 1 && r.filter.compiled == nil {
		n.having = make(map[string]bool)
	}
	c := r.chain(record.SinkFunc(func(e *record.Record) {
		in.notes.note(e)
		sink.Record(e)
	}))
	c.begin = append(c.begin, begin)
	if err := c.read(ctx, in.packets, stop); err != nil {
		return unreadable(err)
	}
	c.mender.Flush()
	if err := finish(c.Totals()); err != nil {
		return unreadable(err)
	}
	in.notes.finish(in.Damage(), c, ctx.Err() != nil)
	return nil
}

// never stops no reading.
func never() bool { return false }

// A stoppable is a Source that can be stopped. It calls begin with the time of its first packet.
type stoppable struct {
	dissect.Source
	begin []func(ns int64)
	stop  func() bool
}

// Next implements dissect.Source.
func (w *stoppable) Next(packet *pcaps.Record) error {
	if w.stop() {
		return io.EOF
	}
	err := w.Source.Next(packet)
	if err == nil && packet.Frame == 1 {
		for _, begin := range w.begin {
			begin(packet.Time)
		}
	}
	return err
}
