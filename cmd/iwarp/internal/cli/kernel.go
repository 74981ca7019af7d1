package cli

// The log of a kernel, beside the frames that its lines concern.

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/iwarpkit/iwarp/dissect/explain"
	"github.com/iwarpkit/iwarp/dissect/kernlog"
	"github.com/iwarpkit/iwarp/dissect/record"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// kernelFlags are the flags about the log of a kernel.
type kernelFlags struct {
	file string
	boot instant

	log        *kernlog.Log // nil without --dmesg
	terminates []kernlog.Terminate
}

func (k *kernelFlags) addFlags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&k.file, "dmesg", "", "show kernel lines of `FILE`, from dmesg or journalctl -k")
	f.Var(&k.boot, "boot", "when that kernel booted, if lines have uptimes")
}

// read reads the log, if there is one.
func (k *kernelFlags) read() error {
	if k.file == "" && k.boot.set {
		return errors.New("--boot goes with --dmesg")
	}
	if k.file == "" {
		return nil
	}
	file, err := os.Open(k.file)
	if err != nil {
		return unreadable(err)
	}
	defer file.Close()
	if k.log, err = kernlog.Read(file, time.Local); err != nil {
		return unreadable(fmt.Errorf("%s: %w", k.file, err))
	}
	if k.boot.set {
		k.log.SetBoot(k.boot.ns)
	}
	return nil
}

// note notes the Terminates of a connection that is over, which may tell when the kernel booted.
func (k *kernelFlags) note(v *record.Verdict) {
	const most = 64
	for _, t := range v.Terminations {
		if k.log != nil && len(k.terminates) < most {
			k.terminates = append(k.terminates, kernlog.Terminate{Time: t.Terminate.Time, Code: t.Code})
		}
	}
}

// settle finds out when the kernel booted, if that is needed, and says how.
func (k *kernelFlags) settle(n *notes) {
	if k.log == nil || !k.log.NeedsBoot() {
		return
	}
	e, ok := k.log.EstimateBoot(k.terminates)
	if !ok {
		n.print(fmt.Appendf(nil, "%s: its lines have the time since boot, and no Terminate of the capture tells when that was; give --boot", displayName(k.file)))
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
		note = fmt.Appendf(note, "; %s %s as well", quantity.Count(uint64(e.Else), "other time"), fit)
	}
	n.print(append(note, "); --boot states another time"...))
}

// about is what a report asks for the lines that concern a connection; nil without a log.
func (k *kernelFlags) about() func(*record.Conn) []kernlog.Line {
	if k.log == nil {
		return nil
	}
	return func(c *record.Conn) []kernlog.Line { return k.log.About(c, isKnown) }
}

// isKnown reports whether a text is a message of a kernel that explain knows something about.
func isKnown(text string) bool {
	return slices.ContainsFunc(explain.Lookup(text), func(e explain.Entry) bool {
		return e.Kind == explain.KindKernel || e.Kind == explain.KindTerminate || e.Kind == explain.KindStatus
	})
}

// An interleaver prints the lines of a log between those of decode, in the order of time.
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
	rest := slices.Clone(k.log.Lines)
	slices.SortStableFunc(rest, func(a, b kernlog.Line) int { return int(min(max(a.Time-b.Time, -1), 1)) })
	var b []byte
	return &interleaver{printer: p, rest: rest, print: func(line kernlog.Line) {
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

// finish prints the lines behind the last message.
func (i *interleaver) finish() { i.until(i.latest+int64(beside), i.latest) }

// beside is how far a line may be from the first message, or the last packet, if it is not between them.
const beside = 5 * time.Second

// until prints the lines up to a time, but for those long before a packet.
func (i *interleaver) until(time, packet int64) {
	for ; len(i.rest) > 0 && i.rest[0].Time <= time; i.rest = i.rest[1:] {
		if i.begun || packet-i.rest[0].Time < int64(beside) {
			_ = i.Flush() // Err returns it too
			i.print(i.rest[0])
		}
	}
	i.begun = true
}

// needsBoot is the error about lines that have no time yet.
func (k *kernelFlags) needsBoot() error {
	if k.log != nil && k.log.NeedsBoot() {
		return errors.New("the lines of --dmesg have the time since boot: give --boot, which 'iwarp check --dmesg' may estimate")
	}
	return nil
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
