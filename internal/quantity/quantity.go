// Package quantity writes counts and durations for people.
package quantity

import (
	"bytes"
	"strconv"
	"strings"
	"time"
)

// units are the units of time, each with the smallest number of nanoseconds written in it. Minutes and longer units start
// late: 90 s is clearer than 1.50 min.
var units = [...]struct {
	name        string
	scale, from int64
}{
	{" us", 1e3, 1e3}, {" ms", 1e6, 1e6}, {" s", 1e9, 1e9},
	{" min", 60e9, 10 * 60e9}, {" h", 3600e9, 10 * 3600e9}, {" d", 86400e9, 10 * 86400e9},
}

// AppendDuration appends a duration in nanoseconds with at least three digits: "980 ns", "12.3 us", "104 ms",
// "71.2 s", "60.0 min", "3285 d".
func AppendDuration(dst []byte, ns int64) []byte {
	name, scale := " ns", int64(1)
	for _, u := range units {
		if ns >= u.from || -ns >= u.from {
			name, scale = u.name, u.scale
		}
	}
	decimals := 0
	if scale > 1 {
		decimals = 2
		for n := max(ns, -ns) / scale; n >= 10 && decimals > 0; n /= 10 {
			decimals--
		}
	}
	return append(strconv.AppendFloat(dst, float64(ns)/float64(scale), 'f', decimals, 64), name...)
}

// Duration returns what AppendDuration appends, without trailing zeros: "2 s", "1.5 ms". It is for sentences, not columns.
func Duration(ns int64) string { return trimmed(AppendDuration(nil, ns)) }

// Moment is a time by how long it is after the captures began. From one second on it has all milliseconds, so that it is found in a column
// of times: "8 ms", "3600.25 s". After a day, it is the time at, since 1970-01-01 UTC: one of the captures is another day's.
func Moment(after, at int64) string {
	switch {
	case IsAnotherDay(after):
		return time.Unix(0, at).UTC().Format("2006-01-02 15:04:05.000 UTC")
	case after < 1e9:
		return Duration(after)
	}
	return trimmed(append(strconv.AppendFloat(nil, float64(after)/1e9, 'f', 3, 64), " s"...))
}

// IsAnotherDay reports whether a time after the captures began is better told by a calendar.
func IsAnotherDay(after int64) bool { return after > int64(24*time.Hour) }

// trimmed is a number and its unit without zeros after the point.
func trimmed(b []byte) string {
	number, unit, _ := bytes.Cut(b, []byte(" "))
	if bytes.Contains(number, []byte(".")) {
		number = bytes.TrimRight(bytes.TrimRight(number, "0"), ".")
	}
	return string(number) + " " + string(unit)
}

// A natural is a number of things.
type natural interface {
	~int | ~int64 | ~uint16 | ~uint32 | ~uint64
}

// AppendCount appends a number and what it counts: "1 octet", "2 octets", "0 octets".
func AppendCount[N natural](dst []byte, n N, thing string) []byte {
	dst = append(strconv.AppendUint(dst, uint64(n), 10), ' ')
	dst = append(dst, thing...)
	if n != 1 {
		dst = append(dst, 's')
	}
	return dst
}

// Count returns what AppendCount appends.
func Count[N natural](n N, thing string) string { return string(AppendCount(nil, n, thing)) }

// Times returns "once", "2 times" and so on.
func Times[N natural](n N) string {
	if n == 1 {
		return "once"
	}
	return Count(n, "time")
}

// GroupedCount is Count with a Grouped number: "2,000 octets".
func GroupedCount[N natural](n N, thing string) string {
	_, thing, _ = strings.Cut(Count(n, thing), " ")
	return Grouped(n) + " " + thing
}

// Grouped returns a number with commas between thousands: "1,048,576".
func Grouped[N natural](n N) string {
	s := strconv.FormatUint(uint64(n), 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
