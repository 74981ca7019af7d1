// Package kernlog reads the log of a Linux kernel, and finds the lines that concern a connection.
//
//	l, err := kernlog.Read(file, time.Local)
//	if e, ok := l.EstimateBoot(events); ok {
//		l.SetBoot(e.Boot)
//	}
//	for _, line := range l.Within(from, to) {
//		fmt.Println(line.Text)
//	}
//
// A [Log] has lines with the time since the kernel booted, as dmesg prints them, or with date and time, as dmesg -T,
// dmesg --time-format iso and journalctl -k -o short-iso do. The log does not say when the kernel booted: [Log.SetBoot]
// states it, and [Log.EstimateBoot] estimates it from what both the log and the capture have: Terminates, or else
// connections that began and ended.
package kernlog

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/iwarpkit/iwarp/dissect/flow"
)

// A Line is a line of the log.
type Line struct {
	Time   int64         // nanoseconds since 1970-01-01 UTC; 0 as long as it is not known when the kernel booted
	Uptime time.Duration // since the kernel booted; 0 if the line has date and time
	Text   string        // without time, host and "kernel:"; at most 1024 octets
}

// A Log is what was read.
type Log struct {
	Lines   []Line // in the order of time, as far as that is known; at most MaxLines
	LeftOut int    // lines with a time after so many
}

// The limits of a Log.
const (
	MaxLines = 1 << 16
	MaxShown = 1 << 14 // lines that a report of all connections shows; each may concern many of them
	maxText  = 1 << 10 // octets
)

// ErrNoTimes is the error about a file in which no line begins with a time.
var ErrNoTimes = errors.New("kernlog: no line begins with a time, as those of dmesg and journalctl -k do")

// Read reads a log. Lines without a time are skipped, and of long ones the rest. Times without a zone are those of zone.
func Read(r io.Reader, zone *time.Location) (*Log, error) {
	l := new(Log)
	in := bufio.NewReaderSize(r, 4*maxText)
	for {
		b, more, err := in.ReadLine()
		if err != nil && err != io.EOF {
			return nil, err
		}
		switch line, ok := parse(string(b), zone); {
		case ok && len(l.Lines) < MaxLines:
			l.Lines = append(l.Lines, line)
		case ok:
			l.LeftOut++
		}
		for more && err == nil {
			_, more, err = in.ReadLine()
		}
		if err == io.EOF {
			break
		}
	}
	if l.Lines == nil {
		return nil, ErrNoTimes
	}
	l.sort()
	return l, nil
}

func (l *Log) sort() {
	slices.SortStableFunc(l.Lines, func(a, b Line) int { return cmp.Compare(a.Time, b.Time) })
}

// host is what journalctl writes between the time and the text.
var host = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\S+ kernel: `) })

// parse reads a line; not ok if it has no time.
func parse(s string, zone *time.Location) (l Line, ok bool) {
	s = strings.TrimRight(s, "\r")
	if len(s) > 2 && s[0] == '<' { // the priority, as in dmesg -r
		_, s, _ = strings.Cut(s, ">")
	}
	var text string
	if rest, bracket := strings.CutPrefix(s, "["); bracket {
		stamp, after, found := strings.Cut(rest, "]")
		if !found {
			return l, false
		}
		text = after
		if l.Uptime, ok = uptime(stamp); !ok {
			l.Time, ok = date(strings.TrimSpace(stamp), zone, time.ANSIC)
		}
	} else {
		stamp, after, _ := strings.Cut(s, " ")
		text = after
		l.Time, ok = date(strings.Replace(stamp, ",", ".", 1), zone,
			time.RFC3339, "2006-01-02T15:04:05Z0700", "2006-01-02T15:04:05")
	}
	text = strings.TrimSpace(text)
	text = strings.TrimPrefix(text[len(host().FindString(text)):], "kernel: ")
	if inner, after, found := strings.Cut(strings.TrimPrefix(text, "["), "]"); ok && found && text[0] == '[' {
		if _, stamped := uptime(inner); stamped { // of the kernel, after that of syslog
			text = strings.TrimSpace(after)
		}
	}
	l.Text = text[:min(len(text), maxText)]
	return l, ok
}

// uptime reads seconds since the kernel booted: "  123.456789".
func uptime(s string) (time.Duration, bool) {
	const most = 1 << 33 // seconds, in which nanoseconds have a place
	seconds, fraction, found := strings.Cut(strings.TrimSpace(s), ".")
	n, err := strconv.ParseUint(seconds, 10, 63)
	us, err2 := strconv.ParseUint((fraction + "000000")[:6], 10, 63)
	if !found || err != nil || err2 != nil || n >= most {
		return 0, false
	}
	return max(time.Duration(n)*time.Second+time.Duration(us)*time.Microsecond, 1), true
}

// date reads date and time in one of several layouts.
func date(s string, zone *time.Location, layouts ...string) (int64, bool) {
	for _, layout := range layouts {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil && t.Year() >= 1971 && t.Year() < 2262 {
			return t.UnixNano(), true
		}
	}
	return 0, false
}

// How long before a connection began and after it ended a line may concern it.
const (
	Before = time.Second
	After  = 5 * time.Second
)

// Within returns the lines from a time up to, but not at, another one, in the order of time.
func (l *Log) Within(from, to int64) []Line {
	at := func(time int64) int {
		i, _ := slices.BinarySearchFunc(l.Lines, time, func(line Line, time int64) int { return cmp.Compare(line.Time, time) })
		return i
	}
	from = max(from, 1) // 0 is not a time
	return l.Lines[at(from):max(at(to), at(from))]
}

// About returns the lines of Within that concern a connection: those that name an address of it, or that known picks.
func (l *Log) About(c *flow.Conn, from, to int64, known func(text string) bool) (found []Line) {
	client, server := c.Client.Addr(), c.Server.Addr()
	clientText, serverText := client.String(), server.String()
	for _, line := range l.Within(from, to) {
		if has(line.Text, client, clientText) || has(line.Text, server, serverText) || known(line.Text) {
			found = append(found, line)
		}
	}
	return found
}

// names reports whether a text has an address, not within a longer one.
func names(text string, a netip.Addr) bool { return has(text, a, a.String()) }

// has is names for an address of which the text is known.
func has(text string, a netip.Addr, address string) bool {
	const decimal, hex = "0123456789", "0123456789abcdefABCDEF"
	digits, ahead := decimal, decimal+"."
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
