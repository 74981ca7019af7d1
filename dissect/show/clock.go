package show

import (
	"strconv"
	"time"
)

// A Form is how a Clock prints times.
type Form uint8

// The forms.
const (
	Relative Form = iota // seconds since Clock.Start
	Absolute             // date and time of the local time zone
	UTC                  // date and time in UTC
	Epoch                // seconds since 1970-01-01 UTC
	Delta                // seconds since the time that was printed before, or Clock.Start
)

// Forms are the names of all forms.
var Forms = []string{"relative", "absolute", "utc", "epoch", "delta"}

// A Clock prints times, to the microsecond.
type Clock struct {
	Form  Form
	Start int64 // nanoseconds since 1970-01-01 UTC

	latest int64 // of Delta
}

const (
	layout   = "2006-01-02T15:04:05.000000Z07:00"
	relWidth = 12 // enough for a day
)

// Width is that of the column of times, in characters.
func (c *Clock) Width() int {
	switch c.Form {
	case Absolute:
		return len(layout)
	case UTC:
		return len(layout) - len("07:00")
	case Epoch:
		return len("1700000000.000000")
	}
	return relWidth
}

// Append appends a time that is given in nanoseconds since 1970-01-01 UTC: "2026-03-04T05:06:07.000008Z", or the
// seconds since Start, "    2.104713", at least 12 characters wide.
func (c *Clock) Append(dst []byte, ns int64) []byte {
	since := ns
	switch c.Form {
	case Absolute:
		return time.Unix(0, ns).AppendFormat(dst, layout)
	case UTC:
		return time.Unix(0, ns).UTC().AppendFormat(dst, layout)
	case Relative:
		since -= c.Start
	case Delta:
		if c.latest == 0 {
			c.latest = c.Start
		}
		since -= c.latest
		c.latest = ns
	}
	var buf [32]byte
	b := appendSeconds(buf[:0], since)
	for range c.Width() - len(b) {
		dst = append(dst, ' ')
	}
	return append(dst, b...)
}

// appendSeconds appends nanoseconds as seconds, to the microsecond.
func appendSeconds(b []byte, ns int64) []byte {
	us := uint64(ns) / 1000
	if ns < 0 {
		b, us = append(b, '-'), uint64(-ns)/1000
	}
	b = strconv.AppendUint(b, us/1e6, 10)
	b = append(b, '.')
	for unit := uint64(1e5); unit > 0; unit /= 10 {
		b = append(b, '0'+byte(us/unit%10))
	}
	return b
}

// AppendShort is Append without spaces before it, and with the unit after seconds: "2.104713 s".
func (c *Clock) AppendShort(dst []byte, ns int64) []byte {
	from := len(dst)
	dst = c.Append(dst, ns)
	if c.Form == Absolute || c.Form == UTC {
		return dst
	}
	spaces := 0
	for dst[from+spaces] == ' ' {
		spaces++
	}
	dst = append(dst[:from], dst[from+spaces:]...)
	return append(dst, " s"...)
}
