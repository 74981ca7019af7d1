package cli

// The log of a kernel, beside the frames that its lines concern.

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/dissect/explain"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/dissect/kernlog"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/dissect/show/annotate"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// kernelFlags are the flags about the log of a kernel.
type kernelFlags struct {
	file string
	boot instant

	log    *kernlog.Log // nil without --dmesg
	events []kernlog.Event
}

func (k *kernelFlags) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&k.file, "dmesg", "", "show kernel lines of `FILE`, from dmesg or journalctl -k")
	f.Var(&k.boot, "boot", "when the kernel of --dmesg booted")
}

// read reads the log, if there is one.
func (k *kernelFlags) read(a *app) error {
	if k.file == "" && k.boot.set {
		return errors.New("--boot goes with --dmesg")
	}
	if k.file == "" {
		return nil
	}
	file, err := a.open(k.file)
	if err != nil {
		return unreadable(err)
	}
	defer file.Close()
	if k.log, err = kernlog.Read(file, time.Local); err != nil {
		return unreadable(fmt.Errorf("%s: %w", k.file, err))
	}
	if n := k.log.LeftOut; n > 0 && !a.quiet {
		fmt.Fprintf(a.Err, "note: %s: %s after the first %s are left out\n", displayName(k.file), counted(uint64(n), "line"), grouped(kernlog.MaxLines))
	}
	if k.boot.set {
		k.log.SetBoot(k.boot.ns)
	}
	return nil
}

// note notes what happened on a connection that is over, which may tell when the kernel booted.
func (k *kernelFlags) note(v *record.Verdict) {
	const most = 256
	if k.log == nil || len(k.events) >= most {
		return
	}
	for _, t := range v.Terminations {
		k.events = append(k.events, kernlog.Event{Time: t.Terminate.Time, Code: t.Code})
	}
	hosts := [2]netip.Addr{v.Conn.Client.Addr(), v.Conn.Server.Addr()}
	k.events = append(k.events, kernlog.Event{Kind: kernlog.Began, Time: v.Conn.Earliest, Hosts: hosts})
	if v.At.Time != 0 {
		k.events = append(k.events, kernlog.Event{Kind: kernlog.Ended, Time: v.At.Time, Hosts: hosts})
	}
}

// learn reads the files to find out when the kernel booted, if lines have no other time.
func (k *kernelFlags) learn(ctx context.Context, r *reading, a *app, files []string) error {
	if k.log == nil || !k.log.NeedsBoot() {
		return nil
	}
	if !readableTwice(files) {
		return errors.New("the lines of --dmesg have the time since boot, which can be estimated from regular files only: give --boot")
	}
	held, err := annotate.Hold(files...)
	if err != nil {
		return unreadable(err)
	}
	silent := &app{Streams: a.Streams, outlets: a.outlets, quiet: true} // the second reading says what there is to say about the files
	in, err := r.open(ctx, silent, files, opening{})
	if err != nil {
		return err
	}
	defer in.Close()
	all := r.link(record.SinkFunc(func(r *record.Record) {
		if r.Verdict != nil {
			k.note(r.Verdict)
		}
	}))
	if err := all.read(ctx, in.packets, never); err != nil {
		return unreadable(err)
	}
	k.settle(a.newNotes(files, nil))
	r.held = held
	return nil
}

// settle finds out when the kernel booted, if that is needed, and says how.
func (k *kernelFlags) settle(n *notes) {
	if k.log == nil || !k.log.NeedsBoot() {
		return
	}
	e, ok := k.log.EstimateBoot(k.events)
	if !ok {
		n.print(fmt.Appendf(nil, "%s: its lines have the time since boot, and no connection of the capture tells when that was; give --boot", displayName(k.file)))
		return
	}
	k.log.SetBoot(e.Boot)
	at := time.Unix(0, e.Boot).UTC().Format("2006-01-02T15:04:05.000Z")
	note := fmt.Appendf(nil, "%s: the kernel booted at %s, estimated from %q at %.6f s (%d of %d such lines fit",
		displayName(k.file), at, e.Line.Text, e.Line.Uptime.Seconds(), e.Fits, e.Of)
	if e.Else > 0 {
		fit := "fit"
		if e.Else == 1 {
			fit = "fits"
		}
		note = fmt.Appendf(note, "; %s %s as well", quantity.Count(e.Else, "other time"), fit)
	}
	n.print(append(note, "); --boot states another time"...))
}

// maxLooked is how many lines check looks at, over all connections that they may concern.
const maxLooked = 1 << 24

// search is about for many connections: it looks at maxLooked lines in all, and is not ok after that or when it is too late.
func (k *kernelFlags) search(running context.Context) func(c *flow.Conn, from, to int64) (lines []kernlog.Line, ok bool) {
	late := lateness(running)
	about := k.about(late)
	if about == nil {
		return nil
	}
	looked := 0
	return func(c *flow.Conn, from, to int64) ([]kernlog.Line, bool) {
		looked += len(k.log.Within(from, to))
		if looked > maxLooked || late() {
			return nil, false
		}
		return about(c, from, to), !late()
	}
}

// lateness returns what reports whether the user, who wants the command to end, has waited for long enough since it was asked first.
func lateness(running context.Context) func() bool {
	var end time.Time
	return func() bool {
		if running.Err() != nil && end.IsZero() {
			end = time.Now().Add(patient)
		}
		return !end.IsZero() && time.Now().After(end)
	}
}

// about returns the lines that concern a connection; nil without a log. It looks nothing up when it is too late.
func (k *kernelFlags) about(late func() bool) func(c *flow.Conn, from, to int64) []kernlog.Line {
	if k.log == nil {
		return nil
	}
	known := make(map[string]bool) // of the lines so far: each may concern many connections
	return func(c *flow.Conn, from, to int64) []kernlog.Line {
		return k.log.About(c, from, to, func(text string) bool {
			is, looked := known[text]
			if !looked && !late() {
				is = isKnown(text)
				known[text] = is
			}
			return is
		})
	}
}

// isKnown reports whether a text is a message of a kernel that explain knows something about.
func isKnown(text string) bool {
	return slices.ContainsFunc(explain.Lookup(text), func(e explain.Entry) bool {
		return e.Kind == explain.KindKernel || e.Kind == explain.KindTerminate || e.Kind == explain.KindStatus
	})
}

// An interleaver prints the lines of a log between those of decode, in chronological order.
type interleaver struct {
	printer
	rest   []kernlog.Line
	print  func(kernlog.Line)
	begun  bool  // a message was printed
	latest int64 // time of the latest packet
}

// interleaved returns a printer that prints lines of the log too; p itself without a log.
func (k *kernelFlags) interleaved(p printer, to *printing) printer {
	if k.log == nil {
		return p
	}
	var b []byte
	return &interleaver{printer: p, rest: k.log.Lines, print: func(line kernlog.Line) {
		b = to.clock.Append(b[:0], line.Time)
		fmt.Fprintf(to.w, "%s     kernel  %s\n", b, shown(line.Text))
	}}
}

// Record implements record.Sink.
func (i *interleaver) Record(r *record.Record) {
	switch r.Kind {
	case record.KindStartup, record.KindMessage:
		i.latest = max(i.latest, r.LastTime)
		i.until(r.LastTime, r.LastTime)
	case record.KindEnd:
		i.latest = max(i.latest, r.Conn.Latest)
	}
	i.printer.Record(r)
}

// finish prints the lines after the last message.
func (i *interleaver) finish() { i.until(i.latest+int64(kernlog.After), i.latest) }

// until prints the lines before a time, except for those long before a packet.
func (i *interleaver) until(time, packet int64) {
	for ; len(i.rest) > 0 && i.rest[0].Time < time; i.rest = i.rest[1:] {
		if i.begun || packet-i.rest[0].Time < int64(kernlog.After) {
			_ = i.Flush() // Err returns it too
			i.print(i.rest[0])
		}
	}
	i.begun = true
}

// An instant is a flag whose value is a time: "2026-11-23T01:08:16Z", or in seconds since 1970-01-01 UTC.
type instant struct {
	ns  int64
	set bool
}

func (i *instant) String() string { return "" }
func (i *instant) Type() string   { return "TIME" }

func (i *instant) Set(s string) error {
	if t, err := time.Parse(time.RFC3339, s); err == nil {
		i.ns, i.set = t.UnixNano(), true
		return nil
	}
	seconds, err := strconv.ParseFloat(s, 64)
	if err != nil || !(seconds >= 0 && seconds < 1<<33) {
		return errors.New("want a time such as 2026-11-23T01:08:16Z, or seconds since 1970")
	}
	i.ns, i.set = int64(seconds*1e9), true
	return nil
}
