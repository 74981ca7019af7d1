package kernlog

// When the kernel booted.

import (
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/codec/rdmap"
)

// NeedsBoot reports whether lines have only the time since the kernel booted.
func (l *Log) NeedsBoot() bool {
	for i := range l.Lines {
		if l.Lines[i].Time == 0 {
			return true
		}
	}
	return false
}

// SetBoot states when the kernel booted, in nanoseconds since 1970-01-01 UTC, which gives all lines a time.
func (l *Log) SetBoot(boot int64) {
	for i := range l.Lines {
		if line := &l.Lines[i]; line.Uptime != 0 {
			line.Time = boot + int64(line.Uptime)
		}
	}
	l.sort()
}

// An Event is what a capture shows, and a kernel may report.
type Event struct {
	Kind  Kind
	Time  int64         // nanoseconds since 1970-01-01 UTC
	Code  rdmap.Code    // of a Terminate
	Hosts [2]netip.Addr // of the connection
}

// A Kind is what happened to a connection.
type Kind uint8

// What happened to it.
const (
	Terminated Kind = iota // a side sent a Terminate
	Began                  // it was established, or was to be
	Ended                  // it was closed, reset or refused
)

// terminated is how drivers report a Terminate: "got TERMINATE. layer 1, type 2, code 2".
var terminated = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)\bterminate\b.*\blayer (\d{1,2}), type (\d{1,2}), code (\d{1,3})\b`)
})

// beginnings and endings are words of lines about connections that begin or end.
var (
	beginnings = []string{"connected", "established", "new ctrl", "new connection"}
	endings    = []string{"closed", "lost", "reset", "disconnect", "reject", "refused", "removing", "conn error", "error recovery"}
)

// events are those of all that a line may report, at whatever time.
func (l *Line) events(all []Event) (found []Event) {
	says := func(words []string) bool {
		return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(l.Text, word) })
	}
	code, terminated := codeIn(l.Text)
	ended := says(endings) // "disconnected" is not "connected"
	began := !ended && says(beginnings)
	for _, e := range all {
		named := func() bool { return names(l.Text, e.Hosts[0]) || names(l.Text, e.Hosts[1]) }
		if e.Kind == Terminated && terminated && e.Code == code || e.Kind == Began && began && named() || e.Kind == Ended && ended && named() {
			found = append(found, e)
		}
	}
	return found
}

// codeIn is the code of the Terminate that a line reports.
func codeIn(text string) (c rdmap.Code, ok bool) {
	if !strings.Contains(text, "ode ") { // as most do not
		return c, false
	}
	m := terminated().FindStringSubmatch(text)
	if m == nil {
		return c, false
	}
	var n [3]uint8
	for i := range n {
		v, _ := strconv.ParseUint(m[i+1], 10, 8) // what does not fit is not a code
		n[i] = uint8(v)
	}
	return rdmap.Code{Layer: rdmap.Layer(n[0]), EType: n[1], ErrorCode: n[2]}, true
}

// closeBy is how far a line may be from the event that it reports.
const closeBy = time.Second

// An Estimate is when a kernel seems to have booted.
type Estimate struct {
	Boot int64 // nanoseconds since 1970-01-01 UTC
	Line Line  // that tells it, by an event
	By   Event
	Fits int // lines of this kind that have their event in the capture, if the kernel booted then
	Of   int // lines of this kind
	Else int // other times at which as many fit
}

// EstimateBoot estimates when the kernel booted, from what a capture shows: so that most of the lines that report such an event have
// one at their time, and of several such times the latest line decides. Terminates decide if any line reports one, else where the
// connections of the capture began and ended. It is not ok if no line reports any of these.
func (l *Log) EstimateBoot(all []Event) (best Estimate, ok bool) {
	var terminates, others []Event
	for _, e := range all {
		if e.Kind == Terminated {
			terminates = append(terminates, e)
		} else {
			others = append(others, e)
		}
	}
	if best, ok = l.estimate(terminates, true); ok {
		return best, ok
	}
	return l.estimate(others, false)
}

// estimate is EstimateBoot by events of one kind: Terminates or others. Of lines about Terminates all count.
func (l *Log) estimate(all []Event, terminates bool) (best Estimate, ok bool) {
	const most = 64 // each is tried with each
	all = all[:min(len(all), most)]
	type report struct {
		line Line
		by   []Event
	}
	var reports []report
	for _, line := range l.Lines {
		if line.Uptime == 0 || len(reports) == most {
			continue
		}
		_, coded := codeIn(line.Text)
		if by := line.events(all); by != nil || terminates && coded {
			reports = append(reports, report{line, by})
		}
	}
	var equal []int64 // times at which as many fit as at the best one
	for _, r := range reports {
		for _, by := range r.by {
			e := Estimate{Boot: by.Time - int64(r.line.Uptime), Line: r.line, By: by, Of: len(reports)}
			for _, other := range reports {
				at := e.Boot + int64(other.line.Uptime)
				if slices.ContainsFunc(other.by, func(by Event) bool { return near(at, by.Time) }) {
					e.Fits++
				}
			}
			if same := func(boot int64) bool { return near(boot, e.Boot) }; e.Fits > best.Fits {
				best, equal = e, []int64{e.Boot}
			} else if e.Fits == best.Fits && !same(best.Boot) {
				best = e
				if !slices.ContainsFunc(equal, same) {
					equal = append(equal, e.Boot)
				}
			}
		}
	}
	best.Else = max(len(equal)-1, 0)
	return best, equal != nil
}

func near(a, b int64) bool { return time.Duration(max(a-b, b-a)) <= closeBy }
