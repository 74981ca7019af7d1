package kernlog

// Which lines concern a connection.

import (
	"net/netip"
	"strings"
	"time"

	"github.com/iwarpkit/iwarp/dissect/record"
)

// How long before a connection began and after it ended a line may concern it.
const (
	before = time.Second
	after  = 5 * time.Second
)

// About returns the lines that concern a connection: those at its time that name an address of it, or that known picks.
func (l *Log) About(c *record.Conn, known func(text string) bool) (found []Line) {
	for _, line := range l.Lines {
		if line.Time == 0 || line.Time < c.Earliest-int64(before) || line.Time > c.Latest+int64(after) {
			continue
		}
		if names(line.Text, c.Client.Addr()) || names(line.Text, c.Server.Addr()) || known(line.Text) {
			found = append(found, line)
		}
	}
	return found
}

// names reports whether a text has an address, not within a longer one.
func names(text string, a netip.Addr) bool {
	const decimal, hex = "0123456789", "0123456789abcdefABCDEF"
	address, digits, ahead := a.String(), decimal, decimal+"."
	if a.Is6() {
		digits, ahead = hex, hex+".:"
	}
	for from := 0; ; {
		at := strings.Index(text[from:], address)
		if at < 0 {
			return false
		}
		at += from
		from = at + len(address)
		behind := strings.TrimPrefix(text[from:], ".") // "10.0.0.1.", but not "10.0.0.1.2"
		within := at > 0 && strings.IndexByte(ahead, text[at-1]) >= 0 || behind != "" && strings.IndexByte(digits, behind[0]) >= 0
		if !within {
			return true
		}
	}
}
