package main

// What a capture shows of a case, found by its TCP port.

import (
	"encoding/json"
	"fmt"
	"net/netip"
	"os/exec"
	"strings"

	"github.com/iwarpkit/iwarp/lab/result"
)

// ours are the addresses of our side.
var ours = []netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("fd00::1")}

// A traffic is what is known of a capture.
type traffic struct {
	check  check
	stats  stats
	tshark map[int]int // FPDUs by TCP port; nil if there is no tshark
}

// A check is the part of the JSON of "iwarp check" that matters here, and stats that of "iwarp stats".
type (
	check struct {
		Findings []struct {
			Severity, Name, Text, Dir string
			Conn                      int
		}
		Connections []connection
	}
	stats struct {
		Connections []connection
	}
)

// A connection is a connection of either JSON.
type connection struct {
	Conn           int
	Client, Server netip.AddrPort
	FPDUs          int
	C2S, S2C       struct{ Packets int } // of stats
}

// newTraffic looks at a capture.
func newTraffic(iwarp, file string) (t *traffic, err error) {
	t = new(traffic)
	if err := output(&t.check, iwarp, "check", "-q", "--profile", "siw", "-o", "json", file); err != nil {
		return nil, err
	}
	if err := output(&t.stats, iwarp, "stats", "-q", "-o", "json", file); err != nil {
		return nil, err
	}
	t.tshark, err = countByTshark(file)
	return t, err
}

// output runs a command and decodes its JSON. Exit code 1 of "iwarp check" says that there are errors.
func output(v any, command ...string) error {
	b, err := exec.Command(command[0], command[1:]...).Output()
	if e, ok := err.(*exec.ExitError); ok && e.ExitCode() == 1 {
		err = nil
	}
	if err == nil {
		err = json.Unmarshal(b, v)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", strings.Join(command, " "), err)
	}
	return nil
}

// judge returns what is wrong with the traffic of a case; "" if nothing.
func (t *traffic) judge(r *result.Result) string {
	of := make(map[int]connection) // by number, those of the case
	for _, c := range t.check.Connections {
		if int(c.Server.Port()) == r.Port {
			of[c.Conn] = c
		}
	}
	broken := r.Breaks == ""
	for _, f := range t.check.Findings {
		c, mine := of[f.Conn]
		switch {
		case !mine || !isOurs(c, f.Dir):
		case f.Name == r.Breaks: // an error, or a warning where the rule is only a SHOULD
			broken = true
		case f.Severity == "error":
			return "iwarp check: " + f.Text
		}
	}
	if !broken {
		return fmt.Sprintf("iwarp check has not found that we break the rule %s", r.Breaks)
	}
	if n := t.sent(r.Port); n < r.Packets {
		return fmt.Sprintf("our side has sent %d packets, not at least %d", n, r.Packets)
	}
	return t.compare(r)
}

// sent is how many packets our side has sent in the connections of a port.
func (t *traffic) sent(port int) (packets int) {
	for _, c := range t.stats.Connections {
		switch {
		case int(c.Server.Port()) != port:
		case isOurs(c, "c2s"):
			packets += c.C2S.Packets
		default:
			packets += c.S2C.Packets
		}
	}
	return packets
}

// isOurs reports whether our side sends in a direction.
func isOurs(c connection, dir string) bool {
	sender := c.Client
	if dir == "s2c" {
		sender = c.Server
	}
	return sender.Addr() == ours[0] || sender.Addr() == ours[1]
}

// few is up to how many FPDUs tshark counts reliably. With many, segments do not always start with an FPDU, or are sent
// again, and it loses count.
const few = 40

// compare compares the FPDUs that iwarp and tshark have counted. After a damaged header, tshark may see none.
func (t *traffic) compare(r *result.Result) string {
	if t.tshark == nil || r.Breaks != "" {
		return ""
	}
	n := 0
	for _, c := range t.stats.Connections {
		if int(c.Server.Port()) == r.Port {
			n += c.FPDUs
		}
	}
	if n <= few && n != t.tshark[r.Port] {
		return fmt.Sprintf("iwarp stats finds %d FPDUs, tshark %d", n, t.tshark[r.Port])
	}
	return ""
}
