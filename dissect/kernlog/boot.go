package kernlog

// When the kernel booted.

import (
	"regexp"
	"slices"
	"strconv"
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
}

// A Terminate is one of a capture.
type Terminate struct {
	Time int64 // nanoseconds since 1970-01-01 UTC
	Code rdmap.Code
}

// terminated is how drivers report a Terminate: "siw: got TERMINATE. layer 1, type 2, code 2".
var terminated = regexp.MustCompile(`(?i)\bterminate\b.*\blayer (\d{1,2}), type (\d{1,2}), code (\d{1,3})\b`)

// closeBy is how far a line may be from the Terminate that it reports.
const closeBy = time.Second

// An Estimate is when a kernel seems to have booted.
type Estimate struct {
	Boot int64 // nanoseconds since 1970-01-01 UTC
	Line Line  // that tells it, by a Terminate
	By   Terminate
	Fits int // lines about Terminates that have theirs in the capture, if the kernel booted then
	Of   int // lines about Terminates
	Else int // other times at which as many fit
}

// EstimateBoot estimates when the kernel booted, from the Terminates of a capture: so that most of the lines that report one
// have one at their time, and of several such times the latest line decides. It is not ok if no line reports one of them.
func (l *Log) EstimateBoot(all []Terminate) (best Estimate, ok bool) {
	type report struct {
		line Line
		code rdmap.Code
	}
	const most = 64 // each is tried with each Terminate
	var reports []report
	for _, line := range l.Lines {
		m := terminated.FindStringSubmatch(line.Text)
		if m == nil || line.Uptime == 0 || len(reports) == most {
			continue
		}
		var n [3]uint8
		for i := range n {
			v, _ := strconv.ParseUint(m[i+1], 10, 8) // what does not fit is no code
			n[i] = uint8(v)
		}
		reports = append(reports, report{line, rdmap.Code{Layer: rdmap.Layer(n[0]), EType: n[1], ErrorCode: n[2]}})
	}
	all = all[:min(len(all), most)]
	var equal []int64 // times at which as many fit as at the best one
	for _, r := range reports {
		for _, t := range all {
			if t.Code != r.code {
				continue
			}
			e := Estimate{Boot: t.Time - int64(r.line.Uptime), Line: r.line, By: t, Of: len(reports)}
			for _, other := range reports {
				at := e.Boot + int64(other.line.Uptime)
				for _, t := range all {
					if t.Code == other.code && time.Duration(max(at-t.Time, t.Time-at)) <= closeBy {
						e.Fits++
						break
					}
				}
			}
			same := func(boot int64) bool { return time.Duration(max(e.Boot-boot, boot-e.Boot)) <= closeBy }
			if e.Fits > best.Fits {
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
