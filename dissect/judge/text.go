package judge

// Words for what findings and verdicts speak of.

import (
	"fmt"
	"strings"

	"github.com/iwarpkit/iwarp/codec/mpa"
	"github.com/iwarpkit/iwarp/codec/rdmap"
	"github.com/iwarpkit/iwarp/dissect/flow"
	"github.com/iwarpkit/iwarp/internal/quantity"
)

// sentence is a text. It is made only when there is something to report.
func sentence(format string, args ...any) string { return fmt.Sprintf(format, args...) }

// uncapital is a sentence that goes on after another. "MPA" stays as it is.
func uncapital(s string) string {
	if len(s) > 1 && s[0] >= 'A' && s[0] <= 'Z' && (s[1] < 'A' || s[1] > 'Z') {
		return string(s[0]-'A'+'a') + s[1:]
	}
	return s
}

// capital is a sentence that begins with one.
func capital(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

// frames is "frame 7", "frames 7-9" or "frame b.pcap:7".
func frames(c *flow.Conn, s flow.Span) string { return c.Frames.Text(s) }

// frame is the same of a single frame.
func frame(c *flow.Conn, number uint64) string { return frames(c, flow.At(number, 0)) }

// codeName is "0/1/00 Invalid STag".
func codeName(c rdmap.Code) string {
	if name := c.Name(); name != "" && c.Registered() {
		return c.String() + " " + name
	}
	return c.String() + " " + c.ETypeName()
}

// later is how much time lies between two moments, as " 2 s later"; empty if one of them is not known.
func later(from, to int64) string {
	if from == 0 || to < from {
		return ""
	}
	return " " + duration(to-from) + " later"
}

// duration is a time in nanoseconds, for a sentence: "1.5 ms".
func duration(ns int64) string { return quantity.Duration(ns) }

// readyText says which Ready to Receive (RTR) indications the MPA frames offer; empty if they are not both for a peer-to-peer connection.
func readyText(c *flow.Conn) string {
	asked, answered, ok := enhanced(c)
	if !ok || !asked.A || !answered.A {
		return ""
	}
	return sentence("as RTR indication the Request offers %s, the Reply %s", readyMessages(&asked), readyMessages(&answered))
}

// readyMessages are the RTR indications that an Enhanced word names (RFC 6581, section 9).
func readyMessages(e *mpa.Enhanced) string {
	var names []string
	for _, m := range []struct {
		set  bool
		name string
	}{{e.B, "a zero-length Send"}, {e.C, "a zero-length RDMA Write"}, {e.D, "a zero-length RDMA Read"}} {
		if m.set {
			names = append(names, m.name)
		}
	}
	if names == nil {
		return "none"
	}
	return strings.Join(names, " or ")
}
