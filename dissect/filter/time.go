package filter

// Times and spans of time.

import (
	"cmp"
	"time"
)

// A moment is a time of capture, and the time when the capture began, in nanoseconds since 1970-01-01 UTC.
type moment struct{ at, start int64 }

// layouts are the forms of dates. They are in UTC unless they say otherwise.
var layouts = []string{
	time.RFC3339, "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05", "2006-01-02 15:04", "2006-01-02",
}

func (c comparison) timeCheck(b basic, t token) (func(moment) bool, *Error) {
	if b == contains || b == matches {
		return nil, c.unsuitable("; compare it")
	}
	if t.kind != quoted {
		want, err := c.parseSeconds(t)
		return func(m moment) bool { return b.holds(cmp.Compare(m.at-m.start, want)) }, err
	}
	s, err := t.value()
	if err != nil {
		return nil, err
	}
	for _, layout := range layouts {
		if date, bad := time.Parse(layout, s); bad == nil {
			return c.dateCheck(b, t, date)
		}
	}
	return nil, t.errorf("%v is no time: write seconds from the first packet, 2.5, or UTC, \"2026-03-04T05:06:07.5\"", t)
}

// dateCheck compares with a date, which must be possible in a capture.
func (c comparison) dateCheck(b basic, t token, date time.Time) (func(moment) bool, *Error) {
	want := date.UnixNano()
	if !time.Unix(0, want).Equal(date) {
		return nil, t.errorf("%v is too far away; years from 1678 to 2262 can be told apart", t)
	}
	return func(m moment) bool { return b.holds(cmp.Compare(m.at, want)) }, nil
}

func (c comparison) secondsCheck(b basic, t token) (func(int64) bool, *Error) {
	if b == contains || b == matches {
		return nil, c.unsuitable("; compare it")
	}
	want, err := c.parseSeconds(t)
	return func(v int64) bool { return b.holds(cmp.Compare(v, want)) }, err
}

// parseSeconds reads seconds, "2.5", or a number with a unit, "300us", as nanoseconds.
func (c comparison) parseSeconds(t token) (int64, *Error) {
	s, err := t.value()
	if err != nil {
		return 0, err
	}
	if n := len(s); n > 0 && s[n-1] >= '0' && s[n-1] <= '9' {
		s += "s"
	}
	d, bad := time.ParseDuration(s)
	if bad != nil {
		return 0, t.errorf("%v is no number of seconds: write 2.5, or with a unit as 300us, 20ms, 1m", t)
	}
	return int64(d), nil
}
